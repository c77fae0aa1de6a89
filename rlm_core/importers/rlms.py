"""Trajectories of the official `rlms` package: a line of metadata, then one an iteration, as its `RLMLogger` writes them.

Today's form and that of January 2026 (`llm_calls`, flat token counts, an answer that names a variable). A child lies within the
call that made it. Several completions share one file where they shared a logger: each is a run. A line that cannot be read ends
the log: what came before it is kept. The context, which each cell repeats twice, is left out. Refuses to know files and stores.
"""

from __future__ import annotations

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
from rlm_core.importers.cells import changed, ended_badly
from rlm_core.importers.numbering import (
    Numbered,
    added_to,
    json_line,
    messages_of,
    number_of,
    seconds_at,
    text_of,
    whole_number,
)
from rlm_core.task import Answer, Json, Limits, Message, Outcome, Task, Usage

TOOL = "rlms"
LEFT_OUT = (
    "the tokens of the root model's calls",
    "what calls cost, where no cost is shown",
    "when helper calls began and how long each one of a batch took",
    "the archive",
)
MAX_DEPTH = 20
_QUESTION = re.compile(r"Answer the following:\s*(.+?)(?:\n\n|$)", re.DOTALL)
_QUESTION_THEN = re.compile(r'original (?:prompt|query):?\s*"(.+?)"\.?(?:\n\n|\s|$)', re.DOTALL | re.IGNORECASE)
_CONTEXT = re.compile(r"[Cc]ontext is an? (\w+)\D{0,40}?([\d,]+) total characters")
_IS_CONTEXT = re.compile(r"context(_\d+)?$|history(_\d+)?$")


def is_log(first: Json) -> bool:
    """Whether the first line of a file is that of such a log."""
    return first.get("type") == "metadata" and "root_model" in first


def read_log(log: BinaryIO, run_of: Callable[[int], str]) -> Iterator[Event]:
    """The events of all runs of a log, one after the other; `run_of` names the run by its number, from 0. One line is held at
    a time."""
    metadata: Json = {}
    reading: _Run | None = None
    number, ends = 0, "The log ends here."
    for at, line in enumerate(log, 1):
        data = json_line(line)
        if data is None:
            ends = f"Line {at} of the log cannot be read: it may have been cut off there."
            break
        if data.get("type") == "metadata":
            metadata = data
        elif data.get("type") == "iteration":
            if reading and (whole_number(data.get("iteration")) or 0) <= reading.iteration:
                yield from reading.end(ends)
                reading, number = None, number + 1
            if reading is None:
                reading = _Run(run_of(number), metadata, data)
                yield from reading.begin()
            yield from reading.go_on(data)
    if reading is None:
        reading = _Run(run_of(number), metadata, {})
        yield from reading.begin()
    yield from reading.end(ends)


