"""A run as one JSON document: what it came to, what it was asked, and every node of its tree.

The nodes stand in the order of a walk from the run down, each with its parent and its distance from the run, and not within
each other: a log of others may be deeper than a parser goes. Unknown is `null`. What the run was shown and said is whole
as far as the view holds it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from rlm_core.event_json import body_to_dict
from rlm_core.exporters.result import result_of
from rlm_core.task import Json
from rlm_core.view import Node, RunView, own_totals


def whole_of(view: RunView, findings: Sequence[Json], archive: str | None = None) -> Json:
    """`result_of` a run with these findings (`findings.findings_of`), and `task, archive, started_at, nodes`."""
    started = view.nodes["run"].started_at if "run" in view.nodes else None
    return {
        **result_of(view),
        "findings": list(findings),
        "task": view.task.to_dict() if view.task else None,
        "archive": archive,
        "started_at": started,
        "nodes": [_node(node, depth) for node, depth in view.walk()],
    }


def to_json(whole: Json) -> str:
    return json.dumps(whole, indent=1)


def _node(node: Node, depth: int) -> Json:
    own = own_totals(node)
    is_call = node.kind == "call"
    return {
        "id": node.id,
        "parent": node.parent,
        "depth": depth,
        "kind": node.kind,
        "status": node.status,
        "started_at": node.started_at,
        "elapsed_s": node.elapsed_s(),
        "cost_usd": own.cost_usd if is_call and not own.calls_without_cost else None,
        "started": body_to_dict(node.started),
        "finished": body_to_dict(node.finished) if node.finished else None,
        "remarks": [{"kind": type(each).__name__, **body_to_dict(each)} for each in node.remarks],
    }
