"""What the models of a run were shown of its archive: found in the run's events and kept beside them (`store/readings.py`).

    a cell                       printed   its output, as far as its model was shown it and was asked again after it
    a search by the strategy     printed   the passages that it brought
    a call of a helper           sent      all of its prompt
    a frame's own call           sent      what opens the conversation: the archive of a `base`, beginnings of documents
    a finding                    cited     the place of its quote
    a reply, an answer           cited     the places of the quotes within it, which are kept as well

What a reading comes to can be thrown away and computed again; it goes on from where it ended, and several processes may do it
at once. A run is read in a process of its own once it has ended (`python -m rlm_core.jobs.reading HOME RUN`), which nobody waits
for; whoever looks at a run brings it up to date. Refuses to know how a text is found in an archive (`evidence/mapping.py`).
"""

from __future__ import annotations

import os
import resource
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from rlm_core import events as ev
from rlm_core.corpus.corpus import Corpus
from rlm_core.errors import CorpusError, StoreError, StudioError
from rlm_core.evidence.coverage import Coverage, How, Read
from rlm_core.evidence.fingerprints import Fingerprints
from rlm_core.evidence.mapping import VERSION, Stretch, stretches_of
from rlm_core.evidence.shown_before import Shown, shown_before
from rlm_core.jobs.quoting import Quotes
from rlm_core.settings import load_settings
from rlm_core.shown import shown_hits, shown_output
from rlm_core.store.readings import QuoteRow, ReadRow
from rlm_core.store.rows import SpanRow
from rlm_core.store.store import Store
from rlm_core.task import Message
from rlm_core.view import RunView

EVENTS_AT_ONCE = 200
"""Looked at before what was found is stored."""
REMEMBERED_TEXTS = 20_000
CITED = frozenset({"exact", "normalised", "fuzzy", "ambiguous"})
"""Verdicts of quotes that stand where it is said; one in `conflict` does not."""
NICENESS = 10
MAX_CPU_S = 600
"""Of the process that nobody waits for: what it has found by then is kept, and whoever looks at the run goes on from there."""


def coverage(store: Store, corpus: Corpus, run: str) -> Coverage:
    """What was shown of a run so far, after bringing it up to date."""
    bring_up_to_date(store, corpus, run)
    chars = [document.chars for document in corpus.documents]
    return Coverage(chars, (_read(row) for row in store.reads(run) if row.document < len(chars)))


def is_looked_at(store: Store, run: str) -> bool:
    """Whether all that the run did was looked at; else more of it may have been shown."""
    looked = store.coverage_of([run]).get(run)
    return looked is not None and looked.complete


def numbers_of(corpus: Corpus) -> dict[str, int]:
    """The numbers of the documents by their paths."""
    return {document.path: document.index for document in corpus.documents}


def shown_of(store: Store, run: str, view: RunView) -> dict[str, Shown]:
    """Whether the words of each finding had been shown before it was recorded, where that is known: of a run whose archive is
    not here it is of none."""
    try:
        corpus = corpus_of(store, run)
        seen = coverage(store, corpus, run)
    except CorpusError:
        return {}
    return shown_before(view, seen, numbers_of(corpus), complete=is_looked_at(store, run))


def _read(row: ReadRow) -> Read:
    how: How = "printed" if row.how == "printed" else "sent" if row.how == "sent" else "cited"
    return Read(row.span, row.document, row.start, row.end, how, row.ambiguous)


def corpus_of(store: Store, run: str) -> Corpus:
    """The archive of a run. Raises `StoreError` without the run, `CorpusError` if its archive is not here."""
    row = store.run(run)
    if row is None:
        raise StoreError(f"There is no run {run}. It may have been deleted, or not have begun.")
    if not row.corpus:
        raise CorpusError(
            f"The run {run} was imported, and its log does not hold the archive: what was shown of that cannot be found."
        )
    try:
        return Corpus.open(store.home / "corpora" / row.corpus)
    except CorpusError as error:
        raise CorpusError(
            f"The archive {row.corpus} of run {run} is not here any more: what its models were shown of it cannot be found."
        ) from error


def bring_up_to_date(store: Store, corpus: Corpus, run: str) -> None:
    """Look at what the run did since it was looked at last, and keep what was found. Raises `CorpusError` where the archive
    cannot be read or its fingerprints cannot be made."""
    reader = None
    while (row := store.run(run)) and (after := store.read_so_far(run, VERSION)) < row.last_seq:
        nodes = _Nodes(store.spans(run), row.last_seq)
        if after >= nodes.decided:
            return
        reader = reader or _Reader(store, Fingerprints.of(corpus), run)
        for start in range(after, nodes.decided, EVENTS_AT_ONCE):
            until = min(start + EVENTS_AT_ONCE, nodes.decided)
            rows = [row for event in store.events(run, start, until) for row in reader.found_in(event, nodes)]
            reads = [row for row in rows if isinstance(row, ReadRow)]
            quotes = [row for row in rows if isinstance(row, QuoteRow)]
            if not store.add_readings(run, VERSION, start, until, reads, quotes):
                break  # somebody else is at it too


