"""Runs of a scripted model over a small real corpus, with a real sandbox, for tests of the engine."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rlm_core import events as ev
from rlm_core.calls import Shared
from rlm_core.corpus.corpus import Corpus
from rlm_core.corpus.ingest import Source, ingest
from rlm_core.errors import CallError, StoreError
from rlm_core.events import Event
from rlm_core.journal import lives_of
from rlm_core.lm.client import LM, Request
from rlm_core.lm.scripted import ScriptedLM
from rlm_core.run import run_task
from rlm_core.task import Limits, Origin, Task
from rlm_core.view import RunView, fold

THREE_ROOMS = {
    "march.txt": "Room A12: ceiling patched.\nRoom B07: stain is old and dry.\n",
    "may.txt": "Room A12: dripped again after heavy rain, same beam.\nRoom C02: membrane patched.\n",
}
LOOK = "Look first.\n```repl\nprint([doc.path for doc in context])\n```"


HELPERS = """```repl
replies = llm_query_batched([f"Does it leak again? {doc}" for doc in context])
for doc, reply in zip(context, replies):
    record(doc.path, "yes" if reply == "yes" else "unknown", quote="dripped again after heavy rain" if reply else None)
```"""


def answering(text: str) -> str:
    """A reply that gives an answer the regular way."""
    return f'```repl\nanswer["content"] = {text!r}\nanswer["ready"] = True\n```'


def corpus_of(folder: Path, documents: dict[str, str] | None = None) -> Corpus:
    sources = [Source(name, text.encode()) for name, text in (documents or THREE_ROOMS).items()]
    corpus, _ = ingest(sources, folder / "corpora")
    assert corpus is not None
    return corpus


class Ran:
    """A finished run: its events, and their fold."""

    def __init__(self, events: list[Event]) -> None:
        self.events = events
        self.view: RunView = fold(events)

    @property
    def outcome(self) -> str | None:
        return self.view.outcome

    @property
    def answer(self) -> str:
        return self.view.answer.text if self.view.answer else ""

    @property
    def reason(self) -> str:
        return self.view.finished.reason if self.view.finished else ""

    def bodies(self, kind: type[Any]) -> list[Any]:
        return [event.body for event in self.events if isinstance(event.body, kind)]

    def feedback(self, number: int) -> str:
        """What the model was told before its turn `number` (from 1)."""
        return self.bodies(ev.CallStarted)[number - 1].messages[-1].text

    def assert_balanced(self) -> None:
        """Every Started has exactly one Finished with the same span, after it, and children end before their parents."""
        started: Counter[tuple[str, str]] = Counter()
        for event in self.events:
            name = event.kind
            if name.endswith("Started"):
                started[event.span, name.removesuffix("Started")] += 1
            elif name.endswith("Finished"):
                started[event.span, name.removesuffix("Finished")] -= 1
                assert started[event.span, name.removesuffix("Finished")] == 0, event
        assert not +started, f"never finished: {+started}"
        assert [event.seq for event in self.events] == list(range(len(self.events)))
        ended: set[str] = set()
        for event in self.events:
            if event.kind.endswith("Finished"):
                ended.add(event.span)
            elif event.kind.endswith("Started"):
                assert event.parent not in ended, event


def run_scripted(
    corpus: Corpus,
    lm: LM,
    *,
    limits: Limits | None = None,
    on_start: Callable[[Shared], None] = lambda shared: None,
    origin: Origin | None = None,
    earlier: Sequence[Ran] = (),
    run: str = "r",
    failing_on: Callable[[ev.Body], bool] = lambda body: False,
    **changes: Any,
) -> Ran:
    """Run one task against `lm`, collecting its events in memory. `failing_on` names events that cannot be stored; `earlier`
    are the runs that `origin` leads to."""
    task = replace(Task("How many rooms leak again?", corpus.id, limits=limits or Limits()), **changes)
    events: list[Event] = []
    lock = threading.Lock()

    def emit(span: str, parent: str | None, body: ev.Body) -> Event:
        if failing_on(body):
            raise StoreError("the disk is full")
        with lock:
            event = Event(run, len(events), float(len(events)), span, parent, body)
            events.append(event)
            return event

    by_run = {each.view.run: each.events for each in earlier}
    run_task(task, corpus, lm, emit, on_start=on_start, origin=origin, lives=lives_of(origin, by_run.__getitem__))
    return Ran(events)


def scripted(*root: str | CallError, helper: Callable[[Request], str] = lambda request: "yes") -> ScriptedLM:
    replies = list(root)
    turns = iter(range(10_000))

    def reply(request: Request) -> str:
        if request.role != "root":
            return helper(request)
        number = next(turns)
        item = replies[min(number, len(replies) - 1)]
        if isinstance(item, CallError):
            raise item
        return item

    return ScriptedLM(reply)
