"""Logs of fast-rlm: one line a step, of all agents of a run mixed, in no certain order.

A log is read twice: once for where the lines of each agent lie, then in the order of its steps. An agent with a parent is a child
of the cell that its parent was in when the child's first line was written; of its turn or frame where there was no cell. Step 0
is the look that the tool takes by itself: a cell without a call. Of replies the log has the reasoning and the code alone, of the
last cell no output. A line that cannot be read is passed over, and that is said. Refuses to know files and stores.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO

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
    Noted,
    RunStarted,
    TurnFinished,
    TurnStarted,
)
from rlm_core.importers.cells import ended_badly
from rlm_core.importers.lines import MAX_LINE_BYTES, json_line, lines_of
from rlm_core.importers.numbering import (
    UNREADABLE,
    WHEN,
    Numbered,
    as_json,
    id_of,
    number_of,
    seconds_at,
    text_of,
    whole_number,
)
from rlm_core.task import Answer, Json, Outcome, Task, Usage
from rlm_core.wording import exact

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
"""Agents that lie deeper are left out, and that is said: no recursion may be as deep as a log says."""
LINES_NAMED = 5
_STEPS = ("execution_result", "code_generated")
_ERROR = re.compile(r"\s*(?:\[[^\]\n]*\][.\s]*)?(?:Error:|Traceback \(most recent call last\))")
_TRACEBACK = re.compile(r"^Traceback \(most recent call last\)", re.MULTILINE)


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


def read_log(log: BinaryIO, modified_at: float) -> Iterator[Event]:
    """The events of all runs of a log that can be read from its beginning again, one after the other. `modified_at`, of the file,
    is when runs began that have no times."""
    agents, unread = _index(log)
    for root in _roots(agents):
        yield from _Reading(log, agents, unread, modified_at).run(root)


def _roots(agents: dict[str, _Agent]) -> list[str]:
    """Agents without a parent, and one of those that are each other's parents, which is then nobody's child; each other agent
    becomes a child of its parent."""
    for name, agent in agents.items():
        if agent.parent in agents:
            agents[agent.parent].children.append(name)
    roots, reached = [], set[str]()
    for name in (*(name for name, agent in agents.items() if agent.parent not in agents), *agents):
        if name in reached:
            continue
        roots.append(name)
        reached.add(name)
        waiting = [name]
        while waiting:
            agent = agents[waiting.pop()]
            agent.children = [child for child in agent.children if child not in reached]
            reached.update(agent.children)
            waiting += agent.children
    return roots


def _index(log: BinaryIO) -> tuple[dict[str, _Agent], list[int]]:
    """The agents in the order of their first lines, and the numbers of the lines that cannot be read."""
    agents: dict[str, _Agent] = {}
    unread: list[int] = []
    for number, (offset, line) in enumerate(lines_of(log), 1):
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
    return agents, unread


class _Reading:
    def __init__(self, log: BinaryIO, agents: dict[str, _Agent], unread: list[int], modified_at: float) -> None:
        self._log, self._agents, self._unread, self._modified_at = log, agents, unread, modified_at

    def run(self, name: str) -> Iterator[Event]:
        agent = self._agents[name]
        line = self._line(agent.first)
        first = json_line(line) or {}
        began = self._began(first)
        self._numbered = Numbered(id_of(name.encode(errors="replace"), line), began or self._modified_at)
        question, model = self._question(agent), text_of(first.get("model")) or UNKNOWN
        options = {"depth": 1 + max(level for _, level in self._below([name]))}
        task = Task(question, "", options=options, root_model=model, helper_model=model)
        yield self._numbered.event(RUN_SPAN, None, RunStarted(task, versions={TOOL: UNKNOWN}))
        yield self._numbered.left_out(LEFT_OUT if began else (*LEFT_OUT, WHEN))
        if self._unread:
            words = f"{_lines(self._unread)} of the log cannot be read and {_are(self._unread)} left out."
            yield self._numbered.event(RUN_SPAN, None, Noted(UNREADABLE, words))
        yield from self._frame("f1", RUN_SPAN, name, 0)
        outcome, answer = self._came_to(agent)
        yield self._numbered.end(outcome, answer, "" if answer else self._ends())

    def _frame(self, span: str, parent: str, name: str, depth: int) -> Iterator[Event]:
        agent = self._agents[name]
        yield self._numbered.event(span, parent, FrameStarted(depth, "rlm", self._question(agent)))
        steps = sorted(agent.steps)
        waiting = deque(sorted(agent.children, key=lambda child: self._agents[child].first))
        for place, (step, offset) in enumerate(steps):
            is_last, inside = place == len(steps) - 1, list[str]()
            while waiting and (is_last or self._agents[waiting[0]].first < offset):
                inside.append(waiting.popleft())
            yield from self._step(f"{span}.t{place}", span, step, self._at(offset), inside, depth)
        yield from self._children(span, waiting, depth)  # of an agent without steps
        outcome, answer = self._came_to(agent)
        yield self._numbered.event(
            span, parent, FrameFinished(outcome, "" if answer else self._ends(), answer if depth else None)
        )

    def _children(self, span: str, names: Sequence[str], depth: int) -> Iterator[Event]:
        """The agents that were asked within a cell, or else within a turn or a frame. `depth` is the level of that frame."""
        if names and depth >= MAX_DEPTH:
            yield self._numbered.event(span, None, Noted("left out", self._left_out(names)))
            return
        for number, name in enumerate(names, 1):
            yield from self._frame(f"{span}.f{number}", span, name, depth + 1)

    def _step(
        self, turn: str, frame: str, step: int, data: Json, children: Sequence[str], depth: int
    ) -> Iterator[Event]:
        event, times = self._numbered.event, data.get("timestamps")
        times = times if isinstance(times, dict) else {}
        code, reasoning = text_of(data.get("code")), text_of(data.get("reasoning"))
        yield event(turn, frame, TurnStarted(step), seconds_at(times.get("llm_call_start")))
        if _asked(step, data):
            call = f"{turn}.k1"
            usage, cost_usd = _usage(data.get("usage"))
            words = "\n\n".join(part for part in (reasoning, f"```repl\n{code}\n```" if code else "") if part)
            yield event(call, turn, CallStarted("root", text_of(data.get("model")) or UNKNOWN, ()))
            source = None if cost_usd is None else "provider"
            yield event(
                call, turn, CallFinished("ok", words, usage, cost_usd, source), seconds_at(times.get("llm_call_end"))
            )
        if code:
            cell = f"{turn}.c1"
            yield event(cell, turn, CellStarted(code), seconds_at(times.get("execution_start")))
            yield from self._children(cell, children, depth)
            yield from self._cell_end(cell, turn, data, times)
        else:
            yield from self._children(turn, children, depth)
        yield event(turn, frame, TurnFinished(), seconds_at(data.get("time")))

    def _cell_end(self, cell: str, turn: str, data: Json, times: Json) -> Iterator[Event]:
        event, output = self._numbered.event, text_of(data.get("output"))
        failed = _failed(output)
        end = seconds_at(times.get("execution_end")) or seconds_at(data.get("time"))
        finished = CellFinished(
            "failed" if failed else "ok", "" if failed else output, len(output), output if failed else None
        )
        if "output" not in data:
            yield event(cell, None, Noted(NOT_RECORDED, "The log does not record what this cell printed."))
        yield event(cell, turn, finished, end)

    def _below(self, names: Sequence[str]) -> Iterator[tuple[str, int]]:
        """These agents and all below them, each with its level beneath the first."""
        waiting = [(name, 0) for name in names]
        while waiting:
            name, level = waiting.pop()
            yield name, level
            waiting += [(child, level + 1) for child in self._agents[name].children]

    def _left_out(self, names: Sequence[str]) -> str:
        agents = [self._agents[name] for name, _ in self._below(names)]
        steps = [data for agent in agents for step, offset in agent.steps if _asked(step, data := self._at(offset))]
        costs = [_usage(each.get("usage"))[1] for each in steps]
        known = sum(each for each in costs if each is not None)
        unknown = f" and what {costs.count(None):,} of them cost is not known" if None in costs else ""
        return (
            f"Agents below level {MAX_DEPTH} are left out: {len(agents):,} of them, with {exact(len(steps), 'call')} "
            f"for ${known:,.4f} that no sum holds{unknown}."
        )

    def _came_to(self, agent: _Agent) -> tuple[Outcome, Answer | None]:
        if agent.result is None:
            return "interrupted", None
        result = self._at(agent.result).get("result")
        return "answered", Answer(as_json(result), "FINAL")

    def _ends(self) -> str:
        lines = f" {_lines(self._unread)} of it cannot be read." if self._unread else ""
        return f"The log ends here without an answer.{lines}"

    def _question(self, agent: _Agent) -> str:
        start = self._at(agent.start) if agent.start is not None else {}
        return next(
            (text for key in ("query", "question", "prompt", "context") if (text := text_of(start.get(key)))), UNKNOWN
        )

    def _began(self, first: Json) -> float | None:
        times = first.get("timestamps")
        started = times.get("execution_start") if isinstance(times, dict) else None
        return seconds_at(started) or seconds_at(first.get("time"))

    def _at(self, offset: int) -> Json:
        return json_line(self._line(offset)) or {}

    def _line(self, offset: int) -> bytes:
        self._log.seek(offset)
        return self._log.readline(MAX_LINE_BYTES)


def _failed(output: str) -> bool:
    """Whether what a cell printed says at its beginning that it failed, or ends with a traceback: a quoted error is output."""
    return bool(_ERROR.match(output) or (_TRACEBACK.search(output) and ended_badly(output)))


def _lines(numbers: Sequence[int]) -> str:
    """`Line 3`, `Lines 3, 7, 8`; of many, the first ones and how many more there are."""
    named = ", ".join(f"{number:,}" for number in numbers[:LINES_NAMED])
    more = f" and {len(numbers) - LINES_NAMED:,} more" if len(numbers) > LINES_NAMED else ""
    return f"Line{'' if len(numbers) == 1 else 's'} {named}{more}"


def _are(numbers: Sequence[int]) -> str:
    return "is" if len(numbers) == 1 else "are"


def _asked(step: int, data: Json) -> bool:
    """Whether a model was asked in a step: in each but the look that the tool takes by itself, which costs nothing."""
    usage, cost_usd = _usage(data.get("usage"))
    return bool(step or cost_usd or (usage and (usage.input_tokens or usage.output_tokens)))


def _usage(given: object) -> tuple[Usage | None, float | None]:
    if not isinstance(given, dict):
        return None, None
    names = ("prompt_tokens", "completion_tokens", "cached_tokens", "reasoning_tokens")
    counts = [whole_number(given.get(name)) for name in names]
    return (Usage(*counts) if any(each is not None for each in counts) else None), number_of(given.get("cost"))
