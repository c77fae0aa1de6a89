"""The source reader says which lines were shown to whom, and to which page they belong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import covered_runs
import pytest
from covered_runs import CALL, QUOTE, REPORT, SLICE
from streamlit.testing.v1 import AppTest
from written_runs import QUESTION, Writer

from app import strips
from app.backend import OpenDocument
from app.components import place_words
from app.components.source_reader import data, units_in
from rlm_core.corpus.corpus import Corpus, CorpusWriter, Document
from rlm_core.corpus.report import IngestReport
from rlm_core.corpus.units import Unit, Units
from rlm_core.evidence.windows import Line, Window
from rlm_core.store.store import Store
from rlm_core.task import Task

PAGE_LINES = 30


def reader(page: AppTest) -> dict[str, Any]:
    found = [json.loads(each.proto.json) for each in page.get("bidi_component")]
    return next(each for each in found if "strip" in each)


def shown(page: AppTest) -> dict[str, list[int]]:
    marks: dict[str, list[int]] = {}
    for line in reader(page)["lines"]:
        if line["shown"]:
            marks.setdefault(line["shown"], []).append(line["number"])
    return marks


@pytest.fixture
def paged(home: Path) -> str:
    """A run over a document of four pages."""
    pages = ["".join(f"page {page} line {number}\n" for number in range(PAGE_LINES)) for page in "1234"]
    starts = [sum(map(len, pages[:number])) for number in range(5)]
    units = Units("page", tuple(Unit(str(n + 1), starts[n], starts[n + 1] - 1) for n in range(4)))
    folder = home / "corpora" / "new"
    folder.mkdir(parents=True)
    writer = CorpusWriter(folder)
    writer.add("survey.pdf", "pdf", "".join(pages), units)
    corpus = writer.finish("survey", home / "corpora", IngestReport(()))
    store = Store.open(home)
    store.add_corpus(corpus.id, corpus.name, None, corpus.report().to_dict(), len(corpus.documents), corpus.chars)
    store.close()
    with Writer(home, "run-1", Task(QUESTION, corpus.id)) as life:
        life.turn()
        life.finish()
    return "run-1"


def test_lines_that_the_deciding_call_was_shown_have_a_rule_and_others_say_if_nobody_was(opened, home):
    page = opened("evidence", run=covered_runs.covered(home), shown_to=CALL)
    first = REPORT.count("\n", 0, SLICE[0]) + 1
    assert shown(page)["mine"] == list(range(first, 133))
    assert "never" in shown(page)
    assert max(shown(page)["never"]) < first
    legend = dict(reader(page)["legend"])
    assert legend["mine"] == f"shown to call 1 of cell 2: lines {first}–132"
    assert legend["never"] == "never shown to any model"
    assert set(reader(page)["strip"]) == {"helper", "root", "never"}


def test_the_strip_of_a_document_is_explained_and_shows_where_it_is_cited(opened, home):
    sent = reader(opened("evidence", run=covered_runs.covered(home), document="reports/05.txt", line="131"))
    assert sent["legend"] == [
        ["root", "shown to the root"],
        ["helper", "shown to a helper"],
        ["never", "never shown to any model"],
        ["cited", "cited"],
    ]
    (at,) = sent["cited"]
    assert at / 10_000 == pytest.approx((131 - 1) / 132, abs=0.002)
    notes = reader(opened("evidence", run="run-1", document="notes.txt", line="1"))
    assert notes["legend"] == [["root unsure", "perhaps: stands elsewhere too"]]
    assert notes["cited"] == []


def test_where_it_is_not_known_what_was_shown_nothing_is_claimed():
    window = Window((Line(1, 0, "Dry."),), 1, 1, 4)
    sent = data(OpenDocument("a.txt", window, quote=(0, 3)), "", "", "")
    assert [line["shown"] for line in sent["lines"]] == [""]
    assert sent["strip"] == {}
    assert [name for name, _ in sent["legend"]] == ["quote"]


def test_pages_are_headings_in_the_text_and_can_be_jumped_to(opened, paged):
    page = opened("evidence", run=paged, document="survey.pdf", unit="3")
    sent = reader(page)
    assert sent["line"] == 2 * PAGE_LINES + 1
    headings = {line["number"]: line["unit"] for line in sent["lines"] if line["unit"]}
    assert headings == {1: "page 1", 31: "page 2", 61: "page 3", 91: "page 4"}
    assert sent["units"] == {"kind": "page", "many": 4, "labels": ["1", "2", "3", "4"]}
    page = opened("evidence", run=paged, document="survey.pdf", line="115")
    assert reader(page)["unit"] == "page 2", "the window begins within it"
    page = opened("evidence", run=paged, document="survey.pdf", unit="99")
    assert reader(page)["notice"] == "This document has no page 99."


def test_a_document_without_parts_offers_no_jump(opened, home):
    page = opened("evidence", run=covered_runs.covered(home))
    assert reader(page)["units"] is None
    assert reader(page)["unit"] == ""


def test_many_small_units_that_begin_in_one_line_are_counted():
    units = Units("paragraph", tuple(Unit(str(number), number * 10, number * 10 + 9) for number in range(20)))
    assert units_in(units, Line(1, 0, "x" * 60)) == "paragraph 0, paragraph 1, paragraph 2, and 4 more"
    assert units_in(units, Line(2, 61, "x" * 5)) == ""
    assert units_in(None, Line(1, 0, "")) == ""


def test_a_place_over_two_pages_names_both(home):
    units = Units("page", (Unit("1", 0, 50), Unit("2", 51, 90)))
    document = Document(0, "a.pdf", "pdf", 0, 90, 90, 9, units)
    assert place_words.unit(document, 60) == "page 2"
    assert place_words.unit(document, 50) == "", "between units"


def test_a_strip_by_lines_lies_where_the_lines_do():
    """Long lines first: half of the characters are in a tenth of the lines."""
    lengths = [900] * 100 + [100] * 900
    starts = [0]
    for each in lengths:
        starts.append(starts[-1] + each)
    chars = starts[-1]
    line_of = [number + 1 for number, each in enumerate(lengths) for _ in range(each)]
    ruler = [line_of[chars * place // strips.RULER] for place in range(strips.RULER)] + [1001]
    ((start, width),) = strips.by_line([(starts[100], chars)], chars, ruler, 1000)
    assert start == pytest.approx(1_000, abs=25)
    assert start + width == 10_000
    assert strips.by_line([(0, 50)], 100, (), 3) == [(0, 5_000)], "few lines are divided by characters"


def test_the_corpus_of_the_tests_is_what_it_says(home):
    corpus = covered_runs.archive(home)
    assert Corpus.open(home / "corpora" / corpus.id).text(2) == REPORT
    assert QUOTE in REPORT
