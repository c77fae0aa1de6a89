"""What a model is told after its cells: the output as far as it is shown, what changed, what failed, what is left.

Worded for a model that has to act on it. Everything that is cut says how much is missing.
"""

from __future__ import annotations

from collections.abc import Sequence

from rlm_core.frame import Frame, Ran
from rlm_core.task import Json

MAX_VARIABLES = 12
MAX_FAILURES = 10


def shown(text: str, max_chars: int, true_chars: int | None = None) -> str:
    """Head and tail of a text with the number of characters between them; the text itself where it is short enough."""
    true_chars = len(text) if true_chars is None else true_chars
    if len(text) <= max_chars:
        return text
    head, tail = text[: max_chars * 2 // 3], text[-(max_chars // 3) :]
    missing = true_chars - len(head) - len(tail)
    return f"{head}\n[... {missing:,} of {true_chars:,} characters not shown ...]\n{tail}"


def feedback(frame: Frame, ran: Sequence[Ran], skipped: int = 0) -> str:
    """The user message that follows a turn with cells."""
    parts = []
    for number, each in enumerate(ran, 1):
        label = f"Output of cell {number} of {len(ran)}" if len(ran) > 1 else "Output of cell"
        parts.append(f"{label}:\n{_output(each, frame.limits.shown_chars)}")
        parts += [line for line in (_variables(each.result.variables), _failures(each)) if line]
    if skipped:
        parts.append(f"{skipped} further cell(s) of your reply were not run, because the one before failed.")
    parts.append(spent_line(frame))
    return "\n\n".join(parts)


def _output(ran: Ran, max_chars: int) -> str:
    result = ran.result
    text = shown(result.output.rstrip("\n"), max_chars, result.output_chars)
    if result.error:
        text = f"{text}\n{result.error}" if text else result.error
    return text or "(nothing was printed)"


def _variables(variables: Sequence[Json]) -> str:
    """`rooms: dict, 310 items (new)`, as many as are worth a look."""
    if not variables:
        return ""
    lines = [_variable(each) for each in variables[:MAX_VARIABLES]]
    if len(variables) > MAX_VARIABLES:
        lines.append(f"and {len(variables) - MAX_VARIABLES} more")
    return "Variables: " + "; ".join(lines)


def _variable(each: Json) -> str:
    size = (
        f", {each['size']:,} {'characters' if each['type'] == 'str' else 'items'}"
        if each.get("size") is not None
        else ""
    )
    preview = f" = {each['preview']}" if each.get("preview") and each.get("size") is None else ""
    return f"{each['name']}: {each['type']}{size}{preview} ({each['change']})"


def _failures(ran: Ran) -> str:
    if not ran.calls:
        return ""
    if not ran.failed:
        return f"Calls: {ran.calls:,}, none failed."
    places = ", ".join(str(place) for place, _ in ran.failed[:MAX_FAILURES])
    more = f" and {len(ran.failed) - MAX_FAILURES} more" if len(ran.failed) > MAX_FAILURES else ""
    return f"Calls: {len(ran.failed)} of {ran.calls:,} failed: {places}{more} (counted from 0). First error: {ran.failed[0][1]}"


def spent_line(frame: Frame) -> str:
    """One line of what is used and what is allowed."""
    spent, limits = frame.spent, frame.limits
    parts = [f"turn {frame.turns} of {limits.max_turns}", f"{spent.calls:,} of {limits.max_calls:,} calls"]
    parts.append(f"{spent.tokens:,}{f' of {limits.max_tokens:,}' if limits.max_tokens else ''} tokens")
    if limits.max_usd is not None or spent.usd:
        allowed = f" of ${limits.max_usd:.2f}" if limits.max_usd is not None else ""
        unknown = f" + {spent.unpriced_calls} calls of unknown price" if spent.unpriced_calls else ""
        parts.append(f"${spent.usd:.4f}{allowed}{unknown}")
    parts.append(f"{spent.elapsed_s:.0f} of {limits.timeout_s:.0f} s")
    return "Used: " + ", ".join(parts) + "."
