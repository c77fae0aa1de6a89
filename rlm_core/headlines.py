"""What a comparison comes to, in a headline and a few sentences.

Pure words of what `compare` found. It says what the runs answer, where they part and why, as far as that is recorded, and
refuses to say who is right. Every word is our own but the noun, which is taken out of the question and is made of letters
only, and the names of items, which models wrote: who shows a sentence makes it visible first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rlm_core.compare import LETTERS, ComparedRun, Comparison, Item, Missed
from rlm_core.listed import natural
from rlm_core.partings import left_out, never_shown, same_quote
from rlm_core.wording import HAD_NOTES

ITEMS = "items"
MOST_NAMES, NAME_CHARS = 12, 30
"""Names of items in a sentence, and the characters of each that are shown."""
_ASKED_FOR = re.compile(r"\b(?:which|how many)\s+([a-z]{3,20}s)\b", re.IGNORECASE)
_NO_NOUNS = frozenset({"was", "has", "does", "goes", "this", "these", "others", "says"})


@dataclass(frozen=True, slots=True)
class Headline:
    text: str
    lead: tuple[str, ...]
    """Sentences below it, one at least."""


def headline(comparison: Comparison) -> Headline:
    runs = comparison.runs
    under_way = [number for number, run in enumerate(runs) if run.active]
    answered = [number for number, run in enumerate(runs) if run.answer is not None]
    if under_way:
        return Headline(
            _under_way(comparison, under_way), (*_agreement(comparison), "This page follows them until they end.")
        )
    if len(answered) < len(runs):
        text = f"Only {letters(answered, comparison.letters)} answered" if answered else f"{_none(len(runs))} answered"
        ended = [
            f"{comparison.letters[number]} {_ended(run)}." for number, run in enumerate(runs) if run.answer is None
        ]
        return Headline(text, (*ended, *_agreement(comparison), *_not_shown(comparison)))
    if not comparison.same_question:
        said = "Items of one name stand side by side, but answer different questions."
        return Headline("Answers to different questions", (said, *_not_shown(comparison)))
    text = _compared(comparison) if comparison.same_corpus else "One question of different archives"
    return Headline(text, (*_told(comparison), *_agreement(comparison), *_not_shown(comparison)))


def noun(comparison: Comparison) -> str:
    """What the question asks for, in the plural: `rooms`. `items` where it does not say."""
    match = _ASKED_FOR.search(comparison.runs[0].question.head) if comparison.runs else None
    found = match[1].lower() if match else ITEMS
    return ITEMS if found in _NO_NOUNS or found.endswith("ss") else found


def letters(numbers: Sequence[int], of: str = LETTERS) -> str:
    """`A`, `A and B`, `A, B and C`."""
    return _listed([of[number] for number in numbers])


def counted(number: int, many: str) -> str:
    """`no rooms`, `1 room`, `21 rooms`. A plural whose singular is not plain becomes items."""
    if not number:
        return f"no {many}"
    if number == 1:
        return f"1 {many[:-1]}" if not many.endswith("es") else "1 item"
    return f"{number:,} {many}"


# ---------------------------------------------------------------------- the headline


def _under_way(comparison: Comparison, under_way: Sequence[int]) -> str:
    if len(under_way) == len(comparison.runs):
        return f"{_all(len(under_way))} are still under way"
    return f"{letters(under_way, comparison.letters)} {'is' if len(under_way) == 1 else 'are'} still under way"


def _compared(comparison: Comparison) -> str:
    """Of runs that have all answered."""
    runs, many = comparison.runs, noun(comparison)
    totals = _totals(comparison)
    if None not in totals and len(set(totals)) > 1:
        return f"Different answers: {_listed([f'{total:,}' for total in totals if total is not None])}"
    having = _having_items(comparison)
    if len(having) == len(runs):
        return _by_items(comparison, many, None not in totals)
    if having:
        return _by_names(comparison, having, many)
    if len({" ".join((run.answer or "").split()) for run in runs}) == 1:
        return "The same answer, word for word"
    return f"Same total: {totals[0]:,}" if totals[0] is not None else "Only the answers can be compared"


def _by_items(comparison: Comparison, many: str, same_total: bool) -> str:
    told = [comparison.told(number) for number in range(len(comparison.runs))]
    parting = [item for item in comparison.items if _parts(item, range(len(told)))]
    if not parting:
        return f"Same answer, same {many}" if same_total else f"Same {many}, same labels"
    if comparison.told_label is None:
        return f"Different on {counted(len(parting), many)}"
    if any(each != told[0] for each in told):
        return f"Same total, different {many}" if same_total else f"Different {many}"
    return f"Same {counted(len(told[0]), many)}, other labels differ"


def _by_names(comparison: Comparison, having: Sequence[int], many: str) -> str:
    """Some runs have items, and the answers of others can only be looked through for their names."""
    if len(comparison.runs) > 2:
        return f"Only {letters(having, comparison.letters)} {'says' if len(having) == 1 else 'say'} what each of the {many} is"
    other = 1 - having[0]
    wanted = comparison.told(having[0]) or {item.name for item in comparison.items}
    named = sum(item.name in wanted and item.said[other].how == "named" for item in comparison.items)
    owner = comparison.letters[having[0]]
    return f"{comparison.letters[other]}’s answer names {named or 'none'} of {owner}’s {counted(len(wanted), many)}"


# ---------------------------------------------------------------------- the sentences below it


def _told(comparison: Comparison) -> list[str]:
    """What the answers begin with, and where that is not what is listed below."""
    numbers = [run.told for run in comparison.runs]
    said = []
    if None not in numbers and len(set(numbers)) == 1:
        said.append(f"{_all(len(numbers))} answer {numbers[0]:,}.")
    if comparison.told_label is None:
        return said
    said += [
        f"{comparison.letters[number]} says “{label}” where others say “{comparison.told_label}”: that is what its answer counts."
        for number, label in comparison.taken.items()
    ]
    for number, run in enumerate(comparison.runs):
        given = len(comparison.told(number))
        if run.items_from != "nowhere" and run.told not in (None, given):
            said.append(
                f"{comparison.letters[number]} answers {run.told:,} and says “{comparison.told_label}” of {given:,}."
            )
    return said


def _agreement(comparison: Comparison) -> list[str]:
    runs, having = comparison.runs, _having_items(comparison)
    if not having:
        if any(run.active for run in runs):
            return []
        return [f"{_none(len(runs))} recorded findings: only the answers can be compared."]
    if len(having) == 1:
        return _only_one_has_items(comparison, having[0])
    if not any(_parts(item, having) for item in comparison.items):
        every = f"All {len(comparison.items):,} items have" if len(comparison.items) > 1 else "The one item has"
        return [f"{every} the same label in {_each(having, comparison)}."]
    return _labels(comparison, having) if comparison.told_label is None else _told_items(comparison, having)


def _only_one_has_items(comparison: Comparison, owner: int) -> list[str]:
    run = comparison.runs[owner]
    where = "recorded" if run.items_from == "findings" else "lists in its answer"
    searched = [number for number, each in enumerate(comparison.runs) if number != owner and each.answer is not None]
    said = f"{comparison.letters[owner]} {where} {counted(len(comparison.items), ITEMS)}"
    if not searched:
        return [f"{said}."]
    verb, whose = ("records", "its answer names") if len(searched) == 1 else ("record", "their answers name")
    return [f"{said}; {letters(searched, comparison.letters)} {verb} no findings, so only what {whose} can be shown."]


def _told_items(comparison: Comparison, having: Sequence[int]) -> list[str]:
    many = noun(comparison)
    told = {number: comparison.told(number) for number in having}
    common = set.intersection(*told.values())
    every = set.union(*told.values())
    missing = [item for item in comparison.items if item.name in every - common]
    others = sum(item.status == "differ" and item.name not in every for item in comparison.items)
    who = "They" if len(having) == len(comparison.runs) else letters(having, comparison.letters)
    said = [f"{who} agree on {counted(len(common), many)}."]
    if len(having) == 2:
        for one, other in (having, having[::-1]):
            said += _beyond(comparison, [item for item in missing if item.name in told[one]], one, other)
    elif missing:
        said.append(f"{counted(len(missing), many)} not counted by all: {_names(missing)}.")
    label = comparison.told_label
    differ = f"On {counted(others, ITEMS)} that none of them calls “{label}”, their labels differ."
    return [*said, *([differ] if others else [])]


def _beyond(comparison: Comparison, items: Sequence[Item], one: int, other: int) -> list[str]:
    """What one run counts and the other does not, by name, and why, as far as that is known."""
    if not items:
        return []
    many, first, second = noun(comparison), comparison.letters[one], comparison.letters[other]
    same = sum(one in same_quote(comparison, item, other) for item in items)
    why = f"; {_of(same, items)}both quote the same sentence" if same else ""
    return [f"{counted(len(items), many)} that {first} counts and {second} does not: {_names(items)}{why}."]


def _of(number: int, items: Sequence[Item]) -> str:
    """`for 7 of them `; nothing of a single one."""
    if len(items) == 1:
        return ""
    return "for all of them " if number == len(items) else f"for {number:,} of them "


def _names(items: Sequence[Item]) -> str:
    """`A05, A12 and 3 more`."""
    shown, more = _shortened(items)
    return f"{', '.join(shown)} and {more[0]}" if more else ", ".join(shown)


def _shortened(items: Sequence[Item]) -> tuple[list[str], list[str]]:
    """The names of items as far as they are said, and `3 more` where that is not all."""
    names = sorted((item.name for item in items), key=natural)
    shown = [name if len(name) <= NAME_CHARS else f"{name[: NAME_CHARS - 1].rstrip()}…" for name in names[:MOST_NAMES]]
    left = len(names) - len(shown)
    return shown, [f"{left:,} more"] if left else []


def _labels(comparison: Comparison, having: Sequence[int]) -> list[str]:
    statuses = [item.status for item in comparison.items]
    agree, differ, only = (statuses.count(status) for status in ("agree", "differ", "only"))
    who = "They" if len(having) == len(comparison.runs) else letters(having, comparison.letters)
    said = f"{who} agree on {agree:,} of {counted(len(statuses), ITEMS)} and differ on {differ:,}"
    return [f"{said}; {only:,} {'is' if only == 1 else 'are'} in one only." if only else f"{said}."]


def _not_shown(comparison: Comparison) -> list[str]:
    """Which passages by which other runs count items the model of a run was not shown, and what lay outside its window."""
    said = []
    for number, run in enumerate(comparison.runs):
        asked = {item.name for item in _asked(comparison, number)}
        found = {item: each for item, each in never_shown(comparison, number) if item.name in asked}
        never = {item: each for item, each in found.items() if not each.compressed}
        if never and not run.reach.refused:
            said.append(_never_shown(comparison, never, number))
        if notes := [item for item, each in found.items() if each.compressed]:
            said.append(f"Only the compressor of {comparison.letters[number]} saw the {_deciding(notes)}: {HAD_NOTES}.")
        if run.reach.outside:
            said.append(_outside(run, comparison.letters[number]))
    return said


def _asked(comparison: Comparison, number: int) -> Sequence[Item]:
    """The items of which it matters what run `number` was not shown: those that others count, all where no label is counted."""
    return comparison.items if comparison.told_label is None else left_out(comparison, number)


def _never_shown(comparison: Comparison, never: Mapping[Item, Missed], number: int) -> str:
    """`The passage that decides A12 was never shown to B: it lay outside its window.`; of several items how many of which."""
    run, letter = comparison.runs[number], comparison.letters[number]
    was, they = ("was", "it") if len(never) == 1 else ("were", "they")
    whole, partly = ("", "") if all(each.whole for each in never.values()) else (" whole", " partly")
    noted = ", as it noted" if run.reach.estimated else ""
    which, names = f"The {_deciding(list(never))}", ""
    if len(never) > 1 and comparison.told_label is not None:
        which, names = _of_left_out(comparison, list(never), number)
    return f"{which} {was} never shown{whole} to {letter}: {they} lay{partly} outside its window{noted}{names}."


def _of_left_out(comparison: Comparison, items: Sequence[Item], number: int) -> tuple[str, str]:
    """`Of the 20 rooms that B counts and A does not, the passages that decide 17`, and which, if not all."""
    every = len(_asked(comparison, number))
    others = f"{comparison.letters[1 - number]} counts" if len(comparison.runs) == 2 else "others count"
    many, names = (f"{len(items):,}", f" ({_names(items)})") if len(items) < every else ("all", "")
    rooms = counted(every, noun(comparison))
    return (
        f"Of the {rooms} that {others} and {comparison.letters[number]} does not, the passages that decide {many}",
        names,
    )


def _outside(run: ComparedRun, letter: str) -> str:
    reach = run.reach
    if reach.refused:
        return f"The archive is larger than the window of {letter}: nothing of it was shown to a model."
    figure = (
        f"{'~' if reach.estimated else ''}{reach.chars_outside:,}{f' of {run.chars:,}' if run.chars else ''} characters"
    )
    return f"{figure} lay outside the window of {letter}{', as it noted' if reach.estimated else ''}."


def _deciding(items: Sequence[Item]) -> str:
    """`passage that decides A12`, `passages that decide A12 and H04`."""
    shown, more = _shortened(items)
    names = _listed([*shown, *more])
    return f"passage that decides {names}" if len(items) == 1 else f"passages that decide {names}"


# ---------------------------------------------------------------------- what they count


def _totals(comparison: Comparison) -> list[int | None]:
    """The number of each answer: the one it begins with, else how many items have the label that answers count."""
    return [
        run.told if run.told is not None else _given(comparison, number) for number, run in enumerate(comparison.runs)
    ]


def _given(comparison: Comparison, number: int) -> int | None:
    if comparison.told_label is None or comparison.runs[number].items_from == "nowhere":
        return None
    return len(comparison.told(number))


def _having_items(comparison: Comparison) -> list[int]:
    return [number for number, run in enumerate(comparison.runs) if run.items_from != "nowhere"]


def _parts(item: Item, having: Sequence[int]) -> bool:
    """Whether not all of these runs give the item one label."""
    return item.status == "differ" or not set(having) <= set(item.having)


def _all(number: int) -> str:
    return "Both" if number == 2 else f"All {number}"


def _each(having: Sequence[int], comparison: Comparison) -> str:
    if len(having) < len(comparison.runs):
        return letters(having, comparison.letters)
    return "both" if len(having) == 2 else f"all {len(having)}"


def _none(number: int) -> str:
    return "Neither" if number == 2 else f"None of the {number}"


def _listed(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)


def _ended(run: ComparedRun) -> str:
    if run.state in ("cancelled", "interrupted"):
        return f"was {run.state}"
    return "failed" if run.state == "failed" else "ended without an answer"
