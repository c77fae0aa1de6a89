"""The facts of one node of a run, gathered for the inspector: what it is, where it is, what it was given, what came of it.

Pure: a `RunView` and a span go in, a shape of `node_shapes.py` comes out. It refuses to know words, colours and screens.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from rlm_core import events as ev
from rlm_core.looks.node_places import has_failed, siblings
from rlm_core.looks.node_shapes import (
    AnswerFacts,
    CallFacts,
    CellFacts,
    CellRef,
    Facts,
    FindingFacts,
    FrameFacts,
    RunFacts,
    Said,
    SearchFacts,
    TurnFacts,
)
from rlm_core.looks.sheet import texts_of
from rlm_core.naming import cell_numbers
from rlm_core.outline import is_reply
from rlm_core.passages import NOTHING, passage
from rlm_core.task import earlier_labels
from rlm_core.view import Node, RunView, refused_calls

NONE: Mapping[str, str] = {}


def facts_of(view: RunView, span: str, deciding: Mapping[str, str] = NONE) -> Facts | None:
    """The facts of a node; the call that wrote a turn is given as the turn, the root frame as the run. `None`: not there.

    `span` may also be `answer`. `deciding` has the call of each finding whose quote stands in a reply.
    """
    if span == "answer":
        return _answer(view)
    node = view.nodes.get(span)
    if node is None:
        return None
    match node.kind:
        case "run":
            return _run(view)
        case "frame":
            return _run(view) if node.parent == ev.RUN_SPAN else _frame(view, node)
        case "turn":
            return _turn(view, node, deciding)
        case "cell":
            return _cell(view, node, deciding)
        case "search":
            return _search(view, node)
        case "finding":
            return next(_findings(view, [node], deciding), None)
    above = view.nodes.get(node.parent or "")
    if above is not None and above.kind == "turn" and is_reply(node):
        return _turn(view, above, deciding)
    return call_facts(view, node, deciding)


def _answer(view: RunView) -> AnswerFacts | None:
    if view.answer is None:
        return None
    return AnswerFacts(passage(view.answer.text), view.answer.how, view.answer.reason, view.outcome or "")


def _run(view: RunView) -> RunFacts:
    of_kind = defaultdict[str, list[Node]](list)
    for node in view.nodes.values():
        of_kind[node.kind].append(node)
    calls, turns, cells, frames = (of_kind[kind] for kind in ("call", "turn", "cell", "frame"))
    of_root = {node.id for node in turns if not _in_child(view, node)}
    root, started, finished = next(iter(frames), None), view.started, view.finished
    remarks = (*(root.remarks if root else ()), *view.nodes[ev.RUN_SPAN].remarks)
    return RunFacts(
        turns=len(of_root),
        turns_with_code=len({node.parent for node in cells} & of_root),
        child_turns=len(turns) - len(of_root),
        cells=len(cells),
        failed_cells=sum(has_failed(node) for node in cells),
        sub_calls=sum(not is_reply(node) for node in calls),
        failed_calls=sum(map(has_failed, calls)),
        frames=len(frames) - (root is not None),
        refused_calls=sum(map(refused_calls, cells)),
        failed_frames=sum(has_failed(node) for node in frames if node is not root),
        searches=len(of_kind["search"]),
        findings=len(view.findings()),
        has_answer=view.answer is not None,
        how=view.answer.how if view.answer else "",
        context=root.started.context if root and isinstance(root.started, ev.FrameStarted) else {},
        versions=started.versions if started else {},
        parent_run=started.parent_run if started else None,
        error_kind=finished.error_kind if finished else None,
        remarks=remarks,
    )


def _frame(view: RunView, node: Node) -> FrameFacts:
    assert isinstance(node.started, ev.FrameStarted)
    done = node.finished if isinstance(node.finished, ev.FrameFinished) else None
    return FrameFacts(
        node.id,
        node.started.depth,
        node.started.strategy,
        passage(node.started.question),
        node.started.context,
        node.status,
        passage(done.reason) if done else NOTHING,
        node.started_at,
        node.elapsed_s(),
        sum(view.nodes[each].kind == "turn" for each in node.children),
        view.totals(node.id),
        _cell_around(view, node),
        node.started.options,
        passage(done.answer.text) if done and done.answer else NOTHING,
        done.answer.how if done and done.answer else "",
    )


def _turn(view: RunView, node: Node, deciding: Mapping[str, str]) -> TurnFacts:
    assert isinstance(node.started, ev.TurnStarted)
    children = [view.nodes[each] for each in node.children]
    reply = next((each for each in children if each.kind == "call" and is_reply(each)), None)
    refused = node.finished.refused if isinstance(node.finished, ev.TurnFinished) else None
    frame = view.nodes.get(node.parent or "")
    return TurnFacts(
        node.id,
        node.started.number,
        sum(view.nodes[each].kind == "turn" for each in frame.children) if frame else 1,
        reply.status if reply and reply.status not in ("ok", "running") else node.status,
        call_facts(view, reply, deciding) if reply else None,
        tuple(_cell_ref(view, each) for each in children if each.kind == "cell"),
        passage(refused),
        node.started_at,
        node.elapsed_s(),
        view.totals(node.id),
        _in_child(view, node),
    )


def _cell(view: RunView, node: Node, deciding: Mapping[str, str]) -> CellFacts:
    assert isinstance(node.started, ev.CellStarted)
    done = node.finished if isinstance(node.finished, ev.CellFinished) else None
    children = [view.nodes[each] for each in node.children]
    calls = [each for each in children if each.kind == "call"]
    turn = view.nodes.get(node.parent or "")
    return CellFacts(
        node.id,
        cell_numbers(view)[node.id],
        turn.id if turn else None,
        turn.started.number if turn and isinstance(turn.started, ev.TurnStarted) else None,
        node.status,
        passage(node.started.code),
        passage(done.output) if done else NOTHING,
        done.output_chars if done else 0,
        passage(done.error) if done else NOTHING,
        done.variables if done else (),
        done.replaced if done else 0,
        node.started_at,
        node.elapsed_s(),
        len(calls),
        sum(map(has_failed, calls)),
        sum(each.status == "running" for each in calls),
        sum(each.kind == "frame" for each in children),
        view.totals(node.id),
        tuple(_findings(view, children, deciding)),
        _reply_from_before(view, turn) if turn else None,
        next((each for each in node.remarks if isinstance(each, ev.ReplayDiverged)), None),
        refused_calls(node),
        _in_child(view, node),
    )


def _reply_from_before(view: RunView, turn: Node) -> ev.Replayed | None:
    """Where what the model says in a turn is from, if it was not said in this run."""
    replies = [node.finished for each in turn.children if is_reply(node := view.nodes[each])]
    return next((each.replayed for each in replies if isinstance(each, ev.CallFinished) and each.replayed), None)


def call_facts(view: RunView, node: Node, deciding: Mapping[str, str] = NONE) -> CallFacts:
    assert isinstance(node.started, ev.CallStarted)
    done = node.finished if isinstance(node.finished, ev.CallFinished) else None
    among = siblings(view, node)
    decided = [view.nodes[finding] for finding, call in deciding.items() if call == node.id and finding in view.nodes]
    return CallFacts(
        node.id,
        node.started.role,
        node.started.model,
        node.status,
        tuple(Said(message.role, passage(message.text)) for message in view.prompt(node.id)),
        len(node.started.messages),
        passage(done.text) if done else NOTHING,
        passage(done.error) if done else NOTHING,
        done.error_kind if done else None,
        node.started_at,
        node.elapsed_s(),
        done.attempts if done else None,
        done.maybe_paid if done else False,
        done.finish_reason if done else None,
        done.usage if done else None,
        done.cost_usd if done else None,
        done.cost_source if done else None,
        node.started.params,
        among.index(node.id) + 1,
        len(among),
        _cell_around(view, node),
        tuple(_findings(view, decided, deciding)),
        done.replayed if done else None,
        done.retries if done else (),
        _in_child(view, node),
    )


def _search(view: RunView, node: Node) -> SearchFacts:
    assert isinstance(node.started, ev.Searched)
    return SearchFacts(node.id, passage(node.started.query), node.started.hits, _cell_around(view, node))


def findings_of(view: RunView, deciding: Mapping[str, str] = NONE) -> list[FindingFacts]:
    """The findings that stand, in order."""
    return list(_findings(view, [view.nodes[span] for span, _, _ in view.findings()], deciding))


def _findings(view: RunView, nodes: Sequence[Node], deciding: Mapping[str, str]) -> Iterator[FindingFacts]:
    recorded = [(node, node.started.finding) for node in nodes if isinstance(node.started, ev.FindingRecorded)]
    if not recorded:  # what follows goes through the whole run
        return
    standing = {span for span, _, _ in view.findings()}
    earlier = earlier_labels(finding for _, finding, _ in view.findings(corrected=True))
    numbers = cell_numbers(view)
    for node, finding in recorded:
        cell = view.nodes.get(node.parent or "")
        yield FindingFacts(
            *texts_of(finding),
            view.verdicts.get(node.id),
            earlier.get(str(finding.item), ()),
            node.id,
            CellRef(cell.id, numbers[cell.id]) if cell and cell.kind == "cell" else None,
            deciding.get(node.id),
            node.id in standing,
        )


def _in_child(view: RunView, node: Node) -> bool:
    frame = view.nodes.get(view.frame_of(node.id))
    return frame is not None and frame.kind == "frame" and frame.parent != ev.RUN_SPAN


def _cell_around(view: RunView, node: Node) -> CellRef | None:
    cell = view.nodes.get(node.parent or "")
    return _cell_ref(view, cell) if cell is not None and cell.kind == "cell" else None


def _cell_ref(view: RunView, cell: Node) -> CellRef:
    assert isinstance(cell.started, ev.CellStarted)
    error = cell.finished.error if isinstance(cell.finished, ev.CellFinished) else None
    return CellRef(cell.id, cell_numbers(view)[cell.id], passage(cell.started.code), passage(error))
