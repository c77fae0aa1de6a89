"""The coverage view of a run: what was never shown comes first, then a strip for each document."""

from __future__ import annotations

import json
from typing import Any

import covered_runs
import pytest
import written_runs
from covered_runs import CALL, CELL, FINDING, MINUTES, PRINTED, QUOTE, REPORT, SLICE, START
from shown import markdown, texts
from streamlit.testing.v1 import AppTest

from app import strips
from app.backend import Covered
from app.components import coverage_words as words
from app.components.coverage_table import rows as table_rows
from app.components.seers import seers, spans_of
from rlm_core.corpus.corpus import Corpus
from rlm_core.evidence.coverage import Coverage, Read
from rlm_core.store.store import Store
from rlm_core.view import fold


def parts(page: AppTest, name: str) -> list[Any]:
    """What the components of coverage are sent under a name, all together."""
    found = [json.loads(each.proto.json) for each in page.get("bidi_component")]
    return [entry for each in found if "never" in each and not each["form"] for entry in each[name]]


def of_document(page: AppTest, path: str) -> dict[str, Any]:
    return next(each for each in parts(page, "rows") if each["path"] == path)


@pytest.fixture
def run(home) -> str:
    return covered_runs.covered(home)


@pytest.fixture
def known(home, run) -> tuple[Covered, Any]:
    """What the run was shown, and its view."""
    store = Store.open(home)
    view = fold(store.events(run))
    corpus = Corpus.open(home / "corpora" / view.task.corpus)
    found = [
        Read(each.span, each.document, each.start, each.end, each.how, each.ambiguous) for each in store.reads(run)
    ]
    store.close()
    coverage = Coverage([each.chars for each in corpus.documents], found)
    return Covered(corpus.documents, coverage, frozenset({"f1.t1.c1"})), view


def test_what_no_model_was_shown_comes_first_with_its_place_and_its_size(opened, run):
    page = opened("run", run=run, view="Coverage")
    never = parts(page, "never")
    assert [(each["path"], each["where"], each["chars"]) for each in never] == [
        ("mail/minutes.txt", "whole document", f"{len(MINUTES):,}"),
        ("reports/05.txt", "lines 53–105", "1,000"),
    ]
    assert never[0]["begins"].startswith("Minutes of the meeting.")
    chars = sum(map(len, covered_runs.FILES.values()))
    assert f"{len(MINUTES) + 1000:,} characters" in markdown(page)
    shown = chars - len(MINUTES) - 1000
    assert f"{round(100 * shown / chars)} % of the archive was shown to a model" in markdown(page).replace("\\", "")


