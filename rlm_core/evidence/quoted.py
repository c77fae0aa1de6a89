"""Which passages does a text quote? Finds what an answer or a reply gives as somebody else's words.

Read are quotation marks of several languages, block quotes (`> `), and the fields `quote`, `evidence`, `passage`, `sentence`
and `excerpt` of JSON, also as lists. What is too short to prove anything is left out: titles, single words, scare quotes. Time
is linear in the text, whatever it holds, and the number of passages is bounded.

Knows texts and offsets. Refuses to know whether the passages stand anywhere (`quotes.py`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

MIN_WORDS, MIN_CHARS = 4, 20
"""A passage has at least so many words, or so many characters."""
MAX_PASSAGE_CHARS = 5_000
MAX_PASSAGES = 1_000
MAX_TEXT_CHARS = 2_000_000
"""What stands behind is not read."""
_MAX_SOURCE_CHARS = 300
_NEAR_CHARS = 2_000
"""How far from its quote a field of JSON may stand to be its source."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """A passage that a text quotes. `at` is where its words begin in the text, in characters."""

    at: int
    text: str
    """The words without marks around them, the escapes of JSON undone."""
    source: str | None = None
    """Where the text says that it stands, as written there."""


def quotes_in(text: str) -> list[Quoted]:
    """The passages that a text quotes, in its order; of passages within passages the outermost."""
    text = text[:MAX_TEXT_CHARS]
    kinds = (_in_block_quotes(text), _in_json(text), *(_in_marks(text, pattern) for pattern in _PASSAGES))
    found = [each for kind in kinds for each in islice(kind, MAX_PASSAGES)]
    found.sort(key=lambda each: (each.start, -each.end))  # stable: what is found in both ways is JSON
    kept: list[Quoted] = []
    end = 0
    for each in found:
        if each.start >= end:
            kept.append(each.quoted)
            end = each.end
    return kept[:MAX_PASSAGES]


@dataclass(frozen=True, slots=True)
class _Found:
    """What a passage takes up in the text, marks included."""

    start: int
    end: int
    quoted: Quoted


def _is_passage(text: str) -> bool:
    return len(text) <= MAX_PASSAGE_CHARS and (len(text) >= MIN_CHARS or len(text.split()) >= MIN_WORDS)


# -- quotation marks ---------------------------------------------------------------------------------------------------

_MARKS = (
    ("„", "“”"),
    ("„", '"'),
    ("“", "”"),
    ("”", "”"),
    ("«", "»"),
    ("»", "«"),
    ("「", "」"),
    ('"', '"'),
)
"""What opens a passage, and what closes it: German, English, Swedish, French, Danish, Japanese, and typewriters."""
_NOT_A_BLANK_LINE = r"\n(?![ \t]*\n)"


def _pattern(opens: str, closes: str) -> re.Pattern[str]:
    """A passage stops at the next of its own marks, and at a blank line: so each character is looked at once."""
    one_mark = opens == closes or opens == "»"
    before, behind, after = (r"(?<![\w“”\"])", r"(?=\S)", r"(?!\w)") if one_mark else ("", "", "")
    inside = rf"(?:[^{opens}{closes}\n]|{_NOT_A_BLANK_LINE})+"
    return re.compile(rf"{before}{opens}{behind}({inside})[{closes}]{after}")


_PASSAGES = [_pattern(*marks) for marks in _MARKS]
_JSON_BEFORE = re.compile(r'":\s*\Z')
_JSON_BEHIND = re.compile(r"\s{0,9}:")


def _in_marks(text: str, pattern: re.Pattern[str]) -> Iterator[_Found]:
    for match in pattern.finditer(text):
        words = match[1].strip()
        if _is_passage(words) and not (match[0][0] == '"' and _is_json(text, *match.span())):
            at = match.start(1) + len(match[1]) - len(match[1].lstrip())
            yield _Found(*match.span(), Quoted(at, words, _source_behind(text, match.end())))


def _is_json(text: str, start: int, end: int) -> bool:
    """A key of an object or its value: not a quote because of its marks."""
    return bool(_JSON_BEFORE.search(text[max(start - 9, 0) : start]) or _JSON_BEHIND.match(text, end))


_SOURCE = re.compile(
    rf"[ \t.,;]{{0,3}}(?:\((?P<round>[^()\n]{{1,{_MAX_SOURCE_CHARS}}})\)|\[(?P<square>[^\[\]\n]{{1,{_MAX_SOURCE_CHARS}}})\]"
    rf"|[|—–]\s?(?P<behind>[^|\n]{{1,{_MAX_SOURCE_CHARS}}}))"
)


def _source_behind(text: str, at: int) -> str | None:
    """`"..." (notes.txt, line 3)`, `"..." [notes.txt]`, `"..." | notes.txt:3 |`, `"..." — notes.txt`."""
    match = _SOURCE.match(text, at)
    return (match[match.lastgroup or 0].strip() or None) if match else None


# -- block quotes ------------------------------------------------------------------------------------------------------

_BLOCK = re.compile(r"(?:^ {0,3}>(?!>)[^\n]*(?:\n|\Z))+", re.MULTILINE)
_BLOCK_MARK = re.compile(r"^ {0,3}> ?", re.MULTILINE)
_NAMED_BELOW = re.compile(r"\n\s{0,9}(?:—|–|--)\s{0,9}([^\n]+)\Z")


def _in_block_quotes(text: str) -> Iterator[_Found]:
    for match in _BLOCK.finditer(text):
        words, source = _BLOCK_MARK.sub("", match[0]).strip(), None
        if below := _NAMED_BELOW.search(words[-_MAX_SOURCE_CHARS:]):
            source = below[1].strip()
            words = words[: len(words) - len(below[0])].strip()
        if _is_passage(words):
            at = match.end() - len(match[0].lstrip(" \t\n>"))
            yield _Found(*match.span(), Quoted(at, words, source))


# -- JSON --------------------------------------------------------------------------------------------------------------

_STRING = rf'"(?:[^"\\\n]|\\.){{0,{MAX_PASSAGE_CHARS}}}+"'
_FIELD = re.compile(
    r'"(?:\w{0,20}_)?(?:quote|evidence|passage|sentence|excerpt)s?"\s{0,99}:\s{0,99}(?=["\[])', re.IGNORECASE
)
_VALUE = re.compile(_STRING)
_NEXT_IN_LIST = re.compile(r"\s{0,99}[\[,]\s{0,99}(?=\")")
_NAMED_IN_JSON = re.compile(
    rf'"(?:source|document|doc|file|path|file_?name)"\s{{0,9}}:\s{{0,9}}({_STRING})', re.IGNORECASE
)
_LINE_IN_JSON = re.compile(r'"line(?:_number)?"\s{0,9}:\s{0,9}"?(\d{1,9})', re.IGNORECASE)


def _in_json(text: str) -> Iterator[_Found]:
    for field in _FIELD.finditer(text):
        for value in _values(text, field.end()):
            words = _unescaped(value[0])
            if _is_passage(words):
                source = _source_around(text, field.start(), field.end())
                yield _Found(*value.span(), Quoted(value.start() + 1, words, source))


def _values(text: str, at: int) -> Iterator[re.Match[str]]:
    """The string that begins here, or the strings of the list that does."""
    in_list = text[at] == "["
    while True:
        if in_list:
            following = _NEXT_IN_LIST.match(text, at)
            if following is None:
                return
            at = following.end()
        value = _VALUE.match(text, at)
        if value is None:
            return
        yield value
        if not in_list:
            return
        at = value.end()


def _source_around(text: str, start: int, end: int) -> str | None:
    """What the same object says about where its quote stands."""
    left = text.rfind("{", max(start - _NEAR_CHARS, 0), start)
    right = text.find("}", end, end + _NEAR_CHARS)
    around = text[max(left, start - _NEAR_CHARS, 0) : right if right >= 0 else end + _NEAR_CHARS]
    named = _NAMED_IN_JSON.search(around)
    if named is None:
        return None
    source, line = _unescaped(named[1])[:_MAX_SOURCE_CHARS], _LINE_IN_JSON.search(around)
    return f"{source}:{line[1]}" if source and line and ":" not in source else source or None


def _unescaped(string: str) -> str:
    """What a string of JSON says; one that is not quite JSON as it is written."""
    try:
        return str(json.loads(string, strict=False)).strip()
    except ValueError:
        return string[1:-1].strip()
