"""Random but valid runs, for tests of everything that reads events: the store, the view, exporters, compare.

    steps = random_run(seed=7, events=200)            # [(span, parent, body), ...], a whole run
    events = stamped(random_run(seed=7), run="r1")    # the same as `Event`s, with made-up times

The same seed gives the same run. Every Started has its Finished; calls of a batch overlap and end in any order; any prefix
is a run whose process died. `hostile=True` puts in texts that break careless code.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

from rlm_core.errors import Retry
from rlm_core.events import (
    ApprovalAsked,
    ApprovalGiven,
    Body,
    BudgetShown,
    CallFinished,
    CallRole,
    CallStarted,
    CellFinished,
    CellStarted,
    Event,
    FindingRecorded,
    FrameFinished,
    FrameStarted,
    HistoryCompacted,
    LimitReached,
    Noted,
    QuoteChecked,
    ReplayDiverged,
    RunFinished,
    RunStarted,
    Searched,
    TurnFinished,
    TurnStarted,
)
from rlm_core.task import Answer, Finding, Limits, Message, Task, Usage

Step = tuple[str, str | None, Body]

WORDS = ["pump", "leak", "valve", "north", "report", "closed", "open", "12", "monday", "none", "yes", "no", "unknown"]
HOSTILE = (
    "",
    "\x00 a NUL \x00",
    "<script>alert(1)</script>",
    "Straße, naïve, Ελλάδα, 漢字, 🦜, e\u0301, \u202eright to left",
    '{"$text": "looks like a reference"}',
    "'; DROP TABLE events; --",
    "line one\r\nline two\u2028line three\n",
    "%_\\ 100%",
)
MODELS = ("demo", "openai/gpt-5-mini")


def random_run(seed: int, events: int = 200, *, hostile: bool = False, max_depth: int = 2) -> list[Step]:
    """A run of at least `events` events (a few dozen more, to end what was begun)."""
    return _RunMaker(random.Random(seed), events, hostile, max_depth).run()


def stamped(steps: Iterable[Step], run: str = "run-1", start: float = 1_780_000_000.0) -> list[Event]:
    """Events as a recorder would stamp them, a quarter of a second apart."""
    return [Event(run, seq, start + seq / 4, span, parent, body) for seq, (span, parent, body) in enumerate(steps)]


class _RunMaker:
    def __init__(self, rng: random.Random, events: int, hostile: bool, max_depth: int) -> None:
        self.rng = rng
        self.events = events
        self.hostile = hostile
        self.max_depth = max_depth
        self.steps: list[Step] = []

    def run(self) -> list[Step]:
        task = Task(
            self.text() or "?",
            "corpus-1",
            self.rng.choice(("rlm", "codeact", "base")),
            options={"depth": self.max_depth, "$text": "an option of that name", "nested": {"$$text": [1, None, 2.5]}},
            limits=Limits(max_usd=self.rng.choice((None, 2.0))),
        )
        self.add("run", None, RunStarted(task, job="job-1", versions={"rlm-studio": "0.1.0"}))
        self.frame("f1", "run", depth=0)
        outcome = self.rng.choice(("answered", "answered", "forced", "failed", "cancelled"))
        answer = (
            Answer(self.text(), self.rng.choice(("answer", "FINAL"))) if outcome in ("answered", "forced") else None
        )
        self.add("run", None, RunFinished(outcome, answer, self.text(), self.rng.choice((None, "server"))))
        return self.steps

    def frame(self, span: str, parent: str, depth: int) -> None:
        context = {"kind": "documents", "chars": self.rng.randrange(10**7), "documents": self.rng.randrange(1, 90)}
        self.add(span, parent, FrameStarted(depth, "rlm", self.text(), context))
        last_call = None
        number = 0
        while number == 0 or self.goes_on(depth, number):
            number += 1
            last_call = self.turn(f"{span}.t{number}", span, number, depth, last_call)
            self.aside(span, parent)
        outcome = self.rng.choice(("answered", "answered", "forced", "failed"))
        if outcome == "forced":
            self.add(span, parent, LimitReached("max_turns", float(number), float(number)))
        self.add(span, parent, FrameFinished(outcome, self.text()))

    def goes_on(self, depth: int, number: int) -> bool:
        if depth == 0:
            return len(self.steps) < self.events
        return len(self.steps) < self.events and number < 3 and self.rng.random() < 0.6

    def turn(self, span: str, frame: str, number: int, depth: int, last_call: str | None) -> str:
        self.add(span, frame, TurnStarted(number))
        call = f"{span}.k1"
        messages = (Message("user", self.text()),)
        if last_call is None:
            messages = (Message("system", "You answer questions of an archive. " * 80), *messages)
        self.add(call, span, CallStarted("root", MODELS[1], messages, continues=last_call, params={"max_tokens": 900}))
        self.add(call, span, self.reply())
        cells = self.rng.choice((0, 1, 1, 1, 2))
        for cell in range(1, cells + 1):
            self.cell(f"{span}.c{cell}", span, depth)
        refused = self.rng.choice((None, None, None, "The output of this turn had not been seen."))
        self.add(span, frame, TurnFinished(refused))
        return call

    def cell(self, span: str, turn: str, depth: int) -> None:
        self.add(span, turn, CellStarted(f"for part in parts:\n    print(llm_query({self.text()!r}))"))
        if self.rng.random() < 0.2:
            self.add(span, turn, ApprovalAsked(self.rng.randrange(2, 900), self.rng.choice((None, 1.25))))
            self.add(span, turn, ApprovalGiven(self.rng.random() < 0.9))
        if self.rng.random() < 0.3:
            self.add(span, None, BudgetShown({"calls": {"used": self.rng.randrange(90), "allowed": 1000}}))
        if self.rng.random() < 0.1:
            self.add(span, None, ReplayDiverged(self.text(), self.text()))
        if self.rng.random() < 0.7:
            self.batch(span)
        if self.rng.random() < 0.3:
            hits = tuple({"path": f"mails/{n}.eml", "score": self.rng.random()} for n in range(self.rng.randrange(4)))
            self.add(f"{span}.s1", span, Searched(self.text(), hits))
        if depth < self.max_depth and self.rng.random() < 0.3:
            self.frame(f"{span}.f1", span, depth + 1)
        for number in range(1, self.rng.randrange(4)):
            self.finding(f"{span}.r{number}", span)
        self.add(span, turn, self.cell_result())

    def batch(self, cell: str) -> None:
        size = self.rng.choice((1, 2, 5, 12))
        role: CallRole = self.rng.choice(("sub", "sub", "judge"))
        model = self.rng.choice(MODELS)
        running = [f"{cell}.k{number}" for number in range(1, size + 1)]
        for index, call in enumerate(running):
            place = {"batch": size, "index": index} if size > 1 else {}
            prompt = f'Does note {index} say "{self.text()}"? Answer yes or no.'
            self.add(call, cell, CallStarted(role, model, (Message("user", prompt),), **place))
        self.rng.shuffle(running)
        for call in running:
            self.add(call, cell, self.reply())

    def finding(self, span: str, cell: str) -> None:
        quote = self.rng.choice((None, self.text()))
        self.add(span, cell, FindingRecorded(Finding(f"item {self.rng.randrange(99)}", "yes", quote, "a.txt:3")))
        if quote is None:
            self.add(span, cell, QuoteChecked("no quote"))
        elif self.rng.random() < 0.8:
            verdict = self.rng.choice(("exact", "normalised", "fuzzy", "conflict", "ambiguous", "not found"))
            self.add(span, cell, QuoteChecked(verdict, "a.txt", 120, 120 + len(quote), 3))

    def aside(self, frame: str, parent: str) -> None:
        chance = self.rng.random()
        if chance < 0.1:
            self.add(frame, parent, Noted("reply repaired", self.text(), {"$text": self.text(), "n": 1}))
        elif chance < 0.2:
            call = f"{frame}.k{len(self.steps)}"
            self.add(call, frame, CallStarted("compact", MODELS[0], (Message("user", self.text()),)))
            self.add(call, frame, CallFinished("ok", self.text()))
            self.add(frame, parent, HistoryCompacted(self.rng.randrange(1, 30), self.text()))

    def reply(self) -> CallFinished:
        kind = self.rng.random()
        if kind < 0.08:
            return CallFinished("failed", error="The key is missing.", error_kind="auth")
        if kind < 0.14:
            return CallFinished(
                "timeout",
                error="No reply in 120 s.",
                error_kind="timeout",
                attempts=2,
                maybe_paid=True,
                retries=(Retry("rate_limit", "Slow down.", 0.7),),
            )
        if kind < 0.17:
            return CallFinished("cancelled", error="The run was cancelled.", error_kind="cancelled", maybe_paid=True)
        usage = self.rng.choice(
            (
                None,
                Usage(self.rng.randrange(9000), self.rng.randrange(900)),
                Usage(output_tokens=0),
                Usage(80, 9, 40, 3),
            )
        )
        cost = self.rng.choice((None, 0.0, self.rng.random() / 100))
        source = "prices 2026-11-20" if cost is not None else None
        return CallFinished("ok", self.text(), usage, cost, source, finish_reason="stop")

    def cell_result(self) -> CellFinished:
        output = self.text()
        status = self.rng.choice(("ok", "ok", "ok", "failed", "timeout", "killed"))
        error = None if status == "ok" else 'Traceback:\n  File "cell", line 2\nNameError: name "x" is not defined'
        variables = ({"name": "notes", "type": "list", "size": 40, "preview": self.text()[:80], "change": "new"},)
        return CellFinished(status, output, len(output), error, variables if status == "ok" else ())

    def text(self) -> str:
        kind = self.rng.random()
        if kind < 0.06:
            return f"{self.words(12)} " * self.rng.randrange(30, 300)
        if self.hostile and kind < 0.3:
            return self.rng.choice(HOSTILE)
        return self.words(self.rng.randrange(1, 20))

    def words(self, count: int) -> str:
        return " ".join(self.rng.choices(WORDS, k=count))

    def add(self, span: str, parent: str | None, body: Body) -> None:
        self.steps.append((span, parent, body))
