"""Trajectories of the official `rlms` package: a line of metadata, then one an iteration, as its `RLMLogger` writes them.

Today's form and that of January 2026 (`llm_calls`, flat token counts, an answer that names a variable). A child lies within the
call that made it. Several completions share one file where they shared a logger: each is a run. A line that cannot be read ends
its run: what came before it is kept, and what follows it up to the next line of metadata is passed over. The context, which each
cell repeats twice, is left out. Refuses to know files and stores.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
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
from rlm_core.importers.cells import changed, ended_badly
from rlm_core.importers.lines import json_line, lines_of
from rlm_core.importers.numbering import (
    UNREADABLE,
    WHEN,
    Numbered,
    added_to,
    id_of,
    is_time,
    messages_of,
    number_of,
    seconds_at,
    text_of,
    whole_number,
)
from rlm_core.importers.rlms_usage import blocks_of, calls_of, counted_calls, own_usage_of, result_of, usage_of
from rlm_core.task import Answer, Json, Limits, Message, Outcome, Task, Usage
from rlm_core.wording import exact

TOOL = "rlms"
LEFT_OUT = (
    "the tokens of the root model's calls",
    "what calls cost, where no cost is shown",
    "when helper calls began and how long each one of a batch took",
    "the archive",
)
MAX_DEPTH = 20
"""Children that lie deeper are calls like any other: no recursion may be as deep as a log says."""
_QUESTION = re.compile(r"Answer the following:\s*(.+?)(?:\n\n|$)", re.DOTALL)
_QUESTION_THEN = re.compile(r'original (?:prompt|query):?\s*"(.+?)"\.?(?:\n\n|\s|$)', re.DOTALL | re.IGNORECASE)
_CONTEXT = re.compile(r"[Cc]ontext is an? (\w+)\D{0,40}?(\d[\d,]{0,14}) total characters")
_IS_CONTEXT = re.compile(r"context(_\d+)?$|history(_\d+)?$")


def is_log(first: Json) -> bool:
    """Whether the first line of a file is that of such a log."""
    return first.get("type") == "metadata" and "root_model" in first


def read_log(log: BinaryIO, modified_at: float) -> Iterator[Event]:
    """The events of all runs of a log, one after the other. `modified_at`, of the file, is when runs began that have no times.
    One line is held at a time."""
    opening, passing_over = b"", False
    reading: _Run | None = None
    names = set[str]()
    for at, (_, line) in enumerate(lines_of(log), 1):
        data = json_line(line)
        if data is None:
            if not passing_over:
                reading = reading or _Run(_name(names, opening), opening, {}, modified_at)
                yield from reading.end(at)
            reading, passing_over = None, True
        elif data.get("type") == "metadata":
            if reading:
                yield from reading.end()
            opening, reading, passing_over = line, None, False
        elif data.get("type") == "iteration" and not passing_over:
            if reading and reading.is_over_before(data):
                yield from reading.end()
                reading = None
            reading = reading or _Run(_name(names, opening, line), opening, data, modified_at)
            yield from reading.go_on(data)
    if reading or not names:
        yield from (reading or _Run(_name(names, opening), opening, {}, modified_at)).end()


def _name(names: set[str], *lines: bytes) -> str:
    """An id for a run that no other one of this log has, not even one that begins with the same lines."""
    name = id_of(*lines)
    while name in names:
        name = id_of(name.encode())
    names.add(name)
    return name


class _Run:
    def __init__(self, run: str, opening: bytes, first: Json, modified_at: float) -> None:
        """`opening`: the line of metadata; `first`: the first iteration, empty if there is none."""
        self._metadata = json_line(opening) or {}
        began = seconds_at(first.get("timestamp"))
        took_s = number_of(first.get("iteration_time")) or 0.0
        if began is None:
            began = seconds_at(self._metadata.get("timestamp"))
        elif is_time(began - took_s):
            began -= took_s
        self._has_times = began is not None
        self._numbered = Numbered(run, modified_at if began is None else began)
        self._frame = _Frame(self._numbered, "f1", RUN_SPAN, 0, _model(self._metadata))
        self._question = _question(messages_of(first.get("prompt")))
        self._context = _context(messages_of(first.get("prompt")))
        self._last: int | None = None
        self._has_begun = False

    def is_over_before(self, data: Json) -> bool:
        """Whether an iteration is another run's: its number is there, and not larger than the last one."""
        number = whole_number(data.get("iteration"))
        return number is not None and self._last is not None and number <= self._last

    def go_on(self, data: Json) -> Iterator[Event]:
        yield from self._begin()
        number = whole_number(data.get("iteration"))
        self._last = number if number is not None else self._last
        yield from self._frame.iteration(data)

    def end(self, unread: int | None = None) -> Iterator[Event]:
        """`unread`: the number of the line that cannot be read, if that is why the run ends here."""
        yield from self._begin()
        ends = "The log ends here."
        if unread is not None:
            ends = f"Line {unread} of the log cannot be read: it may have been cut off there."
            words = f"{ends} What follows it, up to the next line of metadata, is left out."
            yield self._numbered.event(RUN_SPAN, None, Noted(UNREADABLE, words))
        outcome, answer, reason = self._frame.came_to(ends)
        yield self._numbered.event("f1", RUN_SPAN, FrameFinished(outcome, reason))
        yield self._numbered.end(outcome, answer, reason)

    def _begin(self) -> Iterator[Event]:
        if self._has_begun:
            return
        self._has_begun = True
        data = self._metadata
        turns, depth = whole_number(data.get("max_iterations")), whole_number(data.get("max_depth"))
        helpers = data.get("other_backend_kwargs")
        helper = helpers[0] if isinstance(helpers, list) and helpers and isinstance(helpers[0], dict) else {}
        task = Task(
            self._question,
            "",
            options={"depth": 1 if depth is None else depth},
            root_model=_model(data),
            helper_model=text_of(helper.get("model_name")) or _model(data),
            limits=Limits(max_turns=turns) if turns else Limits(),
        )
        yield self._numbered.event(RUN_SPAN, None, RunStarted(task, versions={TOOL: "not recorded"}))
        yield self._numbered.left_out(LEFT_OUT if self._has_times else (*LEFT_OUT, WHEN))
        yield from self._frame.begin(self._question, self._context)


