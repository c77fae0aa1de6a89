"""The page that opens each quote of a run in its document, in the states that findings, quotes and archives can be in."""

from __future__ import annotations

import json
import re
from pathlib import Path
from shutil import rmtree
from typing import Any
from urllib.parse import parse_qsl

import pytest
import written_runs
from shown import markdown, texts
from streamlit.testing.v1 import AppTest
from written_runs import HOSTILE, Writer

from app.components.source_reader import pieces
from rlm_core import events as ev
from rlm_core.corpus.ingest import Source
from rlm_core.evidence.windows import Line
from rlm_core.jobs.asking import load_archive
from rlm_core.looks.verdicts import counts_in_words, told
from rlm_core.store.store import Store
from rlm_core.task import Finding, Task
from rlm_core.wording import VERDICTS

QUOTE = "Dripped again after heavy rain, same beam."
REPORT = "".join(f"{number:02} Mar 2022   Dry.\n" for number in range(1, 131)) + f"09 Nov 2022   {QUOTE}\nClosed.\n"
START = REPORT.index(QUOTE)
PLACED = ev.QuoteChecked("exact", "reports/05.txt", START, START + len(QUOTE), 131)
FINDINGS = (
    (Finding("B07", "no", "Stain is old and dry.", "reports/05.txt:2"), ev.QuoteChecked("not found")),
    (Finding("C02", "unknown", source="the archive"), ev.QuoteChecked("no quote")),
    (Finding("A12", "yes", QUOTE, "reports/05.txt:131", "seen twice"), PLACED),
    (Finding("D01", "no", "Stain is old and dry.", "nowhere.txt"), None),
)


def written(home: Path, files: dict[str, str], findings: tuple[Any, ...] = FINDINGS, run: str = "run-1") -> str:
    """A run with findings, of an archive that is there."""
    store = Store.open(home)
    sources = [Source(name, content.encode()) for name, content in files.items()]
    corpus, _ = load_archive(store, sources, name="reports")
    store.close()
    with Writer(home, run, Task(written_runs.QUESTION, corpus.id)) as life:
        life.turn(findings=findings)
        life.finish()
    return run


@pytest.fixture
def run(home: Path) -> str:
    return written(home, {"reports/05.txt": REPORT, "notes.txt": "nothing\n"})


def components(page: AppTest, field: str) -> list[dict[str, Any]]:
    found = [json.loads(each.proto.json) for each in page.get("bidi_component")]
    return [each for each in found if field in each]


def reader(page: AppTest) -> dict[str, Any]:
    return components(page, "lines")[0]


def listed(page: AppTest) -> dict[str, Any]:
    return components(page, "rows")[0]


def marked(page: AppTest, name: str = "quote") -> list[tuple[int, str]]:
    return [
        (line["number"], text)
        for line in reader(page)["lines"]
        for text, marks in line["pieces"]
        if name in marks.split()
    ]


def test_without_any_run_the_page_says_what_to_do(opened):
    page = opened("evidence")
    assert page.header[0].value == "No run yet"
    assert page.get("page_link")[0].value == "Ask a question"


def test_an_address_of_a_run_that_is_not_there_says_so(opened, run):
    page = opened("evidence", run="gone-1")
    assert page.header[0].value == "This run is not here"
    assert "gone-1" in texts(page)


def test_a_run_without_findings_says_so_and_what_to_do(opened, home):
    page = opened("evidence", run=written_runs.ended(home, "failed", "No key."))
    assert "This run has recorded no findings" in texts(page)
    assert "Ask a question" in [link.value for link in page.get("page_link")]
    assert components(page, "lines") == components(page, "rows") == []


def test_a_run_under_way_says_that_findings_will_show(opened, home):
    with written_runs.running(home):
        assert "No findings yet" in texts(opened("evidence", run="running-1"))


def test_the_first_finding_that_has_a_place_is_open_at_its_quote(opened, run):
    page = opened("evidence", run=run)
    assert marked(page) == [(131, QUOTE)]
    shown = reader(page)
    assert (shown["path"], shown["line"], shown["total"]) == ("reports/05.txt", 131, 132)
    assert shown["facts"] == f"{len(REPORT):,} characters, 132 lines"
    assert ["quote", f"characters {START + 1:,}–{START + len(QUOTE):,}"] in shown["legend"]
    assert shown["quote_at"] == pytest.approx(130 / 132, abs=0.01)
    assert [row["item"] for row in listed(page)["rows"]] == ["A12", "C02", "B07", "D01"]
    assert listed(page)["chosen"] == "f1.t1.c1.r3"
    assert f"“{QUOTE}”" in texts(page)
    assert "reports/05.txt line 131, characters" in texts(page)
    assert "Note: seen twice" in texts(page)
    assert "letter for letter" in markdown(page)
    assert "run=run-1&node=f1.t1.c1.r3" in [
        link.proto.query_string for link in page.get("page_link") if link.value == "Show in the run"
    ]


