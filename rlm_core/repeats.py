"""How much the runs of one task vary: what they say of each item, what they answer, and what they took.

Pure functions of what `compare` found. Runs are of one task if archive, question, strategy with its options, and models are the
same. Only runs that have ended count. Refuses to judge which of them is right: a majority is no proof.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from rlm_core.compare import ComparedRun, Comparison, Item
from rlm_core.lineage import independent
from rlm_core.listed import name_key, natural
from rlm_core.task import Origin, Task
from rlm_core.wording import exact, share

ANECDOTES = 2
"""So few runs tell nothing of how much a task varies."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Least, middle and most of a figure, of the `known` runs that tell it. All three are `None` where none does."""

    low: float | None
    middle: float | None
    high: float | None
    known: int


@dataclass(frozen=True, slots=True)
class Votes:
    """How often an item was given each label, the most frequent first; `without`: runs that have none for it."""

    name: str
    labels: tuple[tuple[str, int], ...]
    without: int

    @property
    def unanimous(self) -> bool:
        return len(self.labels) == 1 and not self.without


@dataclass(frozen=True, slots=True)
class Repeats:
    """The runs of one task, by their numbers in the comparison."""

    task: Task
    all_runs: tuple[int, ...]
    runs: tuple[int, ...]
    """Those of them that have ended."""
    answered: int
    voting: int
    """Runs that say something of items."""
    votes: tuple[Votes, ...]
    """Of each item that one of these runs labels; those on which they part come first."""
    told: Spread
    """The number that the answer begins with."""
    cost_usd: Spread
    elapsed_s: Spread
    input_tokens: Spread
    output_tokens: Spread
    calls: Spread

    @property
    def unanimous(self) -> int:
        return sum(each.unanimous for each in self.votes)


def repeats(comparison: Comparison, origins: Mapping[str, Origin] = {}) -> tuple[Repeats, ...]:
    """The compared runs by their tasks, in the order of the first run of each. `origins`: what runs go on from. Forks, and runs
    that another of these took up, repeat nothing and are left out."""
    counted = independent([run.id for run in comparison.runs], origins)
    by_task: dict[str, list[int]] = {}
    for number, run in enumerate(comparison.runs):
        if run.id in counted:
            by_task.setdefault(_task_key(run), []).append(number)
    return tuple(_of_task(comparison, numbers) for numbers in by_task.values())


def _task_key(run: ComparedRun) -> str:
    question, task = run.question.sha or " ".join(run.question.head.split()), run.task
    same = (task.corpus, question, task.strategy, task.options, task.root_model, task.helper_model)
    return json.dumps(same, sort_keys=True, default=str)


def _of_task(comparison: Comparison, numbers: Sequence[int]) -> Repeats:
    ended = [number for number in numbers if not comparison.runs[number].active]
    runs = [comparison.runs[number] for number in ended]
    voting = [number for number in ended if comparison.runs[number].items_from != "nowhere"]
    votes = [_votes(item, voting) for item in comparison.items if any(item.said[each].labelled for each in voting)]
    votes.sort(key=lambda each: (each.unanimous, natural(each.name)))
    return Repeats(
        comparison.runs[numbers[0]].task,
        tuple(numbers),
        tuple(ended),
        sum(run.answer is not None for run in runs),
        len(voting),
        tuple(votes),
        told=_spread(runs, lambda run: run.told),
        cost_usd=_spread(runs, lambda run: None if run.totals.calls_without_cost else run.totals.cost_usd),
        elapsed_s=_spread(runs, lambda run: run.elapsed_s(run.finished_at) if run.finished_at else None),
        input_tokens=_spread(runs, lambda run: _tokens(run, run.totals.input_tokens)),
        output_tokens=_spread(runs, lambda run: _tokens(run, run.totals.output_tokens)),
        calls=_spread(runs, lambda run: run.totals.calls),
    )


def _votes(item: Item, voting: Sequence[int]) -> Votes:
    said = [item.said[number].label for number in voting if item.said[number].labelled]
    spelled = {name_key(label): label for label in reversed(said)}
    counted = Counter(map(name_key, said)).most_common()
    return Votes(item.name, tuple((spelled[key], number) for key, number in counted), len(voting) - len(said))


def _tokens(run: ComparedRun, tokens: int) -> int | None:
    return None if run.totals.calls_without_usage else tokens


def _spread(runs: Sequence[ComparedRun], figure: Callable[[ComparedRun], float | None]) -> Spread:
    known = [value for run in runs if (value := figure(run)) is not None]
    if not known:
        return Spread(None, None, None, 0)
    return Spread(min(known), median(known), max(known), len(known))


def in_a_sentence(found: Repeats) -> str:
    """What these runs tell of how much the task varies."""
    ended = len(found.runs)
    if not ended:
        return "No run of this task has ended yet."
    if ended <= ANECDOTES:
        more = "nothing tells what of it is chance" if ended == 1 else "where two part, nothing tells which is the rule"
        return f"One run is an anecdote: {more}. Three or more of one task show how much it varies."
    if found.voting <= 1 or not found.votes:
        return f"{exact(ended, 'run')} of one task; fewer than two say something of single items."
    same = f"{found.unanimous:,} of {exact(len(found.votes), 'item')}"
    every = f"all {found.voting}" if found.voting == ended else f"the {found.voting} that decide items, of {ended} runs"
    return f"{same} have the same label in {every} ({share(found.unanimous, len(found.votes))})."
