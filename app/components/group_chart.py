"""How time, cost and length of reply spread over a group: a dot for each member, or bars where there are many. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from app.components.chart_look import CHOSEN, FILLS, PAGE, TEXT
from app.group_facts import BINS, Dot, Measure, Spread
from rlm_core import wording
from rlm_core.looks.marks import Kind, part_cost

TITLES: dict[Measure, str] = {"time": "Time", "cost": "Cost", "reply": "Length of reply"}
HEIGHT_PX, GAP = 168, 0.05
LOWEST = 0.05
"""Of its panel: no bar is lower."""
QUIET = ("#55606c", "#a8b2bd")


def figure(spreads: Sequence[Spread], chosen: Sequence[float | None], kind: Kind, *, dark: bool = False) -> go.Figure:
    """One panel a measure, side by side. `chosen` is what the selected member measures in each, where it is one of them."""
    theme = int(dark)
    drawn = go.Figure(layout=_layout(theme))
    for number, (spread, value) in enumerate(zip(spreads, chosen, strict=True), 1):
        axes = {"xaxis": f"x{_nth(number)}", "yaxis": f"y{_nth(number)}"}
        drawn.add_traces([_dots(spread, kind, theme, axes)] if spread.singly else _bars(spread, kind, theme, axes))
        drawn.update_layout(_axes(spread, number, len(spreads), theme))
        drawn.add_annotation(_title(spread, number, len(spreads)))
        lines = [(spread.p50, TEXT[theme], "solid"), (spread.p95, TEXT[theme], "dot")]
        lines += [(value, CHOSEN[theme], "solid")] if value is not None else []
        for x, colour, dash in lines:
            drawn.add_shape(_line(number, x, colour, dash))
    return drawn


def _dots(spread: Spread, kind: Kind, theme: int, axes: dict[str, str]) -> go.Scatter:
    return go.Scatter(
        mode="markers",
        x=[each.least for each in spread.dots],
        y=[each.level + 0.5 for each in spread.dots],
        marker={"size": 8, "color": _solid(kind, theme), "line": {"color": PAGE[theme], "width": 1}},
        **_said(spread),
        **axes,
    )


def _bars(spread: Spread, kind: Kind, theme: int, axes: dict[str, str]) -> list[go.Bar]:
    """The bars, none so low that it is not seen; and over each an invisible one as high as the panel, for the pointer."""
    width = (spread.most - spread.least) / BINS or 1.0
    top = _top(spread)
    placed = {"x": [_middle(spread, each, width) for each in spread.dots], "width": width, **axes}
    drawn = {"color": _solid(kind, theme), "line": {"color": PAGE[theme], "width": 1}}
    low = [max(each.count, LOWEST * top) for each in spread.dots]
    return [
        go.Bar(y=low, marker=drawn, hoverinfo="skip", showlegend=False, **placed),
        go.Bar(y=[top] * len(low), marker={"color": "rgba(0, 0, 0, 0)"}, **_said(spread), **placed),
    ]


def _top(spread: Spread) -> float:
    """Of a panel: somewhat above its highest bar or dot."""
    return max(1.08 * max((each.level + 1 if spread.singly else each.count) for each in spread.dots), 4)


def _middle(spread: Spread, dot: Dot, width: float) -> float:
    number = min(BINS - 1, int((dot.least - spread.least) / width))
    return spread.least + (number + 0.5) * width


def _said(spread: Spread) -> dict[str, Any]:
    return {
        "customdata": [[each.span] for each in spread.dots],
        "hovertext": [_inert(hover(spread.measure, each)) for each in spread.dots],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": 1}},
        "showlegend": False,
    }


def _inert(text: str) -> str:
    """`<0.1 s` is no tag."""
    return text.replace("<", "&lt;")


def hover(measure: Measure, dot: Dot) -> str:
    least, most = said(measure, dot.least), said(measure, dot.most)
    if dot.count == 1:
        return least
    return f"{dot.count:,} members, {least}" + (f" to {most}" if most != least else "")


def said(measure: Measure, value: float) -> str:
    match measure:
        case "time":
            return wording.seconds(value)
        case "cost":
            return part_cost(value)
        case "reply":
            return wording.exact(round(value), "character")


def _short(measure: Measure, value: float) -> str:
    return wording.count(round(value)) if measure == "reply" else said(measure, value)


def caption(spread: Spread) -> str:
    """`median 2.1 s, p95 9.8 s`."""
    return f"median {_short(spread.measure, spread.p50)}, p95 {_short(spread.measure, spread.p95)}"


def _solid(kind: Kind, theme: int) -> str:
    """The fill of a kind without its transparency: small marks must stand out."""
    return FILLS[kind if kind in FILLS else "call"][theme].rpartition(",")[0].replace("rgba", "rgb") + ")"


def _nth(number: int) -> str:
    """Plotly's names of axes: `x`, `x2`, `x3`."""
    return "" if number == 1 else str(number)


def _domain(number: int, of: int) -> tuple[float, float]:
    width = (1 - GAP * (of - 1)) / of
    start = (number - 1) * (width + GAP)
    return start, start + width


def _axes(spread: Spread, number: int, of: int, theme: int) -> dict[str, Any]:
    room = (spread.most - spread.least) * 0.04 or abs(spread.most) * 0.5 or 1.0
    ends = [spread.least, spread.most] if spread.most > spread.least else [spread.least]
    return {
        f"xaxis{_nth(number)}": {
            "domain": _domain(number, of),
            "anchor": f"y{_nth(number)}",
            "range": [spread.least - room, spread.most + room],
            "tickvals": ends,
            "ticktext": [_inert(_short(spread.measure, each)) for each in ends],
            "tickangle": 0,
            "tickfont": {"size": 12, "color": QUIET[theme]},
            "showgrid": False,
            "zeroline": False,
            "showline": True,
            "linecolor": QUIET[theme],
            "fixedrange": True,
        },
        f"yaxis{_nth(number)}": {
            "anchor": f"x{_nth(number)}",
            "visible": False,
            "fixedrange": True,
            "range": [0, _top(spread)],
        },
    }


def _title(spread: Spread, number: int, of: int) -> dict[str, Any]:
    unknown = f", unknown of {spread.unknown:,}" if spread.unknown else ""
    return {
        "text": f"<b>{TITLES[spread.measure]}</b>{unknown}<br>{_inert(caption(spread))}",
        "x": _domain(number, of)[0],
        "y": 1,
        "xref": "paper",
        "yref": "paper",
        "xanchor": "left",
        "yanchor": "bottom",
        "align": "left",
        "showarrow": False,
        "font": {"size": 12},
    }


def _line(number: int, x: float, colour: str, dash: str) -> dict[str, Any]:
    return {
        "type": "line",
        "xref": f"x{_nth(number)}",
        "yref": f"y{_nth(number)} domain",
        "x0": x,
        "x1": x,
        "y0": 0,
        "y1": 1,
        "line": {"color": colour, "width": 1.5, "dash": dash},
        "layer": "above",
    }


def _layout(theme: int) -> dict[str, Any]:
    return {
        "height": HEIGHT_PX,
        "margin": {"l": 4, "r": 4, "t": 40, "b": 22},
        "font": {"color": TEXT[theme]},
        "bargap": 0,
        "barmode": "overlay",
        "dragmode": False,
        "hovermode": "closest",
        "hoverlabel": {"bgcolor": PAGE[theme], "bordercolor": TEXT[theme], "font": {"color": TEXT[theme], "size": 12}},
        "paper_bgcolor": "rgba(0, 0, 0, 0)",
        "plot_bgcolor": "rgba(0, 0, 0, 0)",
    }
