"""Runs of any size, as a real one of that size would be: the same shape, size and seed give the same run.

`write_large_run` writes one through the recorder. Shapes: `fan`, thousands of calls of few cells; `deep`, child frames within
child frames, with cells and calls of their own; `failing`, failures of many kinds, of calls, cells and frames; `long`, prompts
of 30 kB and outputs of 1 MB; `mixed`, all of them.

A clock of its own runs in each: calls of a cell overlap as far as the run's limit allows, and take as long as calls take.
"""

from __future__ import annotations

import time
from heapq import heapify, heapreplace
from pathlib import Path
from random import Random
from typing import Literal, get_args

from large_run_words import CODE, HELPER, ROOT, call_bodies, cell_error, long_output, words_of_turn
from written_runs import QUESTION

from rlm_core import events as ev
from rlm_core.store.recorder import Recorder
from rlm_core.store.store import Store
from rlm_core.task import Answer, Finding, Limits, Message, Task, Usage

Shape = Literal["fan", "deep", "failing", "long", "mixed"]
SHAPES: tuple[Shape, ...] = get_args(Shape)
BEGAN_AT = 1_790_000_000.0
CONCURRENCY = 64
CHILDREN_AT_ONCE = 4
MAX_DEPTH = 3
CELLS_OF: dict[str, int] = {"fan": 5, "failing": 25, "long": 16}
"""Into how many cells the calls of a run go."""
ANSWERED_ITEMS = 40
"""So many items of the findings does the answer name."""
TASK = Task(QUESTION, "no-corpus", "rlm", {"depth": 3}, ROOT, HELPER, limits=Limits(max_calls=100_000, max_turns=1000))


def write_large_run(home: Path, run: str, nodes: int, shape: Shape, seed: int = 1) -> str:
    """A finished run with exactly so many nodes (`RunView.nodes`), the run itself among them."""
    begun_run(home, run, nodes, shape, seed, ended=True).close()
    return run


def begun_run(home: Path, run: str, nodes: int, shape: Shape, seed: int = 1, *, ended: bool = False) -> Recorder:
    """The same, without its end and up to now: what comes next is the caller's, who closes the recorder."""
    facts = large_facts(nodes, shape, seed, ended=ended)
    late_s = 0.0 if ended else time.time() - facts[-1][0]
    Store.open(home).close()
    recorder = Recorder.open(home, run)
    recorder.copy(
        ev.Event(run, seq, at + late_s, span, parent, body) for seq, (at, span, parent, body) in enumerate(facts)
    )
    return recorder


Fact = tuple[float, str, str | None, ev.Body]
"""When, span, parent, what."""


def large_facts(nodes: int, shape: Shape, seed: int = 1, *, ended: bool = True) -> list[Fact]:
    """Everything that happens in such a run, in its order."""
    if nodes < 100:
        raise ValueError(f"A large run has 100 nodes or more, not {nodes}.")
    return _Composition(nodes, Random(f"{shape} {nodes} {seed}")).of(shape, ended)


