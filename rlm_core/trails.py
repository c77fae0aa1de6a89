"""What a run did, step by step, as far as it can be laid beside another run: small values, and nothing of the view is kept.

A step is a cell, a call of a helper, a child frame, a search, or a turn that wrote no code; what a model said around its code
belongs to the first cell of the turn. Each text is kept by its hash or, where it is short, as it is: two are the same or not.
Pure. It refuses to know what a step is called, and how it is drawn.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from rlm_core import events as ev
from rlm_core.likeness import model_of, template_of
from rlm_core.lineage import root_turn_of
from rlm_core.outline import RUN, Outline
from rlm_core.passages import NOTHING, passage, spoken
from rlm_core.view import Node, RunView

What = Literal[
    "prompt",
    "words",
    "code",
    "question",
    "model",
    "output",
    "reply",
    "answer",
    "hits",
    "error",
    "outcome",
    "instruction",
]
StepKind = Literal["cell", "call", "frame", "search", "turn"]
LINE_CHARS = 80
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Step:
    span: str
    kind: StepKind
    like: str
    """Of what is asked: the first words, whatever numbers stand in them. Steps with the same are alike."""
    said: tuple[tuple[What, Hashable], ...]
    """What went in and what came out, the way it was asked first."""
    replayed: bool
    """It was not done here: what came of it is from an earlier run."""
    below: tuple[Step, ...] = ()
    nodes: int = 1
    """The step and everything in it."""

    @property
    def asked(self) -> tuple[str, Hashable]:
        """What it is found again by in another run."""
        return self.kind, self.said[0][1]


@dataclass(frozen=True, slots=True)
class Trail:
    run: str
    steps: tuple[Step, ...]


def trail_of(view: RunView) -> Trail:
    """The steps of a run so far, in the order of their start."""
    outline = Outline(view)
    steps = tuple(_steps_in(outline, RUN)) if RUN in outline.nodes else ()
    return Trail(view.run or "", steps)


def _steps_in(outline: Outline, span: str) -> Iterator[Step]:
    """What lies in a frame or a cell: a turn is taken apart into its cells."""
    for child in outline.children.get(span, []):
        node = outline.nodes[child]
        if node.kind != "turn":
            yield _step(outline, node)
            continue
        again = _is_replayed(outline.replies.get(child))
        inside = [_step(outline, outline.nodes[each], again=again) for each in outline.children.get(child, [])]
        cells = [each.span for each in inside if each.kind == "cell"]
        if not cells:
            yield _turn(outline, node, tuple(inside), again=again)
            continue
        for step in inside:
            words = _words(outline, child, cells) if step.span == cells[0] else ()
            yield replace(step, said=(*step.said, *words))


def _turn(outline: Outline, node: Node, below: tuple[Step, ...], *, again: bool) -> Step:
    """One that wrote no code."""
    said = (*_asked_first(outline, node.id), *_reply(outline.replies.get(node.id)))
    outcome: tuple[What, Hashable] = ("outcome", outline.status(node.id))
    return Step(node.id, "turn", "", (*said, outcome), again, below, 1 + sum(each.nodes for each in below))


def _step(outline: Outline, node: Node, *, again: bool = False) -> Step:
    """`again`: the turn that it lies in was replayed, and so is a cell."""
    kind: StepKind = node.kind  # type: ignore[assignment]  # an outline has no findings, and turns were taken apart
    below = tuple(_steps_in(outline, node.id))
    replayed = (again and kind == "cell") or _is_replayed(node)
    replayed = replayed or (kind == "frame" and bool(below) and all(each.replayed for each in below))
    return Step(node.id, kind, _like(node), _said(node), replayed, below, 1 + sum(each.nodes for each in below))


def _like(node: Node) -> str:
    """The first words of what was asked, or the first line of code."""
    if isinstance(node.started, ev.CellStarted):
        return _NUMBER.sub("#", passage(node.started.code).head.strip().partition("\n")[0])[:LINE_CHARS]
    return template_of(node) if node.kind in ("call", "frame") else ""


def _said(node: Node) -> tuple[tuple[What, Hashable], ...]:
    started, done = node.started, node.finished
    came: tuple[tuple[What, Hashable], ...] = ()
    match started:
        case ev.CellStarted():
            asked: tuple[tuple[What, Hashable], ...] = (("code", _print(started.code)),)
            if isinstance(done, ev.CellFinished):
                came = (("output", _print(done.output)), ("error", _print(done.error)))
        case ev.CallStarted():
            asked = (("prompt", _prompt(started)), ("model", model_of(node)))
            came = _reply(node)
        case ev.FrameStarted():
            asked = (("question", _print(started.question)), ("model", model_of(node)))
            answer = done.answer.text if isinstance(done, ev.FrameFinished) and done.answer else None
            came = (("answer", _print(answer)),)
        case ev.Searched():
            asked, came = (("prompt", _print(started.query)),), (("hits", repr(started.hits)),)
        case _:
            asked = ()
    return (*asked, *came, ("outcome", node.status))


def _reply(call: Node | None) -> tuple[tuple[What, Hashable], ...]:
    done = call.finished if call else None
    if not isinstance(done, ev.CallFinished):
        return ()
    return ("reply", _print(done.text)), ("error", _print(done.error))


def _words(outline: Outline, turn: str, cells: Sequence[str]) -> tuple[tuple[What, Hashable], ...]:
    """What the model was told at first, and what it said around the code of its turn, as far as that is known here."""
    call = outline.replies.get(turn)
    if call is None:
        return ()
    text = passage(call.finished.text) if isinstance(call.finished, ev.CallFinished) else NOTHING
    codes = [passage(getattr(outline.nodes[each].started, "code", None)).head for each in cells]
    words: tuple[What, Hashable] = ("words", text.sha or spoken(text.head, codes))
    return *_asked_first(outline, turn), ("instruction", _instruction(outline, turn)), words


def _instruction(outline: Outline, turn: str) -> str:
    """What a person told the model before this turn, where the run is a fork there. The prompts of a conversation are not
    compared, so it is told by itself."""
    started = outline.view.started
    fork = started.origin.fork if started and started.origin else None
    if fork is None or outline.parent[turn] != RUN:
        return ""
    return fork.instruction or "" if root_turn_of(turn) == fork.turn + (fork.code is not None) else ""


def _asked_first(outline: Outline, turn: str) -> tuple[tuple[What, Hashable], ...]:
    """What a conversation begins with. What its later turns were told follows from the steps before them."""
    call = outline.replies.get(turn)
    started = call.started if call else None
    return (("prompt", _prompt(started)),) if isinstance(started, ev.CallStarted) and not started.continues else ()


def _prompt(started: ev.CallStarted) -> Hashable:
    return tuple((message.role, _print(message.text)) for message in started.messages)


def _print(text: Any) -> Hashable:
    """What is the same of two texts that are the same."""
    known = passage(text)
    return known.sha or known.head


def _is_replayed(call: Node | None) -> bool:
    done = call.finished if call else None
    return isinstance(done, ev.CallFinished) and done.replayed is not None and not done.replayed.edited