@dataclass
class _Frame:
    """A root or a child, iteration by iteration."""

    numbered: Numbered
    span: str
    parent: str
    depth: int
    model: str
    turn: int = 0
    said: tuple[str, tuple[Message, ...], str] | None = None
    """The last call, its prompt and its reply."""
    variables: dict[str, str] = field(default_factory=dict)
    answer: Answer | None = None

    def begin(self, question: str, context: Json) -> Iterator[Event]:
        yield self.numbered.event(self.span, self.parent, FrameStarted(self.depth, "rlm", question, context))

    def iteration(self, data: Json, usage: Usage | None = None, cost_usd: float | None = None) -> Iterator[Event]:
        """`usage` and `cost_usd`: of all calls of a child together, given with its last one."""
        self.turn += 1
        blocks = blocks_of(data)
        ran_s = sum(number_of(result_of(each).get("execution_time")) or 0.0 for each in blocks)
        end = seconds_at(data.get("timestamp"))
        turn, call = f"{self.span}.t{self.turn}", f"{self.span}.t{self.turn}.k1"
        took_s = number_of(data.get("iteration_time"))
        yield self.numbered.event(turn, self.span, TurnStarted(self.turn), end - took_s if end and took_s else None)
        reply = text_of(data.get("response"))
        prompt = _before(reply, messages_of(data.get("prompt")), len(self.said[1]) if self.said else 0)
        gained = added_to(self.said[1], self.said[2], prompt) if self.said else None
        continues = self.said[0] if self.said and gained is not None else None
        started = CallStarted("root", self.model, prompt if gained is None else gained, continues)
        yield self.numbered.event(call, turn, started)
        yield self.numbered.event(call, turn, CallFinished("ok", reply, usage, cost_usd), end - ran_s if end else None)
        self.said = (call, prompt, reply)
        for number, block in enumerate(blocks, 1):
            yield from self._cell(f"{turn}.c{number}", turn, block)
        yield self.numbered.event(turn, self.span, TurnFinished(), end)
        self._take_answer(data, blocks)

    def _cell(self, span: str, turn: str, block: Json) -> Iterator[Event]:
        result, began = result_of(block), self.numbered.at
        yield self.numbered.event(span, turn, CellStarted(text_of(block.get("code"))))
        yield from self._calls(span, text_of(block.get("code")), result)
        output, error = text_of(result.get("stdout")), text_of(result.get("stderr")).strip()
        failed = ended_badly(error)
        output += "" if failed or not error else error
        found = result.get("locals")
        now = (
            {name: value for name, value in found.items() if not _IS_CONTEXT.match(name)}
            if isinstance(found, dict)
            else {}
        )
        self.variables, variables = changed(self.variables, now)
        took_s = number_of(result.get("execution_time"))
        yield self.numbered.event(
            span,
            turn,
            CellFinished("failed" if failed else "ok", output, len(output), error if failed else None, variables),
            began + took_s if took_s is not None else None,
        )

    def _calls(self, cell: str, code: str, result: Json) -> Iterator[Event]:
        calls = calls_of(result)
        together_s = sum(number_of(call.get("execution_time")) or 0.0 for call in calls)
        # What was asked side by side, as a batch or by threads, took no time of its own.
        in_turn = "_batched" not in code and together_s <= (number_of(result.get("execution_time")) or 0.0)
        for number, call in enumerate(calls, 1):
            inside = call.get("metadata")
            iterations = inside.get("iterations") if isinstance(inside, dict) else None
            turns = [each for each in iterations if isinstance(each, dict)] if isinstance(iterations, list) else []
            if turns and self.depth < MAX_DEPTH:
                yield from self._child(f"{cell}.f{number}", cell, call, turns)
                continue
            yield from self._call(f"{cell}.k{number}", cell, call, in_turn)
            if turns:
                words = f"A child below level {MAX_DEPTH} is shown as one call: {_size(call)}. What it did is left out."
                yield self.numbered.event(f"{cell}.k{number}", None, Noted("left out", words))

    def _call(self, span: str, cell: str, call: Json, in_turn: bool) -> Iterator[Event]:
        yield self.numbered.event(span, cell, CallStarted("sub", _model(call), messages_of(call.get("prompt"))))
        usage, cost_usd = usage_of(call)
        error, source = text_of(call.get("error")), None if cost_usd is None else "provider"
        yield self.numbered.event(
            span,
            cell,
            CallFinished("failed", None, usage, cost_usd, source, error, "server", maybe_paid=True)
            if error
            else CallFinished("ok", text_of(call.get("response")), usage, cost_usd, source),
            self.numbered.at + (number_of(call.get("execution_time")) or 0.0) if in_turn else None,
        )

    def _child(self, span: str, cell: str, call: Json, iterations: list[Json]) -> Iterator[Event]:
        """A child has one count of tokens for all of its calls: what its helpers did not take stands at the last of its own, and
        that is said."""
        child = _Frame(self.numbered, span, cell, self.depth + 1, _model(call))
        prompt = messages_of(call.get("prompt"))
        yield from child.begin("\n\n".join(each.text for each in prompt), {})
        usage, cost_usd = own_usage_of(call, iterations)
        for number, iteration in enumerate(iterations, 1):
            is_last = number == len(iterations)
            yield from child.iteration(iteration, *((usage, cost_usd) if is_last else (None, None)))
        if usage and len(iterations) > 1:
            words = f"The tokens of the {len(iterations)} calls of this child's own model are counted together, at the last one."
            yield self.numbered.event(span, None, Noted("tokens together", words))
        answer = Answer(text_of(call.get("response")))
        yield self.numbered.event(
            span, cell, FrameFinished("failed" if call.get("error") else "answered", text_of(call.get("error")), answer)
        )

    def _take_answer(self, data: Json, blocks: list[Json]) -> None:
        """What the iteration handed over, in any of the forms of the years."""
        final, reply = data.get("final_answer"), text_of(data.get("response"))
        if isinstance(final, list) and len(final) == 2 and final[0] == "FINAL_VAR":
            name = text_of(final[1])
            self.answer = (
                Answer(self.variables.get(name, ""), "FINAL_VAR")
                if name in self.variables
                else Answer(f"The variable {name}, which the log does not hold.", "FINAL_VAR")
            )
        elif final is not None and not blocks and text_of(final) == reply:
            self.answer = Answer(reply, "forced", "The model was out of iterations.")
        elif final is not None:
            self.answer = Answer(text_of(final), "answer")

    def came_to(self, ends: str) -> tuple[Outcome, Answer | None, str]:
        if self.answer is None:
            return "interrupted", None, f"{ends} There is no answer in it."
        return ("forced" if self.answer.how == "forced" else "answered"), self.answer, self.answer.reason


