"""What is said of a node in words: one sentence for newcomers, its state, and what it cost with where that is known from.

Pure: facts of `node_shapes.py` go in, plain text comes out; who shows it as Markdown escapes it.
"""

from __future__ import annotations

import time
from functools import singledispatch

from rlm_core import wording
from rlm_core.errors import CallErrorKind
from rlm_core.events import Replayed
from rlm_core.folding import Mark
from rlm_core.looks.marks import part_cost
from rlm_core.looks.node_shapes import (
    AnswerFacts,
    CallFacts,
    CellFacts,
    CellRef,
    Facts,
    FindingFacts,
    FrameFacts,
    RunFacts,
    SearchFacts,
    TurnFacts,
)
from rlm_core.looks.run_words import Figure
from rlm_core.mending import Mending
from rlm_core.task import Usage
from rlm_core.view import Totals

OK = ("ok", "answered")
LIST_PRICES = " list prices"
STATES = {
    "ok": "✓ ok",
    "answered": "✓ answered",
    "forced": "△ forced",
    "running": "▷ running",
    "failed": "✕ failed",
    "timeout": "✕ at its time limit",
    "killed": "✕ killed",
    "cancelled": "□ cancelled",
    "interrupted": "△ interrupted",
}
"""How a node ended, with a sign that tells it without the colour."""
RETRIED: dict[CallErrorKind, str] = {
    "rate_limit": "too many requests",
    "server": "the provider failed",
    "unreachable": "no connection",
}
"""Why a request was made again, in words."""
COLOURS = {"ok": "green", "answered": "green", "running": "blue", "forced": "orange", "interrupted": "orange"}


def from_before(replayed: Replayed) -> tuple[str, str]:
    """The badge of what is not of this run."""
    return ("✎ written by a person", "violet") if replayed.edited else ("↻ replayed", "gray")


def state(status: str) -> tuple[str, str]:
    """A word with its sign, and the colour of its badge."""
    return STATES.get(status, status), COLOURS.get(status, "gray" if status == "cancelled" else "red")


def made_good(status: str, good: Mending) -> list[tuple[str, str]]:
    """The badges of a failure that was made good: the same words as `state`, more quietly, and by what."""
    said, _ = state(status)
    return [(said, "gray"), (good.says, "gray")]


@singledispatch
def explained(facts: Facts) -> str:
    """One sentence for somebody who sees such a thing for the first time."""
    raise TypeError(f"{type(facts).__name__} is not explained.")


@explained.register
def _(facts: RunFacts) -> str:
    return "The run: one question, and every step on the way to its answer. Click anything to see it here."


@explained.register
def _(facts: FrameFacts) -> str:
    return (
        "A child frame: a helper that is asked a question of its own, and may write code itself to answer it"
        f"{_of_code(facts.cell, ', for the code of ')}."
    )


@explained.register
def _(facts: TurnFacts) -> str:
    if facts.status == "running" and not facts.cells:
        return f"A turn: {_model(facts)} is being asked for its next move."
    if facts.call and facts.call.status not in ("ok", "running"):
        return f"A turn: {_model(facts)} was asked for its next move, and no reply came."
    if not facts.cells:
        return f"A turn: {_model(facts)} was asked, and replied in words."
    codes = ", ".join(str(each.number) for each in facts.cells)
    from_before = facts.call.replayed if facts.call else None
    if from_before:
        said = "a person has written what stands in it" if from_before.edited else "the model was not asked again"
        return f"A turn of an earlier run: {said}. It holds the code of cell {codes}."
    return f"A turn: {_model(facts)} was asked for its next move, and wrote the code of cell {codes}."


@explained.register
def _(facts: CellFacts) -> str:
    where = f" in turn {facts.turn_number}" if facts.turn_number is not None else ""
    if facts.replayed is None:
        return f"A cell: Python that {_model(facts)} wrote{where}, run in a sandbox. The model is shown what it prints."
    if facts.replayed.edited:
        return f"A cell: Python that a person wrote{where}, in the place of what the model had written there."
    return f"A cell{where} of an earlier run, run once more for the variables that it leaves. Nothing was paid for it."


