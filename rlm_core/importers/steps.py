"""Runs whose logs hold steps, each a reply with its code and what that printed, as events.

What is alike in such logs is here; what their fields mean is with each tool. Refuses to know files and stores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from rlm_core.events import (
    NOT_RECORDED,
    RUN_SPAN,
    CallFinished,
    CallStarted,
    CellFinished,
    CellStarted,
    Event,
    FrameFinished,
    FrameStarted,
    RunStarted,
    TurnFinished,
    TurnStarted,
)
from rlm_core.importers.numbering import Numbered
from rlm_core.task import Answer, Message, Outcome, Task, Usage

FRAME = "f1"


@dataclass(frozen=True, slots=True)
class Step:
    """One reply of the model, and the cell that came of it; without code there is none."""

    reply: str
    code: str
    output: str = ""
    failed: bool = False
    usage: Usage | None = None
    cost_usd: float | None = None
    took_s: float | None = None
    """From the end of the step before to the end of this one."""


def begin(numbered: Numbered, task: Task, tool: str, left_out: Sequence[str]) -> Iterator[Event]:
    yield numbered.event(RUN_SPAN, None, RunStarted(task, versions={tool: NOT_RECORDED}))
    yield numbered.left_out(left_out)
    yield numbered.event(FRAME, RUN_SPAN, FrameStarted(0, "rlm", task.question))


def step_events(
    numbered: Numbered,
    frame: str,
    number: int,
    step: Step,
    model: str,
    inside: Callable[[str], Iterable[Event]] = lambda _: (),
) -> Iterator[Event]:
    """`inside`: the events of what a cell did, for its span."""
    event, turn = numbered.event, f"{frame}.t{number}"
    end = None if step.took_s is None else numbered.at + step.took_s
    yield event(turn, frame, TurnStarted(number))
    yield event(f"{turn}.k1", turn, CallStarted("root", model, ()))
    yield event(f"{turn}.k1", turn, finished(step.reply, step.usage, step.cost_usd))
    if step.code:
        cell = f"{turn}.c1"
        yield event(cell, turn, CellStarted(step.code))
        yield from inside(cell)
        told = ("", step.output) if step.failed else (step.output, None)
        ended = CellFinished("failed" if step.failed else "ok", told[0], len(step.output), told[1])
        yield event(cell, turn, ended, end)
    yield event(turn, frame, TurnFinished(), end)


def finished(reply: str, usage: Usage | None, cost_usd: float | None) -> CallFinished:
    return CallFinished("ok", reply, usage, cost_usd, None if cost_usd is None else "provider")


def sub_call(
    numbered: Numbered, span: str, cell: str, model: str, prompt: str, done: CallFinished
) -> tuple[Event, Event]:
    asked = CallStarted("sub", model, (Message("user", prompt),))
    return numbered.event(span, cell, asked), numbered.event(span, cell, done)


def end(numbered: Numbered, outcome: Outcome, answer: Answer | None, reason: str = "") -> Iterator[Event]:
    yield numbered.event(FRAME, RUN_SPAN, FrameFinished(outcome, reason))
    yield numbered.end(outcome, answer, reason)


def in_words(*parts: str, code: str) -> str:
    """A reply of which a log has the reasoning and the code."""
    return "\n\n".join(part for part in (*parts, f"```repl\n{code}\n```" if code else "") if part)
