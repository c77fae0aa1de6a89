"""The head of a run's page: the answer with its marks, what can be done with the run, its keys; and the view of findings."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import written_runs
from shown import answer, header, markdown, texts
from written_runs import HOSTILE

from app import backend, keys
from app.components.findings import telling_first, widths
from app.components.listed_quotes import place
from app.components.run_header import pieces
from app.places import STATIC
from rlm_core import events as ev
from rlm_core.corpus.ingest import Source
from rlm_core.evidence.citations import Citation
from rlm_core.importers.jsonl import read_lines
from rlm_core.jobs.asking import load_archive
from rlm_core.looks import run_words
from rlm_core.looks.look import Reading
from rlm_core.looks.node_shapes import FindingFacts
from rlm_core.looks.sheet import queued_sheet
from rlm_core.store.store import Store
from rlm_core.task import Task

SHEET = queued_sheet("r1", written_runs.TASK)
CELL = "f1.t2.c1"


def reading(*citations, findings=()):
    return Reading(SHEET, tuple(citations), {}, {}, tuple(findings))


def component(page, part):
    found = [json.loads(each.proto.json) for each in page.get("bidi_component")]
    return next(each for each in found if part in each)


def files(page):
    found = [json.loads(each.proto.json) for each in page.get("bidi_component")]
    return [each["address"] for each in found if "address" in each]


def links(page):
    return {each.value: str(each.proto.query_string) for each in page.get("page_link")}


def test_the_answer_is_cut_behind_each_cited_item():
    finding = FindingFacts("A12", "yes", "Dripped again.", "", "", None, span="f1.t1.c1.r1")
    cited = [Citation(1, "f1.t1.c1.r1", "A12", 9, 12, None), Citation(2, "f1.t1.c1.r2", "B07", 14, 17, None)]
    cut = pieces("2 rooms: A12, B07.", reading(*cited, findings=[finding]))
    assert [each["text"] for each in cut] == ["2 rooms: A12", ", B07", "."]
    assert [each.get("cited", {}).get("number") for each in cut] == [1, 2, None]
    assert cut[0]["cited"]["says"] == "A12: yes · “Dripped again.” · not checked"


def test_marks_stand_where_they_belong_though_controls_are_made_visible():
    said = "\x1b\u202e A12 and B07"
    cited = [Citation(1, "a", "A12", 3, 6, None), Citation(2, "b", "B07", 11, 14, None)]
    assert [each["text"] for each in pieces(said, reading(*cited))] == ["␛<U+202E> A12", " and B07"]


def test_marks_beyond_what_is_shown_of_a_long_answer_are_left_out():
    said = f"{'x' * 101_000} A12"
    cut = pieces(said, reading(Citation(1, "a", "A12", 101_001, 101_004, None)))
    assert len(cut) == 1
    assert cut[0]["text"].endswith("… and 1,004 more characters")


def test_an_answer_of_many_pages_is_sent_whole():
    said = "\n".join(f"A{number:03} | no | some words of a document" for number in range(500))
    assert [each["text"] for each in pieces(said, reading())] == [said]


def test_a_mark_that_is_selected_is_named_to_the_head(opened, home):
    head = header(opened("run", run=written_runs.answered(home), node=f"{CELL}.r1"))
    assert head["selected"] == f"{CELL}.r1"
    assert head["answer"][0]["cited"]["finding"] == f"{CELL}.r1"
    assert answer(head) == "1 room: A12."


def test_a_run_under_way_keeps_room_for_its_answer(opened, home):
    with written_runs.running(home):
        assert header(opened("run", run="running-1"))["awaited"] == "No answer yet."
    assert header(opened("run", run=written_runs.ended(home, "failed", "No key.")))["awaited"] == ""


def test_what_can_be_done_with_a_run_stands_in_its_first_line(opened, home):
    page = opened("run", run=written_runs.answered(home), **{"with": "other"})
    found = links(page)
    assert "run=answered-1" in found["Evidence"]
    assert "runs=answered-1%2Cother" in found["Compare"]
    assert "from=answered-1" in found["Ask again"]
    assert "run=answered-1" in found["Present"]
    assert files(page) == [f"/files?run=answered-1&as={form}" for form in ("jsonl", "html")]


def test_a_run_without_findings_has_no_way_to_evidence_and_one_that_waits_nothing_to_export(opened, home):
    store = Store.open(home)
    job = store.add_job(written_runs.TASK)
    store.close()
    page = opened("run", run=job)
    assert "Evidence" not in links(page)
    assert not files(page)


def test_a_title_stands_before_the_id(opened, home):
    run = written_runs.answered(home)
    store = Store.open(home)
    store.rename(run, "Leaks **2021**")
    store.close()
    assert "/ Leaks **2021** · answered-1" in texts(opened("run", run=run))


def test_an_exported_run_can_be_read_back(home):
    run = written_runs.answered(home)
    store = Store.open(home)
    assert list(read_lines(backend.run_as_lines(run))) == list(store.events(run))
    store.close()


def test_keys_of_the_page_are_heard_where_they_lead_somewhere(opened, home):
    run = written_runs.answered(home)
    views = {str(number): f"view {number}" for number in range(1, 9)}
    assert heard(opened("run", run=run)) == views | {"?": "help", "e": "evidence"}
    at_cell = heard(opened("run", run=run, node=CELL))
    assert at_cell == views | {"?": "help", "e": "evidence", "[": "before", "]": "after"}
    failed = written_runs.ended(home, "failed", "No key.")
    assert "e" not in heard(opened("run", run=failed))


def heard(page):
    shown = component(page, "table")
    assert shown["table"] == keys.table()
    return shown["keys"]


def test_all_keys_of_the_parts_are_in_the_table_and_all_in_the_table_are_known_to_their_part():
    for part, script in ((keys.TREE, "folded_tree.js"), (keys.GRAPH, "call_graph/hands.js")):
        written = (STATIC / script).read_text(encoding="utf-8")
        acts = re.search(r"const acts = {(.*?)\n    }", written, re.DOTALL)
        assert acts
        named = re.findall(r'^      (?:"([\w ]+)"|(\w+)): \(\) =>', acts[1], re.MULTILINE)
        assert {quoted or bare for quoted, bare in named} == set(keys.bindings(part).values()), part


def test_all_findings_are_a_view_with_what_tells_most_first(opened, home):
    page = opened("run", run=written_runs.answered(home), view="Findings", node=f"{CELL}.r2")
    rows = page.dataframe[0].value
    assert list(rows["Item"]) == ["A12", "C02", "▸ B07"]
    assert list(rows["Verdict"]) == ["✓ exact", "– no quote", "✕ not found"]
    assert list(rows["Cited as"]) == ["1", "", ""]
    assert "3 of 3" in markdown(page)


def test_findings_can_be_narrowed_to_a_label(opened, home):
    page = opened("run", run=written_runs.answered(home), view="Findings")
    page.session_state["findings-label"] = "no"
    page.run()
    assert list(page.dataframe[0].value["Item"]) == ["B07"]
    assert "1 of 3" in markdown(page)


def test_a_run_without_findings_says_so(opened, home):
    page = opened("run", run=written_runs.ended(home, "failed", "No key."), view="Findings")
    assert "This run has recorded no findings" in markdown(page)


def test_hostile_findings_stay_text(opened, home):
    page = opened("run", run=written_runs.hostile(home), view="Findings")
    visible = HOSTILE.replace("\x1b", "␛").replace("\u202e", "<U+202E>").replace("\x00", "␀")
    assert page.dataframe[0].value["Quote"][0] == visible
    assert header(page)["answer"][0]["cited"]["says"].startswith("<script>")


def test_a_source_is_shown_to_its_line_before_a_quote_is_shown_to_its_end():
    row = {"Item": "A01", "Label": "no", "Verdict": "✓ exact", "Source": "orders/work_orders_2021_q3.csv line 148"}
    found = widths([row | {"Quote": "word " * 40}])
    assert found["Source"] > 240
    assert found["Verdict"] > found["Label"]
    assert sum(found.values()) == 690


def test_quotes_that_an_answer_lists_are_shown_where_nothing_was_recorded_and_lead_to_their_places(opened, home):
    store = Store.open(home)
    corpus, _ = load_archive(store, [Source("05.txt", b"Room A12\nDripped again.\n")], name="reports")
    store.close()
    with written_runs.Writer(home, "base-1", Task(written_runs.QUESTION, corpus.id, "base")) as life:
        life.finish(answer='1 room.\n\nB07 | no | "Dry since." | 05.txt\nA12 | yes | "Dripped again." | 05.txt')
    page = opened("run", run="base-1", view="Findings")
    rows = page.dataframe[0].value
    assert list(rows["Item"]) == ["A12", "B07"]
    assert list(rows["Verdict"]) == ["✓ exact", "✕ not found"]
    assert "2 quotes in the answer" in markdown(page)
    assert "start=9" in links(page)["Show A12 in its document"]
    first, second = telling_first(backend.answer_quotes("base-1"))
    assert place("base-1", first) == {"run": "base-1", "document": "05.txt", "line": "2", "start": "9", "end": "23"}
    assert place("base-1", second) is None


def test_the_limit_of_turns_is_said_of_each_frame_for_it_holds_of_each():
    said = {frames: _turns_said(replace(SHEET, state="answered", turns=23, frames=frames)) for frames in (1, 5)}
    assert said == {1: "of 25 allowed", 5: "in 5 frames, 25 each"}


def _turns_said(sheet):
    (turns,) = (each for each in run_words.figures(sheet, 0.0) if each.label == "Turns")
    return turns.note


def test_calls_that_a_limit_refused_are_told_wherever_the_cell_is_shown(opened, home):
    with written_runs.Writer(home, "refused-1") as life:
        cell = life.turn("I ask about every line.", calls=9)
        life.emit(
            cell,
            None,
            ev.Noted(ev.CALLS_REFUSED, "740 of 749 calls were refused: max_calls", {"refused": 740, "asked": 749}),
        )
        life.finish()
    page = opened("run", run="refused-1", node=cell)
    calls = {each["label"]: each["note"] for each in header(page)["figures"]}["Calls"]
    assert calls == "none failed, 740 refused"
    (row,) = (each for each in component(page, "rows")["rows"] if each["id"] == cell)
    assert "740 refused" in row["why"]
    assert "740 refused" in markdown(page)
    assert "740 calls refused by a limit or a person" in markdown(opened("run", run="refused-1", node="run"))
