"""A run in sentences while it happens: what began, what ended, and what it has used so far.

Pure: from a growing view to lines of text. It says the first failure of a cell's helpers and counts the rest, so that a
thousand calls stay a few lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rlm_core import events as ev
from rlm_core.lineage import replayed_calls
from rlm_core.plain import plain_line
from rlm_core.task import DEMO_MODEL
from rlm_core.view import Node, RunView, Totals, own_totals
from rlm_core.wording import count, exact, money, seconds

STOPPED = ("cancelled", "interrupted")
"""Statuses of calls that did not fail: they were stopped with their run."""

REPLAYED = "replayed"
WENT_WELL = ("ok", REPLAYED)
_NAMES = {"t": "turn", "c": "cell", "k": "call", "f": "frame", "r": "finding", "s": "search"}


def spelled(span: str) -> str:
    """A span in words: `f1.t2.c1` is `turn 2, cell 1`; the root frame goes without saying."""
    words = [f"{_NAMES.get(part[:1], part[:1])} {part[1:]}" for part in span.split(".")[1:]]
    return ", ".join(words) or ("the run" if span == ev.RUN_SPAN else "root frame")


class Narrator:
    """Follows one view. `news` takes time proportional to what is new, not to the size of the run."""

    def __init__(self) -> None:
        self._open: dict[str, Node] = {}
        self._last_node: str | None = None
        self._done = Totals()
        self._helpers: dict[str, Counter[str]] = {}
        """Finished helper calls by status, for each cell that has asked some; those of an earlier run as `replayed`."""
        self._goes_on = False

    @property
    def in_flight(self) -> int:
        """Calls that were sent and have not come back."""
        return sum(node.kind == "call" for node in self._open.values())

    def news(self, view: RunView) -> list[tuple[str, str]]:
        """What is worth saying of the events since the last time, in their order, each with what was used by then."""
        began = view.nodes[ev.RUN_SPAN].started_at if ev.RUN_SPAN in view.nodes else 0.0
        new = self._new_nodes(view)
        moments = [(node.started_at, False, node) for node in new]
        for node in (*self._open.values(), *new):
            if node.status != "running":
                moments.append((node.started_at if node.finished_at is None else node.finished_at, True, node))
        told = []
        for at, ended, node in sorted(moments, key=lambda moment: moment[:2]):
            said = self._ended(node) if ended else self._began(node)
            if said:
                told.append((said, self.used(at - began)))
        return told

    def used(self, elapsed_s: float | None) -> str:
        """Calls, cost and time. What a call on its way will cost is unknown, unless it is the demo model's."""
        unknown = sum(
            isinstance(each.started, ev.CallStarted) and each.started.model != DEMO_MODEL
            for each in self._open.values()
        )
        cost = _cost(self._done + Totals(calls_without_cost=unknown))
        flying = f" ({self.in_flight:,} in flight)" if self.in_flight else ""
        return f"{exact(self._done.calls + self.in_flight, 'call')}{flying} · {cost} · {seconds(elapsed_s)}"

    def _new_nodes(self, view: RunView) -> list[Node]:
        new: list[Node] = []
        for node in reversed(view.nodes.values()):
            if node.id == self._last_node:
                break
            new.append(node)
        if new:
            self._last_node = new[0].id
        return new[::-1]

    def _began(self, node: Node) -> str | None:
        self._open[node.id] = node
        return self._of_started(node)

    def _ended(self, node: Node) -> str | None:
        self._open.pop(node.id, None)
        self._done += own_totals(node)
        return self._of_finished(node)

    def _of_started(self, node: Node) -> str | None:
        body, where = node.started, spelled(node.id)
        if isinstance(body, ev.RunStarted):
            self._goes_on = body.origin is not None
        if isinstance(body, ev.TurnStarted):  # of a run that goes on from another one, only its reply says who gave it
            return None if self._goes_on else f"{where}: the model is asked"
        if isinstance(body, ev.CellStarted):
            return f"{where}: runs {exact(len(body.code.strip().splitlines()), 'line')} of code"
        if isinstance(body, ev.CallStarted) and body.role == "sub" and node.parent:
            first = node.parent not in self._helpers
            self._helpers.setdefault(node.parent, Counter())
            if first or body.index == 0:
                many = exact(body.batch, "helper call") if body.batch else "a helper call"
                return f"{spelled(node.parent)}: makes {many} of {plain_line(body.model, 60)}"
        return None

    def _of_finished(self, node: Node) -> str | None:
        body, where = node.finished, spelled(node.id)
        if isinstance(body, ev.CallFinished):
            return self._of_call(node, body)
        if isinstance(body, ev.TurnFinished) and body.refused:
            return f"{where}: the answer is sent back. {plain_line(body.refused, 160)}"
        if isinstance(body, ev.CellFinished):
            asked = self._helpers.get(node.id, Counter())
            replayed = f"{asked[REPLAYED]:,} of them replayed" if asked[REPLAYED] else ""
            counts = (
                [exact(asked.total(), "helper call"), replayed, _lost(asked.elements(), " of them")] if asked else []
            )
            helpers = "".join(f", {each}" for each in counts if each)
            error = f": {plain_line((body.error or '').strip().rpartition(chr(10))[2], 120)}" if body.error else ""
            return f"{where}: {body.status}{helpers}, printed {exact(body.output_chars, 'character')}{error}"
        if isinstance(body, ev.FrameFinished):
            limits = [each for each in node.remarks if isinstance(each, ev.LimitReached)]
            return (
                "; ".join(f"{where}: the limit {each.limit} = {each.allowed:g} was reached" for each in limits) or None
            )
        return None

    def _of_call(self, node: Node, body: ev.CallFinished) -> str | None:
        if self._goes_on and isinstance(node.started, ev.CallStarted) and node.started.role == "root":
            said = _who_replied(body)
            if said:
                return f"{spelled(node.parent or node.id)}: {said}"
        known = self._helpers.get(node.parent or "", Counter())
        told = any(status not in WENT_WELL for status in known)
        known[REPLAYED if body.replayed and body.status == "ok" else body.status] += 1
        if body.status == "ok" or told:
            return None
        return f"{spelled(node.id)}: {body.status}. {plain_line(body.error or '', 200)}"


