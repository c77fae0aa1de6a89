"""The inspector of the run's page, for each kind of node and each state a run can be in."""

from __future__ import annotations

import json
import re
import time

import pytest
import written_runs
from shown import markdown, texts
from written_runs import HOSTILE, Writer

from app.components import inspector_words as words
from app.components.inspector_cell import variables
from app.components.run_facts import ended, kinds, task_facts
from rlm_core import events as ev
from rlm_core.errors import Retry
from rlm_core.looks.node_facts import facts_of
from rlm_core.looks.node_shapes import CallFacts, RunFacts
from rlm_core.looks.run_words import Figure
from rlm_core.looks.sheet import sheet_of
from rlm_core.store.store import Store
from rlm_core.task import Message, Usage
from rlm_core.view import Node, RunView, fold

CELL = "f1.t2.c1"


def facts_shown(page, form="row"):
    """The labels and values that the facts component was sent."""
    sent = [json.loads(each.proto.json) for each in page.get("bidi_component")]
    found = [each["facts"] for each in sent if each.get("form") == form]
    return {each["label"]: (each["value"], each["note"]) for each in (found[-1] if found else [])}


def at(opened, home, node, run=None, **query):
    return opened("run", run=run or written_runs.answered(home), node=node, **query)


def select_tab(page, kind, label):
    """Open the tab whose label begins so."""
    labels = [each.label for each in page.tabs]
    page.session_state[f"tabs-{kind}-{'-'.join(labels)}"] = next(each for each in labels if each.startswith(label))
    return page.run()


def test_a_call_shows_what_was_sent_what_came_back_and_what_it_cost(opened, home):
    page = at(opened, home, f"{CELL}.k3")
    shown = facts_shown(page)
    assert "Was room 3 wet again?" in texts(page)
    assert "Room 3: no." in texts(page)
    assert shown["Cost"] == ("$0.013", "measured: list")
    assert (shown["Tokens in"][0], shown["Tokens out"][0], shown["Retries"][0]) == ("300", "12", "0")
    assert "call 3 of 10 in cell 2" in markdown(page)
    assert "the code of cell 2 asked a helper model" in markdown(page)


def test_what_a_child_frame_did_is_not_said_of_the_root_model(home):
    with Writer(home, "deep") as life:
        cell = life.turn(open_cell=True)
        frame = f"{cell}.f1"
        life.emit(frame, cell, ev.FrameStarted(1, "rlm", "Which rooms?"))
        life.emit(f"{frame}.t1", frame, ev.TurnStarted(1))
        life.emit(f"{frame}.t1.c1", f"{frame}.t1", ev.CellStarted("1"))
    store = Store.open(home)
    view = fold(store.events("deep"))
    store.close()
    for span in (f"{frame}.t1", f"{frame}.t1.c1"):
        assert "the model of a child frame" in words.explained(facts_of(view, span))
    assert "the root model" in words.explained(facts_of(view, "f1.t1.c1"))
    said = kinds(facts_of(view, "run"), sheet_of(view), 0)[0]
    assert said[1:] == (
        "2 turns",
        "the root model was asked once, and wrote code; the models of child frames were asked once.",
    )


def test_an_answer_that_is_not_what_was_recorded_says_so_plainly(opened, home):
    with Writer(home, "five") as life:
        life.turn(findings=written_runs.FINDINGS)
        life.finish("answered", "5 rooms: A12.")
    for node in ("answer", "run"):
        assert "The answer says 5; 1 item was recorded as yes." in texts(opened("run", run="five", node=node))


def test_a_failed_call_says_why_there_is_no_reply_and_no_cost(opened, home):
    page = at(opened, home, f"{CELL}.k10")
    assert "No reply in 60 s." in texts(page)
    assert facts_shown(page)["Cost"] == ("unknown", "no reply came; it may have been charged")
    assert "✕ failed" in markdown(page)


def test_the_tab_that_was_open_stays_open_from_call_to_call(opened, home):
    page = at(opened, home, f"{CELL}.k3")
    select_tab(page, "call", "Code")
    assert written_runs.CODE.strip() in [each.value for each in page.code]
    page.button(key="way-1").click().run()
    assert page.query_params["node"] == f"{CELL}.k4"
    assert written_runs.CODE.strip() in [each.value for each in page.code]


