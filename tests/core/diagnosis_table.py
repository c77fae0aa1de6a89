"""The table of rules and runs: which rule finds which fault at its place, and what it says where nothing is wrong.

    python tests/core/diagnosis_table.py [LOG ...]

plays the runs that went wrong and those that were mended, by scripted models and by `demo`, takes the answered runs in LOGs of
other tools as healthy, and prints a line a rule: hits at the right node, words elsewhere in failed runs, false alarms, notes. A
fault that no rule finds, and any false alarm, makes it end with 1.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from failed_runs import FAILED, write_failed_run
from healthy_runs import HEALTHY
from mended_runs import MENDED, write_mended_run

from rlm_core.cli.tables import table
from rlm_core.diagnose.rules import RULES, diagnose, name_of
from rlm_core.diagnose.symptoms import SEVERITIES, Symptom
from rlm_core.jobs.diagnosing import material_of
from rlm_core.jobs.importing import import_runs
from rlm_core.store.store import Store

NOTE = SEVERITIES[-1]


@dataclass(frozen=True, slots=True)
class Looked:
    """A run with what the rules said of it. `wrong` are the nodes of its fault; none of a healthy one."""

    name: str
    wrong: frozenset[str]
    symptoms: tuple[Symptom, ...]

    def hits(self) -> Iterator[Symptom]:
        """What names the place of the fault."""
        return (each for each in self.symptoms if each.severity != NOTE and {each.span, *each.also} & self.wrong)

    def alarms(self) -> Iterator[Symptom]:
        """What is said above a note of a run in which nothing is wrong."""
        return (each for each in self.symptoms if each.severity != NOTE and not self.wrong)


def looked_at(home: Path, name: str, wrong: frozenset[str], write: Callable[[Path], str]) -> Looked:
    """Write a run into a data folder, and look at it."""
    run = write(home)
    store = Store.open(home)
    try:
        return Looked(name, wrong, tuple(diagnose(material_of(store, run))))
    finally:
        store.close()


def failed(home: Path) -> Iterator[Looked]:
    for each in FAILED:
        yield looked_at(home, each.letter, each.wrong, partial(write_failed_run, letter=each.letter))


def mended(home: Path) -> Iterator[Looked]:
    for each in MENDED:
        yield looked_at(home, f"{each.letter} mended", frozenset(), partial(write_mended_run, letter=each.letter))


def healthy(home: Path) -> Iterator[Looked]:
    yield from mended(home)
    for name, write in HEALTHY.items():
        yield looked_at(home, name, frozenset(), write)


def imported(home: Path, logs: Sequence[Path]) -> Iterator[Looked]:
    store = Store.open(home)
    for log in logs:
        for number, each in enumerate(import_runs(store, log), 1):
            material = material_of(store, each.run)
            if material.view.outcome == "answered":
                yield Looked(f"{log.parent.name}/{log.name} {number}", frozenset(), tuple(diagnose(material)))
    store.close()


def in_words(runs: Sequence[Looked]) -> str:
    """The table, then every miss and every false alarm."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    places: dict[str, list[str]] = defaultdict(list)
    for run in runs:
        hits = list(run.hits())
        for each in run.symptoms:
            kind = (
                "notes"
                if each.severity == NOTE
                else "alarms"
                if not run.wrong
                else "hits"
                if each in hits
                else "elsewhere"
            )
            counts[each.rule][kind] += 1
            places[each.rule] += [run.name] if kind == "hits" else []
    kinds = ("hits", "elsewhere", "alarms", "notes")
    rows = [
        (name, *(str(counts[name][kind] or "") for kind in kinds), " ".join(places[name]))
        for name in map(name_of, RULES)
    ]
    lines = [table(("rule", *kinds, "right place in"), rows, right={1, 2, 3, 4}), ""]
    missed = [run.name for run in runs if run.wrong and not any(run.hits())]
    wrong = [run for run in runs if run.wrong]
    lines.append(f"{len(wrong) - len(missed)} of {len(wrong)} faults found; missed: {', '.join(missed) or 'none'}")
    well = [run for run in runs if not run.wrong]
    quiet = sum(not any(run.alarms()) for run in well)
    lines.append(f"{quiet} of {len(well)} healthy runs without an alarm")
    lines += [f"  {run.name}: {each.rule} at {each.span}: {each.says}" for run in well for each in run.alarms()]
    return "\n".join(lines)


def main(logs: Sequence[Path]) -> int:
    with tempfile.TemporaryDirectory() as folder:
        runs = [*failed(Path(folder)), *healthy(Path(folder)), *imported(Path(folder), logs)]
    print(in_words(runs))
    return int(any(not any(run.hits()) if run.wrong else any(run.alarms()) for run in runs))


if __name__ == "__main__":
    sys.exit(main([Path(each) for each in sys.argv[1:]]))