class _Composition:
    """Writes down what happens in a run until it has as many nodes as it shall have."""

    def __init__(self, nodes: int, chance: Random) -> None:
        self.wanted, self.chance = nodes, chance
        self.left = nodes
        self.facts: list[Fact] = []
        self.found: list[str] = []
        """Items of the findings that were recorded."""

    def of(self, shape: Shape, ended: bool) -> list[Fact]:
        self._begin(BEGAN_AT, ev.RUN_SPAN, None, ev.RunStarted(TASK))
        context = {"kind": "documents", "chars": 900 * self.wanted, "documents": self.wanted // 20}
        self._begin(BEGAN_AT, "f1", ev.RUN_SPAN, ev.FrameStarted(0, TASK.strategy, QUESTION, context))
        at, turn = BEGAN_AT + 0.4, 0
        while self.left:
            turn += 1
            kind = shape if shape != "mixed" else SHAPES[(turn - 1) % 4]
            at = self._turn("f1", turn, at, kind, depth=0)
        if ended:
            answer = f"{len(self.found)} items were decided. " + ", ".join(self.found[:ANSWERED_ITEMS]) + "."
            self._end(at, "f1", ev.RUN_SPAN, ev.FrameFinished("answered"))
            self._end(at, ev.RUN_SPAN, None, ev.RunFinished("answered", Answer(answer, "FINAL")))
        return sorted(self.facts, key=lambda fact: fact[0])  # of the same moment in the order of their writing

    def _begin(self, at: float, span: str, parent: str | None, body: ev.Body) -> None:
        self.left -= 1
        self.facts.append((at, span, parent, body))

    def _end(self, at: float, span: str, parent: str | None, body: ev.Body) -> None:
        self.facts.append((at, span, parent, body))

    def _turn(self, frame: str, number: int, at: float, kind: Shape, depth: int) -> float:
        """A turn with its call and its cell, as far as there are nodes left; when it is over."""
        turn = f"{frame}.t{number}"
        self._begin(at, turn, frame, ev.TurnStarted(number))
        ended = at = at + 0.01
        if self.left:
            ended = at = self._reply(turn, number, at)
        if self.left:
            ended = self._cell(turn, number, at, kind, depth)
        self._end(ended, turn, frame, ev.TurnFinished())
        return ended + 0.01

    def _reply(self, turn: str, number: int, at: float) -> float:
        call, took_s = f"{turn}.k1", self.chance.lognormvariate(1.5, 0.4)
        self._begin(
            at, call, turn, ev.CallStarted("root", ROOT, (Message("user", f"What the cell before {turn} did."),))
        )
        reply = f"{words_of_turn(number)}\n\n```repl\n{CODE}\n```"
        usage = Usage(4000 + 40 * number, 260, 3000)
        self._end(at + took_s, call, turn, ev.CallFinished("ok", reply, usage, 0.02 + 0.0002 * number, "list"))
        return at + took_s

    def _cell(self, turn: str, number: int, at: float, kind: Shape, depth: int) -> float:
        cell, began_with = f"{turn}.c1", self.left
        self._begin(at, cell, turn, ev.CellStarted(f"# step {number}\n{CODE}"))
        ended = self._calls(cell, at, kind, self._batch(kind, depth))
        if kind == "deep" and depth < MAX_DEPTH:
            ended = self._children(cell, ended, depth)
        failed = kind == "failing" and number % 3 == 0
        error = cell_error(number) if failed else None
        output = long_output(cell, 1_048_576) if kind == "long" else f"{began_with - self.left} nodes in {cell}\n"
        variable = {"name": f"rooms_{number}", "type": "list", "size": "24", "preview": "['A12', …]", "change": "new"}
        done = ev.CellFinished("failed" if failed else "ok", output, len(output), error, (variable,))
        self._end(ended, cell, turn, done)
        return ended

    def _batch(self, kind: Shape, depth: int) -> int:
        """How many calls a cell makes."""
        if kind == "deep":
            return self.chance.randint(2, 12)
        return max(20, self.wanted // CELLS_OF[kind])

    def _calls(self, cell: str, at: float, kind: Shape, count: int) -> float:
        """A batch of calls, so many at once; of some of them a finding is recorded at the end."""
        free = [at + 0.001 * place for place in range(min(CONCURRENCY, count))]
        heapify(free)
        decided: list[Finding] = []
        number = 0
        while number < count and self.left > len(decided):
            number += 1
            span, began = f"{cell}.k{number}", free[0]
            started, finished, finding = call_bodies(self.chance, kind, span, number, count)
            ended = began + min(60.0, self.chance.lognormvariate(0.4, 0.6)) * finished.attempts
            self._begin(began, span, cell, started)
            self._end(ended, span, cell, finished)
            heapreplace(free, ended)
            decided += [finding] if finding and self.left > len(decided) else []
        over = max(free)
        for place, finding in enumerate(decided, 1):
            self._finding(f"{cell}.r{place}", cell, over + 0.001 * place, finding)
        return over + 0.001 * (len(decided) + 1)

    def _finding(self, span: str, cell: str, at: float, finding: Finding) -> None:
        self._begin(at, span, cell, ev.FindingRecorded(finding))
        chance = self.chance.random()
        checked = (
            ev.QuoteChecked("exact", finding.source, 100, 142, 7) if chance < 0.8 else ev.QuoteChecked("not found")
        )
        self._end(at, span, cell, checked)
        self.found.append(finding.item)

    def _children(self, cell: str, at: float, depth: int) -> float:
        """Child frames, some at once, each with turns of its own and, down to depth 3, children of its own."""
        free = [at] * CHILDREN_AT_ONCE
        for number in range(1, self.chance.randint(3, 7)):
            if not self.left:
                break
            frame, began = f"{cell}.f{number}", free[0]
            question = f"What do the reports say of building {number}?"
            started = ev.FrameStarted(depth + 1, "rlm", question, {"kind": "text", "chars": 40_000}, key=frame)
            self._begin(began, frame, cell, started)
            ended = began + 0.05
            for turn in range(1, self.chance.randint(2, 3)):
                if self.left:
                    ended = self._turn(frame, turn, ended, "deep", depth + 1)
            failed = self.chance.random() < 0.05
            done = (
                ev.FrameFinished("failed", "The limit max_turns = 3 was reached (3 used).", None)
                if failed
                else ev.FrameFinished("answered", "", Answer(f"Building {number}: two rooms."))
            )
            self._end(ended, frame, cell, done)
            heapreplace(free, ended)
        return max(free) + 0.01
