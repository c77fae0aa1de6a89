"""Traces of `predict-rlm` (`RunTrace` as JSON): steps with their tokens, their calls of tools and of helper models.

A step that a log gives no tokens keeps them unknown; where no step has any, those of the whole run stand at its last call, and
that is said. Refuses to know files and stores.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import BinaryIO

from rlm_core.events import NOT_RECORDED, CallFinished, Event, Noted
from rlm_core.importers.lines import document_of
from rlm_core.importers.numbering import WHEN, Numbered, as_json, id_of, number_of, text_of, whole_number
from rlm_core.importers.steps import FRAME, Step, begin, end, finished, in_words, step_events, sub_call
from rlm_core.task import Answer, Json, Limits, Outcome, Task, Usage

TOOL = "predict-rlm"
LEFT_OUT = ("the question", "the prompts of the root model", "the archive", WHEN)
OUTCOMES: dict[str, Outcome] = {"completed": "answered", "max_iterations": "forced", "error": "failed"}
NO_ANSWER = "The answer, which the log does not hold."
_FINAL = "FINAL: "


def is_log(first: Json) -> bool:
    """Whether an object is such a trace."""
    usage = first.get("usage")
    return {"status", "steps", "max_iterations"} <= first.keys() and isinstance(usage, dict) and "main" in usage


def read_log(log: BinaryIO, modified_at: float) -> Iterator[Event]:
    """The events of the run. `modified_at`, of the file, is when it began."""
    data, content = document_of(log)
    numbered = Numbered(id_of(content), modified_at)
    turns, model = whole_number(data.get("max_iterations")), text_of(data.get("model")) or NOT_RECORDED
    task = Task(
        NOT_RECORDED,
        "",
        options={"depth": 1},
        root_model=model,
        helper_model=text_of(data.get("sub_model")) or model,
        limits=Limits(max_turns=turns) if turns else Limits(),
    )
    yield from begin(numbered, task, TOOL, LEFT_OUT)
    steps = _objects(data.get("steps"))
    together = None if any(_main(each) for each in steps) else _main(data)
    for number, each in enumerate(steps, 1):
        used = together if number == len(steps) and together else _main(each)
        inside = partial(_inside, numbered, task, each)
        yield from step_events(numbered, FRAME, number, _step(each, used), model, inside)
    if together and len(steps) > 1:
        words = f"The tokens of the {len(steps)} calls of the root model are counted together, at the last one."
        yield numbered.event(FRAME, None, Noted("tokens together", words))
    outcome = OUTCOMES.get(text_of(data.get("status")), "interrupted")
    last = _output(steps[-1]) if steps else ""
    said = last.removeprefix(_FINAL) if last.startswith(_FINAL) else NO_ANSWER if outcome == "answered" else ""
    answer = Answer(said, "SUBMIT" if outcome == "answered" else "forced") if said else None
    yield from end(
        numbered, outcome, answer, f"The log ends here, as {text_of(data.get('status'))}." if not said else ""
    )


def _step(data: Json, used: Json | None) -> Step:
    code, took_ms = text_of(data.get("code")), number_of(data.get("duration_ms"))
    return Step(
        in_words(text_of(data.get("reasoning")), code=code),
        code,
        _output(data),
        bool(data.get("error")),
        *_usage(used),
        None if took_ms is None else took_ms / 1000,
    )


def _inside(numbered: Numbered, task: Task, step: Json, cell: str) -> Iterator[Event]:
    """What a cell did: tools it called are notes, helper models it asked are calls."""
    for tool in _objects(step.get("tool_calls")):
        failed = tool.get("error")
        came = f"failed: {text_of(failed)}" if failed else f"gave {as_json(tool.get('result'))}"
        given = ", ".join(as_json(tool[name]) for name in ("args", "kwargs") if tool.get(name))
        yield numbered.event(cell, None, Noted("tool call", f"{text_of(tool.get('name'))}({given}) {came}"))
    groups = _objects(step.get("predict_calls"))
    asked = [(group, call) for group in groups for call in _objects(group.get("calls"))]
    for number, (group, call) in enumerate(asked, 1):
        usage, cost_usd = _usage(call.get("usage"))
        error = text_of(call.get("error"))
        done = finished(as_json(call.get("output")), usage, cost_usd)
        if error:
            done = CallFinished("failed", None, usage, cost_usd, done.cost_source, error, "server", maybe_paid=True)
        prompt = "\n\n".join(
            filter(
                None, (text_of(group.get("signature")), text_of(group.get("instructions")), as_json(call.get("input")))
            )
        )
        model = text_of(group.get("model")) or task.helper_model
        yield from sub_call(numbered, f"{cell}.k{number}", cell, model, prompt, done)


def _output(step: Json) -> str:
    whole = step.get("untruncated_output")
    return text_of(step.get("output") if whole is None else whole)


def _main(data: Json) -> Json | None:
    """What the root model took, in a step or in all."""
    used = data.get("usage")
    found = used.get("main") if isinstance(used, dict) else None
    return found if isinstance(found, dict) and found else None


def _usage(given: object) -> tuple[Usage | None, float | None]:
    if not isinstance(given, dict):
        return None, None
    sent, made = whole_number(given.get("input_tokens")), whole_number(given.get("output_tokens"))
    return (None if sent is None and made is None else Usage(sent, made)), number_of(given.get("cost"))


def _objects(given: object) -> list[Json]:
    return [each for each in given if isinstance(each, dict)] if isinstance(given, list) else []
