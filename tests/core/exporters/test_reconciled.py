"""The items of compared runs as one table, with what was decided of each."""

from __future__ import annotations

import csv
import io
import json

from compared_runs import NO, UNKNOWN, YES, found, view

from rlm_core.choices import NEITHER, Choice
from rlm_core.compare import Comparison, compare
from rlm_core.exporters.reconciled import reconciled, to_csv, to_json
from rlm_core.task import Finding


def comparison() -> Comparison:
    one = view("r1", found(("A1", YES), ("B1", YES), ("C1", YES), ("D1", YES)))
    return compare([one, view("r2", found(("A1", YES), ("B1", NO), ("C1", UNKNOWN)))])


def test_who_decided_is_said_and_what_nobody_decided_stays_open():
    choices = {"b1": Choice("r2"), "c1": Choice("r1", "perhaps"), "d1": Choice(NEITHER)}
    rows = {row["item"]: (row["label"], row["decided_by"]) for row in reconciled(comparison(), choices)}
    assert rows == {"A1": ("yes", "agree"), "B1": ("no", "B"), "C1": ("perhaps", "person"), "D1": (None, "person")}
    open_rows = {row["item"]: (row["label"], row["decided_by"]) for row in reconciled(comparison(), {})}
    assert open_rows["B1"] == open_rows["D1"] == (None, None)


def test_each_run_says_its_label_quote_and_source():
    row = next(row for row in json.loads(to_json(reconciled(comparison(), {}))) if row["item"] == "D1")
    assert row["runs"] == [
        {
            "letter": "A",
            "run": "r1",
            "label": "yes",
            "quote": "D1 is wet",
            "verdict": "exact",
            "source": "a.txt",
            "line": 7,
        },
        {"letter": "B", "run": "r2", "label": None, "quote": None, "verdict": None, "source": None, "line": None},
    ]


def test_a_cell_that_a_spreadsheet_would_run_is_made_harmless():
    one = view("r1", [Finding("=1+1", "@x", "-2")])
    table = to_csv(reconciled(compare([one, view("r2")]), {"=1+1": Choice("r1")}), 2)
    header, row = csv.reader(io.StringIO(table))
    cells = dict(zip(header, row, strict=True))
    assert (cells["item"], cells["label"], cells["decided_by"], cells["A_quote"]) == ("'=1+1", "'@x", "A", "'-2")
    assert cells["B_label"] == ""
