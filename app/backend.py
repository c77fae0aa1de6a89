"""The one door to `rlm_core`: what pages may ask for, as plain frozen values.

Holds a store a data folder and the folded views of the runs that are being looked at, shared by all sessions. Knows no
widget. Whatever goes wrong on purpose leaves as a `Problem`, and `in_words` has its text for a person.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import streamlit as st

from app.passages import Passage, passage
from app.sheet import Sheet, queued_sheet, sheet_of
from rlm_core.corpus.corpus import Corpus
from rlm_core.corpus.ingest import Source
from rlm_core.corpus.report import HARMLESS, IngestReport, Item
from rlm_core.errors import StudioError
from rlm_core.jobs import asking
from rlm_core.plain import plain
from rlm_core.settings import Settings, load_settings
from rlm_core.store.rows import RunRow
from rlm_core.store.store import Store
from rlm_core.task import DEMO_MODEL, Json, Limits, Task
from rlm_core.view import RunView

__all__ = ["HARMLESS", "IngestReport", "Item", "ModelFacts", "Problem", "RunRow"]
"""Nouns of the core that pages may name."""

Problem = StudioError
ModelFacts = asking.ModelFacts

LISTED_RUNS = 500
RECORDED_RUN = asking.SAMPLE_RUN_ID
UNLISTED = "archive no longer listed"


def in_words(problem: Problem) -> str:
    """The text of a problem, safe to be shown as text: what it marks as code stands in quotation marks."""
    return plain(re.sub(r"`([^`\n]+)`", r"“\1”", str(problem)))


def settings() -> Settings:
    return load_settings()


@st.cache_resource(max_entries=4, show_spinner=False)
def _store_of(home: Path) -> Store:
    return asking.open_store(Settings(home))


def _store() -> Store:
    return _store_of(settings().home)


# ---------------------------------------------------------------------------------------------------------- archives


@dataclass(frozen=True, slots=True)
class Archive:
    """An archive that has been read. `tokens` is an estimate."""

    id: str
    name: str
    documents: int
    chars: int
    tokens: int
    added_at: float
    report: IngestReport


def archives() -> list[Archive]:
    """Newest first."""
    return [_archive(row) for row in _store().corpora()]


def only_the_sample(known: Sequence[Archive]) -> bool:
    """Whether nobody has read an archive of their own yet."""
    return all(each.name == asking.SAMPLE_ARCHIVE for each in known)


def archive(id: str) -> Archive | None:
    row = _store().corpus(id)
    return _archive(row) if row else None


def _archive(row: Any) -> Archive:
    report = IngestReport.from_dict(row.report)
    return Archive(row.id, row.name, row.documents, row.chars, row.chars // 4, row.added_at, report)


def read_upload(files: Sequence[tuple[str, bytes]]) -> Archive:
    """Read uploaded files into an archive. Raises `Problem`; `report_of` has what became of each file."""
    corpus, _ = asking.load_archive(_store(), [Source(name, content) for name, content in files])
    return _known(corpus)


def report_of(problem: Problem) -> IngestReport | None:
    return problem.report if isinstance(problem, asking.NothingRead) else None


def sample() -> Archive | None:
    """The sample archive, read on first use; `None` where it was not shipped."""
    store, path = _store(), asking.sample_archive()
    if path is None:
        return None
    return archive(_sample_id(store.home, path)) or _known(asking.load_archive(store, path)[0])


@st.cache_resource(max_entries=4, show_spinner=False)
def _sample_id(home: Path, path: Path) -> str:
    return asking.load_archive(_store_of(home), path)[0].id


def sample_question() -> str:
    return asking.sample_question()


def _known(corpus: Corpus) -> Archive:
    found = archive(corpus.id)
    assert found is not None
    return found


# ------------------------------------------------------------------------------------------------- what can be asked


@dataclass(frozen=True, slots=True)
class Choice:
    """One strategy as it can be ticked. `may_cut`: it can be told to cut what its window does not take."""

    name: str
    options: Json
    label: str
    says: str
    may_cut: bool = False


DEPTHS = {0: "code only, no sub-calls", 1: "code, helpers are plain calls", 2: "a helper may itself be an RLM"}


def choices() -> list[Choice]:
    """Every strategy, one row for each of its depths."""
    found = []
    for name, options, says in asking.strategies_in_words():
        may_cut = "cut" in options.get("overflow", ())
        for depth in options.get("depth", (None,)):
            chosen = {} if depth is None else {"depth": depth}
            label = name if depth is None else f"{name} depth {depth}"
            found.append(Choice(name, chosen, label, DEPTHS.get(depth, says), may_cut))
    return found


def cutting(choice: Choice) -> Choice:
    """The same strategy, told to cut what does not fit."""
    return replace(choice, options={**choice.options, "overflow": "cut"})


def limits(**given: float | int | None) -> Limits:
    """The settings' limits with what was given for this question."""
    return replace(settings().limits, **given)  # type: ignore[arg-type]


