"""What is read from the store's tables, as frozen values, and how a row becomes one.

Shared by `Store` and `Recorder`, which query in different ways. `None` is unknown, never zero.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from rlm_core.task import Json, Origin, Outcome, Task, Verdict

JobState = Literal["queued", "running", "finished"]
CommandKind = Literal["cancel", "approve", "refuse"]
SpanKind = Literal["run", "frame", "turn", "call", "cell", "search", "finding"]

Row = Mapping[str, Any]

JOBS = "SELECT id, created_at, task, title, state, origin FROM jobs LEFT JOIN run_titles ON run_titles.run = jobs.id"
JOB = f"{JOBS} WHERE id = ?"
COMMANDS = "SELECT id, run, kind, payload, at FROM commands WHERE run = ? AND id > ? ORDER BY id"


@dataclass(frozen=True, slots=True)
class Job:
    """A task given to the workers. The id of its first run is its own; later lives are `<id>.2`, `<id>.3`, ..."""

    id: str
    created_at: float
    task: Task
    state: JobState
    title: str | None = None
    """That of its first run."""
    origin: Origin | None = None
    """The run that its first run goes on from, if it does."""


@dataclass(frozen=True, slots=True)
class Command:
    """What a door asks of a run. Ids grow."""

    id: int
    run: str
    kind: CommandKind
    payload: Json
    at: float


@dataclass(frozen=True, slots=True)
class CorpusRow:
    id: str
    name: str
    added_at: float
    folder_bytes: int | None
    report: Json
    documents: int
    chars: int


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run at a glance. Tokens and cost are sums over what is known, `None` where nothing is."""

    id: str
    job: str | None
    parent_run: str | None
    question: str
    """Its first 2,000 characters, as of `answer` and `reason`."""
    corpus: str
    strategy: str
    options: Json
    root_model: str
    helper_model: str
    started_at: float
    finished_at: float | None
    outcome: Outcome | None
    """`None` while the run is unfinished."""
    reason: str | None
    answer: str | None
    calls: int
    failed_calls: int
    cells: int
    findings: int
    input_tokens: int | None
    output_tokens: int | None
    cost_usd: float | None
    unknown_cost_calls: int
    """Calls that may be charged for and whose cost is not known, or not yet."""
    last_seq: int


@dataclass(frozen=True, slots=True)
class SpanRow:
    """One node of a run, without its texts. Tokens and cost are the node's own, so only calls have them."""

    id: str
    parent: str | None
    seq: int
    """Of the event that began it."""
    kind: SpanKind
    role: str | None
    model: str | None
    depth: int | None
    """Of the frame that it is or lies in."""
    started_at: float
    finished_at: float | None
    status: str | None
    """How it ended: outcome of a run or frame, status of a call or cell, else `ok`. `None` while it has not."""
    verdict: Verdict | None
    """Of a finding, once its quote was looked for."""
    input_tokens: int | None
    output_tokens: int | None
    cost_usd: float | None
    fold_key: str
    """Nodes with the same key are alike."""
    label: str


SPANS = f"SELECT {', '.join(each.name for each in fields(SpanRow))} FROM spans WHERE run = ? ORDER BY seq"
"""Ten thousand rows at a time: a row is unpacked into `SpanRow` as it is."""


def job_of(row: Row) -> Job:
    origin = Origin.from_dict(json.loads(row["origin"])) if row["origin"] else None
    return Job(
        row["id"], row["created_at"], Task.from_dict(json.loads(row["task"])), row["state"], row["title"], origin
    )


def command_of(row: Row) -> Command:
    return Command(row["id"], row["run"], row["kind"], json.loads(row["payload"]), row["at"])


def corpus_of(row: Row) -> CorpusRow:
    return CorpusRow(**{**row, "report": json.loads(row["report"])})


def run_of(row: Row) -> RunRow:
    return RunRow(**{**row, "options": json.loads(row["options"])})
