"""The table of all runs. Everything in it is text; a click on any cell of a row opens the run."""

from __future__ import annotations

import time
from collections.abc import Sequence

import streamlit as st

from app.backend import LISTED_RUNS, RECORDED_RUN, RunLine
from app.components.run_words import DOES_NOT_APPLY, NONE_YET, SYMBOLS, cost, is_demo
from app.components.tables import figures_right, height
from app.sheet import ACTIVE
from rlm_core import wording
from rlm_core.plain import plain_line

ROW_HEIGHT = 38
SHOWN_ROWS = 18
DAY_S = 86_400


def show(lines: Sequence[RunLine]) -> str | None:
    """Draw the table. Returns the run that was clicked."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.header("Runs", anchor=False, width="content")
        st.caption(f"{len(lines):,}, newest first", width="content")
    picked = st.dataframe(
        table(lines, time.time()),
        hide_index=True,
        row_height=ROW_HEIGHT,
        height=height(len(lines), ROW_HEIGHT, SHOWN_ROWS),
        key=f"runs-{len(lines)}",
        on_select="rerun",
        selection_mode="single-cell",
        alt="All runs, newest first",
        column_config={
            "Question": st.column_config.TextColumn(width=145),
            "Answer": st.column_config.TextColumn(width=85),
            "Archive": st.column_config.TextColumn(width=95),
            "Models": st.column_config.TextColumn(width=115),
            **figures_right("Calls", "Cost", "Time", "Started"),
        },
    )
    st.caption("Click a row to open the run. “+ ?”: part of the cost is not known.")
    if any(line.id == RECORDED_RUN for line in lines):
        st.caption("“recorded”: a run shipped with RLM Studio, not made here.")
    if len(lines) >= LISTED_RUNS:
        st.caption(f"The newest {LISTED_RUNS:,} runs are listed.")
    cells = picked["selection"]["cells"]
    return lines[cells[0][0]].id if cells and cells[0][0] < len(lines) else None


def table(lines: Sequence[RunLine], now: float) -> list[dict[str, str]]:
    return [_row(line, now) for line in lines]


def _row(line: RunLine, now: float) -> dict[str, str]:
    row = line.row
    return {
        "Status": f"{SYMBOLS[line.state]} {line.state}{' (recorded)' if line.id == RECORDED_RUN else ''}",
        "Question": plain_line(line.question, 300),
        "Answer": plain_line(row.answer, 300) if row and row.answer else DOES_NOT_APPLY,
        "Archive": plain_line(line.archive, 60),
        "Strategy": plain_line(line.strategy, 60),
        "Models": plain_line(line.models, 100),
        "Calls": f"{row.calls:,}" if row else DOES_NOT_APPLY,
        "Cost": _cost(line),
        "Time": wording.seconds((row.finished_at or now) - row.started_at) if row else DOES_NOT_APPLY,
        "Started": started(line.started_at, now),
    }


def _cost(line: RunLine) -> str:
    row = line.row
    if row is None:
        return DOES_NOT_APPLY
    active = line.state in ACTIVE
    free = is_demo(row.root_model, row.helper_model)
    said = cost(row.cost_usd, row.unknown_cost_calls, calls=row.calls, active=active, free=free)
    return f"{said} so far" if active and said != NONE_YET else said


def started(at: float, now: float) -> str:
    """`14:02` today, else `24 Nov 14:02`, with the year where it is another."""
    then, today = time.localtime(at), time.localtime(now)
    if then[:3] == today[:3]:
        return time.strftime("%H:%M", then)
    return time.strftime("%d %b %H:%M" if then.tm_year == today.tm_year else "%d %b %Y %H:%M", then)
