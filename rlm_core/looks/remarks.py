"""What was remarked of a part of a run, in words: limits that were reached, notes, approvals, shortened histories. Pure."""

from __future__ import annotations

from rlm_core import events as ev
from rlm_core import wording
from rlm_core.passages import Passage, passage

LIMITS = {
    "max_usd": "spending",
    "max_tokens": "tokens",
    "max_calls": "calls",
    "max_turns": "turns",
    "timeout_s": "time",
}
STOPPED_BEFORE = (
    "Helpers are stopped a little before it, so that the root model can still answer, "
    "and nothing is sent that may go over it."
)
PROTECTION, SANDBOX = "protection", "sandbox"
TOPICS = {PROTECTION: SANDBOX}
"""Topics of notes that are said in another word."""


def limit_in_words(body: ev.LimitReached) -> str:
    """Which limit, how much of it was used, and where that is less than all, why it was reached all the same."""
    used, allowed = amount(body.limit, body.used), amount(body.limit, body.allowed)
    reached = f"The limit on {LIMITS.get(body.limit, body.limit)} was reached: {used} of {allowed} used."
    return reached if body.used >= body.allowed else f"{reached} {STOPPED_BEFORE}"


def amount(limit: str, value: float) -> str:
    """Of a limit, in its unit."""
    match limit:
        case "max_usd":
            return wording.money(value)
        case "timeout_s":
            return wording.seconds(value)
    return f"{value:,.0f}"


def remark_in_words(body: ev.Body) -> tuple[str, Passage] | None:
    """The topic of a remark, and what it says; `None` of what is none."""
    match body:
        case ev.LimitReached():
            return "limit", passage(limit_in_words(body))
        case ev.Noted():
            topic = passage(body.topic).head.replace("_", " ")
            return TOPICS.get(topic, topic), passage(body.text)
        case ev.HistoryCompacted():
            return "history compacted", passage(body.summary)
        case ev.ApprovalAsked():
            return "approval", passage(f"Asked a person about {wording.batch(body.calls, body.estimated_usd)}.")
        case ev.ApprovalGiven():
            said = "Approved." if body.granted else "Refused: the calls were not sent, and the model was told so."
            return "approval", passage(said)
        case ev.ReplayDiverged():
            return "replay", passage(
                f"It printed something else than in the run before: {passage(body.got).head!r} where there had been "
                f"{passage(body.expected).head!r}."
            )
    return None
