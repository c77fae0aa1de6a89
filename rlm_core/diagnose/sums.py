"""The rule on sums that a model worked out in words, with a session at hand that could have added."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf

from rlm_core.diagnose.material import Material, Steps
from rlm_core.diagnose.remedies import ask_again
from rlm_core.diagnose.symptoms import Symptom, quoted

RIGHT_STEPS = 3
"""So many steps of a running total must be right before a wrong one counts as one: else the numbers mean something else."""
MAX_REPLY_CHARS = 50_000
MAX_TERMS = 2_000
_CODE = re.compile(r"^```.*?(?:^```|\Z)", re.M | re.S)
_NUMBER = re.compile(r"(?<![\w.,-])\d{1,12}(?:,\d{3})*(?:\.\d{1,6})?(?![\w,]*\d)(?!\w)")
_SUM = re.compile(r"(?<![\d.,+])(?<!\+ )((?:\d[\d,.]{0,15} ?\+ ?){1,200}\d[\d,.]{0,15}) ?= ?\**(\d[\d,.]{0,15})")


@dataclass(frozen=True, slots=True)
class Slip:
    """A sum that does not add up: what was said, what it is, and what came of it in the end."""

    words: str
    said: float
    right: float
    total: float


def wrong_sum_in_words(run: Material) -> Iterator[Symptom]:
    """A model added numbers up in its reply, and a step of it is wrong.

    Evidence: `a + b = c` that is not so, or a running total of several right steps in which one is wrong; the result stands in
    the answer, or in code that followed. How it errs: little rounding is let pass; sums told in other ways are missed.
    """
    for steps in run.frames:
        used: dict[float, float] = {}
        for turn in steps.turns:
            words = _CODE.sub("\n", run.said(turn.reply)[:MAX_REPLY_CHARS])
            slips = [*_sums(words), *_running(words)]
            used = used or (_last_uses(run, steps) if slips else {})
            after = turn.node.started_seq
            slip = next((each for each in slips if max(used.get(each.total, 0), used.get(each.said, 0)) > after), None)
            if slip:
                yield Symptom(
                    "may change the answer",
                    turn.node.id,
                    f"Added up in words, and wrongly: {slip.words} is {slip.right:g}, not {slip.said:g}.",
                    (quoted(turn.node.id, words),),
                    ask_again(run, steps, turn.node.id, "Add numbers up in code, from the variables that hold them."),
                )
                break


def _last_uses(run: Material, steps: Steps) -> dict[float, float]:
    """Numbers of a frame's code, each with the place of the last cell that has it; those of the answer come after all cells."""
    used: dict[float, float] = {}
    for cell in steps.cells():
        used |= dict.fromkeys(map(_number, _NUMBER.findall(run.code(cell).text[:MAX_REPLY_CHARS])), cell.started_seq)
    return used | dict.fromkeys(map(_number, _NUMBER.findall(run.answer_of(steps)[:MAX_REPLY_CHARS])), inf)


def _number(text: str) -> float:
    return float(text.replace(",", "").rstrip("."))


def _sums(words: str) -> Iterator[Slip]:
    """`2 + 3 = 6`"""
    for found in _SUM.finditer(words):
        try:
            terms, said = [_number(each) for each in found[1].split("+")], _number(found[2])
        except ValueError:
            continue  # no number after all: 1.2.3
        if not _is(sum(terms), said):
            yield Slip(found[1].strip(), said, sum(terms), said)


def _running(words: str) -> Iterator[Slip]:
    """`22.0 and 16.5 make 38.5, with 30.0 it is 68.5, ...`: each total is the one before and one more number."""
    numbers = [_number(each[0]) for each in _NUMBER.finditer(words)][:MAX_TERMS]
    at = 0
    while at + 2 < len(numbers):
        if not _is(numbers[at] + numbers[at + 1], numbers[at + 2]):
            at += 1
            continue
        chain = list(_chain(numbers, at))
        rights = [ok for _, _, _, ok in chain]
        wrong = [place for place, ok in enumerate(rights) if not ok]
        for place in wrong:
            total, term, said, _ = chain[place]
            if rights[:place].count(True) >= RIGHT_STEPS and rights[place + 1 :].count(True) >= 1:
                yield Slip(f"{total:g} + {term:g}", said, total + term, chain[-1][2])
        at += 1 + 2 * len(chain)


def _chain(numbers: Sequence[float], at: int) -> Iterator[tuple[float, float, float, bool]]:
    """Steps of a running total from here on: total, what is added, what it is said to make, and whether it does. A wrong step
    belongs to it only if the next one goes on from there."""
    total, at = numbers[at], at + 1
    while at + 1 < len(numbers):
        term, said = numbers[at], numbers[at + 1]
        right = _is(total + term, said)
        goes_on = at + 3 < len(numbers) and _is(said + numbers[at + 2], numbers[at + 3])
        if not right and not goes_on:
            return
        yield total, term, said, right
        total, at = said, at + 2


def _is(one: float, other: float) -> bool:
    return abs(one - other) <= max(0.005 * abs(other), 0.011)
