"""When an answer is sent back: once for each reason, with the reason, so that it costs one turn at most; an empty one always.

The reasons are the mistakes of real trajectories (paper, appendices B and E): answering beside output that nobody has seen,
answering before the archive was looked at, a plan in place of an answer, a shrug, the name of a variable in place of its
value. A real answer that is sent back costs a turn and may be lost, so the wordings that count are few and narrow, and nothing
but an empty answer is sent back in the last turn. The prompts of the paper have no guards: pass `on=False`.
"""

from __future__ import annotations

import re
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
PLAN = (
    "Your answer was not accepted yet: it says what you are going to do, not what you found. Do it now, in a cell, and answer "
    "when you have the result. If these words are the answer, give them again."
)
SHRUG = (
    "Your answer was not accepted yet: it says only that there is none. Look once more: for other words for the same thing, in "
    "documents that you have not opened, in what your rule left out. If the archive does not decide the question, give the "
    "answer again and say in a sentence what you looked at."
)
NAME = (
    "Your answer was not accepted yet: `{name}` is the name of a variable, and its name was given in place of its value. Give "
    "the value: `FINAL({name})` without quotes, in a cell. If the word itself is the answer, give it again."
)

SHRUGS = frozenset(
    {"unknown", "n/a", "na", "none", "null", "nan", "nothing", "not found", "no answer", "i don't know", "undetermined"}
)
MAX_PLAN_CHARS = 400
USUAL_NAMES = frozenset(
    {"result", "results", "answer", "final", "output", "summary", "response", "report", "res", "ans"}
)
"""Names that are hardly ever an answer. Others count only if they have an underscore: a variable may well be called `yes`."""

_SESSION_NOTE = re.compile(r"^\[\w+ was reassigned; it holds the original again.*\]$", re.M)
"""What the session itself prints after `answer = {...}` (`sandbox/worker.py`): not an output that anybody has to see."""
_PLAN = re.compile(
    r"(?:(?:okay|ok|first|next|now|then|so),? (?:i need to|we need to)|"
    r"(?:(?:okay|ok|first|next|now|then|so),? )?(?:i will|i'll|i am going to|i'm going to|let me|let us|let's|we will))"
    r"(?: (?:now|first|next|then|start by|begin by|proceed to|go on to|continue to|also)){0,2} "
    r"(?:look|check|search|count|analy[sz]e|examin|read|start|begin|proceed|explor|inspect|process|extract|query|ask|split|"
    r"chunk|run|print|review|comput|calculat|determin|find|identif|go through|writ|iterat|pars|load|verif|scan|gather)",
    re.I,
)


@dataclass(slots=True)
class Guards:
    """Remembers what a frame has looked at, which names its session holds, and which reasons were used up. `looked` is true
    from the start where the context stands in the prompt."""

    on: bool = True
    looked: bool = False
    used: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)

    def refusal(self, ran: Sequence[Ran], answer: Answer, *, last_turn: bool = False) -> str | None:
        """Why an answer that came with these cells is sent back, or `None` if it stands. An empty one never stands."""
        text = answer.text.strip()
        if text in ("", "...", "…"):
            return EMPTY
        if not self.on or last_turn:
            return None
        for reason, applies in (
            (NOT_LOOKED, not self.looked),
            (UNSEEN, any(_SESSION_NOTE.sub("", each.result.output).strip() for each in ran)),
            (NAME, self._is_a_name(text, answer.how)),
            (PLAN, is_plan(text)),
            (SHRUG, text.casefold().replace("’", "'").strip(" .!\"'`()[]") in SHRUGS),
        ):
            if applies and reason not in self.used:
                self.used.add(reason)
                return reason.format(name=text) if reason == NAME else reason
        return None

    def watch(self, ran: Sequence[Ran]) -> None:
        """Take note of what the cells of a turn have looked at and made."""
        self.looked = self.looked or any(each.result.touched_context for each in ran)
        self.names |= {variable["name"] for each in ran for variable in each.result.variables}

    def _is_a_name(self, text: str, how: str) -> bool:
        telling = "_" in text.strip("_") or text.casefold() in USUAL_NAMES
        return how != "FINAL_VAR" and telling and text.isidentifier() and text in self.names


def is_plan(text: str) -> bool:
    """Whether a text announces work and nothing else. One with a number may be a result, and a long one tells something."""
    return len(text) <= MAX_PLAN_CHARS and not any(each.isdigit() for each in text) and bool(_PLAN.match(text))
