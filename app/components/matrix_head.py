"""The head of the matrix: what it comes to, which rows and columns are looked at, all in the address, and the matrix as files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

import streamlit as st

from app import backend, links
from app.components.text import escaped
from rlm_core.compare import LETTERS
from rlm_core.matrix import MODES, Matrix, Mode, Row, counts, telling_pair
from rlm_core.matrix_words import Shown, headline, mode_in_words, only_newest
from rlm_core.plain import plain_line
from rlm_core.wording import exact, m_of_n

SHOWN: tuple[Shown, ...] = get_args(Shown)
ALL = ""
TOLD: dict[Mode, str] = {
    "all": "",
    "different": "where the answers of {a} and {b} differ",
    "A wins": "where {a} has the higher score than {b}",
    "B wins": "where {b} has the higher score than {a}",
    "errors": "with a run that ended without an answer",
}


@dataclass(frozen=True, slots=True)
class State:
    """What the address asks for, of the matrix that it is asked of."""

    every: Matrix
    """Of all archives."""
    matrix: Matrix
    archive: str
    """Id of the one that is looked at; nothing for all."""
    mode: Mode
    a: int
    b: int
    what: Shown


def state(every: Matrix) -> State:
    """What the address does not say, or says of what there is not, is as at the beginning."""
    archive = links.matrix_state("archive")
    archive = archive if archive in every.archives else ALL
    matrix = every.of_archive(archive) if archive else every
    keys = [column.key for column in matrix.columns]
    a, b = telling_pair(matrix)
    if (wanted := links.matrix_state("a")) in keys:
        a = keys.index(wanted)
    if (wanted := links.matrix_state("b")) in keys:
        b = keys.index(wanted)
    mode, what = links.matrix_state("mode"), links.matrix_state("cells")
    return State(
        every,
        matrix,
        archive,
        mode if mode in MODES else "all",
        a,
        b,
        what if what in SHOWN else "answer",
    )


def show(state: State, rows: Sequence[Row]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="matrix-top"):
        st.page_link(links.RUNS, label="Runs", width="content")
        st.text("/ Questions by strategies", width="content")
        st.space("stretch")
        _files(state, rows)
    st.header(escaped(headline(state.matrix, state.a, state.b)), anchor=False)
    st.caption(_size(state.matrix))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="matrix-choice"):
        archives = {ALL: f"all archives ({len(state.every.archives)})", **state.every.archives}
        if len(state.every.archives) > 1:
            _select("Archive", "archive", archives, state.archive)
        if len(state.matrix.columns) > 1:
            columns = {column.key: plain_line(column.label, 60) for column in state.matrix.columns}
            for letter, name, number in zip(LETTERS, "ab", (state.a, state.b), strict=False):
                _select(letter, name, columns, state.matrix.columns[number].key)
        st.space("stretch")
        _switch("Cells show", "cells", {each: each for each in SHOWN}, state.what)
    counted = counts(state.matrix.rows, state.a, state.b)
    _switch("Rows", "mode", {mode: mode_in_words(mode, counted[mode]) for mode in MODES}, state.mode)


def nothing(state: State) -> str:
    """Why a mode shows no row."""
    if state.mode.endswith("wins") and not any(total.scored for total in state.matrix.totals):
        return "No score is known yet. Give right answers below, or say of single runs whether they are right."
    return f"There is no question {told(state)}."


def told(state: State) -> str:
    """Which rows are shown, in words; nothing where all are."""
    labels = [column.label for column in state.matrix.columns]
    return TOLD[state.mode].format(a=labels[state.a], b=labels[state.b])


def _size(matrix: Matrix) -> str:
    strategies = exact(len(matrix.columns), "strategy", "strategies")
    said = f"{exact(len(matrix.rows), 'question')}, {strategies}, {exact(matrix.runs, 'run')}."
    scored, asked = (sum(getattr(total, name) for total in matrix.totals) for name in ("scored", "asked"))
    known = f"Right or wrong is known of {m_of_n(scored, asked)} cells: ● right, ◐ partly, ○ wrong." if scored else ""
    return " ".join(each for each in (said, only_newest(matrix), known or "No right answers are known.") if each)


def _files(state: State, rows: Sequence[Row]) -> None:
    files = {
        "CSV": ("matrix.csv", "text/csv", lambda: backend.matrix_as_csv(state.matrix), "One line for each run."),
        "HTML": (
            "matrix.html",
            "text/html",
            lambda: backend.matrix_as_html(state.matrix, rows, told(state)),
            "This table as a page that stands alone.",
        ),
    }
    for name, (file, mime, made, says) in files.items():
        st.download_button(
            name,
            made,
            file_name=file,
            mime=mime,
            key=f"matrix-{name}",
            icon=":material/download:",
            type="tertiary",
            on_click="ignore",
            help=says,
        )


def _select(label: str, name: str, options: Mapping[str, str], chosen: str) -> None:
    key = _put(name, chosen)
    st.selectbox(
        label, list(options), key=key, format_func=options.__getitem__, on_change=_turn, args=(name, key), width=230
    )


def _switch(label: str, name: str, options: Mapping[str, str], chosen: str) -> None:
    key = _put(name, chosen)
    st.segmented_control(
        label,
        list(options),
        key=key,
        required=True,
        format_func=options.__getitem__,
        label_visibility="collapsed",
        on_change=_turn,
        args=(name, key),
    )


def _put(name: str, chosen: str) -> str:
    """The address is right: a widget that says otherwise is told."""
    key = f"matrix-{name}"
    if st.session_state.get(key) != chosen:
        st.session_state[key] = chosen
    return key


def _turn(name: str, key: str) -> None:
    links.turn_matrix(name, st.session_state[key] or "")
