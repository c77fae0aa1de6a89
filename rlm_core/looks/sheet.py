"""A run on one sheet: what its page shows above its steps. Pure values, made of a `RunView` or of a job.

A run that was asked for and has not begun is a sheet too: `queued`.
"""

from __future__ import annotations

from dataclasses import dataclass

from rlm_core import events as ev
from rlm_core.errors import ReplayDiverged
from rlm_core.likeness import STOPPED
from rlm_core.passages import NOTHING, Passage, passage, short
from rlm_core.task import Finding, Limits, Origin, Task, earlier_labels
from rlm_core.view import RunView, Totals, refused_calls
from rlm_core.waiting import open_approval

ACTIVE = ("queued", "running")
NO_TOTALS = Totals()
SHIPPED = Limits()
OURS = "rlm-studio"
NOT_CHARGED = ("free", "journal")
"""Where the costs of calls are from that cost nothing here."""


@dataclass(frozen=True, slots=True)
class FindingRow:
    item: str
    label: str
    quote: str
    source: str
    note: str
    verdict: ev.QuoteChecked | None
    earlier: tuple[str, ...] = ()
    """Labels that the item was recorded with before, and that do not stand."""


@dataclass(frozen=True, slots=True)
class Sheet:
    id: str
    state: str
    """`queued`, `running`, or the outcome."""
    task: Task
    question: Passage
    started_at: float | None = None
    finished_at: float | None = None
    reason: str = ""
    answer: Passage = NOTHING
    totals: Totals = NO_TOTALS
    open_calls: int = 0
    refused_calls: int = 0
    """That a limit, or a person, refused: they were never made, and are not in `totals`."""
    cancelled_calls: int = 0
    """Of the failed calls of `totals`, those that were stopped with the run."""
    free: bool = False
    """No call costs anything: the demo model, a script, or replies from an earlier run."""
    calls_s: float = 0.0
    """Time of all calls that have ended, in sum."""
    turns: int = 0
    """Of all frames."""
    frames: int = 0
    documents: int | None = None
    chars: int | None = None
    findings: tuple[FindingRow, ...] = ()
    origin: Origin | None = None
    """The run that it goes on from, and how."""
    replayed_calls: int = 0
    diverged: bool = False
    """It failed because a replayed cell did something else than before."""
    approval: ev.ApprovalAsked | None = None
    """The batch that it waits with until a person has answered."""

    by_other_tool: bool = False
    """It was imported from another tool's log."""

    def knows_limit(self, name: str) -> bool:
        """Whether a limit was the run's: where another tool's log does not record it, the task holds the shipped one."""
        return not self.by_other_tool or getattr(self.task.limits, name) != getattr(SHIPPED, name)

    @property
    def active(self) -> bool:
        return self.state in ACTIVE


def queued_sheet(job: str, task: Task, origin: Origin | None = None) -> Sheet:
    return Sheet(job, "queued", task, passage(task.question), origin=origin)


def sheet_of(view: RunView, totals: Totals | None = None) -> Sheet:
    """The sheet of a run that has begun. `totals`: of the whole run, where somebody has them."""
    started, task = view.nodes[ev.RUN_SPAN], view.task
    assert view.run is not None
    assert task is not None
    versions = view.started.versions if view.started else {}
    context = next(
        (node.started.context for node in view.nodes.values() if isinstance(node.started, ev.FrameStarted)), {}
    )
    answer = view.answer
    waits = open_approval(view)
    ended = [(node, node.finished) for node in view.nodes.values() if isinstance(node.finished, ev.CallFinished)]
    return Sheet(
        id=view.run,
        state=view.outcome or "running",
        task=task,
        question=passage(task.question),
        started_at=started.started_at,
        finished_at=started.finished_at,
        reason=short(passage(view.finished.reason)) if view.finished else "",
        answer=passage(answer.text) if answer else NOTHING,
        totals=totals or view.totals(),
        open_calls=sum(node.kind == "call" for node in view.open_nodes()),
        refused_calls=sum(map(refused_calls, view.nodes.values())),
        cancelled_calls=sum(done.status in STOPPED for _, done in ended),
        free=bool(ended) and all(done.cost_source in NOT_CHARGED for _, done in ended),
        calls_s=sum(node.elapsed_s() or 0.0 for node, _ in ended),
        turns=sum(node.kind == "turn" for node in view.nodes.values()),
        frames=sum(node.kind == "frame" for node in view.nodes.values()),
        documents=context.get("documents"),
        chars=context.get("chars"),
        findings=tuple(_finding_rows(view)),
        origin=view.started.origin if view.started else None,
        replayed_calls=sum(done.replayed is not None for _, done in ended),
        diverged=view.finished is not None and view.finished.error_kind == ReplayDiverged.__name__,
        approval=waits[1] if waits else None,
        by_other_tool=bool(versions) and OURS not in versions,
    )


def _finding_rows(view: RunView) -> list[FindingRow]:
    earlier = earlier_labels(finding for _, finding, _ in view.findings(corrected=True))
    return [
        FindingRow(*texts_of(finding), verdict, earlier.get(str(finding.item), ()))
        for _, finding, verdict in view.findings()
    ]


def texts_of(finding: Finding) -> tuple[str, str, str, str, str]:
    """Item, label, quote, source and note, each of a length that a page takes."""
    item, label, quote, source, note = (
        short(passage(each)) for each in (finding.item, finding.label, finding.quote, finding.source, finding.note)
    )
    return item, label, quote, source, note
