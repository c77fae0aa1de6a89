"""What the models of a run were shown of its archive, as it can be drawn: by whom, with what nobody was shown. Pure values.

Knows the documents of an archive by their sizes and paths. Refuses to know where reads come from.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from rlm_core.corpus.corpus import Document
from rlm_core.evidence.coverage import Coverage, Read, Span, merged
from rlm_core.evidence.reach import Reach

LARGE_GAP_CHARS = 500
"""Gaps within documents that are smaller are counted, and not listed: headings, lines between records."""
RECORD_CHARS = 6_000
"""The longest piece that counts as the place around a character; within a longer one it is the line."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Characters of a document that no model was shown. `whole`: nothing of the document was."""

    document: int
    start: int
    end: int
    whole: bool

    @property
    def chars(self) -> int:
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Layers:
    """The characters of one document by who was shown them; `unsure` where the same text stands elsewhere too."""

    root: tuple[Span, ...] = ()
    helper: tuple[Span, ...] = ()
    root_unsure: tuple[Span, ...] = ()
    helper_unsure: tuple[Span, ...] = ()
    cited: tuple[Span, ...] = ()


@dataclass(frozen=True)
class Covered:
    """The coverage of a run, with the documents that it is about."""

    documents: tuple[Document, ...]
    coverage: Coverage
    of_root: frozenset[str] = frozenset()
    """Spans that showed something to the model of the root frame; all others showed it to helpers."""
    looked: bool = True
    """False: nobody has looked yet for what the models were shown."""
    complete: bool = True
    """False while what the run did last has not been looked at."""
    large_gap_chars: int = LARGE_GAP_CHARS
    reach: Reach | None = None
    """Of an ended run that read the archive in order: what lay outside its window."""

    def layers(self, document: int) -> Layers:
        return self._layers((each, 0) for each in self.coverage.by_document.get(document, ()))

    @cached_property
    def whole_archive(self) -> Layers:
        """The documents one after the other, as one."""
        return self._layers((each, self.starts[each.document]) for each in self.coverage.reads)

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """Where each document begins in the archive, in characters."""
        return tuple(accumulate((each.chars for each in self.documents), initial=0))

    def _layers(self, reads: Iterable[tuple[Read, int]]) -> Layers:
        """Reads with what is added to their offsets, sorted by who read."""
        found: dict[tuple[bool, bool], list[Span]] = defaultdict(list)
        cited = []
        for each, begin in reads:
            if each.how == "cited":
                cited.append((begin + each.start, begin + each.end))
            else:
                found[each.span in self.of_root, each.ambiguous].append((begin + each.start, begin + each.end))
        return Layers(
            tuple(merged(found[True, False])),
            tuple(merged(found[False, False])),
            tuple(merged(found[True, True])),
            tuple(merged(found[False, True])),
            tuple(cited),
        )

    @cached_property
    def gaps(self) -> tuple[Gap, ...]:
        """What lay outside the window, in the order of the archive. Of a run without one, documents that were never read, and
        then large gaps in others; of each the largest first."""
        if self.reach:
            numbers = {each.path: number for number, each in enumerate(self.documents)}
            return tuple(self._gap(numbers[each.document], each.start, each.end) for each in self.reach.outside)
        never = set(self.coverage.never_read)
        found = [Gap(number, 0, self.documents[number].chars, True) for number in never]
        for number in self.coverage.by_document:
            if number not in never:
                spans = self.coverage.gaps_of(number)
                found += [Gap(number, *span, False) for span in spans if span[1] - span[0] >= self.large_gap_chars]
        return tuple(sorted(found, key=lambda gap: (not gap.whole, -gap.chars, gap.document, gap.start)))

    def _gap(self, document: int, start: int, end: int) -> Gap:
        return Gap(document, start, end, end - start == self.documents[document].chars)

    @property
    def chars_never_shown(self) -> int:
        return self.coverage.chars - self.coverage.chars_shown

    def shown_to(self, spans: Iterable[str]) -> dict[int, list[Span]]:
        """What these nodes were shown, by document in the order of the archive."""
        found: dict[int, list[Span]] = {}
        for span in spans:
            for each in self.coverage.by_span.get(span, ()):
                if each.how != "cited":
                    found.setdefault(each.document, []).append((each.start, each.end))
        return {document: merged(found[document]) for document in sorted(found)}

    def place_around(self, document: int, char: int) -> Span | None:
        """The place that somebody means by a character: the smallest piece with it that a model was shown, else the gap
        that it lies in. `None` where either is too long to be one place."""
        around = [
            (each.start, each.end)
            for each in self.coverage.by_document.get(document, ())
            if each.start <= char < each.end and each.how != "cited"
        ]
        if not around:
            return next((gap for gap in self.coverage.gaps_of(document) if gap[0] <= char < gap[1]), None)
        smallest = min(around, key=lambda span: span[1] - span[0])
        return smallest if smallest[1] - smallest[0] <= RECORD_CHARS else None
