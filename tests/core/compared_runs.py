"""Small runs to be laid side by side, and what the comparison says of them."""

from __future__ import annotations

from rlm_core import events as ev
from rlm_core.compare import Comparison, compare
from rlm_core.events import Event
from rlm_core.evidence.reach import Unseen
from rlm_core.headlines import headline
from rlm_core.task import Answer, Finding, Outcome, Task, Usage
from rlm_core.view import RunView, fold

QUESTION = "In which rooms did the leak come back?"
YES, NO, UNKNOWN = "yes", "no", "unknown"


def view(
    run: str = "r",
    findings: tuple[Finding, ...] | list[Finding] = (),
    answer: str | None = "2 rooms",
    outcome: Outcome | None = "answered",
    *,
    unseen: tuple[Unseen, ...] = (),
    place: tuple[str, int] | None = None,
    question: str = QUESTION,
    corpus: str = "c-1",
) -> RunView:
    """A run with a call, findings whose quotes stand at `place`, and an answer; without an outcome it is under way."""
    facts: list[tuple[str, str | None, ev.Body]] = [
        ("run", None, ev.RunStarted(Task(question, corpus, "base" if unseen else "rlm"))),
        ("f1", "run", ev.FrameStarted(0, "rlm", question, {"chars": 1000})),
    ]
    if unseen:
        parts = [{"document": part.document, "start": part.start, "end": part.end} for part in unseen]
        facts.append(("f1", "run", ev.Noted("context_cut", "cut", {"unseen": parts})))
    facts += [
        ("f1.k1", "f1", ev.CallStarted("root", "m", ())),
        ("f1.k1", "f1", ev.CallFinished("ok", "ok", Usage(10, 5), 0.25, "list")),
    ]
    document, start = place or ("a.txt", 0)
    for number, finding in enumerate(findings, 1):
        facts.append((f"f1.r{number}", "f1", ev.FindingRecorded(finding)))
        found = (
            ev.QuoteChecked("exact", document, start, start + 5, 7) if finding.quote else ev.QuoteChecked("no quote")
        )
        facts.append((f"f1.r{number}", "f1", found))
    if outcome:
        facts.append(("run", None, ev.RunFinished(outcome, Answer(answer) if answer is not None else None, "why")))
    return fold(Event(run, seq, 100.0 + seq, span, parent, body) for seq, (span, parent, body) in enumerate(facts))


def found(*items: tuple[str, str]) -> list[Finding]:
    return [Finding(item, label, f"{item} is wet") for item, label in items]


def statuses(comparison: Comparison) -> list[tuple[str, str]]:
    return [(item.name, item.status) for item in comparison.items]


def said(*views: RunView) -> tuple[str, list[str]]:
    found = headline(compare(views))
    return found.text, list(found.lead)
