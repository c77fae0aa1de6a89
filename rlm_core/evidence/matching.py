"""Which kept bytes of a text are which kept bytes of a corpus (`fingerprints.py`).

Chosen hashes of the text name places that may be the same; from each the match is grown, byte by byte, to where it ends.
Rare hashes are followed first, so that text which stands in several documents is mostly taken in by a match that began beside
it. What is left goes to the place that goes on where a neighbour ended, or leads to where the next begins, if enough of it is
there; else to the place that holds most of it, and where several hold as much, to the first, which is then ambiguous. Beside
each match the text is searched a little further for what comes next in the document: so line numbers, names of files before
each line, and the like are passed over.

The work for one text is bounded. Refuses to know characters and documents' texts: those are `mapping.py`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from mmap import mmap
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rlm_core.evidence.fingerprints import HASHED, Fingerprints, Offsets, chosen, kept_of, places_of_kept

MIN_KEPT = 40
"""A shorter match is not claimed, unless it goes on from another."""
RARE = 4
"""Places of a hash up to which it is followed at once."""
MAX_CANDIDATES = 16
"""Places of one hash that are looked at closely: those around which most is the same."""
MAX_COMPARED = 4_096
"""Of text that stands in more places, those that are first."""
CONTEXT_KEPT = 64
CHANCE_KEPT = 6
"""So many letters beside a match may happen to be the same."""
NEAR_KEPT = 2_000
"""How far from a neighbour's end a place may lie and still count as going on from it."""
OVERLAP_KEPT = 256
PASSED_OVER = 64
"""Letters and digits that may stand between two parts of a document which follow each other there: a path, a line number."""
LINE_KEPT = 24
"""A line of fewer letters and digits may be lost between two such parts."""
PROBE_KEPT = 10
MAX_STEPS = 200_000
"""Comparisons for one text, some seconds: of a text that is made to take longer, what was found until then is told."""


class Match(NamedTuple):
    """The kept bytes of the text from `text` to `text_end` are those of the corpus from `place` to `place_end`."""

    text: int
    text_end: int
    place: int
    place_end: int
    ambiguous: bool = False

    @property
    def size(self) -> int:
        return self.place_end - self.place

    def part(self, start: int, end: int) -> Match:
        """What the text holds of it from `start` to `end`."""
        place = self.place - self.text
        return Match(start, end, place + start, place + end, self.ambiguous)


