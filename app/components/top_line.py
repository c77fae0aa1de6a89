"""The line above a run: where it belongs, what it is, what was started with it, and the button that stops it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import backend, links
from app.components import run_words
from app.components.text import escaped
from app.components.trouble import told
from app.sheet import Sheet
from rlm_core.plain import plain_line


def show(sheet: Sheet, others: Sequence[str]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="top-line"):
        st.page_link(links.RUNS, label="Runs")
        st.text(f"/ {sheet.id} · {_in_words(sheet)}")
        st.space("stretch")
        if sheet.active:
            asked = bool(st.session_state.get(f"cancelled-{sheet.id}"))
            label = "Stopping" if asked else "Cancel"
            icon = ":material/stop_circle:"
            st.button(label, icon=icon, key="cancel", disabled=asked, on_click=_cancel, args=(sheet.id,))
    if others:
        _started_together(sheet, others)


def _cancel(run: str) -> None:
    with told("cancel"):
        backend.cancel(run)
        st.session_state[f"cancelled-{run}"] = True


def _in_words(sheet: Sheet) -> str:
    task, archive = sheet.task, backend.archive(sheet.task.corpus)
    name = archive.name if archive else backend.UNLISTED
    strategy = backend.strategy_label(task.strategy, task.options)
    return plain_line(f"{name} · {strategy} · {backend.models_label(task.root_model, task.helper_model)}", 300)


def _started_together(sheet: Sheet, others: Sequence[str]) -> None:
    known = {run: found for run in sorted({sheet.id, *others}) if (found := backend.sheet(run))}
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="started-together"):
        st.caption(f"{len(known)} runs were started together", width="content")
        for run, each in known.items():
            strategy = backend.strategy_label(each.task.strategy, each.task.options)
            with st.container(width="content", key=f"{'chosen-' if run == sheet.id else ''}chip-{run}"):
                st.page_link(
                    links.RUN,
                    label=escaped(f"{run_words.SYMBOLS[each.state]} {strategy}"),
                    query_params=links.run_query(run, list(known)),
                )
