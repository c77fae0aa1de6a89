"""Had a model been shown the deciding words of a finding before the finding was recorded? Pure.

    before       models had been shown all of them: in prompts that were answered, in outputs of earlier turns
    afterwards   they were shown, but not all of them before: whoever recorded it had not read them there
    never        no model was shown all of them

Never is no error by itself: code may find an item in the archive, quote it and record it, and no model reads the passage.
Unknown, and then not said, is it of a quote that has no single proven place; of words that some model was told earlier, or at
all, where it cannot be said whether they were this place or another one (`told_texts.py`); and while not all of the run was
looked at, of whatever is not `before`.

How it errs: `before` says that some model was shown the words, not that it was asked about them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from rlm_core import events as ev
from rlm_core.evidence.coverage import Coverage, Read, Span, covers
from rlm_core.evidence.placed import placed
from rlm_core.evidence.told import Told
from rlm_core.evidence.told_texts import ToldTexts, Whole
from rlm_core.passages import passage, short
from rlm_core.view import RunView

Shown = Literal["before", "afterwards", "never"]


def shown_before(
    view: RunView, coverage: Coverage, numbers: Mapping[str, int], whole: Whole = short, *, complete: bool = True
) -> dict[str, Shown]:
    """By the span of each finding of which it is known. `numbers` has the documents by their paths, `whole` loads a long text of
    which the view holds the head; `complete`: `coverage` knows all of the run."""
    told = Told(view)
    found = dict(_by_reads(view, coverage, numbers, told))
    if complete:
        doubted = {span: whole(passage(_quote(view, span))) for span, shown in found.items() if shown != "before"}
        texts = ToldTexts(view, told, doubted.values(), whole)
        unknown = {
            span
            for span, quote in doubted.items()
            if _may_have_been_told(texts.holding(quote), found[span], view.nodes[span].started_seq, told)
        }
        return {span: shown for span, shown in found.items() if span not in unknown}
    return {span: shown for span, shown in found.items() if shown == "before"}


def _by_reads(view: RunView, coverage: Coverage, numbers: Mapping[str, int], told: Told) -> Iterator[tuple[str, Shown]]:
    places: dict[int, dict[Span, list[str]]] = defaultdict(lambda: defaultdict(list))
    for span, _, checked in view.findings(corrected=True):
        if at := placed(checked, numbers):
            places[at.document][at.span].append(span)
    by: dict[str, int | None] = {span: told.by(span) for span in coverage.by_span}
    for document, wanted in places.items():
        for place, reads in coverage.shown_at(document, wanted):
            for finding in wanted[place]:
                yield finding, _shown(place, reads, by, view.nodes[finding].started_seq)


def _shown(place: Span, reads: list[Read], by: Mapping[str, int | None], recorded: int) -> Shown:
    earlier = [read for read in reads if (told := by[read.span]) is not None and told < recorded]
    if covers(((read.start, read.end) for read in earlier), place):
        return "before"
    return "afterwards" if covers(((read.start, read.end) for read in reads), place) else "never"


def _may_have_been_told(holding: Sequence[str] | None, shown: Shown, recorded: int, told: Told) -> bool:
    """Whether a model was told the words, though the reads do not say so: earlier, or at all if they say never."""
    if holding is None or (holding and shown == "never"):
        return True
    return any((by := told.by(node)) is not None and by < recorded for node in holding)


def _quote(view: RunView, span: str) -> str | None:
    recorded = view.nodes[span].started
    assert isinstance(recorded, ev.FindingRecorded)
    return recorded.finding.quote
