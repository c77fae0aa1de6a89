"""What people say is right: answers by archive and question, and judgements of whole runs. Plain tables; no event knows of them,
and a rebuild leaves them alone."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from sqlite3 import Connection
from typing import Any

from rlm_core.store.connection import plain_words, transaction

RightRow = tuple[str, str, Any, str]
"""Archive id, question, answer, and how it is matched (`rlm_core.scoring`)."""


class RightAnswers:
    """A part of the store (`Store.right_answers`); `connect` gives the connection of the thread that asks."""

    def __init__(self, home: Path, connect: Callable[[], Connection]) -> None:
        self._home, self._connect = home, connect

    def keep(self, rows: Iterable[RightRow]) -> None:
        """All or none, each in the place of what was kept for its question of its archive."""
        with plain_words(self._home), transaction(self._connect()):
            self._connect().executemany(
                "INSERT OR REPLACE INTO right_answers (corpus, question, answer, match, at) VALUES (?, ?, ?, ?, ?)",
                (
                    (corpus, question, json.dumps(answer), match, time.time())
                    for corpus, question, answer, match in rows
                ),
            )

    def forget(self, corpus: str, question: str) -> None:
        with plain_words(self._home), transaction(self._connect()):
            self._connect().execute("DELETE FROM right_answers WHERE corpus = ? AND question = ?", (corpus, question))

    def all(self) -> list[RightRow]:
        """In the order in which they were given."""
        sql = "SELECT corpus, question, answer, match FROM right_answers ORDER BY at, corpus, question"
        with plain_words(self._home):
            rows = self._connect().execute(sql).fetchall()
        return [(corpus, question, json.loads(answer), match) for corpus, question, answer, match in rows]

    def judgements(self) -> dict[str, str]:
        """`right` or `wrong` by run, of those of which a person says so: the judgement in the note on its first node."""
        sql = "SELECT run, judged FROM node_notes WHERE span = 'run' AND judged IS NOT NULL"
        with plain_words(self._home):
            return dict(self._connect().execute(sql).fetchall())


def remove_lost_answers(connection: Connection) -> None:
    """Those of archives that are on no list and that no run was asked of any more. Within the caller's transaction."""
    connection.execute(
        """DELETE FROM right_answers WHERE NOT EXISTS (SELECT 1 FROM corpora WHERE id = right_answers.corpus)
        AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.corpus = right_answers.corpus)"""
    )
