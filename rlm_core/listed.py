"""What an answer says of single items, read out of its text.

Some strategies record findings; others only write an answer. The prompt of `base` asks for a line an item,
`item | label | "quote" | place`, and that is what is read here; of everything else only whether a name occurs. It refuses
to guess: a line of another form says nothing, and a name that occurs says nothing about what was decided.
"""

from __future__ import annotations

import re

from rlm_core.task import Finding

MAX_LISTED = 5_000
"""Lines that are read at most: an answer may be anything."""
_MAX_ITEM_CHARS, _MAX_LABEL_CHARS = 200, 60
_MIN_NAME_CHARS = 2
_LINE = re.compile(r"^(?P<item>[^|]+)\|(?P<label>[^|]+)(?:\|(?P<quote>.*?)(?:\|(?P<source>[^|]*))?)?$")
_RULE = re.compile(r"[\s|:-]*$")
_BEFORE = re.compile(r"^(?:[-*•]\s+|\d+[.)]\s+)?")
_MARKUP = " \t*_`"
_QUOTES = "\"“”„«»'‘’"
_DIGITS = re.compile(r"(\d{1,18})")
_NUMBER = re.compile(r"^\W{0,4}(\d{1,3}(?:,\d{3})+|\d{1,9})\b(?![.,:/-]\d)(?![.)]\s)")
_END = ".,;:!?"


def listed(answer: str) -> list[Finding]:
    """The items that an answer lists, one line each, as findings that nobody recorded. A table's head is left out."""
    found: list[Finding] = []
    lines = answer.split("\n")
    for number, line in enumerate(lines):
        if "|" not in line or (number + 1 < len(lines) and _is_rule(lines[number + 1])):
            continue
        finding = _read(line)
        if finding:
            found.append(finding)
        if len(found) == MAX_LISTED:
            break
    return found


def _is_rule(line: str) -> bool:
    return "|" in line and "-" in line and bool(_RULE.match(line))


def _read(line: str) -> Finding | None:
    if _is_rule(line):
        return None
    match = _LINE.match(_BEFORE.sub("", line.strip().strip("|").strip()))
    if not match:
        return None
    item, label = match["item"].strip(_MARKUP), match["label"].strip(_MARKUP)
    if not (item and label) or len(item) > _MAX_ITEM_CHARS or len(label) > _MAX_LABEL_CHARS:
        return None
    return Finding(item, label, _quote(match["quote"]), (match["source"] or "").strip(_MARKUP + "[]") or None)


def _quote(text: str | None) -> str | None:
    """The words without one pair of marks around them."""
    words = (text or "").strip(_MARKUP)
    if len(words) > 1 and words[0] in _QUOTES and words[-1] in _QUOTES:
        words = words[1:-1].strip()
    return words or None


def told_number(answer: str) -> int | None:
    """The number that an answer begins with: `17 rooms: ...`. Not the `1.` of a list, and no date."""
    match = _NUMBER.match(answer)
    return int(match[1].replace(",", "")) if match else None


def name_key(name: str) -> str:
    """What is the same in two spellings of a name: not case, spaces, nor what it ends with. `007` is not `7`."""
    return " ".join(name.casefold().split()).rstrip(_END).rstrip()


def natural(name: str) -> list[tuple[int, int, str]]:
    """A key by which `A2` comes before `A10`."""
    parts = _DIGITS.split(name.casefold())
    return [(0, int(part), "") if number % 2 else (1, 0, part) for number, part in enumerate(parts)]


class Names:
    """Which names occur in a text, as whole words."""

    def __init__(self, text: str) -> None:
        self._text = " ".join(text.casefold().split())

    def has(self, name: str) -> bool | None:
        """Whether the name occurs; `None` for one that is too short to mean anything in a text."""
        key = name_key(name)
        if len(key) < _MIN_NAME_CHARS:
            return None
        at = self._text.find(key)
        while at >= 0:
            before, after = self._text[at - 1 : at], self._text[at + len(key) : at + len(key) + 1]
            if not (_is_word(before) and _is_word(key[0])) and not (_is_word(after) and _is_word(key[-1])):
                return True
            at = self._text.find(key, at + 1)
        return False


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"
