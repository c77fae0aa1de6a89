"""The runs that are shipped, put into a data folder: the one that a first visit shows, and a base model beside an RLM.

None comes back that somebody has deleted, but the comparison does when it is asked for again.
"""

from __future__ import annotations

from rlm_core.importers.jsonl import read_lines
from rlm_core.jobs.asking import load_archive, sample_archive
from rlm_core.jobs.importing import import_runs
from rlm_core.samples import sample
from rlm_core.store.recorder import Recorder
from rlm_core.store.store import Store

SAMPLE_RUN_ID = "sample"
SAMPLE_RUN = "runs/maintenance-demo.jsonl"
COMPARISON = ("sample-base", "sample-rlm")
"""Runs of the sample question, whose models were played by a capable language model; each is `runs/<id>.jsonl`."""
RECORDED = frozenset({SAMPLE_RUN_ID, *COMPARISON})


def ensure_sample_run(store: Store) -> str | None:
    """The recorded run of the sample archive, put into a data folder that has never seen it.

    `None` if it was deleted, or where the samples were not installed.
    """
    marker = store.home / "sample-run"
    if not marker.exists() and sample_archive():
        load_archive(store, sample())
        with Recorder.open(store.home, SAMPLE_RUN_ID) as recorder:
            if not recorder.begun:
                with sample(SAMPLE_RUN).open(encoding="utf-8") as lines:
                    recorder.copy(read_lines(lines))
        marker.touch()
    return SAMPLE_RUN_ID if store.run(SAMPLE_RUN_ID) else None


def recorded_comparison(store: Store) -> tuple[str, ...]:
    """The runs of `COMPARISON`, with their archive; those that are not there are put there. Raises `CorpusError` where the
    samples were not installed."""
    load_archive(store, sample())
    for run in COMPARISON:
        if store.run(run) is None:
            list(import_runs(store, sample(f"runs/{run}.jsonl")))
    return COMPARISON
