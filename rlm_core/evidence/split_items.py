"""Items whose entries were read apart: each was shown to a model, and no model was shown all of them. Pure.

An item may have several entries in an archive: a leak is reported, repaired, and reported again. Who reads one of them alone
may judge the item wrongly. The rule:

    entries      the distinct places of the quotes that the run recorded of the item, also with labels that do not stand; quotes
                 that overlap are one entry. Fewer than two: nothing to say
    shown        each of them whole, and it is certain that it was this place. Else it is an entry that nobody read, which is
                 another matter (`shown_before.py`)
    a reader     a helper's call is one, by its prompt. A frame's model is one, by all that its conversation ever held: what
                 opened it, its searches, and what its cells printed, in whatever turns
    together     one reader was shown them all. Then the item is not named, whatever else was done with it

How it errs, towards silence: a frame's conversation counts as one even if it was shortened meanwhile; a text with the very words
of an entry counts as that entry, be they from another place; and a run that told its models more than can be looked at names no
item. Towards alarm: an entry that a model was told of in other words, in a summary or a helper's reply, counts as not seen. And a
run may not need its entries together: where each decides for itself, this is no fault.

Entries that nobody recorded are left out, on purpose: an item's name in a text may be a cross-reference, a table of contents,
a list of all items, or a number that means something else, and every name of a few letters would raise an alarm.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rlm_core import events as ev
from rlm_core.evidence.coverage import Coverage, Read, Span, covers
from rlm_core.evidence.placed import Placed, placed
from rlm_core.evidence.told import Told
from rlm_core.evidence.told_texts import ToldTexts, Whole
from rlm_core.passages import passage, short
from rlm_core.task import Finding
from rlm_core.view import RunView

Entries = Mapping[Placed, tuple[str, ...]]
"""The places of one item in the order of the archive, each with the findings that quote it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of an item: its place, the findings that quote it, and the nodes that showed all of it, in their order."""

    place: Placed
    findings: tuple[str, ...]
    nodes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SplitItem:
    """An item whose entries no model saw together. `calls` are the helpers' calls that saw some of them, `frames` the frames
    whose own models did."""

    item: str
    entries: tuple[Entry, ...]
    calls: tuple[str, ...]
    frames: tuple[str, ...]


def split_items(
    view: RunView, coverage: Coverage, numbers: Mapping[str, int], whole: Whole = short
) -> tuple[SplitItem, ...]:
    """Such items, in the order in which they were first recorded. `coverage` must know all of the run; `numbers` has the
    documents by their paths, and `whole` loads a long text of which the view holds the head."""
    told = Told(view)
    several = [entries for entries in _entries(view, numbers) if len(entries) > 1]
    readers = _readers(coverage, told, (place for entries in several for place in entries))
    apart = [entries for entries in several if _read_apart(entries, readers)]
    quotes = {
        span: whole(passage(_finding(view, span).quote))
        for entries in apart
        for findings in entries.values()
        for span in findings
    }
    texts = ToldTexts(view, told, quotes.values(), whole)
    return tuple(
        _split(view, entries, readers) for entries in apart if not _may_have_met(entries, readers, quotes, texts, told)
    )


def _entries(view: RunView, numbers: Mapping[str, int]) -> list[Entries]:
    """The entries of each item that has any."""
    found: dict[str, list[tuple[Placed, str]]] = defaultdict(list)
    for span, finding, checked in view.findings(corrected=True):
        if place := placed(checked, numbers):
            found[str(finding.item)].append((place, span))
    return [dict(_apart(sorted(places))) for places in found.values()]


def _apart(places: Sequence[tuple[Placed, str]]) -> Iterator[tuple[Placed, tuple[str, ...]]]:
    """Places in order, those that overlap as one."""
    (whole, first), *others = places
    findings = [first]
    for place, finding in others:
        if place.document == whole.document and place.start < whole.end:
            whole = Placed(whole.document, whole.start, max(whole.end, place.end))
            findings.append(finding)
        else:
            yield whole, tuple(findings)
            whole, findings = place, [finding]
    yield whole, tuple(findings)


@dataclass(frozen=True, slots=True)
class _Readers:
    """Who was shown all of a place. `perhaps` holds the certain ones too; `nodes` are those that showed it for certain."""

    certain: frozenset[str]
    perhaps: frozenset[str]
    nodes: tuple[str, ...]


def _readers(coverage: Coverage, told: Told, places: Iterable[Placed]) -> dict[Placed, _Readers]:
    spans: dict[int, set[Span]] = defaultdict(set)
    for place in places:
        spans[place.document].add(place.span)
    whom = {span: told.whom(span) for span in coverage.by_span}
    return {
        Placed(document, *span): _Readers(
            frozenset(_covering(span, [read for read in reads if not read.ambiguous], whom)),
            frozenset(_covering(span, reads, whom)),
            tuple(_covering(span, [read for read in reads if not read.ambiguous], {})),
        )
        for document, wanted in spans.items()
        for span, reads in coverage.shown_at(document, wanted)
    }


def _covering(place: Span, reads: Iterable[Read], whom: Mapping[str, str]) -> Iterator[str]:
    """Who was shown all of a place; the nodes themselves where `whom` does not say."""
    parts: dict[str, list[Span]] = defaultdict(list)
    for read in reads:
        parts[whom.get(read.span, read.span)].append((read.start, read.end))
    return (each for each, spans in parts.items() if covers(spans, place))


def _read_apart(entries: Entries, readers: Mapping[Placed, _Readers]) -> bool:
    """Whether each entry was shown, and all of them to nobody, as far as the reads tell."""
    seen = [readers[place] for place in entries]
    return all(each.certain for each in seen) and not frozenset.intersection(*(each.perhaps for each in seen))


def _split(view: RunView, entries: Entries, readers: Mapping[Placed, _Readers]) -> SplitItem:
    nodes = {node for place in entries for node in readers[place].nodes}
    whoever = dict.fromkeys(reader for place in entries for reader in sorted(readers[place].certain))
    return SplitItem(
        short(passage(_finding(view, next(iter(entries.values()))[0]).item)),
        tuple(Entry(place, findings, readers[place].nodes) for place, findings in entries.items()),
        tuple(each for each in whoever if each in nodes),
        tuple(each for each in whoever if each not in nodes),
    )


def _may_have_met(
    entries: Entries, readers: Mapping[Placed, _Readers], quotes: Mapping[str, str], texts: ToldTexts, told: Told
) -> bool:
    """Whether one reader was told the words of each entry that it was not shown, as far as the reads tell."""
    seen = []
    for place, findings in entries.items():
        holding = [texts.holding(quotes[each]) for each in findings]
        if None in holding:
            return True
        seen.append(readers[place].perhaps.union(told.whom(node) for nodes in holding for node in nodes or ()))
    return bool(frozenset.intersection(*seen))


def _finding(view: RunView, span: str) -> Finding:
    recorded = view.nodes[span].started
    assert isinstance(recorded, ev.FindingRecorded)
    return recorded.finding
