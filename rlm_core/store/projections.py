"""The tables `runs` and `spans` as a pure function of a run's events.

`statements(event)` is what one event does to them, but for what a run's row counts (`totals.py`). The recorder executes it in
the transaction that stores the event, and a rebuild executes it again over the stored events; both leave the same rows, after
any prefix of a run. Refuses to know connections.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from typing import Any

from rlm_core.events import (
    CallFinished,
    CallStarted,
    CellFinished,
    CellStarted,
    Event,
    FindingRecorded,
    FrameFinished,
    FrameStarted,
    QuoteChecked,
    RunFinished,
    RunStarted,
    Searched,
    TurnFinished,
    TurnStarted,
)
from rlm_core.store.rows import SpanKind

Statement = tuple[str, tuple[Any, ...]]

HEAD_CHARS = 2_000
LABEL_CHARS = 120
TEMPLATE_CHARS = 60

_START_RUN = """INSERT INTO runs (id, job, parent_run, question, corpus, strategy, options, root_model, helper_model,
    started_at, last_seq) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING"""
_FINISH_RUN = "UPDATE runs SET finished_at = ?, outcome = ?, reason = ?, answer = ? WHERE id = ?"
# The first start of a span stands. A node lies in the frame that its parent lies in, unless it is a frame.
_START_SPAN = """INSERT INTO spans (run, id, parent, seq, kind, role, model, depth, started_at, finished_at, status,
    fold_key, label)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, coalesce(?8, (SELECT depth FROM spans WHERE run = ?1 AND id = ?3)), ?9, ?10, ?11,
    ?12, ?13) ON CONFLICT (run, id) DO NOTHING"""
_FINISH_SPAN = "UPDATE spans SET finished_at = ?, status = ? WHERE run = ? AND id = ?"
_FINISH_CALL = """UPDATE spans SET finished_at = ?, status = ?, input_tokens = ?, output_tokens = ?, cost_usd = ?
    WHERE run = ? AND id = ?"""
_CHECK_FINDING = "UPDATE spans SET verdict = ? WHERE run = ? AND id = ?"


def statements(event: Event) -> list[Statement]:
    """What `event` does to `runs` and `spans`: SQL and its values, in order."""
    project = _PROJECTIONS.get(type(event.body))
    return project(event, event.body) if project is not None else []


def _run_started(event: Event, body: RunStarted) -> list[Statement]:
    task = body.task
    options = json.dumps(task.options, ensure_ascii=False, sort_keys=True)
    values = (event.run, body.job, body.parent_run, task.question[:HEAD_CHARS], task.corpus, task.strategy, options)
    return [
        (_START_RUN, (*values, task.root_model, task.helper_model, event.at, event.seq)),
        _start(event, "run", task.question),
    ]


def _run_finished(event: Event, body: RunFinished) -> list[Statement]:
    answer = body.answer.text[:HEAD_CHARS] if body.answer is not None else None
    return [
        (_FINISH_RUN, (event.at, body.outcome, body.reason[:HEAD_CHARS], answer, event.run)),
        _finish(event, body.outcome),
    ]


def _frame_started(event: Event, body: FrameStarted) -> list[Statement]:
    return [_start(event, "frame", body.question, depth=body.depth)]


def _frame_finished(event: Event, body: FrameFinished) -> list[Statement]:
    return [_finish(event, body.outcome)]


def _turn_started(event: Event, body: TurnStarted) -> list[Statement]:
    return [_start(event, "turn", f"turn {body.number}")]


def _turn_finished(event: Event, body: TurnFinished) -> list[Statement]:
    return [_finish(event, "ok")]


def _call_started(event: Event, body: CallStarted) -> list[Statement]:
    prompt = body.messages[-1].text if body.messages else ""
    key = call_fold_key(body.role, body.model, prompt)
    return [_start(event, "call", prompt, role=body.role, model=body.model, fold_key=key)]


def _call_finished(event: Event, body: CallFinished) -> list[Statement]:
    tokens_in = body.usage.input_tokens if body.usage is not None else None
    tokens_out = body.usage.output_tokens if body.usage is not None else None
    known = (tokens_in, tokens_out, body.cost_usd)
    return [(_FINISH_CALL, (event.at, body.status, *known, event.run, event.span))]


def _cell_started(event: Event, body: CellStarted) -> list[Statement]:
    return [_start(event, "cell", body.code)]


def _cell_finished(event: Event, body: CellFinished) -> list[Statement]:
    return [_finish(event, body.status)]


def _searched(event: Event, body: Searched) -> list[Statement]:
    return [_start(event, "search", body.query, finished_at=event.at, status="ok")]


def _finding_recorded(event: Event, body: FindingRecorded) -> list[Statement]:
    label = f"{body.finding.item}: {body.finding.label}"
    return [_start(event, "finding", label, finished_at=event.at, status="ok")]


def _quote_checked(event: Event, body: QuoteChecked) -> list[Statement]:
    return [(_CHECK_FINDING, (body.verdict, event.run, event.span))]


_PROJECTIONS: dict[type[Any], Callable[[Event, Any], list[Statement]]] = {
    RunStarted: _run_started,
    RunFinished: _run_finished,
    FrameStarted: _frame_started,
    FrameFinished: _frame_finished,
    TurnStarted: _turn_started,
    TurnFinished: _turn_finished,
    CallStarted: _call_started,
    CallFinished: _call_finished,
    CellStarted: _cell_started,
    CellFinished: _cell_finished,
    Searched: _searched,
    FindingRecorded: _finding_recorded,
    QuoteChecked: _quote_checked,
}


def _start(
    event: Event,
    kind: SpanKind,
    text: str,
    *,
    depth: int | None = None,
    role: str | None = None,
    model: str | None = None,
    fold_key: str | None = None,
    finished_at: float | None = None,
    status: str | None = None,
) -> Statement:
    head = (event.run, event.span, event.parent, event.seq, kind, role, model, depth)
    return _START_SPAN, (*head, event.at, finished_at, status, fold_key or kind, label(text))


def _finish(event: Event, status: str) -> Statement:
    return _FINISH_SPAN, (event.at, status, event.run, event.span)


def label(text: str) -> str:
    """The head of a text on one line, at most `LABEL_CHARS` characters."""
    words = " ".join(text[: 4 * LABEL_CHARS].split())
    return words if len(words) <= LABEL_CHARS else f"{words[: LABEL_CHARS - 1]}…"


# A quotation that is not closed within the part looked at runs to its end; an apostrophe within a word opens none.
_QUOTED = re.compile(r"""\"[^\"]*(?:\"|$)|“[^”]*(?:”|$)|`[^`]*(?:`|$)|(?<!\w)'[^']*'""")
_DIGITS = re.compile(r"\d+")


def call_fold_key(role: str, model: str, prompt: str) -> str:
    """The same for calls that ask the same thing of different data: what is quoted and all numbers are set aside."""
    template = _DIGITS.sub("0", _QUOTED.sub("''", prompt[: 10 * TEMPLATE_CHARS]))[:TEMPLATE_CHARS]
    return f"{role}:{model}:{hashlib.sha256(template.encode('utf-8')).hexdigest()[:12]}"
