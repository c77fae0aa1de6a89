"""Runs written event by event with what each node was shown, for tests of readings that need both."""

from __future__ import annotations

from event_streams import Step, stamped

from rlm_core import events as ev
from rlm_core.evidence.coverage import Coverage, How, Read
from rlm_core.task import Finding, Message, Task, Verdict
from rlm_core.view import RunView, fold

CHARS = 10_000
PATHS = ("a.txt", "b.txt")
NUMBERS = {path: number for number, path in enumerate(PATHS)}
PLACES = {"reported": (0, 100, 180), "repaired": (0, 5_000, 5_080), "again": (1, 300, 380)}
"""Three entries of room A12."""


class Written:
    def __init__(self) -> None:
        self.steps: list[Step] = [("run", None, ev.RunStarted(Task("?", "c")))]
        self.reads: list[Read] = []
        self.frame("f1", "run")

    def frame(self, span: str, parent: str) -> None:
        self.steps.append((span, parent, ev.FrameStarted(0, "rlm", "?")))

    def turn(self, number: int, frame: str = "f1", *entries: str) -> None:
        """The frame's model replies, and a cell begins. `entries` are in its prompt."""
        turn = f"{frame}.t{number}"
        self.steps.append((turn, frame, ev.TurnStarted(number)))
        self.call(f"{turn}.k1", turn, *entries, role="root")
        self.steps.append((f"{turn}.c1", turn, ev.CellStarted("...")))

    def printed(self, cell: str, *entries: str, output: str = "") -> None:
        """The cell ends."""
        self.steps.append((cell, cell.rpartition(".")[0], ev.CellFinished("ok", output, len(output))))
        self._read(cell, "printed", entries)

    def call(self, span: str, parent: str, *entries: str, role: ev.CallRole = "sub", text: str = "?") -> None:
        self.steps.append((span, parent, ev.CallStarted(role, "m", (Message("user", text),))))
        self.steps.append((span, parent, ev.CallFinished("ok", "yes")))
        self._read(span, "sent", entries)

    def finding(
        self,
        span: str,
        entry: str,
        label: str = "yes",
        item: str = "A12",
        verdict: Verdict = "exact",
        quote: str | None = None,
    ) -> None:
        parent = span.rpartition(".")[0]
        document, start, end = PLACES[entry]
        self.steps.append((span, parent, ev.FindingRecorded(Finding(item, label, quote or f"It was {entry}."))))
        self.steps.append((span, parent, ev.QuoteChecked(verdict, PATHS[document], start, end, 1)))

    def shown(self, span: str, entry: str, how: How = "sent", part: float = 1.0, ambiguous: bool = False) -> None:
        """More that a node was shown: the beginning of an entry, or what may be it."""
        document, start, end = PLACES[entry]
        self.reads.append(Read(span, document, start, start + round(part * (end - start)), how, ambiguous))

    def _read(self, span: str, how: How, entries: tuple[str, ...]) -> None:
        for entry in entries:
            document, start, end = PLACES[entry]
            self.reads.append(Read(span, document, start - 50, end + 50, how))

    @property
    def view(self) -> RunView:
        return fold(stamped(self.steps))

    @property
    def coverage(self) -> Coverage:
        return Coverage((CHARS, CHARS), self.reads)
