"""Whether a run waits for a person, and how long it has done so. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from rlm_core import events as ev
from rlm_core.view import RunView


def open_approval(view: RunView) -> tuple[str, ev.ApprovalAsked] | None:
    """The batch that waits for a person's word, and the span of the cell that asks; a run asks one question at a time."""
    for node in view.open_nodes():
        said = [each for each in node.remarks if isinstance(each, ev.ApprovalAsked | ev.ApprovalGiven)]
        if said and isinstance(said[-1], ev.ApprovalAsked) and view.outcome is None:
            return node.id, said[-1]
    return None


def waited_s(events: Iterable[ev.Event], now: float) -> float:
    """Seconds in which a run has waited for a person, up to `now`."""
    total, asked_at = 0.0, None
    for event in events:
        if isinstance(event.body, ev.ApprovalAsked):
            asked_at = event.at
        elif isinstance(event.body, ev.ApprovalGiven) and asked_at is not None:
            total, asked_at = total + event.at - asked_at, None
    return total + (max(0.0, now - asked_at) if asked_at is not None else 0.0)
