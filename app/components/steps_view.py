"""The steps of two runs side by side, where they part first, and what differs in the step that is selected."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import backend, links
from app.components import step_beside, steps_aligned
from app.components.compare_head import name
from rlm_core import wording
from rlm_core.compare import LETTERS, Comparison
from rlm_core.steps_aligned import Aligned, Row, State

PAGE_ROWS = 150
PAGE, ONLY = "steps-page", "steps-differences"
Sides = tuple[int, int]
"""The numbers of the two runs in the comparison."""


def show(comparison: Comparison) -> None:
    sides = _sides(comparison)
    one, other = (comparison.runs[number].id for number in sides)
    aligned = backend.steps_beside(one, other)
    if not aligned.rows:
        st.text("None of these two has done anything yet.")
        return
    step, opened = links.compared_step()
    selected = aligned.by_id.get(step)
    opened += selected.groups if selected else ()
    rows = _visible(aligned, opened)
    _bar(aligned, sides, rows)
    left, right = st.columns([5, 3], gap="medium")
    with left:
        _rows(comparison, sides, aligned, rows, opened, selected)
    with right.container(key="step-beside"):
        step_beside.show(comparison, sides, selected)


def _sides(comparison: Comparison) -> Sides:
    """The two runs whose steps are shown; of more than two a person chooses."""
    many = len(comparison.runs)
    chosen = [LETTERS.index(letter) for letter in links.compared_pair() if letter in LETTERS[:many]]
    sides = (chosen[0], chosen[1]) if len(chosen) == 2 and chosen[0] != chosen[1] else (0, 1)
    if many == 2:
        return sides
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="steps-pair"):
        for place, label in enumerate(("Steps of", "beside those of")):
            _choice(comparison, sides, place, label)
    return sides


def _choice(comparison: Comparison, sides: Sides, place: int, label: str) -> None:
    key = f"steps-side-{place}"
    st.session_state[key] = sides[place]

    def chosen() -> None:
        taken = st.session_state[key]
        pair = [taken if each == place else sides[each] for each in (0, 1)]
        if pair[0] == pair[1]:
            pair = [sides[1], sides[0]]
        links.compare(pair="".join(LETTERS[each] for each in pair), step=None, unfolded=None)

    st.selectbox(
        label,
        range(len(comparison.runs)),
        format_func=lambda number: f"{LETTERS[number]} · {name(comparison.runs[number])}",
        key=key,
        on_change=chosen,
        width=260,
    )


def _visible(aligned: Aligned, opened: Sequence[str]) -> list[Row]:
    rows = aligned.shown(opened)
    return [row for row in rows if row.parts or row.below] if st.session_state.get(ONLY) else rows


def _bar(aligned: Aligned, sides: Sides, rows: Sequence[Row]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="steps-bar"):
        st.text(counted(aligned, sides))
        st.space("stretch")
        st.toggle("Differences only", key=ONLY)
        st.button(
            "First difference",
            icon=":material/keyboard_double_arrow_right:",
            key="steps-first",
            disabled=aligned.first is None,
            on_click=_select_first,
            args=(aligned,),
        )


def _select_first(aligned: Aligned) -> None:
    assert aligned.first is not None
    _, opened = links.compared_step()
    _turn_to(_visible(aligned, [*opened, *aligned.first.groups]), aligned.first)
    links.compare(step=aligned.first.id, unfolded=",".join(dict.fromkeys([*opened, *aligned.first.groups])))


def _turn_to(rows: Sequence[Row], row: Row) -> None:
    place = next((place for place, each in enumerate(rows) if each.id == row.id), 0)
    st.session_state[PAGE] = place // PAGE_ROWS + 1


def counted(aligned: Aligned, sides: Sides) -> str:
    """`318 steps: 300 the same, 12 changed, 4 only in A, 2 only in B`"""
    counts, (one, other) = aligned.counts, (LETTERS[number] for number in sides)
    total = sum(counts.values())
    if counts["same"] == total:
        return f"All {wording.exact(total, 'step')} are the same in {one} and {other}."
    states: tuple[tuple[State, str], ...] = (
        ("same", "the same"),
        ("changed", "changed"),
        ("only one", f"only in {one}"),
        ("only other", f"only in {other}"),
    )
    apart = counts["only one"] and counts["only other"] and not (counts["same"] or counts["changed"])
    said = [f"{counts[state]:,} {words}" for state, words in states if counts[state] or (state == "same" and not apart)]
    begin = "These two work in different ways: nothing pairs. " if apart else ""
    return f"{begin}{wording.exact(total, 'step')}: {', '.join(said)}"


def _rows(
    comparison: Comparison,
    sides: Sides,
    aligned: Aligned,
    rows: Sequence[Row],
    opened: Sequence[str],
    selected: Row | None,
) -> None:
    pages = max(1, -(-len(rows) // PAGE_ROWS))
    if PAGE not in st.session_state and selected:
        _turn_to(rows, selected)
    page = min(int(st.session_state.get(PAGE, 1)), pages)
    shown = rows[(page - 1) * PAGE_ROWS : page * PAGE_ROWS]
    steps_aligned.show(comparison, sides, shown, opened, aligned.first, selected)
    if pages > 1:
        st.session_state[PAGE] = page
        st.pagination(pages, key=PAGE, max_visible_pages=7)
    first = (page - 1) * PAGE_ROWS
    many = f"Rows {first + 1:,} to {first + len(shown):,} of {len(rows):,}. " if pages > 1 else ""
    st.caption(f"{many}What is the same with all that lies in it is one row. Time and cost are not compared.")
