"""What people decide of items on which runs were compared. A plain table; no event knows of it, and a rebuild leaves it alone."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from sqlite3 import Connection

from rlm_core.choices import Choice, runs_key, tidied
from rlm_core.errors import StoreError
from rlm_core.store.connection import plain_words, transaction

_IS_THERE = "SELECT id FROM runs WHERE id = ?1 UNION ALL SELECT id FROM jobs WHERE id = ?1"
"""Also one that has not begun."""


class Choices:
    """A part of the store (`Store.choices`); `connect` gives the connection of the thread that asks."""

    def __init__(self, home: Path, connect: Callable[[], Connection]) -> None:
        self._home, self._connect = home, connect

    def keep(self, runs: Sequence[str], item: str, choice: Choice | None) -> None:
        """Decide an item of these runs, in the place of what was decided before; `None` takes that away. `item` is the key of
        its name. Raises `StoreError` for what is no choice between them, or where one of the runs is not there."""
        said = tidied(choice, runs) if choice else None
        with plain_words(self._home), transaction(self._connect()):
            for run in runs:
                if not self._connect().execute(_IS_THERE, (run,)).fetchone():
                    raise StoreError(f"There is no run {run}. It may have been deleted.")
            if said is None:
                self._connect().execute("DELETE FROM item_choices WHERE runs = ? AND item = ?", (runs_key(runs), item))
            else:
                self._connect().execute(
                    "INSERT OR REPLACE INTO item_choices (runs, item, right_run, label, at) VALUES (?, ?, ?, ?, ?)",
                    (runs_key(runs), item, said.right, said.label, time.time()),
                )

    def of(self, runs: Sequence[str]) -> dict[str, Choice]:
        """By the key of the item."""
        sql = "SELECT item, right_run, label FROM item_choices WHERE runs = ? ORDER BY item"
        with plain_words(self._home):
            rows = self._connect().execute(sql, (runs_key(runs),)).fetchall()
        return {item: Choice(right, label) for item, right, label in rows}


def remove_choices(connection: Connection, run: str) -> None:
    """Those between this run and others: it is deleted. Within the caller's transaction."""
    connection.execute("DELETE FROM item_choices WHERE instr(',' || runs || ',', ',' || ? || ',')", (run,))
