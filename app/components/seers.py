"""Who was shown a place of the archive: nodes of a run, each with how much of it it was shown. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.backend import Covered
from rlm_core.evidence.coverage import Seen, Span
from rlm_core.looks.marks import Kind
from rlm_core.naming import cell_numbers
from rlm_core.outline import is_reply
from rlm_core.plain import plain_line
from rlm_core.view import Node, RunView

TITLE_CHARS = 40
ALL = 0.995
"""What begins or ends a character too early was shown all the same."""


@dataclass(frozen=True, slots=True)
class Seer:
    """A node of the run, and how much of the place it was shown, in words."""

    span: str
    kind: Kind
    title: str
    where: str
    how_much: str


def seers(
    view: RunView,
    covered: Covered,
    document: int,
    place: Span,
    quote: Span | None,
    items: Mapping[str, str],
    most: int,
) -> tuple[list[Seer], int]:
    """The nodes that were shown the most of a place, and how many there are in all. `items` names calls that decided one."""
    seen = covered.coverage.seen_by(document, *place)
    of_quote = {each.span: each.share for each in covered.coverage.seen_by(document, *quote)} if quote else {}
    sure = {
        each.span
        for each in covered.coverage.by_document.get(document, ())
        if not each.ambiguous and each.how != "cited" and each.start < place[1] and each.end > place[0]
    }
    ordered = sorted((each for each in seen if each.span in view.nodes), key=lambda each: each.span not in items)
    ordered.sort(key=lambda each: (each.span not in sure, -each.share))
    numbers = cell_numbers(view)
    found = [
        _seer(
            view, each, _how_much(each, place, quote, of_quote.get(each.span, 0.0), each.span in sure), items, numbers
        )
        for each in ordered[:most]
    ]
    return found, len(ordered)


def _seer(view: RunView, seen: Seen, how_much: str, items: Mapping[str, str], numbers: Mapping[str, int]) -> Seer:
    node = view.nodes[seen.span]
    above = view.nodes.get(node.parent or "")
    if node.kind == "cell":
        return Seer(node.id, "code", f"cell {numbers[node.id]}", "printed it", how_much)
    if node.kind == "search":
        return Seer(node.id, "search", "search", "brought it", how_much)
    if is_reply(node):
        turn = getattr(above.started, "number", None) if above is not None and above.kind == "turn" else None
        return Seer(node.id, "root", f"turn {turn}" if turn else "last word", "was sent it", how_much)
    title = plain_line(items[node.id], TITLE_CHARS) if node.id in items else f"call {_number(node, above, view)}"
    where = f"cell {numbers[above.id]}" if above is not None and above.kind == "cell" else ""
    return Seer(node.id, "failed" if node.failed else "call", title, where, how_much)


def title_of(view: RunView, span: str) -> str:
    """`cell 3`, `turn 2`, `call 12 of cell 3`: a node where there is no room for more."""
    node = view.nodes.get(span)
    if node is None:
        return ""
    seer = _seer(view, Seen(span, "sent", 1.0), "", {}, cell_numbers(view))
    return f"{seer.title} of {seer.where}" if node.kind == "call" and seer.where.startswith("cell") else seer.title


def _number(node: Node, above: Node | None, view: RunView) -> int:
    calls = [each for each in above.children if view.nodes[each].kind == "call"] if above else [node.id]
    return calls.index(node.id) + 1


def _how_much(seen: Seen, place: Span, quote: Span | None, of_quote: float, sure: bool) -> str:
    if not sure:
        return "perhaps: the same text stands elsewhere too"
    if seen.share >= ALL:
        return "all of it"
    if quote and of_quote >= ALL and seen.share * (place[1] - place[0]) <= 1.5 * (quote[1] - quote[0]):
        return "the quote only"
    said = f"{max(1, round(100 * seen.share))} %"
    if quote:
        said += ", with the quote" if of_quote >= ALL else ", without the quote" if not of_quote else ""
    return said


def spans_of(view: RunView, members: Sequence[str]) -> list[str]:
    """The nodes that were shown something where these are selected: a turn is its call and what its cells printed, a child
    frame all that is in it, a cell what it printed."""
    found = []
    for each in members:
        node = view.nodes.get(each)
        if node is None:
            continue
        above = view.nodes.get(node.parent or "")
        if is_reply(node) and above is not None and above.kind == "turn":
            node = above
        if node.kind == "turn":
            children = [view.nodes[child] for child in node.children]
            found += [child.id for child in children if child.kind in ("cell", "search") or is_reply(child)]
        elif node.kind == "frame":
            found += [below.id for below, _ in view.walk(node.id)]
        else:
            found.append(node.id)
    return found
