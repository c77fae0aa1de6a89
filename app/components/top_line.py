"""The line above a run: where it belongs, what it is, what was started with it; what can be done with it, and what stops it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import backend, links
from app.components import file_link, kin, page_keys
from app.components.text import escaped
from app.components.trouble import told
from rlm_core.looks import run_words
from rlm_core.looks.look import Look
from rlm_core.looks.sheet import Sheet
from rlm_core.plain import plain_line


def show(look: Look, others: Sequence[str], views: Sequence[str]) -> None:
    sheet = look.sheet
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="top-line"):
        with st.container(
            horizontal=True, vertical_alignment="center", gap="small", width="stretch", key="crumbs", wrap=False
        ):
            st.page_link(links.RUNS, label="Runs")
            first, rest = crumbs(sheet)
            st.text(f"/ {first}", width="content")
            with st.container(key="crumbs-rest", width="content"):
                st.text(f"· {rest}")
        with st.container(
            horizontal=True, vertical_alignment="center", gap="small", width="content", key="run-actions"
        ):
            _actions(look, others, views)
    if others:
        _started_together(sheet, others)
    kin.show(look)


def crumbs(sheet: Sheet) -> tuple[str, str]:
    """Title or id with the archive; and strategy and models, for which there is not always room."""
    line = backend.run_line(sheet.id)
    title = plain_line(line.title, 60) if line and line.title else ""
    archive = plain_line(line.archive if line else backend.nameless(sheet.task.corpus), 60)
    task = sheet.task
    strategy = backend.strategy_label(task.strategy, task.options)
    models = backend.models_label(task)
    return " · ".join(filter(None, [title, sheet.id, archive])), plain_line(f"{strategy} · {models}", 200)


def _actions(look: Look, others: Sequence[str], views: Sequence[str]) -> None:
    sheet = look.sheet
    if look.reading.findings:
        _link(links.EVIDENCE, "Evidence", "fact_check", links.evidence_query(sheet.id))
    _link(links.COMPARE, "Compare", "compare", links.compare_query([sheet.id, *others]))
    _link(links.ASK, "Ask again", "refresh", links.ask_query(run=sheet.id))
    if sheet.state != "queued":
        _link(links.PRESENT, "Present", "slideshow", {"run": sheet.id})
        hint = "The run as a file: all its events and notes, JSON lines (.jsonl)"
        file_link.show("Export", sheet.id, "jsonl", "export", hint)
        hint = "The run as one HTML file that opens from the disk: story, graph, every step, evidence, costs"
        file_link.show("HTML", sheet.id, "html", "export-html", hint)
    if backend.can_be_resumed(sheet):
        kin.resume_button(look, "Accept and go on" if sheet.diverged else "Resume", accept=sheet.diverged)
    if sheet.active:
        asked = bool(st.session_state.get(f"cancelled-{sheet.id}"))
        label = "Stopping" if asked else "Cancel"
        st.button(
            label, icon=":material/stop_circle:", key="cancel", disabled=asked, on_click=_cancel, args=(sheet.id,)
        )
    page_keys.show(look, views)


def _link(page: str, label: str, symbol: str, query: links.Query) -> None:
    st.page_link(page, label=label, icon=f":material/{symbol}:", query_params=query)


def _cancel(run: str) -> None:
    with told("cancel"):
        backend.cancel(run)
        st.session_state[f"cancelled-{run}"] = True


def _started_together(sheet: Sheet, others: Sequence[str]) -> None:
    known = {run: line for run in sorted({sheet.id, *others}) if (line := backend.run_line(run))}
    if len(known) < 2:
        return  # the others have been deleted
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="started-together"):
        st.caption(f"{len(known)} runs were started together", width="content")
        for run, line in known.items():
            with st.container(width="content", key=f"{'chosen-' if run == sheet.id else ''}chip-{run}"):
                st.page_link(
                    links.RUN,
                    label=escaped(f"{run_words.SYMBOLS[line.state]} {line.strategy}"),
                    query_params=links.run_query(run, list(known)),
                )
