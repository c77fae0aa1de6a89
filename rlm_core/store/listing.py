"""Which runs a search, a state and a tag leave, as SQL over the tables `runs`, `run_titles`, `run_tags` and `node_notes`."""

from __future__ import annotations

from dataclasses import dataclass
from sqlite3 import Connection
from typing import Literal

from rlm_core.task import Fork, Origin, Outcome

RunState = Outcome | Literal["running"]

_STATE = "coalesce(outcome, 'running')"
_SEARCH = """(id LIKE {0} ESCAPE '\\' OR question LIKE {0} ESCAPE '\\' OR answer LIKE {0} ESCAPE '\\'
    OR EXISTS (SELECT 1 FROM run_titles WHERE run = id AND title LIKE {0} ESCAPE '\\')
    OR EXISTS (SELECT 1 FROM run_tags WHERE run = id AND tag LIKE {0} ESCAPE '\\')
    OR EXISTS (SELECT 1 FROM node_notes WHERE run = id AND (label LIKE {0} ESCAPE '\\' OR text LIKE {0} ESCAPE '\\'))
    )""".format(":search")
_TAG = "EXISTS (SELECT 1 FROM run_tags WHERE run = id AND tag = :tag)"

_ORIGINS = """SELECT id, json_extract(origin, '$.run'), json_extract(origin, '$.fork.turn') FROM jobs WHERE origin IS NOT NULL
    UNION ALL SELECT runs.id, parent_run, json_extract(body, '$.origin.fork.turn')
    FROM runs JOIN events ON events.run = runs.id AND events.seq = 0 WHERE parent_run IS NOT NULL"""


@dataclass(frozen=True, slots=True)
class RunFilter:
    """What is asked for; `None` asks for nothing."""

    search: str | None = None
    """Looked for as it is written (ASCII letters: any case) in title, tags, id, notes on nodes, and the first 2,000 characters
    of question and answer."""
    state: RunState | None = None
    tag: str | None = None

    def sql(self) -> tuple[str, dict[str, str]]:
        """A WHERE clause, or nothing, and its values."""
        wanted = {"search": self.search and _pattern(self.search), "state": self.state, "tag": self.tag}
        clauses = {"search": _SEARCH, "state": f"{_STATE} = :state", "tag": _TAG}
        values = {name: value for name, value in wanted.items() if value}
        return f"WHERE {' AND '.join(clauses[name] for name in values)}" if values else "", values


def count_states(connection: Connection, wanted: RunFilter) -> dict[str, int]:
    """How many runs there are in each state that occurs."""
    where, values = wanted.sql()
    return dict(connection.execute(f"SELECT {_STATE}, count(*) FROM runs {where} GROUP BY 1", values).fetchall())


def read_origins(connection: Connection) -> dict[str, Origin]:
    """Of a run that was made elsewhere its first event says it, of one that never began only its job."""
    return {run: Origin(before, Fork(turn) if turn else None) for run, before, turn in connection.execute(_ORIGINS)}


def turns_under_way(connection: Connection) -> dict[str, int]:
    """Of each unfinished run, the number of turns that its first frame has begun."""
    return dict(
        connection.execute(
            """SELECT runs.id, count(*) FROM runs JOIN spans ON spans.run = runs.id
            WHERE runs.outcome IS NULL AND spans.kind = 'turn' AND spans.depth = 0 GROUP BY runs.id"""
        ).fetchall()
    )


def _pattern(search: str) -> str:
    escaped = search.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"