def strategy_label(strategy: str, options: Json) -> str:
    """`rlm depth 1`, `base, cut`. A depth that was not chosen is the strategy's own."""
    allowed = next((options for name, options, _ in asking.strategies_in_words() if name == strategy), {})
    depths = (options["depth"],) if "depth" in options else allowed.get("depth", ())
    depth = f" depth {depths[0]}" if depths else ""
    return f"{strategy}{depth}{', cut' if options.get('overflow') == 'cut' else ''}"


def known_models() -> list[str]:
    """Models to choose from: the demo, the settings' own, and those of earlier runs."""
    chosen, names = settings(), [DEMO_MODEL]
    names += [chosen.root_model, chosen.helper_model]
    for row in _store().runs(50):
        names += [row.root_model, row.helper_model]
    return list(dict.fromkeys(names))


@st.cache_data(max_entries=500, show_spinner=False)
def model_facts(model: str, api_base: str | None) -> ModelFacts:
    return asking.model_facts(model, api_base)


def demo_rules() -> Json:
    return asking.demo_lexicon()


def fits(archive: Archive, window_tokens: int | None) -> bool | None:
    """Whether the whole archive fits one prompt; `None` where the window is not known."""
    return asking.fits_base(_store(), archive.id, window_tokens)


def start(tasks: Sequence[Task]) -> list[str]:
    """Give the tasks to the worker, all or none. Returns the id of each one's first run."""
    for task in tasks:
        asking.check(task)
    return [asking.start(_store(), task) for task in tasks]


def cancel(run: str) -> bool:
    return asking.cancel(_store(), run)


# -------------------------------------------------------------------------------------------------------------- runs


@dataclass(slots=True)
class _Followed:
    """A run that somebody looks at: its view so far, and the sheet made of it."""

    view: RunView = field(default_factory=RunView)
    sheet: Sheet | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)


@st.cache_resource(max_entries=8, show_spinner=False)
def _followed(home: Path, run: str) -> _Followed:
    return _Followed()


def sheet(run: str) -> Sheet | None:
    """The run as it is now, also one that has not begun; `None` if there is no such run."""
    store = _store()
    row = store.run(run)
    if row is None:
        job = store.job(run)
        return queued_sheet(job.id, job.task) if job else None
    followed = _followed(store.home, run)
    with followed.lock:
        new = store.events(run, followed.view.last_seq, resolve=False)
        for event in new:
            followed.view.apply(event)
        if new or followed.sheet is None:
            followed.sheet = sheet_of(followed.view)
        return followed.sheet


def prompt(run: str, call: str) -> list[tuple[str, Passage]]:
    """All messages that a call was sent: role and text."""
    followed = _followed(_store().home, run)
    with followed.lock:
        return [(message.role, passage(message.text)) for message in followed.view.prompt(call)]


def whole(text: Passage) -> str:
    """All of a text."""
    return text.head if text.sha is None else _text(_store().home, text.sha)


@st.cache_data(max_entries=200, show_spinner=False)
def _text(home: Path, sha: str) -> str:
    return _store_of(home).text(sha)


@dataclass(frozen=True, slots=True)
class RunLine:
    """A run at a glance, begun or not."""

    id: str
    state: str
    question: str
    archive: str
    strategy: str
    models: str
    started_at: float
    row: RunRow | None = None


def runs() -> list[RunLine]:
    """Newest first, with what is still queued at the top."""
    names = {row.id: row.name for row in _store().corpora()}
    begun = [
        RunLine(
            row.id,
            row.outcome or "running",
            row.question,
            names.get(row.corpus, UNLISTED),
            strategy_label(row.strategy, row.options),
            models_label(row.root_model, row.helper_model),
            row.started_at,
            row,
        )
        for row in _store().runs(LISTED_RUNS)
    ]
    known = {line.id for line in begun}
    waiting = [
        RunLine(
            job.id,
            "queued",
            job.task.question,
            names.get(job.task.corpus, UNLISTED),
            strategy_label(job.task.strategy, job.task.options),
            models_label(job.task.root_model, job.task.helper_model),
            job.created_at,
        )
        for job in _store().jobs("queued")
        if job.id not in known
    ]
    return [*reversed(waiting), *begun]


def models_label(root: str, helper: str) -> str:
    return root if root == helper else f"{root}, helpers {helper}"


def newest_run() -> str | None:
    found = runs()
    return found[0].id if found else None


def recorded_run() -> str | None:
    """The recorded run that is shipped, put into the data folder on first use; `None` if it was deleted."""
    return asking.ensure_sample_run(_store())
