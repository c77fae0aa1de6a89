"""The calls of one cell in one row, and behind it every single one, with its prompt and reply."""

from __future__ import annotations

import os
from collections.abc import Sequence

import streamlit as st

from app import backend
from app.components import text
from app.components.kinds import icon
from app.components.tables import figures_right, height
from app.components.text import escaped
from app.sheet import Sheet
from app.steps import CANCELLED, CallRow, CallsStep
from rlm_core import wording
from rlm_core.plain import plain, plain_line

SHOWN_FAILURES = 3
ROW_HEIGHT = 32
SHOWN_ROWS = 10
READ_WHOLE = 500
"""In groups up to this size the prompts are read whole, so that what tells them apart can be shown."""
WORTH_LEAVING_OUT = 20


def group(step: CallsStep, sheet: Sheet) -> None:
    """`×310 calls`, and what failed; opened, a table of all of them."""
    with st.container(key=f"calls-{step.id}", gap="xsmall"):
        label = f"{icon('call')} **×{wording.exact(len(step.rows), 'call')}** :gray[{escaped(in_words(step))}]"
        opened = st.expander(label, key=f"group-{step.id}", on_change="rerun")
        if opened.open:
            with opened:
                _table(step, sheet)
        _failures(step)


def in_words(step: CallsStep) -> str:
    """`309 ok, 1 failed · $0.24 · p50 5.6 s, p95 9.8 s`."""
    ended = step.ok + step.failed + step.cancelled
    running = len(step.rows) - ended
    counts = [f"{step.ok:,} ok"]
    counts += [f"{step.failed:,} failed"] if step.failed else []
    counts += [f"{step.cancelled:,} cancelled"] if step.cancelled else []
    counts += [f"{running:,} under way"] if running else []
    unknown = step.totals.calls_without_cost - running
    facts = [", ".join(counts)]
    if ended:
        facts.append(
            wording.money(None if unknown and not step.totals.cost_usd else step.totals.cost_usd, max(0, unknown))
        )
    if step.p50_s is not None:
        facts.append(
            f"p50 {wording.seconds(step.p50_s)}, p95 {wording.seconds(step.p95_s)}"
            if len(step.rows) > 1
            else wording.seconds(step.p50_s)
        )
    return " · ".join(facts)


def _failures(step: CallsStep) -> None:
    """Failures are never hidden in a group."""
    failed = [
        (number, row) for number, row in enumerate(step.rows, 1) if row.status not in ("ok", "running", *CANCELLED)
    ]
    for number, row in failed[:SHOWN_FAILURES]:
        with st.container(horizontal=True, vertical_alignment="top", gap="small", key=f"failed-{row.id}"):
            st.markdown(icon("failed"), width="content")
            st.text(f"call {number}: {plain_line(text.whole(row.error), 300) or row.status}")
    if len(failed) > SHOWN_FAILURES:
        st.caption(f"and {len(failed) - SHOWN_FAILURES:,} more failed calls in the table above")


def _table(step: CallsStep, sheet: Sheet) -> None:
    picked = st.dataframe(
        table(step),
        hide_index=True,
        row_height=ROW_HEIGHT,
        height=height(len(step.rows), ROW_HEIGHT, SHOWN_ROWS),
        key=f"table-{step.id}",
        on_select="rerun",
        selection_mode="single-row",
        alt="Calls of this cell",
        column_config=figures_right("Tokens in", "Tokens out", "Cost", "Time"),
    )
    rows = picked["selection"]["rows"]
    if rows and rows[0] < len(step.rows):
        prompt_and_reply(sheet.id, step.rows[rows[0]])
    else:
        st.caption("Tick a call to read its prompt and reply.")


def table(step: CallsStep) -> list[dict[str, str]]:
    """One row a call, all of it text, in the order in which they were made. What all prompts begin with is left out."""
    prompts = distinct(
        [text.whole(row.prompt) if len(step.rows) <= READ_WHOLE else row.prompt.head for row in step.rows]
    )
    return [
        {
            "#": str(number),
            "Status": row.status,
            "Prompt": plain_line(said, 200),
            "Reply": plain_line(row.reply.head or row.error.head, 200),
            "Tokens in": wording.count(None if row.totals.calls_without_usage else row.totals.input_tokens),
            "Tokens out": wording.count(None if row.totals.calls_without_usage else row.totals.output_tokens),
            "Cost": wording.money(row.totals.cost_usd, row.totals.calls_without_cost),
            "Time": "running" if row.elapsed_s is None else wording.seconds(row.elapsed_s),
            "Model": plain_line(row.model, 80),
        }
        for number, (row, said) in enumerate(zip(step.rows, prompts, strict=True), 1)
    ]


def distinct(prompts: Sequence[str]) -> list[str]:
    """The prompts without what they all begin with, back to the start of a line or a word."""
    shared = os.path.commonprefix(prompts) if len(prompts) > 1 else ""  # noqa: RUF071  # of characters, as meant
    start = max(shared.rfind("\n"), shared.rfind(" ")) + 1
    return [f"… {prompt[start:]}" for prompt in prompts] if start > WORTH_LEAVING_OUT else list(prompts)


def prompt_and_reply(run: str, row: CallRow) -> None:
    """Every message that was sent, and what came back."""
    for number, (role, passage) in enumerate(backend.prompt(run, row.id)):
        said = text.whole(passage)
        st.caption(f"{escaped(role)} · {len(said):,} characters")
        text.output(said, f"sent-{row.id}-{number}", "prompt")
    if row.reply.chars:
        said = text.whole(row.reply)
        st.caption(f"reply · {len(said):,} characters")
        text.output(said, f"reply-{row.id}", "reply")
    elif row.error.chars:
        st.caption("no reply")
        st.text(plain(text.whole(row.error)))
