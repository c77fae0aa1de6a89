"""The matrix of questions by strategies as files: a table with one line for each run, and the matrix itself as one HTML page.

The page stands alone: it loads nothing, runs nothing, and every text in it is escaped. Unknown is an empty cell in the table and
said as unknown on the page. What a run has cost in all is unknown while it is under way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from rlm_core import wording
from rlm_core.matrix import Cell, Column, LightRun, Matrix, Row, Total
from rlm_core.matrix_words import (
    answer_in_words,
    cost_in_words,
    only_newest,
    right_in_words,
    score_in_words,
    total_cost_in_words,
)
from rlm_core.plain import plain, plain_line
from rlm_core.spreadsheet import csv_text

COLUMNS = (
    "archive",
    "question",
    "right_answer",
    "match",
    "column",
    "strategy",
    "options",
    "root_model",
    "helper_model",
    "run",
    "asked_at",
    "outcome",
    "answer",
    "score",
    "scored_by",
    "cost_usd",
    "known_cost_usd",
    "calls_without_cost",
    "calls",
    "elapsed_s",
)
ANSWER_CHARS = 160
_STYLE = """
:root { color-scheme: light dark; --page: #fff; --bar: #f5f6f8; --line: #e1e5ea; --text: #1b2026; --quiet: #55606c;
  --right: #00694c; --wrong: #a84600 }
@media (prefers-color-scheme: dark) { :root { --page: #0f1318; --bar: #171c23; --line: #272e37; --text: #e9ecef;
  --quiet: #a8b2bd; --right: #45cfa3; --wrong: #ff9655 } }
body { font: 14px/1.4 "Source Sans 3", system-ui, sans-serif; background: var(--page); color: var(--text); margin: 24px }
h1 { font-size: 22px; font-weight: 600; margin: 0 0 4px }
p, small { color: var(--quiet) }
table { border-collapse: collapse; font-size: 13px; margin: 14px 0; font-variant-numeric: tabular-nums }
th, td { border: 1px solid var(--line); padding: 6px 8px; vertical-align: top; text-align: left; overflow-wrap: anywhere }
th { background: var(--bar); font-weight: 600; position: sticky; top: 0 }
tbody th { position: static; font-weight: 400; min-width: 220px; max-width: 360px }
td { min-width: 90px; max-width: 260px }
small { display: block }
.right { color: var(--right) } .wrong { color: var(--wrong) } .unknown { font-style: italic }
"""
_SAFE = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def to_csv(matrix: Matrix) -> str:
    """One line for each run, safe to open in a spreadsheet. A score is of a person or of the rule that is named in `match`."""
    return csv_text(COLUMNS, _lines(matrix))


def _lines(matrix: Matrix) -> Iterator[list[object]]:
    for row in matrix.rows:
        for column, cell in zip(matrix.columns, row.cells, strict=True):
            for run, score in zip(cell.runs, cell.scores, strict=True) if cell else ():
                yield _line(row, column, run, score)


def _line(row: Row, column: Column, run: LightRun, score: float | None) -> list[object]:
    right = row.right
    return [
        row.archive,
        row.question,
        right_in_words(right) if right else None,
        right.match if right else None,
        column.label,
        run.strategy,
        run.options,
        run.root_model,
        run.helper_model,
        run.id,
        run.asked_at,
        run.state,
        run.answer,
        score,
        None if score is None else "person" if run.judged else "rule",
        None if run.active or run.unknown_cost_calls else run.cost_usd or 0.0,
        run.cost_usd or 0.0,
        run.unknown_cost_calls,
        run.calls,
        run.elapsed_s,
    ]


def to_html(matrix: Matrix, rows: Sequence[Row], told: str = "") -> str:
    """The page. `rows` are those that are shown; `told` says which these are, in our own words."""
    head = "".join(f"<th>{_text(column.label)}</th>" for column in matrix.columns)
    body = "\n".join(_row(row) for row in rows)
    totals = "".join(f"<td>{_total(total)}</td>" for total in matrix.totals)
    shown = wording.m_of_n(len(rows), len(matrix.rows))
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_SAFE}">
<meta name="viewport" content="width=device-width"><title>Matrix: questions by strategies</title>
<style>{_STYLE}</style></head><body>
<h1>Questions by strategies</h1>
<p>{shown} questions{_text(f", {told}" if told else "")}; {wording.exact(matrix.runs, "run")}. {only_newest(matrix)}
A score is shown only where a right answer or a person’s mark is there.</p>
<table><thead><tr><th>question</th>{head}</tr></thead>
<tbody>
{body}
<tr><th>in all</th>{totals}</tr>
</tbody></table>
</body></html>
"""


def _row(row: Row) -> str:
    right = f"<small>right answer: {_text(right_in_words(row.right), ANSWER_CHARS)}</small>" if row.right else ""
    name = f"{_text(row.question)}<small>{_text(row.archive)}</small>{right}"
    return f"<tr><th>{name}</th>{''.join(f'<td>{_cell(cell)}</td>' for cell in row.cells)}</tr>"


def _cell(cell: Cell | None) -> str:
    if cell is None:
        return wording.DOES_NOT_APPLY
    run = cell.newest
    repeats = f", {len(cell.runs)} runs" if len(cell.runs) > 1 else ""
    figures = f"{cost_in_words(run)} · {wording.seconds(run.elapsed_s)}{repeats}"
    return f"{_text(answer_in_words(run, ANSWER_CHARS))}{_score(cell.score)}<small>{_text(figures)}</small>"


def _score(score: float | None) -> str:
    if score is None:
        return ""
    shade = ' class="right"' if score == 1 else ' class="wrong"' if score == 0 else ""
    return f"<small{shade}>{score_in_words(score)}</small>"


def _total(total: Total) -> str:
    scored = f"score {total.score:.2f} of {total.scored:,}" if total.score is not None else "score unknown"
    failed = f", {total.failed:,} without an answer" if total.failed else ""
    return (
        f"{scored}<small>{wording.exact(total.runs, 'run')}{failed}</small>"
        f"<small>{escape(total_cost_in_words(total))} · median {escape(wording.seconds(total.elapsed_s))}</small>"
    )


def _text(text: str, chars: int | None = None) -> str:
    """A text of a model, a document or a person: made visible, and escaped."""
    return escape(plain(text) if chars is None else plain_line(text, chars))