class _Nodes:
    """The nodes of a run, as far as it matters where each lies and what came after it in its frame."""

    def __init__(self, spans: Iterable[SpanRow], last_seq: int) -> None:
        """`spans` may know more than the events up to `last_seq`, and not less."""
        self._spans = {span.id: span for span in spans}
        self._last_asked: dict[str, int] = {}
        for span in self._spans.values():
            if span.kind == "call" and span.role == "root" and span.status == "ok":
                frame = self._frame_of(span)
                self._last_asked[frame] = max(span.seq, self._last_asked.get(frame, -1))
        waiting = [span.seq - 1 for span in self._spans.values() if not self._is_decided(span)]
        self.decided = min([last_seq, *waiting])
        """Up to which event it can be said what was shown: the model may still be asked about what the last cell printed."""

    def seq_of(self, span: str) -> int:
        return self._spans[span].seq

    def was_told(self, span: str) -> bool:
        """Whether the model of the node's frame was told what came of the node: it has replied to something after it."""
        node = self._spans[span]
        return self._last_asked.get(self._frame_of(node), -1) > node.seq

    def is_by_strategy(self, span: str) -> bool:
        """Whether a search was made by the strategy, which tells the model of it, and not by a cell."""
        parent = self._spans.get(self._spans[span].parent or "")
        return bool(parent) and parent.kind != "cell"  # type: ignore[union-attr]

    def _is_decided(self, span: SpanRow) -> bool:
        if span.kind not in ("cell", "search") or span.finished_at is None or self.was_told(span.id):
            return True  # what is still to come lies beyond the last event
        above = (self._spans.get(self._frame_of(span)), self._spans.get(ev.RUN_SPAN))
        return any(node and node.finished_at is not None for node in above)

    def _frame_of(self, span: SpanRow) -> str:
        node: SpanRow | None = span
        while node and node.kind != "frame":
            above = self._spans.get(node.parent or "")
            node = above if above and above.seq < node.seq else None  # a log of others may go round in circles
        return node.id if node else ev.RUN_SPAN


class _Reader:
    """Finds what was shown in one event after the other."""

    def __init__(self, store: Store, fingerprints: Fingerprints, run: str) -> None:
        self._store, self._run = store, run
        self._fingerprints = fingerprints
        self._quotes = Quotes(fingerprints.corpus)
        self._open: dict[str, ev.CallStarted] = {}
        self._found: dict[tuple[int, int], Sequence[Stretch]] = {}
        (first,) = store.events(run, until=0)
        assert isinstance(first.body, ev.RunStarted)
        self._shown_chars = first.body.task.limits.shown_chars

    def found_in(self, event: ev.Event, nodes: _Nodes) -> Iterator[ReadRow | QuoteRow]:
        span = event.span
        match event.body:
            case ev.CellFinished(output=output, error=error, output_chars=chars) if nodes.was_told(span):
                yield from self._mapped(span, "printed", shown_output(output, error, chars, self._shown_chars))
            case ev.Searched(query=query, hits=hits) if nodes.is_by_strategy(span) and nodes.was_told(span):
                yield from self._mapped(span, "printed", shown_hits(query, hits, self._shown_chars))
            case ev.CallStarted():
                self._open[span] = event.body
            case ev.CallFinished(status=status, text=text):
                started = self._open.pop(span, None) or self._started(nodes.seq_of(span))
                if status == "ok":  # else nobody knows that a model has read it
                    yield from self._mapped(span, "sent", *(message.text for message in _new(started)))
                    if started.role != "root":  # a frame's own words are code, and its answer
                        yield from self._quoted(span, text or "")
            case ev.RunFinished(answer=answer) | ev.FrameFinished(answer=answer) if answer:
                yield from self._quoted(span, answer.text)
            case ev.QuoteChecked() as checked:
                yield from self._cited(span, checked)

    def _started(self, seq: int) -> ev.CallStarted:
        (event,) = self._store.events(self._run, seq - 1, seq)
        assert isinstance(event.body, ev.CallStarted)
        return event.body

    def _mapped(self, span: str, how: How, *texts: str) -> Iterator[ReadRow]:
        for text in texts:
            key = (hash(text), len(text))
            if key not in self._found:
                if len(self._found) >= REMEMBERED_TEXTS:
                    self._found.clear()
                self._found[key] = stretches_of(self._fingerprints, text)
            for each in self._found[key]:
                yield ReadRow(span, each.document, each.start, each.end, how, each.ambiguous)

    def _quoted(self, span: str, text: str) -> Iterator[ReadRow | QuoteRow]:
        for quote in self._quotes.within(span, text):
            yield quote
            yield from self._cited(span, quote)

    def _cited(self, span: str, checked: ev.QuoteChecked | QuoteRow) -> Iterator[ReadRow]:
        if checked.verdict in CITED and checked.document and checked.start is not None and checked.end is not None:
            document = self._fingerprints.corpus.find(checked.document)
            if document:
                yield ReadRow(span, document.index, checked.start, checked.end, "cited", checked.verdict == "ambiguous")


def _new(call: ev.CallStarted) -> Iterator[Message]:
    """What a call shows that was not shown before it in the same conversation: all of a helper's prompt, and what a frame's own
    conversation begins with. What a frame's model is told after its own words are outputs, which are the cells'."""
    if call.role == "root" and call.continues:
        return
    for message in call.messages:
        if call.role == "root" and message.role == "assistant":
            return
        yield message


def main(home: Path, run: str) -> int:
    """Read one run, with what processor time nobody else needs."""
    os.nice(NICENESS)
    store = Store(load_settings(home).home)
    try:
        bring_up_to_date(store, corpus_of(store, run), run)
    except StudioError as error:
        print(error, file=sys.stderr)
        return 1
    finally:
        store.close()
    return 0


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_S, MAX_CPU_S))
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