def test_the_finding_that_is_open_is_in_the_address_and_one_that_is_not_there_is_told(opened, run):
    assert opened("evidence", run=run).query_params["finding"] == "f1.t1.c1.r3"
    page = opened("evidence", run=run, finding="f9")
    assert "a finding that this run does not have" in markdown(page)
    assert listed(page)["chosen"] == "f1.t1.c1.r3"


def test_the_quotes_are_counted_by_what_became_of_them(opened, run):
    said = markdown(opened("evidence", run=run)).replace("\xa0", " ")
    for words in ("2 quotes checked", "✓ 1 exact", "✕ 1 not found", "1 without a quote", "1 not checked"):
        assert words in said


def test_a_quote_that_was_not_found_is_open_where_the_model_says_it_stands(opened, run):
    page = opened("evidence", run=run, finding="f1.t1.c1.r1")
    assert marked(page) == []
    assert (reader(page)["path"], reader(page)["line"]) == ("reports/05.txt", 2)
    assert "This is the place that the model named" in reader(page)["notice"]
    assert "The model names reports/05.txt:2." in texts(page)
    assert "Do not rely on this finding" in markdown(page)


def test_a_finding_without_any_place_says_so(opened, run):
    page = opened("evidence", run=run, finding="f1.t1.c1.r4")
    assert components(page, "lines") == []
    assert "nowhere.txt. That is no document of the archive" in texts(page)
    assert "Nobody has looked for this quote" in markdown(page)


def test_an_archive_that_was_deleted_is_told_and_the_quote_still_shows(opened, home):
    page = opened("evidence", run=written_runs.answered(home))
    assert components(page, "lines") == []
    assert "The archive of this run is no longer in the data folder" in texts(page)
    assert "Upload the same files again" in texts(page)
    assert f"“{QUOTE}”" in texts(page)
    assert len(listed(page)["rows"]) == 3


def test_an_archive_whose_files_are_gone_is_told(opened, home, run):
    assert marked(opened("evidence", run=run))
    for folder in home.glob("corpora/*"):
        rmtree(folder)
    page = opened("evidence", run=run)
    assert components(page, "lines") == []
    assert "is not there or is damaged" in texts(page)


def test_a_document_can_be_opened_at_a_line_without_a_finding(opened, run):
    page = opened("evidence", run=run, document="05.txt", line="100")
    assert (reader(page)["line"], marked(page)) == (100, [])
    assert listed(page)["chosen"] is None
    assert "A place in a document" in markdown(page)
    page = opened("evidence", run=run, document="gone.txt")
    assert "no single document gone.txt" in texts(page)


def links_to(page: AppTest, label: str) -> dict[str, str]:
    (link,) = [each for each in page.get("page_link") if each.value == label]
    return dict(parse_qsl(link.proto.query_string))


def answered(home: Path) -> str:
    """A run whose answer quotes, and whose code recorded nothing."""
    store = Store.open(home)
    corpus, _ = load_archive(store, [Source("reports/05.txt", REPORT.encode())], name="reports")
    store.close()
    with Writer(home, "base-1", Task(written_runs.QUESTION, corpus.id, "base")) as life:
        life.finish(answer=f'1 room.\n\nA12 | yes | "{QUOTE}" | reports/05.txt:131')
    return "base-1"


def test_a_quote_of_an_answer_is_marked_at_its_place_and_told_as_what_it_is(opened, home):
    at = {"document": "reports/05.txt", "start": str(START), "end": str(START + len(QUOTE))}
    page = opened("evidence", run=answered(home), line="131", **at, runs="rlm-1,base-1", show="differ")
    assert marked(page) == [(131, QUOTE)]
    assert (reader(page)["line"], reader(page)["quote_at"]) == (131, pytest.approx(130 / 132, abs=0.01))
    assert components(page, "rows") == []
    assert "Quoted in the answer of this run" in markdown(page)
    assert "**A12** :yellow-badge[yes]" in markdown(page)
    assert f"“{QUOTE}”" in texts(page)
    assert "the code of this run recorded no items" in markdown(page)
    assert [button.label for button in page.button] == []
    assert links_to(page, "Back to the comparison") == {"runs": "rlm-1,base-1", "show": "differ"}
    assert links_to(page, "Back to the run") == {"run": "base-1", "with": "rlm-1"}
    assert links_to(page, "Show in the run") == {"run": "base-1", "with": "rlm-1"}


