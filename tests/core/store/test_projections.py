"""The tables for the screen are the fold of the events, whenever one looks."""

import sqlite3

from event_streams import random_run

from rlm_core.events import (
    CallFinished,
    CallStarted,
    FindingRecorded,
    FrameStarted,
    Noted,
    QuoteChecked,
    RunFinished,
    RunStarted,
)
from rlm_core.store.projections import LABEL_CHARS, call_fold_key, label
from rlm_core.store.recorder import Recorder
from rlm_core.task import Answer, Finding, Message, Task, Usage
from rlm_core.view import RunView

CALL = CallStarted("sub", "demo", (Message("user", "Say yes or no: 'a'"),))


def tables(home):
    connection = sqlite3.connect(home / "store.db")
    try:
        return [connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in ("runs", "spans")]
    finally:
        connection.close()


def test_a_rebuild_leaves_the_rows_that_recording_left_after_every_event(home, store):
    with Recorder.open(home, "r") as recorder:
        for step in random_run(5, events=200, hostile=True):
            recorder.emit(*step)
            live = tables(home)
            store.rebuild_projections("r")
            assert tables(home) == live


def test_a_rebuild_of_everything_drops_what_has_no_events(home, store):
    for seed in range(3):
        with Recorder.open(home, f"r{seed}") as recorder:
            for step in random_run(seed, events=40):
                recorder.emit(*step)
    live = tables(home)
    connection = sqlite3.connect(home / "store.db")
    with connection:
        connection.execute("UPDATE runs SET calls = 77, outcome = NULL WHERE id = 'r1'")
        connection.execute(
            "INSERT INTO spans SELECT 'ghost', id, parent, seq, kind, role, model, depth, started_at,"
            " finished_at, status, verdict, input_tokens, output_tokens, cost_usd, fold_key, label"
            " FROM spans WHERE run = 'r1'"
        )
    connection.close()
    store.rebuild_projections()
    assert tables(home) == live


def test_the_projection_says_what_the_view_says_after_every_event(home, store):
    for seed in (1, 2):
        view = RunView()
        with Recorder.open(home, f"r{seed}") as recorder:
            for step in random_run(seed, events=150):
                view.apply(recorder.emit(*step))
                row, totals = store.run(f"r{seed}"), view.totals()
                assert (row.calls, row.failed_calls, row.cells) == (totals.calls, totals.failed_calls, totals.cells)
                assert row.unknown_cost_calls == totals.calls_without_cost
                assert abs((row.cost_usd or 0) - totals.cost_usd) < 1e-9
                assert (row.input_tokens or 0, row.output_tokens or 0) == (totals.input_tokens, totals.output_tokens)
                recorded = len(view.findings(corrected=True))
                assert (row.outcome, row.findings, row.last_seq) == (view.outcome, recorded, view.last_seq)
            assert recorder.open_spans() == []
        nodes = [(node.id, node.parent, node.kind, node.status, node.finished_at) for node in view.nodes.values()]
        spans = store.spans(f"r{seed}")
        assert [(span.id, span.parent, span.kind, span.status) for span in spans] == [node[:4] for node in nodes]
        verdicts = {span.id: span.verdict for span in spans if span.verdict}
        assert verdicts == {span: checked.verdict for span, checked in view.verdicts.items()}


def test_open_spans_are_the_open_nodes_of_the_view_after_every_event(home, store):
    view = RunView()
    with Recorder.open(home, "r") as recorder:
        for step in random_run(9, events=120):
            view.apply(recorder.emit(*step))
            assert [span for span, *_ in recorder.open_spans()] == [node.id for node in view.open_nodes()]


