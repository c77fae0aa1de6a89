"""Fork, resume and approval on the page of a run, and the marks of what was replayed."""

from __future__ import annotations

import pytest
import written_runs
from shown import component, figures, header, markdown, texts
from written_runs import HOSTILE, QUESTION, Writer

from app.backend import ForkPoint
from app.components import fork_form
from app.components.fork_form import may_cost, said_of
from app.components.inspector_words import depth_in_words, took_before
from rlm_core import events as ev
from rlm_core.corpus.ingest import Source
from rlm_core.jobs.asking import load_archive
from rlm_core.lineage import Prefix
from rlm_core.looks import marks
from rlm_core.looks.sheet import sheet_of
from rlm_core.settings import load_settings
from rlm_core.store.recorder import Recorder
from rlm_core.store.store import Store
from rlm_core.task import Answer, Fork, Limits, Message, Origin, Task, Usage
from rlm_core.view import fold
from rlm_core.wording import goes_on

PAID = ev.Replayed("answered-1", Usage(1500, 200), 0.0125)


def with_archive(home, **fields):
    corpus, _ = load_archive(Store.open(home), [Source("a.txt", b"Room A12: wet again.")], name="rooms.zip")
    return Task(QUESTION, corpus.id, "rlm", {"depth": 1}, "demo", "demo", **fields)


def waiting(home, run="waiting-1", usd=0.41):
    """A run that waits for a person. The caller keeps the writer open."""
    life = Writer(home, run)
    life.turn()
    cell = life.turn("I ask.", open_cell=True)
    life.emit(cell, None, ev.ApprovalAsked(310, usd))
    return life


def forked(home, run="forked-1", *, edited=False, parts=False, of="answered-1"):
    """A run that goes on from another one at its second turn; its first is replayed, with one call of a helper."""
    Store.open(home).close()
    with Recorder.open(home, run) as recorder:
        emit = recorder.emit
        at = Fork(2, "print('by hand')" if edited else None, "Count twice.")
        task = Task(QUESTION, "no-corpus", "rlm", {"depth": 1}, "demo", "demo")
        emit(ev.RUN_SPAN, None, ev.RunStarted(task, parent_run=of, origin=Origin(of, at)))
        emit("f1", ev.RUN_SPAN, ev.FrameStarted(0, "rlm", QUESTION, {"kind": "text", "chars": 9, "documents": 1}))
        for number in (1, 2):
            turn, replayed = f"f1.t{number}", ev.Replayed(of, PAID.usage, PAID.cost_usd, edited and number == 2)
            known = number == 1 or edited
            emit(turn, "f1", ev.TurnStarted(number))
            emit(f"{turn}.k1", turn, ev.CallStarted("root", "demo", (Message("user", "Look at the archive."),)))
            usage, source = (Usage(0, 0), "journal") if known else (Usage(10, 5), "list")
            done = ev.CallFinished("ok", "I look.", usage, 0.0 if known else 0.02, source)
            emit(f"{turn}.k1", turn, ev.CallFinished(**{**_fields(done), "replayed": replayed if known else None}))
            emit(f"{turn}.c1", turn, ev.CellStarted("print('at')"))
            if number == 1:
                emit("f1.t1.c1.k1", "f1.t1.c1", ev.CallStarted("sub", "demo", (Message("user", "And this?"),)))
                emit("f1.t1.c1.k1", "f1.t1.c1", ev.CallFinished("ok", "no", Usage(0, 0), 0.0, "journal", replayed=PAID))
            emit(f"{turn}.c1", turn, ev.CellFinished("ok", "at\n", 3))
            if parts and number == 1:
                emit("f1.t1.c1", None, ev.ReplayDiverged(f"before {HOSTILE}", f"now {HOSTILE}"))
                emit(turn, "f1", ev.TurnFinished())
                emit("f1", ev.RUN_SPAN, ev.FrameFinished("failed"))
                emit(ev.RUN_SPAN, None, ev.RunFinished("failed", None, "It parted.", "ReplayDiverged"))
                return run
            emit(turn, "f1", ev.TurnFinished())
        emit("f1", ev.RUN_SPAN, ev.FrameFinished("answered"))
        emit(ev.RUN_SPAN, None, ev.RunFinished("answered", Answer("1 room: A12.")))
    return run


