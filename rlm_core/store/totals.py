"""What the row of a run counts: a pure sum over its events, kept by whoever writes them.

Sums hold only what is known (`None`, NULL in the database, where nothing is), beside a count of the calls whose cost is not:
as in `view.py`, a call counts as unknown from its start, until it ends with a cost or without having been sent. They are
written once for all events that are recorded together. Refuses to know connections.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass, fields
from typing import Any, TypeVar

from rlm_core.events import CallFinished, CallStarted, CellStarted, Event, FindingRecorded

Number = TypeVar("Number", int, float)


@dataclass(slots=True)
class Totals:
    """Columns of `runs`, in any order."""

    calls: int = 0
    failed_calls: int = 0
    cells: int = 0
    findings: int = 0
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    unknown_cost_calls: int = 0
    last_seq: int = -1

    def add(self, event: Event) -> None:
        body = event.body
        self.last_seq = event.seq
        if isinstance(body, CallStarted):
            self.calls += 1
            self.unknown_cost_calls += 1
        elif isinstance(body, CallFinished):
            self._add_end(body)
        elif isinstance(body, CellStarted):
            self.cells += 1
        elif isinstance(body, FindingRecorded):
            self.findings += 1

    def _add_end(self, body: CallFinished) -> None:
        failed = body.status != "ok"
        never_sent = failed and not body.maybe_paid
        self.failed_calls += failed
        self.unknown_cost_calls -= body.cost_usd is not None or never_sent
        if body.usage is not None:
            self.input_tokens = _sum(self.input_tokens, body.usage.input_tokens)
            self.output_tokens = _sum(self.output_tokens, body.usage.output_tokens)
        self.cost_usd = _sum(self.cost_usd, body.cost_usd)

    def statement(self, run: str) -> tuple[str, tuple[Any, ...]]:
        """The SQL, and its values, that writes them."""
        return _WRITE, (*astuple(self), run)


_COLUMNS = tuple(each.name for each in fields(Totals))
READ_TOTALS = f"SELECT {', '.join(_COLUMNS)} FROM runs WHERE id = ?"
_WRITE = f"UPDATE runs SET {', '.join(f'{name} = ?' for name in _COLUMNS)} WHERE id = ?"


def _sum(known: Number | None, more: Number | None) -> Number | None:
    """Of what is known."""
    return more if known is None else known if more is None else known + more
