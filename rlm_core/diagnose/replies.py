"""Rules on what became of the replies of helpers: lost, no answers, unread."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from rlm_core.diagnose.code import WORD
from rlm_core.diagnose.material import Material
from rlm_core.diagnose.prompts import MAX_CALLS_READ, cells_that_ask, lines_of, own_lines
from rlm_core.diagnose.remedies import ask_again
from rlm_core.diagnose.symptoms import Symptom, quoted
from rlm_core.view import Node
from rlm_core.wording import exact

REFUSED_SHARE = 0.2
_REFUSAL = re.compile(
    r"\W{0,3}(?:(?:i['’]m|i am) sorry\b|sorry, (?:but )?i\b|as an? (?:ai|(?:large )?language model)\b|"
    r"i (?:can(?:no|['’])t|am unable to|am not able to) (?:help|assist|comply|access|open|view|see)\b|"
    r"i (?:do not|don['’]t) (?:have|see) (?:access|any|the|a) |"
    r"(?:no|the) (?:text|document|context|content|report|entr(?:y|ies)) (?:was|were) (?:not )?(?:provided|given|attached)\b|"
    r"(?:please|could you) (?:provide|share|paste|send)\b)",
    re.I,
)


def lost_replies(run: Material) -> Iterator[Symptom]:
    """Calls of helpers failed or came back empty, and were not asked again before the frame answered.

    Evidence: the failed calls, with their errors. A call counts as asked again where prompts that were answered hold most of
    the lines that are its own. How it errs: what is asked again in quite other words is not seen; code may do without.
    """
    for steps in run.frames:
        calls = [(cell, call) for cell in steps.cells() for call in run.calls_of(cell)]
        failed = {call.id for _, call in calls if call.failed and call.status not in ("cancelled", "interrupted")}
        if not run.has_answered(steps) or not failed:
            continue
        answered = {line for _, each in calls[-MAX_CALLS_READ:] if each.status == "ok" for line in lines_of(run, each)}
        cells = {cell.id: cell for cell, call in calls if call.id in failed}
        lost = [
            call
            for cell in cells.values()
            for call, lines in own_lines(run, run.calls_of(cell)[:MAX_CALLS_READ])
            if call.id in failed and 2 * sum(len(line) for line in lines if line in answered) < sum(map(len, lines))
        ]
        if lost:
            span = lost[0].parent or steps.span
            yield Symptom(
                "may change the answer",
                span,
                f"{len(lost):,} of {exact(len(calls), 'call')} gave no reply and were not asked again.",
                tuple(quoted(each.id, _error(run, each)) for each in lost[:3]),
                ask_again(run, steps, span, "Ask those helpers again whose calls failed, before you count or answer."),
            )


def refused_by_helpers(run: Material) -> Iterator[Symptom]:
    """Helpers answered that they cannot help, or that they were given no text, in a fair part of a cell's calls.

    Evidence: the replies. How it errs: only what a reply begins with is looked at, in English; "I cannot find any" is an answer.
    """
    for steps, cell, calls in cells_that_ask(run, 1):
        replies = [each for each in calls[-MAX_CALLS_READ:] if each.status == "ok"]
        refusing = [each for each in replies if _REFUSAL.match(run.said(each)[:200])]
        if refusing and len(refusing) >= REFUSED_SHARE * len(replies):
            yield Symptom(
                "may change the answer",
                cell.id,
                f"{len(refusing):,} of {exact(len(replies), 'helper')} did not answer what they were asked.",
                tuple(quoted(each.id, run.said(each)) for each in refusing[:3]),
                ask_again(
                    run, steps, cell.id, "Put the text itself into each prompt, and check that the replies answer it."
                ),
            )


def unread_replies(run: Material) -> Iterator[Symptom]:
    """The replies of helpers were given a name that no later line of code and no reply mentions.

    Evidence: the line of code, and the calls. How it errs: what reads all variables at once, such as `globals()`, is not seen.
    """
    for steps in run.frames:
        cells = [each for each in steps.cells() if run.calls_of(each)]
        if not cells:
            continue
        in_cells = Counter(word for cell in steps.cells() for word in run.code(cell).words)
        in_replies = Counter(word for turn in steps.turns for word in set(WORD.findall(run.said(turn.reply))))
        for cell in cells:
            for name, line in run.code(cell).given_by_helpers():
                if run.code(cell).words[name] > 1 or in_cells[name] > 1 or in_replies[name] > 1:
                    continue
                yield Symptom(
                    "wasted time or money",
                    cell.id,
                    f"The replies of {exact(len(run.calls_of(cell)), 'helper')} were kept as {name}, which nothing reads.",
                    (quoted(cell.id, line),),
                    ask_again(run, steps, cell.id, f"Use what the helpers said in `{name}`."),
                )


def _error(run: Material, call: Node) -> str:
    return run.error(call) or call.status
