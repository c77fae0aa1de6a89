"""Rules on the number that an answer states: unlike the findings, unlike its own list, unlike what code had computed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from rlm_core.diagnose.material import Material, Steps
from rlm_core.diagnose.remedies import ask_again
from rlm_core.diagnose.symptoms import Symptom, quoted
from rlm_core.evidence.citations import mention

MAX_ITEMS, MAX_ANSWER_CHARS = 2_000, 200_000
SHORT_OUTPUT_CHARS, FEW_NUMBERS = 300, 4
"""An output that gives a result, and no list of many."""
LISTED_ITEMS, ITEM_CHARS, USUAL_SHARE = 4, 30, 0.6
_STATED = re.compile(
    r"(?:there (?:are|were) |in (?:all|total)[,:]? |a total of |about )?\**(\d{1,3}(?:,\d{3})*|\d+)\**(?![\d.,]*\d) +[a-z]",
    re.I,
)
_OWN_LIST = re.compile(r"\**\d[\d,]*\**(?: [a-zA-Z-]+){1,3}: ([^\n:;]+?)\.?(?:\n|$|\. )")
_AND_MORE = re.compile(
    r"\b(?:etc|and (?:\d+ )?(?:more|others?)|among|such as|including|e\.g|for example)\b|\.\.\.|…", re.I
)
_NUMBER = re.compile(r"(?<![\w.,-])\d+(?:,\d{3})*(?:\.\d+)?(?![\w]|[.,]\d)")


def count_unlike_the_findings(run: Material) -> Iterator[Symptom]:
    """The answer begins with a count, names items, and they are not as many as it says.

    Evidence: the number, and the recorded items that the answer names. It must be the number of no label, of no two labels
    together, and of no earlier line of output. How it errs: the number may count something else than the items.
    """
    root = next((each for each in run.frames if each.is_root), None)
    answer = run.answer_of(root)[:MAX_ANSWER_CHARS] if root else ""
    stated = _STATED.match(answer)
    if root is None or stated is None:
        return
    number = int(stated[1].replace(",", ""))
    labels = {run.text(finding.item): run.text(finding.label) for _, finding, _ in run.findings[:MAX_ITEMS]}
    named = {item: label for item, label in labels.items() if mention(item, answer) is not None}
    counts = Counter(labels.values())
    sums = {one + other for one in counts.values() for other in counts.values()} | {*counts.values(), len(labels)}
    same_label = len(set(named.values())) == 1
    if len(named) < 3 or not same_label or number in sums or number == len(named) or _was_printed(run, root, stated[1]):
        return
    recorded = ", ".join(f"{count:,} {label[:30]}" for label, count in counts.most_common(4))
    yield Symptom(
        "may change the answer",
        root.turns[-1].node.id,
        f"The answer says {number:,} and names {len(named):,}; recorded were {recorded}.",
        (quoted(root.turns[-1].node.id, answer),),
        ask_again(
            run,
            root,
            root.turns[-1].node.id,
            "Count the recorded items in code, and name in the answer those you count.",
        ),
    )


def _was_printed(run: Material, steps: Steps, number: str) -> bool:
    word = re.compile(rf"(?<![\d.,]){re.escape(number)}(?![\d]|[.,]\d)")
    return any(word.search(run.output(cell)[:20_000]) for cell in steps.cells())


def count_unlike_its_own_list(run: Material) -> Iterator[Symptom]:
    """The answer begins with a count and a list behind a colon, and the list has another length.

    Evidence: the answer. How it errs: a list may be a part of what is counted without saying so; so it must be short names, four
    at least, in one sentence, none of which begins with a number.
    """
    for steps in run.frames:
        answer = run.answer_of(steps)[:MAX_ANSWER_CHARS]
        stated, found = _STATED.match(answer), _OWN_LIST.match(answer)
        if not stated or not found or _AND_MORE.search(found[1]):
            continue
        items = _items(found[1])
        number = int(stated[1].replace(",", ""))
        are_names = all(len(each) <= ITEM_CHARS and not each[0].isdigit() for each in items)
        if len(items) < LISTED_ITEMS or not are_names or number == len(items) or len({*items}) == number:
            continue
        turn = steps.turns[-1].node.id
        yield Symptom(
            "may change the answer",
            turn,
            f"The answer says {number:,} and lists {len(items):,}.",
            (quoted(turn, answer),),
            ask_again(run, steps, turn, "Count in code what you list in the answer."),
        )


def _items(listed: str) -> list[str]:
    return [each.strip() for each in re.split(r",| and ", listed) if each.strip()]


def list_unlike_the_findings(run: Material) -> Iterator[Symptom]:
    """The answer begins with a list, and what was recorded says otherwise of some item: another label, or one more with the same.

    Evidence: the list, and the recorded items that it lacks or should not have. Most items of the list must be recorded with one
    label. How it errs: the answer may rest on what was thought of after recording.
    """
    root = next((each for each in run.frames if each.is_root), None)
    answer = run.answer_of(root)[:MAX_ANSWER_CHARS] if root else ""
    found = _OWN_LIST.match(answer)
    if root is None or found is None or _AND_MORE.search(found[1]):
        return
    labels = {run.text(each.item).strip(): run.text(each.label) for _, each, _ in run.findings[:MAX_ITEMS]}
    listed = {item: labels[item] for item in _items(found[1]) if item in labels}
    usual, count = Counter(listed.values()).most_common(1)[0] if listed else ("", 0)
    if count < LISTED_ITEMS or count < USUAL_SHARE * len(listed):
        return
    odd = [f"{item} is {label}" for item, label in listed.items() if label != usual]
    odd += [f"{item} is left out" for item, label in labels.items() if label == usual and mention(item, answer) is None]
    if odd:
        turn = root.turns[-1].node.id
        more = f" and {len(odd) - 5:,} more" if len(odd) > 5 else ""
        yield Symptom(
            "may change the answer",
            turn,
            f"The answer lists what was recorded as {usual[:30]}, but for {', '.join(odd[:5])}{more}.",
            (quoted(turn, answer),),
            ask_again(run, root, turn, "Make the list of the answer from the findings, in code."),
        )


def number_unlike_the_result(run: Material) -> Iterator[Symptom]:
    """The answer was typed, and its number stands in no output, while the last output gave another result.

    Evidence: the answer, and that output, which is short and holds few numbers. The number is no sum and no difference of
    those, and stands neither in the question nor in any output or reply of a helper. How it errs: a count by eye may be right.
    """
    for steps in run.frames:
        answer = run.answer_of(steps)[:MAX_ANSWER_CHARS]
        stated, last = _STATED.match(answer), steps.turns[-1]
        before = [cell for turn in steps.turns[:-1] for cell in turn.cells if run.output(cell).strip()]
        if not run.has_answered(steps) or not stated or answer not in run.said(last.reply) or not before:
            continue
        result, number = before[-1], float(stated[1].replace(",", ""))
        computed = [
            float(each.replace(",", "")) for each in _NUMBER.findall(run.output(result)[: SHORT_OUTPUT_CHARS + 1])
        ]
        if len(run.output(result)) > SHORT_OUTPUT_CHARS or not 1 <= len(computed) <= FEW_NUMBERS:
            continue
        if number in _combined(computed) or number <= 1 or _stands_somewhere(run, steps, stated[1]):
            continue
        yield Symptom(
            "may change the answer",
            last.node.id,
            f"The answer says {stated[1]}, which no output says; the last result was another one.",
            (quoted(last.node.id, answer), quoted(result.id, run.output(result))),
            ask_again(run, steps, last.node.id, "Answer from the variable that holds the result."),
        )


def _combined(numbers: list[float]) -> set[float]:
    """The numbers, and what two or three of them come to."""
    found = {*numbers}
    for one, other in combinations(numbers, 2):
        found |= {one + other, abs(one - other)}
    return found | {sum(each) for each in combinations(numbers, 3)} | {sum(numbers)}


def _stands_somewhere(run: Material, steps: Steps, number: str) -> bool:
    word = re.compile(rf"(?<![\d.,]){re.escape(number)}(?![\d]|[.,]\d)")
    texts = [run.text(steps.started.question), *map(run.output, steps.cells())]
    texts += [run.said(call) for cell in steps.cells() for call in run.calls_of(cell)[:MAX_ITEMS]]
    sizes = [each.get("size") for cell in steps.cells() for each in run.variables(cell)]
    return any(word.search(each) for each in texts) or number in {str(each) for each in sizes}
