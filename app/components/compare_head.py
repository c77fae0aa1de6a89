"""What a comparison comes to, and the table of its runs: one component that writes text by `textContent`.

Native tables would do for the figures, but have no letters in colour and no links into the app.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from app import backend, links
from app.components.kinds import icon
from app.places import STATIC
from rlm_core import wording
from rlm_core.compare import LETTERS, ComparedRun, Comparison
from rlm_core.headlines import headline, letters
from rlm_core.looks import run_words
from rlm_core.plain import plain_line

_component = st.components.v2.component(
    "compare_head",
    html='<div class="head"></div>',
    css=(STATIC / "compare_head.css").read_text(encoding="utf-8"),
    js=(STATIC / "compare_head.js").read_text(encoding="utf-8"),
)

ANSWER_CHARS, TITLE_CHARS = 64, 60
SHADES = ("a", "b")
"""Of the first two runs; further ones are neutral."""


def show(comparison: Comparison, now: float | None = None) -> None:
    said, now = headline(comparison), now or time.time()
    _draw(said.text, (*said.lead, *otherwise(comparison, now)), comparison, now)


def otherwise(comparison: Comparison, now: float) -> list[str]:
    """Of runs that say the same: what differs then, and what must be known of the demo before anything is made of it."""
    runs = comparison.runs
    parted = any(item.status in ("differ", "only") for item in comparison.items)
    nothing_said = not comparison.items and runs[0].told is None
    if parted or nothing_said or not (comparison.same_question and comparison.same_corpus):
        return []
    if any(run.answer is None or run.told != runs[0].told for run in runs):
        return []
    free = all(_cost(run) == wording.money(0.0) for run in runs)
    each = [
        f"{letter} made {wording.exact(run.totals.calls, 'call')}{'' if free else f' for {_cost(run)}'}"
        f" in {wording.seconds(run.elapsed_s(now))}"
        for letter, run in zip(LETTERS, runs, strict=False)
    ]
    said = [f"What differs is the work: {', '.join(each)}{'; nothing was charged' if free else ''}."]
    demo = all(run_words.is_demo(run.task.root_model, run.task.helper_model) for run in runs)
    if demo and any(run.task.strategy == "base" and not run.reach.outside for run in runs):
        said.append(
            "The demo is a list of rules without a window, so base can read everything here. A real model could not "
            "where the archive is larger than its window."
        )
    return said


def alone(comparison: Comparison) -> None:
    """One run, before another is laid beside it."""
    _draw("One run is chosen", ("A comparison takes two.",), comparison, time.time())


def _draw(said: str, lead: Sequence[str], comparison: Comparison, now: float) -> None:
    clicked = _component(
        key="compare-head",
        height="content",
        data={
            "headline": plain_line(said),
            "lead": [plain_line(each) for each in lead],
            "runs": rows(comparison, now),
        },
        on_opened_change=lambda: None,
        on_removed_change=lambda: None,
    )
    if clicked.removed:
        links.compare(runs=",".join(run.id for run in comparison.runs if run.id != clicked.removed), show=None)
        st.rerun()  # the whole page: it is another comparison
    if clicked.opened:
        started_with = [run.id for run in comparison.runs]
        links.leave_comparison(links.RUN, links.run_query(clicked.opened, started_with))


def rows(comparison: Comparison, now: float) -> list[dict[str, Any]]:
    removable = len(comparison.runs) > 2
    return [{**_row(run, now), **letter(number), "removable": removable} for number, run in enumerate(comparison.runs)]


def letter(number: int) -> dict[str, str]:
    return {"letter": LETTERS[number], "shade": SHADES[number] if number < len(SHADES) else "other"}


def strategy(run: ComparedRun) -> str:
    return plain_line(backend.strategy_label(run.task.strategy, run.task.options), 60)


def title(run: ComparedRun) -> str:
    """What a person called the run; nothing if nobody did."""
    line = backend.run_line(run.id)
    return plain_line(line.title, TITLE_CHARS) if line else ""


def name(run: ComparedRun) -> str:
    return title(run) or strategy(run)


def _row(run: ComparedRun, now: float) -> dict[str, Any]:
    models = backend.models_label(run.task)
    rules = ", rule-based" if run_words.is_demo(run.task.root_model, run.task.helper_model) else ""
    recorded = ", recorded" if run.id in backend.RECORDED else ""
    queued = run.state == "queued"
    return {
        "run": run.id,
        "href": f"run?{urlencode(links.run_query(run.id))}",
        "name": name(run),
        "models": plain_line(f"{strategy(run) + ' · ' if title(run) else ''}{models}{rules}{recorded}", 120),
        "outcome": f"{run_words.SYMBOLS[run.state]} {run.state}",
        "answer": _answer(run),
        "answered": run.answer is not None,
        "figures": [
            wording.DOES_NOT_APPLY if queued else each
            for each in (
                exact(run),
                f"{run.totals.calls:,}",
                _cost(run),
                wording.seconds(run.elapsed_s(now)),
                _tokens(run),
            )
        ],
    }


def _answer(run: ComparedRun) -> str:
    """The answer's first line, or why there is none."""
    if run.answer is not None:
        first = next((line for line in run.answer.split("\n") if line.strip()), "")
        return shortened(plain_line(first), ANSWER_CHARS) or "an empty answer"
    if run.active:
        return run_words.NONE_YET
    return plain_line(run.reason, ANSWER_CHARS) or "no answer"


