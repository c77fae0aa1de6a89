"""Records the run that a first visit shows: `python sample_data/record.py`. The model is `demo`, and the run says so."""

from __future__ import annotations

import tempfile
from pathlib import Path

from rlm_core.exporters.jsonl import to_lines
from rlm_core.jobs.asking import answer_now, load_archive, sample_question
from rlm_core.jobs.recorded import SAMPLE_RUN
from rlm_core.store.store import Store
from rlm_core.task import Task

HERE = Path(__file__).parent


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = Store.open(Path(folder))
        corpus, _ = load_archive(store, HERE / "maintenance.zip")
        view = answer_now(store, Task(sample_question(), corpus.id, options={"depth": 1}))
        if view.outcome != "answered" or view.run is None:
            raise SystemExit(f"The run ended as {view.outcome}: {view.finished and view.finished.reason}")
        file = HERE / SAMPLE_RUN
        file.parent.mkdir(exist_ok=True)
        file.write_text("".join(f"{line}\n" for line in to_lines(view.run, store.events(view.run))), encoding="utf-8")
        store.close()
        print(f"{file.name}: {view.last_seq + 1} events, {file.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
