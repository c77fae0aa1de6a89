"""The blocks of a notebook as they are drawn: headings, facts, and texts in pieces; all of it plain.

Long texts are loaded here, by `whole`. What was made of a text is kept, for a page that is followed live is made anew every
second.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache, singledispatch
from typing import Any

from rlm_core import wording
from rlm_core.events import Replayed
from rlm_core.evidence.citations import Whole
from rlm_core.likeness import STOPPED
from rlm_core.looks import marks
from rlm_core.looks.highlight import CODE_CHARS, code_lines, failed_line
from rlm_core.looks.node_shapes import FindingFacts
from rlm_core.looks.notebook import (
    AnswerBlock,
    Block,
    CellBlock,
    FindingsBlock,
    FrameBlock,
    RemarkBlock,
    RowBlock,
    TurnBlock,
)
from rlm_core.looks.pieces import WHOLE, Gap, Piece, folded, shown_output
from rlm_core.looks.verdicts import in_short
from rlm_core.mending import Mending
from rlm_core.passages import Passage, spoken
from rlm_core.plain import plain_line
from rlm_core.view import Totals

Json = dict[str, Any]
NOTHING_BEFORE: Mapping[str, Replayed] = {}
NOTHING_MENDED: Mapping[str, Mending] = {}
SHOWN_LINES = 40
"""Of code; more are folded away, unless they are only a few more, or the cell failed in one of them."""
SLACK_LINES = 8
SHOWN_VARIABLES, SENT_VARIABLES = 4, 40
SHOWN_FINDINGS = 4
PREVIEW_CHARS = 160
MAX_LABELS = 6
KEPT_TEXTS = 2_000
ENDED = {
    "failed": "ended in an error",
    "timeout": "interrupted at its time limit",
    "killed": "killed with its sandbox",
    "cancelled": "cancelled",
    "interrupted": "interrupted",
}
"""How a cell ended, where it did not end well."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """What must be known of a run to draw a block of it."""

    whole: Whole
    shown_chars: int
    free: bool


def drawn(
    block: Block,
    *,
    shown_chars: int,
    free: bool,
    now: float | None,
    whole: Whole,
    replayed: Mapping[str, Replayed] = NOTHING_BEFORE,
    mended: Mapping[str, Mending] = NOTHING_MENDED,
) -> Json:
    """A block as the browser draws it. `now`: the run is under way; `free`: nothing of it costs anything; `replayed`: what was
    not made in this run, `mended`: what was made good later (both of `look.Reading`). `whole` loads a long text."""
    said = {**_drawn_block(block, Drawing(whole, shown_chars, free), now), **_fate(block, mended)}
    before = _from_before(block, replayed)
    return {**said, "facts": _line(before, said["facts"])} if before else said


def stands(block: Block, mended: Collection[str]) -> bool:
    """Whether it failed and was not made good later."""
    return block.failed and not all(each in mended for each in _members(block))


def _members(block: Block) -> tuple[str, ...]:
    return block.drawn.members if isinstance(block, RowBlock) else (block.id,)


def _fate(block: Block, mended: Mapping[str, Mending]) -> Json:
    """How loud a failure is, and what made it good."""
    failed = stands(block, mended)
    if not block.failed or (isinstance(block, RowBlock) and block.drawn.kind == "more"):
        return {"failed": failed, "good": ""}
    known = mended[block.id].says if block.id in mended else ""
    good = marks.made_good(block.drawn, mended) if isinstance(block, RowBlock) else known
    return {"failed": failed, "good": good, "shape": "failed" if failed else "mended"}


def _from_before(block: Block, replayed: Mapping[str, Replayed]) -> str:
    """`replayed from RUN`, `written by a person`; of a group how many."""
    if isinstance(block, RowBlock):
        return marks.from_before(block.drawn, replayed)
    known = replayed.get(block.id) if isinstance(block, TurnBlock | FrameBlock) else None
    if known is None:
        return ""
    return "written by a person" if known.edited else f"replayed from {plain_line(known.run, 60)}"


def _drawn_block(block: Block, drawing: Drawing, now: float | None) -> Json:
    took = wording.seconds(block.elapsed_s) if block.elapsed_s is not None else _going_on(block, now)
    return {
        "id": block.id,
        "mark": block.mark,
        "depth": block.depth,
        "running": block.status == "running" and now is not None,
        **_drawn(block, took, drawing),
    }


def _going_on(block: Block, now: float | None) -> str:
    return "not finished" if now is None else f"running for {wording.seconds(max(0.0, now - block.started_at))}"


@singledispatch
def _drawn(block: Block, took: str, drawing: Drawing) -> Json:
    raise TypeError(f"There is nothing to draw for {type(block).__name__}.")


@_drawn.register
def _(block: FrameBlock, took: str, drawing: Drawing) -> Json:
    ended = block.status if block.status not in ("running", "ok") else ""
    return {
        "kind": "frame",
        "shape": "frame",
        "title": f"Child frame, depth {block.depth}",
        "beside": plain_line(block.strategy, 60),
        "facts": _line(ended, took),
        "parts": [_long(_prose(block.question, drawing.whole), "question", block.question)],
    }


@_drawn.register
def _(block: TurnBlock, took: str, drawing: Drawing) -> Json:
    facts = [] if block.status == "running" else [_tokens(block.totals), _cost(block.totals, drawing.free)]
    parts = [_long(_prose(block.reply, drawing.whole, block.cells), "reply", block.reply)]
    if block.error.chars:
        kind = "note" if block.status in STOPPED else "error"
        parts.append(_long({"type": kind, "pieces": _folded(block.error, drawing.whole)}, "error", block.error))
    if block.refused.chars:
        pieces = ("The answer was sent back to the model: ", *_folded(block.refused, drawing.whole))
        parts.append({"type": "note", "pieces": pieces})
    return {
        "kind": "turn",
        "shape": "root",
        "title": "Last word" if block.number is None else f"Turn {block.number}",
        "beside": "a call outside any turn" if block.number is None else "",
        "facts": _line(*facts, took),
        "parts": parts,
    }


@_drawn.register
def _(block: CellBlock, took: str, drawing: Drawing) -> Json:
    code = _code(block.code, block.error, block.number, drawing.whole)
    parts = [code]
    if block.output.chars:
        error_chars = block.error.chars
        pieces = _output(block.output, block.output_chars, drawing.shown_chars, error_chars, drawing.whole)
        parts.append(_long({"type": "output", "pieces": pieces}, "output", block.output))
    if block.error.chars:
        parts.append(_long({"type": "traceback", "pieces": _folded(block.error, drawing.whole)}, "error", block.error))
    if block.variables:
        parts.append(_variables(block.variables))
    return {
        "kind": "cell",
        "shape": "code",
        "title": f"Cell {block.number}",
        "beside": "",
        "ended": ENDED.get(block.status, ""),
        "facts": _line(wording.exact(code["count"], "line"), took),
        "parts": parts,
    }


@_drawn.register
def _(block: RowBlock, took: str, drawing: Drawing) -> Json:
    mark = block.drawn
    unknown = (
        "cost unknown" if not drawing.free and mark.subtree.calls_without_cost and not mark.subtree.cost_usd else ""
    )
    cost = (
        "" if mark.status == "running" and not mark.subtree.cost_usd else unknown or _cost(mark.subtree, drawing.free)
    )
    says = plain_line(block.name.says)
    grouped = mark.is_group
    state = marks.ended(mark) or ("" if mark.status == "running" else "ok")
    facts = [cost if mark.subtree.calls else "", says if grouped else "" if mark.kind == "search" else took]
    return {
        "kind": "row",
        "shape": marks.shape_of(mark) if mark.kind != "more" else "frame",
        "title": plain_line(block.name.title),
        "state": state if grouped or state != "ok" else "",
        "beside": "" if grouped else says,
        "facts": _line(*facts) if mark.kind != "more" else "",
    }


@_drawn.register
def _(block: FindingsBlock, took: str, drawing: Drawing) -> Json:
    labels = [[f"{count:,}", plain_line(label, 40)] for label, count in block.labels[:MAX_LABELS]]
    if len(block.labels) > MAX_LABELS:
        labels.append([f"{len(block.labels) - MAX_LABELS:,}", "more labels"])
    total = sum(count for _, count in block.labels)
    return {
        "kind": "row",
        "shape": "answer",
        "title": wording.exact(total, "finding"),
        "beside": "recorded",
        "labels": labels,
        "facts": "",
        "parts": [_findings(block.findings, total)] if block.findings else [],
    }


@_drawn.register
def _(block: RemarkBlock, took: str, drawing: Drawing) -> Json:
    return {
        "kind": "remark",
        "shape": "note",
        "title": plain_line(block.topic, 60),
        "beside": "",
        "facts": "",
        "parts": [_prose(block.text, drawing.whole)],
    }


@_drawn.register
def _(block: AnswerBlock, took: str, drawing: Drawing) -> Json:
    return {
        "kind": "answer",
        "shape": "answer",
        "title": "Answer",
        "beside": block.status if block.status != "answered" else "",
        "facts": "",
        "parts": [_long(_prose(block.text, drawing.whole), "answer", block.text)],
    }


def _variables(found: Sequence[Json]) -> Json:
    """Each with its name, type, size, whether it is new or changed, and its beginning."""
    rows = [
        [
            plain_line(str(each.get("name", "")), 60),
            plain_line(str(each.get("type", "")), 40),
            _size(each.get("size")),
            plain_line(str(each.get("change", "")), 20),
            plain_line(str(each.get("preview", "")), PREVIEW_CHARS),
        ]
        for each in found[:SENT_VARIABLES]
    ]
    return {"type": "variables", "rows": rows, "shown": SHOWN_VARIABLES, "more": max(0, len(found) - SENT_VARIABLES)}


def _size(size: object) -> str:
    return f"{size:,}" if isinstance(size, int) else plain_line(str(size if size is not None else ""), 40)


def _findings(found: Sequence[FindingFacts], total: int) -> Json:
    rows = [
        {
            "span": each.span,
            "item": plain_line(each.item, 40),
            "label": plain_line(each.label, 24),
            "verdict": in_short(each),
            "quote": plain_line(each.quote, PREVIEW_CHARS),
        }
        for each in found
    ]
    return {"type": "findings", "rows": rows, "shown": SHOWN_FINDINGS, "more": total - len(found)}


def _line(*facts: str) -> str:
    return " · ".join(fact for fact in facts if fact)


def _tokens(totals: Totals) -> str:
    if not totals.calls or totals.calls_without_usage:
        return ""
    return f"{wording.count(totals.input_tokens)} in, {wording.count(totals.output_tokens)} out"


def _cost(totals: Totals, free: bool) -> str:
    if free or not totals.calls:
        return ""
    said = marks.spent(totals)
    return f"cost {said}" if said == wording.UNKNOWN else said


def _long(part: Json, what: str, text: Passage) -> Json:
    """A part of whose text not all is in sight: what it is called where it can be read in pages, and searched."""
    if not any(isinstance(piece, dict) for piece in part["pieces"]):
        return part
    return {**part, "text": what, "whole": f"search in all {text.chars:,} characters, or save them"}


def _prose(text: Passage, whole: Whole, cells: tuple[Passage, ...] = ()) -> Json:
    return {"type": "words", "pieces": _words(text, cells, whole)}


@lru_cache(KEPT_TEXTS)
def _words(text: Passage, cells: tuple[Passage, ...], whole: Whole) -> tuple[Any, ...]:
    """What a model said, without the code that is shown apart."""
    said = whole(text)
    return _sent(folded(spoken(said, [whole(each) for each in cells]) if cells else said.strip(), tail=False))


@lru_cache(KEPT_TEXTS)
def _folded(text: Passage, whole: Whole) -> tuple[Any, ...]:
    return _sent(folded(whole(text)))


@lru_cache(KEPT_TEXTS)
def _output(text: Passage, true_chars: int, shown_chars: int, error_chars: int, whole: Whole) -> tuple[Any, ...]:
    return _sent(shown_output(whole(text), true_chars, shown_chars, error_chars))


@lru_cache(KEPT_TEXTS)
def _code(text: Passage, error: Passage, cell: int, whole: Whole) -> Json:
    """Lines of code, how many there are, how many are shown at first, and the one that failed."""
    code = whole(text)
    lines = code_lines(code)
    failed = failed_line(whole(error), cell) if error.chars else None
    shown = SHOWN_LINES if len(lines) > SHOWN_LINES + SLACK_LINES and (failed or 0) <= SHOWN_LINES else len(lines)
    missing = len(code) - CODE_CHARS
    return {
        "type": "code",
        "lines": lines,
        "count": code.rstrip().count("\n") + 1,
        "shown": shown,
        "failed": failed,
        "gap": [asdict(Gap(f"{missing:,} more characters are not shown here", WHOLE, hatched=True))]
        if missing > 0
        else [],
    }


def _sent(pieces: tuple[Piece, ...]) -> tuple[Any, ...]:
    """Pieces as JSON takes them."""
    return tuple(asdict(piece) if isinstance(piece, Gap) else piece for piece in pieces)