def _fields(done):
    return {name: getattr(done, name) for name in done.__dataclass_fields__}


def test_what_a_run_asks_stands_above_it_with_both_answers(opened, home):
    with waiting(home) as life:
        page = opened("run", run=life.recorder.run)
        assert "The code wants to make 310 helper calls, which may cost ~$0.41." in texts(page)
        assert header(page)["state_in_words"] == "waits for you"
        page.button(key="approval-grant").click().run()
        assert [each.kind for each in Store.open(home).commands("waiting-1")] == ["approve"]
        page.button(key="approval-refuse").click().run()
        assert "was given an answer a moment ago" in texts(page)
        assert [each.kind for each in Store.open(home).commands("waiting-1")] == ["approve"]


def test_a_batch_of_unknown_cost_says_so_and_can_be_refused(opened, home):
    with waiting(home, usd=None) as life:
        page = opened("run", run=life.recorder.run)
        assert "310 helper calls, cost unknown." in texts(page)
        page.button(key="approval-refuse").click().run()
        assert [each.kind for each in Store.open(home).commands("waiting-1")] == ["refuse"]


def test_the_banner_leads_to_the_code_that_asks_and_goes_once_it_is_answered(opened, home):
    with waiting(home) as life:
        page = opened("run", run=life.recorder.run)
        page.button(key="approval-code").click().run()
        assert page.query_params["node"] == "f1.t2.c1"
        life.emit("f1.t2.c1", None, ev.ApprovalGiven(True))
        page.run()
        assert "The code wants" not in texts(page)
        assert header(page)["state_in_words"] == "running, turn 2"


def test_the_list_of_runs_says_which_one_waits(opened, home):
    with waiting(home):
        page = opened("runs")
        assert "▷ waits for you" in list(page.dataframe[0].value["Status"])


def test_a_turn_of_an_ended_run_can_be_forked_and_others_cannot(opened, home):
    run = written_runs.answered(home, task=with_archive(home))
    keys = {span: _keys(opened("run", run=run, node=span)) for span in ("f1.t2", "f1.t2.c1", "f1.t2.c1.k1", "run")}
    assert {span for span, found in keys.items() if "fork-from-here" in found} == {"f1.t2", "f1.t2.c1"}
    with written_runs.running(home):
        assert "fork-from-here" not in _keys(opened("run", run="running-1", node="f1.t1"))


def _keys(page):
    return {button.key for button in page.button}


def test_the_form_says_what_is_replayed_and_starts_a_run_with_the_edited_code(opened, home):
    run = written_runs.answered(home, task=with_archive(home, limits=Limits(max_usd=2)))
    page = opened("run", run=run, node="f1.t2.c1")
    page.button(key="fork-from-here").click().run()
    said = markdown(page).replace("\\", "")
    assert "Turn 1 with 1 call costs nothing: what came before is replayed, and took $0.01 then. From turn 2 on" in said
    assert "What that may cost is not known in full; from here on, this run took $0.12 + ? for 11 calls." in texts(page)
    (code,) = [area for area in page.text_area if area.key.startswith("fork-code")]
    assert code.value == written_runs.CODE.strip("\n")
    code.set_value("print('by hand')")
    page.text_area(key=f"fork-instruction-{run}-2").set_value("Count twice.")
    page.number_input(key=f"fork-usd-{run}-2").set_value(0.5)
    page.button(key="fork-start").click().run()
    (job,) = Store.open(home).jobs("queued")
    assert job.origin == Origin(run, Fork(2, "print('by hand')", "Count twice."))
    assert job.task.limits.max_usd == 0.5
    assert page.query_params["run"] == job.id
    assert fork_form.OPEN not in page.session_state