def test_previous_and_next_end_at_the_ends(opened, home):
    page = at(opened, home, f"{CELL}.k1")
    assert page.button(key="way-0").disabled
    page.button(key="way-1").click().run()
    assert page.query_params["node"] == f"{CELL}.k2"
    assert not page.button(key="way-0").disabled


def test_a_cell_shows_its_code_output_variables_and_findings(opened, home):
    page = at(opened, home, CELL)
    assert written_runs.CODE.strip() in [each.value for each in page.code]
    assert facts_shown(page)["Sub-calls"] == ("10", "9 ok, 1 failed")
    assert "1 call failed" in markdown(page)
    select_tab(page, "cell", "Out")
    assert written_runs.OUTPUT.strip() in [each.value for each in page.code]
    select_tab(page, "cell", "Evidence 3")
    assert list(page.dataframe[0].value["Item"]) == ["A12", "C02", "B07"]
    page.query_params["node"] = "f1.t1.c1"
    select_tab(page.run(), "cell", "Variables")
    assert list(page.dataframe[0].value["Name"]) == ["rooms"]


def test_an_error_is_named_with_the_line_of_the_cell(opened, home):
    trace = (
        "Traceback (most recent call last):\n  cell 1, line 2\n    for room in roms:\nNameError: no roms\nAdvice: look."
    )
    with Writer(home, "broken") as life:
        life.turn(error=trace)
        life.finish("failed", None, "No.")
    page = opened("run", run="broken", node="f1.t1.c1")
    assert "line 2: for room in rooms:\nNameError: no roms" in texts(page)


def test_a_turn_shows_the_last_message_and_its_reply(opened, home):
    page = at(opened, home, "f1.t2")
    assert "Look at the archive." in texts(page)
    assert facts_shown(page)["Calls in all"] == ("11", "")
    select_tab(page, "turn", "Out")
    assert "I ask a helper about every room." in texts(page)


def test_a_group_is_a_table_of_its_members_with_what_their_prompts_share(opened, home):
    page = at(opened, home, f"{CELL}.g1")
    assert list(page.dataframe[0].value["Status"]) == ["✓ ok"] * 9
    assert facts_shown(page)["Members"] == ("9", "9 ok")
    select_tab(page, "group", "Prompts")
    assert "all 9 have these 20 characters in common" in markdown(page)
    assert [each.value for each in page.code] == ["1", "2", "3"]


def test_a_finding_shows_its_quote_verdict_and_where_it_is_from(opened, home):
    page = at(opened, home, f"{CELL}.r1")
    assert "“Dripped again after heavy rain, same beam.”" in texts(page)
    assert "✓ exact" in markdown(page)
    assert "reports/05.txt line 131" in markdown(page).replace("\\", "")
    (link,) = [each for each in page.get("page_link") if each.value == "Show in document"]
    assert "finding=f1.t2.c1.r1" in str(link.proto.query_string)
    page.button(key="from-code").click().run()
    assert page.query_params["node"] == CELL


def test_the_answer_shows_how_it_was_given_and_what_it_rests_on(opened, home):
    page = at(opened, home, "answer")
    assert "1 room: A12." in texts(page)
    select_tab(page, "answer", "Evidence")
    assert list(page.dataframe[0].value["Item"]) == ["A12"]


def test_with_nothing_selected_the_kinds_are_explained_by_this_run(opened, home):
    page = opened("run", run=written_runs.answered(home))
    said = markdown(page)
    assert "**2 turns:** the root model was asked twice, and wrote code each time" in said.replace("\\", "")
    assert "**10 sub-calls:**" in said.replace("\\", "")
    select_tab(page, "run", "Task")
    assert facts_shown(page, "list")["Limit: calls"] == ("1,000", "")
    assert facts_shown(page, "list")["Strategy"] == ("rlm", "depth 1")


def test_a_node_that_is_not_there_is_named_and_the_run_is_shown(opened, home):
    page = at(opened, home, "f9.t9")
    assert "There is no f9.t9 in this run." in texts(page)
    assert "What you see" in str([each.label for each in page.tabs])


