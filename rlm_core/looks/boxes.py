"""What the box of each mark says in the graph: its form, its size, its few words, and what it is of the whole run; where it
stands, and the ways between boxes.

Pure: a `Look` goes in, frozen values come out. Sizes are pixels at 100 %. Texts come from models and documents; they are one
line each with controls made visible, and are drawn as text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rlm_core.folding import Mark, Tree
from rlm_core.layout import Box, Layout, tidy
from rlm_core.likeness import STOPPED
from rlm_core.looks.look import Look
from rlm_core.looks.marks import PARTED, Kind, fate, from_before, kind_of, made_good, spent
from rlm_core.looks.windows import folding, unfolding
from rlm_core.plain import plain_line
from rlm_core.view import Totals
from rlm_core.wording import UNKNOWN, count, exact, m_of_n, seconds

Form = Literal["box", "row", "chip", "group", "answer"]
Tone = Literal["", "failed", "mended", "stopped", "running"]

NARROW, WIDE = 140, 262
"""Widths of turns and cells, and of what they started."""
WIDTHS = (NARROW, NARROW, WIDE)
"""Of the first columns: there from the start, so that a run that grows does not move."""
HEIGHTS: dict[Form, int] = {"box": 58, "row": 32, "chip": 26, "group": 66, "answer": 78}
FAILED_HEIGHT = 50
"""Of a call or a child frame that failed: wide, with one line below its title."""
CHIP_WIDTHS = (82, 127, WIDE)
"""Three, two or one in a row below a group."""
ICON_PX, BOLD_PX, TEXT_PX = 33, 6.8, 6.1
"""Of a chip: all but its text, and the width of a letter, roughly; the browser measures and cuts."""
ANSWER_CHARS = 160
THIN, THICKEST = 1.2, 10.0
"""Of ways, in pixels."""
OF_NOTE = 0.05
"""Ways to less than this part of the run's cost are all equally thin."""


@dataclass(frozen=True, slots=True)
class Face:
    """One box of the graph."""

    id: str
    parent: str | None
    form: Form
    kind: Kind
    width: int
    height: int
    title: str
    figure: str = ""
    """At the right: what it cost, or how long it took where nothing costs anything, or how it is with it."""
    lines: tuple[str, ...] = ()
    tone: Tone = ""
    unknown: bool = False
    """The figure is not known: written in italics."""
    share: float = 0.0
    """Its part of what the run cost (of its calls, where nothing costs anything), without what hangs from it."""
    flow: float = 0.0
    """The same with all that hangs from it: the width of the way to it."""
    unfold: str = ""
    fold: str = ""
    """What is sent to draw more of its members, and to fold them again."""
    tip: tuple[str, ...] = ()
    follows: bool = False
    """It came after its earlier sibling, as turns of a frame do."""


@dataclass(frozen=True, slots=True)
class Way:
    """From what started something to what it started (`started`), from a group to a `member`, or between turns (`next`)."""

    start: Face
    end: Face
    kind: Literal["started", "member", "next"]
    width: float


def place(boxes: Sequence[Face]) -> Layout:
    groups = {face.id for face in boxes if face.form == "group"}
    return tidy([Box(face.id, face.parent, face.width, face.height, face.parent in groups) for face in boxes], WIDTHS)


def ways(boxes: Sequence[Face]) -> list[Way]:
    """The ways from what started something to what it started, and between turns one after the other."""
    by_id = {face.id: face for face in boxes}
    before: dict[str | None, Face] = {}
    found = []
    for face in boxes:
        parent = by_id.get(face.parent or "")
        earlier = before.get(face.parent) if face.follows else None
        before[face.parent] = face
        if earlier is not None:
            found.append(Way(earlier, face, "next", THIN))
        elif parent is not None and parent.form == "group":
            found.append(Way(parent, face, "member", THIN))
        elif parent is not None:
            wide = face.flow >= OF_NOTE and not face.tone
            found.append(Way(parent, face, "started", round(max(THIN, THICKEST * face.flow), 1) if wide else THIN))
    return found


def counted(tree: Tree) -> str:
    """`17 of 323 nodes, 306 in groups`."""
    folded = tree.nodes - tree.drawn
    return (
        f"{tree.drawn:,} of {exact(tree.nodes, 'node')}, {folded:,} in groups" if folded else exact(tree.nodes, "node")
    )


def faces(look: Look) -> list[Face]:
    """A box for each mark, parents first. The run itself is not drawn unless there is nothing else: its turns stand for it."""
    marks = look.tree.marks
    return [_face(mark, look) for mark in marks if mark.kind != "run" or len(marks) == 1]


