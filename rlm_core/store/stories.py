"""What people have changed in the stories of runs. A plain table; no event knows of it, and a rebuild leaves it alone."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from sqlite3 import Connection

from rlm_core.errors import StoreError
from rlm_core.store.connection import plain_words, transaction
from rlm_core.story_edits import StepEdit, tidied


class Stories:
    """A part of the store (`Store.stories`); `connect` gives the connection of the thread that asks."""

    def __init__(self, home: Path, connect: Callable[[], Connection]) -> None:
        self._home, self._connect = home, connect

    def keep(self, run: str, steps: Sequence[StepEdit]) -> None:
        """Keep these in the place of what was kept; none leaves the story as it is drafted. Raises `StoreError`."""
        said = [asdict(each) for each in tidied(steps)]
        with plain_words(self._home), transaction(self._connect()):
            if not self._connect().execute("SELECT 1 FROM runs WHERE id = ?", (run,)).fetchone():
                raise StoreError(f"There is no run {run}. It may have been deleted.")
            if said:
                row = (run, json.dumps(said, ensure_ascii=False), time.time())
                self._connect().execute("INSERT OR REPLACE INTO stories (run, steps, at) VALUES (?, ?, ?)", row)
            else:
                self._connect().execute("DELETE FROM stories WHERE run = ?", (run,))

    def of(self, run: str) -> tuple[StepEdit, ...]:
        """In a person's order; nothing of a story that nobody has changed."""
        with plain_words(self._home):
            row = self._connect().execute("SELECT steps FROM stories WHERE run = ?", (run,)).fetchone()
        return tuple(StepEdit(**each) for each in json.loads(row[0])) if row else ()
