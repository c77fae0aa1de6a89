"""The findings of a run as a table and as JSON, also where they were made to be run by a spreadsheet."""

import csv
import io
import json

from event_streams import stamped

from rlm_core import events as ev
from rlm_core.cli.report import answer_in_words
from rlm_core.exporters.findings import COLUMNS, findings_of, to_csv, to_json
from rlm_core.task import Answer, Finding, Task
from rlm_core.view import RunView, fold
from rlm_core.wording import doubts

HOSTILE = '=HYPERLINK("http://a.example","b")'
RECORDED = (
    (Finding("A12", "no", "Dry."), ev.QuoteChecked("not found")),
    (Finding("A12", "yes", "Dripped again.", "a.pdf, page 2", "seen"), ev.QuoteChecked("exact", "a.pdf", 5, 19, 3)),
    (
        Finding("B07", HOSTILE, "no leak, since\n2022", None, "-5 degrees"),
        ev.QuoteChecked("conflict", "b.txt", 0, 9, 1, 0.93),
    ),
    (Finding("C02", "no", "Closed."), ev.QuoteChecked("ambiguous", "b.txt", 0, 7, 1, places=3)),
    (Finding("D01\0", "+1", "\ud800", "@a", "seen\r=1+1"), None),
)


def view() -> RunView:
    bodies = [("run", None, ev.RunStarted(Task("?", "c")))]
    for number, (finding, checked) in enumerate(RECORDED, 1):
        bodies.append((f"r{number}", "run", ev.FindingRecorded(finding)))
        bodies += [(f"r{number}", "run", checked)] if checked else []
    bodies.append(("run", None, ev.RunFinished("answered", Answer("Two."))))
    return fold(stamped(bodies, run="r1"))


def test_each_finding_has_its_verdict_place_and_earlier_labels():
    rows = findings_of(view(), lambda document, char: "page 2" if document == "a.pdf" else None, {"r2": "before"})
    assert [row["item"] for row in rows] == ["A12", "B07", "C02", "D01\0"]
    assert rows[0] == {
        "item": "A12",
        "label": "yes",
        "verdict": "exact",
        "proven": True,
        "quote": "Dripped again.",
        "document": "a.pdf",
        "unit": "page 2",
        "line": 3,
        "start": 5,
        "end": 19,
        "score": None,
        "places": None,
        "shown": "before",
        "source": "a.pdf, page 2",
        "note": "seen",
        "earlier_labels": ["no"],
    }
    assert json.loads(to_json(rows)) == rows
    assert [row["shown"] for row in rows[1:]] == [None, None, None], "of these nobody has looked"
    assert [(row["verdict"], row["proven"], row["score"], row["places"]) for row in rows[1:]] == [
        ("conflict", False, 0.93, None),
        ("ambiguous", False, None, 3),
        (None, False, None, None),
    ]


def test_a_table_has_a_line_for_each_finding_and_runs_nothing():
    head, *lines = csv.reader(io.StringIO(to_csv(findings_of(view())), newline=""))
    assert tuple(head) == COLUMNS
    rows = [dict(zip(head, line, strict=True)) for line in lines]
    assert rows[0] | {"unit": "", "line": "3", "proven": "true", "earlier_labels": "no"} == rows[0]
    assert (rows[1]["label"], rows[1]["note"], rows[1]["quote"]) == (
        f"'{HOSTILE}",
        "'-5 degrees",
        "no leak, since\n2022",
    )
    assert (rows[3]["item"], rows[3]["label"], rows[3]["quote"], rows[3]["source"]) == ("D01\ufffd", "'+1", "?", "'@a")
    assert rows[3]["note"] == "seen\r=1+1"
    assert not any(cell.startswith(("=", "+", "-", "@")) for line in lines for cell in line)


def test_what_speaks_against_a_finding_is_said_in_words_and_counted():
    said = answer_in_words(view())
    assert "1 item recorded with several labels):" in said
    assert "[first recorded as no]" in said
    assert "[no proven quote]" in said
    assert "[its words stand in several places]" in said
    assert doubts("exact") == doubts("normalised") == []
    assert doubts("fuzzy", ["no", "unknown"]) == ["no proven quote", "first recorded as no, then unknown"]


def test_ten_thousand_findings_are_exported():
    bodies = [("run", None, ev.RunStarted(Task("?", "c")))]
    for number in range(10_000):
        bodies.append((f"r{number}", "run", ev.FindingRecorded(Finding(f"i{number % 5_000}", str(number), "q" * 100))))
    rows = findings_of(fold(stamped(bodies, run="r1")))
    assert len(rows) == 5_000
    assert to_csv(rows).count("\n") == 5_001
