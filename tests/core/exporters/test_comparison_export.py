"""A comparison as files: reasons, unknown figures, and texts that do not act."""

import csv
import io
import re

from compared_runs import NO, YES, found, view

from rlm_core.compare import compare
from rlm_core.evidence.reach import Unseen
from rlm_core.exporters.comparison import comparison_of, deltas, to_csv, to_markdown
from rlm_core.task import Finding

HOSTILE = "```\n![x](http://a.example) | <b>"


def test_a_quote_outside_the_window_of_the_other_run_is_the_reason_why_it_says_nothing():
    cut = view(
        "a", answer="1 room", unseen=(Unseen("a.txt", 0, 500),), findings=found(("C02", YES)), place=("b.txt", 900)
    )
    rooms = compare([cut, view("b", found(("A12", YES), ("C02", YES)))])
    item = next(each for each in comparison_of(rooms, 200.0)["items"] if each["item"] == "A12")
    assert item["said"][0]["how"] == "not seen"
    assert item["said"][0]["why"] == ["the passage at a.txt line 7 lay outside its window (~, as it noted)"]


def test_of_a_run_under_way_it_is_not_said_that_it_found_nothing():
    rooms = compare([view("a", found(("A12", YES))), view("b", found(("C02", YES)), outcome=None)])
    item = next(each for each in comparison_of(rooms, 200.0)["items"] if each["item"] == "A12")
    assert item["said"][1]["why"] == ["not yet"]


def test_the_difference_of_a_cost_that_is_not_known_is_unknown():
    rooms = compare([view("a", found(("A12", YES))), view("b", found(("A12", NO)), outcome=None)])
    (said,) = deltas(rooms, 200.0)
    assert said.startswith("B against A: as many calls, as dear, ")
    runs = comparison_of(rooms, 200.0)["runs"]
    assert (runs[0]["against_a"], runs[1]["against_a"]["cost_usd"]) == (None, 0.0)


def test_texts_are_neither_markdown_nor_formulas():
    rooms = compare(
        [
            view("a", [Finding(HOSTILE, YES, HOSTILE)], HOSTILE, question=HOSTILE),
            view("b", [Finding("=1+1", NO)], HOSTILE),
        ]
    )
    report = to_markdown(rooms, 200.0)
    outside = re.sub(r"^(`{3,})text\n.*?\n\1$", "", report, flags=re.DOTALL | re.MULTILINE)
    assert "](" not in outside
    assert "<b>" not in outside
    rows = list(csv.DictReader(io.StringIO(to_csv(rooms))))
    assert "'=1+1" in [row["item"] for row in rows]
