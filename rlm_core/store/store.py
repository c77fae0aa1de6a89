"""The store as the doors see it: requests go in (jobs, commands, corpora), runs come out.

One SQLite file and a folder of large texts. May be used from several threads, each with a connection of its own, while
other processes write. Refuses to write events: that is the recorder's alone.
"""

from __future__ import annotations

import json
import secrets
import sqlite3
import threading
import time
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from rlm_core.errors import StoreError
from rlm_core.events import Event
from rlm_core.notes import Note
from rlm_core.store import disk_use
from rlm_core.store.annotations import Annotation, read_annotations, rename, set_tags, tags_in_use
from rlm_core.store.blobs import Blobs
from rlm_core.store.choices import Choices
from rlm_core.store.connection import connect, plain_words, transaction
from rlm_core.store.deletion import delete_corpus, delete_runs
from rlm_core.store.listing import RunFilter, count_states, read_origins, turns_under_way
from rlm_core.store.node_notes import notes_of, set_note
from rlm_core.store.payload import unpack, without_surrogates
from rlm_core.store.projections import statements
from rlm_core.store.readings import (
    CoverageRow,
    QuoteRow,
    ReadRow,
    add_readings,
    coverage_of,
    quotes_of,
    read_so_far,
    reads_of,
    remove_readings,
)
from rlm_core.store.right_answers import RightAnswers
from rlm_core.store.rows import (
    COMMANDS,
    JOB,
    JOBS,
    SPANS,
    Command,
    CommandKind,
    CorpusRow,
    Job,
    JobState,
    RunRow,
    SpanRow,
    command_of,
    corpus_of,
    job_of,
    run_of,
)
from rlm_core.store.schema import migrate
from rlm_core.store.sqlite_library import Database
from rlm_core.store.stories import Stories
from rlm_core.store.totals import Totals
from rlm_core.task import Json, Origin, Task

_LAST = 2**63 - 1
"""Above the `seq` of every event."""
FOLDERS = ("blobs", "corpora", "locks")


