"""What earlier lives of a run were told: finished calls, cells and child frames, found again by their place.

A run that goes on from another one (`RunStarted.origin`) plays that one's turns once more: its strategy runs, its cells run,
and every reply comes from here as long as there is one; nothing of it is paid again. A frame's own calls are found by their
span. Helpers are called by model-written code, in any order and from any thread, so their calls are found by what was asked:
the cell, which of the two models, the prompt, and the number of its occurrence there.

The lives are looked through from the nearest back. Where one of them was left by a fork, only its turns before that count,
and of the turn itself what an edited cell asks again word for word. It knows views, no storage.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from rlm_core import events as ev
from rlm_core.task import Fork, Json, Message, Origin, Usage
from rlm_core.view import Node, RunView

FINISHED = frozenset({"ok", "failed", "timeout"})
"""How a call ends that came to its end; the others were in flight when something broke."""
RAN = frozenset({"ok", "failed", "timeout", "killed"})
"""How a cell ends that came to its end."""
ENDED = frozenset({"answered", "forced", "failed"})
"""How a child frame ends that came to its end."""
_SURROGATE = re.compile("[\ud800-\udfff]")
_TURN = re.compile(r"f1\.t(\d+)")

LoadEvents = Callable[[str], Sequence[ev.Event]]
"""All events of a run, with their texts."""


@dataclass(frozen=True, slots=True)
class Known:
    """A call that an earlier life has made: the whole prompt, and how it ended."""

    run: str
    started: ev.CallStarted
    messages: tuple[Message, ...]
    finished: ev.CallFinished
    edited: bool = False

    def replayed(self) -> ev.CallFinished:
        """The event that closes the call in a run that did not make it again."""
        done = self.finished
        origin = done.replayed or ev.Replayed(self.run, done.usage, done.cost_usd)
        return replace(
            done,
            usage=Usage(0, 0),
            cost_usd=0.0,
            cost_source="journal",
            maybe_paid=False,
            replayed=replace(origin, edited=origin.edited or self.edited),
        )

    @property
    def paid(self) -> ev.Replayed:
        """What it took, wherever that was."""
        return self.finished.replayed or ev.Replayed(self.run, self.finished.usage, self.finished.cost_usd)


class Life:
    """One earlier run, as far as it counts: all of it, or its turns before the one where a fork left it."""

    def __init__(self, events: Sequence[ev.Event], left_at: Fork | None = None) -> None:
        self.events = events
        self.view = RunView()
        for event in events:
            self.view.apply(event)
        self._left_at = left_at
        self._asked: dict[str, dict[str, list[Node]]] = {}
        self._lock = threading.Lock()

    @property
    def run(self) -> str:
        return self.view.run or ""

    @property
    def accepts(self) -> bool:
        """Whether a cell that did something else than before was accepted there."""
        started = self.view.started
        return bool(started and started.origin and started.origin.accept_divergence)

    @property
    def edited(self) -> str | None:
        """Code that takes the place of what was written in the turn where the life was left."""
        return self._left_at.code if self._left_at else None

    def place(self, span: str) -> str:
        """Where a span lies: `before` the turn where the life was left, in that turn (`at`), or `after`."""
        if self._left_at is None:
            return "before"
        turn = _TURN.match(span)
        number = int(turn[1]) if turn else self._left_at.turn + 1
        return "before" if number < self._left_at.turn else "at" if number == self._left_at.turn else "after"

    def asked_in(self, cell: str) -> dict[str, list[Node]]:
        """The finished calls and child frames of a cell by what was asked, in the order in which they were."""
        with self._lock:
            if cell not in self._asked:
                found: dict[str, list[Node]] = {}
                node = self.view.nodes.get(cell)
                for child in node.children if node else ():
                    key = self._key_of(self.view.nodes[child])
                    if key is not None:
                        found.setdefault(key, []).append(self.view.nodes[child])
                self._asked[cell] = found
            return self._asked[cell]

    def _key_of(self, node: Node) -> str | None:
        """What a finished node was asked; `None` for one that is not finished or is no question."""
        started = node.started
        if isinstance(started, ev.FrameStarted):
            return started.key if node.status in ENDED else None
        if isinstance(started, ev.CallStarted) and started.messages and node.status in FINISHED:
            task = self.view.task
            role = "root" if task and task.helper_model != task.root_model == started.model else "helper"
            return _call_key(role, started.messages[-1].text)
        return None

    def known(self, node: Node) -> Known | None:
        if not isinstance(node.started, ev.CallStarted) or not isinstance(node.finished, ev.CallFinished):
            return None
        return Known(self.run, node.started, self.view.prompt(node.id), node.finished)

    def subtree(self, span: str) -> list[ev.Event]:
        """All events of a span and of what lies below it, in order."""
        return [event for event in self.events if event.span == span or event.span.startswith(f"{span}.")]


def lives_of(origin: Origin | None, load: LoadEvents) -> list[Life]:
    """The lives before a run, the nearest first, each cut off where the next one left it."""
    lives: list[Life] = []
    left_at: Fork | None = None
    while origin is not None:
        if origin.fork and (left_at is None or origin.fork.turn < left_at.turn):
            left_at = origin.fork
        lives.append(Life(load(origin.run), left_at))
        started = lives[-1].view.started
        origin = started.origin if started else None
    return lives


def instructions_of(origin: Origin | None, lives: Sequence[Life]) -> dict[int, str]:
    """What people have added to what the model is told, by the turn before which it is told it."""
    found: dict[int, str] = {}
    last: int | None = None
    for each in (origin, *(life.view.started.origin if life.view.started else None for life in lives)):
        fork = each.fork if each else None
        if fork is None:
            continue
        turn = fork.turn + (fork.code is not None)
        if fork.instruction and (last is None or turn < last):
            found[turn] = fork.instruction
        last = fork.turn if last is None else min(last, fork.turn)
    return found


class FrameJournal:
    """The journal for one frame: of each life that had this frame, what happened in it.

    A child frame may have had another number there (`twins`), for threads come in any order.
    """

    def __init__(self, own: str, twins: Sequence[tuple[Life, str]] = (), *, accept_divergence: bool = False) -> None:
        self.accept_divergence = accept_divergence
        self._own = own
        self._twins = tuple(twins)
        self._occurrences: Counter[str] = Counter()
        self._lock = threading.Lock()

    def reply(self, span: str) -> Known | None:
        """What the frame's own model said in this place."""
        for life, twin in self._at(span):
            node = life.view.nodes.get(twin)
            known = life.known(node) if node else None
            if known is None or known.finished.status != "ok":
                continue
            place = life.place(twin)
            if place == "before":
                return known
            if place == "at" and life.edited is not None:
                fence = "repl" if "```repl" in (known.finished.text or "") else "python"
                return replace(
                    known, finished=replace(known.finished, text=f"```{fence}\n{life.edited}\n```"), edited=True
                )
        return None

    def cell(self, span: str, code: str) -> ev.CellFinished | None:
        """How the same code ended in this place."""
        for life, twin in self._at(span):
            node = life.view.nodes.get(twin)
            if node and life.place(twin) == "before" and node.status in RAN:
                started, finished = node.started, node.finished
                if any(isinstance(each, ev.ReplayDiverged) for each in node.remarks) and not life.accepts:
                    continue  # what it did there is what nobody has accepted
                if isinstance(started, ev.CellStarted) and isinstance(finished, ev.CellFinished):
                    return finished if started.code == code else None
        return None

    def helper(self, cell: str, model: str, role: str, prompt: str) -> Known | None:
        """What a helper said to the same prompt in the same cell. `role` is which of the task's models `model` is."""

        def is_it(life: Life, node: Node) -> bool:
            return life.place(node.id) == "before" or getattr(node.started, "model", None) == model

        for life, node in self._occurrence(cell, _call_key(role, prompt), is_it):
            return life.known(node)
        return None

    def child(self, cell: str, key: str) -> tuple[Life, Node] | None:
        """A child frame that was asked the same in the same cell, and came to its end."""
        return next(self._occurrence(cell, key, lambda life, node: life.place(node.id) == "before"), None)

    def of_child(self, cell: str, key: str, own: str) -> FrameJournal:
        """The journal for a child frame that did not come to its end."""
        twins = []
        for life, twin in self._at(cell):
            node = life.view.nodes.get(twin)
            for child in node.children if node else ():
                started, outcome = life.view.nodes[child].started, life.view.nodes[child].status
                if isinstance(started, ev.FrameStarted) and started.key == key and outcome not in ENDED:
                    twins.append((life, child))
                    break
        return FrameJournal(own, twins, accept_divergence=self.accept_divergence)

    def budget(self, cell: str) -> Json | None:
        """What `budget()` told the cell, this time round."""
        with self._lock:
            self._occurrences[f"{cell} budget"] += 1
            number = self._occurrences[f"{cell} budget"]
        for life, twin in self._at(cell):
            node = life.view.nodes.get(twin)
            shown = [each for each in node.remarks if isinstance(each, ev.BudgetShown)] if node else []
            if life.place(twin) == "before" and len(shown) >= number:
                return shown[number - 1].left
        return None

    def approved(self, cell: str) -> bool:
        """Whether a person has approved what this cell asks for."""
        nodes = (life.view.nodes.get(twin) for life, twin in self._at(cell) if life.place(twin) == "before")
        remarks = (each for node in nodes if node for each in node.remarks)
        return any(isinstance(each, ev.ApprovalGiven) and each.granted for each in remarks)

    def _occurrence(self, cell: str, key: str, is_it: Callable[[Life, Node], bool]) -> Iterator[tuple[Life, Node]]:
        with self._lock:
            self._occurrences[f"{cell} {key}"] += 1
            number = self._occurrences[f"{cell} {key}"]
        for life, twin in self._at(cell):
            if life.place(twin) == "after":
                continue
            nodes = life.asked_in(twin).get(key, [])
            if len(nodes) >= number and is_it(life, nodes[number - 1]):
                yield life, nodes[number - 1]

    def _at(self, span: str) -> Iterator[tuple[Life, str]]:
        """The same place in each life, the nearest first."""
        return ((life, twin + span[len(self._own) :]) for life, twin in self._twins)


def root_journal(span: str, origin: Origin | None, lives: Sequence[Life]) -> FrameJournal:
    accept = origin is not None and origin.accept_divergence
    return FrameJournal(span, [(life, span) for life in lives], accept_divergence=accept)


def _call_key(role: str, prompt: str) -> str:
    return f"{role} {_hash(prompt)}"


def child_key(prompt: str, context: str) -> str:
    """What a child frame was asked: hash of its question and of its context as text."""
    return "child " + _hash(f"{prompt}\0{context}")


def _hash(text: str) -> str:
    """Of a text as the store gives it back: with U+FFFD for each half of a surrogate pair."""
    return hashlib.sha256(_SURROGATE.sub("\ufffd", text).encode("utf-8")).hexdigest()
