"""Many questions by many strategies: what each came to, in one table.

Pure, from light rows of runs, whose long texts nobody has read, to rows of questions and columns of strategies. The order of both
only grows: a question or a strategy that comes up later comes last, so that a table is filled in under one's eyes. Refuses to
score by itself: what is right is said by people (`scoring.py`), and without their word no run wins.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from rlm_core.listed import name_key, told_number
from rlm_core.right_answers import question_key
from rlm_core.scoring import RightAnswer, score
from rlm_core.task import Json

Mode = Literal["all", "different", "A wins", "B wins", "errors"]
MODES: tuple[Mode, ...] = get_args(Mode)
"""Which rows are shown. `different`, `A wins`, `B wins` are of the two columns that are chosen; `errors` of all."""
ACTIVE = frozenset({"queued", "running"})
Key = tuple[str, str]
"""Of a row: id of the archive, and `question_key`."""


@dataclass(frozen=True, slots=True)
class LightRun:
    """A run as the list of runs knows it."""

    id: str
    question: str
    corpus: str
    """Id of the archive."""
    archive: str
    """Its name."""
    strategy: str
    options: Json
    """With the defaults of the strategy."""
    root_model: str
    helper_model: str
    state: str
    """`queued`, `running`, or the outcome."""
    answer: str | None
    asked_at: float
    """Also of a run that has begun: else a table under one's eyes would be ordered anew when it begins."""
    elapsed_s: float | None = None
    cost_usd: float | None = None
    """What is known of it."""
    unknown_cost_calls: int = 0
    calls: int = 0
    judged: str | None = None
    """`right` or `wrong`, where a person says so."""

    @property
    def active(self) -> bool:
        return self.state in ACTIVE

    @property
    def failed(self) -> bool:
        """It ended, and there is no answer."""
        return not self.active and self.answer is None


@dataclass(frozen=True, slots=True)
class Column:
    """One way to answer questions."""

    label: str
    """What tells it from the others: strategy, depth, options and models as far as they differ."""
    strategy: str
    options: tuple[tuple[str, str], ...]
    root_model: str
    helper_model: str

    @property
    def key(self) -> str:
        """The same for the same column, for addresses."""
        models = self.root_model, self.helper_model
        return "~".join([self.strategy, *(f"{name}={value}" for name, value in self.options), *models])


@dataclass(frozen=True, slots=True)
class Cell:
    """The runs of one question by one strategy, newest first, each with its score from 0 to 1 where that is known."""

    runs: tuple[LightRun, ...]
    scores: tuple[float | None, ...]

    @property
    def newest(self) -> LightRun:
        return self.runs[0]

    @property
    def score(self) -> float | None:
        """The mean over the runs whose score is known."""
        return _mean(self.scores)


@dataclass(frozen=True, slots=True)
class Row:
    question: str
    corpus: str
    archive: str
    right: RightAnswer | None
    cells: tuple[Cell | None, ...]
    """One for each column; `None` where nobody asked."""

    @property
    def key(self) -> Key:
        return self.corpus, question_key(self.question)


@dataclass(frozen=True, slots=True)
class Total:
    """What one column comes to."""

    column: Column
    asked: int
    """Questions."""
    runs: int
    active: int
    failed: int
    """Runs that ended without an answer."""
    scored: int
    """Questions whose score is known."""
    score: float | None
    """The mean over them."""
    cost_usd: float
    unknown_cost_calls: int
    calls: int
    elapsed_s: float | None
    """The median over runs that have ended."""


@dataclass(frozen=True, slots=True)
class Matrix:
    columns: tuple[Column, ...] = ()
    rows: tuple[Row, ...] = ()
    totals: tuple[Total, ...] = field(default=())
    newest: int | None = None
    """So many runs were looked at, the newest; `None` if all were."""

    @property
    def runs(self) -> int:
        return sum(total.runs for total in self.totals)

    @property
    def active(self) -> bool:
        return any(total.active for total in self.totals)

    @property
    def archives(self) -> dict[str, str]:
        """Names by id, in the order of the rows."""
        return {row.corpus: row.archive for row in self.rows}

    def of_archive(self, corpus: str) -> Matrix:
        """The same, of one archive: with only its rows, and the columns that it was asked with."""
        found = _laid_out(
            [run for row in self.rows if row.corpus == corpus for cell in row.cells if cell for run in cell.runs],
            {row.key: row.right for row in self.rows if row.right},
            _known_scores(self.rows),
        )
        return replace(found, newest=self.newest)


Rights = Mapping[Key, RightAnswer]
Scored = Callable[[LightRun, RightAnswer | None], float | None]


def matrix(runs: Iterable[LightRun], rights: Rights, whole: Callable[[LightRun], str | None]) -> Matrix:
    """Lay the runs out. `whole` brings the answer of a run where the row holds only its head."""

    def scored(run: LightRun, right: RightAnswer | None) -> float | None:
        if run.judged:
            return float(run.judged == "right")
        return score(whole(run), right) if right and run.answer is not None else None

    return _laid_out(runs, rights, scored)


def _known_scores(rows: Iterable[Row]) -> Scored:
    known = {
        run.id: value
        for row in rows
        for cell in row.cells
        if cell
        for run, value in zip(cell.runs, cell.scores, strict=True)
    }
    return lambda run, _: known[run.id]


