"""A run's only writer: stamps its events and commits each, with what it does to the projections, before going on.

Runs in the run process, on the standard library alone: sqlite-utils would cost more time to import than a small run takes.
Refuses to know what events mean. Open it after the last fork of its process.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from sqlite3 import Connection, Row
from types import TracebackType
from typing import Any, Self

from rlm_core.errors import StoreError
from rlm_core.events import Body, Event, RunFinished
from rlm_core.store import rows
from rlm_core.store.blobs import Blobs
from rlm_core.store.connection import (
    DATABASE,
    SCHEMA_VERSION,
    Durability,
    check_version,
    connect,
    plain_words,
    transaction,
)
from rlm_core.store.locks import RunLock
from rlm_core.store.payload import Packed, pack, unpack
from rlm_core.store.projections import statements
from rlm_core.store.totals import READ_TOTALS, Totals

TEXT_FILE_CHARS = 1_000_000
"""A text above this lies in a file, not in the database."""

OpenSpan = tuple[str, str | None, rows.SpanKind, int | None]
"""Span, parent, kind, depth."""


class Recorder:
    """Use `Recorder.open`. All methods may be called from any thread."""

    def __init__(self, home: Path, run: str, lock: RunLock, connection: Connection) -> None:
        self.home = home
        self.run = run
        self._blobs = Blobs(home / "blobs")
        self._run_lock = lock
        self._connection = connection
        self._one_at_a_time = threading.Lock()
        self._closed = False
        self._next_seq = 0
        self._last_at = 0.0
        self._ended = False
        self._totals = Totals()
        self._continue()

    @classmethod
    def open(cls, home: Path, run: str, durability: Durability = "normal") -> Recorder:
        """Become the writer of `run`, new or begun. Raises `StoreError` if another process is, or without a store."""
        if not (home / DATABASE).is_file():
            raise StoreError(f"There is no database in {home} yet. Start RLM Studio with this data folder once.")
        with plain_words(home):
            lock = RunLock(home, run)
            try:
                return cls(home, run, lock, _connect(home, durability))
            except BaseException:
                lock.release()
                raise

    def emit(self, span: str, parent: str | None, body: Body) -> Event:
        """Record a fact. When this returns, it is committed; when it raises `StoreError`, nothing of it is."""
        return self.emit_all([(span, parent, body)])[0]

    def emit_all(self, facts: Sequence[tuple[str, str | None, Body]]) -> list[Event]:
        """Record facts (span, parent, body) in their order, in one transaction: all of them, or none."""
        packed = [pack(body) for _, _, body in facts]
        with plain_words(self.home):
            for each in packed:
                self._write_files(each)
            with self._one_at_a_time:
                self._refuse_if_closed()
                if self._ended:
                    raise StoreError(f"The run {self.run} has ended; nothing more can be recorded of it.")
                at = max(time.time(), self._last_at)
                events = [
                    Event(self.run, self._next_seq + number, at, span, parent, each.body)
                    for number, ((span, parent, _), each) in enumerate(zip(facts, packed, strict=True))
                ]
                before = replace(self._totals)
                try:
                    with transaction(self._connection):
                        self._write_all(zip(events, packed, strict=True))
                except BaseException:
                    self._totals = before
                    self._continue()
                    raise
                self._next_seq += len(events)
                self._last_at = at
                self._ended = any(isinstance(event.body, RunFinished) for event in events)
                return events

    def copy(self, events: Iterable[Event]) -> None:
        """Take over a finished run from elsewhere, as it is, in one transaction. Raises `StoreError` if this run has begun."""
        with plain_words(self.home), self._one_at_a_time:
            self._refuse_if_closed()
            if self._next_seq:
                raise StoreError(f"The run {self.run} is there already. Delete it first to read it again.")
            try:
                with transaction(self._connection):
                    packed = ((event, pack(event.body)) for event in events)
                    self._write_all((replace(event, run=self.run, body=each.body), each) for event, each in packed)
            finally:
                self._continue()

    def load_job(self, job: str) -> rows.Job | None:
        found = self._query(rows.JOB, (job,))
        return rows.job_of(found[0]) if found else None

    def commands(self, after: int = 0) -> list[rows.Command]:
        """What the doors ask of this run, from the command after number `after` on."""
        return [rows.command_of(row) for row in self._query(rows.COMMANDS, (self.run, after))]

    def events_of(self, run: str) -> list[Event]:
        """All events of a run, with their texts: this one's or an earlier life's."""
        found = self._query("SELECT seq, at, span, parent, kind, body FROM events WHERE run = ? ORDER BY seq", (run,))
        return [
            Event(run, row["seq"], row["at"], row["span"], row["parent"], unpack(row["kind"], row["body"], self._text))
            for row in found
        ]

    def _text(self, sha: str) -> str:
        found = self._query("SELECT text FROM texts WHERE sha = ?", (sha,))
        if not found:
            raise StoreError(f"There is no text {sha} in the store. The run it belongs to may have been deleted.")
        inline: str | None = found[0]["text"]
        return inline if inline is not None else self._blobs.text(sha)

    @property
    def begun(self) -> bool:
        """Whether the run has any event."""
        return self._next_seq > 0

    @property
    def finished(self) -> bool:
        """Whether the run has said how it ended."""
        return self._ended

    def open_spans(self) -> list[OpenSpan]:
        """What has started and not finished, innermost first: what to close after an interruption."""
        found = self._query(
            "SELECT id, parent, kind, depth FROM spans WHERE run = ? AND finished_at IS NULL ORDER BY seq DESC",
            (self.run,),
        )
        return [(row["id"], row["parent"], row["kind"], row["depth"]) for row in found]

    def close(self) -> None:
        """Give up the run; may be called again."""
        with self._one_at_a_time, plain_words(self.home):
            if not self._closed:
                self._closed = True
                self._connection.close()
                self._run_lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def _write_all(self, events: Iterable[tuple[Event, Packed]]) -> None:
        """Within a transaction of the caller, who calls `_continue` if it fails."""
        for event, packed in events:
            self._write(event, packed)
            self._totals.add(event)
        self._connection.execute(*self._totals.statement(self.run))

    def _write(self, event: Event, packed: Packed) -> None:
        execute = self._connection.execute
        execute(
            "INSERT INTO events (run, seq, at, span, parent, kind, body) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (event.run, event.seq, event.at, event.span, event.parent, event.kind, packed.raw),
        )
        # Again, under the write lock: a run that held the same text may have been deleted, its file with it.
        self._write_files(packed)
        for sha, text in packed.texts.items():
            inline = text if len(text) <= TEXT_FILE_CHARS else None
            execute("INSERT INTO texts (sha, text) VALUES (?, ?) ON CONFLICT DO NOTHING", (sha, inline))
            execute("INSERT INTO text_refs (run, sha) VALUES (?, ?) ON CONFLICT DO NOTHING", (event.run, sha))
        for sql, values in statements(event):
            execute(sql, values)

    def _write_files(self, packed: Packed) -> None:
        for sha, text in packed.texts.items():
            if len(text) > TEXT_FILE_CHARS:
                self._blobs.put(sha, text)

    def _continue(self) -> None:
        """Go on after the last event that is stored, whatever this object believed."""
        last = self._connection.execute(
            "SELECT seq, at FROM events WHERE run = ? ORDER BY seq DESC LIMIT 1", (self.run,)
        ).fetchone()
        ended = "SELECT 1 FROM events WHERE run = ? AND kind = 'RunFinished' LIMIT 1"
        self._ended = self._connection.execute(ended, (self.run,)).fetchone() is not None
        self._next_seq = last[0] + 1 if last else 0
        self._last_at = last[1] if last else 0.0
        totals = self._connection.execute(READ_TOTALS, (self.run,)).fetchone()
        self._totals = Totals(*totals) if totals else Totals()

    def _query(self, sql: str, values: tuple[str | int, ...]) -> list[dict[str, Any]]:
        with self._one_at_a_time, plain_words(self.home):
            self._refuse_if_closed()
            cursor = self._connection.cursor()
            cursor.row_factory = Row
            return [dict(row) for row in cursor.execute(sql, values)]

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise StoreError(f"The recorder of run {self.run} is closed; nothing more can be recorded.")


def _connect(home: Path, durability: Durability) -> Connection:
    connection = connect(home, durability)
    try:
        version = check_version(connection, home)
        if version < SCHEMA_VERSION:
            raise StoreError(
                f"The database {home / DATABASE} has schema {version}, this version needs {SCHEMA_VERSION}. "
                "Start RLM Studio with this data folder once to bring it up to date."
            )
    except BaseException:
        connection.close()
        raise
    return connection
