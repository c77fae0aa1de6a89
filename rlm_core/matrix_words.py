"""The matrix in words: what it comes to, and what stands in its cells.

Pure words of what `matrix` found. Refuses to call an answer wrong that no right answer and no person calls so.
"""

from __future__ import annotations

import json
from typing import Literal

from rlm_core import wording
from rlm_core.looks.run_words import cost, is_demo
from rlm_core.matrix import Cell, LightRun, Matrix, Mode, Total, counts
from rlm_core.plain import plain_line
from rlm_core.scoring import RightAnswer
from rlm_core.wording import exact

Shown = Literal["answer", "score", "cost", "time"]
"""What cells show."""
ANSWER_CHARS = 60


def headline(matrix: Matrix, a: int, b: int) -> str:
    """What is found, in a sentence. `a` and `b` are the chosen columns."""
    questions = len(matrix.rows)
    if matrix.active:
        runs = sum(total.active for total in matrix.totals)
        return f"{exact(runs, 'run')} of {matrix.runs:,} {'is' if runs == 1 else 'are'} still under way"
    if len(matrix.columns) < 2:
        return f"{exact(questions, 'question')}, all asked in one way"
    pairs = [(row.cells[a], row.cells[b]) for row in matrix.rows]
    both = [(one, other) for one, other in pairs if one and other]
    if not both:
        return "No question was asked in both of these ways"
    counted = counts(matrix.rows, a, b)
    scored = sum(one.score is not None and other.score is not None for one, other in both)
    if scored and not counted["A wins"] and not counted["B wins"]:
        return f"A and B have the same score on {'all ' if scored > 1 else ''}{exact(scored, 'question')}"
    if scored:
        return f"A scores higher on {counted['A wins']:,}, B on {counted['B wins']:,} of {exact(scored, 'question')}"
    return f"A and B answer differently on {counted['different']:,} of {exact(len(both), 'question')}"


def only_newest(matrix: Matrix) -> str:
    """That older runs are left out; nothing where none is."""
    return f"Only the newest {exact(matrix.newest, 'run')} were looked at." if matrix.newest else ""


def mode_in_words(mode: Mode, many: int) -> str:
    return f"{mode} {many:,}"


def cell_in_words(cell: Cell | None, what: Shown) -> str:
    """`● ×3 · 17 rooms`: the newest run of a cell, how right the cell is, and how many runs it has."""
    if cell is None:
        return wording.DOES_NOT_APPLY
    run, repeats = cell.newest, f" · ×{len(cell.runs)}" if len(cell.runs) > 1 else ""
    if what == "score":
        return (wording.UNKNOWN if cell.score is None else score_in_words(cell.score)) + repeats
    if what == "cost":
        return cost_in_words(run) + repeats
    if what == "time":
        return wording.seconds(run.elapsed_s) + repeats
    mark = "" if cell.score is None else f"{score_in_words(cell.score).split()[0]} "
    return f"{mark}{f'×{len(cell.runs)} · ' if repeats else ''}{answer_in_words(run)}"


def answer_in_words(run: LightRun, chars: int = ANSWER_CHARS) -> str:
    """The answer's head, or the state of a run without one."""
    if run.answer is None:
        return run.state
    return plain_line(run.answer, chars) or "an empty answer"


def cost_in_words(run: LightRun) -> str:
    return cost(
        run.cost_usd,
        run.unknown_cost_calls,
        calls=run.calls,
        active=run.active,
        free=is_demo(run.root_model, run.helper_model),
    )


def total_cost_in_words(total: Total) -> str:
    return cost(
        total.cost_usd,
        total.unknown_cost_calls,
        calls=total.calls,
        active=bool(total.active),
        free=is_demo(total.column.root_model, total.column.helper_model),
    )


def score_in_words(score: float | None) -> str:
    """`● right`, `○ wrong`, `◐ 0.67`; `unknown`."""
    if score is None:
        return wording.UNKNOWN
    return "● right" if score == 1 else "○ wrong" if score == 0 else f"◐ {min(max(score, 0.01), 0.99):.2f}"


def right_in_words(right: RightAnswer) -> str:
    """The right answer as a text: items as JSON."""
    return right.answer if isinstance(right.answer, str) else json.dumps(right.answer, ensure_ascii=False)