def _face(mark: Mark, look: Look) -> Face:
    tone = _tone(mark, look)
    form = _form(mark, tone, look)
    name = look.names[mark.id]
    title, lines = _words(mark, form, tone, look)
    width, told = _width(mark, form, title, look), _tells_failure(mark, form, tone)
    figure = "" if told else reasons(mark) if form == "chip" else _figure(mark, tone, look)
    return Face(
        mark.id,
        mark.parent if mark.parent != look.tree.marks[0].id else None,
        form,
        kind_of(mark, look.tree, look.reading.mended),
        width,
        FAILED_HEIGHT if told and width == WIDE else HEIGHTS[form],
        title,
        figure=figure,
        lines=lines,
        tone=tone,
        unknown=figure == UNKNOWN,
        share=0.0 if mark.kind in ("cell", "frame", "more", "answer") else _share(_own(mark), look),
        flow=_share(mark.subtree, look),
        unfold=unfolding(mark, look) or "",
        fold=folding(mark, look) or "",
        follows=(_parent(mark, look) or mark).kind in ("run", "frame"),
        tip=tuple(_tip(mark, look, [name.title, name.says, *(lines if mark.kind == "answer" else ())])),
    )


def _parent(mark: Mark, look: Look) -> Mark | None:
    return look.tree.by_id.get(mark.parent or "")


def _form(mark: Mark, tone: Tone, look: Look) -> Form:
    parent = _parent(mark, look)
    if mark.kind == "answer":
        return "answer"
    if mark.is_group:
        return "group"
    if mark.kind == "more" or (parent is not None and parent.is_group and mark.id not in look.tree.children):
        return "chip"
    plain_row = mark.kind in ("call", "search") and parent is not None and parent.kind in ("cell", "call")
    return "row" if plain_row and tone != "failed" else "box"


def _width(mark: Mark, form: Form, title: str, look: Look) -> int:
    if form == "chip":
        needed = ICON_PX + BOLD_PX * len(title) + TEXT_PX * len(reasons(mark))
        return next((width for width in CHIP_WIDTHS if width >= needed), WIDE)
    parent = _parent(mark, look)
    at_a_cell = parent is not None and (parent.kind == "cell" or parent.is_group)
    return WIDE if form in ("row", "group", "answer") or (at_a_cell and mark.kind != "turn") else NARROW


def reasons(mark: Mark) -> str:
    """Why a member of a group is drawn. Not that it is selected: that can be seen, and must not move anything."""
    return ", ".join(each for each in mark.why if each not in ("selected", "found"))


def _tone(mark: Mark, look: Look) -> Tone:
    """How a mark looks; what was under way when a run was stopped was stopped with it."""
    if mark.kind == "answer":
        return ""
    if mark.status == "running":
        return "running" if look.sheet.active else "stopped"
    if mark.status in STOPPED:
        return "stopped"
    if not mark.failed:
        return ""
    return "mended" if kind_of(mark, look.tree, look.reading.mended) == "mended" else "failed"


def _own(mark: Mark) -> Totals:
    """What a mark stands for: itself, of a group its members, of a closed turn all that is in it."""
    return mark.subtree if mark.is_group or mark.kind == "frame" or mark.hidden else mark.own


def _share(part: Totals, look: Look) -> float:
    total = look.sheet.totals
    of, whole = (part.cost_usd, total.cost_usd) if total.cost_usd else (part.calls, total.calls)
    return round(of / whole, 3) if whole else 0.0


def _figure(mark: Mark, tone: Tone, look: Look) -> str:
    if mark.kind in ("more", "search"):
        return ""
    if mark.status == "running":
        return "running" if look.sheet.active else "stopped"
    if mark.kind == "answer" or mark.status in STOPPED:
        return mark.status
    before = from_before(mark, look.reading.replayed, look.reading.parted)
    if before and not mark.failed:
        return before
    if mark.is_group:
        return {"failed": "failed", "mended": "made good"}.get(tone, "ok")
    if tone == "failed" and mark.kind in ("turn", "cell"):
        return mark.status
    if mark.kind == "cell" or look.sheet.free:
        return seconds(mark.elapsed_s)
    return spent(_own(mark))


def _tells_failure(mark: Mark, form: Form, tone: Tone) -> bool:
    """The box of a call says what went wrong in its title, and what it cost below."""
    return tone == "failed" and form == "box" and mark.kind == "call"


