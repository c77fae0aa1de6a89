"""What stands beside a node of a run: its siblings, the members of its group, and the events that it is made of. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rlm_core import events as ev
from rlm_core.event_json import body_to_dict
from rlm_core.likeness import STOPPED
from rlm_core.looks.node_shapes import Member
from rlm_core.outline import is_reply
from rlm_core.passages import NOTHING, Passage, passage
from rlm_core.task import Json
from rlm_core.view import Node, RunView, own_totals

NONE: Mapping[str, str] = {}


def members_of(view: RunView, spans: Sequence[str], items: Mapping[str, str] = NONE) -> list[Member]:
    """The members of a group in their order. `items` has the names of calls that decided one."""
    numbers = {each: number for number, each in enumerate(beside(view, spans[0]), 1)} if spans else {}
    found: list[Member] = []
    for span in spans:
        node = view.nodes[span]
        match node.started:
            case ev.CallStarted():
                asked = node.started.messages[-1].text if node.started.messages else None
            case ev.FrameStarted():
                asked = node.started.question
            case ev.Searched():
                asked = node.started.query
            case _:
                asked = None
        number = numbers.get(span, len(found) + 1)
        name = items.get(span) or f"{node.kind} {number}"
        totals = own_totals(node) if node.kind == "call" else view.totals(span)
        ended = (passage(asked), number, *_outcome(node))
        found.append(Member(span, name, node.status, totals, node.elapsed_s(), *ended))
    return found


def failed_beside(view: RunView, spans: Sequence[str], items: Mapping[str, str] = NONE) -> list[Member]:
    """Those that failed among what the members of a group stand among, and are not of it."""
    own = set(spans)
    others = [each for each in (beside(view, spans[0]) if spans else []) if each not in own]
    return members_of(view, [each for each in others if has_failed(view.nodes[each])], items)


def has_failed(node: Node) -> bool:
    """And was not stopped with its run."""
    return node.failed and node.status not in STOPPED


def _outcome(node: Node) -> tuple[Passage, Passage, str | None]:
    """What came of it: reply, error, and the kind of the error."""
    match node.finished:
        case ev.CallFinished() as done:
            return passage(done.text), passage(done.error), done.error_kind
        case ev.FrameFinished() as done:
            return passage(done.answer.text if done.answer else None), passage(done.reason or None), None
    return NOTHING, NOTHING, None


def beside(view: RunView, span: str) -> list[str]:
    """The nodes of the same kind that it stands among, in order, itself included: what is next and what was before."""
    node = view.nodes.get(span)
    if node is None:
        return []
    if node.kind == "finding":
        return [each for each, _, _ in view.findings()]
    if node.kind == "cell":  # counted through the frame, as its number is
        turn = view.nodes.get(node.parent or "")
        frame = view.nodes.get(turn.parent or "") if turn else None
        turns = [view.nodes[each] for each in frame.children] if frame else []
        return [each for one in turns for each in one.children if view.nodes[each].kind == "cell"]
    above = view.nodes.get(node.parent or "")
    if above is not None and above.kind == "turn" and is_reply(node):
        return beside(view, above.id)
    return siblings(view, node)


def siblings(view: RunView, node: Node) -> list[str]:
    """The children of its parent that are of its kind, itself included."""
    above = view.nodes.get(node.parent or "")
    children = [view.nodes[each] for each in above.children] if above else [node]
    return [each.id for each in children if each.kind == node.kind and is_reply(each) == is_reply(node)]


def next_to(view: RunView, span: str, step: int) -> str | None:
    """The node so many steps further among those of its kind; `None` at the ends."""
    siblings = beside(view, span)
    node = view.nodes.get(span)
    if node is not None and span not in siblings:
        span = node.parent or span  # the call that wrote a turn stands for the turn
    at = siblings.index(span) + step if span in siblings else -1
    return siblings[at] if 0 <= at < len(siblings) else None


def raw_of(view: RunView, span: str) -> list[Json]:
    """The events of a node as they are stored; of a turn also those of the call that wrote it. Long texts are their head."""
    node = view.nodes.get(ev.RUN_SPAN if span == "answer" else span)
    if node is None:
        return []
    events = [_event(node, node.started, node.started_at)]
    events += [_event(node, body, None) for body in node.remarks]
    if node.id in view.verdicts:
        events.append(_event(node, view.verdicts[node.id], None))
    if node.kind == "turn":
        events += [each for child in node.children if is_reply(view.nodes[child]) for each in raw_of(view, child)]
    if node.finished is not None:
        events.append(_event(node, node.finished, node.finished_at))
    return events


def _event(node: Node, body: ev.Body, at: float | None) -> Json:
    head: Json = {"kind": type(body).__name__, "span": node.id, "parent": node.parent}
    return {**head, **({} if at is None else {"at": at}), "body": body_to_dict(body)}
