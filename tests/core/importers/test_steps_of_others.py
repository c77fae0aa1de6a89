"""Runs of tools that keep one object for a run: what it holds is there, what it does not is unknown."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from foreign_logs import runs_of

from rlm_core import events as ev
from rlm_core.errors import StoreError
from rlm_core.importers import dspy, predict_rlm
from rlm_core.jobs.asking import open_store
from rlm_core.jobs.importing import import_runs, tool_of
from rlm_core.settings import Settings
from rlm_core.view import RunView

FOREIGN = Path(__file__).parents[4] / "shared" / "foreign"
ABSENT = pytest.mark.skipif(not FOREIGN.is_dir(), reason="needs the folder of foreign logs beside the clone")
PREDICTION: dict[str, Any] = {
    "answer": "four",
    "trajectory": [
        {"reasoning": "Look.", "code": "print(1)", "output": "1"},
        {"reasoning": "", "code": "1/0", "output": "[Error] division by zero"},
        {"reasoning": "Done.", "code": "SUBMIT(answer='four')", "output": "FINAL: {'answer': 'four'}"},
    ],
    "final_reasoning": "Done.",
}
USED = {"input_tokens": 10, "output_tokens": 2, "cost": 0.5}
TRACE: dict[str, Any] = {
    "status": "completed",
    "model": "big",
    "sub_model": "small",
    "max_iterations": 30,
    "usage": {"main": USED, "sub": {}},
    "steps": [
        {
            "reasoning": "Ask.",
            "code": "await predict()",
            "output": "['a']",
            "error": False,
            "duration_ms": 1500,
            "tool_calls": [{"name": "files", "args": ["."], "kwargs": {}, "result": ["a.txt"], "error": None}],
            "predict_calls": [
                {
                    "signature": "text -> label",
                    "model": "tiny",
                    "calls": [
                        {"usage": USED, "input": {"text": "x"}, "output": {"label": "y"}, "error": None},
                        {"usage": {}, "input": {"text": "z"}, "output": None, "error": "rate limit"},
                    ],
                }
            ],
        },
        {"reasoning": "", "code": "SUBMIT(2)", "output": "FINAL: {'answer': '2'}", "error": False, "duration_ms": 500},
    ],
}


def file_of(data: object) -> io.BytesIO:
    return io.BytesIO(json.dumps(data, indent=1).encode())


def notes(run: RunView, topic: str) -> list[str]:
    remarks = [each for node in run.nodes.values() for each in node.remarks]
    return [each.text for each in remarks if isinstance(each, ev.Noted) and each.topic == topic]


def test_a_prediction_of_dspy_is_a_run_of_which_everything_but_its_steps_is_unknown() -> None:
    (run,) = runs_of(dspy, file_of(PREDICTION))
    totals = run.totals()
    assert (run.outcome, run.answer and run.answer.text) == ("answered", "four")
    assert run.task
    assert (run.task.question, run.task.root_model) == ("not recorded", "not recorded")
    assert (totals.calls, totals.calls_without_usage, totals.calls_without_cost) == (3, 3, 3)
    assert [run.nodes[f"f1.t{turn}.c1"].status for turn in (1, 2, 3)] == ["ok", "failed", "ok"]
    assert "the calls that cells made" in notes(run, "not recorded")[0]


@pytest.mark.parametrize(
    ("changes", "outcome", "answer"),
    [
        ({"final_reasoning": dspy.FORCED}, "forced", "four"),
        ({"answer": {"n": 4}}, "answered", '{"n": 4}'),
        ({"sure": True}, "answered", '{"answer": "four", "sure": true}'),
        ({"trajectory": []}, "answered", "four"),
    ],
)
def test_every_end_of_a_prediction_is_read(changes: dict[str, Any], outcome: str, answer: str) -> None:
    (run,) = runs_of(dspy, file_of({**PREDICTION, **changes}))
    assert (run.outcome, run.answer and run.answer.text) == (outcome, answer)


def test_a_trace_of_predict_rlm_has_its_helper_calls_and_tools_below_the_cell_that_made_them() -> None:
    (run,) = runs_of(predict_rlm, file_of(TRACE))
    totals = run.totals()
    assert (run.outcome, run.answer and run.answer.text) == ("answered", "{'answer': '2'}")
    assert (totals.calls, totals.failed_calls, totals.cells) == (4, 1, 2)
    assert (totals.input_tokens, totals.cost_usd) == (20, 1.0)
    assert totals.calls_without_usage == 2, "the first of the root, whose tokens stand at the last, and the failed one"
    started = run.nodes["f1.t1.c1.k1"].started
    assert isinstance(started, ev.CallStarted)
    assert started.model == "tiny"
    assert notes(run, "tool call") == ['files(["."]) gave ["a.txt"]']
    assert notes(run, "tokens together")
    assert run.nodes["f1.t1.c1"].elapsed_s() == 1.5


@pytest.mark.parametrize(("status", "outcome"), [("error", "failed"), ("in_progress", "interrupted")])
def test_a_trace_that_came_to_no_answer_says_how_it_ended(status: str, outcome: str) -> None:
    (run,) = runs_of(predict_rlm, file_of({**TRACE, "status": status, "steps": TRACE["steps"][:1]}))
    assert (run.outcome, run.answer) == (outcome, None)


@pytest.mark.parametrize("broken", [None, 5, "x", [], [None, 5], {"a": 1}, float("inf")], ids=repr)
def test_fields_that_are_not_what_they_should_be_are_unknown(tmp_path: Path, broken: object) -> None:
    store = open_store(Settings(tmp_path / "data"))
    steps = [
        {**TRACE["steps"][0], name: broken}
        for name in ("code", "output", "usage", "tool_calls", "predict_calls", "error")
    ]
    logs = (
        {**TRACE, "steps": steps, "model": broken, "status": broken},
        {**TRACE, "steps": broken},
        {**PREDICTION, "trajectory": [{"code": broken, "output": broken, "reasoning": broken}], "answer": broken},
    )
    for number, log in enumerate(logs):
        file = tmp_path / f"{number}.json"
        file.write_bytes(file_of(log).getvalue())
        (imported,) = import_runs(store, file)
        assert store.run(imported.run)


def test_an_object_on_many_lines_is_recognised_and_imported_once(tmp_path: Path) -> None:
    store, file = open_store(Settings(tmp_path / "data")), tmp_path / "prediction.json"
    file.write_bytes(file_of(PREDICTION).getvalue())
    assert tool_of(file) == "dspy"
    assert [each.tool for each in import_runs(store, file)] == ["dspy"]
    with pytest.raises(StoreError, match="is here already"):
        list(import_runs(store, file))
    file.write_bytes(file_of({"trajectory": [1], "final_reasoning": ""}).getvalue())
    assert tool_of(file) is None


@ABSENT
@pytest.mark.parametrize("name", ["normal", "forced_extract"])
def test_real_predictions_have_the_steps_of_a_plain_count(name: str) -> None:
    content = (FOREIGN / "dspy" / f"{name}.json").read_bytes()
    (run,) = runs_of(dspy, io.BytesIO(content))
    steps = json.loads(content)["trajectory"]
    assert (run.totals().calls, run.totals().cells) == (len(steps), len(steps))
    assert run.outcome == ("answered" if name == "normal" else "forced")


@ABSENT
def test_a_whole_trace_has_the_totals_of_a_plain_count() -> None:
    content = (FOREIGN / "predict-rlm" / "completed.SYNTHETIC.json").read_bytes()
    (run,) = runs_of(predict_rlm, io.BytesIO(content))
    usage, totals = json.loads(content)["usage"], run.totals()
    assert totals.input_tokens == sum(each["input_tokens"] for each in usage.values())
    assert totals.output_tokens == sum(each["output_tokens"] for each in usage.values())
    assert totals.cost_usd == pytest.approx(sum(each["cost"] for each in usage.values()))
    assert totals.calls == 3 + 3
