"""Compare: two or more runs side by side, live while one of them is under way."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import backend, links
from app.components import compare_choice, compare_head, compare_parts, file_link, run_notes
from app.components.item_pairs import swapped
from app.components.trouble import told
from rlm_core.compare import Comparison
from rlm_core.plain import plain_line

POLL_S = 1.0


def page() -> None:
    wanted = links.compared_runs()
    if not wanted:
        compare_choice.choose()
        return
    links.compare(runs=",".join(wanted))  # a link from this page to itself leaves the address as it was
    with told("compare"):
        first = backend.compared(wanted[: backend.MOST_COMPARED])
        runs = [run.id for run in first.comparison.runs]
        if runs:
            _top_line(first.comparison)
        compare_head.show_notices(first, len(wanted))
        if not runs:
            compare_choice.choose()
        elif len(runs) == 1:
            compare_head.alone(first.comparison)
            compare_choice.add_to(runs[0])
        else:
            _live(first, runs)


def _live(first: backend.Compared, runs: Sequence[str]) -> None:
    moving = _is_moving(first)

    @st.fragment(run_every=POLL_S if moving else None)
    def follow() -> None:
        with told("compared"):
            compared = backend.compared(runs)
            now = compared.comparison
            if len(now.runs) < len(runs) or (moving and not _is_moving(compared)):
                st.rerun()  # the whole page once more: without a timer, or without a run that was deleted elsewhere
            compare_head.show(now)
            run_notes.show([run.id for run in now.runs])
            compare_parts.show(now)
            if not moving and any(backend.is_looking(run) for run in runs):
                st.rerun()  # with a timer while what was shown is being looked for

    follow()


def _is_moving(compared: backend.Compared) -> bool:
    return compared.looking or any(run.active for run in compared.comparison.runs)


def _top_line(comparison: Comparison) -> None:
    runs = [run.id for run in comparison.runs]
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="compare-top"):
        st.page_link(links.RUNS, label="Runs")
        st.text(f"/ Compare · {plain_line(comparison.runs[0].question.head, 200)}")
        st.space("stretch")
        compare_choice.matrix_link("Matrix", comparison.runs[0].task.corpus)
        if len(runs) > 1:
            if not any(run.state == "queued" for run in comparison.runs):
                beside = {"run": runs[1], "base": runs[0]}
                st.page_link(links.PRESENT, label="Present", icon=":material/slideshow:", query_params=beside)
                hint = "The runs and their comparison as one HTML file that opens from the disk"
                file_link.show("HTML", ",".join(runs), "html", "compare-html", hint)
            compare_choice.add_more(runs)
            st.button(
                "Swap A and B", icon=":material/swap_horiz:", type="tertiary", key="swap", on_click=_swap, args=(runs,)
            )


def _swap(runs: Sequence[str]) -> None:
    first, second, *rest = runs
    shown, _ = links.compared_items()
    links.compare(runs=",".join([second, first, *rest]), show=swapped(shown), step=None, unfolded=None)


page()