def test_raw_events_are_json_as_text(opened, home):
    page = at(opened, home, f"{CELL}.k3")
    select_tab(page, "call", "Raw")
    assert '"kind": "CallFinished"' in texts(page)


def test_a_running_cell_and_a_running_call_say_so(opened, home):
    with written_runs.running(home):
        page = opened("run", run="running-1", node="f1.t2.c1.k3")
        assert "▷ running" in markdown(page)
        assert facts_shown(page)["Cost"] == ("unknown", "known when it has ended")
        assert "the model is being asked" in markdown(page)
        page = opened("run", run="running-1", node="f1.t2.c1")
        assert facts_shown(page)["Sub-calls"] == ("3", "2 ok, 1 under way")


@pytest.mark.parametrize("outcome", ["failed", "cancelled", "interrupted", "forced"])
def test_how_a_run_ended_is_said_in_words(opened, home, outcome):
    answer = "Perhaps A12." if outcome == "forced" else None
    page = opened("run", run=written_runs.ended(home, outcome, "The reason.", answer=answer))
    assert f"{outcome.capitalize()} after" in texts(page)
    assert "The reason." in texts(page)
    if outcome == "forced":
        assert "The limit on turns was reached: 1 of 1 used." in texts(page)


def test_the_base_strategy_has_one_turn_and_no_cell(home):
    task = written_runs.Task(written_runs.QUESTION, "no-corpus", "base", {}, "openai/gpt-4o", "openai/gpt-4o")
    with Writer(home, "base", task) as life:
        life.emit("f1.t1", "f1", ev.TurnStarted(1))
        life.emit("f1.t1.k1", "f1.t1", ev.CallStarted("root", "openai/gpt-4o", (Message("user", "All of it."),)))
        life.emit("f1.t1.k1", "f1.t1", ev.CallFinished("ok", "A12.", Usage(9, 1), None, None))
        life.emit("f1.t1", "f1", ev.TurnFinished())
        life.finish()
    store = Store.open(home)
    view = fold(store.events("base"))
    store.close()
    run, turn = facts_of(view, "run"), facts_of(view, "f1.t1")
    assert isinstance(run, RunFacts)
    said = {kind: (title, says) for kind, title, says in kinds(run, sheet_of(view), 0)}
    assert said["root"] == ("1 turn", "the root model was asked once, and replied in words.")
    assert said["code"][0] == "0 cells"
    assert turn
    assert words.explained(turn) == "A turn: the root model was asked, and replied in words."
    assert ended(run, sheet_of(view))[0].startswith("Answered after")
    assert task_facts(run, sheet_of(view), "x.zip")[0].note == "3 documents, 1,200 characters"


def test_a_child_frame_that_failed_is_counted_with_the_failures(home):
    with Writer(home, "frames-1") as life:
        cell = life.turn()
        for number, outcome in enumerate(("failed", "answered"), 1):
            life.emit(f"{cell}.f{number}", cell, ev.FrameStarted(1, "rlm", "And the roof?"))
            life.emit(f"{cell}.f{number}", cell, ev.FrameFinished(outcome))
        life.finish()
    store = Store.open(home)
    view = fold(store.events("frames-1"))
    store.close()
    said = {kind: (title, says) for kind, title, says in kinds(facts_of(view, "run"), sheet_of(view), 0)}
    assert said["failed"] == ("1 failure", "1 child frame, shown with this mark.")
    mended = kinds(facts_of(view, "run"), sheet_of(view), 0, mended=1)[-1][2]
    assert mended == "1 child frame, shown with this mark; 1 made good later, with a hollow one."


def test_what_holds_the_cells_stands_with_the_task_and_other_notes_with_the_end(home):
    with Writer(home, "noted-1") as life:
        life.emit("f1", None, ev.Noted("protection", "Cells are held by: nothing."))
        life.emit("f1", None, ev.Noted("context_cut", "The prompt holds 10 of 20 characters."))
        life.finish()
    store = Store.open(home)
    view = fold(store.events("noted-1"))
    store.close()
    run, sheet = facts_of(view, "run"), sheet_of(view)
    assert ended(run, sheet)[1:] == ["Context cut: The prompt holds 10 of 20 characters."]
    assert Figure("Sandbox", "Cells are held by: nothing.") in task_facts(run, sheet, "x.zip")


