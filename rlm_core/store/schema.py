"""The tables, as numbered migrations. A migration that has been released is never edited: add the next one.

Each runs in one transaction together with the record that it ran, and ends by writing its number into `user_version`,
which is what a recorder looks at. `connection.SCHEMA_VERSION` is the last number.

    events, texts, text_refs       the facts: everything else about runs can be computed from them
    runs, spans                    projections of the events (`projections.py`), made for speed
    jobs, commands, corpora        what the doors ask for and keep
    run_titles, run_tags           what people write on runs (`annotations.py`)
    node_notes                     what people say of single nodes of runs (`node_notes.py`)
    right_answers                  what people say the answer to a question of an archive is (`right_answers.py`)
    item_choices                   what people decide of the items of compared runs (`choices.py`)
    stories                        what people have changed in the stories of runs (`stories.py`)
    reads, quotes, readings        what the models of a run were shown, and where its quotes stand: computed from events and
                                   archive together, up to an event, and added to as a run goes on (`readings.py`)
"""

from __future__ import annotations

from pathlib import Path

from filelock import FileLock, Timeout

from rlm_core.errors import StoreError
from rlm_core.store.connection import APPLICATION_ID, SCHEMA_VERSION, check_version, connect, plain_words
from rlm_core.store.sqlite_library import Database, Migrations

MIGRATION_TIMEOUT_S = 60.0

migrations = Migrations("rlm")


def migrate(home: Path) -> None:
    """Bring the database of `home` to this version's schema, creating it if need be; one process at a time."""
    with plain_words(home):
        try:
            with FileLock(home / "store.lock", timeout=MIGRATION_TIMEOUT_S):
                _migrate(home)
        except Timeout as error:
            raise StoreError(
                f"Another program has been updating the data folder {home} for {MIGRATION_TIMEOUT_S:g} s. "
                "Wait until it is done, and try again."
            ) from error


def _migrate(home: Path) -> None:
    connection = connect(home)
    try:
        version = check_version(connection, home)
        if version == SCHEMA_VERSION:
            return
        if not version:  # only before the first table: lets the file shrink again, see `disk_use.give_back`
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("PRAGMA journal_mode = WAL")
        migrations.apply(Database(connection))
    finally:
        connection.close()


@migrations()
def m001_events_projections_and_requests(db: Database) -> None:
    for statement in _M001:
        db.execute(statement)
    db.execute("PRAGMA user_version = 1")


@migrations()
def m002_titles_tags_and_sizes_of_texts(db: Database) -> None:
    for statement in _M002:
        db.execute(statement)
    db.execute("PRAGMA user_version = 2")


@migrations()
def m003_where_a_job_goes_on_from(db: Database) -> None:
    db.execute("ALTER TABLE jobs ADD COLUMN origin TEXT")
    db.execute("PRAGMA user_version = 3")


@migrations()
def m004_what_models_were_shown(db: Database) -> None:
    for statement in _M004:
        db.execute(statement)
    db.execute("PRAGMA user_version = 4")


@migrations()
def m005_notes_on_nodes(db: Database) -> None:
    db.execute(_M005)
    db.execute("PRAGMA user_version = 5")


@migrations()
def m006_right_answers(db: Database) -> None:
    db.execute(_M006)
    db.execute("PRAGMA user_version = 6")


@migrations()
def m007_choices_between_runs(db: Database) -> None:
    db.execute(_M007)
    db.execute("PRAGMA user_version = 7")


@migrations()
def m008_stories(db: Database) -> None:
    db.execute(_M008)
    db.execute("PRAGMA user_version = 8")