@explained.register
def _(facts: CallFacts) -> str:
    match facts.role:
        case "root":
            return f"The last word: {_model(facts)} was out of turns, and was asked once more for its best answer."
        case "compact":
            return "A call that shortens: the conversation had grown long, and a model was asked to sum it up."
        case "judge":
            return "A judge: a model was asked what it makes of an answer."
    return f"A sub-call: the code{_of_code(facts.cell)} asked a helper model about one piece of the archive."


@explained.register
def _(facts: SearchFacts) -> str:
    return f"A search: the code{_of_code(facts.cell)} looked for places of the archive that fit some words."


@explained.register
def _(facts: AnswerFacts) -> str:
    return "The answer: what the run handed over, and the findings that it names."


@explained.register
def _(facts: FindingFacts) -> str:
    return f"A finding: one item that the code{_of_code(facts.cell)} decided, with the words that decide it."


def _model(facts: TurnFacts | CellFacts | CallFacts) -> str:
    """Who writes the code there."""
    return "the model of a child frame" if facts.in_child else "the root model"


def _of_code(cell: CellRef | None, before: str = " of ") -> str:
    return f"{before}cell {cell.number}" if cell else ""


def explained_group(mark: Mark) -> str:
    what = {"call": "sub-calls", "frame": "child frames", "search": "searches"}.get(mark.kind, f"{mark.kind}s")
    if mark.kind == "more":
        return "Members of a group that are not drawn one by one. Click one in the table to see it."
    fate = " that failed" if mark.failed else " that were stopped" if mark.status == "cancelled" else ""
    return (
        f"A group: {len(mark.members):,} {what}{fate}, all alike and folded into one. Click one in the table to see it."
    )


def where(facts: Facts) -> str:
    """`call 12 of 310 in cell 3`, `turn 3`: what stands beside the name."""
    match facts:
        case CallFacts():
            if facts.role == "root":
                return "outside any turn"
            inside = f" in cell {facts.cell.number}" if facts.cell else ""
            return f"call {facts.number:,} of {facts.of:,}{inside}"
        case TurnFacts():
            return f"of {facts.of:,}"
        case CellFacts():
            return f"turn {facts.turn_number}" if facts.turn_number is not None else ""
        case FrameFacts() | SearchFacts():
            return f"in cell {facts.cell.number}" if facts.cell else ""
        case FindingFacts():
            return f"finding of cell {facts.cell.number}" if facts.cell else "finding"
    return ""


def call_figures(call: CallFacts) -> list[Figure]:
    """Model, cost with its source, time, retries, tokens."""
    usage = call.usage
    if call.replayed is not None:
        before = call.replayed.usage or Usage()
        return [
            Figure("Model", call.model),
            cost(call),
            Figure("Tokens in", "0", f"{wording.count(before.input_tokens)} before"),
            Figure("Tokens out", "0", f"{wording.count(before.output_tokens)} before"),
        ]
    figures = [Figure("Model", call.model), cost(call), _time(call), _retries(call)]
    if usage is None:
        why = "not reported by the model" if call.status == "ok" else ""
        return [*figures, Figure("Tokens", wording.DOES_NOT_APPLY if _not_sent(call) else wording.UNKNOWN, why)]
    parts = [
        Figure("Tokens in", wording.count(usage.input_tokens)),
        _part("From cache", usage.cached_input_tokens, "of those in"),
        Figure("Tokens out", wording.count(usage.output_tokens)),
        _part("To reason", usage.reasoning_tokens, "of those out"),
    ]
    return [*figures, *(each for each in parts if each)]


def _part(label: str, tokens: int | None, of: str) -> Figure | None:
    """A part of the tokens, where the model reported it."""
    return None if tokens is None else Figure(label, wording.count(tokens), of)


def _time(call: CallFacts) -> Figure:
    waited_s = sum(each.wait_s for each in call.retries)
    return Figure("Time", took(call.elapsed_s), f"{wording.seconds(waited_s)} of it waiting" if waited_s else "")


def _retries(call: CallFacts) -> Figure:
    if call.attempts is None:
        return Figure("Retries", wording.DOES_NOT_APPLY)
    unknown = call.attempts > 1 and not call.retries
    return Figure("Retries", str(call.attempts - 1), "why is not recorded" if unknown else "")


def retried(call: CallFacts) -> list[str]:
    """Each attempt that came to nothing: why, and how long was waited: `1. too many requests, then 0.7 s: Slow down.`"""
    return [
        f"{number}. {RETRIED.get(each.kind, each.kind)}, then {wording.seconds(each.wait_s)} of waiting: {each.reason}"
        for number, each in enumerate(call.retries, 1)
    ]


