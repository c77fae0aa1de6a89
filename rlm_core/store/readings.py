"""What the models of a run were shown, and where the quotes in their words stand, as rows.

They are computed from the run's events and its archive together (`jobs/reading.py`), up to an event; whatever is stored here
can be thrown away and computed again. Refuses to know how a read or a quote is found.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import astuple, dataclass
from sqlite3 import Connection

Value = str | int | float | None


@dataclass(frozen=True, slots=True)
class ReadRow:
    """A span held characters of a document: `evidence.coverage.Read` as a row."""

    span: str
    document: int
    start: int
    end: int
    how: str
    ambiguous: bool


@dataclass(frozen=True, slots=True)
class QuoteRow:
    """A quote within a reply or an answer: the span that said it, where in its text, and what became of it."""

    span: str
    at: int
    """The character of the span's text at which the quote begins."""
    quote: str
    verdict: str
    document: str | None = None
    start: int | None = None
    end: int | None = None
    line: int | None = None
    score: float | None = None
    places: int | None = None


def read_so_far(connection: Connection, run: str, version: int) -> int:
    """The `seq` up to which a run was looked at by this version of the search, or -1."""
    row = connection.execute("SELECT last_seq FROM readings WHERE run = ? AND version = ?", (run, version)).fetchone()
    return row[0] if row else -1


def add_readings(
    connection: Connection,
    run: str,
    version: int,
    after: int,
    last_seq: int,
    reads: Iterable[ReadRow],
    quotes: Iterable[QuoteRow],
) -> bool:
    """Add what the events from `after` to `last_seq` gave; with `after` -1 in the place of all that was there. False, and
    nothing is changed, if another process has been here meanwhile. Within a transaction of the caller."""
    if after == -1:
        for table in ("reads", "quotes", "readings"):
            connection.execute(f"DELETE FROM {table} WHERE run = ?", (run,))
    elif read_so_far(connection, run, version) != after:
        return False
    connection.executemany("INSERT INTO reads VALUES (?, ?, ?, ?, ?, ?, ?)", ((run, *astuple(each)) for each in reads))
    connection.executemany(
        "INSERT INTO quotes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", ((run, *astuple(each)) for each in quotes)
    )
    connection.execute("INSERT OR REPLACE INTO readings VALUES (?, ?, ?)", (run, last_seq, version))
    return True


def reads_of(connection: Connection, run: str) -> list[ReadRow]:
    rows = connection.execute(
        "SELECT span, document, start, end, how, ambiguous FROM reads WHERE run = ? ORDER BY rowid", (run,)
    )
    return [ReadRow(span, document, start, end, how, bool(twice)) for span, document, start, end, how, twice in rows]


def quotes_of(connection: Connection, run: str) -> list[QuoteRow]:
    rows = connection.execute(
        """SELECT span, at, quote, verdict, document, start, end, line, score, places FROM quotes
        WHERE run = ? ORDER BY rowid""",
        (run,),
    )
    return [QuoteRow(*row) for row in rows]
