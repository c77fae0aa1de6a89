"""Runs of other tools: what their logs hold is there, what they do not is unknown, and where they break off is said."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from foreign_logs import ASKED, METADATA, MODIFIED_AT, SYSTEM, block, fast_log, iteration, lines_of, rlms_log, runs_of

from rlm_core import events as ev
from rlm_core.errors import StoreError
from rlm_core.importers import fast_rlm, rlms
from rlm_core.jobs.asking import open_store
from rlm_core.jobs.importing import import_runs
from rlm_core.settings import Settings

FOREIGN = Path(__file__).parents[4] / "shared" / "foreign"
ABSENT = pytest.mark.skipif(not FOREIGN.is_dir(), reason="needs the folder of foreign logs beside the clone")


def test_a_trajectory_of_rlms_is_a_run_with_its_cells_calls_and_children() -> None:
    (run,) = runs_of(rlms, lines_of(rlms_log()))
    totals = run.totals()
    assert (run.outcome, run.answer and run.answer.text) == ("answered", "One room: A12")
    assert run.task
    assert (run.task.question, run.task.root_model) == ("How many rooms?", "big")
    assert (totals.calls, totals.failed_calls, totals.cells) == (4 + 2 + 2, 1, 5)
    assert (totals.input_tokens, totals.output_tokens) == (70, 12)
    assert totals.calls_without_usage == 4 + 1, "the root's calls, and the first of the child"
    assert totals.calls_without_cost == totals.calls
    child = run.nodes["f1.t3.c1.f1"]
    assert child.parent == "f1.t3.c1"
    assert [run.nodes[f"f1.t{turn}.c1"].status for turn in (1, 2, 3, 4)] == ["ok", "failed", "ok", "ok"]


def test_a_conversation_that_grows_is_kept_once_also_where_a_child_repeats_all_of_it() -> None:
    events = list(rlms.read_log(lines_of(rlms_log()), MODIFIED_AT))
    calls = {
        each.span: each.body for each in events if isinstance(each.body, ev.CallStarted) and each.body.role == "root"
    }
    assert calls["f1.t2.k1"].continues == "f1.t1.k1"
    assert [message.text for message in calls["f1.t2.k1"].messages] == ["2"]
    assert calls["f1.t3.k1"].continues is None, "its prompt does not go on from the one before"
    assert calls["f1.t3.c1.f1.t2.k1"].continues == "f1.t3.c1.f1.t1.k1"
    assert "context" not in str([each.body for each in events if isinstance(each.body, ev.CellFinished)])


@pytest.mark.parametrize(
    ("last", "outcome", "answer"),
    [
        (iteration(2, [], "I give up.", final="I give up."), "forced", "I give up."),
        (iteration(2, [], "FINAL_VAR(r)", final=["FINAL_VAR", "r"]), "answered", "nine"),
        (iteration(2, [], "Hm."), "interrupted", None),
    ],
    ids=["out of iterations", "a variable", "no answer"],
)
def test_every_form_of_an_answer_is_read(last: dict[str, Any], outcome: str, answer: str | None) -> None:
    (run,) = runs_of(rlms, lines_of([METADATA, iteration(1, [SYSTEM, ASKED], "Look.", block("r", r="nine")), last]))
    assert (run.outcome, run.answer.text if run.answer else None) == (outcome, answer)


def test_completions_that_share_a_file_are_runs_of_their_own() -> None:
    log = rlms_log()
    runs = runs_of(rlms, lines_of([*log, *log[1:3]]))
    assert [run.outcome for run in runs] == ["answered", "interrupted"]
    assert len({run.run for run in runs}) == 2


def test_a_log_that_is_cut_off_opens_as_far_as_it_goes_and_says_where_it_ends() -> None:
    whole = lines_of(rlms_log()).getvalue()
    (run,) = runs_of(rlms, io.BytesIO(whole[: whole.rindex(b"Ready")]))
    assert run.outcome == "interrupted"
    assert run.finished
    assert run.finished.reason.startswith("Line 5 of the log cannot be read")
    assert run.totals().cells == 4


def test_a_log_of_fast_rlm_is_a_run_in_the_order_of_its_steps() -> None:
    (run,) = runs_of(fast_rlm, lines_of(fast_log()))
    totals = run.totals()
    assert (run.outcome, run.answer and run.answer.text) == ("answered", "three")
    assert (totals.calls, totals.cells, totals.input_tokens, totals.output_tokens) == (4, 5, 26, 10)
    assert totals.cost_usd == pytest.approx(0.1)
    assert [run.nodes[f"f1.t{step}.c1"].status for step in range(4)] == ["ok", "ok", "failed", "ok"]
    (child,) = [node for node in run.nodes.values() if node.kind == "frame" and node.id != "f1"]
    assert child.parent == "f1.t1.c1", "the line of step 2 came too early"


@ABSENT
@pytest.mark.parametrize("file", sorted(FOREIGN.glob("rlms/*.jsonl")), ids=lambda file: file.name[:24])
def test_totals_of_real_trajectories_are_those_of_a_plain_count(file: Path) -> None:
    def calls(iterations: list[Any]) -> Iterator[Any]:
        for each in iterations:
            for cell in each["code_blocks"]:
                yield from cell["result"].get("rlm_calls") or cell["result"].get("llm_calls") or []

    def tokens(each: Any, side: str, flat: str) -> int:
        models = each.get("usage_summary", {}).get("model_usage_summaries", {})
        return each.get(flat) or sum(model[f"total_{side}_tokens"] for model in models.values())

    log = [json.loads(line) for line in file.read_text().splitlines()]
    iterations = [each for each in log if each["type"] == "iteration"]
    helpers = list(calls(iterations))
    children = [each for call in helpers if "metadata" in call for each in call["metadata"]["iterations"]]
    with file.open("rb") as lines:
        (run,) = runs_of(rlms, lines)
    totals = run.totals()
    plain = len([each for each in helpers if "metadata" not in each]) + len(list(calls(children)))
    assert totals.calls == len(iterations) + len(children) + plain
    assert totals.input_tokens == sum(tokens(each, "input", "prompt_tokens") for each in helpers)
    assert totals.output_tokens == sum(tokens(each, "output", "completion_tokens") for each in helpers)


@ABSENT
@pytest.mark.parametrize("file", sorted(FOREIGN.glob("fast-rlm/*.jsonl")), ids=lambda file: file.name[:24])
def test_totals_of_real_logs_of_fast_rlm_are_those_of_a_plain_count(file: Path) -> None:
    used = [each["usage"] for line in file.read_text().splitlines() if "usage" in (each := json.loads(line))]
    with file.open("rb") as lines:
        (run,) = runs_of(fast_rlm, lines)
    totals = run.totals()
    assert totals.calls == len([each for each in used if each["total_tokens"]])
    assert (totals.input_tokens, totals.output_tokens) == tuple(
        sum(each[name] for each in used) for name in ("prompt_tokens", "completion_tokens")
    )
    assert totals.cost_usd == pytest.approx(sum(each["cost"] for each in used))


def test_a_log_is_taken_over_once_with_whatever_its_texts_hold(tmp_path: Path) -> None:
    store = open_store(Settings(tmp_path / "data"))
    log = rlms_log()
    log[1]["response"] = "null \0 byte, half a sign \ud83d, <script>alert(1)</script>"
    file = tmp_path / "trajectory.jsonl"
    file.write_bytes(lines_of(log).getvalue())
    ((run, is_new),) = [(each.run, each.is_new) for each in import_runs(store, file)]
    assert is_new
    row = store.run(run)
    assert row
    assert (row.outcome, row.calls, row.corpus) == ("answered", 8, "")
    (first,) = [
        each.body for each in store.events(run) if each.span == "f1.t1.k1" and isinstance(each.body, ev.CallFinished)
    ]
    assert first.text == "null \0 byte, half a sign \ufffd, <script>alert(1)</script>"
    with pytest.raises(StoreError, match="is here already"):
        list(import_runs(store, file))


@pytest.mark.parametrize("content", [b"", b"\n\n", b"[1]\n", b"{}", b"PK\x03\x04", b'{"type": "metadata"}'], ids=repr)
def test_a_file_that_is_no_log_is_refused_with_what_can_be_read(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "thing.jsonl"
    file.write_bytes(content)
    with pytest.raises(StoreError, match="is no log that can be read here"):
        list(import_runs(open_store(Settings(tmp_path / "data")), file))