_M001 = (
    # `body` is JSON; a text above `payload.INLINE_CHARS` is replaced in it by a reference to `texts`.
    """CREATE TABLE events (
        run TEXT NOT NULL, seq INTEGER NOT NULL, at REAL NOT NULL, span TEXT NOT NULL, parent TEXT,
        kind TEXT NOT NULL, body TEXT NOT NULL,
        PRIMARY KEY (run, seq)
    ) STRICT, WITHOUT ROWID""",
    # `text` is NULL where the text lies in a file of `blobs/`.
    "CREATE TABLE texts (sha TEXT PRIMARY KEY, text TEXT) STRICT",
    """CREATE TABLE text_refs (
        run TEXT NOT NULL, sha TEXT NOT NULL REFERENCES texts(sha),
        PRIMARY KEY (run, sha)
    ) STRICT, WITHOUT ROWID""",
    "CREATE INDEX text_refs_by_sha ON text_refs (sha)",
    # NULL is unknown: tokens and cost are sums of what is known, and `unknown_cost_calls` says how much is not.
    """CREATE TABLE runs (
        id TEXT PRIMARY KEY, job TEXT, parent_run TEXT, question TEXT NOT NULL, corpus TEXT NOT NULL,
        strategy TEXT NOT NULL, options TEXT NOT NULL, root_model TEXT NOT NULL, helper_model TEXT NOT NULL,
        started_at REAL NOT NULL, finished_at REAL, outcome TEXT, reason TEXT, answer TEXT,
        calls INTEGER NOT NULL DEFAULT 0, failed_calls INTEGER NOT NULL DEFAULT 0,
        cells INTEGER NOT NULL DEFAULT 0, findings INTEGER NOT NULL DEFAULT 0,
        input_tokens INTEGER, output_tokens INTEGER, cost_usd REAL, unknown_cost_calls INTEGER NOT NULL DEFAULT 0,
        last_seq INTEGER NOT NULL
    ) STRICT""",
    "CREATE INDEX runs_by_start ON runs (started_at)",
    "CREATE INDEX runs_by_job ON runs (job)",
    "CREATE INDEX runs_unfinished ON runs (id) WHERE outcome IS NULL",
    """CREATE TABLE spans (
        run TEXT NOT NULL, id TEXT NOT NULL, parent TEXT, seq INTEGER NOT NULL, kind TEXT NOT NULL,
        role TEXT, model TEXT, depth INTEGER, started_at REAL NOT NULL, finished_at REAL, status TEXT,
        verdict TEXT, input_tokens INTEGER, output_tokens INTEGER, cost_usd REAL, fold_key TEXT NOT NULL, label TEXT NOT NULL,
        PRIMARY KEY (run, id)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE jobs (
        id TEXT PRIMARY KEY, created_at REAL NOT NULL, task TEXT NOT NULL, title TEXT, state TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX jobs_by_state ON jobs (state, created_at)",
    """CREATE TABLE commands (
        id INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL, kind TEXT NOT NULL, payload TEXT NOT NULL,
        at REAL NOT NULL
    ) STRICT""",
    "CREATE INDEX commands_by_run ON commands (run, id)",
    """CREATE TABLE corpora (
        id TEXT PRIMARY KEY, name TEXT NOT NULL, added_at REAL NOT NULL, folder_bytes INTEGER, report TEXT NOT NULL,
        documents INTEGER NOT NULL, chars INTEGER NOT NULL
    ) STRICT""",
)

_M002 = (
    "CREATE TABLE run_titles (run TEXT PRIMARY KEY, title TEXT NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE TABLE run_tags (run TEXT NOT NULL, tag TEXT NOT NULL, PRIMARY KEY (run, tag)) STRICT, WITHOUT ROWID",
    "CREATE INDEX run_tags_by_tag ON run_tags (tag)",
    # The title of a job is that of its first run, which has the same id.
    "INSERT INTO run_titles (run, title) SELECT id, title FROM jobs WHERE trim(title) <> ''",
    "ALTER TABLE jobs DROP COLUMN title",
    # NULL where the text lies in a file. The index spares a look at the text itself.
    "ALTER TABLE texts ADD COLUMN bytes INTEGER GENERATED ALWAYS AS (length(CAST(text AS BLOB))) VIRTUAL",
    "CREATE INDEX texts_by_size ON texts (sha, bytes)",
)

_M004 = (
    # `document` is its number in the run's archive; offsets are characters of its text.
    """CREATE TABLE reads (
        run TEXT NOT NULL, span TEXT NOT NULL, document INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL,
        how TEXT NOT NULL, ambiguous INTEGER NOT NULL
    ) STRICT""",
    "CREATE INDEX reads_by_run ON reads (run, document)",
    # Quotes within replies and answers; those of findings are events.
    """CREATE TABLE quotes (
        run TEXT NOT NULL, span TEXT NOT NULL, at INTEGER NOT NULL, quote TEXT NOT NULL, verdict TEXT NOT NULL,
        document TEXT, start INTEGER, end INTEGER, line INTEGER, score REAL, places INTEGER
    ) STRICT""",
    "CREATE INDEX quotes_by_run ON quotes (run, span)",
    # Up to which event a run was looked at, and by which version of the search; how much of its archive it was shown.
    """CREATE TABLE readings (
        run TEXT PRIMARY KEY, last_seq INTEGER NOT NULL, version INTEGER NOT NULL, shown_chars INTEGER NOT NULL, chars INTEGER
    ) STRICT, WITHOUT ROWID""",
)

# `judged` is `right`, `wrong` or NULL.
_M005 = """CREATE TABLE node_notes (
    run TEXT NOT NULL, span TEXT NOT NULL, label TEXT NOT NULL, text TEXT NOT NULL, judged TEXT, at REAL NOT NULL,
    PRIMARY KEY (run, span)
) STRICT, WITHOUT ROWID"""

# `answer` is JSON: text, a number, or a list.
_M006 = """CREATE TABLE right_answers (
    corpus TEXT NOT NULL, question TEXT NOT NULL, answer TEXT NOT NULL, match TEXT NOT NULL, at REAL NOT NULL,
    PRIMARY KEY (corpus, question)
) STRICT, WITHOUT ROWID"""

# `runs` are ids, sorted and parted by commas; `right_run` is empty where none of them is right.
_M007 = """CREATE TABLE item_choices (
    runs TEXT NOT NULL, item TEXT NOT NULL, right_run TEXT NOT NULL, label TEXT NOT NULL, at REAL NOT NULL,
    PRIMARY KEY (runs, item)
) STRICT, WITHOUT ROWID"""

# `steps` is JSON: the steps of a story as a person wants them, in order (`story_edits.py`).
_M008 = """CREATE TABLE stories (run TEXT PRIMARY KEY, steps TEXT NOT NULL, at REAL NOT NULL) STRICT, WITHOUT ROWID"""
