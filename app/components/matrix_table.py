"""The matrix of questions by strategies as a table. A click on a cell selects it; what it holds is shown below.

Not a click that opens something: a table that takes the focus selects a cell by itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import pandas as pd  # type: ignore[import-untyped]
import streamlit as st
from pandas.io.formats.style import Styler  # type: ignore[import-untyped]

from app.components.runs_table import INKS
from app.components.tables import height
from rlm_core import wording
from rlm_core.compare import LETTERS
from rlm_core.looks.run_words import SYMBOLS
from rlm_core.matrix import Cell, Matrix, Row, Total
from rlm_core.matrix_words import Shown, cell_in_words, total_cost_in_words
from rlm_core.plain import plain_line

ROW_PX, MOST_ROWS = 30, 12
QUESTION_CHARS, LABEL_CHARS = 200, 60
COLUMN_PX, NARROW_PX, MANY_COLUMNS = 150, 120, 6
"""Eight columns are in sight at once in a window of 1440 pixels."""
QUESTION, ARCHIVE = "question", "archive"


def show(matrix: Matrix, rows: Sequence[Row], a: int, b: int, what: Shown) -> tuple[Row, int] | None:
    """Draw it; the row and the column of the cell that is selected, if one is."""
    several = len(matrix.archives) > 1
    style = styled(rows, what, st.context.theme.type or "light", archives=several)
    columns = [column.key for column in matrix.columns]
    width = NARROW_PX if len(columns) > MANY_COLUMNS else COLUMN_PX
    # Another selection of rows or columns is another table: a selected cell always means what was looked at.
    shape = repr((columns, [row.key for row in rows]))
    picked = st.dataframe(
        style,
        hide_index=True,
        row_height=ROW_PX,
        height=height(len(rows), ROW_PX, MOST_ROWS),
        key=f"matrix-{hashlib.sha256(shape.encode('utf-8', 'replace')).hexdigest()[:12]}",
        on_select="rerun",
        selection_mode="single-cell",
        alt="Questions by strategies.",
        column_config={
            QUESTION: st.column_config.TextColumn("Question", width=320 if several else 380, pinned=True),
            ARCHIVE: st.column_config.TextColumn("Archive", width=110, pinned=True),
            **{
                str(number): st.column_config.TextColumn(
                    title(column.label, number, a, b), width=width, alignment="left" if what == "answer" else "right"
                )
                for number, column in enumerate(matrix.columns)
            },
        },
    )
    return selected(picked["selection"]["cells"], rows)


def selected(cells: Sequence[tuple[int, str]], rows: Sequence[Row]) -> tuple[Row, int] | None:
    """What is selected; of a question itself the first column that it was asked with."""
    if not cells or cells[0][0] >= len(rows):
        return None
    row, column = rows[cells[0][0]], cells[0][1]
    if column.isdigit():
        return row, int(column)
    return row, next(number for number, cell in enumerate(row.cells) if cell)


def title(label: str, number: int, a: int, b: int) -> str:
    """`A · base`, `rlm depth 2`: the chosen two with their letters."""
    letter = f"{LETTERS[0]} · " if number == a else f"{LETTERS[1]} · " if number == b else ""
    return letter + plain_line(label, LABEL_CHARS)


def styled(rows: Sequence[Row], what: Shown, theme: str, *, archives: bool) -> Styler:
    """The table with its colours: right, wrong, without an answer, under way."""
    texts = [_texts(row, what, archives) for row in rows]
    inks = INKS[theme]
    frame = pd.DataFrame(texts)
    colours = [{str(number): _ink(cell) for number, cell in enumerate(row.cells)} for row in rows]
    styles = [
        {column: f"color: {inks[name]}" if (name := each.get(column)) else "" for column in frame} for each in colours
    ]
    shades = pd.DataFrame(styles, index=frame.index, columns=frame.columns)
    return frame.style.apply(lambda _: shades, axis=None)


def _texts(row: Row, what: Shown, archives: bool) -> dict[str, str]:
    shown = {QUESTION: plain_line(row.question, QUESTION_CHARS)}
    if archives:
        shown[ARCHIVE] = plain_line(row.archive, LABEL_CHARS)
    return {**shown, **{str(number): _cell(cell, what) for number, cell in enumerate(row.cells)}}


def _cell(cell: Cell | None, what: Shown) -> str:
    state = cell.newest.state if cell else "answered"
    sign = f"{SYMBOLS[state]} " if what == "answer" and state != "answered" else ""
    return sign + cell_in_words(cell, what)


def _ink(cell: Cell | None) -> str:
    """The name of the colour of a cell in `INKS`; nothing for ordinary text."""
    if cell is None:
        return "quiet"
    if cell.newest.active:
        return "running"
    if cell.newest.failed:
        return "failed"
    return "" if cell.score is None else "answered" if cell.score == 1 else "failed" if cell.score == 0 else "other"


def show_totals(totals: Sequence[Total]) -> None:
    """What each strategy comes to, a row each."""
    st.dataframe(
        [_total(each) for each in totals],
        hide_index=True,
        row_height=ROW_PX,
        key="matrix-totals",
        alt="What each strategy comes to.",
        column_config={
            "Strategy": st.column_config.TextColumn(width=320),
            **{
                name: st.column_config.TextColumn(alignment="right")
                for name in ("Questions", "Runs", "No answer", "Mean score", "Scored", "Cost", "Median time")
            },
        },
    )


def _total(total: Total) -> dict[str, str]:
    return {
        "Strategy": plain_line(total.column.label, 100),
        "Questions": f"{total.asked:,}",
        "Runs": f"{total.runs:,}{f', {total.active:,} under way' if total.active else ''}",
        "No answer": f"{total.failed:,}",
        "Mean score": wording.UNKNOWN if total.score is None else f"{total.score:.2f}",
        "Scored": wording.m_of_n(total.scored, total.asked),
        "Cost": total_cost_in_words(total),
        "Median time": wording.seconds(total.elapsed_s),
    }
