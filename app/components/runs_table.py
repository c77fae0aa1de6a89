"""The table of runs. Everything in it is text; a click on a question opens the run, a tick at the left keeps it for an action.

Not a click on any cell: a table that takes the focus selects a cell by itself, and so would open a run.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Mapping, Sequence

import pandas as pd  # type: ignore[import-untyped]
import streamlit as st
from pandas.io.formats.style import Styler  # type: ignore[import-untyped]

from app.backend import RECORDED, RunLine
from app.components.tables import figures_right, height, sortable
from rlm_core import wording
from rlm_core.looks.run_words import NONE_YET, SYMBOLS, WAITS, cost, coverage, is_demo, is_recorded, question_in_words
from rlm_core.looks.sheet import ACTIVE
from rlm_core.plain import plain_line

ROW_HEIGHT = 38
SHOWN_ROWS = 15
CELL_CHARS = 160
TICKED, TABLE, CLICKED = "runs-ticked", "runs-table", "runs-clicked"
"""In the session: the runs that are ticked, in the order in which they were; the key of the table on the screen; the run that is
to be opened."""
NOTHING: dict[str, dict[str, list[int]]] = {"selection": {"rows": [], "columns": [], "cells": []}}
EM_SPACE, BUTTON_EMS = "\u2003", 24
FIGURES = ("Calls", "Cost", "Time", "Coverage", "Started", "Disk")
QUIET = ("Archive", "Strategy", "Models", "Started", "Tags", "Disk")

# The inks of the kinds of things, by theme: a table is painted, and does not know light-dark().
INKS = {
    "light": {"running": "#005e94", "answered": "#00694c", "failed": "#a84600", "other": "#855a00", "quiet": "#55606c"},
    "dark": {"running": "#6cbef0", "answered": "#45cfa3", "failed": "#ff9655", "other": "#f2b53a", "quiet": "#a8b2bd"},
}
INK_OF = {"queued": "quiet", "cancelled": "quiet", "forced": "other", "interrupted": "other"}


def show(lines: Sequence[RunLine], sizes: Mapping[str, int]) -> None:
    """Draw the table and keep what is ticked in it."""
    ids = [line.id for line in lines]
    key = f"runs-{hashlib.sha256(' '.join(ids).encode()).hexdigest()[:12]}"
    # A list of other runs is another table: the number of a row always means the list that was looked at.
    click = f"{key}-clicked"
    rows = [number for number, run in enumerate(ids) if run in ticked()]
    st.session_state.setdefault(key, {"selection": {**NOTHING["selection"], "rows": rows}})
    st.session_state[TABLE] = key

    def opened() -> None:
        st.session_state[CLICKED] = ids[st.session_state[click]["row"]]

    picked = st.dataframe(
        styled(lines, sizes, time.time(), st.context.theme.type or "light"),
        hide_index=True,
        row_height=ROW_HEIGHT,
        height=height(len(lines), ROW_HEIGHT, SHOWN_ROWS),
        key=key,
        on_select="rerun",
        selection_mode="multi-row",
        alt="Runs, newest first. Shift and space tick the row of a cell.",
        column_config={
            "Status": st.column_config.TextColumn(width=130),
            "Question": st.column_config.ButtonColumn(
                width=220,
                type="tertiary",
                alignment="left",
                key=click,
                on_click=opened,
                help="A click opens the run.",
            ),
            "Answer": st.column_config.TextColumn(width=135),
            "Strategy": st.column_config.TextColumn(width=85),
            "Models": st.column_config.TextColumn(width=110, help="Root model, helper model."),
            "Archive": st.column_config.TextColumn(width=110),
            **figures_right(*FIGURES),
            "Coverage": st.column_config.TextColumn(
                alignment="right",
                help="How much of the archive a model was shown. “not yet”: nobody has looked, which opening the run does. "
                "“~”: not all of the run was looked at.",
            ),
            "Disk": st.column_config.TextColumn(
                alignment="right",
                help="Steps and texts of the run. Texts that several runs share count for each of them.",
            ),
        },
    )
    st.session_state[TICKED] = ticked_after(ticked(), ids, picked["selection"]["rows"])


def clicked() -> str | None:
    """The run that was clicked, once. It is heard in a callback: the page may be begun anew before it comes to its table."""
    run: str | None = st.session_state.pop(CLICKED, None)
    return run


def ticked() -> list[str]:
    found: list[str] = st.session_state.setdefault(TICKED, [])
    return found


def ticked_after(before: Sequence[str], ids: Sequence[str], rows: Sequence[int]) -> list[str]:
    """What is ticked when `rows` of the list `ids` are: what is not in the list stays as it was."""
    chosen = [ids[row] for row in rows if row < len(ids)]
    return [run for run in before if run in chosen or run not in ids] + [run for run in chosen if run not in before]


def untick() -> None:
    """Called from callbacks."""
    st.session_state[TICKED] = []
    if TABLE in st.session_state:
        st.session_state[st.session_state[TABLE]] = NOTHING


def table(lines: Sequence[RunLine], sizes: Mapping[str, int], now: float) -> list[dict[str, str]]:
    """What stands in the cells."""
    return [_row(line, sizes.get(line.id), now) for line in lines]


def legend(lines: Sequence[RunLine]) -> list[str]:
    """What the signs in the table mean, of those that occur."""
    said = []
    if any(line.row and line.row.unknown_cost_calls and line.row.cost_usd for line in lines):
        said.append("“+ ?”: part of the cost is not known.")
    if any(line.id in RECORDED for line in lines):
        said.append("“recorded”: a run shipped with RLM Studio, not made here.")
    return said


def styled(lines: Sequence[RunLine], sizes: Mapping[str, int], now: float, theme: str) -> Styler:
    """The table with its colours, and with numbers under the texts of figures, so that a click on a column sorts it."""
    texts = table(lines, sizes, now)
    frame, shown = pd.DataFrame(texts), dict[str, Callable[[float], str]]()
    numbers = [_figures(line, sizes.get(line.id), now) for line in lines]
    for column in FIGURES:
        values = [
            None if row[column] == wording.UNKNOWN else of[column] for row, of in zip(texts, numbers, strict=True)
        ]
        frame[column], shown[column] = sortable(values, [row[column] for row in texts])
    if not any(line.tags for line in lines):
        frame = frame.drop(columns="Tags")
    inks = INKS[theme]
    states = [f"color: {inks['other' if line.waits else INK_OF.get(line.state, line.state)]}" for line in lines]
    quiet = [column for column in QUIET if column in frame]
    style = frame.style.format(shown).set_properties(subset=quiet, color=inks["quiet"])
    return style.apply(lambda _: states, subset=["Status"])


def _row(line: RunLine, size: int | None, now: float) -> dict[str, str]:
    row = line.row
    return {
        "Status": f"{SYMBOLS[line.state]} {state_in_words(line)}",
        "Question": button_label(_question(line)),
        "Answer": plain_line(row.answer, CELL_CHARS) if row and row.answer else wording.DOES_NOT_APPLY,
        "Cost": _cost(line),
        "Strategy": plain_line(line.strategy, 60),
        "Models": plain_line(_models(line), 100),
        "Calls": f"{row.calls:,}" if row else wording.DOES_NOT_APPLY,
        "Time": wording.seconds((row.finished_at or now) - row.started_at) if row else wording.DOES_NOT_APPLY,
        "Coverage": _coverage(line),
        "Archive": plain_line(line.archive, 60),
        "Started": started(line.started_at, now),
        "Tags": plain_line(", ".join(line.tags), CELL_CHARS),
        "Disk": wording.DOES_NOT_APPLY if size is None else wording.size(size),
    }


def _question(line: RunLine) -> str:
    asked = line.question if is_recorded(line.question) else f"({question_in_words(line.question)})"
    return f"{line.title} · {asked}" if line.title else asked


def button_label(text: str) -> str:
    """Text on a button of a table: as wide as its cell, and with no name of an icon at its beginning, which would be drawn."""
    label = plain_line(text, CELL_CHARS)
    room = EM_SPACE * max(0, BUTTON_EMS - len(label) // 2)
    return f"\u2060{label}{room}" if label.startswith(":") else f"{label}{room}"


def _figures(line: RunLine, size: int | None, now: float) -> dict[str, float | None]:
    """What the figures of a row are sorted by."""
    row = line.row
    calls, cost_usd = (row.calls, row.cost_usd or 0) if row else (0, 0)
    time_s = (row.finished_at or now) - row.started_at if row else 0
    share = line.shown.share if line.shown else None
    return {
        "Calls": calls,
        "Cost": cost_usd,
        "Time": time_s,
        "Coverage": share,
        "Started": line.started_at,
        "Disk": size,
    }


def state_in_words(line: RunLine) -> str:
    if line.waits:
        return WAITS
    if line.state == "running" and line.turn:
        return f"running, turn {line.turn}"
    return f"{line.state} (recorded)" if line.id in RECORDED else line.state


def _models(line: RunLine) -> str:
    """Root and helper model without their providers, for which there is no room."""
    if line.row is None:
        return line.models
    return ", ".join(dict.fromkeys(name.rpartition("/")[2] for name in (line.row.root_model, line.row.helper_model)))


def _cost(line: RunLine) -> str:
    row = line.row
    if row is None:
        return wording.DOES_NOT_APPLY
    active = line.state in ACTIVE
    free = is_demo(row.root_model, row.helper_model)
    said = cost(row.cost_usd, row.unknown_cost_calls, calls=row.calls, active=active, free=free)
    return f"{said} so far" if active and said != NONE_YET else said


def _coverage(line: RunLine) -> str:
    if line.row is None:
        return wording.DOES_NOT_APPLY
    active = line.state in ACTIVE
    if not line.row.corpus:
        return wording.UNKNOWN  # an imported run: its archive is not here, and nobody will look
    said = coverage(line.shown, active=active)
    return f"{said} so far" if active and line.shown and line.shown.chars else said


def started(at: float, now: float) -> str:
    """`14:02` today, else `24 Nov 14:02`, with the year where it is another."""
    then, today = time.localtime(at), time.localtime(now)
    if then[:3] == today[:3]:
        return time.strftime("%H:%M", then)
    return time.strftime("%d %b %H:%M" if then.tm_year == today.tm_year else "%d %b %Y %H:%M", then)
