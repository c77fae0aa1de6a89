"""Strips of an archive: a line for each document, as long as the document is, with what was printed, sent, cited and never shown.

`Strip` and `row` are pure. The component draws rows of them, a list of what was never shown, or one strip by itself; a place
that is clicked is sent back as a document's number and how far along its strip.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import streamlit as st

from app import links, strips
from app.backend import Covered, Layers
from app.places import STATIC
from app.strips import Marks
from rlm_core import wording
from rlm_core.evidence.coverage import Span
from rlm_core.plain import plain_line
from rlm_core.wording import exact

PATH_CHARS = 300
STOPS = 200
"""Marks of one row that the arrow keys lead to."""

_component = st.components.v2.component(
    "coverage_strips",
    html='<div class="coverage"></div>',
    css="\n".join((STATIC / name).read_text(encoding="utf-8") for name in ("marks.css", "coverage_strips.css")),
    js="\n".join((STATIC / name).read_text(encoding="utf-8") for name in ("marks.js", "coverage_strips.js")),
)


@dataclass(frozen=True, slots=True)
class Stop:
    """A mark of a row that the arrow keys lead to, and what it is."""

    at: int
    char: int
    says: str


@dataclass(frozen=True, slots=True)
class Row:
    """One document as the browser draws it. All positions are on a line from 0 to 10,000."""

    document: int
    path: str
    length: int
    """In characters."""
    chars: str
    says: str
    width: float
    """Of the longest document, in percent."""
    layers: dict[str, Marks]
    cited: list[int] = field(default_factory=list)
    never: Marks = field(default_factory=list)
    mine: Marks = field(default_factory=list)
    """What the selected node was shown."""
    chosen: tuple[int, int] | None = None
    stops: list[Stop] = field(default_factory=list)


def data(label: str, form: str = "", **parts: Any) -> dict[str, Any]:
    """What is drawn: `never`, `legend`, `rows` and `scale`, as far as they are given. `form`: `alone` or `small`."""
    return {"form": form, "label": label, "never": [], "legend": [], "rows": [], "scale": [], **parts}


def show(key: str, data: Mapping[str, Any], pick: Callable[[int, float], None]) -> None:
    """Draw; `pick` is called with the document and the share of its strip, from 0 to 1, of what was clicked."""

    def picked() -> None:
        asked = st.session_state[key].pick or {}
        document, share = asked.get("document"), asked.get("share")
        if isinstance(document, int) and isinstance(share, int | float):
            pick(document, min(max(float(share), 0.0), 1.0))

    _component(key=key, height="content", data=dict(data), on_pick_change=picked)


def to_place(covered: Covered) -> Callable[[int, float], None]:
    """What `show` calls to select the place that was clicked."""

    def pick(document: int, share: float) -> None:
        if 0 <= document < len(covered.documents):
            chosen = covered.documents[document]
            links.select_place(chosen.path, min(int(share * chosen.chars), max(0, chosen.chars - 1)))

    return pick


def layers(drawn: Layers, chars: int) -> dict[str, Marks]:
    """Where each layer lies, the lowest first; of those that are there."""
    return {name: strips.marks(spans, chars) for name, spans in named(drawn).items()}


def named(drawn: Layers) -> dict[str, tuple[Span, ...]]:
    """The layers that are there, the lowest first, each by the name that its colour has."""
    all_four = {
        "helper unsure": drawn.helper_unsure,
        "helper": drawn.helper,
        "root unsure": drawn.root_unsure,
        "root": drawn.root,
    }
    return {name: spans for name, spans in all_four.items() if spans}


def row(
    covered: Covered,
    number: int,
    longest: int,
    *,
    container: str = "",
    mine: Sequence[Span] = (),
    chosen: Span | None = None,
    cited: Mapping[Span, str] | None = None,
) -> Row:
    """A document. `container` is left out of its path; `cited` says what is cited at a place."""
    document, drawn = covered.documents[number], covered.layers(number)
    chars, gaps = document.chars, covered.coverage.gaps_of(number)
    return Row(
        number,
        plain_line(document.path.removeprefix(container), PATH_CHARS),
        chars,
        f"{chars:,}",
        says(covered, number),
        100 * chars / longest if longest else 0.0,
        layers(drawn, chars),
        sorted({strips.at((start + end) // 2, chars) for start, end in drawn.cited}),
        strips.marks(gaps, chars),
        strips.marks(mine, chars),
        (strips.at(chosen[0], chars), strips.at(chosen[1], chars)) if chosen else None,
        _stops(drawn, [each for each in gaps if each[1] - each[0] >= covered.large_gap_chars], chars, cited or {}),
    )


def says(covered: Covered, number: int) -> str:
    """`96 % of 39,800 characters shown, 2 places cited`."""
    chars, shown = covered.documents[number].chars, covered.coverage.shown_chars(number)
    if not chars:
        return "empty"
    cited = len(covered.layers(number).cited)
    said = f"{wording.share(shown, chars) if shown else 'nothing'} of {exact(chars, 'character')} shown"
    return f"{said}, {exact(cited, 'place')} cited" if cited else said


def _stops(drawn: Layers, gaps: Sequence[Span], chars: int, cited: Mapping[Span, str]) -> list[Stop]:
    found = [
        ((start + end) // 2, f"cited: {plain_line(cited[start, end], 60)}" if (start, end) in cited else "cited")
        for start, end in drawn.cited
    ]
    found += [(start, f"never shown: {exact(end - start, 'character')}") for start, end in gaps]
    kept = sorted(found)[:STOPS]
    return [Stop(strips.at(char, chars), char, said) for char, said in kept]


def archive_strip(
    covered: Covered, document: int | None = None, place: Span | None = None, *, mine: Sequence[Span] = ()
) -> Row:
    """The whole archive as one strip, with a place of a document marked in it, or places of the archive."""
    chars = covered.coverage.chars
    begin = covered.starts[document] if document is not None else 0
    at = [strips.at(begin + (place[0] + place[1]) // 2, chars)] if place and document is not None else []
    drawn = covered.whole_archive
    shown = drawn.root + drawn.helper + drawn.root_unsure + drawn.helper_unsure
    return Row(
        -1,
        "",
        chars,
        "",
        f"{wording.share(covered.coverage.chars_shown, chars)} of the archive shown",
        100.0,
        layers(drawn, chars),
        at,
        strips.marks(_between(shown, chars), chars),
        strips.marks(mine, chars),
    )


def _between(spans: Sequence[Span], chars: int) -> list[Span]:
    gaps, at = [], 0
    for start, end in sorted(spans):
        if start > at:
            gaps.append((at, start))
        at = max(at, end)
    return [*gaps, (at, chars)] if at < chars else gaps


def sent(rows: Sequence[Row]) -> list[dict[str, Any]]:
    return [asdict(each) for each in rows]
