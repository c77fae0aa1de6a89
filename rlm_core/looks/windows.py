"""Which members of an unfolded group are shown, as an address writes it: `50`, `100-150`. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from rlm_core.folding import EARLIER, MORE, Mark
from rlm_core.looks.look import Look

PAGE = 50
"""Members of an opened group that are shown at first; `more` shows as many again."""
WINDOW = 100
"""Of an opened group, no more members than this are shown at once; the first ones give way to later ones."""


def window(shown: str) -> range:
    """`50`: the first fifty members; `50-150`: those after them; at most as many as are shown at once, the last of them."""
    start, _, stop = shown.rpartition("-")
    last = PAGE if (number := whole(stop)) is None else number
    return range(max(whole(start) or 0, last - WINDOW), last)


def in_words(shown: range) -> str:
    return f"{shown.start}-{shown.stop}" if shown.start else str(shown.stop)


def written(groups: Mapping[str, range]) -> str:
    """All groups that are unfolded, as the address has them."""
    return ",".join(f"{group}:{in_words(shown)}" for group, shown in groups.items())


def whole(written: str) -> int | None:
    """What is no number, or none that anything here could have, is nothing: whoever writes an address may write anything."""
    return int(written) if written.isdecimal() and len(written) < 10 else None


def unfolding(mark: Mark, look: Look) -> str | None:
    """What a component sends as `unfold` to draw more of a mark's members; `None` where there is nothing more."""
    if not mark.hidden:
        return None
    if mark.kind == "turn" and not mark.is_group:
        return f"{mark.id}:1"
    group = mark.id.removesuffix(MORE).removesuffix(EARLIER)
    now = look.place.opened.get(group, range(0))
    if mark.id.endswith(EARLIER):
        start = max(0, now.start - PAGE)
        wanted = range(start, min(now.stop, start + WINDOW))
    else:
        wanted = range(now.start, now.stop + PAGE)
    return f"{group}:{in_words(wanted)}"


def folding(mark: Mark, look: Look) -> str | None:
    """What a component sends as `unfold` to fold a mark again; `None` where it is not unfolded."""
    return f"{mark.id}:0" if mark.id in look.place.opened else None