def _words(mark: Mark, form: Form, tone: Tone, look: Look) -> tuple[str, tuple[str, ...]]:
    """The title of a box, and the lines below it."""
    name = look.names[mark.id]
    if mark.kind == "answer":
        return _answer(look)
    if mark.is_group:
        return name.title, tuple(_group(mark, look))
    if _tells_failure(mark, form, tone):
        why = ": ".join(filter(None, (f"{name.title} {mark.status}", name.says)))
        cost = spent(mark.subtree)
        return why, (f"cost {cost}, possibly paid" if cost == UNKNOWN else f"cost {cost}",)
    title = f"{name.title} {mark.status}" if tone == "failed" and mark.kind == "frame" else name.title
    folded = f"{mark.hidden:,} inside, folded" if mark.hidden and mark.kind != "more" else ""
    good = fate(mark, look.reading.mended) if tone == "mended" else ""
    said = " · ".join(filter(None, [look.reading.remarked.get(mark.id), folded or name.says]))
    return title, tuple(line for line in (good or said,) if line)


def _answer(look: Look) -> tuple[str, tuple[str, ...]]:
    """What is before the first colon is the title, if it is short: `17 rooms: A12, A31, …`."""
    first, _, second = look.sheet.answer.head.strip().partition("\n")
    title, colon, rest = first.partition(": ")
    if not colon or len(title) > 36:
        title, rest = first, second.strip().partition("\n")[0]
    lines = [plain_line(rest, ANSWER_CHARS), _quotes(look)]
    return plain_line(title, ANSWER_CHARS) or "empty answer", tuple(line for line in lines if line)


def _quotes(look: Look) -> str:
    cited = {each.item for each in look.reading.citations}
    checked = [row.verdict for row in look.sheet.findings if row.item in cited and row.quote]
    found = sum(verdict is not None and verdict.verdict == "exact" for verdict in checked)
    if not checked:
        return ""
    said = exact(found, "quote") if found == len(checked) else f"{m_of_n(found, len(checked))} quotes"
    return f"{said} found word for word in the archive"


def _group(mark: Mark, look: Look) -> Iterator[str]:
    whole = seconds(mark.calls_s) if look.sheet.free else spent(mark.subtree)
    summed = "cost unknown" if whole == UNKNOWN else f"{whole} in sum"
    took = f"p50 {seconds(mark.p50_s)}, p95 {seconds(mark.p95_s)}" if mark.p50_s is not None else ""
    yield " · ".join(each for each in (summed, took) if each)
    running = f"{mark.running:,} under way" if mark.running else ""
    cited = f"{mark.cited:,} cited" if mark.cited else ""
    good = made_good(mark, look.reading.mended)
    yield " · ".join(each for each in (running, cited, good, _tokens(mark.subtree)) if each)


def _tokens(totals: Totals) -> str:
    if totals.calls and totals.calls_without_usage == totals.calls:
        return "tokens unknown"
    more = " + ?" if totals.calls_without_usage else ""
    return f"{count(totals.input_tokens)} in, {count(totals.output_tokens)} out{more}" if totals.calls else ""


def _tip(mark: Mark, look: Look, words: list[str]) -> Iterator[str]:
    """Everything that the box has no room for, a line each."""
    yield from dict.fromkeys(each for each in words if each)
    if mark.kind == "more":
        yield "A click draws more of them."
        return
    if mark.kind == "answer":
        return
    before = from_before(mark, look.reading.replayed, look.reading.parted)
    if before:
        yield (
            f"{before}: nothing of it was paid in this run"
            if before != PARTED
            else "it printed something else than before"
        )
    state = "not finished" if mark.status == "running" and not look.sheet.active else mark.status
    took = seconds(mark.elapsed_s) if mark.elapsed_s is not None else ""
    took += " from first start to last end" if took and mark.is_group else ""
    good = made_good(mark, look.reading.mended)
    yield " · ".join(each for each in (state, good, took, reasons(mark)) if each)
    if mark.subtree.calls and not look.sheet.free:
        own = f"{spent(mark.own)} itself, " if mark.own.calls and mark.own.calls != mark.subtree.calls else ""
        yield f"cost {own}{spent(mark.subtree)}{' with all that is in it' if own else ''}"
    if mark.subtree.calls:
        yield " · ".join(each for each in (exact(mark.subtree.calls, "call"), _tokens(mark.subtree)) if each)
    if mark.hidden:
        yield f"{mark.hidden:,} of its nodes are not drawn: + draws more of them."