def test_unknown_cost_and_tokens_are_none_and_never_zero(home, store):
    with Recorder.open(home, "r") as recorder:
        recorder.emit("run", None, RunStarted(Task("q", "c")))
        for number, finished in enumerate((CallFinished("ok", "yes"), CallFinished("ok", "no", Usage(None, 3)))):
            recorder.emit(f"k{number}", "run", CALL)
            recorder.emit(f"k{number}", "run", finished)
        row = store.run("r")
        assert (row.cost_usd, row.input_tokens, row.output_tokens, row.unknown_cost_calls) == (None, None, 3, 2)
        recorder.emit("k3", "run", CALL)
        assert store.run("r").unknown_cost_calls == 3
        recorder.emit("k3", "run", CallFinished("ok", "no", Usage(0, 0), 0.0, "free"))
        row = store.run("r")
        assert (row.cost_usd, row.input_tokens, row.output_tokens, row.unknown_cost_calls) == (0.0, 0, 3, 2)


def test_a_call_that_failed_unpaid_has_no_unknown_cost_and_one_that_may_be_paid_has(home, store):
    with Recorder.open(home, "r") as recorder:
        recorder.emit("run", None, RunStarted(Task("q", "c")))
        recorder.emit("k1", "run", CALL)
        recorder.emit("k1", "run", CallFinished("failed", error="no key", error_kind="auth"))
        recorder.emit("k2", "run", CALL)
        recorder.emit("k2", "run", CallFinished("timeout", error="no reply", error_kind="timeout", maybe_paid=True))
    row = store.run("r")
    assert (row.calls, row.failed_calls, row.unknown_cost_calls, row.cost_usd) == (2, 2, 1, None)


def test_nodes_carry_the_depth_of_their_frame_and_a_finding_its_verdict(home, store):
    with Recorder.open(home, "r") as recorder:
        recorder.emit("run", None, RunStarted(Task("q", "c")))
        recorder.emit("f1", "run", FrameStarted(0, "rlm", "q"))
        recorder.emit("f1.f1", "f1", FrameStarted(1, "rlm", "q"))
        recorder.emit("f1.f1.k1", "f1.f1", CALL)
        recorder.emit("f1.r1", "f1", FindingRecorded(Finding("pump 3", "leaks", "it drips")))
        recorder.emit("f1.r1", "f1", QuoteChecked("fuzzy", "a.txt", 3, 11, 1))
    spans = {span.id: span for span in store.spans("r")}
    assert [span.depth for span in spans.values()] == [None, 0, 1, 1, 0]
    assert (spans["f1.r1"].verdict, spans["f1.r1"].status, spans["f1.r1"].label) == ("fuzzy", "ok", "pump 3: leaks")


def test_events_before_a_run_has_started_and_second_starts_break_nothing(home, store):
    with Recorder.open(home, "r") as recorder:
        recorder.emit("f1", "run", Noted("n", "too early"))
        recorder.emit("f1.k1", "f1", CallFinished("ok", "a reply to nothing", None, 1.0))
        assert (store.run("r"), store.spans("r")) == (None, [])
        recorder.emit("run", None, RunStarted(Task("first", "c")))
        recorder.emit("run", None, RunStarted(Task("second", "c")))
        recorder.emit("run", None, RunFinished("failed", Answer("x" * 9000), "because"))
    row = store.run("r")
    assert (row.question, row.outcome, row.reason, len(row.answer)) == ("first", "failed", "because", 2000)


def test_labels_are_one_short_line():
    assert label("  two\n lines\t here ") == "two lines here"
    assert len(label("word " * 500)) == LABEL_CHARS
    assert label("") == ""


def test_calls_that_ask_the_same_of_different_data_share_a_key():
    one = call_fold_key("sub", "demo", 'Is note 17 ("the valve is shut") about a leak?')
    assert one == call_fold_key("sub", "demo", 'Is note 4 ("all quiet on Monday") about a leak?')
    assert one != call_fold_key("sub", "other", 'Is note 4 ("all quiet on Monday") about a leak?')
    assert one != call_fold_key("sub", "demo", 'Is note 4 ("all quiet on Monday") about a fire?')
    long = [
        call_fold_key("sub", "demo", f"Don't guess. Leak in `{word * 900}`? Yes or no.") for word in ("pump ", "seal ")
    ]
    assert long[0] == long[1]
