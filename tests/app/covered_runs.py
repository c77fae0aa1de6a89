"""A run over a small archive whose reads are known, for tests of coverage."""

from __future__ import annotations

from pathlib import Path

from written_runs import QUESTION, Writer

from rlm_core import events as ev
from rlm_core.corpus.corpus import Corpus
from rlm_core.corpus.ingest import Source
from rlm_core.evidence.mapping import VERSION
from rlm_core.jobs.asking import load_archive
from rlm_core.store.readings import ReadRow
from rlm_core.store.store import Store
from rlm_core.task import Finding, Task

QUOTE = "Dripped again after heavy rain, same beam."
REPORT = "".join(f"{number:02} Mar 2022   Dry.\n" for number in range(1, 131)) + f"09 Nov 2022   {QUOTE}\nClosed.\n"
START = REPORT.index(QUOTE)
MINUTES = "Minutes of the meeting. " * 60
FILES = {"mail/minutes.txt": MINUTES, "notes.txt": "Nothing of note.\n", "reports/05.txt": REPORT}
FOUND = ev.QuoteChecked("exact", "reports/05.txt", START, START + len(QUOTE), 131)
FINDINGS = ((Finding("A12", "yes", QUOTE, "reports/05.txt:131"), FOUND),)
CELL, CALL = "f1.t2.c1", "f1.t2.c1.k1"
FINDING = f"{CELL}.r1"
PRINTED, SLICE = (0, 1001), (2001, len(REPORT))
"""What the first cell printed of the report, which is the last document, and what the first helper call was sent of it."""


def archive(home: Path, files: dict[str, str] = FILES) -> Corpus:
    store = Store.open(home)
    corpus, _ = load_archive(store, [Source(name, text.encode()) for name, text in files.items()], name="reports")
    store.close()
    return corpus


def reads(corpus: Corpus) -> list[ReadRow]:
    """The beginning of the report was printed, its end sent and cited; of the notes all was printed, ambiguously."""
    place = {each.path: each.index for each in corpus.documents}
    report, notes = place["reports/05.txt"], place["notes.txt"]
    return [
        ReadRow("f1.t1.c1", report, *PRINTED, "printed", False),
        ReadRow("f1.t1.c1", notes, 0, 17, "printed", True),
        ReadRow(CALL, report, *SLICE, "sent", False),
        ReadRow(FINDING, report, START, START + len(QUOTE), "cited", False),
    ]


def add(home: Path, run: str, rows: list[ReadRow]) -> None:
    store = Store.open(home)
    last = store.events(run)[-1].seq
    assert store.add_readings(run, VERSION, -1, last, rows, [])
    store.close()


def covered(home: Path, run: str = "run-1", strategy: str = "rlm") -> str:
    corpus = archive(home)
    with Writer(home, run, Task(QUESTION, corpus.id, strategy)) as life:
        life.turn()
        life.turn("I ask.", calls=2, findings=FINDINGS)
        life.finish()
    add(home, run, reads(corpus))
    return run


def shown_in_prompts(home: Path, run: str = "run-3") -> str:
    """A run whose helper was sent the whole report, which nobody has looked for."""
    corpus = archive(home)
    with Writer(home, run, Task(QUESTION, corpus.id)) as life:
        life.turn("I ask.", calls=1, findings=FINDINGS, hostile=f"{REPORT}\n")
        life.finish()
    return run
