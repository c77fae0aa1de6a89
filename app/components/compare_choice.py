"""Which runs to compare: those of one question, or others to be laid beside a run."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence

import streamlit as st

from app import backend, links
from app.components.first_visit import open_recorded_comparison
from app.components.runs_table import started
from app.components.text import escaped
from rlm_core import wording
from rlm_core.looks import run_words
from rlm_core.plain import plain_line

MOST_QUESTIONS, MOST_RUNS = 8, 12
TELLING = ("answered", "forced", "running")
TWO_STRATEGIES = ("rlm-1", "base")


def choose() -> None:
    """No run is chosen yet."""
    groups = backend.alike()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.header("Compare", anchor=False, width="content")
        st.space("stretch")
        if groups:
            matrix_link()
    several = [group for group in groups if len(group.lines) > 1]
    if not several:
        said = "No question has been asked in two ways yet." if groups else "No question has been asked yet."
        st.text(f"{said} Tick two strategies on Ask: each becomes a run, and they show here side by side.")
        _ask("Ask with two strategies", links.ask_query(strategies=TWO_STRATEGIES))
        if st.button(
            "Open a recorded comparison", icon=":material/compare:", type="tertiary", key="recorded-comparison"
        ):
            open_recorded_comparison()
        return
    st.caption("Two or more runs of one question, side by side. The newest first.")
    for number, group in enumerate(several[:MOST_QUESTIONS]):
        _group(number, group)
    if len(several) > MOST_QUESTIONS:
        st.caption(f"{wording.m_of_n(MOST_QUESTIONS, len(several))} questions with several runs are shown.")


def matrix_link(label: str = "All questions by all strategies", archive: str = "") -> None:
    st.page_link(
        links.MATRIX,
        label=label,
        icon=":material/grid_on:",
        query_params=links.matrix_query(archive),
        width="content",
    )


def _group(number: int, group: backend.Alike) -> None:
    named = names(group.lines[:MOST_RUNS])
    with st.container(key=f"alike-{number}", gap="xsmall"):
        st.text(plain_line(group.question, 200))
        many = len(group.lines)
        runs = f"{wording.m_of_n(MOST_RUNS, many)} runs" if many > MOST_RUNS else wording.exact(many, "run")
        st.caption(f"{escaped(plain_line(group.archive, 80))} · {runs}")
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            chosen = st.pills(
                "Runs",
                list(named),
                selection_mode="multi",
                default=telling(group.lines),
                format_func=lambda run: escaped(named[run]),
                key=f"alike-runs-{number}-{group.lines[0].id}",
                label_visibility="collapsed",
                wrap=True,
            )
            _compare(f"Compare {len(chosen)}" if len(chosen) > 1 else "Compare", chosen)


def telling(lines: Sequence[backend.RunLine]) -> list[str]:
    """The newest run, and the newest that another strategy or model made; of those that answered, where they did."""
    ranked = sorted(lines[:MOST_RUNS], key=lambda line: line.state not in TELLING)
    first, *others = ranked
    made = (first.strategy, first.models)
    return [next((line for line in others if (line.strategy, line.models) != made), others[0]).id, first.id]


def name(line: backend.RunLine) -> str:
    """`✓ base, cut · 14:02 · gpt-4o`."""
    at = started(line.started_at, time.time())
    title = f"{plain_line(line.title, 40)} · " if line.title else ""
    return plain_line(f"{run_words.SYMBOLS[line.state]} {title}{line.strategy} · {at} · {line.models}", 100)


def names(lines: Sequence[backend.RunLine]) -> dict[str, str]:
    """The name of each run, with its id where another has the same: what is chosen is told by it."""
    found = {line.id: name(line) for line in lines}
    several = Counter(found.values())
    return {run: f"{said} · {run}" if several[said] > 1 else said for run, said in found.items()}


def add_to(run: str) -> None:
    """One run is chosen: what can be laid beside it."""
    st.header("Compare it with", anchor=False)
    if offered := backend.to_add([run]):
        _offer([run], offered)
        return
    st.text("No other run has read this archive yet. Ask the same question with another strategy or model.")
    _ask("Ask it again in another way", links.ask_query(run=run))


def add_more(runs: Sequence[str]) -> None:
    """Further runs for a comparison, behind a button."""
    offered = backend.to_add(runs) if len(runs) < backend.MOST_COMPARED else []
    if offered:
        with st.popover("Add a run", icon=":material/add:", type="tertiary"):
            _offer(runs, offered)


def _offer(runs: Sequence[str], offered: Sequence[backend.RunLine]) -> None:
    for line in offered[:MOST_RUNS]:
        question = "" if line.question == offered[0].question else f" · {line.question}"
        with st.container(key=f"offer-{line.id}"):
            _link(escaped(plain_line(name(line) + question, 160)), [*runs, line.id], ":material/compare:")
    if len(offered) > MOST_RUNS:
        st.caption(f"{wording.m_of_n(MOST_RUNS, len(offered))} runs of this archive are shown.")


def _compare(label: str, runs: Sequence[str]) -> None:
    _link(label, runs, ":material/compare:", disabled=len(runs) < 2)


def _link(label: str, runs: Sequence[str], icon: str, *, disabled: bool = False) -> None:
    st.page_link(links.COMPARE, label=label, icon=icon, query_params=links.compare_query(runs), disabled=disabled)


def _ask(label: str, query: links.Query) -> None:
    st.page_link(links.ASK, label=label, icon=":material/arrow_forward:", query_params=query)