def depth_in_words(depth: object) -> str:
    """`depth 1: its helpers are plain calls`, from the options of a frame."""
    says = {0: "it has no helpers", 1: "its helpers are plain calls"}
    if not isinstance(depth, int):
        return ""
    return f"depth {depth}: {says.get(depth, 'its helpers may write code, too')}"


def took_before(replayed: Replayed) -> str:
    """What a replayed call took where it was made: `1,500 + 200 tokens, $0.012`."""
    usage = replayed.usage or Usage()
    known = usage.input_tokens is not None and usage.output_tokens is not None
    tokens = f"{usage.input_tokens:,} + {usage.output_tokens:,} tokens" if known else "an unknown number of tokens"
    cost = "an unknown cost" if replayed.cost_usd is None else part_cost(replayed.cost_usd)
    return f"{tokens}, {cost}"


def took(elapsed_s: float | None) -> str:
    return "running" if elapsed_s is None else wording.seconds(elapsed_s)


def _not_sent(call: CallFacts) -> bool:
    return call.status not in ("ok", "running") and not call.maybe_paid


def cost(call: CallFacts) -> Figure:
    """What one call cost, and how that is known; of an unknown cost, why."""
    if call.replayed is not None:
        return Figure("Cost", wording.money(0.0), "nothing was sent")
    if call.cost_usd is not None:
        if call.cost_source == "free":
            return Figure("Cost", part_cost(call.cost_usd), "free: nothing is charged")
        source = (call.cost_source or "").strip()
        if source.endswith(LIST_PRICES):
            return Figure("Cost", part_cost(call.cost_usd), f"measured: {source}, applied {_day(call.started_at)}")
        return Figure("Cost", part_cost(call.cost_usd), f"measured: {source}" if source else "")
    if call.status == "running":
        return Figure("Cost", wording.UNKNOWN, "known when it has ended")
    if _not_sent(call):
        return Figure("Cost", wording.DOES_NOT_APPLY, "nothing was charged")
    if call.status != "ok":
        return Figure("Cost", wording.UNKNOWN, "no reply came; it may have been charged")
    if call.usage is None:
        return Figure("Cost", wording.UNKNOWN, "the model reported no tokens")
    return Figure("Cost", wording.UNKNOWN, "no price is known for this model")


def _day(at: float) -> str:
    """The day of a price: the list names its version, and the call was priced when it was made."""
    return time.strftime("%d %b %Y", time.localtime(at)).removeprefix("0")


def sum_of_costs(totals: Totals, *, running: int = 0, free: bool = False) -> Figure:
    """What several calls cost together."""
    if not totals.calls:
        return Figure("Cost", wording.DOES_NOT_APPLY)
    unknown = totals.calls_without_cost
    if free and not totals.cost_usd:
        return Figure("Cost", wording.money(0.0), "nothing is charged")
    note = f"{wording.exact(unknown - running, 'call')} unknown" if unknown > running else "so far" if running else ""
    return Figure("Cost", part_cost(totals.cost_usd, unknown), note)


def sum_of_tokens(totals: Totals, *, running: int = 0) -> Figure:
    if not totals.calls:
        return Figure("Tokens in | out", wording.DOES_NOT_APPLY)
    if totals.calls_without_usage == totals.calls:
        return Figure("Tokens in | out", wording.UNKNOWN)
    unknown = totals.calls_without_usage - running
    note = f"{wording.exact(unknown, 'call')} unknown" if unknown > 0 else "so far" if running else ""
    said = f"{wording.count(totals.input_tokens)} | {wording.count(totals.output_tokens)}"
    return Figure("Tokens in | out", said, note)


def counted(ok: int, failed: int, cancelled: int = 0, running: int = 0, refused: int = 0) -> str:
    """`309 ok, 1 failed, 2 under way, 40 refused`."""
    said = [f"{ok:,} ok"] if ok else []
    said += [f"{failed:,} failed"] if failed else []
    said += [f"{cancelled:,} stopped"] if cancelled else []
    said += [f"{running:,} under way"] if running else []
    said += [f"{refused:,} refused"] if refused else []
    return ", ".join(said) or "none"
