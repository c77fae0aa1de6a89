"""What was remarked of a part of a run, in words: limits that were reached, notes, approvals, shortened histories. Pure."""

from __future__ import annotations

from rlm_core import events as ev
from rlm_core import wording
from rlm_core.passages import Passage, passage

LIMITS = {
    "max_usd": "Limit on spending (US dollars)",
    "max_tokens": "Limit on tokens",
    "max_calls": "Limit on calls",
    "max_turns": "Limit on turns",
    "timeout_s": "Limit on time (seconds)",
}
SANDBOX = "sandbox"
TOPICS = {"protection": SANDBOX}
"""Topics of notes that are said in another word."""


def limit_in_words(limit: str) -> str:
    return LIMITS.get(limit, f"The limit {limit}")


def remark_in_words(body: ev.Body) -> tuple[str, Passage] | None:
    """The topic of a remark, and what it says; `None` of what is none."""
    match body:
        case ev.LimitReached():
            return "limit", passage(f"{limit_in_words(body.limit)} reached: {body.used:g} of {body.allowed:g}.")
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
