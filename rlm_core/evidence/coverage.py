"""What the models of a run were shown of an archive, and what not.

Pure: made of `Read`s (which characters of which document a span held, and how), and of the sizes of the documents. It knows
no texts and no store; `mapping.py` finds the reads. Offsets are characters of a document's text.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

How = Literal["printed", "sent", "cited"]
"""`printed`: a cell's output that its model was shown. `sent`: a prompt held it. `cited`: a quote stands there."""

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Read:
    """A span of the run held these characters. `document` is the number of the document in the corpus.

    `ambiguous`: the same text stands elsewhere too, and nothing decides which of the places it came from.
    """

    span: str
    document: int
    start: int
    end: int
    how: How
    ambiguous: bool = False


@dataclass(frozen=True, slots=True)
class Seen:
    """One span of the run that was shown a part of some characters: `share` of them, from 0 to 1."""

    span: str
    how: How
    share: float


class Coverage:
    """All reads of a run over one archive. What is only cited was not shown: a quote alone proves no reading."""

    def __init__(self, document_chars: Sequence[int], reads: Iterable[Read]) -> None:
        self.document_chars = tuple(document_chars)
        self.reads = tuple(reads)

    @cached_property
    def by_document(self) -> dict[int, tuple[Read, ...]]:
        """Reads of each document that has any, by their start."""
        found: dict[int, list[Read]] = defaultdict(list)
        for read in self.reads:
            found[read.document].append(read)
        return {document: tuple(sorted(each, key=lambda read: read.start)) for document, each in found.items()}

    @cached_property
    def by_span(self) -> dict[str, tuple[Read, ...]]:
        """What each span was shown, in the order in which it was found."""
        found: dict[str, list[Read]] = defaultdict(list)
        for read in self.reads:
            found[read.span].append(read)
        return {span: tuple(each) for span, each in found.items()}

    def spans_of(self, document: int, *hows: How) -> list[Span]:
        """The characters of a document that were read so (by default: printed or sent), joined where they touch."""
        wanted = hows or ("printed", "sent")
        return merged((read.start, read.end) for read in self.by_document.get(document, ()) if read.how in wanted)

    def gaps_of(self, document: int) -> list[Span]:
        """The characters of a document that no model was shown."""
        return without([(0, self.document_chars[document])], self.spans_of(document))

    def shown_chars(self, document: int) -> int:
        return length(self.spans_of(document))

    @cached_property
    def chars(self) -> int:
        """Of the whole archive."""
        return sum(self.document_chars)

    @cached_property
    def chars_shown(self) -> int:
        """Of the whole archive, each counted once."""
        return sum(self.shown_chars(document) for document in self.by_document)

    @property
    def share(self) -> float | None:
        """How much of the archive was shown to a model, from 0 to 1; `None` for an archive without text."""
        return self.chars_shown / self.chars if self.chars else None

    @cached_property
    def never_read(self) -> tuple[int, ...]:
        """Documents with text of which no model was shown anything, in order."""
        return tuple(
            number for number, chars in enumerate(self.document_chars) if chars and not self.shown_chars(number)
        )

    def seen_by(self, document: int, start: int, end: int) -> list[Seen]:
        """Who was shown these characters, or a part of them: each span once for each way, who saw most first."""
        shares: dict[tuple[str, How], list[Span]] = defaultdict(list)
        reads = self.by_document.get(document, ())
        for read in reads[: bisect_right(reads, end - 1, key=lambda read: read.start)]:
            if read.end > start and read.how != "cited":
                shares[read.span, read.how].append((max(start, read.start), min(end, read.end)))
        found = [Seen(span, how, length(merged(parts)) / max(1, end - start)) for (span, how), parts in shares.items()]
        return sorted(found, key=lambda seen: -seen.share)

    def shown_at(self, document: int, spans: Iterable[Span]) -> Iterator[tuple[Span, list[Read]]]:
        """The reads of each span of a document, or of a part of it, in one pass over all of them; quotes are none."""
        reads = [read for read in self.by_document.get(document, ()) if read.how != "cited"]
        taken, near = 0, list[Read]()
        for span in sorted(set(spans)):
            while taken < len(reads) and reads[taken].start < span[1]:
                near.append(reads[taken])
                taken += 1
            near = [read for read in near if read.end > span[0]]
            yield span, [read for read in near if read.start < span[1]]

    def was_shown(self, document: int, start: int, end: int) -> bool:
        """Whether all of these characters were shown, to whomever."""
        return any(first <= start and end <= last for first, last in self.spans_of(document))


def merged(spans: Iterable[Span]) -> list[Span]:
    """The same characters as few spans as possible, in order."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        elif end > start:
            joined.append((start, end))
    return joined


def without(spans: Iterable[Span], others: Sequence[Span]) -> list[Span]:
    """The characters of spans, in order, that are in none of the others, which are `merged`."""
    left = []
    for start, end in spans:
        first = bisect_right(others, start, key=lambda other: other[1])
        for other_start, other_end in others[first : bisect_right(others, end - 1, key=lambda other: other[0])]:
            if start < other_start:
                left.append((start, other_start))
            start = max(start, other_end)
        if start < end:
            left.append((start, end))
    return left


def covers(spans: Iterable[Span], wanted: Span) -> bool:
    """Whether all characters of one span are in the others together."""
    return not without([wanted], merged(spans))


def length(spans: Iterable[Span]) -> int:
    """Characters in spans that do not overlap."""
    return sum(end - start for start, end in spans)
