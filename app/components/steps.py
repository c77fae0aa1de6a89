"""The steps of a run, one below the other: a turn's words, its cells with code, output and error, and their calls."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import singledispatch

import streamlit as st

from app.components import calls, text
from app.components.findings import labels_in_words
from app.components.kinds import Kind, headline, icon
from app.sheet import Sheet
from app.steps import CANCELLED, CallsStep, CellStep, FindingsStep, FrameStep, RemarkStep, Step, TurnStep
from rlm_core import wording
from rlm_core.passages import spoken
from rlm_core.plain import plain, plain_line

STEPS_A_PAGE = 100


def show(sheet: Sheet) -> None:
    """All steps; of very many a page, while the run is live the last one."""
    st.markdown(f"**{wording.exact(len(sheet.steps), 'step')}**")
    pages = -(-len(sheet.steps) // STEPS_A_PAGE)
    page = pages
    if pages > 1:
        page = st.pagination(pages, default=pages if sheet.active else 1, key="steps-page")
    for step in sheet.steps[(page - 1) * STEPS_A_PAGE : page * STEPS_A_PAGE]:
        with st.container(key=f"{_frame_class(step)}{step.id}", gap="xsmall"):
            draw(step, sheet)


def _frame_class(step: Step) -> str:
    return "inner-step-" if step.depth else "step-"


@singledispatch
def draw(step: Step, sheet: Sheet) -> None:
    raise TypeError(f"There is nothing to draw for {type(step).__name__}.")


@draw.register
def _(step: FrameStep, sheet: Sheet) -> None:
    headline("frame", f"Child frame, depth {step.depth}", _took(step, sheet), beside=step.strategy)
    text.words(text.whole(step.question), step.id)


@draw.register
def _(step: TurnStep, sheet: Sheet) -> None:
    st.divider()
    headline("root", f"Turn {step.number}", " · ".join(_turn_facts(step, sheet)))
    if step.call is None:
        return
    text.words(spoken(text.whole(step.call.reply), [text.whole(each) for each in step.cells]), step.id)
    if step.call.error.chars:
        problem(text.whole(step.call.error), kind="note" if step.call.status in CANCELLED else "failed")
    if step.refused.chars:
        problem(f"The answer was sent back to the model: {text.whole(step.refused)}")
    asked = st.expander("Prompt and reply as sent", key=f"asked-{step.id}", type="compact", on_change="rerun")
    if asked.open:
        with asked:
            calls.prompt_and_reply(sheet.id, step.call)


@draw.register
def _(step: CellStep, sheet: Sheet) -> None:
    code = text.whole(step.code)
    lines = wording.exact(code.rstrip().count("\n") + 1, "line")
    ended = "" if step.status in ("ok", "running") else f"{CELL_ENDS.get(step.status, step.status)} · "
    with st.container(key=f"cell-{step.id}", gap="xsmall"):
        headline("code", f"Cell {step.number}", f"{ended}{lines} · {_took(step, sheet)}")
        text.code(code, f"code-{step.id}")
    if step.output.chars or step.error.chars:
        with st.container(key=f"out-{step.id}", gap="xsmall"):
            _output(step, sheet)
    if step.variables:
        with st.expander(f"{wording.exact(len(step.variables), 'variable')} new or changed", type="compact"):
            st.dataframe(variables_table(step), hide_index=True, alt="Variables that the cell left behind")


CELL_ENDS = {
    "failed": "ended in an error",
    "timeout": "interrupted at its time limit",
    "killed": "killed with its sandbox",
    "cancelled": "cancelled",
    "interrupted": "interrupted",
}


def _output(step: CellStep, sheet: Sheet) -> None:
    if step.output.chars:
        text.output(text.whole(step.output), f"output-{step.id}")
    unseen = step.output_chars - sheet.task.limits.shown_chars
    if unseen > 0:
        st.caption(f"The model was not shown {unseen:,} of these {step.output_chars:,} characters.")
    if step.error.chars:
        problem(text.whole(step.error), f"error-{step.id}")


@draw.register
def _(step: CallsStep, sheet: Sheet) -> None:
    calls.group(step, sheet)


@draw.register
def _(step: FindingsStep, sheet: Sheet) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"row-{step.id}"):
        total = sum(count for _, count in step.labels)
        st.markdown(f"{icon('answer')} **{wording.exact(total, 'finding')}** recorded", width="content")
        st.text(labels_in_words(step.labels))


@draw.register
def _(step: RemarkStep, sheet: Sheet) -> None:
    kind: Kind = "search" if step.topic == "search" else "note"
    with st.container(horizontal=True, vertical_alignment="top", gap="small", key=f"row-{step.id}"):
        st.markdown(icon(kind), width="content")
        st.text(f"{plain_line(step.topic.replace('_', ' '), 60)}:")
        text.words(text.whole(step.text), f"text-{step.id}")


def problem(said: str, key: str = "", *, kind: Kind = "failed") -> None:
    """Something that went wrong, with the failure's shape beside it. A traceback keeps its columns."""
    with st.container(horizontal=True, vertical_alignment="top", gap="small"):
        st.markdown(icon(kind), width="content")
        if key:
            with st.container():
                text.output(said, key, "error")
        else:
            st.text(plain(said), width="stretch")


def variables_table(step: CellStep) -> list[dict[str, str]]:
    """Name, type, size, value and whether it is new, all as text."""
    return [
        {
            "Name": plain_line(str(each.get("name", "")), 200),
            "Type": plain_line(str(each.get("type", "")), 200),
            "Size": plain_line(str(each.get("size", "")), 200),
            "Value": plain_line(str(each.get("preview", "")), 500),
            "Change": plain_line(str(each.get("change", "")), 200),
        }
        for each in step.variables
    ]


def _turn_facts(step: TurnStep, sheet: Sheet) -> Sequence[str]:
    facts = []
    if step.call is not None and step.status != "running":
        totals = step.call.totals
        if not totals.calls_without_usage:
            facts.append(f"{wording.count(totals.input_tokens)} in, {wording.count(totals.output_tokens)} out")
        facts.append("cost unknown" if totals.calls_without_cost else wording.money(totals.cost_usd))
    return [*facts, _took(step, sheet)]


def _took(step: Step, sheet: Sheet) -> str:
    """How long it took, or how long it has been going on."""
    if step.elapsed_s is not None:
        return wording.seconds(step.elapsed_s)
    return f"running for {wording.seconds(max(0.0, time.time() - step.started_at))}" if sheet.active else "not finished"
