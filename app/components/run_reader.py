"""The reader: a run as a notebook, in a component that draws text as text and nothing else.

Which page of a long run is read follows from what is selected, so that its address says it. `data` is pure but for the texts.
"""

from __future__ import annotations

import sys
import time
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from typing import Any

import streamlit as st

from app import backend, keys
from app.components import selection, text_view
from app.places import STATIC
from rlm_core import wording
from rlm_core.looks import notebook, windows
from rlm_core.looks.blocks import drawn, stands
from rlm_core.looks.look import Look
from rlm_core.looks.notebook import Block

KEY = "run-reader"
KEPT = "reader-blocks"
_component = st.components.v2.component(
    "run_reader",
    html='<div class="run-reader"></div>',
    css="\n".join((STATIC / name).read_text(encoding="utf-8") for name in ("marks.css", "run_reader.css")),
    js="\n".join(
        (STATIC / name).read_text(encoding="utf-8") for name in ("typing.js", "marks.js", "found.js", "run_reader.js")
    ),
)


def show(look: Look) -> None:
    asked = text_view.opened(look)
    if asked:
        text_view.show(look, asked)
        return
    blocks = _blocks(look)
    if blocks:
        _component(
            key=KEY,
            height="content",
            data=data(look, blocks, time.time()),
            on_open_change=lambda: text_view.open_text(look.place.run, str(st.session_state[KEY].open)),
            **selection.callbacks(KEY),
        )


def _blocks(look: Look) -> Sequence[Block]:
    """All blocks; kept for as long as the run stays as it is, and everything that can be selected is among them."""
    reading, kept = look.reading, st.session_state.get(KEPT)
    if kept is None or kept[0] is not reading or kept[1] != look.place.opened or not _is_among(look, kept[2]):
        made = backend.read(look.place.run, notebook.blocks_of, look.tree, look.names, reading.namer, reading.folding)
        kept = (reading, look.place.opened, made or ())
        st.session_state[KEPT] = kept
    blocks: Sequence[Block] = kept[2]
    return blocks


def _is_among(look: Look, blocks: Sequence[Block]) -> bool:
    mark = look.selected
    return mark is None or mark.kind not in ("frame", "turn", "cell") or any(block.id == mark.id for block in blocks)


def data(look: Look, blocks: Sequence[Block], now: float) -> dict[str, Any]:
    """What the browser is sent: one page of blocks, and where the others are."""
    sheet = look.sheet
    chosen = _selected(look, blocks)
    pages = notebook.pages_of(blocks)
    number = _page(pages, blocks, chosen, live=sheet.active)
    page = pages[number]
    sent = [
        {
            **drawn(
                block,
                shown_chars=sheet.task.limits.shown_chars if sheet.knows_limit("shown_chars") else sys.maxsize,
                free=sheet.free,
                now=now if sheet.active else None,
                whole=backend.whole,
                replayed=look.reading.replayed,
                mended=look.reading.mended,
            ),
            **_clicked(look, block),
        }
        for block in blocks[page.start : page.stop]
    ]
    return {
        "run": look.place.run,
        "live": sheet.active,
        "keys": keys.bindings(keys.READER),
        "node": look.place.node,
        "find": look.place.find,
        "selected": chosen,
        "count": _count(page, len(blocks)),
        "failures": _failures(blocks, chosen, look.reading.mended),
        "before": _first_of(blocks, pages[number - 1]) if number else None,
        "after": _first_of(blocks, pages[number + 1]) if number + 1 < len(pages) else None,
        "blocks": sent,
    }


def _selected(look: Look, blocks: Sequence[Block]) -> str | None:
    """The block that shows what is selected: its own, or that of what it lies in."""
    own = {block.id for block in blocks}
    mark = look.selected
    while mark is not None and mark.id not in own:
        mark = look.tree.by_id.get(mark.parent or "")
    return mark.id if mark else None


def _page(pages: Sequence[range], blocks: Sequence[Block], chosen: str | None, *, live: bool) -> int:
    """The page with what is selected; without a selection the first, or of a live run the last."""
    place = next((number for number, block in enumerate(blocks) if block.id == chosen), None)
    if place is None:
        return len(pages) - 1 if live else 0
    return next(number for number, page in enumerate(pages) if place in page)


def _count(page: range, total: int) -> str:
    if len(page) == total:
        return wording.exact(total, "step")
    return f"steps {page.start + 1:,}–{page.stop:,} of {total:,}"


def _failures(blocks: Sequence[Block], chosen: str | None, mended: Collection[str]) -> dict[str, Any] | None:
    """The failures of the whole run that were not made good, beside what is selected: the mark of the one before and of the next;
    past the last one the first again."""
    failed = [place for place, block in enumerate(blocks) if block.id == block.mark and stands(block, mended)]
    if not failed:
        return None
    here = next((place for place, block in enumerate(blocks) if block.id == chosen), -1)
    after = bisect_right(failed, here)
    before = bisect_left(failed, here) - 1
    number = after % len(failed)
    words = "first failure again" if after == len(failed) else "next failure"
    return {
        "next": blocks[failed[number]].id,
        "before": blocks[failed[before]].id if before >= 0 else None,
        "last": after == len(failed),
        "words": f"{words} ({number + 1:,} of {len(failed):,})",
    }


def _first_of(blocks: Sequence[Block], page: range) -> dict[str, str]:
    """What is selected to turn to a page: its first block that can be."""
    mark = next((blocks[place].id for place in page if blocks[place].id == blocks[place].mark), blocks[page.start].mark)
    return {"mark": mark, "words": f"steps {page.start + 1:,}–{page.stop:,}"}


def _clicked(look: Look, block: Block) -> dict[str, str | None]:
    """What a click sends: the mark, or where the tree keeps it closed what it lies in; and of `306 more` what unfolds it."""
    drawn = block.drawn if isinstance(block, notebook.RowBlock) else None
    more = drawn is not None and drawn.kind == "more"
    known = drawn is None or look.tree.mark_of(block.mark) is not None
    return {
        "mark": block.mark if known or drawn is None else drawn.parent,
        "unfold": windows.unfolding(drawn, look) if more and drawn else None,
    }