class Matching:
    """The search for one text, given as UTF-8. `matches` are in the order of the text, and do not overlap there."""

    def __init__(self, fingerprints: Fingerprints, data: bytes) -> None:
        self.fingerprints = fingerprints
        self.data = data
        self.at = places_of_kept(data)
        """Offsets of the kept bytes in `data`."""
        self.text = kept_of(data)
        self._letters = np.frombuffer(self.text, np.uint8)
        self.kept = fingerprints.kept
        self.matches: list[Match] = []
        self._short: list[Match] = []
        self._seeds: tuple[Offsets, Offsets, Offsets] = (self.at[:0],) * 3
        self._steps = MAX_STEPS

    def found(self) -> Iterator[Match]:
        """What is claimed of the corpus, as few matches as possible. What lies between the parts of one is left out of it in
        the text, so that the text may be longer than the place."""
        self._follow_all()
        for match in self._joined(self._with_what_goes_on()):
            if match.size >= MIN_KEPT:
                yield match

    # ---------------------------------------------------------------------- from hashes to matches

    def _follow_all(self) -> None:
        parts = list(chosen(self._letters, self.fingerprints.window))
        if not parts:
            return
        at, hashes = (np.concatenate(each) for each in zip(*parts, strict=True))
        low, high = self.fingerprints.candidates(hashes)
        self._seeds = (at, low, high)
        few = high - low <= RARE
        for wanted in (few & (high > low), ~few):
            wanted &= ~self._covered(at)
            reached = 0
            for seed in zip(at[wanted].tolist(), low[wanted].tolist(), high[wanted].tolist(), strict=True):
                if seed[0] + HASHED > reached:
                    reached = self._follow(*seed)
        for match in self._short:
            before, after, number = self._beside(match.text)
            if (not before or before.text_end <= match.text) and (not after or match.text_end <= after.text):
                self.matches.insert(number, match)

    def _covered(self, at: Offsets) -> NDArray[np.bool_]:
        """Which hashes of the text lie within a match."""
        starts, ends = (np.array([0, *(match[side] for match in self.matches)]) for side in (0, 1))
        return np.asarray(at + HASHED <= ends[np.searchsorted(starts, at, "right") - 1])

    def _beside(self, at: int) -> tuple[Match | None, Match | None, int]:
        """The last match that begins at or before `at`, the one after it, and the number of that."""
        number = bisect_right(self.matches, at, key=lambda match: match.text)
        return (
            self.matches[number - 1] if number else None,
            self.matches[number] if number < len(self.matches) else None,
            number,
        )

    def _follow(self, at: int, low: int, high: int) -> int:
        """Grow the match with the hash at `at`. Returns up to where the text need not be looked at again."""
        before, after, number = self._beside(at)
        match = self._best(at, low, high, before, after) if self._steps > 0 else None
        if match and match.size >= MIN_KEPT and high - low <= RARE:
            match = self._surest(match, before, after)
        if match is None:
            return 0
        if match.size < MIN_KEPT:
            self._short += [match] if not match.ambiguous else []
            return match.text_end
        if after and match.text_end > after.text:
            match = match.part(match.text, after.text)
        if before and match.text < before.text_end:
            if match.text_end < before.text_end + HASHED:
                return before.text_end
            cut = self._cut(max(match.text, before.text + 1), before.text_end)
            self.matches[number - 1] = before.part(before.text, cut)
            match = match.part(cut, match.text_end)
        self.matches.insert(number, match)
        return match.text_end

    def _best(self, at: int, low: int, high: int, before: Match | None, after: Match | None) -> Match | None:
        near = self._going_on(at, low, high, before, after) if high - low > 1 else []
        furthest = max(before.text, before.text_end - OVERLAP_KEPT) if before else 0
        grown = self._all_grown(at, near, furthest)
        if not any(each.size >= MIN_KEPT for each in grown):
            # what a neighbour goes on with is too little to be claimed: it may be a part of a line that stands whole elsewhere
            others = self._all_grown(at, self._likeliest(at, low, high), furthest)
            if not grown or any(each.size >= MIN_KEPT for each in others):
                near, grown = [], others
        if not grown:
            return None
        most = max(each.size for each in grown)
        alike = [each for each in grown if each.size >= most - CHANCE_KEPT]
        return alike[0]._replace(ambiguous=len(alike) > 1 or (not near and high - low > MAX_COMPARED))

    def _surest(self, match: Match, before: Match | None, after: Match | None) -> Match | None:
        """The match again, from its rarest hash. Near its ends which hashes are chosen depends on what stands beside it, so that
        one which is rare there may be of text that stands elsewhere too."""
        window = self.fingerprints.window
        at, low, high = self._seeds
        inner = slice(*np.searchsorted(at, (match.text + window, match.text_end - HASHED - window + 1)))
        at, low, high = at[inner], low[inner], high[inner]
        if not len(at):
            at, hashes = next(chosen(self._letters[match.text : match.text_end], window))
            low, high = self.fingerprints.candidates(hashes)
            at = at + match.text
        places = np.where(high > low, high - low, MAX_COMPARED)
        rarest = int(np.argmin(places))
        if places[rarest] == 1 or low[rarest] == high[rarest]:
            return match
        return self._best(int(at[rarest]), int(low[rarest]), int(high[rarest]), before, after)

    def _likeliest(self, at: int, low: int, high: int) -> list[int]:
        """Of the places of a hash those around which most is the same, as many as may be looked at closely."""
        places = self.fingerprints.positions(low, min(high, low + MAX_COMPARED))
        if len(places) <= MAX_CANDIDATES:
            return places
        self._steps -= len(places) // MAX_CANDIDATES
        starts, same = np.array(places), np.zeros(len(places), np.int64)
        for offsets in (np.arange(HASHED, HASHED + CONTEXT_KEPT), np.arange(-1, -CONTEXT_KEPT - 1, -1)):
            offsets = offsets[(at + offsets >= 0) & (at + offsets < len(self.text))]
            around = self.fingerprints.letters.take(starts[:, None] + offsets, mode="clip")
            same += np.logical_and.accumulate(around == self._letters[at + offsets], axis=1).sum(axis=1)
        return starts[same >= same.max() - CHANCE_KEPT][:MAX_CANDIDATES].tolist()  # type: ignore[no-any-return]

    def _going_on(self, at: int, low: int, high: int, before: Match | None, after: Match | None) -> list[int]:
        """Of the places of a repeated hash, the one that goes on from the match before, or leads to the one after, in the same
        document."""
        beside = [(before.place_end - 1, before.place_end + at - before.text_end)] if before else []
        beside += [(after.place, after.place + at - after.text)] if after else []
        for neighbour, expected in beside:
            first, end = self.fingerprints.document_around(neighbour)
            row = self.fingerprints.first_at(low, high, min(max(first, expected), end))
            around = self.fingerprints.positions(max(low, row - 1), min(high, row + 1))
            near = [place for place in around if first <= place < end and abs(place - expected) <= NEAR_KEPT]
            if near := [place for place in near if self._is_at(at, place)]:
                return near[-1:]
        return []

    def _is_at(self, at: int, place: int) -> bool:
        return self.text[at : at + HASHED] == self.kept[place : place + HASHED]

    def _all_grown(self, at: int, places: Sequence[int], furthest: int) -> list[Match]:
        return [match for place in places if (match := self._grown(at, place, furthest))]

    def _grown(self, at: int, place: int, furthest: int) -> Match | None:
        """The match around a hash, back to `furthest` at most; `None` if it is the same hash of something else."""
        self._steps -= 1
        if not self._is_at(at, place):
            return None
        back = _same_before(self.text, at, self.kept, place, at - furthest)
        more = HASHED + _same_after(self.text, at + HASHED, self.kept, place + HASHED, len(self.text))
        return Match(at - back, at + more, place - back, place + more)

    def _cut(self, start: int, end: int) -> int:
        """Where one match ends and the next begins, of the places where both would do: at the widest space."""
        return start + int(np.argmax(self.at[start : end + 1] - self.at[start - 1 : end]))

    # ---------------------------------------------------------------------- over what stands between

    def _with_what_goes_on(self) -> list[Match]:
        """The matches, and beside each what goes on from it behind a line number or the like."""
        beyond = len(self.kept) + 1
        found, end = [Match(0, 0, -1, -1)], Match(len(self.text), len(self.text), beyond, beyond)
        for match, after in pairwise([*self.matches, end]):
            back = self._chain(match, found[-1], self._back)
            found += [*reversed(back), match, *self._chain(match, after, self._on)]
        return found[1:]

    def _chain(self, match: Match, towards: Match, step: Callable[[Match, Match], Match | None]) -> list[Match]:
        """Step by step to another match. A last one that is short and breaks off within a line is what lines have in common."""
        chain = []
        while self._steps > 0 and (found := step(match, towards)):
            chain.append(found)
            match = found
        while chain and chain[-1].size < MIN_KEPT and not self._is_line(chain[-1]):
            chain.pop()
        return chain

    def _on(self, match: Match, after: Match) -> Match | None:
        if after.text - match.text_end < PROBE_KEPT or 0 <= after.place - match.place_end < PROBE_KEPT:
            return None
        self._steps -= 1
        stop = min(match.text_end + PASSED_OVER + PROBE_KEPT, after.text)
        for place in range(match.place_end, min(match.place_end + LINE_KEPT, len(self.kept) - PROBE_KEPT + 1)):
            if (at := self.text.find(self.kept[place : place + PROBE_KEPT], match.text_end, stop)) >= 0:
                same = _same_after(self.text, at, self.kept, place, after.text - at)
                return Match(at, at + same, place, place + same, match.ambiguous)
        return None

    def _back(self, match: Match, before: Match) -> Match | None:
        if match.text - before.text_end < PROBE_KEPT or 0 <= match.place - before.place_end < PROBE_KEPT:
            return None
        self._steps -= 1
        stop = max(match.text - PASSED_OVER - PROBE_KEPT, before.text_end)
        for place in range(match.place, max(match.place - LINE_KEPT, PROBE_KEPT - 1), -1):
            if (at := self.text.rfind(self.kept[place - PROBE_KEPT : place], stop, match.text)) >= 0:
                at += PROBE_KEPT
                same = _same_before(self.text, at, self.kept, place, at - before.text_end)
                return Match(at - same, at, place - same, place, match.ambiguous)
        return None

    def _is_line(self, match: Match) -> bool:
        """Whether the text breaks at both ends: before it at least a word, after it a line."""
        if match.text and self.at[match.text] - self.at[match.text - 1] == 1:
            return False
        if match.text_end == len(self.text):
            return True
        return b"\n" in self.data[self.at[match.text_end - 1] : self.at[match.text_end]]

    def _joined(self, matches: Sequence[Match]) -> list[Match]:
        """Matches that follow each other in the corpus as one, where what lies between them there is in the text too."""
        found: list[Match] = []
        for match in matches:
            last = found[-1] if found else None
            if last and 0 <= match.place - last.place_end <= LINE_KEPT and self._holds_between(last, match):
                ambiguous = last.ambiguous and match.ambiguous
                found[-1] = Match(last.text, match.text_end, last.place, match.place_end, ambiguous)
            else:
                found.append(match)
        return found

    def _holds_between(self, last: Match, match: Match) -> bool:
        between = self.text[last.text_end : min(match.text, last.text_end + PASSED_OVER + LINE_KEPT)]
        return self.kept[last.place_end : match.place] in between


def _same_after(text: bytes, at: int, kept: mmap | bytes, place: int, limit: int) -> int:
    """How many bytes are the same from here on, `limit` at most."""
    limit = min(len(text) - at, len(kept) - place, limit)
    same, step, grows = 0, 16, True
    while step and same < limit:
        size = min(step, limit - same)
        if text[at + same : at + same + size] == kept[place + same : place + same + size]:
            same, step = same + size, 4 * step if grows else step // 2
        else:
            step, grows = step // 2, False
    return same


def _same_before(text: bytes, at: int, kept: mmap | bytes, place: int, limit: int) -> int:
    """How many bytes before these are the same, `limit` at most."""
    limit = min(at, place, limit)
    same, step, grows = 0, 16, True
    while step and same < limit:
        size = min(step, limit - same)
        if text[at - same - size : at - same] == kept[place - same - size : place - same]:
            same, step = same + size, 4 * step if grows else step // 2
        else:
            step, grows = step // 2, False
    return same
