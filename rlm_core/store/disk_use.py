"""How much of the disk runs take: the bytes of a run's events, and of the texts that it refers to. What several runs share
counts for each of them, so that a run that has ended always has one size; what a deletion frees counts it once, or not at all.

These are the bytes of what is written; the database adds indexes and unused room of its own. `texts.bytes` is computed by
SQLite and indexed, so that no text is read. Measured: 500 runs of 1.1 MB, 111,000 texts, 0.4 s.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from sqlite3 import Connection

from rlm_core.store.blobs import Blobs

PAGES_AT_ONCE = 2_000
"""About 8 MB: a recorder that wants to write meanwhile waits for no more than that."""

# Named, because SQLite would otherwise take the primary key, and compute the size from the whole text.
_TEXTS_OF_EACH = """SELECT text_refs.run, texts.sha, texts.bytes
    FROM text_refs CROSS JOIN texts INDEXED BY texts_by_size ON texts.sha = text_refs.sha"""
_TEXTS_OF_ALL = """SELECT texts.sha, texts.bytes
    FROM (SELECT DISTINCT sha FROM text_refs WHERE run IN (SELECT value FROM json_each(?1))) AS theirs
    CROSS JOIN texts INDEXED BY texts_by_size ON texts.sha = theirs.sha
    WHERE NOT EXISTS (
        SELECT 1 FROM text_refs WHERE sha = theirs.sha AND run NOT IN (SELECT value FROM json_each(?1)))"""
_EVENTS = "SELECT run, sum(length(CAST(body AS BLOB))) FROM events GROUP BY run"


def bytes_of_runs(connection: Connection, blobs: Blobs) -> dict[str, int]:
    """The events of each run, and all texts that it refers to."""
    found: Counter[str] = Counter(dict(connection.execute(_EVENTS).fetchall()))
    for run, sha, size in connection.execute(_TEXTS_OF_EACH):
        found[run] += size if size is not None else blobs.size(sha)
    return dict(found)


def bytes_together(connection: Connection, blobs: Blobs, runs: Iterable[str]) -> int:
    """What would go with these runs, were they deleted together: texts that they share among them count as well."""
    chosen = json.dumps(list(runs))
    total: int = connection.execute(
        "SELECT coalesce(sum(length(CAST(body AS BLOB))), 0) FROM events WHERE run IN (SELECT value FROM json_each(?))",
        (chosen,),
    ).fetchone()[0]
    for sha, size in connection.execute(_TEXTS_OF_ALL, (chosen,)):
        total += size if size is not None else blobs.size(sha)
    return total


def bytes_of_folder(folder: Path) -> int:
    """All files below `folder`."""
    return bytes_of_files(Path(inner) / name for inner, _, names in os.walk(folder) for name in names)


def bytes_of_files(files: Iterable[Path]) -> int:
    """One that goes away meanwhile counts as nothing."""
    total = 0
    for file in files:
        try:
            total += file.stat().st_size
        except FileNotFoundError:
            continue
    return total


def give_back(connection: Connection) -> None:
    """Let the database file shrink by the pages that nothing uses. Does nothing to one that was made by schema 1."""
    while free := connection.execute("PRAGMA freelist_count").fetchone()[0]:
        connection.execute(f"PRAGMA incremental_vacuum({PAGES_AT_ONCE})").fetchall()
        if connection.execute("PRAGMA freelist_count").fetchone()[0] == free:
            return
