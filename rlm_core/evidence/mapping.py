"""Which characters of which documents does a text hold? Found by content, however the text was made of them: cut, joined,
wrapped anew, quoted, numbered, in lower case, or escaped as JSON and Python's strings are.

A stretch of fewer than 40 letters and digits is not claimed unless it goes on from another, even if it is a document. One of 40
is found for sure in a corpus of up to 64 MB; for larger ones see `fingerprints.window_of`. How is in `matching.py`. Refuses to
know runs: what a text is, and who was shown it, is `jobs/reading.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rlm_core.corpus.corpus import Document
from rlm_core.evidence.coverage import Span, merged, without
from rlm_core.evidence.fingerprints import Fingerprints, kept_of
from rlm_core.evidence.matching import Match, Matching

VERSION = 2
"""Of the search: what an earlier one found is found anew."""
MAX_PUNCTUATION = 200
_ESCAPED = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_WHITE = {"n": "\n", "r": "\n", "t": "\t", "f": "\n", "b": " ", "v": "\n"}


@dataclass(frozen=True, slots=True)
class Stretch:
    """Characters of a document, given by its number, that a text holds. `ambiguous`: the same stands elsewhere too."""

    document: int
    start: int
    end: int
    ambiguous: bool = False


def stretches_of(fingerprints: Fingerprints, text: str) -> list[Stretch]:
    """What the text holds of the corpus, by document and place."""
    plain = unescaped(text) if "\\" in text else text
    found = [*_stretches(fingerprints, plain)]
    if plain != text and fingerprints.has_backslashes:
        found += _stretches(fingerprints, text)
    return united(found)


def unescaped(text: str) -> str:
    """The text with the escapes of JSON and of Python's strings undone, wherever they stand."""
    return _ESCAPED.sub(_meant, text).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _meant(escape: re.Match[str]) -> str:
    code, byte, other = escape.groups()
    return chr(int(code or byte, 16)) if other is None else _WHITE.get(other, other)


def united(stretches: Iterable[Stretch]) -> list[Stretch]:
    """The same characters without overlaps; those that are certain once are not called ambiguous as well."""
    spans: dict[int, tuple[list[Span], list[Span]]] = {}
    for each in stretches:
        spans.setdefault(each.document, ([], []))[each.ambiguous].append((each.start, each.end))
    found: list[Stretch] = []
    for document in sorted(spans):
        certain, ambiguous = map(merged, spans[document])
        parts = [(*span, False) for span in certain] + [(*span, True) for span in without(ambiguous, certain)]
        found += [Stretch(document, *part) for part in sorted(parts)]
    return found


def _stretches(fingerprints: Fingerprints, text: str) -> Iterator[Stretch]:
    matching = Matching(fingerprints, text.encode("utf-8", "replace"))
    for match in matching.found():
        yield from _in_characters(matching, match)


def _in_characters(matching: Matching, match: Match) -> Iterator[Stretch]:
    index, corpus = matching.fingerprints, matching.fingerprints.corpus.data
    for document, start, stop in index.documents_of(match.place, match.place_end):
        first, last = _first_byte(matching, match, document, start), _last_byte(matching, match, document, stop)
        while first < last and corpus[first] & 0xC0 == 0x80:  # a part of a character is none
            first += 1
        while first < last < document.start + document.bytes and corpus[last] & 0xC0 == 0x80:
            last -= 1
        if first < last:
            chars = index.char_of(document, first), index.char_of(document, last)
            yield Stretch(document.index, *chars, match.ambiguous)


def _first_byte(matching: Matching, match: Match, document: Document, start: int) -> int:
    """Where the part of a match that lies in a document begins, with the punctuation that the text has before it too. The space
    at the edges of a document is never left over."""
    index, here = matching.fingerprints, int(matching.at[match.text])
    first = index.byte_of(start)
    before = index.corpus.data[max(document.start, first - MAX_PUNCTUATION) : first]
    if start == index.starts[document.index] and (start > match.place or _is_all(before, first - document.start)):
        return document.start
    return first - _same_punctuation(before[::-1], matching.data[max(0, here - MAX_PUNCTUATION) : here][::-1])


def _last_byte(matching: Matching, match: Match, document: Document, stop: int) -> int:
    index, here = matching.fingerprints, int(matching.at[match.text_end - 1]) + 1
    last, end = index.byte_of(stop - 1) + 1, document.start + document.bytes
    behind = index.corpus.data[last : min(end, last + MAX_PUNCTUATION)]
    if stop == index.starts[document.index + 1] and (stop < match.place_end or _is_all(behind, end - last)):
        return end
    return last + _same_punctuation(behind, matching.data[here : here + MAX_PUNCTUATION])


def _is_all(space: bytes, size: int) -> bool:
    """Whether this is all of so many bytes, and nothing but space."""
    return len(space) == size and not space.strip()


def _same_punctuation(text: bytes, other: bytes) -> int:
    """How many bytes both begin with that are neither letters nor digits."""
    same = 0
    for one, another in zip(text, other, strict=False):
        if one != another or kept_of(bytes((one,))):
            break
        same += 1
    return same
