"""State = fold(events): every prefix folds, one by one equals all at once, and unknown is never zero."""

from __future__ import annotations

import pytest

from rlm_core import events as ev
from rlm_core.event_json import from_dict, to_dict
from rlm_core.events import Event
from rlm_core.task import Answer, Finding, Message, Task, Usage, standing
from rlm_core.view import RunView, Totals, fold

TASK = Task("How many?", "c-1")


def run_of(*facts: tuple[str, str | None, ev.Body]) -> list[Event]:
    return [Event("r", seq, 100.0 + seq, span, parent, body) for seq, (span, parent, body) in enumerate(facts)]


def call(
    span: str, parent: str, finished: ev.CallFinished | None, **started: object
) -> list[tuple[str, str | None, ev.Body]]:
    messages = started.pop("messages", (Message("user", "hi"),))
    opened = ev.CallStarted("root", "m", messages, **started)  # type: ignore[arg-type]
    return [(span, parent, opened), *([(span, parent, finished)] if finished else [])]


def small_run() -> list[Event]:
    return run_of(
        ("run", None, ev.RunStarted(TASK)),
        ("f1", "run", ev.FrameStarted(0, "rlm", "How many?")),
        ("f1.t1", "f1", ev.TurnStarted(1)),
        *call("f1.t1.k1", "f1.t1", ev.CallFinished("ok", "look", Usage(10, 5), 0.25)),
        ("f1.t1.c1", "f1.t1", ev.CellStarted("print(1)")),
        *call("f1.t1.c1.k1", "f1.t1.c1", ev.CallFinished("ok", "yes", None, None)),
        *call("f1.t1.c1.k2", "f1.t1.c1", ev.CallFinished("failed", error="no", error_kind="unreachable")),
        ("f1.t1.c1.r1", "f1.t1.c1", ev.FindingRecorded(Finding("A12", "yes", "wet"))),
        ("f1.t1.c1.r1", "f1.t1.c1", ev.QuoteChecked("exact", "a.txt", 3, 6, 1)),
        ("f1.t1.c1", "f1.t1", ev.CellFinished("ok", "1\n", 2)),
        ("f1.t1", "f1", ev.TurnFinished()),
        ("f1", "run", ev.FrameFinished("answered")),
        ("run", None, ev.RunFinished("answered", Answer("1"))),
    )


def test_every_prefix_of_a_run_folds_and_totals_never_fall() -> None:
    events, before = small_run(), Totals()
    for end in range(len(events) + 1):
        total = fold(events[:end]).totals()
        assert total.calls >= before.calls
        assert total.cost_usd >= before.cost_usd
        before = total


def test_applying_one_by_one_equals_folding_all() -> None:
    view = RunView()
    for event in small_run():
        view.apply(event)
    assert view.nodes == fold(small_run()).nodes


def test_a_missing_usage_and_price_are_counted_as_unknown_and_not_as_zero() -> None:
    total = fold(small_run()).totals()
    assert (total.calls, total.failed_calls, total.cells) == (3, 1, 1)
    assert (total.input_tokens, total.output_tokens, total.calls_without_usage) == (10, 5, 1)
    assert (total.cost_usd, total.calls_without_cost) == (0.25, 1)


def test_totals_of_a_node_cover_what_is_below_it() -> None:
    view = fold(small_run())
    assert view.totals("f1.t1.c1").calls == 2
    assert view.totals("f1.t1.k1").cost_usd == 0.25


def test_an_open_run_is_running_and_lists_its_open_nodes_innermost_first() -> None:
    view = fold(small_run()[:5])
    assert view.outcome is None
    assert [node.id for node in view.open_nodes()] == ["f1.t1", "f1", "run"]
    assert view.nodes["f1"].status == "running"


def test_a_finding_carries_the_verdict_of_its_quote() -> None:
    ((span, finding, checked),) = fold(small_run()).findings()
    assert (span, finding.item, checked and checked.verdict) == ("f1.t1.c1.r1", "A12", "exact")


