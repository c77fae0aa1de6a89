"""What the nodes of a run can be narrowed to: those that failed, or did and were made good later, are cited, were dear, slow,
cached or possibly paid; those of a kind; those of a depth.

Pure. A turn is one with the call that wrote it, as it is drawn, and so is a cell with its findings. Of several words of one
sort any need hold of a node, of several sorts one of each.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import chain

from rlm_core import events as ev
from rlm_core.likeness import STOPPED, WENT_WELL
from rlm_core.outline import RUN, Outline
from rlm_core.view import Node, RunView, Totals, refused_calls

STATES = ("failed", "mended", "cited", "dear", "slow", "cached", "paid")
KINDS = ("turn", "cell", "call", "search", "frame")
DEPTH = "depth"
"""Followed by a number: 0 for what the root frame did, 1 for its child frames and what they did."""
FEWEST, MOST, ONE_OF = 3, 50, 20
"""Dear and slow is a twentieth of the nodes that cost or took anything, but no fewer and no more than this."""

Facets = Mapping[str, frozenset[str]]


def facets_of(
    view: RunView, cited: Collection[str], outline: Outline | None = None, mended: Collection[str] = ()
) -> Facets:
    """By word, the nodes of which it holds; words that hold of none are left out. `outline` is that of the view, `mended` are
    the failures that were made good later: they are no longer among those that failed."""
    if RUN not in view.nodes:
        return {}
    outline = outline or Outline(view)
    found: dict[str, set[str]] = {word: set() for word in STATES}
    ended = view.outcome is not None
    for node in view.nodes.values():
        span = outline.home.get(node.id, node.id)
        for word in _states(node, outline.own[span], ended):
            found["mended" if word == "failed" and node.id in mended else word].add(span)
    found["cited"] = {outline.home.get(call, call) for call in cited}
    found["dear"] = _most({span: totals.cost_usd for span, totals in outline.own.items()})
    found["slow"] = _most({span: _took_s(outline, span) for span in outline.nodes})
    for span, depth in _depths(outline).items():
        found.setdefault(outline.nodes[span].kind, set()).add(span)
        found.setdefault(f"{DEPTH}{depth}", set()).add(span)
    return {word: frozenset(spans) for word in _ordered(found) if (spans := found[word] - {RUN})}


def matching(facets: Facets, only: Iterable[str]) -> frozenset[str] | None:
    """The nodes of which some words hold; `None` where there is no word. A word that holds of nothing leaves nothing."""
    sorts: dict[str, list[frozenset[str]]] = {}
    for word in only:
        if sort := sort_of(word):
            sorts.setdefault(sort, []).append(facets.get(word, frozenset()))
    if not sorts:
        return None
    return frozenset.intersection(*(frozenset(chain.from_iterable(each)) for each in sorts.values()))


def sort_of(word: str) -> str:
    """`state`, `kind` or `depth`; nothing of what is no word to narrow by."""
    if word in STATES:
        return "state"
    if word in KINDS:
        return "kind"
    return DEPTH if word.startswith(DEPTH) and word.removeprefix(DEPTH).isdecimal() else ""


def _states(node: Node, sums: Totals, ended: bool) -> Iterable[str]:
    """`sums`: its own, or of what it is drawn in."""
    status = node.status
    if (status not in WENT_WELL and status not in STOPPED) or refused_calls(node):
        yield "failed"
    if not isinstance(node.started, ev.CallStarted):
        return
    done = node.finished
    if isinstance(done, ev.CallFinished):
        from_cache = done.usage is not None and bool(done.usage.cached_input_tokens)
        if done.replayed is not None or done.cost_source == "journal" or from_cache:
            yield "cached"
        if done.cost_source == "free" or done.replayed is not None:
            return
    if (sums.calls_without_cost or sums.calls_without_usage) and (done is not None or ended):
        yield "paid"


def _took_s(outline: Outline, span: str) -> float:
    """In calls of its own; of a cell that asked nobody, its own time."""
    node = outline.nodes[span]
    alone = node.kind == "cell" and span not in outline.children
    return (node.elapsed_s() or 0.0) if alone else outline.own_s[span]


def _most(amounts: Mapping[str, float]) -> set[str]:
    """The nodes with the largest amounts, the run itself left out."""
    some = {span: amount for span, amount in amounts.items() if amount > 0 and span != RUN}
    wanted = min(MOST, max(FEWEST, len(some) // ONE_OF))
    return set(sorted(some, key=lambda span: -some[span])[:wanted])


def _depths(outline: Outline) -> dict[str, int]:
    """How many child frames each node lies in, or is."""
    depths: dict[str, int] = {}
    for span, node in outline.nodes.items():
        depths[span] = depths.get(outline.parent.get(span, ""), 0) + (node.kind == "frame")
    return depths


def _ordered(words: Collection[str]) -> list[str]:
    depths = sorted((word for word in words if sort_of(word) == DEPTH), key=lambda word: int(word.removeprefix(DEPTH)))
    return [*STATES, *(kind for kind in KINDS if kind in words), *depths]
