"""What people write on runs: a title, and tags. Plain tables; no event knows of them, and a rebuild leaves them alone.

Each function works inside the caller's transaction, on a connection to the store. A run that is queued has none yet but its
job, whose id it will have, so a job can be annotated as well.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from sqlite3 import Connection

from rlm_core.errors import StoreError

TITLE_CHARS = 200
TAG_CHARS = 40
TAGS_OF_A_RUN = 20


@dataclass(frozen=True, slots=True)
class Annotation:
    title: str | None = None
    tags: tuple[str, ...] = ()
    """In alphabetical order."""


def rename(connection: Connection, run: str, title: str) -> None:
    """Give `run` a title, on one line; an empty one takes it away."""
    words = _one_line(title, TITLE_CHARS, "title")
    _expect_run(connection, run)
    if words:
        connection.execute("INSERT OR REPLACE INTO run_titles (run, title) VALUES (?, ?)", (run, words))
    else:
        connection.execute("DELETE FROM run_titles WHERE run = ?", (run,))


def set_tags(connection: Connection, run: str, tags: Iterable[str]) -> None:
    """Give `run` exactly these tags. Empty ones are left out, and of tags that differ in case only the first is kept."""
    wanted = {tag.casefold(): tag for tag in reversed([_one_line(each, TAG_CHARS, "tag") for each in tags]) if tag}
    if len(wanted) > TAGS_OF_A_RUN:
        raise StoreError(f"A run can have up to {TAGS_OF_A_RUN} tags, these are {len(wanted)}. Leave some out.")
    _expect_run(connection, run)
    connection.execute("DELETE FROM run_tags WHERE run = ?", (run,))
    connection.executemany("INSERT INTO run_tags (run, tag) VALUES (?, ?)", [(run, tag) for tag in wanted.values()])


def read_annotations(connection: Connection) -> dict[str, Annotation]:
    """By run, of those that have any."""
    titles: dict[str, str] = dict(connection.execute("SELECT run, title FROM run_titles").fetchall())
    tags: dict[str, list[str]] = {}
    for run, tag in connection.execute("SELECT run, tag FROM run_tags ORDER BY tag COLLATE NOCASE, tag"):
        tags.setdefault(run, []).append(tag)
    return {run: Annotation(titles.get(run), tuple(tags.get(run, ()))) for run in titles.keys() | tags.keys()}


def tags_in_use(connection: Connection) -> dict[str, int]:
    """Every tag, in alphabetical order, and how many runs have it."""
    counted = "SELECT tag, count(*) FROM run_tags GROUP BY tag ORDER BY tag COLLATE NOCASE, tag"
    return dict(connection.execute(counted).fetchall())


def _one_line(text: str, most: int, what: str) -> str:
    words = " ".join(text.encode("utf-8", "replace").decode("utf-8").split())
    if len(words) > most:
        raise StoreError(f"This {what} has {len(words)} characters, up to {most} are allowed. Shorten it.")
    return words


def _expect_run(connection: Connection, run: str) -> None:
    if not connection.execute(
        "SELECT 1 FROM runs WHERE id = ?1 UNION SELECT 1 FROM jobs WHERE id = ?1", (run,)
    ).fetchone():
        raise StoreError(f"There is no run {run}. It may have been deleted.")
