"""All runs as a matrix of questions by strategies, what people say is right, and the matrix as files."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

import streamlit as st

from app.backend.archives import nameless
from app.backend.folder import current_store
from app.backend.questions import with_defaults
from rlm_core.errors import StoreError
from rlm_core.events import RUN_SPAN, RunFinished
from rlm_core.exporters import matrix_table
from rlm_core.lineage import independent
from rlm_core.looks.run_words import is_recorded
from rlm_core.matrix import Key, LightRun, Matrix, Row, matrix
from rlm_core.notes import Judged, Note
from rlm_core.right_answers import read_answers, right_answer
from rlm_core.scoring import Match, RightAnswer
from rlm_core.store.rows import Job, RunRow

LAID_OUT_RUNS = 5_000
"""The newest; of older ones the matrix knows nothing."""
HEAD_CHARS = 2_000
"""What the row of a run holds of its answer."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What became of a file of right answers."""

    kept: int
    refused: tuple[str, ...]
    """Why rows were not kept, one sentence each."""


def laid_out(most: int = LAID_OUT_RUNS) -> Matrix:
    """Every question that is known, by every strategy: the newest `most` runs, as far as they are independent ones of their task,
    and those that have not begun."""
    store, now = current_store(), time.time()
    names, judged = store.corpus_names(), store.right_answers.judgements()
    jobs = {job.id: job for job in store.jobs()}
    rows = store.runs(most)
    begun = {row.job or row.id for row in rows}
    waiting = [job for job in jobs.values() if job.state != "finished" and job.id not in begun]
    counted = independent([*(row.id for row in rows), *(job.id for job in waiting)], store.origins())
    runs = [
        *(
            _of_row(row, jobs.get(row.job or row.id), names.get(row.corpus), judged.get(row.id), now)
            for row in rows
            if row.id in counted
        ),
        *(_of_job(job, names.get(job.task.corpus)) for job in waiting if job.id in counted),
    ]
    rights: dict[Key, RightAnswer] = {
        (corpus, question): RightAnswer(answer, cast(Match, match))
        for corpus, question, answer, match in store.right_answers.all()
    }
    found = matrix((run for run in runs if is_recorded(run.question)), rights, _whole_answer)
    return replace(found, newest=most if len(rows) == most else None)


def _of_row(row: RunRow, job: Job | None, archive: str | None, judged: str | None, now: float) -> LightRun:
    return LightRun(
        row.id,
        row.question,
        row.corpus,
        archive or nameless(row.corpus),
        row.strategy,
        with_defaults(row.strategy, row.options),
        row.root_model,
        row.helper_model,
        row.outcome or "running",
        row.answer,
        job.created_at if job else row.started_at,
        (row.finished_at or now) - row.started_at,
        row.cost_usd,
        row.unknown_cost_calls,
        row.calls,
        judged,
    )


def _of_job(job: Job, archive: str | None) -> LightRun:
    task = job.task
    return LightRun(
        job.id,
        task.question,
        task.corpus,
        archive or nameless(task.corpus),
        task.strategy,
        with_defaults(task.strategy, task.options),
        task.root_model,
        task.helper_model,
        job.state,
        None,
        job.created_at,
    )


def _whole_answer(run: LightRun) -> str | None:
    if run.answer is None or len(run.answer) < HEAD_CHARS:
        return run.answer
    return _read_answer(run.id) or run.answer


@st.cache_data(max_entries=500, show_spinner=False)
def _read_answer(run: str) -> str | None:
    """The answer of a run that has ended, from its last event."""
    store = current_store()
    row = store.run(run)
    last = store.events(run, row.last_seq - 1) if row else []
    body = last[-1].body if last else None
    return body.answer.text if isinstance(body, RunFinished) and body.answer else None


# ---------------------------------------------------------------------- what is right


def give_answers(text: str, archive: str = "") -> Kept:
    """Keep the right answers of a file. A row that names no archive is of `archive`, the id of one that was asked, and without
    one of every archive of which its question was asked. Raises `Problem` where the data folder fails."""
    given, store, found = read_answers(text), current_store(), laid_out()
    names = store.corpus_names()
    asked: dict[str, list[str]] = {}
    for row in found.rows:
        asked.setdefault(row.key[1], []).append(row.corpus)
    rows, refused = [], list(given.refused)
    for each in given.rows:
        if each.archive:
            corpora = [id for id, name in names.items() if each.archive in (id, name)]
        else:
            corpora = [archive] if archive in found.archives else asked.get(each.question, [])
        if not corpora:
            why = f"there is no archive {each.archive!r} here" if each.archive else "it was asked of no archive"
            refused.append(f"“{each.question[:80]}”: {why}.")
        rows += [(corpus, each.question, each.right.answer, each.right.match) for corpus in corpora]
    store.right_answers.keep(rows)
    return Kept(len(rows), tuple(refused))


def set_right(row: Row, answer: str, match: str) -> None:
    """Say what the answer to the question of a row is; an empty one takes away what was said.

    Raises `Problem` for what cannot be matched so.
    """
    corpus, question = row.key
    if not answer.strip():
        current_store().right_answers.forget(corpus, question)
        return
    try:
        right = right_answer(answer, match)
    except ValueError as error:
        raise StoreError(f"This right answer is not kept: {error}") from error
    current_store().right_answers.keep([(corpus, question, right.answer, right.match)])


def judge(run: str, judged: str | None) -> None:
    """Say of a run that it is `right` or `wrong`, or take that back. What else is noted on it stays."""
    store = current_store()
    before = store.notes(run).get(RUN_SPAN, Note())
    store.set_note(run, RUN_SPAN, Note(before.label, before.text, cast(Judged | None, judged)))


# ---------------------------------------------------------------------- files


def matrix_as_csv(found: Matrix) -> str:
    return matrix_table.to_csv(found)


def matrix_as_html(found: Matrix, rows: Sequence[Row], told: str) -> str:
    return matrix_table.to_html(found, rows, told)