def call_of(done):
    node = Node("k", None, "call", ev.CallStarted("sub", "m", (Message("user", "?"),)), 0.0, done, 1.0)
    view = RunView()
    view.nodes["k"] = node
    call = facts_of(view, "k")
    assert isinstance(call, CallFacts)
    return call


@pytest.mark.parametrize(
    ("done", "value", "note"),
    [
        (ev.CallFinished("ok", "x", None, 0.0, "free"), "$0.00", "free: nothing is charged"),
        (
            ev.CallFinished("ok", "x", Usage(1, 1), 0.41, "LiteLLM 1.9 list prices"),
            "$0.410",
            f"measured: LiteLLM 1.9 list prices, applied {time.strftime('%d %b %Y', time.localtime(0)).removeprefix('0')}",
        ),
        (ev.CallFinished("ok", "x", Usage(1, 1)), "unknown", "no price is known for this model"),
        (ev.CallFinished("ok", "x"), "unknown", "the model reported no tokens"),
        (ev.CallFinished("failed", error="x", maybe_paid=True), "unknown", "no reply came; it may have been charged"),
        (ev.CallFinished("failed", error="x"), "–", "nothing was charged"),
    ],
)
def test_a_cost_says_how_it_is_known_and_an_unknown_one_why(done, value, note):
    said = words.cost(call_of(done))
    assert (said.value, said.note) == (value, note)


def test_tokens_from_the_cache_and_tokens_to_reason_stand_apart_and_only_where_they_are_known():
    call = call_of(ev.CallFinished("ok", "x", Usage(20_000, 900, 12_000, 0), 0.1, "list", attempts=3))
    shown = {each.label: (each.value, each.note) for each in words.call_figures(call)}
    assert (shown["Tokens in"], shown["From cache"]) == (("20 k", ""), ("12 k", "of those in"))
    assert (shown["Tokens out"], shown["To reason"]) == (("900", ""), ("0", "of those out"))
    assert shown["Retries"] == ("2", "why is not recorded")
    told_less = words.call_figures(call_of(ev.CallFinished("ok", "x", Usage(20_000, 900))))
    assert {"From cache", "To reason"}.isdisjoint(each.label for each in told_less)


def test_each_retry_says_why_it_was_made_and_how_long_was_waited(opened, home):
    retries = (Retry("rate_limit", f"Slow down. {HOSTILE}", 0.7), Retry("server", "Busy.", 2.0))
    with Writer(home, "retried-1") as life:
        cell = life.turn()
        life.emit(f"{cell}.k1", cell, ev.CallStarted("sub", "demo", (Message("user", "?"),)))
        life.emit(f"{cell}.k1", cell, ev.CallFinished("ok", "x", attempts=3, retries=retries))
        life.finish()
    page = opened("run", run="retried-1", node="f1.t1.c1.k1")
    assert facts_shown(page)["Retries"] == ("2", "")
    assert facts_shown(page)["Time"][1] == "2.7 s of it waiting"
    assert "1. too many requests, then 0.7 s of waiting: Slow down. <script>" in texts(page)
    assert "2. the provider failed, then 2.0 s of waiting: Busy." in texts(page)
    assert "<script" not in markdown(page)


def test_variables_that_a_log_has_no_size_for_have_a_dash():
    assert variables([{"name": "f", "type": "function", "size": None}])[0]["Size"] == "–"


@pytest.mark.parametrize("node", ["f1.t1", "f1.t1.c1", "f1.t1.c1.k1", "f1.t1.c1.k2", "f1.t1.c1.r1", "answer", "run"])
def test_hostile_text_is_never_read_as_markdown(opened, home, node):
    page = opened("run", run=written_runs.hostile(home), node=node)
    kinds = {"f1.t1": "turn", "f1.t1.c1": "cell", "f1.t1.c1.r1": "finding", "answer": "answer", "run": "run"}
    for name in [each.label for each in page.tabs]:
        select_tab(page, kinds.get(node, "call"), name)
        for danger in ("<script", "](http", "**bold", "$x", "\x1b", "\u202e"):
            assert danger not in re.sub(r"\\.", "", markdown(page)), (danger, name)
    assert max((len(each.value) for each in page.code), default=0) < 20_000
    assert HOSTILE not in texts(page)
