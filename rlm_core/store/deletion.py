"""Removing runs for good: events, projections, commands, title, tags, notes and choices, and every text that nothing
refers to any more. And taking corpora off the list, unless a run needs them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from sqlite3 import Connection

from rlm_core.errors import StoreError
from rlm_core.store.blobs import Blobs
from rlm_core.store.choices import remove_choices
from rlm_core.store.connection import transaction
from rlm_core.store.disk_use import give_back
from rlm_core.store.locks import RunLock
from rlm_core.store.readings import remove_readings
from rlm_core.store.right_answers import remove_lost_answers


def delete_runs(home: Path, connection: Connection, runs: Sequence[str]) -> None:
    """Delete all of `runs` or, if one cannot be, none; and the job of each if that has ended and no other run of it is left.

    Raises `StoreError` if there is no such run or job, or while a process is writing one of the runs.
    """
    with ExitStack() as locks:
        for run in dict.fromkeys(runs):
            lock = RunLock(home, run)
            locks.callback(lock.release, remove=True)
        with transaction(connection):
            for run in dict.fromkeys(runs):
                _delete_rows(connection, run)
            remove_lost_answers(connection)
        collect_texts(connection, Blobs(home / "blobs"))
        give_back(connection)


def delete_corpus(home: Path, connection: Connection, corpus: str) -> None:
    """Take a corpus off the list. Raises `StoreError` if it is not on it, or while a run of it waits or goes on."""
    with transaction(connection):
        if run := _run_in_need_of(home, connection, corpus):
            raise StoreError(
                f"The archive {corpus} cannot be deleted while the run {run} needs it. Wait until the run ends, or cancel it."
            )
        if not connection.execute("DELETE FROM corpora WHERE id = ?", (corpus,)).rowcount:
            raise StoreError(f"There is no archive {corpus} to delete. It may have been deleted already.")
        remove_lost_answers(connection)


def _run_in_need_of(home: Path, connection: Connection, corpus: str) -> str | None:
    """A job counts while it has not ended; a run that belongs to none, or was broken off, while a process is writing it."""
    jobs = "SELECT id FROM jobs WHERE state != 'finished' AND json_extract(task, '$.corpus') = ?"
    for (job,) in connection.execute(jobs, (corpus,)):
        return str(job)
    for (run,) in connection.execute("SELECT id FROM runs WHERE outcome IS NULL AND corpus = ?", (corpus,)).fetchall():
        try:
            RunLock(home, run).release()
        except StoreError:
            return str(run)
    return None


def collect_texts(connection: Connection, blobs: Blobs) -> None:
    """Drop the texts that no run refers to. Files go while the write lock is held: a recorder that is about to refer to one
    looks again, and writes it again, once it has the lock."""
    with transaction(connection):
        connection.execute(
            "DELETE FROM texts WHERE NOT EXISTS (SELECT 1 FROM text_refs WHERE text_refs.sha = texts.sha)"
        )
        in_files = {sha for (sha,) in connection.execute("SELECT sha FROM texts WHERE text IS NULL")}
        blobs.keep_only(in_files)


def _delete_rows(connection: Connection, run: str) -> None:
    jobs = {
        run,
        *(job for (job,) in connection.execute("SELECT job FROM runs WHERE id = ? AND job IS NOT NULL", (run,))),
    }
    deleted = 0
    for statement in (
        "DELETE FROM events WHERE run = ?",
        "DELETE FROM text_refs WHERE run = ?",
        "DELETE FROM spans WHERE run = ?",
        "DELETE FROM runs WHERE id = ?",
        "DELETE FROM commands WHERE run = ?",
    ):
        deleted += connection.execute(statement, (run,)).rowcount
    remove_readings(connection, run)
    remove_choices(connection, run)
    for job in jobs:
        deleted += connection.execute(
            """DELETE FROM jobs WHERE id = ?1 AND state = 'finished'
            AND NOT EXISTS (SELECT 1 FROM runs WHERE job = ?1 OR id = ?1)""",
            (job,),
        ).rowcount
    connection.execute("DELETE FROM run_titles WHERE run = ?", (run,))
    connection.execute("DELETE FROM run_tags WHERE run = ?", (run,))
    connection.execute("DELETE FROM node_notes WHERE run = ?", (run,))
    connection.execute("DELETE FROM stories WHERE run = ?", (run,))
    if not deleted:
        raise StoreError(f"There is no run {run} to delete. It may have been deleted already.")
