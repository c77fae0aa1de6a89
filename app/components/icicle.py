"""Where cost, tokens, time and calls went: an icicle over the marks of the run. A click on a box selects its mark.

Each level of the tree is a row, each box as wide as all that it holds. Drawn as bars, not as Plotly's own icicle: that one
would zoom with every click, and hide what is selected elsewhere. `boxes` (`icicle_boxes.py`) and `figure` are pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from app import links
from app.components.chart_look import CHOSEN, CONFIG, FILLS, INKS, PAGE, TEXT, layout
from app.components.icicle_boxes import METRICS, Box, Boxes, boxes_of, label
from app.components.selection import in_chart
from app.components.tables import STEP, clicked, figures_right, filling
from rlm_core import wording
from rlm_core.looks.look import Look

ROW_PX = 33
MARGIN_PX = 4
TABLE_ROW_PX = 30
TABLE_ROWS = 18
DRAWN_CHARS = 96
"""Characters of text that a box of the whole width has room for, in a window of 900."""
KEY = "icicle"
HEADLINES = {
    "cost": "Where the money went",
    "tokens": "Where the tokens went",
    "time": "Where the time of calls went",
    "calls": "Where the calls were made",
}
FREE = ["time", "tokens", "calls"]
"""Metrics of a run in which nothing is charged."""


def show(look: Look) -> None:
    with st.container(
        horizontal=True,
        horizontal_alignment="distribute",
        vertical_alignment="center",
        gap="small",
        key="icicle-controls",
    ):
        choices = FREE if look.sheet.free else list(METRICS)
        metric = str(_control("Width", choices, "metric"))
        order = str(_control("Order", ["heaviest first", "in time"], "order"))
        as_table = st.toggle("Table", key="icicle-table")
    drawn = boxes_of(look, metric, by_weight=order == "heaviest first")
    if not drawn.total:
        st.caption(_nothing(look, metric, drawn, choices))
        return
    st.markdown(f"**{HEADLINES[metric]}**")
    if said := says(metric, free=look.sheet.free, as_table=as_table):
        st.caption(said)
    if as_table:
        _table(drawn, metric, _selected(look))
    else:
        _chart(drawn, look, metric)
    for note in drawn.notes:
        st.text(note)
    many = wording.m_of_n(drawn.nodes, look.tree.nodes)
    st.caption(
        f"{many} nodes have a box of their own, the rest is summed in groups or took nothing. "
        f"Click a {'row' if as_table else 'box'} to select it."
    )


def says(metric: str, *, free: bool, as_table: bool) -> str:
    """What widths mean; and why cost, which comes first elsewhere, is not among them. As Markdown."""
    instead = "Cost is \\$0 here, so time is shown." if free and metric == "time" else ""
    widths = f"A box is as wide as its {METRICS[metric].noun}; what it is made of lies below it."
    return " ".join(filter(None, [instead, "" if as_table else widths]))


def _control(name: str, choices: Sequence[str], key: str) -> object:
    return st.segmented_control(
        name, choices, default=choices[0], required=True, key=key, label_visibility="collapsed", bind="query-params"
    )


def _nothing(look: Look, metric: str, drawn: Boxes, choices: Sequence[str]) -> str:
    if look.sheet.active:
        return "Nothing to draw yet: no call has ended."
    if drawn.unknown_calls:
        others = " or ".join(f"“{each}”" for each in choices if each != metric)
        return f"The {METRICS[metric].noun} of all calls is unknown, so there is nothing to draw. Choose {others}."
    return "No call was made, so there is nothing to draw."


def _chart(drawn: Boxes, look: Look, metric: str) -> None:
    st.plotly_chart(
        figure(drawn.boxes, _selected(look), dark=st.context.theme.type == "dark"),
        key=KEY,
        on_select=in_chart(KEY),
        selection_mode="points",
        config=CONFIG,
        alt=f"{METRICS[metric].noun.capitalize()} of each step: the run at the top, below it what it is made of",
    )


def _selected(look: Look) -> str | None:
    return look.selected.id if look.place.node and look.selected else None


def figure(boxes: Sequence[Box], selected: str | None, *, dark: bool = False) -> go.Figure:
    """One bar a box. What is selected has a frame; what is not known is hatched. Text that has no room is left out."""
    theme = int(dark)
    rows = max(box.level for box in boxes) + 1
    bars = go.Bar(
        orientation="h",
        y=[box.level for box in boxes],
        base=[box.start for box in boxes],
        x=[box.width for box in boxes],
        width=0.94,
        ids=[box.id for box in boxes],
        customdata=[[box.mark, box.id] for box in boxes],
        text=[label(box, DRAWN_CHARS) for box in boxes],
        hovertext=[label(box, None) for box in boxes],
        hovertemplate="%{hovertext}<extra></extra>",
        textposition="inside",
        insidetextanchor="start",
        textangle=0,
        textfont={"color": TEXT[theme], "size": 12},
        marker={
            "color": [FILLS[box.kind][theme] for box in boxes],
            "line": {"color": PAGE[theme], "width": 1.5},
            "pattern": {
                "shape": ["/" if box.unknown else "" for box in boxes],
                "fgcolor": [INKS.get(box.kind, TEXT)[theme] for box in boxes],
                "fillmode": "overlay",
                "size": 6,
            },
        },
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
        showlegend=False,
    )
    return go.Figure(bars, layout=_layout(boxes, selected, rows, theme))


def _layout(boxes: Sequence[Box], selected: str | None, rows: int, theme: int) -> dict[str, Any]:
    line = {"color": CHOSEN[theme], "width": 2.5}
    axis = {"visible": False, "fixedrange": True, "showgrid": False, "zeroline": False}
    frames = [
        {
            "type": "rect",
            "x0": box.start,
            "x1": box.start + box.width,
            "y0": box.level - 0.46,
            "y1": box.level + 0.46,
            "line": line,
            "layer": "above",
        }
        for box in boxes
        if box.id == selected
    ]
    return {
        **layout(theme),
        "height": rows * ROW_PX + 2 * MARGIN_PX,
        "margin": {"l": 2, "r": 2, "t": MARGIN_PX, "b": MARGIN_PX},
        "xaxis": {**axis, "range": [0, 1]},
        "yaxis": {**axis, "range": [rows - 0.5, -0.5]},
        "shapes": frames,
    }


def _table(drawn: Boxes, metric: str, selected: str | None) -> None:
    key = f"icicle-rows-{metric}"

    def choose() -> None:
        if each := clicked(key, drawn.boxes):
            links.select(each.mark)

    st.dataframe(
        table(drawn.boxes, metric, selected),
        hide_index=True,
        row_height=TABLE_ROW_PX,
        height=filling(len(drawn.boxes), TABLE_ROW_PX, TABLE_ROWS),
        key=key,
        on_select=choose,
        selection_mode="single-cell",
        column_config=figures_right(metric, "Share"),
        alt=f"{METRICS[metric].noun.capitalize()} of each step",
    )


def table(boxes: Sequence[Box], metric: str, selected: str | None = None) -> list[dict[str, str]]:
    """The same boxes as rows, each set in by its level; the selected one is pointed at."""
    pointed = {box.id: "▸ " if box.id == selected else "" for box in boxes}
    return [
        {"What": STEP * box.level + pointed[box.id] + box.name, metric: box.says, "Share": box.share} for box in boxes
    ]
