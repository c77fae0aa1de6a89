"""What there is to say of one node of a run, by its kind: frozen shapes, made by `node_facts.py`.

Long texts stay passages, to be loaded by who shows them. It refuses to know where the facts are from, and how they look.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rlm_core import events as ev
from rlm_core.errors import Retry
from rlm_core.looks.sheet import FindingRow
from rlm_core.passages import NOTHING, Passage
from rlm_core.task import Json, Usage
from rlm_core.view import Totals


@dataclass(frozen=True, slots=True)
class Said:
    """One message of a prompt."""

    role: str
    text: Passage


@dataclass(frozen=True, slots=True)
class CellRef:
    """A cell that something lies in: its number as people count, and what it is."""

    span: str
    number: int
    code: Passage = NOTHING
    error: Passage = NOTHING


@dataclass(frozen=True, slots=True)
class FindingFacts(FindingRow):
    """A finding, the cell that recorded it, and the call whose reply holds its quote."""

    span: str = ""
    cell: CellRef | None = None
    call: str | None = None
    stands: bool = True
    """False: recorded again later with another label, which stands instead."""


@dataclass(frozen=True, slots=True)
class CallFacts:
    """One model request. `number` of `of` counts the calls of what it lies in."""

    span: str
    role: str
    model: str
    status: str
    messages: tuple[Said, ...]
    """The whole prompt as it was sent; the last `added` of them were new in this call."""
    added: int
    reply: Passage
    error: Passage
    error_kind: str | None
    started_at: float
    elapsed_s: float | None
    attempts: int | None
    maybe_paid: bool
    finish_reason: str | None
    usage: Usage | None
    cost_usd: float | None
    cost_source: str | None
    params: Json
    number: int
    of: int
    cell: CellRef | None
    findings: tuple[FindingFacts, ...] = ()
    """Those that were decided by its reply."""
    replayed: ev.Replayed | None = None
    """It was not made here: the run that made it, and what it took there."""
    retries: tuple[Retry, ...] = ()
    """The attempts before the last, where it is recorded what became of them."""
    in_child: bool = False
    """It lies in a child frame: so it is of that frame's model, and not of the root model."""


@dataclass(frozen=True, slots=True)
class TurnFacts:
    span: str
    number: int
    of: int
    status: str
    call: CallFacts | None
    cells: tuple[CellRef, ...]
    refused: Passage
    started_at: float
    elapsed_s: float | None
    totals: Totals
    """Of the turn and everything in it."""
    in_child: bool = False


@dataclass(frozen=True, slots=True)
class CellFacts:
    span: str
    number: int
    turn: str | None
    turn_number: int | None
    status: str
    code: Passage
    output: Passage
    output_chars: int
    error: Passage
    variables: tuple[Json, ...]
    replaced: int
    started_at: float
    elapsed_s: float | None
    calls: int
    failed_calls: int
    running_calls: int
    frames: int
    totals: Totals
    findings: tuple[FindingFacts, ...]
    replayed: ev.Replayed | None = None
    """Of the reply that it stands in: that was not given in this run, and the cell was run again for what it leaves behind; or
    a person has written it."""
    parted: ev.ReplayDiverged | None = None
    """It did something else than in the run before."""
    refused_calls: int = 0
    """That a limit, or a person, refused: they were never made."""
    in_child: bool = False


@dataclass(frozen=True, slots=True)
class FrameFacts:
    """A child frame."""

    span: str
    depth: int
    strategy: str
    question: Passage
    context: Json
    status: str
    reason: Passage
    started_at: float
    elapsed_s: float | None
    turns: int
    totals: Totals
    cell: CellRef | None
    options: Json = field(default_factory=dict)
    answer: Passage = NOTHING
    """What its parent's cell was given."""
    how: str = ""


@dataclass(frozen=True, slots=True)
class SearchFacts:
    span: str
    query: Passage
    hits: tuple[Json, ...]
    cell: CellRef | None


@dataclass(frozen=True, slots=True)
class AnswerFacts:
    text: Passage
    how: str
    reason: str
    outcome: str


@dataclass(frozen=True, slots=True)
class RunFacts:
    """The run as a whole: how many there are of each kind, and what it ran with."""

    turns: int
    turns_with_code: int
    """Of the root model."""
    child_turns: int
    cells: int
    failed_cells: int
    sub_calls: int
    failed_calls: int
    frames: int
    refused_calls: int
    failed_frames: int
    searches: int
    findings: int
    has_answer: bool
    how: str
    context: Json
    versions: Json
    parent_run: str | None
    error_kind: str | None
    remarks: tuple[ev.Body, ...]


@dataclass(frozen=True, slots=True)
class Member:
    """One member of a group. `number` counts those of its kind beside it, `asked` is what its prompt or question says,
    `reply` what came of it."""

    span: str
    name: str
    status: str
    totals: Totals
    elapsed_s: float | None
    asked: Passage
    number: int = 0
    reply: Passage = NOTHING
    error: Passage = NOTHING
    error_kind: str | None = None

    @property
    def cost_usd(self) -> float | None:
        """`None` where it is unknown, or known of a part only."""
        return None if self.totals.calls_without_cost else self.totals.cost_usd


Facts = RunFacts | FrameFacts | TurnFacts | CellFacts | CallFacts | SearchFacts | AnswerFacts | FindingFacts
