"""A run whose helper read each entry of a room alone, and whose findings were shown before, afterwards and never."""

from __future__ import annotations

from pathlib import Path

import covered_runs
from written_runs import QUESTION, Writer

from rlm_core import events as ev
from rlm_core.store.readings import ReadRow
from rlm_core.task import Finding, Task, Verdict

ENTRIES = {
    "A12": (
        "01 Mar 2021  Room A12. Water dripped from the beam above the window after the heavy rain.",
        "14 Jun 2021  Room A12. The roof over the beam was sealed anew and watched: dry for a week.",
        "09 Nov 2022  Room A12. Dripped again from the very same beam, though it had rained little.",
    ),
    "B07": ("02 Apr 2021  Room B07. The radiator was heard to knock at night and was bled.",),
    "C02": ("03 May 2021  Room C02. The lock of the door was oiled.",),
    "D05": ("04 May 2021  Room D05. The lamp was replaced.",),
}
TEXT = "\n".join(line for lines in ENTRIES.values() for line in lines) + "\n"
CELL, LATER = "f1.t1.c1", "f1.t2.c1.k1"
CALLS = tuple(f"{CELL}.k{number}" for number in (1, 2, 3))
FINDINGS = tuple(f"{CELL}.r{number}" for number in range(1, 7))


def _found(item: str, line: str, verdict: Verdict = "exact") -> tuple[Finding, ev.QuoteChecked]:
    start = TEXT.index(line)
    place = ev.QuoteChecked(verdict, "rooms.txt", start, start + len(line), TEXT[:start].count("\n") + 1)
    return Finding(item, "wet", line, "rooms.txt"), place if verdict == "exact" else ev.QuoteChecked(verdict)


def read_apart(home: Path, run: str = "run-apart") -> str:
    """A12 went to a call for each of its entries; B07 was sent to a call of the next turn, C02 to none; D05 has no place."""
    corpus = covered_runs.archive(home, {"rooms.txt": TEXT})
    recorded = [
        _found(item, line, "not found" if item == "D05" else "exact")
        for item, lines in ENTRIES.items()
        for line in lines
    ]
    with Writer(home, run, Task(QUESTION, corpus.id)) as life:
        life.turn("I ask.", calls=3, findings=tuple(recorded))
        life.turn("I ask once more.", calls=1)
        life.finish()
    read = [*zip(CALLS, ENTRIES["A12"], strict=True), (LATER, ENTRIES["B07"][0])]
    rows = [ReadRow(call, 0, TEXT.index(line), TEXT.index(line) + len(line), "sent", False) for call, line in read]
    covered_runs.add(home, run, rows)
    return run
