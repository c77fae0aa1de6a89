"""The hand-made runs of the matrix, written into a data folder as light as they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from rlm_core import events as ev
from rlm_core.events import Event
from rlm_core.matrix import LightRun
from rlm_core.store.recorder import Recorder
from rlm_core.store.store import Store
from rlm_core.task import Answer, Origin, Task


def write(home: Path, runs: Iterable[LightRun], origins: Mapping[str, Origin] = {}) -> None:
    """Without jobs, as imported ones. Each as four events; one that is under way stays open, without a process."""
    Store.open(home).close()
    for run in runs:
        task = Task(run.question, run.corpus, run.strategy, run.options, run.root_model, run.helper_model)
        origin = origins.get(run.id)
        bodies: list[tuple[str, str | None, ev.Body]] = [
            ("run", None, ev.RunStarted(task, parent_run=origin.run if origin else None, origin=origin)),
            ("f1", "run", ev.FrameStarted(0, run.strategy, run.question)),
            ("f1.k1", "f1", ev.CallStarted("root", run.root_model, ())),
            (
                "f1.k1",
                None,
                ev.CallFinished("ok", "ok", None, None if run.unknown_cost_calls else run.cost_usd, "list"),
            ),
        ]
        if not run.active:
            answer = None if run.answer is None else Answer(run.answer)
            bodies.append(("run", None, ev.RunFinished("answered" if answer else "failed", answer, "why")))
        with Recorder.open(home, run.id) as recorder:
            recorder.copy(
                Event(run.id, seq, run.asked_at + seq * (run.elapsed_s or 1.0) / 4, span, parent, body)
                for seq, (span, parent, body) in enumerate(bodies)
            )
