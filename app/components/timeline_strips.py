"""The strips of a timeline: what ran when, each with its name, its row and what a click on it selects. Pure, knows no chart."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from rlm_core import wording
from rlm_core.likeness import STOPPED, WENT_WELL
from rlm_core.looks.look import Look
from rlm_core.looks.marks import Kind
from rlm_core.mending import Mending
from rlm_core.naming import titles_of
from rlm_core.plain import plain_line
from rlm_core.timeline import NARROWEST, Bar, Section, Timeline, Work, timeline_of
from rlm_core.view import RunView

NAME_CHARS = 48
BAND_ROWS = 3
"""So much higher is a lane with a band in it, which has room for a curve."""
KINDS: Mapping[Work, Kind] = {"reply": "root", "cell": "code", "frame": "frame", "call": "call"}
TITLES: Mapping[Work, str] = {"reply": "root model", "cell": "cells", "frame": "child frames", "call": "helper calls"}
PLURALS: Mapping[Work, str] = {"reply": "turns", "cell": "cells", "frame": "child frames", "call": "calls"}


@dataclass(frozen=True, slots=True)
class Strip:
    """A bar with its place: `top` and `bottom` in rows from above, `end_s` as drawn. `mark` is what a click selects, `says` its
    name with what it took, `about` all there is to know of it."""

    bar: Bar
    mark: str
    work: Work
    kind: Kind
    name: str
    says: str
    about: tuple[str, ...]
    top: float
    bottom: float
    end_s: float
    selected: bool

    @property
    def start_s(self) -> float:
        return self.bar.start_s


@dataclass(frozen=True, slots=True)
class Strips:
    time: Timeline
    strips: tuple[Strip, ...]
    titles: tuple[tuple[str, float], ...]
    """Of each section, and its first row."""
    rows: float
    """Without the curve of all calls, which lies below."""
    held: str = ""
    """The name of the cell that waited for one call."""

    @property
    def held_in(self) -> Strip | None:
        """The strip of that cell, if it has one of its own."""
        held = self.time.held
        return next(
            (each for each in self.strips if held and each.bar.span == held.cell and not each.bar.is_band), None
        )


def strips_of(view: RunView, look: Look, now: float | None) -> Strips:
    """All strips, section by section. `now`: of a run that is under way."""
    node = look.place.node
    time = timeline_of(view, selected=node, cited=look.reading.cited, now=now)
    bars = [bar for section in time.sections for bar in section.bars]
    shown = {bar.span: _shown_as(view, bar) for bar in bars}
    names = titles_of(view, set(shown.values()), look.reading.items)
    strips: list[Strip] = []
    titles, below = [], 0.0
    for section in time.sections:
        tops, bottom = _rows(section, below)
        titles.append((TITLES[section.work], below + 0.5))
        for bar in section.bars:
            name = f"×{len(bar.members):,} {PLURALS[section.work]}" if bar.is_band else names[shown[bar.span]]
            mark = _mark(view, look, bar, shown[bar.span])
            chosen = node is not None and look.selected is not None and mark == look.selected.id
            end = max(bar.end_s, bar.start_s + NARROWEST * time.axis_s)
            height = BAND_ROWS if bar.is_band else 1.0
            name = plain_line(name, NAME_CHARS)
            place = (tops[bar.lane], tops[bar.lane] + height, end, chosen)
            strips.append(
                Strip(
                    bar,
                    mark,
                    section.work,
                    _kind(bar, section.work, look.reading.mended),
                    name,
                    _says(bar, name),
                    _about(bar, name, look.reading.mended),
                    *place,
                )
            )
        below = bottom
    held = plain_line(titles_of(view, [time.held.cell], {})[time.held.cell], NAME_CHARS) if time.held else ""
    return Strips(time, tuple(strips), tuple(titles), below, held)


def _rows(section: Section, top: float) -> tuple[list[float], float]:
    """Where each lane begins, and where the section ends."""
    high = {bar.lane for bar in section.bars if bar.is_band}
    tops = []
    for lane in range(section.lanes):
        tops.append(top)
        top += BAND_ROWS if lane in high else 1.0
    return tops, top + 0.5


def _shown_as(view: RunView, bar: Bar) -> str:
    """The node that a bar stands for: of the call that wrote a turn, the turn."""
    node = view.nodes[bar.span]
    parent = view.nodes.get(node.parent or "")
    is_turn = parent is not None and parent.kind == "turn" and node.kind == "call" and _is_root(node.started)
    return parent.id if parent is not None and is_turn else bar.span


def _is_root(started: object) -> bool:
    return getattr(started, "role", None) == "root"


def _mark(view: RunView, look: Look, bar: Bar, shown: str) -> str:
    """What a click selects: of a band the group that the tree has for it, else what its first member lies in."""
    if not bar.is_band:
        return shown
    group = look.tree.mark_of(bar.span)
    if group is not None and group.is_group:
        return group.id
    return shown if shown != bar.span else view.nodes[bar.span].parent or shown


def _kind(bar: Bar, work: Work, mended: Collection[str]) -> Kind:
    if bar.status in WENT_WELL or bar.status in STOPPED:
        return KINDS[work]
    return "mended" if all(each in mended for each in bar.members) else "failed"


def _says(bar: Bar, name: str) -> str:
    """`cell 3, 61 s`; `×309 calls in 28 s, 64 at once at most`."""
    if bar.is_band:
        if bar.untimed == len(bar.members):
            return f"{name}, {_took(bar)}"
        more = f", {bar.peak:,} at once at most" if bar.peak > 1 else ""
        return f"{name} in {wording.seconds(bar.took_s)}{more}"
    ended = f" {bar.status}" if bar.status not in WENT_WELL else ""
    return f"{name}{ended}, {_took(bar)}"


def _took(bar: Bar) -> str:
    if bar.untimed == len(bar.members):
        return "time unknown"
    return f"{wording.seconds(bar.took_s)}{' so far' if bar.running else ''}"


def _about(bar: Bar, name: str, mended: Mapping[str, Mending]) -> tuple[str, ...]:
    """Everything that is known of it, a line each."""
    lines = [_says(bar, name), *_good(bar, mended), f"began at {clock(bar.start_s)}"]
    if bar.is_band:
        lines += [f"{bar.running:,} under way"] if bar.running else []
        lines += [f"{bar.failed:,} failed"] if bar.failed else []
        lines += [f"of {bar.untimed:,} the time is unknown"] if 0 < bar.untimed < len(bar.members) else []
    if bar.waited_s:
        longest = "the last " if bar.is_band else ""
        lines.append(f"{longest}waited {wording.seconds(bar.waited_s)} for a place in its batch")
    lines += [", ".join(each for each in bar.why if each != "selected")] if set(bar.why) - {"selected"} else []
    return tuple(lines)


def _good(bar: Bar, mended: Mapping[str, Mending]) -> tuple[str, ...]:
    """How what failed was made good later."""
    return (mended[bar.span].says,) if not bar.is_band and bar.span in mended else ()


def clock(at_s: float, step_s: float = 1.0) -> str:
    """`0:45`, `1:02:05`; where a second is much, `2.5 s`."""
    if step_s < 1:
        return f"{at_s:.2f}".rstrip("0").rstrip(".") + " s"
    whole = round(at_s)
    hours, minutes = whole // 3600, whole // 60 % 60
    return f"{hours}:{minutes:02d}:{whole % 60:02d}" if hours else f"{minutes}:{whole % 60:02d}"


def headline(strips: Strips) -> str:
    """What there is to see, as a sentence."""
    time = strips.time
    if time.held:
        for_s = wording.seconds(time.held.for_s)
        what = "child frame" if time.held.is_frame else "call"
        return f"One {what} {'holds' if time.held.running else 'held'} {strips.held} for {for_s}"
    if not time.peak:
        return "How long calls took is not recorded" if time.untimed else "No call took any time"
    parts = {"waiting for helper calls": time.helpers_s, "waiting for the root model": time.root_s}
    parts |= {"running code": time.code_s, "between the steps": _rest_s(time)}
    most = max(parts, key=parts.__getitem__)
    at_once = f"{time.peak:,} calls at once at most" if time.peak > 1 else "One call at a time"
    return f"{at_once}, {wording.share(parts[most], time.length_s)} of the time {most}"


def _rest_s(time: Timeline) -> float:
    return max(0.0, time.length_s - time.helpers_s - time.root_s - time.code_s)


def shares(time: Timeline) -> str:
    """`2 min 14 s: 61 % helper calls, 30 % root model, 8 % code alone`, and how many calls there are at once, if the headline
    does not say so."""
    parts = {
        "helper calls": time.helpers_s,
        "root model": time.root_s,
        "code alone": time.code_s,
        "else": _rest_s(time),
    }
    said = [f"{wording.share(part, time.length_s)} {name}" for name, part in parts.items() if part > 0]
    now = f" {wording.exact(time.in_flight, 'call')} under way." if time.running else ""
    at_once = f" {time.peak:,} calls at once at most." if time.peak > 1 and time.held else ""
    return f"{wording.seconds(time.length_s)}{' so far' if time.running else ''}: {', '.join(said)}.{at_once}{now}"


def table(strips: Strips) -> list[dict[str, str]]:
    """The same strips as rows; the selected one is pointed at."""
    return [
        {
            "What": f"{'▸ ' if each.selected else ''}{each.name}",
            "Lane": TITLES[each.work],
            "Began": clock(each.start_s),
            "Took": _took(each.bar),
            "Waited": wording.seconds(each.bar.waited_s) if each.bar.waited_s else wording.DOES_NOT_APPLY,
            "State": _state(each.bar),
        }
        for each in strips.strips
    ]


def _state(bar: Bar) -> str:
    if not bar.is_band or not bar.failed:
        return bar.status
    return f"{bar.failed:,} failed" if bar.failed < len(bar.members) else "failed"
