"""Logs of other tools that lie, break off or go round in circles: what they say is there, what nobody can know is unknown."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from foreign_logs import METADATA, MODIFIED_AT, block, call, fast_log, iteration, lines_of, rlms_log, runs_of

from rlm_core import events as ev
from rlm_core.errors import StoreError
from rlm_core.event_json import to_dict
from rlm_core.importers import fast_rlm, rlms
from rlm_core.importers.numbering import MAX_NUMBER, number_of, seconds_at
from rlm_core.jobs.asking import open_store
from rlm_core.jobs.importing import import_runs
from rlm_core.settings import Settings
from rlm_core.store.store import Store
from rlm_core.view import RunView, fold

NESTED = json.loads("[" * 900 + "]" * 900)


def taken_over(folder: Path, *lines: object) -> tuple[Store, list[RunView]]:
    """The runs of a log of these lines, through the store; a line that is bytes is written as it is."""
    store, file = open_store(Settings(folder / "data")), folder / "log.jsonl"
    file.write_bytes(b"".join(line if isinstance(line, bytes) else f"{json.dumps(line)}\n".encode() for line in lines))
    return store, [fold(store.events(each.run)) for each in import_runs(store, file)]


def notes(run: RunView, topic: str) -> list[str]:
    return [
        each.text
        for node in run.nodes.values()
        for each in node.remarks
        if isinstance(each, ev.Noted) and each.topic == topic
    ]


@pytest.mark.parametrize("value", [float("inf"), float("nan"), 1e308, 10**400, 2**63, MAX_NUMBER, -1, True, "1", None])
def test_what_was_never_counted_is_no_number(value: object) -> None:
    assert number_of(value) is None
    assert number_of(MAX_NUMBER - 1) == MAX_NUMBER - 1


@pytest.mark.parametrize("stamp", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "1969-12-31", 5, None])
def test_a_time_that_cannot_be_shown_is_none(stamp: object) -> None:
    assert seconds_at(stamp) is None


def told(**values: Any) -> dict[str, Any]:
    return {**iteration(1, [], "Look."), **values}


def in_cell(**values: Any) -> dict[str, Any]:
    cell = block("x")
    return told(code_blocks=[{**cell, "result": {**cell["result"], **values}}])


def asked(**values: Any) -> dict[str, Any]:
    return in_cell(rlm_calls=[{"root_model": "s", "prompt": "p", "response": "r", **values}])


@pytest.mark.parametrize(
    "line",
    [
        told(iteration_time=float("inf")),
        told(iteration_time=1e308),
        told(iteration=float("inf")),
        told(prompt=NESTED),
        told(prompt=[{"role": "user", "content": "context is a str of ,,, total characters"}] * 2),
        told(prompt=[{"role": "user", "content": f"context is a str of {'9' * 5_000} total characters"}] * 2),
        told(response=NESTED),
        told(final_answer=NESTED),
        in_cell(execution_time=float("nan")),
        in_cell(execution_time=1e308),
        in_cell(locals={"a": NESTED, "b": float("nan")}),
        asked(prompt_tokens=float("inf"), completion_tokens=2**70),
        asked(total_cost=10**400),
        asked(usage_summary={"total_cost": float("inf"), "model_usage_summaries": [1]}),
    ],
    ids=lambda line: str(line)[-60:],
)
def test_a_value_that_cannot_be_is_unknown_and_the_run_is_there(tmp_path: Path, line: dict[str, Any]) -> None:
    store, (run,) = taken_over(tmp_path, METADATA, line)
    row = store.run(str(run.run))
    assert row
    assert (row.input_tokens, row.cost_usd) == (None, None)
    assert row.calls == row.unknown_cost_calls > 0
    assert row.finished_at
    assert row.finished_at - row.started_at <= 10


@pytest.mark.parametrize(
    "change",
    [
        {"max_iterations": float("inf")},
        {"max_depth": 10**400},
        {"other_backend_kwargs": [None]},
        {"root_model": NESTED},
    ],
    ids=lambda change: next(iter(change)),
)
def test_metadata_that_cannot_be_is_unknown(tmp_path: Path, change: dict[str, Any]) -> None:
    _, (run,) = taken_over(tmp_path, {**METADATA, **change}, iteration(1, [], "Look."))
    assert run.totals().calls == 1


def test_a_depth_of_zero_stays_zero() -> None:
    (run,) = runs_of(rlms, lines_of([{**METADATA, "max_depth": 0}, iteration(1, [], "Look.")]))
    assert run.task
    assert run.task.options == {"depth": 0}


def test_an_error_that_nobody_thought_of_names_the_log_and_the_run_and_leaves_nothing(tmp_path: Path) -> None:
    store, _ = taken_over(tmp_path, METADATA, iteration(1, [], "Look."))
    lines = [json.loads(line) for line in lines_of(own_form(store)).getvalue().splitlines()]
    for each in lines:
        each["run"] = "other"
        if each["kind"] == "CallStarted":
            each["body"]["messages"] = [{"role": "user", "text": {"a": NESTED}}]
            each["body"]["role"] = {}
    with pytest.raises(StoreError, match=r"The run other of log\.jsonl cannot be taken over: "):
        taken_over(tmp_path, *lines)
    assert store.run("other") is None
    assert store.events("other") == []


def own_form(store: Store) -> list[dict[str, Any]]:
    return [to_dict(each) for each in store.events(store.runs()[0].id)]


def test_a_bad_line_is_noted_though_there_is_an_answer_and_the_next_metadata_is_read_on(tmp_path: Path) -> None:
    first, second = iteration(1, [], "Nine.", final="nine"), iteration(1, [], "Ten.", final="ten")
    _, runs = taken_over(tmp_path, METADATA, first, b"{bad\n", iteration(2, [], "More."), METADATA, second)
    assert [run.answer and run.answer.text for run in runs] == ["nine", "ten"]
    assert notes(runs[0], "not readable")[0].startswith("Line 3 of the log cannot be read")
    assert notes(runs[1], "not readable") == []
    _, (fast,) = taken_over(tmp_path, *fast_log(), b"{bad\n", b"[]\n")
    assert fast.outcome == "answered"
    assert notes(fast, "not readable") == ["Lines 8, 9 of the log cannot be read and are left out."]


def test_an_iteration_without_a_number_goes_on_and_zero_is_a_number() -> None:
    log = [METADATA, iteration(0, [], "a"), {**iteration(1, [], "b"), "iteration": None}, iteration(1, [], "c")]
    runs = runs_of(rlms, lines_of([*log, iteration(0, [], "d"), METADATA, iteration(5, [], "e")]))
    assert [run.totals().calls for run in runs] == [3, 1, 1]


def test_a_log_that_has_grown_brings_only_its_new_runs(tmp_path: Path) -> None:
    first = iteration(1, [], "Nine.", final="nine")
    store, (run,) = taken_over(tmp_path, METADATA, first)
    file = tmp_path / "log.jsonl"
    file.write_bytes(file.read_bytes() + lines_of([first, METADATA, iteration(1, [], "Ten.", final="ten")]).getvalue())
    found = list(import_runs(store, file))
    assert [each.is_new for each in found] == [False, True, True], "one that begins alike is another run"
    assert found[0].run == run.run
    with pytest.raises(StoreError, match=r"All 3 runs of log\.jsonl are here already"):
        list(import_runs(store, file))


def test_a_run_that_cannot_be_read_does_not_cost_the_one_before_it(tmp_path: Path) -> None:
    store, _ = taken_over(tmp_path, METADATA, iteration(1, [], "Nine.", final="nine"))
    own = own_form(store)
    with pytest.raises(StoreError, match="begins with RunStarted"):
        taken_over(tmp_path, *({**each, "run": "one"} for each in own), {**own[1], "run": "two", "seq": 0})
    row = store.run("one")
    assert row
    assert row.outcome == "answered"


def test_single_calls_have_the_times_of_their_log_and_those_of_a_batch_have_none() -> None:
    calls = (call("a", "b", (1, 1), execution_time=0.25), call("c", "d", (1, 1), execution_time=0.5))
    for code, times in (("ask()", [0.25, 0.5]), ("llm_query_batched(all)", [0, 0])):
        (run,) = runs_of(rlms, lines_of([METADATA, iteration(1, [], "Ask.", block(code, calls=calls))]))
        assert [run.nodes[f"f1.t1.c1.k{number}"].elapsed_s() for number in (1, 2)] == times


def test_a_log_without_times_begins_when_its_file_was_written_and_says_so(tmp_path: Path) -> None:
    metadata = {name: value for name, value in METADATA.items() if name != "timestamp"}
    for reader, log in (
        (rlms, [metadata, {**iteration(1, [], "Nine.", final="nine"), "timestamp": None}]),
        (fast_rlm, [{**each, "time": None} for each in fast_log()]),
    ):
        (run,) = runs_of(reader, lines_of(log))
        assert run.nodes["run"].started_at == MODIFIED_AT
        assert "when anything happened" in notes(run, "not recorded")[0]
    file = tmp_path / "log.jsonl"
    file.write_bytes(lines_of([metadata, {**iteration(1, [], "a"), "timestamp": None}]).getvalue())
    os.utime(file, (MODIFIED_AT, MODIFIED_AT))
    store = open_store(Settings(tmp_path / "data"))
    list(import_runs(store, file))
    assert store.runs()[0].started_at == MODIFIED_AT


def nested_call(levels: int) -> dict[str, Any]:
    if not levels:
        return call("p", "r", (7, 3))
    inside = {"iterations": [iteration(1, [], "In.", block("x", calls=(nested_call(levels - 1),)))]}
    return call("p", "r", (7, 3), metadata=inside, total_cost=0.5)


def test_a_child_that_lies_too_deep_is_one_call_with_what_it_took() -> None:
    (run,) = runs_of(rlms, lines_of([METADATA, iteration(1, [], "Go.", block("x", calls=(nested_call(30),)))]))
    (note,) = notes(run, "left out")
    assert note.startswith("A child below level 20 is shown as one call: 1 call,")
    last = list(run.nodes.values())[-1]
    assert isinstance(last.finished, ev.CallFinished)
    assert last.finished.usage
    assert last.finished.usage.input_tokens == 7


def test_a_log_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    mark = "\ufeff".encode()
    store, (run,) = taken_over(tmp_path, mark, METADATA, iteration(1, [], "Nine.", final="nine"))
    assert run.outcome == "answered"
    own = [{**each, "run": "again"} for each in own_form(store)]
    assert taken_over(tmp_path, mark, *own)[1][0].run == "again"


def step(run: str, parent: str | None, number: int = 1, code: str = "c", cost: float = 0.5) -> dict[str, Any]:
    head = {"run_id": run, "parent_run_id": parent, "depth": 0, "event_type": "execution_result", "step": number}
    return {**head, "code": code, "output": "o", "usage": {"prompt_tokens": 3, "cost": cost}}


def start(run: str, parent: str | None) -> dict[str, Any]:
    return {"run_id": run, "parent_run_id": parent, "depth": 0, "event_type": "agent_start", "query": run}


def fast(*lines: dict[str, Any]) -> list[RunView]:
    return runs_of(fast_rlm, lines_of(list(lines)))


def test_a_child_of_a_step_without_code_or_of_an_agent_without_steps_is_there_with_its_costs() -> None:
    (of_turn,) = fast(start("a", None), start("c", "a"), step("c", "a", cost=5), step("a", None, code=""))
    assert of_turn.totals().cost_usd == 5.5
    assert of_turn.nodes["f1.t0.f1"].parent == "f1.t0"
    (of_frame,) = fast(start("a", None), start("c", "a"), step("c", "a", cost=5))
    assert of_frame.totals().cost_usd == 5
    assert of_frame.nodes["f1.f1"].parent == "f1"


def test_a_step_without_a_number_keeps_what_it_cost() -> None:
    (run,) = fast(start("a", None), {**step("a", None, cost=2), "step": float("inf")})
    assert (run.totals().calls, run.totals().cost_usd) == (1, 2)


def chain(agents: int) -> list[dict[str, Any]]:
    pairs = [(f"a{number}", f"a{number - 1}" if number else None) for number in range(agents)]
    return [line for name, parent in pairs for line in (start(name, parent), step(name, parent))]


def test_agents_that_lie_too_deep_are_counted_where_they_are_left_out() -> None:
    (run,) = fast(*chain(50))
    assert run.totals().calls == 21
    assert run.task
    assert run.task.options == {"depth": 50}
    (note,) = notes(run, "left out")
    assert note == "Agents below level 20 are left out: 29 of them, with 29 calls for $14.5000 that no sum holds."


@pytest.mark.parametrize("parents", [{"a": "a"}, {"a": "b", "b": "a"}, {"a": "b", "b": "c", "c": "b"}], ids=str)
def test_agents_that_are_each_others_parents_are_a_run(parents: dict[str, str]) -> None:
    runs = fast(*(line for name, parent in parents.items() for line in (start(name, parent), step(name, parent))))
    assert sum(run.totals().calls for run in runs) == len(parents)
    assert all(run.outcome == "interrupted" for run in runs)


@pytest.mark.parametrize(
    ("output", "status"),
    [
        ("Error: disk full", "failed"),
        ("[FULL OUTPUT SHOWN]... Error: disk full", "failed"),
        ("3\nTraceback (most recent call last):\n  File\nKeyError: 'a'", "failed"),
        ("lines:\nError: disk full (from log 3)\n3 found", "ok"),
        ("lines:\nTraceback (most recent call last):\nKeyError: 'a'\n3 found", "ok"),
    ],
)
def test_a_cell_failed_if_its_output_begins_or_ends_so_and_not_if_it_quotes_an_error(output: str, status: str) -> None:
    (run,) = fast(start("a", None), {**step("a", None), "output": output})
    assert run.nodes["f1.t0.c1"].status == status


def changed(lines: Sequence[dict[str, Any]], place: int, **values: Any) -> list[dict[str, Any]]:
    return [{**each, **(values if number == place else {})} for number, each in enumerate(lines)]


def test_a_run_of_our_own_form_is_refused_unless_it_is_whole_and_in_order(tmp_path: Path) -> None:
    store, _ = taken_over(tmp_path, *rlms_log())
    own = [{**each, "run": "own"} for each in own_form(store)]
    finished = next(number for number, each in enumerate(own) if each["kind"] == "CallFinished")
    for lines, words in (
        (own[1:], "Line 1 is no event of a run: a run begins with RunStarted, and this is Noted"),
        (own[:-1], "The run own has no end"),
        (changed(own, 3, seq=2), "Line 4 is no event of a run: its seq is 2, and the next one is 3"),
        (changed(own, 3, seq=2**70), "Line 4 is no event"),
        (own[::-1], "Line 1 is no event"),
        ([*own, {**own[1], "seq": len(own)}], "the run own ended on a line before"),
        (changed(own, 2, run="else"), "Line 3 is no event of a run: it is of the run else"),
        (changed(own, 0, at=float("inf")), "Line 1 is no event of a run: at must be"),
        (changed(own, 0, at=-1), "Line 1 is no event of a run: at must be"),
        (changed(own, finished, body={"status": "ok", "cost_usd": float("inf")}), "tokens and costs must be numbers"),
        (changed(own, finished, body={"status": "ok", "usage": {"input_tokens": 2**63}}), "tokens and costs must be"),
    ):
        with pytest.raises(StoreError, match=words):
            taken_over(tmp_path, *lines)
        if store.run("own"):
            store.delete_run("own")
    assert taken_over(tmp_path, *own)[1][0].outcome == "answered"