def shortened(line: str, chars: int) -> str:
    """Cut at a word, with one ellipsis; a word that is too long is cut itself."""
    if len(line) <= chars:
        return line
    head, _, _ = line[:chars].rpartition(" ")
    return f"{(head or line[: chars - 1]).rstrip(' .,;:…')}…"


def exact(run: ComparedRun) -> str:
    """`15 of 17`: quotes that stand in the archive word for word, of all that the run decided."""
    if run.items_from == "nowhere":
        return wording.DOES_NOT_APPLY
    return wording.NOT_CHECKED if run.exact is None else wording.m_of_n(run.exact, run.decided)


def _cost(run: ComparedRun) -> str:
    totals, demo = run.totals, run_words.is_demo(run.task.root_model, run.task.helper_model)
    return run_words.cost(
        totals.cost_usd,
        totals.calls_without_cost,
        calls=totals.calls,
        active=run.active,
        free=demo or (run.free and not totals.calls_without_cost),
    )


def _tokens(run: ComparedRun) -> str:
    totals = run.totals
    if not totals.calls:
        return run_words.NONE_YET if run.active else wording.DOES_NOT_APPLY
    if totals.calls_without_usage == totals.calls:
        return wording.UNKNOWN
    part = " + ?" if totals.calls_without_usage else ""
    return f"{wording.count(totals.input_tokens)} | {wording.count(totals.output_tokens)}{part}"


def show_notices(compared: backend.Compared, wanted: int) -> None:
    for number, notice in enumerate(notices(compared, wanted)):
        with st.container(horizontal=True, gap="small", key=f"compare-notice-{number}"):
            st.markdown(icon("note"), width="content")
            st.text(notice, width="stretch")


def notices(compared: backend.Compared, wanted: int) -> list[str]:
    """What must be known before the runs are compared."""
    said = [
        f"There is no run “{plain_line(run, 80)}” in the data folder. It may have been deleted."
        for run in compared.unknown
    ]
    if wanted > backend.MOST_COMPARED:
        said.append(f"The first {wording.m_of_n(backend.MOST_COMPARED, wanted)} runs are compared.")
    comparison = compared.comparison
    if not comparison.same_corpus:
        said.append(f"These runs read different archives: {_by_letters(comparison, _archive)}.")
    if not comparison.same_question:
        said.append(f"These runs were asked different questions: {_by_letters(comparison, _asked)}.")
    return said


def _by_letters(comparison: Comparison, said: Callable[[ComparedRun], str]) -> str:
    """`A and C “What?”, B “Why?”`."""
    having: dict[str, list[int]] = {}
    for number, run in enumerate(comparison.runs):
        having.setdefault(said(run), []).append(number)
    return ", ".join(f"{letters(numbers)} {words}" for words, numbers in having.items())


def _archive(run: ComparedRun) -> str:
    archive = backend.archive(run.task.corpus)
    return plain_line(archive.name, 60) if archive else backend.nameless(run.task.corpus)


def _asked(run: ComparedRun) -> str:
    return f"“{plain_line(run.question.head, 160)}”"
