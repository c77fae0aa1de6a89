"""One measured run, as users do it: `python -m rlm_core.bench.run_ours --scenario iter20 --base-url URL ...`.

The slot of RLM Studio in a benchmark that runs several products against a server which plays the model. A store in the log
folder, the context read into it as an archive, then the whole of the product: a run process of its own, its sandbox, every
event recorded. What comes of it is a JSON file, written again after each step, so that a run that is killed leaves what it
had. It knows how the benchmark calls it, and nothing of what is measured: nothing here is faster than what users have.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from rlm_core.errors import StudioError
from rlm_core.jobs.asking import answer_now, load_archive, open_store
from rlm_core.settings import Settings
from rlm_core.store.store import Store
from rlm_core.task import Json, Limits, Task

DATA_FOLDER = "data"
"""Below the log folder: all that the product writes."""


class Report:
    """The file that the benchmark reads."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._began = time.perf_counter()
        self._facts: Json = {}

    def add(self, **facts: object) -> None:
        self._facts.update(facts)
        unfinished = self._file.with_name(f"{self._file.name}.part")
        unfinished.write_text(json.dumps(self._facts), encoding="utf-8")
        unfinished.replace(self._file)

    def seconds(self) -> float:
        return time.perf_counter() - self._began


def main(arguments: list[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    report = Report(given.out)
    store = open_store(Settings(given.log_dir / DATA_FOLDER))
    report.add(ready_s=report.seconds())
    if given.import_only:
        return 0
    try:
        _answer(store, given, report)
    except StudioError as error:
        report.add(error=f"{type(error).__name__}: {error}")
    return 0


def _answer(store: Store, given: argparse.Namespace, report: Report) -> None:
    began = report.seconds()
    corpus, _ = load_archive(store, given.context_file)
    report.add(ctx_len=corpus.chars, load_s=report.seconds() - began)
    view = answer_now(
        store,
        Task(
            given.question,
            corpus.id,
            root_model=given.root_model,
            helper_model=given.sub_model,
            api_base=given.base_url,
            limits=_limits(given),
        ),
    )
    finished = view.finished
    reason = finished.reason if finished else "The run did not end."
    end = {"answer": view.answer.text} if view.answer else {"error": f"{view.outcome}: {reason}"}
    report.add(**end, outcome=view.outcome, run_s=report.seconds() - began)


def _limits(given: argparse.Namespace) -> Limits:
    """The shipped ones, but for those that every product is given alike."""
    asked: Json = {"max_turns": given.max_iterations, "max_calls": given.max_subcalls}
    if given.cell_timeout:
        asked["cell_timeout_s"] = given.cell_timeout
    return Limits(**{**asked, **given.opts})


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("scenario", "base-url", "root-model", "sub-model", "question"):
        parser.add_argument(f"--{name}", required=True)
    for name in ("context-file", "log-dir", "out"):
        parser.add_argument(f"--{name}", required=True, type=Path)
    parser.add_argument("--max-iterations", type=int, default=60)
    parser.add_argument("--max-subcalls", type=int, default=20_000)
    parser.add_argument("--cell-timeout", type=float, help="seconds; the shipped limit without it")
    parser.add_argument("--import-only", action="store_true")
    parser.add_argument("--opts", type=json.loads, default={}, help="more limits, as JSON: the fields of task.Limits")
    return parser


if __name__ == "__main__":
    sys.exit(main())
