"""Runs in which nothing went wrong: the recorded sample, `demo` over the samples and over real dumps, and models that write the
right code at once. What a rule says of one of them above a note is a false alarm.

    HEALTHY["demo on rustsec"](home)        # written into a data folder; the id of the run
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

from dump_answers import CODE, DUMPS, turns
from runs import scripted

from rlm_core.jobs.asking import load_archive, sample_question
from rlm_core.jobs.recorded import ensure_sample_run
from rlm_core.lm.client import LM
from rlm_core.lm.demo import DemoLM
from rlm_core.run import run_task
from rlm_core.store.recorder import Recorder
from rlm_core.store.store import Store
from rlm_core.task import Json, Task

SAMPLES = Path(__file__).parents[2] / "sample_data"
MAILS = "Which people are named most often?"
ROOMS = "In which rooms did the leak come back after it had been repaired?"

Write = Callable[[Path], str]


def _recorded(home: Path) -> str:
    store = Store.open(home)
    run = ensure_sample_run(store)
    store.close()
    assert run is not None
    return run


def _run(
    archive: Path, question: str, models: Callable[[], LM], options: Json, home: Path, strategy: str = "rlm"
) -> str:
    store = Store.open(home)
    corpus, _ = load_archive(store, archive)
    task = Task(question, corpus.id, strategy, options)
    run = store.add_job(task, state="running")
    with Recorder.open(home, run) as recorder:
        run_task(task, corpus, models(), recorder.emit, emit_all=recorder.emit_all, job=run)
    store.set_job_state(run, "finished")
    store.close()
    return run


def _on_samples() -> dict[str, Write]:
    maintenance, three = SAMPLES / "maintenance.zip", SAMPLES / "three_rooms.txt"
    return {
        "sample, recorded": _recorded,
        "demo on sample, depth 1": partial(_run, maintenance, sample_question(), DemoLM, {"depth": 1}),
        "demo on sample, depth 0": partial(_run, maintenance, sample_question(), DemoLM, {"depth": 0}),
        "demo on sample, depth 2": partial(_run, maintenance, sample_question(), DemoLM, {"depth": 2}),
        "demo on sample, mails": partial(_run, maintenance, "How many mails are there from each sender?", DemoLM, {}),
        "demo on three rooms": partial(_run, three, ROOMS, DemoLM, {}),
        "demo on three rooms, base": partial(_run, three, ROOMS, DemoLM, {}, strategy="base"),
    }


def _on_dumps() -> dict[str, Write]:
    """Where they lie beside the repository."""
    if not DUMPS.is_dir():
        return {}
    found: dict[str, Write] = {}
    for asked in json.loads((DUMPS / "questions.json").read_text(encoding="utf-8")):
        name, archive = asked["id"], DUMPS / asked["file"]
        found[f"demo on {name}"] = partial(_run, archive, asked["question"], DemoLM, {})
        if name in CODE:
            models = partial(scripted, *turns(CODE[name]))
            found[f"code on {name}"] = partial(_run, archive, asked["question"], models, {})
    return found


HEALTHY: dict[str, Write] = {**_on_samples(), **_on_dumps()}
