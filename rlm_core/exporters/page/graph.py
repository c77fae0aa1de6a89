"""The recursion graph of a run as a drawing: boxes, lines of text that fit them, and ways, in pixels. Pure.

No letter is measured here, so widths are taken from averages, on the safe side; a box tells all of its words where it is pointed
at.
"""

from __future__ import annotations

from collections.abc import Iterator

from rlm_core.layout import Layout
from rlm_core.looks.boxes import OF_NOTE, Face, Way, counted, faces, place, ways
from rlm_core.looks.look import Look
from rlm_core.plain import plain_line
from rlm_core.task import Json

BOLD_PX, TEXT_PX = 7.0, 6.2
PAD, MARGIN = 9, 12
ASIDE = 24
"""Where what follows, or is a member, hangs from a box: this far from its left side."""
STACK_PX = 8


def graph_of(look: Look) -> Json:
    """`width`, `height`, `boxes`, `ways` and what `says` how much of the run is drawn."""
    boxes = faces(look)
    layout = place(boxes)
    spots = layout.spots
    width = max((spots[face.id].x + face.width for face in boxes), default=0)
    height = max((spots[face.id].y + face.height for face in boxes), default=0)
    return {
        "width": round(width) + 2 * MARGIN + STACK_PX,
        "height": round(height) + 2 * MARGIN + STACK_PX,
        "boxes": [_box(face, layout) for face in boxes],
        "ways": [drawn for way in ways(boxes) if (drawn := _way(way, layout))],
        "says": counted(look.tree),
    }


def _box(face: Face, layout: Layout) -> Json:
    spot = layout.spots[face.id]
    return {
        "id": face.id,
        "form": face.form,
        "kind": face.kind,
        "tone": face.tone,
        "unknown": face.unknown,
        "x": round(spot.x) + MARGIN,
        "y": round(spot.y) + MARGIN,
        "width": face.width,
        "height": face.height,
        "share": round(max(2.0, (face.width - 3) * face.share), 1) if face.share else 0,
        "texts": list(_texts(face)),
        "tip": [plain_line(each) for each in (face.tip[:-1] if face.unfold else face.tip)],
    }


def _texts(face: Face) -> Iterator[Json]:
    """Each with its place in the box, as wide as there is room."""
    middle = face.height / 2
    right = face.width - PAD
    figure = TEXT_PX * len(face.figure)
    room = right - figure - (8 if figure else 0)
    if face.form == "chip":
        yield _text(face.title, 25, middle + 4.3, room - 25, "title")
        baseline = middle + 4
    elif face.form == "row":
        named = (room - 31) * (0.55 if face.lines else 1.0)
        yield _text(face.title, 31, middle + 4.5, named, "title")
        taken = min(named, BOLD_PX * len(face.title)) + 10
        for line in face.lines[:1]:
            yield _text(line, 31 + taken, middle + 4.3, room - 31 - taken, "line")
        baseline = middle + 4
    else:
        yield _text(face.title, 31, 20.5, room - 31, "title")
        for number, line in enumerate(face.lines):
            yield _text(line, 11 if face.form != "answer" else 14, 41 + number * 18, right - 11, "line")
        baseline = 20.5
    if face.figure:
        yield {"text": plain_line(face.figure), "x": right, "y": round(baseline, 1), "as": "figure"}


def _text(text: str, x: float, y: float, room: float, kind: str) -> Json:
    fits = max(1, int(room / (BOLD_PX if kind == "title" else TEXT_PX)))
    return {"text": plain_line(text, fits), "x": round(x, 1), "y": round(y, 1), "as": kind}


def _way(way: Way, layout: Layout) -> Json | None:
    start, end = (layout.spots[face.id] for face in (way.start, way.end))
    bottom = start.y + way.start.height
    if way.kind == "member" and (end.x > start.x or end.y > bottom + 20):
        return None  # to the first chip only
    if way.kind in ("member", "next"):
        path = f"M{start.x + ASIDE + MARGIN:g} {bottom + MARGIN:g}V{end.y + MARGIN:g}"
    else:
        x, to = start.x + way.start.width + MARGIN, end.x + MARGIN
        y, at = start.y + way.start.height / 2 + MARGIN, end.y + way.end.height / 2 + MARGIN
        path = f"M{x:g} {y:g}C{(x + to) / 2:g} {y:g} {(x + to) / 2:g} {at:g} {to:g} {at:g}"
    wide = way.kind == "started" and way.end.flow >= OF_NOTE and way.width > 1.5
    look = (
        "answer" if way.end.form == "answer" else "failed" if way.end.tone == "failed" else "wide" if wide else "thin"
    )
    return {"path": path, "width": way.width, "look": look, "kind": way.end.kind}