def _laid_out(runs: Iterable[LightRun], rights: Rights, scored: Scored) -> Matrix:
    ordered = sorted(runs, key=lambda run: (run.asked_at, run.id))
    columns = columns_of(ordered)
    place = {column.key: number for number, column in enumerate(columns)}
    found: dict[Key, list[list[LightRun]]] = {}
    for run in ordered:
        cells = found.setdefault((run.corpus, question_key(run.question)), [[] for _ in columns])
        cells[place[_column(run, "").key]].append(run)
    rows = [_row(cells, rights.get(key), scored) for key, cells in found.items()]
    by_archive = {row.corpus: number for number, row in reversed(list(enumerate(rows)))}
    rows.sort(key=lambda row: by_archive[row.corpus])  # stable: within an archive in the order of asking
    totals = [_total(column, [row.cells[number] for row in rows]) for number, column in enumerate(columns)]
    return Matrix(tuple(columns), tuple(rows), tuple(totals))


def _row(cells: Sequence[list[LightRun]], right: RightAnswer | None, scored: Scored) -> Row:
    first = min((run for cell in cells for run in cell), key=lambda run: run.asked_at)
    made = tuple(
        Cell(tuple(reversed(cell)), tuple(scored(run, right) for run in reversed(cell))) if cell else None
        for cell in cells
    )
    return Row(first.question, first.corpus, first.archive, right, made)


# ---------------------------------------------------------------------- columns


def columns_of(runs: Iterable[LightRun]) -> list[Column]:
    """The ways in which these were answered, in the order in which they come up, each with what tells it from the others."""
    found = {(column := _column(run, "")).key: column for run in runs}
    columns = list(found.values())
    roots, helpers = {each.root_model for each in columns}, {each.helper_model for each in columns} - {""}
    return [
        Column(
            _label(each, columns, several_models=len(roots) > 1 or len(helpers) > 1),
            each.strategy,
            each.options,
            each.root_model,
            each.helper_model,
        )
        for each in columns
    ]


def _column(run: LightRun, label: str) -> Column:
    options = tuple(sorted((name, str(value)) for name, value in run.options.items()))
    helper = "" if run.strategy == "base" else run.helper_model  # it has none
    return Column(label, run.strategy, options, run.root_model, helper)


def _label(column: Column, columns: Sequence[Column], several_models: bool) -> str:
    same = [dict(each.options) for each in columns if each.strategy == column.strategy]
    parts = [column.strategy]
    for name, value in column.options:
        if name == "depth":
            parts[0] += f" depth {value}"
        elif len({each.get(name) for each in same}) > 1:
            parts.append(f"{name} {value}")
    if several_models:
        models = dict.fromkeys(each.rpartition("/")[2] for each in (column.root_model, column.helper_model) if each)
        parts.append(" + ".join(models))
    return ", ".join(parts)


def _total(column: Column, cells: Sequence[Cell | None]) -> Total:
    there = [cell for cell in cells if cell]
    runs = [run for cell in there for run in cell.runs]
    times = [run.elapsed_s for run in runs if not run.active and run.elapsed_s is not None]
    return Total(
        column,
        asked=len(there),
        runs=len(runs),
        active=sum(run.active for run in runs),
        failed=sum(run.failed for run in runs),
        scored=sum(cell.score is not None for cell in there),
        score=_mean([cell.score for cell in there]),
        cost_usd=sum(run.cost_usd or 0.0 for run in runs),
        unknown_cost_calls=sum(run.unknown_cost_calls for run in runs),
        calls=sum(run.calls for run in runs),
        elapsed_s=statistics.median(times) if times else None,
    )


def _mean(scores: Iterable[float | None]) -> float | None:
    known = [each for each in scores if each is not None]
    return statistics.fmean(known) if known else None


# ---------------------------------------------------------------------- rows that are shown


def telling_pair(matrix: Matrix) -> tuple[int, int]:
    """The two columns to begin with: that of the most questions, and the one that shares most of them, the earlier ones first.
    Of a single column it is that one twice."""
    asked = [total.asked for total in matrix.totals]
    first = asked.index(max(asked))
    shared = [sum(bool(row.cells[first] and row.cells[n]) for row in matrix.rows) for n in range(len(asked))]
    second = max((n for n in range(len(asked)) if n != first), key=lambda n: (shared[n], -n), default=first)
    return min(first, second), max(first, second)


def shown(rows: Sequence[Row], mode: Mode, a: int, b: int) -> list[Row]:
    """The rows of a mode. `a` and `b` are the two chosen columns."""
    if mode == "all":
        return list(rows)
    if mode == "errors":
        return [row for row in rows if any(run.failed for cell in row.cells if cell for run in cell.runs)]
    pairs = [(row, row.cells[a], row.cells[b]) for row in rows]
    if mode == "different":
        return [row for row, one, other in pairs if one and other and differ(one.newest, other.newest)]
    first, second = (a, b) if mode == "A wins" else (b, a)
    return [row for row in rows if _wins(row.cells[first], row.cells[second])]


def counts(rows: Sequence[Row], a: int, b: int) -> Counter[Mode]:
    """How many rows each mode shows."""
    return Counter({mode: len(shown(rows, mode, a, b)) for mode in MODES})


def differ(one: LightRun, other: LightRun) -> bool:
    """Whether both answer, and not the same: other numbers, where both begin with one, else other texts."""
    if one.answer is None or other.answer is None:
        return False
    numbers = told_number(one.answer), told_number(other.answer)
    if None not in numbers:
        return numbers[0] != numbers[1]
    return name_key(one.answer) != name_key(other.answer)


def _wins(one: Cell | None, other: Cell | None) -> bool:
    """By scores that are known on both sides: nobody wins against what is not known."""
    if one is None or other is None or one.score is None or other.score is None:
        return False
    return one.score > other.score


def to_compare(row: Row, chosen: Cell | None, most: int) -> list[str]:
    """The runs of a row to be laid side by side, up to `most`: all of the chosen cell that there is room for beside the newest
    of each other one."""
    others = [cell.newest.id for cell in row.cells if cell and cell is not chosen]
    own = [run.id for run in chosen.runs] if chosen else []
    return [*own[: max(1, most - len(others))], *others][:most]
