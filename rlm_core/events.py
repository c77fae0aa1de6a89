"""Everything that can happen in a run, as typed facts.

A run is an append-only list of events, and its state is a fold over that list (`view.py`). Live view, replay, compare,
export, import and tests all read this list and nothing else. Events hold facts only: never a total, never a status that
can be computed. Every Started has a Finished with the same span, or the run says why not.

An event is a head and a body. The span names the thing it happened to, the parent the thing it happened in:

    run                          the run                             f1                  its root frame
    f1.t2                        the frame's second turn             f1.t2.k1            the call that wrote that turn
    f1.t2.c1                     its first cell                      f1.t2.c1.k7         the cell's seventh call of a helper
    f1.t2.c1.f1                  a child frame made by the cell      f1.t2.c1.r3         the third finding it recorded
    f1.k1                        a call outside any turn: the last word of a model that is out of turns

Numbers may have gaps: a call that a limit refused was never started. What befell a whole frame (a limit, a note) has the
frame's span and no parent.

This module knows names and shapes. It refuses to know their way to JSON and back (`event_json.py`), storage (`store/`),
meaning (`view.py`) and screens.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from rlm_core.errors import Retry
from rlm_core.task import Answer, Finding, Json, Message, Origin, Outcome, Task, Usage, Verdict

SCHEMA = 1
"""Version of the event schema, written into every `RunStarted`."""

RUN_SPAN = "run"
CallRole = Literal["root", "sub", "compact", "judge"]
Status = Literal["ok", "failed", "timeout", "killed", "cancelled", "interrupted"]
"""How a call or a cell ended. `timeout`: interrupted at its time limit, state kept. `killed`: the sandbox had to die."""


@dataclass(frozen=True, slots=True)
class RunStarted:
    """One process life of a job began."""

    task: Task
    schema: int = SCHEMA
    job: str | None = None
    parent_run: str | None = None
    """The run that this one goes on from."""
    origin: Origin | None = None
    """How: from where it broke off, or from a turn on with something changed."""
    versions: Json = field(default_factory=dict)
    """Name to version of what produced the run: `rlm-studio`, `python`, or the tool a log was imported from."""


@dataclass(frozen=True, slots=True)
class RunFinished:
    """The run ended, and this is how. `reason` is one sentence for a person."""

    outcome: Outcome
    answer: Answer | None = None
    reason: str = ""
    error_kind: str | None = None


@dataclass(frozen=True, slots=True)
class FrameStarted:
    """One level of recursion began: a model with a question and a context of its own."""

    depth: int
    """Level of nesting: 0 for the root frame, 1 for its children, and so on. Not the option `depth` of a strategy, which says
    what helpers there are."""
    strategy: str
    question: str
    context: Json = field(default_factory=dict)
    """What the frame's context is: `kind` (`text` or `documents`), `chars`, `documents`."""
    options: Json = field(default_factory=dict)
    """Options of the strategy as they are in force here: a child's `depth` is its parent's less one."""
    key: str | None = None
    """Of a child: hash of its question and context, by which a later life finds it again."""


@dataclass(frozen=True, slots=True)
class FrameFinished:
    """The frame handed over an answer, or this is why not."""

    outcome: Outcome
    reason: str = ""
    answer: Answer | None = None
    """Of a child frame, what its parent's cell was given; the root frame's is in `RunFinished`."""


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """A frame's model is asked for its next move."""

    number: int


@dataclass(frozen=True, slots=True)
class TurnFinished:
    """The turn is over: its reply was read and its cells were run, as far as they came."""

    refused: str | None = None
    """Why an answer in this turn was sent back to the model, if it was."""


@dataclass(frozen=True, slots=True)
class CallStarted:
    """One model request. `continues` names an earlier call of the frame: then the prompt is that call's prompt, its reply,
    and `messages`; so a conversation that grows each turn is stored once."""

    role: CallRole
    model: str
    messages: tuple[Message, ...]
    continues: str | None = None
    params: Json = field(default_factory=dict)
    batch: int | None = None
    """Size of the batch that the call belongs to, and its place in it."""
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Replayed:
    """Of a call that was not made again: the run that made it, and what it took there."""

    run: str
    usage: Usage | None = None
    cost_usd: float | None = None
    edited: bool = False
    """A person has written another reply in its place."""


