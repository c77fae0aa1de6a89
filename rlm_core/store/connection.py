"""One connection to the store's database: how it is opened, what a transaction is, SQLite's complaints in plain words.

Knows the file and SQLite, through the standard library only. Refuses to know the tables: those are in `schema.py`. Open a
connection in the process that uses it; SQLite connections do not survive a fork.
"""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from rlm_core.errors import StoreError

DATABASE = "store.db"
APPLICATION_ID = 0x524C4D53
"""Marks a SQLite file as ours: `RLMS`."""
SCHEMA_VERSION = 8
"""Number of the last migration in `schema.py`; kept here because the recorder must not import that module."""
BUSY_TIMEOUT_S = 10.0

Durability = Literal["normal", "full"]
"""`normal`: what is committed survives the death of the process. `full`: of the machine too, for one disk sync a commit."""


def connect(home: Path, durability: Durability = "normal") -> sqlite3.Connection:
    """A connection without implicit transactions; the caller sees to it that one thread at a time uses it.

    WAL is a property of the file and is set once, by `Store.open`.
    """
    connection = sqlite3.connect(home / DATABASE, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False)
    try:
        connection.execute(f"PRAGMA synchronous = {durability.upper()}")
        connection.execute("PRAGMA foreign_keys = ON")
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All or nothing. Takes the write lock at once: a transaction that starts as a reader may be refused it later."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextmanager
def plain_words(home: Path) -> Iterator[None]:
    """Turn what SQLite and the file system complain about into a `StoreError` for a person.

    A broken constraint or a misused connection is a mistake in this code, not of the data folder, and passes as it is.
    """
    try:
        yield
    except (sqlite3.IntegrityError, sqlite3.ProgrammingError):
        raise
    except (sqlite3.Error, OSError) as error:
        raise explain(error, home) from error


def check_version(connection: sqlite3.Connection, home: Path) -> int:
    """The schema version of the database, 0 for an empty one. Raises `StoreError` if it is not ours or too new."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if application != APPLICATION_ID:
        if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            raise _not_ours(home)
        return 0
    if version > SCHEMA_VERSION:
        raise StoreError(
            f"The database {home / DATABASE} was written by a newer version of RLM Studio (schema {version}; this version "
            f"knows up to {SCHEMA_VERSION}). Update RLM Studio, or use another data folder."
        )
    return version


def explain(error: Exception, home: Path) -> StoreError:
    """The `StoreError` that says what `error` means for the data folder `home`."""
    if isinstance(error, OSError):
        return _explain_os_error(error, home)
    code = getattr(error, "sqlite_errorcode", None)
    primary = code & 0xFF if code is not None else None
    if primary == sqlite3.SQLITE_FULL or (primary == sqlite3.SQLITE_IOERR and code == sqlite3.SQLITE_IOERR_WRITE):
        return _full(home)
    if primary in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return _not_writable(home, str(error))
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreError(
            f"The database {home / DATABASE} was kept locked by another program for {BUSY_TIMEOUT_S:g} s. "
            "Close whatever else has it open, and try again."
        )
    if primary == sqlite3.SQLITE_NOTADB:
        return _not_ours(home)
    if primary == sqlite3.SQLITE_CORRUPT:
        return StoreError(
            f"The database {home / DATABASE} is damaged ({error}). Restore it from a backup, or move it away to start anew."
        )
    return StoreError(f"The database {home / DATABASE} refused: {error}.")


def _explain_os_error(error: OSError, home: Path) -> StoreError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return _full(home)
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS, errno.EEXIST, errno.ENOTDIR):
        return _not_writable(home, str(error))
    return StoreError(f"The data folder {home} cannot be used: {error}.")


def _full(home: Path) -> StoreError:
    return StoreError(
        f"There is no room left to write to the data folder {home}: the disk is full or a quota is reached. "
        "Free some space and try again; nothing was half-written."
    )


def _not_writable(home: Path, why: str) -> StoreError:
    return StoreError(
        f"The data folder {home} cannot be written ({why}). Give this user the right to write there, "
        "or choose another folder with RLM_STUDIO_HOME."
    )


def _not_ours(home: Path) -> StoreError:
    return StoreError(
        f"{home / DATABASE} is not a database of RLM Studio. Move that file away, "
        "or choose another data folder with RLM_STUDIO_HOME."
    )
