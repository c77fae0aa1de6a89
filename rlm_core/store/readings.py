"""What the models of a run were shown, and where the quotes in their words stand, as rows.

They are computed from the run's events and its archive together (`jobs/reading.py`), up to an event; whatever is stored here
can be thrown away and computed again. Refuses to know how a read or a quote is found.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
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


@dataclass(frozen=True, slots=True)
class CoverageRow:
    """How much of its archive a run was shown: printed or sent, each character counted once."""

    shown_chars: int
    chars: int | None
    """Of the archive; `None` where it was not known any more when this was counted."""
    complete: bool
    """Whether all of the run was looked at. Else it is what was found so far, or before the run went on."""

    @property
    def share(self) -> float | None:
        """From 0 to 1; `None` where it is not known, and for an archive without text."""
        return self.shown_chars / self.chars if self.chars else None


# Reads of a document by their start: each adds what lies behind the furthest end so far.
_COUNT_SHOWN = """INSERT OR REPLACE INTO readings (run, last_seq, version, shown_chars, chars)
    SELECT ?1, ?2, ?3,
        (SELECT coalesce(sum(max(0, end - max(start, reached))), 0) FROM (
            SELECT start, end, coalesce(max(end) OVER (
                PARTITION BY document ORDER BY start ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            ), 0) AS reached FROM reads WHERE run = ?1 AND how <> 'cited'
        )),
        (SELECT corpora.chars FROM runs JOIN corpora ON corpora.id = runs.corpus WHERE runs.id = ?1)"""


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
    if read_so_far(connection, run, version) != after:
        return False
    if after == -1:  # what another version found
        remove_readings(connection, run)
    connection.executemany("INSERT INTO reads VALUES (?, ?, ?, ?, ?, ?, ?)", ((run, *astuple(each)) for each in reads))
    connection.executemany(
        "INSERT INTO quotes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", ((run, *astuple(each)) for each in quotes)
    )
    connection.execute(_COUNT_SHOWN, (run, last_seq, version))
    return True


def remove_readings(connection: Connection, run: str) -> None:
    """Throw away what was found in a run: it can be found again."""
    for table in ("reads", "quotes", "readings"):
        connection.execute(f"DELETE FROM {table} WHERE run = ?", (run,))


def coverage_of(connection: Connection, runs: Sequence[str]) -> dict[str, CoverageRow]:
    """How much was shown, by run, of those that were looked at."""
    rows = connection.execute(
        """SELECT readings.run, shown_chars, chars, readings.last_seq >= runs.last_seq
        FROM readings JOIN runs ON runs.id = readings.run WHERE readings.run IN (SELECT value FROM json_each(?))""",
        (json.dumps(list(runs)),),
    )
    return {run: CoverageRow(shown, chars, bool(complete)) for run, shown, chars, complete in rows}


def reads_of(connection: Connection, run: str, span: str | None = None) -> list[ReadRow]:
    """Of a run, or of one node of it."""
    rows = connection.execute(
        "SELECT span, document, start, end, how, ambiguous FROM reads WHERE run = ? AND span = ifnull(?, span) "
        "ORDER BY rowid",
        (run, span),
    )
    return [ReadRow(span, document, start, end, how, bool(twice)) for span, document, start, end, how, twice in rows]


def quotes_of(connection: Connection, run: str) -> list[QuoteRow]:
    rows = connection.execute(
        """SELECT span, at, quote, verdict, document, start, end, line, score, places FROM quotes
        WHERE run = ? ORDER BY rowid""",
        (run,),
    )
    return [QuoteRow(*row) for row in rows]