def test_a_turn_is_forked_by_asking_its_model_again(opened, home):
    run = written_runs.answered(home, task=with_archive(home))
    page = opened("run", run=run, node="f1.t1")
    page.button(key="fork-from-here").click().run()
    assert "Everything is asked anew." in markdown(page).replace("\\", "")
    assert not [area for area in page.text_area if area.key.startswith("fork-code")]
    page.selectbox(key=f"fork-root-{run}-1").set_value("demo")
    page.button(key="fork-start").click().run()
    (job,) = Store.open(home).jobs("queued")
    assert job.origin == Origin(run, Fork(1))


def test_a_fork_that_cannot_be_is_refused_in_the_form(opened, home):
    run = written_runs.answered(home, task=with_archive(home))
    page = opened("run", run=run, node="f1.t2.c1")
    page.button(key="fork-from-here").click().run()
    (code,) = [area for area in page.text_area if area.key.startswith("fork-code")]
    code.set_value(" ")
    page.button(key="fork-start").click().run()
    assert "The code is empty." in texts(page)
    assert Store.open(home).jobs() == []


@pytest.mark.parametrize("outcome", ["failed", "cancelled", "interrupted"])
def test_a_run_that_broke_off_can_be_taken_up_once(opened, home, outcome):
    with Writer(home, "broken", with_archive(home)) as life:
        life.turn()
        life.finish(outcome, None, "It broke off.")
    page = opened("run", run="broken")
    page.button(key="resume").click().run()
    (job,) = Store.open(home).jobs("queued")
    assert (job.origin, page.query_params["run"]) == (Origin("broken"), job.id)
    assert "where it broke off" in markdown(page)
    page = opened("run", run="broken")
    assert "resume" not in _keys(page)
    assert "continued in" in markdown(page)
    assert "resume" not in _keys(opened("run", run=written_runs.answered(home)))


def test_a_run_says_what_it_goes_on_from_and_that_one_what_goes_on_from_it(opened, home):
    written_runs.answered(home)
    page = opened("run", run=forked(home))
    assert "goes on from" in markdown(page)
    assert "at turn 2, with an instruction" in markdown(page)
    parent = opened("run", run="answered-1")
    assert "forked in" in markdown(parent)
    assert any("at turn 2" in each.proto.label for each in parent.get("page_link"))


def test_a_replayed_call_says_where_it_was_made_and_what_it_took_there(opened, home):
    written_runs.answered(home)
    run = forked(home)
    page = opened("run", run=run, node="f1.t1")
    assert "Replayed from answered-1, where it took 1,500 + 200 tokens, $0.013." in texts(page)
    assert "↻ replayed" in markdown(page)
    assert [each.proto.label for each in page.get("page_link") if "See it" in each.proto.label]
    page = opened("run", run=forked(home, "of-a-deleted-one", of="gone"), node="f1.t1")
    assert "That run is no longer here." in markdown(page)


def test_replayed_calls_cost_nothing_and_are_counted_in_the_head(opened, home):
    shown = figures(header(opened("run", run=forked(home))))
    assert shown["Cost"] == ("$0.02", "replayed calls: nothing")
    assert shown["Calls"] == ("3", "2 replayed, none failed")


def test_tree_graph_and_reader_mark_what_was_replayed_and_what_a_person_wrote(opened, home):
    page = opened("run", run=forked(home, edited=True))
    rows = {row["id"]: row for row in component(page, "rows")["rows"]}
    assert rows["f1.t1"]["why"] == [marks.REPLAYED]
    assert rows["f1.t2"]["why"] == [marks.BY_HAND]
    assert rows["f1.t1.c1.k1"]["why"] == [marks.REPLAYED]
    faces = {node["id"]: node["face"] for node in component(page, "nodes")["nodes"]}
    assert (faces["f1.t1"]["figure"], faces["f1.t2"]["figure"]) == ("replayed", "by hand")
    page = opened("run", run="forked-1", view="Reader")
    facts = {block["id"]: block["facts"] for block in component(page, "blocks")["blocks"]}
    assert facts["f1.t1"].startswith("replayed from answered-1 · ")
    assert facts["f1.t2"].startswith("written by a person · ")