def summary(view: RunView) -> str:
    """The run in one line, once it has ended."""
    totals = view.totals()
    replayed = len(replayed_calls(view))
    said = [f"{replayed:,} replayed"] if replayed else []
    lost = _lost(node.status for node in view.nodes.values() if node.kind == "call")
    lost = f" ({', '.join([*said, *([lost] if lost else [])])})" if said or lost else ""
    elapsed = seconds(view.elapsed_s(view.last_at))
    return f"{exact(totals.calls, 'call')}{lost} · {_cost(totals)} · {_tokens(totals)} · {elapsed} · run {view.run}"


def _who_replied(body: ev.CallFinished) -> str:
    if body.status != "ok":
        return ""
    if body.replayed is None:
        return "the model was asked"
    return "runs code that a person wrote" if body.replayed.edited else f"replayed from {body.replayed.run}"


def _lost(statuses: Iterable[str], of_what: str = "") -> str:
    """`2 failed, 1 cancelled`: the calls that came to nothing."""
    counted = Counter(
        status if status in STOPPED else "failed" for status in statuses if status not in (*WENT_WELL, "running")
    )
    return ", ".join(f"{counted[each]:,}{of_what} {each}" for each in ("failed", *STOPPED) if counted[each])


def _cost(totals: Totals) -> str:
    said = money(totals.cost_usd, totals.calls_without_cost)
    return said if said.startswith(("$", "<")) else f"cost {said}"


def _tokens(totals: Totals) -> str:
    unknown = totals.calls_without_usage
    if unknown and not totals.input_tokens and not totals.output_tokens:
        return "tokens unknown"
    rest = f" + {exact(unknown, 'call')} unknown" if unknown else ""
    return f"{count(totals.input_tokens)} tokens in, {count(totals.output_tokens)} out{rest}"
