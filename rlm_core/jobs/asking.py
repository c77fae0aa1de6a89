"""The one facade of the engine: what both doors and a notebook may ask for.

It reads an archive, starts a task in the foreground or in the background, follows it, and cancels it. It holds no state:
everything is in the store.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from rlm_core.corpus.corpus import Corpus
from rlm_core.corpus.ingest import IngestLimits, Source, ingest, sources_of
from rlm_core.corpus.known import fingerprint, known, remember
from rlm_core.corpus.report import IngestReport, Item
from rlm_core.errors import CorpusError, TaskError
from rlm_core.jobs.lives import cancel_queued, close_abandoned
from rlm_core.jobs.supervise import live
from rlm_core.lm.prices import price_of, similar_models
from rlm_core.lm.router import check_model
from rlm_core.run import check_task
from rlm_core.samples import ARCHIVE, sample
from rlm_core.settings import Settings, load_settings
from rlm_core.store.store import Store
from rlm_core.strategies import STRATEGIES
from rlm_core.strategies.base_lm import room_bytes, size_bytes
from rlm_core.task import DEMO_MODEL, Limits, Origin, Task
from rlm_core.view import RunView

POLL_S = 0.2
SAMPLE_ARCHIVE = ARCHIVE
SAMPLE_QUESTION = (
    "In which rooms did the leak come back after it had been repaired? "
    "Count them, and quote the deciding sentence for each."
)


class NothingRead(CorpusError):
    """No document of an upload could be read. `report` says why, file by file."""

    def __init__(self, report: IngestReport) -> None:
        reasons = [f"{item.path}: {item.status}{f', {item.reason}' if item.reason else ''}" for item in report.items]
        more = f" and {len(reasons) - 5} more" if len(reasons) > 5 else ""
        listed = "; ".join(reasons[:5]) or "it holds no files"
        super().__init__(f"Nothing in this archive can be read ({listed}{more}). Add at least one file with text.")
        self.report = report


def open_store(settings: Settings) -> Store:
    """The store of a data folder, after closing what an earlier crash has left open."""
    store = Store.open(settings.home)
    close_abandoned(store)
    return store


def load_archive(
    store: Store,
    archive: Path | Sequence[Source],
    *,
    name: str | None = None,
    limits: IngestLimits | None = None,
    on_item: Callable[[Item], None] = lambda item: None,
) -> tuple[Corpus, IngestReport]:
    """Read an archive into the store, within `limits` or those of its settings; `on_item` is told what became of each file.
    Raises `NothingRead` (a `CorpusError`) if no document is there."""
    if isinstance(archive, Path):
        if not archive.exists():
            raise CorpusError(f"There is no file or folder {archive}.")
        name = name or archive.name
        archive = sources_of(archive)
    limits = limits or load_settings(store.home).ingest_limits
    corpus, report = _read_once(archive, store.home / "corpora", limits, name, on_item)
    if report.already_here and store.corpus(corpus.id):
        return corpus, report  # listed since it was read
    size = sum(file.stat().st_size for file in corpus.folder.iterdir())
    store.add_corpus(corpus.id, corpus.name, size, report.to_dict(), len(corpus.documents), corpus.chars)
    return corpus, report


def _read_once(
    sources: Sequence[Source], corpora: Path, limits: IngestLimits, name: str | None, on_item: Callable[[Item], None]
) -> tuple[Corpus, IngestReport]:
    """An upload that has become a corpus before is not read again: its report says so."""
    upload = fingerprint(sources, limits)
    if upload and (found := known(corpora, upload)):
        return found[0], replace(found[1], already_here=True)
    corpus, report = ingest(sources, corpora, limits, name=name, on_item=on_item)
    if corpus is None:
        raise NothingRead(report)
    if upload:
        remember(corpus, upload)
    return corpus, report


def check(task: Task) -> None:
    """Raise `TaskError` for a task that cannot work, before anything is stored or spent."""
    check_task(task)
    for model in (task.root_model, task.helper_model):
        check_model(model, task.api_base)


def start(store: Store, task: Task) -> str:
    """Give the task to the worker. Returns the id of its first run."""
    check(task)
    return store.add_job(task)


def answer_now(
    store: Store,
    task: Task,
    on_change: Callable[[RunView], None] = lambda view: None,
    *,
    origin: Origin | None = None,
) -> RunView:
    """Run the task here and wait for it. Ctrl-C cancels the run and still returns its view; a second one kills it.

    `origin` is the run that it goes on from (`going_on.py`).
    """
    check(task)
    job_id = store.add_job(task, state="running", origin=origin)
    job = store.job(job_id)
    assert job is not None
    views: dict[str, RunView] = {}

    def poll(run: str) -> None:
        view = views.setdefault(run, RunView())
        if _catch_up(store, run, view):
            on_change(view)

    try:
        live(store, job, job_id, on_poll=poll)
    finally:
        store.set_job_state(job_id, "finished")
    run, view = list(views.items())[-1]
    _catch_up(store, run, view)
    return view


def follow(
    store: Store, run: str, on_change: Callable[[RunView], None] = lambda view: None, timeout_s: float | None = None
) -> RunView:
    """The view of a run in the background, followed until it ends or `timeout_s` have passed."""
    view, until = RunView(), time.monotonic() + (timeout_s if timeout_s is not None else float("inf"))
    while True:
        if _catch_up(store, run, view):
            on_change(view)
        if view.outcome is not None or time.monotonic() >= until:
            return view
        time.sleep(POLL_S)


def _catch_up(store: Store, run: str, view: RunView) -> bool:
    """Apply what is new in the store; whether there was anything."""
    events = store.events(run, view.last_seq)
    for event in events:
        view.apply(event)
    return bool(events)


def cancel(store: Store, run: str) -> bool:
    """Ask a run to stop. False if it had ended, or never was."""
    row = store.run(run)
    if (row is None and store.job(run) is None) or (row is not None and row.outcome is not None):
        return False
    if row is not None or not cancel_queued(store, run):
        store.add_command(run, "cancel")
    return True


def ask(
    archive: str | Path,
    question: str,
    *,
    strategy: str = "rlm",
    options: dict[str, Any] | None = None,
    model: str | None = None,
    root_model: str | None = None,
    helper_model: str | None = None,
    api_base: str | None = None,
    limits: Limits | None = None,
    home: Path | None = None,
) -> RunView:
    """Ask a question of a file, a folder or an archive, wait, and return the run: `.answer`, `.findings()`, `.totals()`.

    Works in a notebook: `rlm_core.ask("reports.zip", "Which pumps failed twice?", model="openai/gpt-5-mini")`. Models
    default to the settings (without any, to `demo`, which is rule-based and no language model). Raises `StudioError`
    for a task that cannot be run; a run that fails says so in `.outcome` and `.finished.reason`.
    """
    settings = load_settings(home)
    store = open_store(settings)
    corpus, _ = load_archive(store, Path(archive))
    task = Task(
        question,
        corpus.id,
        strategy,
        options or {},
        root_model or model or settings.root_model,
        helper_model or model or settings.helper_model,
        api_base or settings.api_base,
        limits or settings.limits,
    )
    return answer_now(store, task)


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What is known of a model before it is used. `None` is unknown."""

    known: bool
    window_tokens: int | None = None
    input_usd: float | None = None
    """US dollars per token, as of the price list."""
    output_usd: float | None = None
    similar: tuple[str, ...] = ()
    problem: str | None = None
    """Why the model cannot be used as named."""


