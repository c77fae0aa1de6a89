"""The list of findings beside a document, as data: narrowed, cut around the chosen one, and in order."""

from __future__ import annotations

import json

from app.backend import EvidenceRow
from app.components.finding_list import LISTED, beside, data, narrowed
from app.components.findings import labels_telling_first
from app.evidence_place import EvidencePlace


def rows(count: int) -> list[EvidenceRow]:
    return [
        EvidenceRow(f"room {number}", "yes" if number % 2 else "no", "q", "s", "", None, span=f"r{number}")
        for number in range(count)
    ]


def test_of_very_many_findings_those_around_the_chosen_one_are_sent_with_a_count():
    many = rows(10_000)
    shown = data(many, EvidencePlace(), "r5000")
    assert len(shown["rows"]) == LISTED
    assert "r5000" in [row["span"] for row in shown["rows"]]
    assert shown["count"] == "10,000 of 10,000"
    assert shown["cut"].startswith("400 of 10,000 are listed here")
    assert [row["span"] for row in data(many, EvidencePlace(), "r9999")["rows"]][-1] == "r9999"
    assert len(json.dumps(shown)) < 100_000


def test_the_list_is_narrowed_by_label_verdict_and_item_and_says_how_many_are_left():
    place = EvidencePlace(label="yes", item="ROOM 1")
    left = narrowed(rows(20), place)
    assert [each.item for each in left] == [f"room {number}" for number in (1, 11, 13, 15, 17, 19)]
    shown = data(rows(20), place, None)
    assert shown["count"] == "6 of 20"
    assert [(each["words"], each["count"], each["on"]) for each in shown["filters"]] == [
        ("all", "", False),
        ("yes", "10", True),
        ("no", "10", False),
    ]
    assert narrowed(rows(4), EvidencePlace(verdict="not checked")) == rows(4)
    assert narrowed(rows(4), EvidencePlace(verdict="exact")) == []


def test_beside_a_finding_that_is_not_listed_is_the_first():
    three = rows(3)
    assert beside(three, three[1]) == ("r0", "r2")
    assert beside(three, None) == (None, "r0")
    assert beside([], three[0]) == (None, None)


def test_a_label_that_tells_more_is_offered_first():
    found = labels_telling_first([("no", 9), ("unknown", 5), ("damp", 4), ("yes", 2)])
    assert found == [("yes", 2), ("damp", 4), ("unknown", 5), ("no", 9)]