def test_each_document_has_a_strip_with_what_was_printed_sent_cited_and_never_shown(opened, run):
    page = opened("run", run=run, view="Coverage")
    report = of_document(page, "reports/05.txt")
    chars = len(REPORT)
    assert report["chars"] == f"{chars:,}"
    assert report["width"] == 100
    assert report["layers"] == {
        "helper": [[round(10_000 * SLICE[0] / chars), 10_000 - round(10_000 * SLICE[0] / chars)]],
        "root": [[0, round(10_000 * PRINTED[1] / chars)]],
    }
    assert report["cited"] == [strips.at(START + len(QUOTE) // 2, chars)]
    assert [stop["says"] for stop in report["stops"]] == ["never shown: 1,000 characters", "cited: A12: yes"]
    minutes, notes = of_document(page, "mail/minutes.txt"), of_document(page, "notes.txt")
    assert minutes["never"] == [[0, 10_000]]
    assert minutes["layers"] == {}
    assert notes["layers"] == {"root unsure": [[0, 10_000]]}
    assert [name for name, _ in parts(page, "legend")] == [
        "root",
        "helper",
        "root unsure",
        "cited",
        "never",
        "count",
    ]
    assert ["count", "3 documents, 1 of them cited, 1 never read"] in parts(page, "legend")


def test_documents_are_narrowed_to_the_cited_ones_with_a_count(opened, run):
    page = opened("run", run=run, view="Coverage", documents="cited")
    assert [each["path"] for each in parts(page, "rows")] == ["reports/05.txt"]
    assert ["count", "1 of 3 documents are cited"] in parts(page, "legend")
    page = opened("run", run=run, view="Coverage", documents="cited", sorted="largest first", node="f1.t1.c1")
    assert [each["path"] for each in parts(page, "rows")] == ["reports/05.txt", "notes.txt"], (
        "what is selected is shown"
    )


def test_a_place_of_the_address_is_ringed_and_lists_who_was_shown_it(opened, run):
    page = opened("run", run=run, view="Coverage", document="reports/05.txt", char=str(START))
    chosen = of_document(page, "reports/05.txt")["chosen"]
    assert chosen == [strips.at(SLICE[0], len(REPORT)), 10_000]
    assert "Who was shown lines 106–132" in markdown(page).replace("\\", "").replace("&ndash;", "–")
    assert f"to-seer-{CALL}" in [each.key for each in page.button]
    page.button(key=f"to-seer-{CALL}").click().run()
    assert page.query_params["node"] in (CALL, [CALL])
    assert "document" not in page.query_params


def test_a_place_that_nobody_was_shown_says_so(opened, run):
    page = opened("run", run=run, view="Coverage", document="mail/minutes.txt", char="40")
    assert "No model was shown any of it." in markdown(page)
    assert "never shown" in markdown(page).replace("\\", "")


def test_a_place_of_a_document_that_is_not_there_is_told(opened, run):
    assert "no single document gone.txt" in texts(opened("run", run=run, view="Coverage", document="gone.txt"))


def test_a_selected_finding_shows_its_deciding_words_and_who_was_shown_them(opened, run):
    page = opened("run", run=run, view="Coverage", node=FINDING)
    excerpt = next(
        data
        for each in page.get("bidi_component")
        if "lines" in (data := json.loads(each.proto.json)) and "where" in data
    )
    marked = [text for line in excerpt["lines"] for text, names in line["pieces"] if names == "quote"]
    assert marked == [QUOTE]
    assert f"to-seer-{CALL}" in [each.key for each in page.button]
    assert of_document(page, "reports/05.txt")["chosen"] == [
        strips.at(START, len(REPORT)),
        strips.at(START + len(QUOTE), len(REPORT)),
    ]


def test_what_a_selected_node_was_shown_is_marked_and_named(opened, run):
    page = opened("run", run=run, view="Coverage", node=CALL)
    assert of_document(page, "reports/05.txt")["mine"] == [
        [strips.at(SLICE[0], len(REPORT)), 10_000 - strips.at(SLICE[0], len(REPORT))]
    ]
    assert any(name == "mine" for name, _ in parts(page, "legend"))
    assert "About these passages" in markdown(page)
    (link,) = [each.proto for each in page.get("page_link") if f"shown_to={CALL}" in each.proto.query_string]
    assert link.label.replace("\\", "").startswith("reports/05.txt :gray[lines 106–132")
    page.session_state[f"tabs-call-{'-'.join(each.label for each in page.tabs)}"] = page.tabs[-2].label
    said = markdown(page.run()).replace("\\", "")
    assert "Shown to it" in said
    assert f"{SLICE[1] - SLICE[0]:,} characters of 1 document" in said


def test_a_run_without_its_archive_says_so(opened, home):
    page = opened("run", run=written_runs.answered(home), view="Coverage")
    assert "no longer in the data folder" in texts(page)
    assert "About these passages" not in markdown(opened("run", run="answered-1", node="f1.t2.c1.k1"))


def test_a_run_that_nobody_looked_at_is_looked_at_when_it_is_opened(opened, home):
    page = opened("run", run=covered_runs.shown_in_prompts(home), view="Coverage")
    report = of_document(page, "reports/05.txt")
    assert [name for name in report["layers"] if name.startswith("helper")]
    assert sum(width for marks in report["layers"].values() for _, width in marks) > 9_800
    assert len(report["cited"]) == 1
    assert [each["path"] for each in parts(page, "never")] == ["mail/minutes.txt", "notes.txt"]


def test_of_a_base_run_it_is_said_what_fell_outside_the_window(opened, home):
    page = opened("run", run=covered_runs.covered(home, strategy="base"), view="Coverage")
    assert "**Fell outside the window**" in markdown(page)


def test_seers_say_whether_they_saw_all_a_part_or_the_quote_only(known):
    covered, view = known
    place, quote = SLICE, (START, START + len(QUOTE))
    document = covered.documents[2].index
    found, many = seers(view, covered, document, place, quote, {CALL: "A12"}, 6)
    assert [(each.span, each.kind, each.title, each.where, each.how_much) for each in found] == [
        (CALL, "call", "A12", "cell 2", "all of it")
    ]
    assert many == 1
    (cell,), _ = seers(view, covered, document, (0, 2000), quote, {}, 6)
    assert (cell.span, cell.title, cell.how_much) == ("f1.t1.c1", "cell 1", "50 %, without the quote")
    notes = covered.documents[1].index
    (unsure,), _ = seers(view, covered, notes, (0, 17), None, {}, 6)
    assert unsure.how_much == "perhaps: the same text stands elsewhere too"
    more = Coverage(covered.coverage.document_chars, [*covered.coverage.reads, Read(CELL, document, *quote, "printed")])
    found, _ = seers(view, Covered(covered.documents, more), document, place, quote, {CALL: "A12"}, 6)
    assert [each.how_much for each in found] == ["all of it", "the quote only"]


def test_a_turn_was_shown_what_its_cells_printed_and_a_frame_all_that_is_in_it(known):
    _, view = known
    assert spans_of(view, ["f1.t2"]) == ["f1.t2.k1", CELL]
    assert spans_of(view, ["f1.t2.k1"]) == ["f1.t2.k1", CELL], "the call that wrote a turn is the turn"
    assert CALL in spans_of(view, ["f1"])
    assert spans_of(view, [CALL, "gone"]) == [CALL]


def test_a_place_is_the_smallest_piece_that_was_shown_or_the_gap(known):
    covered, _ = known
    assert covered.place_around(2, START) == SLICE
    assert covered.place_around(2, 10) == PRINTED
    assert covered.place_around(2, 1500) == (1001, 2001)
    assert covered.place_around(0, 5) == (0, len(MINUTES))


def test_the_table_has_a_row_for_each_document(known):
    covered, _ = known
    assert [each["Never shown"] for each in table_rows(covered, "")] == [f"{len(MINUTES):,}", "0", "1,000"]
    assert table_rows(covered, "reports/")[2]["Document"] == "05.txt"
    assert [each["To the root"] for each in table_rows(covered, "")] == ["0", "17", "1,001"]


def test_many_pieces_become_marks_as_wide_as_their_share():
    spans = [(at, at + 30) for at in range(0, 1_000_000, 40)]
    drawn = strips.marks(spans, 1_000_000)
    assert len(drawn) <= strips.BINS
    assert sum(width for _, width in drawn) == pytest.approx(7_500, rel=0.1)
    assert strips.marks([(0, 10)], 0) == []
    assert strips.marks([(5, 6)], 10_000_000) == [(0, 1)], "what was shown is never drawn as nothing"


def test_a_small_document_that_was_never_read_comes_before_a_large_gap_in_another(known):
    covered, _ = known
    report = len(covered.documents) - 1
    seen = Coverage(covered.coverage.document_chars, [Read("c", report, 0, 10, "sent")])
    gaps = Covered(covered.documents, seen, large_gap_chars=10).gaps
    assert [(gap.document, gap.whole) for gap in gaps] == [(0, True), (1, True), (report, False)]
    assert gaps[1].chars < gaps[2].chars


def test_what_is_said_of_an_archive_with_nothing_and_with_everything_shown(known):
    covered, _ = known
    nothing = Covered(covered.documents, Coverage(covered.coverage.document_chars, ()))
    assert words.headline(nothing) == "Nothing of the archive was shown to a model"
    every = [Read("c", number, 0, each.chars, "sent") for number, each in enumerate(covered.documents)]
    whole = Covered(covered.documents, Coverage(covered.coverage.document_chars, every))
    assert words.headline(whole).startswith("100 % ")
    assert whole.gaps == ()
    assert words.headline(Covered((), Coverage((), ()))) == "Nothing: the archive has no text"
