"""A run in words and numbers: its state, and the six figures of its header. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from app.sheet import Sheet
from rlm_core import wording
from rlm_core.view import Totals

SYMBOLS = {
    "queued": "◷",
    "running": "▷",
    "answered": "✓",
    "forced": "△",
    "failed": "✕",
    "cancelled": "□",
    "interrupted": "△",
}
DOES_NOT_APPLY = "–"


@dataclass(frozen=True, slots=True)
class Figure:
    label: str
    value: str
    note: str = ""


def state_in_words(sheet: Sheet) -> str:
    """`running, turn 3`, `answered`."""
    return f"running, turn {sheet.turns}" if sheet.state == "running" and sheet.turns else sheet.state


def reason_in_words(sheet: Sheet) -> str:
    """Why the run is where it is, where its state alone does not say so."""
    if sheet.state == "queued":
        return "It begins by itself as soon as the worker is free."
    if sheet.reason or sheet.active or sheet.state == "answered":
        return sheet.reason
    said = wording.OUTCOMES[sheet.state]  # type: ignore[index]  # every other state is an outcome
    return f"{said[0].upper()}{said[1:]}." if said != sheet.state else ""


def elapsed_s(sheet: Sheet, now: float) -> float | None:
    return None if sheet.started_at is None else (sheet.finished_at or now) - sheet.started_at


def figures(sheet: Sheet, now: float) -> list[Figure]:
    """Cost, time, tokens, calls, turns, documents: each with what must be known beside it."""
    if sheet.state == "queued":
        return [
            Figure(label, DOES_NOT_APPLY)
            for label in ("Cost", "Time", "Tokens in | out", "Calls", "Turns", "Documents")
        ]
    totals = sheet.totals
    return [
        Figure("Cost", cost(totals, sheet.open_calls), _cost_note(sheet)),
        Figure("Time", wording.seconds(elapsed_s(sheet, now)), f"calls {wording.seconds(sheet.calls_s)} in sum"),
        Figure("Tokens in | out", _tokens(sheet), _tokens_note(sheet)),
        Figure("Calls", f"{totals.calls:,}", _calls_note(sheet)),
        Figure("Turns", f"{sheet.turns:,}", f"of {sheet.task.limits.max_turns:,} allowed"),
        _documents(sheet),
    ]


def cost(totals: Totals, open_calls: int = 0) -> str:
    """What is known of the cost. Calls under way are no unknowns yet."""
    nothing_known = bool(totals.calls) and totals.calls_without_cost == totals.calls and not totals.cost_usd
    return wording.money(None if nothing_known and totals.calls > open_calls else totals.cost_usd)


def _cost_note(sheet: Sheet) -> str:
    unknown = sheet.totals.calls_without_cost - sheet.open_calls
    if unknown > 0:
        return _unknown(unknown)
    if sheet.free:
        return "nothing is charged"
    return "so far" if sheet.active else ""


def _unknown(calls: int) -> str:
    return f"+ {wording.exact(calls, 'call')} unknown" if calls > 0 else ""


def _tokens(sheet: Sheet) -> str:
    totals = sheet.totals
    if _ended(sheet) and totals.calls_without_usage == totals.calls:
        return wording.UNKNOWN
    return f"{wording.count(totals.input_tokens)} | {wording.count(totals.output_tokens)}"


def _tokens_note(sheet: Sheet) -> str:
    unknown = sheet.totals.calls_without_usage - sheet.open_calls
    return "not reported by the model" if unknown > 0 and unknown == _ended(sheet) else _unknown(unknown)


def _ended(sheet: Sheet) -> int:
    return sheet.totals.calls - sheet.open_calls


def _calls_note(sheet: Sheet) -> str:
    failed = f"{sheet.totals.failed_calls:,} failed" if sheet.totals.failed_calls else "none failed"
    return f"{failed}, {sheet.open_calls:,} under way" if sheet.open_calls else failed


def _documents(sheet: Sheet) -> Figure:
    if sheet.documents is None:
        return Figure("Documents", wording.UNKNOWN)
    return Figure("Documents", f"{sheet.documents:,}", f"{wording.count(sheet.chars)} characters")