class _Run:
    def __init__(self, run: str, metadata: Json, first: Json) -> None:
        self._metadata = metadata
        began = seconds_at(first.get("timestamp")) or seconds_at(metadata.get("timestamp")) or 0.0
        self._numbered = Numbered(run, began - (number_of(first.get("iteration_time")) or 0.0))
        self._frame = _Frame(self._numbered, "f1", RUN_SPAN, 0, _model(metadata))
        self._question = _question(messages_of(first.get("prompt")))
        self._context = _context(messages_of(first.get("prompt")))
        self.iteration = 0

    def begin(self) -> Iterator[Event]:
        data = self._metadata
        turns = whole_number(data.get("max_iterations")) or Limits().max_turns
        helper = (
            (data.get("other_backend_kwargs") or [{}])[0] if isinstance(data.get("other_backend_kwargs"), list) else {}
        )
        task = Task(
            self._question,
            "",
            options={"depth": whole_number(data.get("max_depth")) or 1},
            root_model=_model(data),
            helper_model=text_of(helper.get("model_name")) or _model(data),
            limits=Limits(max_turns=max(1, turns)),
        )
        yield self._numbered.event(RUN_SPAN, None, RunStarted(task, versions={TOOL: "not recorded"}))
        yield self._numbered.left_out(LEFT_OUT)
        yield from self._frame.begin(self._question, self._context)

    def go_on(self, data: Json) -> Iterator[Event]:
        self.iteration = whole_number(data.get("iteration")) or self.iteration + 1
        yield from self._frame.iteration(data)

    def end(self, ends: str) -> Iterator[Event]:
        outcome, answer, reason = self._frame.came_to(ends)
        yield self._numbered.event("f1", RUN_SPAN, FrameFinished(outcome, reason))
        yield self._numbered.end(outcome, answer, reason)


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
        blocks = _blocks(data)
        ran_s = sum(number_of(_result(each).get("execution_time")) or 0.0 for each in blocks)
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
        result, began = _result(block), self.numbered.at
        yield self.numbered.event(span, turn, CellStarted(text_of(block.get("code"))))
        for number, call in enumerate(_calls(result), 1):
            inside = call.get("metadata")
            if isinstance(inside, dict) and isinstance(inside.get("iterations"), list) and self.depth < MAX_DEPTH:
                yield from self._child(f"{span}.f{number}", span, call, inside)
            else:
                yield from self._call(f"{span}.k{number}", span, call)
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

    def _call(self, span: str, cell: str, call: Json) -> Iterator[Event]:
        yield self.numbered.event(span, cell, CallStarted("sub", _model(call), messages_of(call.get("prompt"))))
        usage, cost_usd = _usage(call)
        error, source = text_of(call.get("error")), None if cost_usd is None else "provider"
        yield self.numbered.event(
            span,
            cell,
            CallFinished("failed", None, usage, cost_usd, source, error, "server", maybe_paid=True)
            if error
            else CallFinished("ok", text_of(call.get("response")), usage, cost_usd, source),
        )

    def _child(self, span: str, cell: str, call: Json, inside: Json) -> Iterator[Event]:
        """A child has one count of tokens for all of its calls: what its helpers did not take stands at the last of its own, and
        that is said."""
        child = _Frame(self.numbered, span, cell, self.depth + 1, _model(call))
        prompt = messages_of(call.get("prompt"))
        yield from child.begin("\n\n".join(each.text for each in prompt), {})
        iterations = [each for each in inside["iterations"] if isinstance(each, dict)]
        usage, cost_usd = _own_usage(call, iterations)
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


def _blocks(iteration: Json) -> list[Json]:
    found = iteration.get("code_blocks")
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _result(block: Json) -> Json:
    found = block.get("result")
    return found if isinstance(found, dict) else {}


def _calls(result: Json) -> list[Json]:
    """Calls that a cell made, by today's name or that of before."""
    found = result.get("rlm_calls") or result.get("llm_calls")
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def _model(data: Json) -> str:
    return text_of(data.get("root_model")) or "not recorded"


def _usage(call: Json) -> tuple[Usage | None, float | None]:
    """Tokens and cost of a call, of all models that it asked, as far as they are recorded."""
    together = call.get("usage_summary")
    if not isinstance(together, dict):
        given, made = whole_number(call.get("prompt_tokens")), whole_number(call.get("completion_tokens"))
        return (None if given is None and made is None else Usage(given, made)), number_of(call.get("total_cost"))
    sums = [
        sum(known) if (known := [n for each in _models(call) if (n := number_of(each.get(name))) is not None]) else None
        for name in ("total_input_tokens", "total_output_tokens", "total_cost")
    ]
    cost_usd = number_of(together.get("total_cost"))
    usage = Usage(whole_number(sums[0]), whole_number(sums[1])) if sums[0] is not None or sums[1] is not None else None
    return usage, cost_usd if cost_usd is not None else sums[2]


def _own_usage(child: Json, iterations: list[Json]) -> tuple[Usage | None, float | None]:
    """What the calls of a child's own model took: its count holds those of its helpers too, where it has so many calls."""
    usage, cost_usd = _usage(child)
    helpers = [call for each in iterations for block in _blocks(each) for call in _calls(_result(block))]
    if usage is None or (_counted_calls(child) or 0) < len(iterations) + len(helpers):
        return usage, cost_usd
    taken = [_usage(each) for each in helpers]
    given = sum((each.input_tokens or 0) for each, _ in taken if each)
    made = sum((each.output_tokens or 0) for each, _ in taken if each)
    return (
        Usage(
            None if usage.input_tokens is None else max(0, usage.input_tokens - given),
            None if usage.output_tokens is None else max(0, usage.output_tokens - made),
        ),
        None if cost_usd is None else max(0.0, cost_usd - sum(cost or 0.0 for _, cost in taken)),
    )


def _counted_calls(call: Json) -> int | None:
    known = [n for each in _models(call) if (n := whole_number(each.get("total_calls"))) is not None]
    return sum(known) if known else None


def _models(call: Json) -> list[Json]:
    """What each model that a call asked has taken."""
    together = call.get("usage_summary")
    of_models = together.get("model_usage_summaries") if isinstance(together, dict) else None
    return [each for each in of_models.values() if isinstance(each, dict)] if isinstance(of_models, dict) else []


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