def model_facts(model: str, api_base: str | None = None) -> ModelFacts:
    """Window, price and spelling of a model, from lists on this machine; no request is made."""
    if model == DEMO_MODEL:
        return ModelFacts(True, None, 0.0, 0.0)
    price = price_of(model)
    try:
        check_model(model, api_base)
    except TaskError as error:
        return ModelFacts(False, similar=tuple(similar_models(model)), problem=str(error))
    if price is None:
        return ModelFacts(False)
    return ModelFacts(True, price.window_tokens, price.input_usd, price.output_usd)


def fits_base(store: Store, corpus: str, window_tokens: int | None, question: str = "") -> bool | None:
    """Whether the strategy `base` can show the whole corpus in one prompt; `None` where the window is not known."""
    room = room_bytes(window_tokens, question)
    return None if room is None else size_bytes(Corpus.open(store.home / "corpora" / corpus)) <= room


def strategies_in_words() -> list[tuple[str, dict[str, tuple[Any, ...]], str]]:
    """Name, options (allowed values, the default first) and a sentence for each strategy."""
    return [(name, strategy.options, strategy.says) for name, strategy in STRATEGIES.items()]


def demo_lexicon() -> dict[str, Any]:
    """The rules of the demo model, as data to be shown."""
    text = files("rlm_core.lm").joinpath("demo_lexicon.json").read_text(encoding="utf-8")
    lexicon: dict[str, Any] = json.loads(text)
    return lexicon


def sample_archive() -> Path | None:
    """The shipped sample archive, or `None` where it was not installed."""
    try:
        return sample()
    except CorpusError:
        return None


def sample_question() -> str:
    return SAMPLE_QUESTION