def _model(data: Json) -> str:
    return text_of(data.get("root_model")) or "not recorded"


def _size(child: Json) -> str:
    """How many calls a child made and what they cost, as far as its log says."""
    made, (_, cost_usd) = counted_calls(child), usage_of(child)
    calls = "an unknown number of calls" if made is None else exact(made, "call")
    return f"{calls}, at a cost that is not known" if cost_usd is None else f"{calls}, for ${cost_usd:,.4f}"


def _before(reply: str, prompt: tuple[Message, ...], known: int) -> tuple[Message, ...]:
    """The prompt of a reply. A child has its whole conversation in the place of each prompt: then it ends at the reply."""
    own = Message("assistant", reply)
    return prompt[: prompt.index(own, known)] if reply and own in prompt[known:] else prompt


def _question(prompt: tuple[Message, ...]) -> str:
    texts = [each.text for each in prompt[1:]]
    found = next(
        (match for form in (_QUESTION, _QUESTION_THEN) for text in texts if (match := form.search(text))), None
    )
    return found[1].strip() if found else "not recorded"


def _context(prompt: tuple[Message, ...]) -> Json:
    found = next((match for each in prompt[1:] if (match := _CONTEXT.search(each.text))), None)
    return {"kind": "text", "chars": int(found[2].replace(",", ""))} if found else {}