def test_a_place_that_no_answer_quotes_is_not_said_to_be_quoted(opened, home):
    run = answered(home)
    page = opened("evidence", run=run, document="reports/05.txt", start="0", end="11")
    assert [text for _, text in marked(page)] == ["01 Mar 2022"]
    assert "A place in a document" in markdown(page)
    assert "Quoted in the answer" not in markdown(page)
    assert "“01 Mar 2022”" in texts(page)
    for start, end in (("7", "3"), ("0", "999999"), ("x", "4"), ("-1", "4"), ("5", "9" * 50)):
        assert marked(opened("evidence", run=run, document="reports/05.txt", start=start, end=end)) == []


def test_the_way_back_keeps_the_finding_the_view_and_what_was_started_with_the_run(opened, run):
    page = opened("evidence", run=run, finding="f1.t1.c1.r1", view="Reader", **{"with": "other-1"})
    back = {"run": run, "with": "other-1", "node": "f1.t1.c1.r1", "view": "Reader"}
    assert links_to(page, "Back to the run") == back
    assert links_to(page, "Show in the run") == back
    assert "Back to the comparison" not in [each.value for each in page.get("page_link")]
    page.button(key="evidence-Next").click().run()
    assert links_to(page, "Back to the run")["view"] == "Reader"
    assert links_to(page, "Back to the run")["with"] == "other-1"


def test_the_links_of_a_run_to_its_evidence_know_the_way_back(opened, run):
    left = {
        "node": "f1.t1.c1.r3",
        "view": "Reader",
        "open": "f1.t1.c1.g1:5-20",
        "only": "cited",
        "find": "dry",
        "hit": "2",
    }
    page = opened("run", run=run, **left, **{"with": "other-1"})
    to = links_to(page, "Show in document")
    assert {name: to[name] for name in ("run", "finding", "with", "view", "sought")} == {
        "run": run,
        "finding": "f1.t1.c1.r3",
        "with": "other-1",
        "view": "Reader",
        "sought": "dry",
    }
    assert "find" not in to
    assert links_to(opened("evidence", **to), "Back to the run") == {"run": run, "with": "other-1", **left}


@pytest.mark.parametrize(("line", "shown"), [("2", 2), ("99999", 132), ("9" * 5000, 131), ("x", 131), ("0", 131)])
def test_the_line_of_the_address_is_shown_whatever_it_is(opened, run, line, shown):
    assert reader(opened("evidence", run=run, line=line))["line"] == shown


def test_words_are_found_in_the_document_and_the_quote_stays_marked(opened, run):
    page = opened("evidence", run=run, find="DRY", hit="130")
    assert marked(page, "hit") == [(130, "Dry")]
    assert marked(page) == [(131, QUOTE)]
    assert reader(page)["found"] == "130 of 130"
    page = opened("evidence", run=run, find="again after")
    assert marked(page, "hit") == [(131, "again after")]
    assert reader(opened("evidence", run=run, find="dry", line="9"))["found"] == "130 found"
    assert reader(opened("evidence", run=run, find="dessert"))["found"] == "not in this document"


def test_next_and_previous_follow_the_narrowed_list(opened, run):
    page = opened("evidence", run=run, label="no", line="5")
    page.button(key="evidence-Next").click().run()
    assert page.query_params["finding"] == "f1.t1.c1.r1"
    assert "line" not in page.query_params
    assert page.button(key="evidence-Previous").disabled
    page.button(key="evidence-Next").click().run()
    assert listed(page)["chosen"] == "f1.t1.c1.r4"
    assert page.button(key="evidence-Next").disabled


def test_a_finding_that_was_corrected_is_not_listed_but_can_be_looked_at(opened, home):
    findings = ((Finding("A12", "no", QUOTE), PLACED), (Finding("A12", "yes", QUOTE), PLACED))
    run = written(home, {"reports/05.txt": REPORT}, findings)
    page = opened("evidence", run=run, finding="f1.t1.c1.r1")
    assert [row["label"] for row in listed(page)["rows"]] == ["yes"]
    assert marked(page) == [(131, QUOTE)]
    assert "another label, which stands instead" in markdown(page)


