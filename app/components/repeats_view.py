"""How much the runs of one task vary: their figures, and how often each item was given each label."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from app import backend, links
from app.components.tables import figures_right, height
from app.components.text import escaped
from rlm_core import wording
from rlm_core.compare import Comparison
from rlm_core.headlines import letters
from rlm_core.plain import plain_line
from rlm_core.repeats import Repeats, Spread, Votes, in_a_sentence, repeats

ROW_HEIGHT, TABLE_ROWS = 34, 14
NAME_CHARS, LABEL_CHARS = 80, 40


def show(comparison: Comparison) -> None:
    by_task = repeats(comparison, backend.origins())
    for number, found in enumerate(by_task):
        _of_task(comparison, found, number)
    counted = {number for found in by_task for number in found.all_runs}
    if others := [number for number in range(len(comparison.runs)) if number not in counted]:
        which = f"{letters(others)} {'is' if len(others) == 1 else 'are'}"
        st.caption(f"{which} not counted: a fork repeats no task, and of a run that was taken up the last one counts.")


def _of_task(comparison: Comparison, found: Repeats, number: int) -> None:
    with st.container(key=f"repeats-{number}"):
        st.markdown(f"#### {escaped(letters(found.all_runs))} :gray[{escaped(_task(found))}]")
        st.text(in_a_sentence(found))
        _more(comparison, found, number)
        if len(found.runs) < 2:
            return
        left, right = st.columns([3, 2], gap="large")
        with left:
            _table(figures(found), f"repeats-figures-{number}", "Spread of the figures")
            st.caption(_about(found))
        if found.votes:
            with right:
                _table(votes(found.votes), f"repeats-votes-{number}", "How often each item was given each label")


def _task(found: Repeats) -> str:
    task = found.task
    strategy = backend.strategy_label(task.strategy, task.options)
    return plain_line(f"{strategy} · {backend.models_label(task)} · {wording.exact(len(found.all_runs), 'run')}", 120)


def _more(comparison: Comparison, found: Repeats, number: int) -> None:
    """The other runs of this task, and how one more is made."""
    here = [comparison.runs[each].id for each in found.all_runs]
    others = backend.repeats_of(here[0], here)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"repeats-more-{number}"):
        if others and len(here) < backend.MOST_COMPARED:
            fetched = others[: backend.MOST_COMPARED - len(here)]
            all_of = fetched if len(fetched) == len(others) else None
            many = len(fetched) if all_of else wording.m_of_n(len(fetched), len(others))
            st.button(
                f"Compare with {many} other {'run' if len(others) == 1 else 'runs'} of this task",
                icon=":material/library_add:",
                key=f"repeats-fetch-{number}",
                on_click=links.compare,
                kwargs={"runs": ",".join([*here, *fetched]), "show": None},
            )
        st.page_link(
            links.ASK, label="Ask it once more", icon=":material/refresh:", query_params=links.ask_query(run=here[0])
        )


def _about(found: Repeats) -> str:
    ended = wording.m_of_n(len(found.runs), len(found.all_runs))
    return f"{ended} have ended, {found.answered:,} with an answer. Known of: runs that tell the figure."


def _table(rows: Sequence[dict[str, str]], key: str, alt: str) -> None:
    st.dataframe(
        rows,
        hide_index=True,
        row_height=ROW_HEIGHT,
        height=height(len(rows), ROW_HEIGHT, TABLE_ROWS),
        column_config=figures_right("least", "median", "most", "known of", "none"),
        key=key,
        alt=alt,
    )


def figures(found: Repeats) -> list[dict[str, str]]:
    """One row a figure: its least, middle and most value."""
    many = len(found.runs)
    return [
        _row("number answered", found.told, many, lambda value: f"{value:,g}"),
        _row("cost", found.cost_usd, many, wording.money),
        _row("time", found.elapsed_s, many, wording.seconds),
        _row("calls", found.calls, many, lambda value: f"{value:,g}"),
        _row("tokens in", found.input_tokens, many, lambda value: wording.count(round(value))),
        _row("tokens out", found.output_tokens, many, lambda value: wording.count(round(value))),
    ]


def _row(name: str, spread: Spread, runs: int, said: Callable[[float], str]) -> dict[str, str]:
    values = {"least": spread.low, "median": spread.middle, "most": spread.high}
    shown = {column: wording.UNKNOWN if value is None else said(value) for column, value in values.items()}
    return {"": name, **shown, "known of": wording.m_of_n(spread.known, runs)}


def votes(counted: Sequence[Votes]) -> list[dict[str, str]]:
    """One row an item: its labels, and how many runs gave it each."""
    return [
        {
            "Item": plain_line(each.name, NAME_CHARS),
            "Labels": ", ".join(f"{plain_line(label, LABEL_CHARS)} {number:,}" for label, number in each.labels),
            "none": f"{each.without:,}" if each.without else "",
        }
        for each in counted
    ]
