"""What ran when: a run over time, in lanes for the root model, cells, child frames and calls. A click on a strip selects it.

A step that waits is pale, one that works is full; a band holds many calls, and its curve says how many at once. `figure` is pure;
what is drawn in it comes from `timeline_strips.py`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from app import backend, links
from app.components.chart_look import CHOSEN, CONFIG, FILLS, HAIR, INKS, PAGE, SECOND, TEXT, harmless, layout
from app.components.selection import in_chart
from app.components.tables import clicked, figures_right, filling
from app.components.text import escaped
from app.components.timeline_strips import Strip, Strips, clock, headline, shares, strips_of, table
from rlm_core import wording
from rlm_core.looks.look import Look
from rlm_core.timeline import tick_s

ROW_PX = 26
GAP_ROWS = 0.09
CURVE_ROWS = 2.0
LEFT_PX, TOP_PX, BOTTOM_PX = 84, 6, 26
DRAWN_CHARS = 76
"""Characters of text that a strip over the whole time has room for, in a window of 900."""
TABLE_ROW_PX, TABLE_ROWS = 30, 18
PALE = 0.42
"""Of a cell that waits: so much of its fill."""
KEY = "timeline"
MADE = "timeline-made"
SEEN_SHARE = 0.01
"""Of the time that a run has taken so far: a strip that has grown by less looks as before."""


def show(look: Look) -> None:
    if look.sheet.state == "queued":
        st.caption("Nothing to draw yet: the run has not begun.")
        return
    strips = _made(look)
    if strips is None or not strips.strips or not strips.time.length_s:
        st.caption(_nothing(look))
        return
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="timeline-head"
    ):
        st.markdown(f"**{escaped(headline(strips))}**", width="content")
        as_table = st.toggle("Table", key="timeline-table")
    st.caption(escaped(shares(strips.time)))
    if as_table:
        _table(strips)
    else:
        _chart(strips)
    st.caption(escaped(" ".join(notes(strips, look))))


@dataclass(frozen=True)
class Made:
    """What was drawn, of what, and when: seconds since the epoch."""

    strips: Strips | None
    look: Look
    at: float

    def still_shows(self, look: Look, now: float) -> bool:
        """Nothing else is looked at, and what is under way has not become longer by so much that it could be seen."""
        same = self.look.reading is look.reading and self.look.place == look.place
        lasts_s = self.at - (look.sheet.started_at or self.at)
        return same and (not look.sheet.active or now - self.at < SEEN_SHARE * lasts_s)


def _made(look: Look) -> Strips | None:
    """The strips, kept for as long as they show what is looked at."""
    made: Made | None = st.session_state.get(MADE)
    now = time.time()
    if made is None or not made.still_shows(look, now):
        under_way = now if look.sheet.active else None
        made = Made(backend.read(look.place.run, strips_of, look, under_way), look, now)
        st.session_state[MADE] = made
    return made.strips


def _nothing(look: Look) -> str:
    if look.sheet.active:
        return "Nothing to draw yet: no step has taken any time."
    if look.sheet.by_other_tool:
        return "The log that this run comes from does not record when anything happened."
    return "Nothing took any time, so there is nothing to draw."


def notes(strips: Strips, look: Look) -> list[str]:
    """What cannot be seen, and what is not known."""
    time_of, said = strips.time, []
    if look.sheet.by_other_tool:
        said.append("Times are those of the log; where it gives none, a step stands at the time of the one before it.")
    if time_of.untimed:
        said.append(
            f"How long {wording.exact(time_of.untimed, 'call')} took is not recorded: hatched, as wide as can be seen."
        )
    if time_of.retried:
        again, was = wording.exact(time_of.retried, "call"), "was" if time_of.retried == 1 else "were"
        said.append(
            f"{again} {was} tried more than once; when is not recorded, so the waits in between count as theirs."
        )
    if strips.strips and any(each.bar.is_band for each in strips.strips):
        said.append(
            "A band holds many; its edge says how many at once. Failed, cited, slowest and selected stand alone."
        )
    many = wording.m_of_n(time_of.drawn, time_of.total)
    said.append(
        f"{many} steps have a strip of their own. Pale: a cell waits for its calls. Click a strip to select it."
    )
    return said


def _chart(strips: Strips) -> None:
    st.plotly_chart(
        figure(strips, dark=st.context.theme.type == "dark"),
        key=KEY,
        on_select=in_chart(KEY),
        selection_mode="points",
        config=CONFIG,
        alt=f"What ran when: {headline(strips)}",
    )


def figure(strips: Strips, *, dark: bool = False) -> go.Figure:
    """One bar a strip. The selected one has a frame; what has no known length is hatched; what runs ends at the line of now."""
    theme, shown = int(dark), strips.strips
    bars = go.Bar(
        orientation="h",
        y=[(each.top + each.bottom) / 2 for each in shown],
        base=[each.start_s for each in shown],
        x=[each.end_s - each.start_s for each in shown],
        width=[each.bottom - each.top - GAP_ROWS for each in shown],
        ids=[each.bar.span for each in shown],
        customdata=[[each.mark, each.bar.span] for each in shown],
        text=[label(each, strips.time.axis_s) for each in shown],
        hovertext=["<br>".join(map(harmless, each.about)) for each in shown],
        hovertemplate="%{hovertext}<extra></extra>",
        textposition="inside",
        insidetextanchor="start",
        textangle=0,
        textfont={"color": TEXT[theme], "size": 12},
        cliponaxis=False,
        marker={
            "color": [_fill(each, theme) for each in shown],
            "line": {"color": PAGE[theme], "width": 1},
            "pattern": {
                "shape": ["/" if each.bar.untimed == len(each.bar.members) else "" for each in shown],
                "fgcolor": [INKS.get(each.kind, TEXT)[theme] for each in shown],
                "fillmode": "overlay",
                "size": 5,
            },
        },
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
        showlegend=False,
    )
    return go.Figure(bars, layout=_layout(strips, theme))


def _fill(strip: Strip, theme: int) -> str:
    fill = FILLS[strip.kind][theme]
    if strip.work != "cell" and not strip.bar.is_band:
        return fill
    colour, _, strength = fill.removesuffix(")").rpartition(", ")
    return f"{colour}, {float(strength) * PALE:.3f})"


def label(strip: Strip, axis_s: float) -> str:
    """Name and time, as much as a strip has room for."""
    room = int(DRAWN_CHARS * (strip.end_s - strip.start_s) / axis_s)
    bold, rest = harmless(strip.name), harmless(strip.says.removeprefix(strip.name))
    if len(strip.says) + 1 <= room:
        return f" <b>{bold}</b>{rest}"
    if len(strip.name) + 1 <= room:
        return f" <b>{bold}</b>"
    return f" <b>{harmless(strip.name[: room - 2].rstrip())}…</b>" if room >= 8 else ""


def _layout(strips: Strips, theme: int) -> dict[str, Any]:
    axis_s = strips.time.axis_s
    step = tick_s(axis_s)
    ticks = [number * step for number in range(int(axis_s / step + 1e-9) + 1)]
    curve = strips.time.peak > 1
    rows = strips.rows + (CURVE_ROWS + 0.2 if curve else 0.0)
    titles = [*strips.titles, *([(f"at once<br>{strips.time.peak:,} at most", strips.rows + 0.8)] if curve else [])]
    text = {"color": SECOND[theme], "size": 12}
    return {
        **layout(theme),
        "height": round(rows * ROW_PX) + TOP_PX + BOTTOM_PX,
        "margin": {"l": LEFT_PX, "r": 6, "t": TOP_PX, "b": BOTTOM_PX},
        "xaxis": {
            "range": [0, axis_s],
            "tickvals": ticks,
            "ticktext": [clock(each, step) for each in ticks],
            "tickfont": text,
            "gridcolor": HAIR[theme],
            "zeroline": False,
            "fixedrange": True,
        },
        "yaxis": {
            "range": [rows, 0],
            "tickvals": [at for _, at in titles],
            "ticktext": [title for title, _ in titles],
            "tickfont": text,
            "ticklabelposition": "outside",
            "showgrid": False,
            "zeroline": False,
            "fixedrange": True,
        },
        "shapes": _shapes(strips, theme),
        "annotations": _annotations(strips, theme),
    }


def _shapes(strips: Strips, theme: int) -> list[dict[str, Any]]:
    """Below the strips: when cells work, and the curves of bands and of the run. Above: what is selected, what was held, now."""
    time_of, green = strips.time, FILLS["call"][theme]
    found = []
    first = [each for each in strips.strips if each.work == "cell" and each.bar.lane == 0]
    if time_of.working and not any(each.bar.is_band for each in first):
        found.append(_area(_worked(strips, first[0].top), FILLS["code"][theme]))
    for strip in strips.strips:
        if strip.bar.is_band:
            found.append(
                _area(_curve(strip.bar.curve, strip.start_s, strip.end_s, strip.bottom, 2.6), FILLS[strip.kind][theme])
            )
    if time_of.peak > 1:
        found.append(_area(_curve(time_of.curve, 0.0, time_of.axis_s, strips.rows + CURVE_ROWS, CURVE_ROWS), green))
    for strip in strips.strips:
        if strip.selected:
            found.append(_frame(strip, theme))
    if time_of.held and strips.held_in:
        below = strips.held_in.bottom + 0.08
        ink = {"color": INKS["failed"][theme], "width": 2}
        one, two = time_of.held.wait
        found.append({"type": "line", "x0": one, "x1": two, "y0": below, "y1": below, "line": ink})
    if time_of.running:
        line = {"color": SECOND[theme], "width": 1, "dash": "dot"}
        found.append(
            {
                "type": "line",
                "x0": time_of.length_s,
                "x1": time_of.length_s,
                "y0": 0,
                "y1": 1,
                "yref": "paper",
                "line": line,
            }
        )
    return found


def _worked(strips: Strips, top: float) -> str:
    """When cells of the root frame ran by themselves; those stand in the first lane."""
    upper, lower = top + GAP_ROWS / 2, top + 1 - GAP_ROWS / 2
    return " ".join(f"M{one:.4f},{upper}H{two:.4f}V{lower}H{one:.4f}Z" for one, two in strips.time.working)


def _area(path: str, fill: str) -> dict[str, Any]:
    return {"type": "path", "path": path, "fillcolor": fill, "line": {"width": 0}, "layer": "below"}


def _frame(strip: Strip, theme: int) -> dict[str, Any]:
    edge = GAP_ROWS / 2
    corners = {"x0": strip.start_s, "x1": strip.end_s, "y0": strip.top + edge, "y1": strip.bottom - edge}
    return {"type": "rect", **corners, "line": {"color": CHOSEN[theme], "width": 2.5}, "layer": "above"}


def _curve(curve: tuple[int, ...], start: float, end: float, bottom: float, height: float) -> str:
    """A step for each part of the time, as high as there were at once; the highest has all of the height."""
    width, most = (end - start) / len(curve), max(1, *curve)
    steps = "".join(
        f"V{bottom - height * each / most:.3f}H{start + width * (place + 1):.4f}" for place, each in enumerate(curve)
    )
    return f"M{start:.4f},{bottom}{steps}V{bottom}Z"


def _annotations(strips: Strips, theme: int) -> list[dict[str, Any]]:
    time_of, found = strips.time, []
    plain = {"showarrow": False, "font": {"color": SECOND[theme], "size": 12}}
    if time_of.held and strips.held_in:
        one, two = time_of.held.wait
        says = f"{wording.seconds(time_of.held.for_s)} waiting for one {'child frame' if time_of.held.is_frame else 'call'}"
        anchor = {"x": two, "xanchor": "right"} if one > 0.5 * time_of.axis_s else {"x": one, "xanchor": "left"}
        found.append(
            {
                **plain,
                **anchor,
                "y": strips.held_in.bottom + 0.1,
                "yanchor": "top",
                "text": says,
                "font": {"color": INKS["failed"][theme], "size": 12},
            }
        )
    return found


def _table(strips: Strips) -> None:
    key = "timeline-rows"

    def selected() -> None:
        if each := clicked(key, strips.strips):
            links.select(each.mark)

    st.dataframe(
        table(strips),
        hide_index=True,
        row_height=TABLE_ROW_PX,
        height=filling(len(strips.strips), TABLE_ROW_PX, TABLE_ROWS),
        key=key,
        on_select=selected,
        selection_mode="single-cell",
        column_config=figures_right("Began", "Took", "Waited"),
        alt="What ran when",
    )