def test_a_reply_that_a_person_wrote_says_so(opened, home):
    page = opened("run", run=forked(home, edited=True), node="f1.t2.c1")
    assert "✎ written by a person" in markdown(page)
    assert "Python that a person wrote in turn 2" in markdown(page)


def test_a_cell_that_parted_shows_both_and_the_ways_on_as_text(opened, home):
    page = opened("run", run=forked(home, parts=True), node="f1.t1.c1")
    assert "≠ not as before" in markdown(page)
    shown = [each.value for each in page.code]
    assert any(each.startswith("before <script>") for each in shown)
    assert any(each.startswith("now <script>") for each in shown)
    assert "\x1b" not in "".join(shown)
    assert {"accept-divergence", "fork-parted", "resume"} <= _keys(page)
    page.button(key="fork-parted").click().run()
    assert not [area for area in page.text_area if area.key.startswith("fork-code")]


def test_a_parted_run_goes_on_when_its_difference_is_accepted(opened, home):
    task = with_archive(home)
    with Recorder.open(home, "parted") as recorder:
        recorder.emit(ev.RUN_SPAN, None, ev.RunStarted(task, parent_run="x", origin=Origin("x")))
        recorder.emit("f1", ev.RUN_SPAN, ev.FrameStarted(0, "rlm", QUESTION))
        recorder.emit("f1.t1", "f1", ev.TurnStarted(1))
        recorder.emit("f1.t1.c1", "f1.t1", ev.CellStarted("print(1)"))
        recorder.emit("f1.t1.c1", None, ev.ReplayDiverged("1", "2"))
        recorder.emit(ev.RUN_SPAN, None, ev.RunFinished("failed", None, "It parted.", "ReplayDiverged"))
    page = opened("run", run="parted")
    assert page.button(key="resume").label == "Accept and go on"
    page.button(key="resume").click().run()
    (job,) = Store.open(home).jobs("queued")
    assert job.origin == Origin("parted", accept_divergence=True)


def test_a_child_frame_says_its_depth_and_what_it_handed_over(opened, home):
    with Writer(home, "deep", Task(QUESTION, "no-corpus", "rlm", {"depth": 2})) as life:
        cell = life.turn(open_cell=True)
        child = f"{cell}.f1"
        life.emit(child, cell, ev.FrameStarted(1, "rlm", "Which rooms?", {"documents": 1, "chars": 9}, {"depth": 1}))
        life.emit(child, cell, ev.FrameFinished("answered", "", Answer(f"A12 {HOSTILE}", "FINAL")))
        life.emit(cell, "f1.t1", ev.CellFinished("ok"))
        life.emit("f1.t1", "f1", ev.TurnFinished())
        life.finish()
    page = opened("run", run="deep", node="f1.t1.c1.f1")
    sent = "\n".join(each.proto.json for each in page.get("bidi_component"))
    assert "depth 1: its helpers are plain calls" in sent
    page.session_state["tabs-frame-In-Out-Evidence-Raw"] = "Out"
    page.run()
    assert any(each.value.startswith("A12 <script>") for each in page.code)


def test_thresholds_and_reuse_are_asked_for_beside_the_limits(opened, home):
    page = opened("ask", archive="sample", preset="demo")
    page.number_input(key="ask-above-calls").set_value(100)
    page.number_input(key="ask-above-usd").set_value(0.5)
    page.checkbox(key="ask-reuse").check()
    page.button(key="start").click().run()
    (job,) = Store.open(home).jobs("queued")
    assert (job.task.limits.ask_above_calls, job.task.limits.ask_above_usd) == (100, 0.5)
    assert job.task.reuse_replies


