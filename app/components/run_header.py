"""The head of a run's page: question, state, answer with its marks and six figures, in one component that writes text by
`textContent`. A mark selects the finding that the answer rests on at this place.

Not `st.metric`: its second line cuts text, and at 900 px so does its first.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import streamlit as st

from app import backend
from app.components import selection
from app.places import STATIC
from rlm_core.looks import run_words
from rlm_core.looks.look import Look, Reading
from rlm_core.looks.verdicts import told
from rlm_core.plain import plain, plain_line

_component = st.components.v2.component(
    "run_header",
    html='<div class="header"></div>',
    css=(STATIC / "run_header.css").read_text(encoding="utf-8"),
    js=(STATIC / "run_header.js").read_text(encoding="utf-8"),
)

QUESTION_CHARS = 4_000
ANSWER_CHARS = 100_000
"""Of a longer answer the beginning is shown, and all of it is a file."""
QUOTE_CHARS = 240
AWAITED = "No answer yet."


def show(look: Look, shown: backend.ShownShare, now: float | None = None) -> None:
    """Draw the head; what is too long for it can be downloaded below."""
    sheet = look.sheet
    answer = backend.whole(sheet.answer)
    _component(
        key="run-header",
        height="content",
        data=data(look, now or time.time(), shown),
        on_open_change=_open,
        **selection.callbacks("run-header"),
    )
    if len(answer) > ANSWER_CHARS:
        st.download_button(
            f"Download the whole answer, {len(answer):,} characters",
            lambda: answer,
            file_name=f"answer {sheet.id}.txt",
            mime="text/plain",
            on_click="ignore",
            type="tertiary",
            icon=":material/download:",
        )


def _open() -> None:
    """The view that says more about a figure."""
    if st.session_state["run-header"].open == "Coverage":
        st.session_state["view"] = "Coverage"


def figures(row: Sequence[run_words.Figure], key: str) -> None:
    """A row of figures by itself."""
    _component(key=key, height="content", data={"figures": [asdict(figure) for figure in row]})


def data(look: Look, now: float, shown: backend.ShownShare) -> dict[str, Any]:
    """What the head is drawn from; all of it is text."""
    sheet = look.sheet
    question = backend.whole(sheet.question)
    return {
        "question": _shown(run_words.question_in_words(question), QUESTION_CHARS),
        "unrecorded": not run_words.is_recorded(question),
        "state": sheet.state,
        "state_in_words": run_words.state_in_words(sheet),
        "live": sheet.state == "running",
        "waits": sheet.approval is not None,
        "notices": run_words.notices(sheet, recorded=sheet.id in backend.RECORDED),
        "reason": plain(run_words.reason_in_words(sheet)),
        "answer": pieces(backend.whole(sheet.answer), look.reading),
        "awaited": AWAITED if sheet.active else "",
        "selected": look.place.node,
        "figures": [asdict(figure) for figure in run_words.figures(sheet, now, shown)],
    }


def pieces(answer: str, reading: Reading) -> list[dict[str, Any]]:
    """The answer cut behind each cited item: a text, and the mark that follows it. The last has none."""
    shown, at, cut = answer[:ANSWER_CHARS], 0, list[dict[str, Any]]()
    quotes = {each.span: each for each in reading.findings}
    for each in reading.citations:
        if not at <= each.start < each.end <= len(shown):
            continue  # the same item again, or beyond what is shown
        finding = quotes.get(each.finding)
        says = [f"{plain_line(finding.item, 60)}: {plain_line(finding.label, 40)}"] if finding else []
        says += [f"“{plain_line(finding.quote, QUOTE_CHARS)}”"] if finding and finding.quote else []
        says += [told(finding.verdict.verdict if finding.verdict else None).words] if finding else []
        mark = {"number": each.number, "finding": each.finding, "says": " · ".join(says)}
        cut.append({"text": plain(shown[at : each.end]), "cited": mark})
        at = each.end
    rest = _shown(answer[at:], ANSWER_CHARS - at)
    return [*cut, {"text": rest}] if rest else cut


def _shown(said: str, chars: int) -> str:
    missing = len(said) - chars
    return plain(said) if missing <= 0 else f"{plain(said[:chars])} … and {missing:,} more characters"