def test_a_prompt_is_put_together_from_the_calls_that_it_continues() -> None:
    first, second = (Message("system", "be"), Message("user", "q")), (Message("user", "output"),)
    view = fold(
        run_of(
            ("run", None, ev.RunStarted(TASK)),
            *call("a", "run", ev.CallFinished("ok", "code"), messages=first),
            *call("b", "run", None, messages=second, continues="a"),
        )
    )
    assert view.prompt("b") == (*first, Message("assistant", "code"), *second)


def test_events_survive_the_way_to_plain_values_and_back() -> None:
    for event in small_run():
        assert from_dict(to_dict(event)) == event


def test_an_item_recorded_again_with_another_label_is_corrected_and_with_the_same_label_has_two_passages() -> None:
    def recorded(number: int, label: str) -> tuple[str, str, ev.Body]:
        return f"c.r{number}", "c", ev.FindingRecorded(Finding("A12", label, f"passage {number}"))

    view = fold(run_of(recorded(1, "no"), recorded(2, "yes"), recorded(3, "yes")))
    assert [span for span, _, _ in view.findings()] == ["c.r2", "c.r3"]
    assert len(view.findings(corrected=True)) == 3


def test_a_log_that_leads_round_in_circles_is_read_once() -> None:
    task = Task("?", "c")
    view = fold(
        run_of(
            ("run", None, ev.RunStarted(task)),
            ("f1", "f1", ev.FrameStarted(0, "rlm", "?")),
            ("f1.k1", "f1", ev.CallStarted("root", "m", (Message("user", "one"),), continues="f1.k2")),
            ("f1.k2", "f1.k1", ev.CallStarted("root", "m", (Message("user", "two"),), continues="f1.k1")),
            ("f1.k1", "f1.k2", ev.CallStarted("root", "m", (Message("user", "again"),))),
            ("f1.k3", "f1", ev.CallStarted("root", "m", (Message("user", "three"),), continues="gone")),
        )
    )
    assert [node.id for node, _ in view.walk("f1")] == ["f1", "f1.k1", "f1.k2", "f1.k3"]
    assert [message.text for message in view.prompt("f1.k2")] == ["one", "two"]
    assert [message.text for message in view.prompt("f1.k3")] == ["three"]


@pytest.mark.parametrize(
    ("recorded", "stands"),
    [
        ([("A", "yes", "q", "exact"), ("A", "no", "r", "exact")], [False, True]),
        ([("A", "yes", "q...", "not found"), ("A", "yes", "q", "exact")], [False, True]),
        ([("A", "yes", "q", "exact"), ("A", "yes", "q...", "not found")], [True, False]),
        ([("A", "yes", "q...", "not found"), ("A", "yes", "r...", "not found")], [True, True]),
        (
            [("A", "yes", "q 5", "conflict"), ("A", "yes", "qq", "fuzzy"), ("A", "yes", "q", "exact")],
            [False, False, True],
        ),
        ([("A", "yes", "q", "ambiguous"), ("A", "yes", "r", "exact")], [True, True]),
        ([("A", "yes", "q", "ambiguous"), ("A", "yes", "q", "exact")], [False, True]),
        ([("A", "yes", "q", "exact"), ("A", "yes", "q", "ambiguous")], [True, False]),
        ([("A", "yes", "q", "ambiguous"), ("A", "yes", "q", "ambiguous")], [False, True]),
        ([("A", "yes", "q", "exact"), ("A", "yes", "q", "exact")], [False, True]),
        ([("A", "yes", "q", "exact"), ("A", "yes", "r", "exact")], [True, True]),
        (
            [("A", "no", "q...", "not found"), ("A", "unknown", None, "no quote"), ("A", "no", "q", "exact")],
            [False, False, True],
        ),
    ],
)
def test_a_finding_that_is_recorded_again_is_corrected(recorded, stands):
    found = [(Finding(item, label, quote), verdict) for item, label, quote, verdict in recorded]
    assert standing(found) == stands