@dataclass(frozen=True, slots=True)
class CallFinished:
    """The reply, or why there is none. `usage` and `cost_usd` are `None` where they are unknown, and nothing where the reply
    was replayed: what it took elsewhere is in `replayed`."""

    status: Status
    text: str | None = None
    usage: Usage | None = None
    cost_usd: float | None = None
    cost_source: str | None = None
    """Where the price is from: `prices 2026-11-20`, `provider`, `free` (nothing is charged), `journal` (it was paid before), or
    `None`."""
    error: str | None = None
    error_kind: str | None = None
    attempts: int = 1
    maybe_paid: bool = False
    finish_reason: str | None = None
    replayed: Replayed | None = None
    retries: tuple[Retry, ...] = ()
    """Of `attempts`, those that were made before the last one, where the client tells them."""


@dataclass(frozen=True, slots=True)
class CellStarted:
    """A block of code begins to run in the frame's Python session."""

    code: str


@dataclass(frozen=True, slots=True)
class CellFinished:
    """What a cell printed and left behind."""

    status: Status
    output: str = ""
    """Standard output, errors and the echo of the last expression, as captured: whole up to a cap, else head and tail."""
    output_chars: int = 0
    """True length of the output in characters."""
    error: str | None = None
    """The traceback with the cell's own line numbers, or what the host did to the cell."""
    variables: tuple[Json, ...] = ()
    """Variables that are new or changed: `name`, `type`, `size`, `preview`, `change` (`new` or `changed`)."""
    replaced: int = 0
    """Lone surrogates that became U+FFFD on the way out of the sandbox."""


@dataclass(frozen=True, slots=True)
class Searched:
    """A retriever was asked: one event with a span of its own, and no end."""

    query: str
    hits: tuple[Json, ...] = ()


@dataclass(frozen=True, slots=True)
class FindingRecorded:
    """The code recorded one decided item."""

    finding: Finding


@dataclass(frozen=True, slots=True)
class QuoteChecked:
    """Where a finding's quote was found: the event's span is the finding's. Offsets are characters of the document."""

    verdict: Verdict
    document: str | None = None
    start: int | None = None
    end: int | None = None
    line: int | None = None
    """Line of `start`, from 1."""
    score: float | None = None
    """Of a quote that is `fuzzy` or in `conflict`: how like the place is, from 0 to 1."""
    places: int | None = None
    """How many places of the document it stands in, where they were counted."""


@dataclass(frozen=True, slots=True)
class HistoryCompacted:
    """A conversation was shortened: so many messages gave way to a summary."""

    dropped_messages: int
    summary: str


@dataclass(frozen=True, slots=True)
class ApprovalAsked:
    """The run waits for a person before it sends a large batch."""

    calls: int
    estimated_usd: float | None = None


@dataclass(frozen=True, slots=True)
class ApprovalGiven:
    """A person answered."""

    granted: bool


@dataclass(frozen=True, slots=True)
class LimitReached:
    """A limit was hit in this frame: `limit` names the field of `Limits`."""

    limit: str
    used: float
    allowed: float


@dataclass(frozen=True, slots=True)
class BudgetShown:
    """A cell asked what is left: the span is the cell's, and `left` what it was told."""

    left: Json


@dataclass(frozen=True, slots=True)
class ReplayDiverged:
    """A replayed cell did not do what it did before: the span is the cell's."""

    expected: str
    """What it printed in the run before, from where they part."""
    got: str


NOT_RECORDED = "not recorded"
"""Topic of the note that says what the log of another tool leaves out, and what is said in the place of that."""
CALLS_REFUSED = "calls refused"
"""Topic of the note on a cell some of whose calls a limit, or a person, refused; its data says how many: `refused`, `asked`."""


@dataclass(frozen=True, slots=True)
class Noted:
    """Something worth saying that has no shape of its own: a cut context, a repaired reply."""

    topic: str
    text: str
    data: Json = field(default_factory=dict)


Body = (
    RunStarted
    | RunFinished
    | FrameStarted
    | FrameFinished
    | TurnStarted
    | TurnFinished
    | CallStarted
    | CallFinished
    | CellStarted
    | CellFinished
    | Searched
    | FindingRecorded
    | QuoteChecked
    | HistoryCompacted
    | ApprovalAsked
    | ApprovalGiven
    | LimitReached
    | BudgetShown
    | ReplayDiverged
    | Noted
)

BODIES: dict[str, type[Any]] = {body.__name__: body for body in get_args(Body)}
"""Every kind of event by its name; the name is the `kind` in storage and exports."""


@dataclass(frozen=True, slots=True)
class Event:
    """One fact of one run. `seq` counts from 0 without gaps; `at` is Unix time in seconds."""

    run: str
    seq: int
    at: float
    span: str
    parent: str | None
    body: Body

    @property
    def kind(self) -> str:
        return type(self.body).__name__
