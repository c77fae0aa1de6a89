"""How right an answer is, by a right answer that a person gave.

Pure functions of texts, from 0 to 1; `None` where nothing can be said. An answer is prose and a rule reads it by its form, so
each of them errs: how, stands with it. Refuses to score what has no right answer, and a run that gave none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from rlm_core.listed import Names, listed, name_key

Match = Literal["number", "near", "exact", "list", "set", "f1", "first", "table"]
MATCHES: tuple[Match, ...] = get_args(Match)
NEAR = 0.1
"""Of the right number: what lies within counts as `near`."""
MAX_LEVELS, MAX_NUMBER = 3, 1e300
"""Of a right answer."""
NOT_COUNTED = frozenset({"no", "unknown"})
"""Labels of listed items that are no part of an answer."""
_NUMBER = re.compile(r"(?<![\w.,-])-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w-])")
_BULLET = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+(?P<rest>\S.*)$")
_PARTED = re.compile(r"\s*[;,\n]\s*|\s+and\s+")
_AFTER_NAME = re.compile(r":\s|\s[-–—|]\s|:$")
_MARKUP = " \t*_`\"“”'’"


@dataclass(frozen=True, slots=True)
class RightAnswer:
    """What a person says the answer is: text or a number; for items a list; for a table a list of names with their numbers."""

    answer: Any
    match: Match = "exact"


def score(answer: str | None, right: RightAnswer | None) -> float | None:
    """From 0 to 1; `None` without an answer or a right one."""
    if answer is None or right is None:
        return None
    return _RULES[right.match](answer, right.answer)


def told_numbers(answer: str) -> list[float]:
    """The numbers in a text, in order. `007`, dates and numbers within names are read as far as they stand alone."""
    return [float(match[0].replace(",", "")) for match in _NUMBER.finditer(answer)]


def number(answer: str, right: Any) -> float | None:
    """Whether the first number of the answer is the right one. Errs where another number comes before it: a year, `1.` of a
    list; and where the number is written in words."""
    return _numeric(answer, right, 0.0)


def near(answer: str, right: Any) -> float | None:
    """The same within a tenth of the right number. Errs as `number` does, and calls near what may be wrong for other reasons."""
    return _numeric(answer, right, NEAR)


def exact(answer: str, right: Any) -> float:
    """Whether the answer is the right text but for case, spaces and what it ends with. Errs where an answer says more than was
    asked, or says it in other words: then it is wrong."""
    return float(name_key(answer.strip(_MARKUP)) == name_key(str(right).strip(_MARKUP)))


def in_order(answer: str, right: Any) -> float:
    """Whether the answer lists exactly the right items in their order. Errs as `items_of` does."""
    return float([name_key(each) for each in items_of(answer)] == _keys(right))


def same_set(answer: str, right: Any) -> float:
    """Whether the answer lists exactly the right items, in any order. Errs as `items_of` does."""
    return float({name_key(each) for each in items_of(answer)} == set(_keys(right)))


def f1(answer: str, right: Any) -> float:
    """How much the listed and the right items have in common: the harmonic mean of precision and recall, 1 for two empty lists.
    Errs as `items_of` does: an item in another spelling costs twice, once as missing and once as too much."""
    given, wanted = {name_key(each) for each in items_of(answer)}, set(_keys(right))
    if not given and not wanted:
        return 1.0
    return 2 * len(given & wanted) / (len(given) + len(wanted))


def first(answer: str, right: Any) -> float:
    """Whether the first of the right entries is named, and before any other of them. Errs where the answer names others before
    it comes to its point, and where the name is part of another one."""
    names = [name_key(_name(each)) for each in right]
    text = " ".join(answer.casefold().split())
    places = [text.find(name) for name in names]
    others = [place for place in places[1:] if place >= 0]
    return float(places[0] >= 0 and places[0] <= min(others, default=places[0]))


def table(answer: str, right: Any) -> float:
    """Whether each right name stands on a line of the answer with its number. Errs where a line holds several names, and takes
    no notice of rows too many."""
    lines = [(Names(line), told_numbers(line)) for line in answer.split("\n")]
    return float(
        all(
            any(names.has(str(name)) and float(figure) in numbers for names, numbers in lines) for name, figure in right
        )
    )


def items_of(answer: str) -> list[str]:
    """The items that an answer lists: of a JSON list its entries; of lines `item | label` those that are not labelled no or
    unknown; else what each bullet begins with, up to a colon or a dash; else what stands after the first colon of the first
    line, or all of it, parted by commas. Errs where prose stands between items, and where an item holds a comma or a colon."""
    if (entries := _json_list(answer)) is not None:
        return entries
    if lines := listed(answer):
        return _unique(line.item for line in lines if name_key(line.label) not in NOT_COUNTED)
    bullets = [match["rest"] for line in answer.split("\n") if (match := _BULLET.match(line))]
    if bullets:
        return _unique(_AFTER_NAME.split(each, maxsplit=1)[0] for each in bullets)
    line = next((each for each in answer.split("\n") if each.strip()), "")
    _, colon, after = line.partition(": ")
    return _unique(_PARTED.split((after if colon else line).strip().rstrip(".")))


def _json_list(answer: str) -> list[str] | None:
    if not answer.lstrip().startswith("["):
        return None
    try:
        found = json.loads(answer)
        return _unique(map(str, found)) if isinstance(found, list) else None
    except (ValueError, RecursionError):
        return None


def _unique(names: Iterable[str]) -> list[str]:
    found: dict[str, str] = {}
    for each in (name.strip(_MARKUP) for name in names):
        found.setdefault(name_key(each), each)
    return [each for each in found.values() if each]


def _keys(right: Any) -> list[str]:
    return [name_key(_name(each)) for each in right]


def _name(entry: Any) -> str:
    """An entry is a name, or a name with its number."""
    return str(entry[0] if isinstance(entry, list | tuple) and entry else entry)


def _numeric(answer: str, right: Any, tolerance: float) -> float | None:
    wanted = right_number(right)
    if wanted is None:
        return None
    told = told_numbers(answer)
    return float(bool(told) and abs(told[0] - wanted) <= tolerance * abs(wanted))


def right_number(right: Any) -> float | None:
    """A number, the first in a text, or the first of several named ones; `None` where there is none."""
    if isinstance(right, Mapping):
        right = next((each for each in right.values() if isinstance(each, int | float)), None)
    if isinstance(right, int | float) and not isinstance(right, bool):
        return float(right)
    return next(iter(told_numbers(right)), None) if isinstance(right, str) else None


def is_usable(right: RightAnswer) -> bool:
    """Whether the rule can do anything with this answer."""
    given = right.answer
    if not _is_plain(given, MAX_LEVELS):
        return False
    if right.match in ("number", "near"):
        return right_number(given) is not None
    if right.match == "exact":
        return isinstance(given, str | int | float)
    if not isinstance(given, Sequence) or isinstance(given, str):
        return False
    if right.match == "table":
        return bool(given) and all(_is_row(each) for each in given)
    return bool(given) or right.match in ("set", "f1", "list")


def _is_plain(given: Any, levels: int) -> bool:
    """Texts, numbers that can be reckoned with, and up to so many levels of lists or named values of them."""
    if isinstance(given, int | float):
        return abs(given) <= MAX_NUMBER
    if isinstance(given, Mapping):
        given = list(given.values())
    if isinstance(given, list | tuple):
        return levels > 0 and all(_is_plain(each, levels - 1) for each in given)
    return given is None or isinstance(given, str)


def _is_row(entry: Any) -> bool:
    return isinstance(entry, list | tuple) and len(entry) == 2 and isinstance(entry[1], int | float)


_RULES: dict[Match, Callable[[str, Any], float | None]] = {
    "number": number,
    "near": near,
    "exact": exact,
    "list": in_order,
    "set": same_set,
    "f1": f1,
    "first": first,
    "table": table,
}