class Store:
    """Use `Store.open`. Every method may raise `StoreError` when the data folder fails it."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.blobs = Blobs(home / "blobs")
        self._of_thread = threading.local()
        self._opened: weakref.WeakSet[Database] = weakref.WeakSet()
        self.choices = Choices(home, lambda: self._db.conn)
        self.right_answers = RightAnswers(home, lambda: self._db.conn)
        self.stories = Stories(home, lambda: self._db.conn)

    @classmethod
    def open(cls, home: Path) -> Store:
        """The store of the data folder `home`, which is made and brought up to date if need be."""
        with plain_words(home):
            home.mkdir(mode=0o700, parents=True, exist_ok=True)  # questions and documents are nobody else's business
            for name in FOLDERS:
                (home / name).mkdir(mode=0o700, exist_ok=True)
        migrate(home)
        return cls(home)

    # ------------------------------------------------------------------ what the doors ask for

    def add_job(
        self, task: Task, *, title: str | None = None, state: JobState = "queued", origin: Origin | None = None
    ) -> str:
        """Keep a task as a job; its id, which is also that of its first run, says when in local time.

        A `queued` job is taken by the worker; a caller that runs the job itself says `running`. `origin` is the run that
        it goes on from.
        """
        _expect(state, get_args(JobState), "state of a job")
        while True:
            job = f"{time.strftime('%y%m%d-%H%M%S')}-{secrets.token_hex(2)}"
            try:
                with plain_words(self.home), transaction(self._db.conn):
                    begun = _json(origin.to_dict()) if origin else None
                    asked = _json(task.to_dict())
                    self._insert("jobs", id=job, created_at=time.time(), task=asked, state=state, origin=begun)
                    if title is not None:
                        rename(self._db.conn, job, title)
            except sqlite3.IntegrityError:
                continue  # the same second and the same four digits: draw again
            return job

    def jobs(self, state: JobState | None = None) -> list[Job]:
        """Oldest first."""
        where, values = ("WHERE state = ?", (state,)) if state is not None else ("", ())
        return [job_of(row) for row in self._rows(f"{JOBS} {where} ORDER BY created_at, id", values)]

    def job(self, id: str) -> Job | None:
        return next((job_of(row) for row in self._rows(JOB, (id,))), None)

    def claim_job(self, id: str) -> bool:
        """Take a queued job: of all who try, one is told True. It is `running` from then on."""
        with plain_words(self.home):
            claim = "UPDATE jobs SET state = 'running' WHERE id = ? AND state = 'queued'"
            return bool(self._db.execute(claim, (id,)).rowcount)

    def set_job_state(self, id: str, state: JobState) -> None:
        _expect(state, get_args(JobState), "state of a job")
        with plain_words(self.home):
            if not self._db.execute("UPDATE jobs SET state = ? WHERE id = ?", (state, id)).rowcount:
                raise StoreError(f"There is no job {id}. It may have been deleted.")

    def add_command(self, run: str, kind: CommandKind, payload: Mapping[str, Any] | None = None) -> None:
        """Ask something of a run, which may not have begun yet."""
        _expect(kind, get_args(CommandKind), "command")
        with plain_words(self.home):
            self._insert("commands", run=run, kind=kind, payload=_json(dict(payload or {})), at=time.time())

    def commands(self, run: str, after: int = 0) -> list[Command]:
        return [command_of(row) for row in self._rows(COMMANDS, (run, after))]

    # ------------------------------------------------------------------ corpora

    def add_corpus(
        self, id: str, name: str, folder_bytes: int | None, report: Json, documents: int, chars: int
    ) -> None:
        """List a corpus; one that is listed already, under the same id, is replaced."""
        with plain_words(self.home):
            self._insert(
                "corpora",
                replace=True,
                id=id,
                name=name,
                added_at=time.time(),
                folder_bytes=folder_bytes,
                report=_json(report),
                documents=documents,
                chars=chars,
            )

    def corpora(self) -> list[CorpusRow]:
        """Newest first."""
        return [corpus_of(row) for row in self._rows("SELECT * FROM corpora ORDER BY added_at DESC, id")]

    def corpus_names(self) -> dict[str, str]:
        """By id: what a list needs, without the reports."""
        return {row["id"]: row["name"] for row in self._rows("SELECT id, name FROM corpora")}

    def corpus(self, id: str) -> CorpusRow | None:
        return next((corpus_of(row) for row in self._rows("SELECT * FROM corpora WHERE id = ?", (id,))), None)

    def delete_corpus(self, id: str) -> None:
        """Take a corpus off the list; its folder is the caller's to remove. Raises `StoreError` if it is not there, or while
        a run needs it."""
        with plain_words(self.home):
            delete_corpus(self.home, self._db.conn, id)

    # ------------------------------------------------------------------ runs

    def events(self, run: str, after: int = -1, until: int | None = None, *, resolve: bool = True) -> list[Event]:
        """Events with `seq` above `after`, and not above `until`, in order. Without `resolve`, texts above 2,000 characters
        are left as `{"$text": hash, "chars": n, "head": first 200}`; `text(hash)` has the whole."""
        return list(self._events(run, after, resolve, until))

    def text(self, sha: str) -> str:
        found = self._rows("SELECT text FROM texts WHERE sha = ?", (sha,))
        if not found:
            raise StoreError(f"There is no text {sha} in the store. The run it belongs to may have been deleted.")
        with plain_words(self.home):
            inline: str | None = found[0]["text"]
            return inline if inline is not None else self.blobs.text(sha)

    def holding(self, shas: Collection[str], has: Callable[[bytes], bool]) -> set[str]:
        """Of the long texts with these hashes, those that `has` says yes to. It is given one text after the other, in UTF-8, and
        a very long one in pieces, so that memory has a bound. What has been deleted meanwhile holds nothing."""
        sql = "SELECT sha, CAST(text AS BLOB) FROM texts WHERE sha IN (SELECT value FROM json_each(?))"
        with plain_words(self.home):
            return {
                sha
                for sha, text in self._db.execute(sql, (_json(list(shas)),))
                if any(map(has, [text] if text is not None else self.blobs.pieces(sha)))
            }

    def runs(self, limit: int = 200, search: str | None = None, wanted: RunFilter | None = None) -> list[RunRow]:
        """Newest first. `search` is short for a `RunFilter` that asks for nothing else."""
        where, values = (wanted or RunFilter(search)).sql()
        order = "ORDER BY started_at DESC, id DESC LIMIT"
        return [run_of(row) for row in self._rows(f"SELECT * FROM runs {where} {order} {int(limit)}", values)]

    def count_states(self, wanted: RunFilter) -> dict[str, int]:
        """How many of the wanted runs are in each state: an outcome, or `running`. States without a run are left out."""
        with plain_words(self.home):
            return count_states(self._db.conn, wanted)

    def origins(self) -> dict[str, Origin]:
        """What runs and jobs go on from, of those that do; of a fork only its turn, without its texts."""
        with plain_words(self.home):
            return read_origins(self._db.conn)

    def turns_under_way(self) -> dict[str, int]:
        """Of each unfinished run, the number of its turn."""
        with plain_words(self.home):
            return turns_under_way(self._db.conn)

    def run(self, id: str) -> RunRow | None:
        return next((run_of(row) for row in self._rows("SELECT * FROM runs WHERE id = ?", (id,))), None)

    def spans(self, run: str) -> list[SpanRow]:
        """The run's nodes in the order in which they began."""
        with plain_words(self.home):
            return [SpanRow(*row) for row in self._db.execute(SPANS, (run,))]

    def runs_of(self, job: str) -> list[RunRow]:
        """The lives of a job that have begun, in their order."""
        return [run_of(row) for row in self._rows("SELECT * FROM runs WHERE job = ? ORDER BY started_at, id", (job,))]

    def count_runs_of(self, corpus: str) -> int:
        """How many runs were asked of a corpus."""
        return int(self._rows("SELECT count(*) AS runs FROM runs WHERE corpus = ?", (corpus,))[0]["runs"])

    def unfinished_runs(self) -> list[str]:
        """Runs without a `RunFinished`: running, or their process died. Oldest first."""
        return [row["id"] for row in self._rows("SELECT id FROM runs WHERE outcome IS NULL ORDER BY started_at, id")]

    def delete_run(self, id: str) -> None:
        self.delete_runs([id])

    def delete_runs(self, ids: Sequence[str]) -> None:
        """Delete runs, the texts that only they refer to, and the job of each if that has ended and no other run is left.

        Deletes all or none: raises `StoreError` if one of them is not there, or is being written.
        """
        with plain_words(self.home):
            delete_runs(self.home, self._db.conn, ids)

    def bytes_of_runs(self) -> dict[str, int]:
        """By run: the bytes of its events, and of the texts that it refers to, shared ones as well."""
        with plain_words(self.home):
            return disk_use.bytes_of_runs(self._db.conn, self.blobs)

    def bytes_together(self, runs: Sequence[str]) -> int:
        """What goes when these runs are deleted together: more than each alone where they share texts."""
        with plain_words(self.home):
            return disk_use.bytes_together(self._db.conn, self.blobs, runs)

    # ------------------------------------------------------------------ what people write on runs

    def rename(self, run: str, title: str) -> None:
        """Give a run, or a job that has not begun, a title of up to 200 characters; an empty one takes it away."""
        with plain_words(self.home), transaction(self._db.conn):
            rename(self._db.conn, run, title)

    def set_tags(self, run: str, tags: Iterable[str]) -> None:
        """Give a run exactly these tags, up to 20 of up to 40 characters."""
        with plain_words(self.home), transaction(self._db.conn):
            set_tags(self._db.conn, run, tags)

    def annotations(self) -> dict[str, Annotation]:
        """Title and tags by run, of those that have any."""
        with plain_words(self.home):
            return read_annotations(self._db.conn)

    def tags_in_use(self) -> dict[str, int]:
        """Every tag, in alphabetical order, and how many runs have it."""
        with plain_words(self.home):
            return tags_in_use(self._db.conn)

    def set_note(self, run: str, span: str, note: Note) -> None:
        """Say something of a node of a run that has begun; an empty note takes away what was said."""
        with plain_words(self.home), transaction(self._db.conn):
            set_note(self._db.conn, run, span, note)

    def notes(self, run: str) -> dict[str, Note]:
        """What is said of the run's nodes, by span, in the order in which it was written."""
        with plain_words(self.home):
            return notes_of(self._db.conn, run)

    # ------------------------------------------------------------------ what models were shown

    def read_so_far(self, run: str, version: int) -> int:
        """The `seq` up to which `reads` and `quotes` of a run are there, found by this version of the search; -1: not at all."""
        with plain_words(self.home):
            return read_so_far(self._db.conn, run, version)

    def add_readings(
        self,
        run: str,
        version: int,
        after: int,
        last_seq: int,
        reads: Iterable[ReadRow],
        quotes: Iterable[QuoteRow],
    ) -> bool:
        """Add what was found in the events of a run from `after` to `last_seq`; with `after` -1 it takes the place of all
        that was there. False if another process was faster, or the run has been deleted: nothing is changed then."""
        with plain_words(self.home), transaction(self._db.conn):
            there = self._db.conn.execute("SELECT 1 FROM runs WHERE id = ?", (run,)).fetchone()
            return bool(there) and add_readings(self._db.conn, run, version, after, last_seq, reads, quotes)

    def reads(self, run: str, span: str | None = None) -> list[ReadRow]:
        with plain_words(self.home):
            return reads_of(self._db.conn, run, span)

    def quotes(self, run: str) -> list[QuoteRow]:
        with plain_words(self.home):
            return quotes_of(self._db.conn, run)

    def coverage_of(self, runs: Sequence[str]) -> dict[str, CoverageRow]:
        """How much of its archive each run was shown. Runs that nobody has looked at yet are left out."""
        with plain_words(self.home):
            return coverage_of(self._db.conn, runs)

    # ------------------------------------------------------------------ projections

    def rebuild_projections(self, run: str | None = None) -> None:
        """Compute `runs` and `spans` anew from the events, for one run or for all; one transaction a run. What models were
        shown is thrown away, to be found again when somebody asks."""
        known = "SELECT DISTINCT run FROM events UNION SELECT id FROM runs UNION SELECT run FROM spans"
        for each in [run] if run is not None else [row["run"] for row in self._rows(known)]:
            with plain_words(self.home), transaction(self._db.conn):
                self._db.execute("DELETE FROM spans WHERE run = ?", (each,))
                self._db.execute("DELETE FROM runs WHERE id = ?", (each,))
                remove_readings(self._db.conn, each)
                totals = Totals()
                for event in self._events(each, -1, resolve=True):
                    totals.add(event)
                    for sql, values in statements(event):
                        self._db.execute(sql, values)
                self._db.execute(*totals.statement(each))

    def close(self) -> None:
        """Close the connections of all threads."""
        for db in list(self._opened):
            db.close()
        self._of_thread = threading.local()

    # ------------------------------------------------------------------ inside

    @property
    def _db(self) -> Database:
        db: Database | None = getattr(self._of_thread, "db", None)
        if db is None:
            connection = connect(self.home)
            db = self._of_thread.db = Database(connection)
            # A thread that ends takes its `Database` with it; the connection must not wait for chance.
            weakref.finalize(db, connection.close)
            self._opened.add(db)
        return db

    def _rows(self, sql: str, values: tuple[Any, ...] | dict[str, Any] = ()) -> list[dict[str, Any]]:
        with plain_words(self.home):
            return list(self._db.query(sql, values))

    def _insert(self, table: str, *, replace: bool = False, **values: Any) -> None:
        self._db.table(table).insert(without_surrogates(values), replace=replace)

    def _events(self, run: str, after: int, resolve: bool, until: int | None = None) -> Iterator[Event]:
        sql = "SELECT seq, at, span, parent, kind, body FROM events WHERE run = ? AND seq > ? AND seq <= ? ORDER BY seq"
        with plain_words(self.home):
            for seq, at, span, parent, kind, body in self._db.execute(
                sql, (run, after, _LAST if until is None else until)
            ):
                yield Event(run, seq, at, span, parent, unpack(kind, body, self.text if resolve else None))


def _json(value: Json | list[str]) -> str:
    return json.dumps(value)


def _expect(value: str, allowed: tuple[str, ...], what: str) -> None:
    if value not in allowed:
        raise StoreError(f"{value!r} is no {what}. Use one of: {', '.join(allowed)}.")
