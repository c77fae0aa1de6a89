"""Logs of fast-rlm: one line a step, of all agents of a run mixed, in no certain order.

A log is read twice: once for where the lines of each agent lie, then in the order of its steps. An agent with a parent is a child
of the cell that its parent was in when the child's first line was written. Step 0 is the look that the tool takes by itself: a
cell without a call. Of replies the log has the reasoning and the code alone, of the last cell no output. A line that cannot be
read is passed over, and that is said. Refuses to know files and stores.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from rlm_core.events import (
    RUN_SPAN,
    CallFinished,
    CallStarted,
    CellFinished,
    CellStarted,
    Event,
    FrameFinished,
    FrameStarted,
    Noted,
    RunStarted,
    TurnFinished,
    TurnStarted,
)
from rlm_core.importers.numbering import (
    NOT_RECORDED,
    Numbered,
    json_line,
    number_of,
    seconds_at,
    text_of,
    whole_number,
)
from rlm_core.task import Answer, Json, Outcome, Task, Usage

TOOL = "fast-rlm"
LEFT_OUT = (
    "the prompts",
    "replies beyond their reasoning and code",
    "what the last cell printed",
    "the models, unless named",
    "the archive",
)
UNKNOWN = "not recorded"
MAX_DEPTH = 20
_STEPS = ("execution_result", "code_generated")
_ERROR = re.compile(r"^(?:\[[^\]\n]*\][.\s]*)?(?:Error:|Traceback \(most recent call last\))", re.MULTILINE)


@dataclass
class _Agent:
    """Where the lines of one agent lie: offsets in the log."""

    parent: str | None = None
    first: int = -1
    steps: list[tuple[int, int]] = field(default_factory=list)
    """Step and offset."""
    start: int | None = None
    result: int | None = None
    children: list[str] = field(default_factory=list)


def is_log(first: Json) -> bool:
    """Whether the first line of a file is that of such a log."""
    return "run_id" in first and "event_type" in first and "depth" in first


def read_log(log: BinaryIO, run_of: Callable[[int], str]) -> Iterator[Event]:
    """The events of all runs of a log that can be read from its beginning again, one after the other; `run_of` names the run by
    its number, from 0."""
    agents, unread = _index(log)
    for name, agent in agents.items():
        if agent.parent in agents:
            agents[agent.parent].children.append(name)
    roots = [name for name, agent in agents.items() if agent.parent not in agents]
    for number, root in enumerate(roots):
        yield from _Reading(log, agents, unread).run(run_of(number), root)


def _index(log: BinaryIO) -> tuple[dict[str, _Agent], list[int]]:
    """The agents in the order of their first lines, and the numbers of the lines that cannot be read."""
    agents: dict[str, _Agent] = {}
    unread: list[int] = []
    offset = 0
    for number, line in enumerate(log, 1):
        data = json_line(line)
        if data is None:
            unread.append(number)
        elif "run_id" in data:
            agent = agents.setdefault(text_of(data["run_id"]), _Agent(first=offset))
            agent.parent = text_of(data.get("parent_run_id")) or agent.parent
            kind = data.get("event_type")
            if kind in _STEPS:
                agent.steps.append((whole_number(data.get("step")) or 0, offset))
            elif kind == "final_result":
                agent.result = offset
            elif kind == "agent_start":
                agent.start = offset
        offset += len(line)
    return agents, unread


class _Reading:
    def __init__(self, log: BinaryIO, agents: dict[str, _Agent], unread: list[int]) -> None:
        self._log, self._agents, self._unread = log, agents, unread

    def run(self, run: str, name: str) -> Iterator[Event]:
        agent = self._agents[name]
        first = self._at(agent.first)
        self._numbered = Numbered(run, self._began(first))
        question, model = self._question(agent), text_of(first.get("model")) or UNKNOWN
        task = Task(question, "", root_model=model, helper_model=model)
        yield self._numbered.event(RUN_SPAN, None, RunStarted(task, versions={TOOL: UNKNOWN}))
        yield self._numbered.left_out(LEFT_OUT)
        yield from self._frame("f1", RUN_SPAN, name, 0)
        outcome, answer = self._came_to(agent)
        yield self._numbered.end(outcome, answer, "" if answer else self._ends())

    def _frame(self, span: str, parent: str, name: str, depth: int) -> Iterator[Event]:
        agent = self._agents[name]
        yield self._numbered.event(span, parent, FrameStarted(depth, "rlm", self._question(agent)))
        steps = sorted(agent.steps)
        waiting = sorted(agent.children, key=lambda child: self._agents[child].first)
        for place, (step, offset) in enumerate(steps):
            is_last = place == len(steps) - 1
            inside = [child for child in waiting if is_last or self._agents[child].first < offset]
            waiting = [child for child in waiting if child not in inside]
            yield from self._step(f"{span}.t{place}", span, step, self._at(offset), inside if depth < MAX_DEPTH else [])
        outcome, answer = self._came_to(agent)
        yield self._numbered.event(
            span, parent, FrameFinished(outcome, "" if answer else self._ends(), answer if depth else None)
        )

    def _step(self, turn: str, frame: str, step: int, data: Json, children: list[str]) -> Iterator[Event]:
        event, times = self._numbered.event, data.get("timestamps")
        times = times if isinstance(times, dict) else {}
        code, reasoning = text_of(data.get("code")), text_of(data.get("reasoning"))
        yield event(turn, frame, TurnStarted(step), seconds_at(times.get("llm_call_start")))
        if step:
            call = f"{turn}.k1"
            usage, cost_usd = _usage(data.get("usage"))
            words = "\n\n".join(part for part in (reasoning, f"```repl\n{code}\n```" if code else "") if part)
            yield event(call, turn, CallStarted("root", text_of(data.get("model")) or UNKNOWN, ()))
            source = None if cost_usd is None else "provider"
            yield event(
                call, turn, CallFinished("ok", words, usage, cost_usd, source), seconds_at(times.get("llm_call_end"))
            )
        if code:
            yield from self._cell(f"{turn}.c1", turn, code, data, children, times)
        yield event(turn, frame, TurnFinished(), seconds_at(data.get("time")))

    def _cell(self, cell: str, turn: str, code: str, data: Json, children: list[str], times: Json) -> Iterator[Event]:
        event, output = self._numbered.event, text_of(data.get("output"))
        yield event(cell, turn, CellStarted(code), seconds_at(times.get("execution_start")))
        for number, child in enumerate(children, 1):
            yield from self._frame(f"{cell}.f{number}", cell, child, cell.count(".f") + 1)
        failed = bool(_ERROR.search(output))
        end = seconds_at(times.get("execution_end")) or seconds_at(data.get("time"))
        finished = CellFinished(
            "failed" if failed else "ok", "" if failed else output, len(output), output if failed else None
        )
        if "output" not in data:
            yield event(cell, None, Noted(NOT_RECORDED, "The log does not record what this cell printed."))
        yield event(cell, turn, finished, end)

    def _came_to(self, agent: _Agent) -> tuple[Outcome, Answer | None]:
        if agent.result is None:
            return "interrupted", None
        result = self._at(agent.result).get("result")
        return "answered", Answer(
            result if isinstance(result, str) else json.dumps(result, ensure_ascii=False), "FINAL"
        )

    def _ends(self) -> str:
        lines = f" Line {self._unread[0]} of it cannot be read." if self._unread else ""
        return f"The log ends here without an answer.{lines}"

    def _question(self, agent: _Agent) -> str:
        start = self._at(agent.start) if agent.start is not None else {}
        return next(
            (text for key in ("query", "question", "prompt", "context") if (text := text_of(start.get(key)))), UNKNOWN
        )

    def _began(self, first: Json) -> float:
        times = first.get("timestamps")
        started = times.get("execution_start") if isinstance(times, dict) else None
        return seconds_at(started) or seconds_at(first.get("time")) or 0.0

    def _at(self, offset: int) -> Json:
        self._log.seek(offset)
        return json_line(self._log.readline()) or {}


def _usage(given: object) -> tuple[Usage | None, float | None]:
    if not isinstance(given, dict):
        return None, None
    names = ("prompt_tokens", "completion_tokens", "cached_tokens", "reasoning_tokens")
    counts = [whole_number(given.get(name)) for name in names]
    return (Usage(*counts) if any(each is not None for each in counts) else None), number_of(given.get("cost"))
