"""Where the calls, the time and the cost of a run went: an icicle over its turns, cells and groups of calls.

Drawn from the folded steps, so its size is that of the page and not of the run. `figure` and `rows` are pure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import plotly.graph_objects as go
import streamlit as st

from app.components.kinds import Kind
from app.components.tables import figures_right
from app.look import Look
from app.steps import CallRow, CallsStep, CellStep, FrameStep, Step, TurnStep
from rlm_core import wording

RUN = "run"
HEIGHT_PX = 300
FILLS: dict[Kind, str] = {
    "root": "rgba(0, 114, 178, .30)",
    "code": "rgba(230, 159, 0, .30)",
    "call": "rgba(0, 158, 115, .30)",
    "frame": "rgba(204, 121, 167, .30)",
    "note": "rgba(138, 145, 153, .18)",
}

Metric = Callable[[Sequence[CallRow]], float]
InWords = Callable[[float, int], str]
"""A value, and the number of calls whose cost is not in it."""
METRICS: dict[str, tuple[Metric, InWords]] = {
    "Cost": (lambda calls: sum(each.totals.cost_usd for each in calls), wording.money),
    "Time in calls": (
        lambda calls: sum(each.elapsed_s or 0.0 for each in calls),
        lambda value, _: wording.seconds(value),
    ),
    "Calls": (lambda calls: float(len(calls)), lambda value, _: f"{value:,.0f}"),
}


@dataclass(frozen=True, slots=True)
class Row:
    """One box: what it is, what it lies in, and what it has of its own, without the boxes below it."""

    id: str
    parent: str
    label: str
    kind: Kind
    own: float
    unknown_calls: int = 0
    """Of its own calls, those whose cost is not known."""


def show(look: Look) -> None:
    """Behind an expander: the chart's code is large, and a run can be read without it."""
    sheet = look.sheet
    opened = st.expander("Where calls, time and cost went", key="icicle", type="compact", on_change="rerun")
    if not opened.open:
        return
    with opened:
        with st.container(horizontal=True, vertical_alignment="center"):
            choices = list(METRICS)[int(sheet.free) :]
            picked = st.segmented_control(
                "By", choices, default=choices[0], required=True, key="icicle-by", label_visibility="collapsed"
            )
            as_table = st.toggle("As a table", key="icicle-table")
        metric = str(picked)
        boxes = rows(sheet.steps, METRICS[metric][0])
        if as_table:
            say = METRICS[metric][1]
            st.dataframe(
                [{"What": each.label, metric: say(each.own, each.unknown_calls)} for each in boxes],
                hide_index=True,
                column_config=figures_right(metric),
                alt=f"{metric} of each step",
            )
        else:
            drawn = figure(boxes, METRICS[metric][1], dark=st.context.theme.type == "dark")
            st.plotly_chart(drawn, key=f"icicle-{metric}", alt=f"{metric} of each step")
        unknown = sheet.totals.calls_without_cost - sheet.open_calls
        if metric == "Cost" and unknown > 0:
            st.caption(f"The cost of {wording.exact(unknown, 'call')} is not known and not drawn.")


def rows(steps: Sequence[Step], metric: Metric) -> list[Row]:
    """The run's own box, and one for each frame, turn, cell and group of calls."""
    kept = [step for step in steps if isinstance(step, FrameStep | TurnStep | CellStep | CallsStep)]
    known = {step.id for step in kept}
    place = partial(_box, metric=metric, known=known)
    return [Row(RUN, "", "Run", "note", 0.0), *(place(step) for step in kept)]


def _box(step: Step, metric: Metric, known: set[str]) -> Row:
    parent = step.parent if step.parent in known else RUN
    match step:
        case FrameStep():
            return Row(step.id, parent or RUN, f"Child frame, depth {step.depth}", "frame", 0.0)
        case TurnStep():
            calls = [step.call] if step.call else []
            return Row(step.id, parent or RUN, f"Turn {step.number}", "root", metric(calls), _unknown(calls))
        case CellStep():
            return Row(step.id, parent or RUN, f"Cell {step.number}", "code", 0.0)
        case CallsStep():
            return Row(
                step.id,
                parent or RUN,
                f"×{wording.exact(len(step.rows), 'call')}",
                "call",
                metric(step.rows),
                _unknown(step.rows),
            )
    raise TypeError(f"{type(step).__name__} has no box.")


def _unknown(calls: Sequence[CallRow]) -> int:
    return sum(each.totals.calls_without_cost for each in calls)


def figure(boxes: Sequence[Row], in_words: InWords, *, dark: bool = False) -> go.Figure:
    """The icicle. A box is as wide as all it holds; its text has the sum in words, and is left out where it would shrink."""
    totals = _totals(boxes)
    chart = go.Icicle(
        ids=[each.id for each in boxes],
        parents=[each.parent for each in boxes],
        labels=[each.label for each in boxes],
        values=[each.own for each in boxes],
        text=[in_words(*totals[each.id]) for each in boxes],
        branchvalues="remainder",
        texttemplate="<b>%{label}</b>  %{text}",
        hovertemplate="%{label}: %{text}<extra></extra>",
        textfont={"color": "#e9ecef" if dark else "#1b2026", "size": 13},
        marker={"colors": [FILLS[each.kind] for each in boxes], "line": {"width": 1.5}},
        tiling={"orientation": "v", "pad": 0},
        pathbar={"visible": False},
        sort=False,
        maxdepth=5,
    )
    margins = {"l": 0, "r": 0, "t": 4, "b": 4}
    text = {"mode": "hide", "minsize": 12}
    return go.Figure(
        chart, layout={"height": HEIGHT_PX, "margin": margins, "uniformtext": text, "uirevision": "icicle"}
    )


def _totals(boxes: Sequence[Row]) -> dict[str, tuple[float, int]]:
    totals = {each.id: (each.own, each.unknown_calls) for each in boxes}
    for each in reversed(boxes):  # what lies in a box comes after it
        if each.parent:
            (above, unknown_above), (here, unknown_here) = totals[each.parent], totals[each.id]
            totals[each.parent] = above + here, unknown_above + unknown_here
    return totals
