"""A run as rules look at it: its frames with their turns, replies and cells in order, and texts that are loaded when one asks.

How much is loaded has a bound: beyond it a text is its first characters, and `incomplete` says so. Knows no rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rlm_core import events as ev
from rlm_core.diagnose.code import Code
from rlm_core.evidence.coverage import Coverage
from rlm_core.lineage import root_turn_of
from rlm_core.outline import is_reply
from rlm_core.passages import Passage, passage, short
from rlm_core.task import Finding, Json, Outcome
from rlm_core.view import Node, RunView

MAX_TEXT_CHARS = 1_000_000
"""So much of one text is looked at."""
MAX_LOADED_CHARS = 60_000_000
"""Of all long texts together."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a frame: the call that wrote it, as far as there was one, and its cells."""

    node: Node
    reply: Node | None
    cells: tuple[Node, ...]

    @property
    def refused(self) -> str:
        """Why its answer was sent back, if it was."""
        return (self.node.finished.refused or "") if isinstance(self.node.finished, ev.TurnFinished) else ""


@dataclass(frozen=True, slots=True)
class Steps:
    """A frame and its turns, in order, of which there is one at least."""

    frame: Node
    started: ev.FrameStarted
    turns: tuple[Turn, ...]

    @property
    def span(self) -> str:
        return self.frame.id

    @property
    def is_root(self) -> bool:
        return self.started.depth == 0

    def cells(self) -> Iterator[Node]:
        for turn in self.turns:
            yield from turn.cells


class Material:
    def __init__(
        self,
        view: RunView,
        whole: Callable[[Passage], str] = short,
        coverage: Coverage | None = None,
        numbers: Mapping[str, int] | None = None,
    ) -> None:
        """`whole` loads a long text of which the view holds the head. `coverage` is what the models were shown of the archive,
        with the numbers of its documents, where that is known."""
        self.view, self.coverage, self.numbers = view, coverage, numbers or {}
        self.incomplete = False
        self._whole = whole
        self._left_chars = MAX_LOADED_CHARS
        self._texts: dict[str, str] = {}
        self._codes: dict[str, Code] = {}

    @cached_property
    def frames(self) -> tuple[Steps, ...]:
        nodes = self.view.nodes.values()
        found = (
            Steps(node, node.started, tuple(self._turns(node)))
            for node in nodes
            if isinstance(node.started, ev.FrameStarted)
        )
        return tuple(each for each in found if each.turns)

    def _turns(self, frame: Node) -> Iterator[Turn]:
        for node in self._below(frame, "turn"):
            replies = [each for each in self._below(node, "call") if is_reply(each)]
            yield Turn(node, replies[0] if replies else None, tuple(self._below(node, "cell")))

    def _below(self, node: Node, kind: str) -> list[Node]:
        return [each for span in node.children if (each := self.view.nodes[span]).kind == kind]

    def calls_of(self, cell: Node) -> list[Node]:
        """The helpers' calls that a cell made."""
        return [each for each in self._below(cell, "call") if not is_reply(each)]

    def children_of(self, cell: Node) -> list[Node]:
        """The child frames that a cell made."""
        return self._below(cell, "frame")

    @cached_property
    def findings(self) -> list[tuple[str, Finding, ev.QuoteChecked | None]]:
        return self.view.findings()

    def turn_holding(self, steps: Steps, cell: Node | None) -> Turn:
        """The turn that a cell lies in; without one, the frame's last. A frame must have one."""
        return next((each for each in steps.turns if any(one is cell for one in each.cells)), steps.turns[-1])

    def turn_of(self, span: str) -> int | None:
        """The turn of the root frame that a node is, or lies in: where a fork could go another way."""
        return root_turn_of(span)

    def passage_text(self, text: Passage) -> str:
        """Of a text that is known as a passage, the same as `text`."""
        return self.text({"head": text.head, "chars": text.chars, "$text": text.sha} if text.sha else text.head)

    def quote(self, finding: str) -> str:
        """The quote of a finding, by its span."""
        recorded = self.view.nodes[finding].started
        return self.text(recorded.finding.quote) if isinstance(recorded, ev.FindingRecorded) else ""

    def label(self, finding: str) -> str:
        recorded = self.view.nodes[finding].started
        return self.text(recorded.finding.label) if isinstance(recorded, ev.FindingRecorded) else ""

    def text(self, value: object) -> str:
        """A text of an event, whole as far as the bounds go."""
        each = passage(value)
        if each.sha is None:
            return each.head[:MAX_TEXT_CHARS]
        if each.sha not in self._texts:
            if each.chars > self._left_chars:
                self.incomplete = True
                return each.head
            self._left_chars -= each.chars
            self._texts[each.sha] = self._whole(each)[:MAX_TEXT_CHARS]
        return self._texts[each.sha]

    def code(self, cell: Node) -> Code:
        if cell.id not in self._codes:
            text = self.text(cell.started.code) if isinstance(cell.started, ev.CellStarted) else ""
            self._codes[cell.id] = Code(text)
        return self._codes[cell.id]

    def output(self, cell: Node) -> str:
        return self.text(cell.finished.output) if isinstance(cell.finished, ev.CellFinished) else ""

    def error(self, node: Node) -> str:
        """How a cell or a call failed; empty where it did not."""
        return self.text(node.finished.error) if isinstance(node.finished, ev.CellFinished | ev.CallFinished) else ""

    def output_chars(self, cell: Node) -> int:
        """The true length of an output."""
        finished = cell.finished
        if not isinstance(finished, ev.CellFinished):
            return 0
        return max(finished.output_chars, passage(finished.output).chars)

    def shown_chars(self, cell: Node) -> int:
        """How much of an output the frame's model was shown at most; of runs of other tools, all that they recorded."""
        task = self.view.task
        chars = self.output_chars(cell)
        return min(chars, task.limits.shown_chars) if task and self.is_ours else chars

    @cached_property
    def is_ours(self) -> bool:
        """Whether the run was made here, so that its limits are those that held."""
        return bool(self.view.started and "rlm-studio" in self.view.started.versions)

    def variables(self, cell: Node) -> Sequence[Json]:
        """Variables that were new or changed after a cell."""
        return cell.finished.variables if isinstance(cell.finished, ev.CellFinished) else ()

    def said(self, call: Node | None) -> str:
        """What a model replied."""
        return self.text(call.finished.text) if call and isinstance(call.finished, ev.CallFinished) else ""

    def asked(self, call: Node) -> str:
        """The last message of a call."""
        messages = call.started.messages if isinstance(call.started, ev.CallStarted) else ()
        return self.text(messages[-1].text) if messages else ""

    def ended(self, steps: Steps) -> ev.RunFinished | ev.FrameFinished | None:
        """How a frame ended: the root as the run."""
        finished = self.view.finished if steps.is_root else steps.frame.finished
        return finished if isinstance(finished, ev.RunFinished | ev.FrameFinished) else None

    def answer_of(self, steps: Steps) -> str:
        """What a frame handed over; empty where it did not."""
        ended = self.ended(steps)
        return self.text(ended.answer.text).strip() if ended and ended.answer else ""

    def outcome_of(self, steps: Steps) -> Outcome | None:
        ended = self.ended(steps)
        return ended.outcome if ended else None

    def has_answered(self, steps: Steps) -> bool:
        """Whether it ended with an answer of its own, and not with the best one until a limit."""
        return self.outcome_of(steps) == "answered"
