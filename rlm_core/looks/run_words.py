"""A run in words and numbers: its state, and the six figures of its header. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from rlm_core import wording
from rlm_core.events import NOT_RECORDED
from rlm_core.looks.sheet import Sheet
from rlm_core.plain import plain_line
from rlm_core.task import DEMO_MODEL, Task

SYMBOLS = {
    "queued": "◷",
    "running": "▷",
    "answered": "✓",
    "forced": "△",
    "failed": "✕",
    "cancelled": "□",
    "interrupted": "△",
}
NONE_YET = "none yet"
WAITS = "waits for you"
NOT_YET = "not yet"
RECORDED = "recorded run, shipped with RLM Studio"


class Counted(Protocol):
    """How much of its archive a run was shown, as the store counts it (`store/readings.py`)."""

    @property
    def shown_chars(self) -> int: ...
    @property
    def chars(self) -> int | None: ...
    @property
    def complete(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class ShownShare:
    """How much of its archive a run was shown, as far as that is known."""

    row: Counted | None = None
    looking: bool = False
    """More of it is being looked for."""
    problem: str = ""
    """Why it cannot be looked for."""


NOT_LOOKED_AT = ShownShare()


@dataclass(frozen=True, slots=True)
class Figure:
    label: str
    value: str
    note: str = ""
    help: str = ""
    """Said where it is pointed at."""
    opens: str = ""
    """The view of the run that says more."""


def question_in_words(question: str) -> str:
    """A question as it is; of one that a log does not record, that it does not."""
    return question if is_recorded(question) else f"question {NOT_RECORDED}"


def asked_with(task: Task) -> str:
    """`rlm depth 1 · gpt-5, helpers gpt-5-mini`."""
    options = "".join(f" {name} {value}" for name, value in task.options.items())
    alone = task.strategy == "base" or task.root_model == task.helper_model
    models = task.root_model if alone else f"{task.root_model}, helpers {task.helper_model}"
    return plain_line(f"{task.strategy}{options} · {models}", 160)


def is_recorded(question: str) -> bool:
    return question != NOT_RECORDED


def state_in_words(sheet: Sheet) -> str:
    """`running, turn 3`, `waits for you`, `answered`."""
    if sheet.approval is not None:
        return WAITS
    return f"running, turn {sheet.turns}" if sheet.state == "running" and sheet.turns else sheet.state


def reason_in_words(sheet: Sheet) -> str:
    """Why the run is where it is, where its state alone does not say so."""
    if sheet.state == "queued":
        return "It begins by itself as soon as the worker is free."
    if sheet.reason or sheet.active or sheet.state == "answered":
        return sheet.reason
    said = wording.OUTCOMES[sheet.state]  # type: ignore[index]  # every other state is an outcome
    said = said.removeprefix(f"{sheet.state}: ")
    return f"{said[0].upper()}{said[1:]}." if said != sheet.state else ""


def notices(sheet: Sheet, *, recorded: bool) -> list[str]:
    """What must be known before the answer is read: that it is a recording, and that no language model gave it."""
    said = [RECORDED] if recorded else []
    root, helper = sheet.task.root_model, sheet.task.helper_model
    if is_demo(root, helper):
        said.append("demo: rule-based, not a language model")
    elif DEMO_MODEL in (root, helper):
        said.append(f"{'root' if root == DEMO_MODEL else 'helper'} model is the demo: rule-based, not a language model")
    return said


def elapsed_s(sheet: Sheet, now: float) -> float | None:
    return None if sheet.started_at is None else (sheet.finished_at or now) - sheet.started_at


def figures(sheet: Sheet, now: float, shown: ShownShare = NOT_LOOKED_AT) -> list[Figure]:
    """Cost, time, tokens, calls, turns, coverage: each with what must be known beside it."""
    if sheet.state == "queued":
        return [
            Figure(label, wording.DOES_NOT_APPLY)
            for label in ("Cost", "Time", "Tokens in | out", "Calls", "Turns", "Coverage")
        ]
    totals = sheet.totals
    return [
        Figure("Cost", _cost(sheet), _cost_note(sheet)),
        Figure("Time", wording.seconds(elapsed_s(sheet, now)), _time_note(sheet)),
        Figure("Tokens in | out", _tokens(sheet), _tokens_note(sheet)),
        Figure("Calls", f"{totals.calls:,}" if totals.calls or not sheet.active else NONE_YET, _calls_note(sheet)),
        Figure("Turns", f"{sheet.turns:,}", _turns_note(sheet)),
        _coverage(sheet, shown),
    ]


def settled(row: Sequence[Figure]) -> list[Figure]:
    """The figures as they stand in a file, where nothing more is to come: what is not known yet is unknown."""
    return [
        replace(each, value=wording.UNKNOWN, note="nobody has looked") if each.value == NOT_YET else each
        for each in row
    ]


def cost(usd: float | None, unknown_calls: int, *, calls: int, active: bool, free: bool = False) -> str:
    """The cost of a run, by one rule at every place. `$0.00` is said only where it is known: no call was sent, or all
    that were are free. `unknown_calls` may be charged for, or are under way; `free` calls cost nothing before they end.
    """
    if active and not calls:
        return NONE_YET
    return wording.money(usd or 0.0, 0 if free and not usd else unknown_calls)


def is_demo(root: str, helper: str) -> bool:
    return root == helper == DEMO_MODEL


def _cost(sheet: Sheet) -> str:
    totals = sheet.totals
    said = cost(
        totals.cost_usd, totals.calls_without_cost, calls=totals.calls, active=sheet.active, free=_is_free(sheet)
    )
    return said.removesuffix(" + ?")  # the note beside it counts the calls


def _is_free(sheet: Sheet) -> bool:
    return is_demo(sheet.task.root_model, sheet.task.helper_model) or (
        sheet.free and not sheet.totals.calls_without_cost
    )


def _cost_note(sheet: Sheet) -> str:
    unknown = sheet.totals.calls_without_cost - sheet.open_calls
    if _is_free(sheet) and sheet.totals.calls and not sheet.totals.cost_usd:
        return "nothing is charged"
    if unknown <= 0 and sheet.replayed_calls:
        return "so far; replayed: nothing" if sheet.active else "replayed calls: nothing"
    if unknown > 0:
        return _unknown(unknown) if sheet.totals.cost_usd else f"of {wording.exact(unknown, 'call')}"
    return "so far" if sheet.active and sheet.totals.calls else ""


def _unknown(calls: int) -> str:
    return f"+ {wording.exact(calls, 'call')} unknown" if calls > 0 else ""


def _time_note(sheet: Sheet) -> str:
    if _ended(sheet):
        return f"calls {wording.seconds(sheet.calls_s)} in sum"
    return "no call has ended yet" if sheet.active else "no call was made"


def _tokens(sheet: Sheet) -> str:
    totals = sheet.totals
    if sheet.active and not totals.calls:
        return NONE_YET
    if totals.calls and totals.calls_without_usage == totals.calls:
        return wording.UNKNOWN
    return f"{wording.count(totals.input_tokens)} | {wording.count(totals.output_tokens)}"


def _tokens_note(sheet: Sheet) -> str:
    unknown = sheet.totals.calls_without_usage - sheet.open_calls
    if unknown > 0 and unknown == _ended(sheet):
        return "no reply came" if unknown <= sheet.totals.failed_calls else "not reported by the model"
    return _unknown(unknown) or ("so far" if sheet.open_calls and sheet.active else "")


def _ended(sheet: Sheet) -> int:
    return sheet.totals.calls - sheet.open_calls


def _turns_note(sheet: Sheet) -> str:
    """The limit holds for each frame by itself."""
    most = f"{sheet.task.limits.max_turns:,}" if sheet.knows_limit("max_turns") else ""
    if sheet.frames > 1:
        return f"in {sheet.frames:,} frames{f', {most} each' if most else ''}"
    return f"of {most} allowed" if most else ""


def _calls_note(sheet: Sheet) -> str:
    """`1 failed, 2 cancelled, 3 under way`; that none failed is said of calls that have ended."""
    cancelled, failed = sheet.cancelled_calls, sheet.totals.failed_calls - sheet.cancelled_calls
    said = [f"{failed:,} failed"] if failed else ["none failed"] if _ended(sheet) > cancelled else []
    said += [f"{cancelled:,} cancelled"] if cancelled else []
    said += [f"{sheet.refused_calls:,} refused"] if sheet.refused_calls else []
    said += [f"{sheet.open_calls:,} under way"] if sheet.open_calls else []
    return ", ".join([*([f"{sheet.replayed_calls:,} replayed"] if sheet.replayed_calls else []), *said])


def coverage(row: Counted | None, *, active: bool) -> str:
    """The share of its archive that a run was shown, by one rule at every place: `39 %`, `~39 %` where not all of a run that
    has ended was looked at, `not yet` where nothing was, `unknown` where the archive is not."""
    if row is None:
        return NOT_YET
    if row.chars is None:
        return wording.UNKNOWN
    if not row.chars:
        return wording.DOES_NOT_APPLY
    return f"{'' if row.complete or active else '~'}{wording.share(row.shown_chars, row.chars)}"


def _coverage(sheet: Sheet, shown: ShownShare) -> Figure:
    no_archive = not sheet.task.corpus or (shown.problem and not shown.row)
    said = wording.UNKNOWN if no_archive else coverage(shown.row, active=sheet.active)
    if sheet.documents is None:
        archive = "its archive"
    else:
        archive = f"{wording.exact(sheet.documents, 'document')}, {wording.exact(sheet.chars or 0, 'character')}"
    help = shown.problem or f"How much of the archive ({archive}) a model was shown. Open it to see what was not."
    return Figure("Coverage", said, _coverage_note(sheet, shown), help, opens="Coverage")


def _coverage_note(sheet: Sheet, shown: ShownShare) -> str:
    if not sheet.task.corpus:
        return "the archive is not in its log"
    if shown.problem:
        return "cannot be looked for"
    if shown.row is None:
        return "being looked for" if shown.looking else "not looked at yet"
    if shown.row.chars is None:
        return "the archive is not here"
    if not shown.row.chars:
        return "the archive has no text"
    return f"of the archive shown{'' if shown.row.complete else ' so far'}"