def test_settings_keep_the_thresholds_and_whether_a_run_is_taken_up_after_a_crash(opened, home):
    page = opened("settings", section="limits")
    page.number_input(key="settings-limit-ask_above_calls").set_value(200).run()
    page.toggle(key="settings-resume-after-crash").set_value(False).run()
    kept = load_settings(home)
    assert (kept.limits.ask_above_calls, kept.resume_after_crash) == (200, False)
    page.number_input(key="settings-limit-ask_above_calls").set_value(None).run()
    assert load_settings(home).limits.ask_above_calls is None


def test_where_a_run_goes_on_from_is_said_in_words():
    assert goes_on(Origin("r")) == "where it broke off"
    assert goes_on(Origin("r", accept_divergence=True)) == "where it broke off, with whatever cells print now"
    assert goes_on(Origin("r", Fork(3, "x", "y"))) == "at turn 3, with code that a person wrote and with an instruction"
    assert took_before(ev.Replayed("r")) == "an unknown number of tokens, an unknown cost"
    assert [depth_in_words(each) for each in (0, 1, 2, None)] == [
        "depth 0: it has no helpers",
        "depth 1: its helpers are plain calls",
        "depth 2: its helpers may write code, too",
        "",
    ]


def test_the_state_of_a_run_knows_what_it_waits_for_only_while_it_does(home):
    with waiting(home) as life:
        assert sheet_of(fold(Store.open(home).events("waiting-1"))).approval == ev.ApprovalAsked(310, 0.41)
        life.finish("cancelled", None)
    assert sheet_of(fold(Store.open(home).events("waiting-1"))).approval is None


@pytest.mark.parametrize(
    ("turn", "says"),
    [
        (1, "Everything is asked anew. This run stays as it is."),
        (
            2,
            "Turn 1 with 3 calls costs nothing: what came before is replayed, and took $0.25 then. From turn 2 on it is",
        ),
        (
            7,
            "Turns 1 to 6 with 3 calls cost nothing: what came before is replayed, and took $0.25 then. From turn 7 on it",
        ),
    ],
)
def test_the_form_says_what_stays_as_it_was(turn, says):
    nothing = Prefix(0, 0, 0.0)
    assert said_of(ForkPoint(turn, 9, "", 1, True, Prefix(turn - 1, 3, 0.25), nothing)).startswith(says)


@pytest.mark.parametrize(
    ("rest", "same_models", "says"),
    [
        (Prefix(2, 40, 0.6), True, "It may cost ~$0.40–0.90: from here on, this run took $0.60 for 40 calls."),
        (
            Prefix(2, 40, 0.6),
            False,
            "What other models may cost is not known; from here on, this run took $0.60 for 40",
        ),
        (
            Prefix(2, 40, 0.6, 3),
            True,
            "What that may cost is not known in full; from here on, this run took $0.60 + ? for",
        ),
        (Prefix(2, 40, 0.0, 3), True, "What that may cost is not known."),
        (Prefix(2, 40, 0.0), True, "It costs nothing."),
        (Prefix(1, 0, 0.0), True, "What that may cost is not known."),
    ],
)
def test_the_form_says_what_the_rest_may_cost(rest, same_models, says):
    assert may_cost(rest, same_models).startswith(says)


def test_a_run_without_its_archive_says_that_it_cannot_be_gone_on_from_before_any_form(opened, home):
    with Writer(home, "imported", Task("not recorded", "")) as life:
        cell = life.turn()
        life.finish("interrupted", None)

    def shown(page):
        return markdown(page).replace("\\", "")

    page = opened("run", run="imported", node=cell)
    assert "fork-from-here" not in _keys(page)
    assert "No fork from here. The run imported was imported, and its log does not hold the archive" in shown(page)
    resume = page.button(key="resume")
    assert resume.disabled
    assert "its log does not hold the archive" in resume.help.replace("\\", "")
    page.session_state[fork_form.OPEN] = ("imported", cell, False)
    page.run()
    assert not page.get("dialog")
    assert (header(page)["question"], header(page)["unrecorded"]) == ("question not recorded", True)
    deleted = opened("run", run=written_runs.answered(home), node="f1.t2.c1")
    assert "Upload the same files again: they become the same archive." in shown(deleted)