def test_offsets_that_lie_outside_the_document_do_no_harm(opened, home):
    checked = ev.QuoteChecked("exact", "a.txt", 10**9, -5, -7)
    run = written(home, {"a.txt": "one\ntwo\n"}, ((Finding("A", "yes", "two"), checked),))
    assert [line["number"] for line in reader(opened("evidence", run=run))["lines"]] == [1, 2]


def test_hostile_text_is_shown_as_text_and_nowhere_read_as_markdown(opened, home):
    text = HOSTILE.replace("\x00", "\x01")
    finding = Finding(HOSTILE, HOSTILE, text, HOSTILE, HOSTILE)
    checked = ev.QuoteChecked("exact", "a.txt", 5, 5 + len(text), 2)
    run = written(home, {"a.txt": f"line\n{text}\n{'x' * 1_000_000}"}, ((finding, checked),))
    page = opened("evidence", run=run, label=HOSTILE, find=HOSTILE, item=HOSTILE[:10], document=HOSTILE)
    page = opened("evidence", run=run)
    visible = text.replace("\x1b", "␛").replace("\u202e", "<U+202E>").replace("\x01", "␁")
    assert marked(page) == [(2, visible)]
    assert f"“{visible}”" in texts(page)
    assert reader(page)["lines"][2]["after"] == "999,000 characters are left out"
    assert listed(page)["rows"][0]["item"].startswith("<script>alert(1)</script> ![x](http")
    read_as_markdown = re.sub(r"\\.", "", markdown(page))  # without what is escaped
    for danger in ("<script", "](http", "**bold", "$x", "\x1b", "\u202e"):
        assert danger not in read_as_markdown, danger
    for shown in components(page, "lines") + components(page, "rows"):
        assert not re.search(
            "[\x00-\x08\x1b\u202e]", json.dumps(shown["rows" if "rows" in shown else "lines"], ensure_ascii=False)
        )


def test_every_verdict_has_words_and_a_meaning():
    for verdict in (*VERDICTS, None):
        assert told(verdict).words
        assert told(verdict).means.endswith((".", "!"))
    assert counts_in_words([]) == [("0 quotes checked", "gray")]


def test_marks_that_overlap_are_cut_into_pieces_that_lose_nothing():
    line = Line(3, 100, "one two three")
    found = list(pieces(line, (("quote", (90, 107)), ("hit", (104, 113)))))
    assert found == [("one ", "quote"), ("two", "quote hit"), (" three", "hit")]
    assert list(pieces(Line(1, 0, ""), (("quote", (0, 5)),))) == []


def test_a_quote_that_is_in_conflict_shows_both_sides_with_what_differs(opened, home):
    quote, stands = "Joint resealed 04 May, no leak since.", "Joint resealed 04 May, new leak since."
    text = f"First.\n{stands}\n{HOSTILE}\n"
    place = ev.QuoteChecked("conflict", "a.txt", 7, 7 + len(stands), 2, 0.93)
    several = ev.QuoteChecked("ambiguous", "a.txt", 0, 6, 1, places=3)
    findings = ((Finding("D27", "no", quote, "a.txt:2"), place), (Finding("D28", "no", "First.", "a.txt"), several))
    page = opened("evidence", run=written(home, {"a.txt": text}, findings))
    (drawn,) = components(page, "sides")
    assert [side["parts"] for side in drawn["sides"]] == [
        [["Joint resealed 04 May, ", True], ["no ", False], ["leak since.", True]],
        [["Joint resealed 04 May, ", True], ["new ", False], ["leak since.", True]],
    ]
    assert drawn["sides"][1]["head"] == "in the document, line 2"
    assert drawn["agree"] == "6 of 7 words agree"
    assert "a word that decides differs" in markdown(page)
    page = opened("evidence", run="run-1", finding="f1.t1.c1.r2")
    assert components(page, "sides") == []
    assert "the first of 3 places" in texts(page)


def test_whoever_presses_again_before_the_page_was_drawn_anew_goes_on_from_where_he_is(opened, run):
    page = opened("evidence", run=run)
    spans = [each["span"] for each in listed(page)["rows"]]
    page.query_params["finding"] = spans[1]  # chosen a moment ago; the page still shows the first
    page.button(key="evidence-Next").click().run()
    assert page.query_params["finding"] == spans[2]
