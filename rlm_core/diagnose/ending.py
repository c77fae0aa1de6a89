"""Rules on how a frame ended and on what the answer rests: limits, lost children, findings without proof, counts, sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rlm_core import events as ev
from rlm_core.diagnose.material import Material
from rlm_core.diagnose.remedies import ask_again
from rlm_core.diagnose.symptoms import ChangeModel, LookAt, RaiseLimit, Symptom, quoted
from rlm_core.evidence.citations import mention
from rlm_core.task import PROVEN
from rlm_core.view import Node, refused_calls
from rlm_core.wording import exact, place, verdict

SAID = {"failed": "failed", "interrupted": "broke off, for its process died", "forced": "stopped before it was done"}
OF_THE_MODEL = frozenset({"unknown_model", "overflow", "bad_reply", "refused"})
"""Kinds of errors for which another model may be the remedy."""
UNPROVEN = frozenset({"not found", "conflict"})
MAX_ITEMS, MAX_ANSWER_CHARS = 2_000, 200_000


def stopped_by_a_limit(run: Material) -> Iterator[Symptom]:
    """A limit ended a frame before it was done, or refused calls that its code had asked for.

    Evidence: the limit, what was used, and the cell whose calls were refused first. How it errs: what was refused may not
    have been needed.
    """
    for steps in run.frames:
        limits = [each for each in steps.frame.remarks if isinstance(each, ev.LimitReached)]
        refusing = [(refused_calls(cell), cell) for cell in steps.cells() if refused_calls(cell)]
        if not limits or not (refusing or run.outcome_of(steps) == "forced"):
            continue
        limit = limits[0]
        refused, cell = refusing[0] if refusing else (0, steps.turns[-1].node)
        what = f"{refused:,} calls of this cell were refused" if refused else "the answer is the best until then"
        yield Symptom(
            "may change the answer",
            cell.id,
            f"The limit {limit.limit} = {limit.allowed:g} was reached, and {what}.",
            (quoted(steps.span, f"{limit.limit}: {limit.used:g} of {limit.allowed:g} used"),),
            RaiseLimit(limit.limit, _enough(limit, refused), run.turn_of(cell.id)),
        )


def _enough(limit: ev.LimitReached, refused: int) -> float:
    """Twice as much, and all the calls that were refused."""
    return 2 * limit.allowed + (refused if limit.limit == "max_calls" else 0)


def broke_off(run: Material) -> Iterator[Symptom]:
    """The run failed, died or gave up without a limit that it has recorded.

    Evidence: its reason, and the last call or cell that failed. How it errs: what failed last need not be the cause.
    """
    ended = run.view.finished
    root = next((each for each in run.frames if each.is_root), None)
    if ended is None or ended.outcome not in ("failed", "interrupted", "forced"):
        return
    if root and any(isinstance(each, ev.LimitReached) for each in root.frame.remarks):
        return
    failed = [each for each in run.view.nodes.values() if each.kind in ("call", "cell") and each.failed]
    last = failed[-1] if failed and ended.outcome != "forced" else None
    span = last.id if last else root.turns[-1].node.id if root else ev.RUN_SPAN
    reason = run.text(ended.reason) or "No reason was recorded."
    error = (quoted(last.id, run.error(last) or last.status),) if last else ()
    yield Symptom(
        "may change the answer",
        span,
        f"The run {SAID[ended.outcome]}.",
        (quoted(ev.RUN_SPAN, reason), *error),
        ChangeModel("root", run.turn_of(span)) if ended.error_kind in OF_THE_MODEL else LookAt(span),
    )


def lost_children(run: Material) -> Iterator[Symptom]:
    """A child frame failed, and its question was not asked again before the parent answered.

    Evidence: how the child ended. A child counts as asked again where a later one with the same question, or the same key, has an
    answer. How it errs: what is asked again in other words is not seen; so where any other helper was asked later on, it is
    good to know.
    """
    for steps in run.frames:
        if not run.has_answered(steps):
            continue
        children = [each for cell in steps.cells() for each in run.children_of(cell)]
        answered = {_question(run, each) for each in children if each.status in ("answered", "forced")}
        lost = [each for each in children if each.failed and _question(run, each) not in answered]
        if lost:
            ended = lost[0].finished_seq or lost[0].started_seq
            asked = [each for cell in steps.cells() for each in (*run.calls_of(cell), *run.children_of(cell))]
            spans = {each.id for each in lost}
            later = any(each.started_seq > ended and each.id not in spans for each in asked)
            yield Symptom(
                "good to know" if later else "may change the answer",
                lost[0].id,
                f"{len(lost)} of {exact(len(children), 'helper')} with a session did not finish and were not asked again.",
                tuple(quoted(each.id, _why(run, each)) for each in lost[:3]),
                ask_again(run, steps, lost[0].id, "Ask those helpers again that did not finish, before you answer."),
            )


def _question(run: Material, child: Node) -> str:
    started = child.started
    return run.text(started.question) if isinstance(started, ev.FrameStarted) else ""


def _why(run: Material, child: Node) -> str:
    ended = child.finished
    return run.text(ended.reason) or ended.outcome if isinstance(ended, ev.FrameFinished) else "It never ended."


def quotes_that_do_not_stand(run: Material) -> Iterator[Symptom]:
    """The answer names items whose quotes are not in the archive, or stand there with another deciding word.

    Evidence: the quote, and what became of looking for it. How it errs: an item may be named in the answer as one that does not
    count; a quote may be right and put in other words.
    """
    answer = run.text(run.view.answer.text)[:MAX_ANSWER_CHARS] if run.view.answer else ""
    for span, finding, checked in run.findings[:MAX_ITEMS] if answer else ():
        item = run.text(finding.item)
        if checked is None or checked.verdict not in UNPROVEN or mention(item, answer) is None:
            continue
        where = f" ({place(checked.document, checked.line)})" if checked.document else ""
        yield Symptom(
            "may change the answer",
            span,
            f"The answer names {item[:80]}, whose quote does not stand in the archive: {verdict(checked.verdict)}{where}.",
            (quoted(span, run.text(finding.quote)),),
            LookAt(span),
        )


def decided_twice(run: Material) -> Iterator[Symptom]:
    """Items were recorded with one label and then with another.

    Evidence: the labels in order. How it errs: a correction is what one wants; so it is never more than good to know.
    """
    given: dict[str, list[tuple[str, str]]] = {}
    for span, finding, _ in run.view.findings(corrected=True):
        given.setdefault(run.text(finding.item), []).append((span, run.text(finding.label)))
    for item, labels in given.items():
        if len({label for _, label in labels}) > 1:
            span = labels[-1][0]
            yield Symptom(
                "good to know",
                span,
                f"{item[:80]} was recorded as {', then '.join(dict.fromkeys(label[:30] for _, label in labels))}.",
                tuple(quoted(each, label) for each, label in labels[:3]),
                LookAt(span),
            )


def findings_without_proof(run: Material) -> Iterator[Symptom]:
    """Recorded findings have no quote that proves them.

    Evidence: what became of their quotes, counted. How it errs: not every question needs quotes; so it is good to know.
    """
    doubted = [
        (span, checked.verdict if checked else None) for span, _, checked in run.findings if not _is_proven(checked)
    ]
    if doubted:
        counted = Counter(verdict(each) for _, each in doubted)
        yield Symptom(
            "good to know",
            doubted[0][0],
            f"No proven quote: {len(doubted):,} of {exact(len(run.findings), 'finding')}.",
            (quoted(doubted[0][0], ", ".join(f"{count:,} {said}" for said, count in counted.most_common())),),
            LookAt(doubted[0][0]),
        )


def _is_proven(checked: ev.QuoteChecked | None) -> bool:
    return checked is not None and checked.verdict in PROVEN
