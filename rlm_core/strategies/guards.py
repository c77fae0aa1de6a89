"""When an answer is sent back: once for each reason, with the reason, so that it costs one turn at most; an empty one always.

The two mistakes are the commonest of real trajectories: answering in the same turn as output that nobody has seen, and
answering before the archive was looked at (paper, appendix B and E: answers from guessed outputs, answers on turn 1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rlm_core.frame import Ran
from rlm_core.task import Answer

UNSEEN = (
    "Your answer was not accepted yet: it was given in the same turn as output that you had not seen. Read the output "
    'above. If the answer stands, give it again in a cell that prints nothing (`answer["ready"] = True` is enough).'
)
NOT_LOOKED = (
    "Your answer was not accepted yet: the archive has not been looked at. Read in `context` what decides the question, "
    "then answer."
)
EMPTY = 'Your answer was not accepted: it is empty. Put the answer into `answer["content"]`, then set `answer["ready"] = True`.'


@dataclass(slots=True)
class Guards:
    """Remembers what a frame has looked at, and which reasons were used up."""

    looked: bool = False
    used: set[str] = field(default_factory=set)

    def refusal(self, ran: Sequence[Ran], answer: Answer) -> str | None:
        """Why an answer that came with these cells is sent back, or `None` if it stands. An empty one never stands."""
        if not answer.text.strip():
            return EMPTY
        reason = None
        if not self.looked:
            reason = NOT_LOOKED
        elif any(each.result.output.strip() for each in ran):
            reason = UNSEEN
        if reason is None or reason in self.used:
            return None
        self.used.add(reason)
        return reason

    def watch(self, ran: Sequence[Ran]) -> None:
        """Take note of what the cells of a turn have looked at."""
        self.looked = self.looked or any(each.result.touched_context for each in ran)
