"""What lay outside the window of a run that has its models read the archive itself, from its beginning on: `base` and
`compaction`.

It is found from what the prompts held (`coverage.py`), and only where that is not known told from the run's own note of a cut,
and marked as an estimate. A piece too short to be found by content may have been held: outside is what lies behind the last
characters found before the first piece that is long enough and was not. Of a run that reads in another order nothing of the
kind can be said. Refuses to know how a prompt was made.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from rlm_core import events as ev
from rlm_core.corpus.corpus import Corpus
from rlm_core.errors import TaskError
from rlm_core.evidence.coverage import Coverage, Span, merged, without
from rlm_core.evidence.fingerprints import kept_of, sure_of
from rlm_core.evidence.windows import characters
from rlm_core.view import RunView

IN_ORDER = frozenset({"base", "compaction"})
"""Strategies that read the archive from its beginning on, in prompts that hold it as it is."""
CUT = "context_cut"
"""Topic of the note of a run that could not show its model everything."""
_BYTES_PER_CHAR = 4
_READ_AT_ONCE = 4_096


@dataclass(frozen=True, slots=True)
class Unseen:
    """Characters of a document that a model was not shown."""

    document: str
    start: int
    end: int


@dataclass(frozen=True)
class Reach:
    """What of an archive the model that answered was not shown."""

    outside: tuple[Unseen, ...] = ()
    """No prompt held it. In the order of the archive."""
    compressed: tuple[Unseen, ...] = ()
    """Only a prompt that asked for notes held it: the model that answered had only the notes."""
    estimated: bool = False
    """As the run noted it itself, before it asked a model."""
    refused: bool = False
    """The archive was larger than the window, and so no model was shown anything."""

    @cached_property
    def chars_outside(self) -> int:
        return sum(each.end - each.start for each in self.outside)

    @cached_property
    def chars_compressed(self) -> int:
        return sum(each.end - each.start for each in self.compressed)

    def hiding(self, document: str, start: int, end: int) -> Unseen | None:
        """What lay outside and holds these characters, or some of them."""
        return next((each for each in self._outside.get(document, ()) if each.start < end and start < each.end), None)

    def notes_of(self, document: str, start: int, end: int) -> Unseen | None:
        """What only the compressor saw and holds all of these characters."""
        return next(
            (each for each in self._compressed.get(document, ()) if each.start <= start and end <= each.end), None
        )

    @cached_property
    def _outside(self) -> dict[str, list[Unseen]]:
        return _by_document(self.outside)

    @cached_property
    def _compressed(self) -> dict[str, list[Unseen]]:
        return _by_document(self.compressed)


def _by_document(parts: Iterable[Unseen]) -> dict[str, list[Unseen]]:
    found: dict[str, list[Unseen]] = defaultdict(list)
    for each in parts:
        found[each.document].append(each)
    return found


def reach_of(view: RunView, corpus: Corpus, coverage: Coverage) -> Reach | None:
    """What the model of an ended run was not shown, from all that its prompts held; `None` of any other run, and where no
    model was asked for another reason than the window."""
    if not has_window(view) or view.outcome is None:
        return None
    if not _replies(view):
        return Reach(_whole(corpus), refused=True) if _is_refused(view) else None
    return Reach(
        tuple(_unseen(corpus, number, gap) for number, gap in outside(corpus, coverage)),
        tuple(_unseen(corpus, number, span) for number, span in _compressed(view, coverage)),
    )


def has_window(view: RunView) -> bool:
    """Whether the run has its models read the archive in order."""
    return view.task is not None and view.task.strategy in IN_ORDER


def noted(view: RunView) -> Reach:
    """What a run that reads in order noted that it could not show its model: nothing if it noted nothing. Another run may have
    printed afterwards what its first prompt had no room for, so its note says nothing of this.
    """
    if not has_window(view):
        return Reach()
    notes = [each for node in view.nodes.values() for each in node.remarks if isinstance(each, ev.Noted)]
    cuts = [part for each in notes if each.topic == CUT for part in each.data.get("unseen", ())]
    whole = [part for part in cuts if isinstance(part, dict) and {"document", "start", "end"} <= part.keys()]
    return Reach(tuple(Unseen(part["document"], part["start"], part["end"]) for part in whole), (), True)


def outside(corpus: Corpus, coverage: Coverage) -> list[tuple[int, Span]]:
    """Documents by number, with what of each lay outside the window of a run that read the archive in order."""
    document, char = _first_outside(corpus, coverage)
    found = []
    for number in range(document, len(corpus.documents)):
        begin = char if number == document else 0
        found += [(number, (max(begin, start), end)) for start, end in coverage.gaps_of(number) if end > begin]
    return found


def _first_outside(corpus: Corpus, coverage: Coverage) -> tuple[int, int]:
    """The first character that was outside: its document, and its offset there; behind the last document where none was.

    What is left of a document of which something was shown is found however short it is: a copy goes on to its last letter.
    """
    sure = sure_of(len(corpus.data))
    rest: tuple[int, int] | None = None
    for number, document in enumerate(corpus.documents):
        if shown := bool(coverage.spans_of(number)):
            rest = None
        for start, end in coverage.gaps_of(number):
            if shown and end == document.chars and _letters(corpus, number, start, end, 1):
                rest = number, start
            if _letters(corpus, number, start, end, sure):
                return rest or (number, start)
    return rest or (len(corpus.documents), 0)


def _letters(corpus: Corpus, number: int, start: int, end: int, wanted: int) -> bool:
    """Whether there are so many letters and digits in these characters, as they are counted where copies are looked for."""
    if (end - start) * _BYTES_PER_CHAR < wanted:
        return False
    for at in range(start, end, _READ_AT_ONCE):
        text = characters(corpus, corpus.documents[number], at, min(end, at + _READ_AT_ONCE))
        wanted -= len(kept_of(text.encode()))
        if wanted <= 0:
            return True
    return False


def _compressed(view: RunView, coverage: Coverage) -> Iterator[tuple[int, Span]]:
    """What a prompt that asked for notes held, and no other."""
    roles = {span: node.started.role for span, node in view.nodes.items() if isinstance(node.started, ev.CallStarted)}
    for number, reads in sorted(coverage.by_document.items()):
        sent = [read for read in reads if read.how == "sent"]
        by_compressor = merged((each.start, each.end) for each in sent if roles.get(each.span) == "compact")
        by_others = merged((each.start, each.end) for each in sent if roles.get(each.span) != "compact")
        yield from ((number, span) for span in without(by_compressor, by_others))


def _replies(view: RunView) -> Sequence[ev.CallFinished]:
    ended = (node.finished for node in view.nodes.values())
    return [each for each in ended if isinstance(each, ev.CallFinished) and each.status == "ok"]


def _is_refused(view: RunView) -> bool:
    """By the strategy, which asks nobody then, or by who was asked."""
    kind = view.finished.error_kind if view.finished else None
    in_frame = any(isinstance(node.started, ev.FrameStarted) for node in view.nodes.values())
    return kind == "overflow" or (kind == TaskError.__name__ and in_frame)


def _whole(corpus: Corpus) -> tuple[Unseen, ...]:
    return tuple(Unseen(each.path, 0, each.chars) for each in corpus.documents if each.chars)


def _unseen(corpus: Corpus, number: int, span: Span) -> Unseen:
    return Unseen(corpus.documents[number].path, *span)
