"""Rules on what models were shown: too much at once, too little, cut, or in pieces that belong together."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping

from rlm_core import events as ev
from rlm_core.diagnose.material import Material, Steps
from rlm_core.diagnose.remedies import ask_again
from rlm_core.diagnose.symptoms import ChangeModel, LookAt, Symptom, quoted
from rlm_core.errors import TaskError
from rlm_core.evidence.reach import CUT, has_window
from rlm_core.evidence.split_items import split_items
from rlm_core.shown import shown
from rlm_core.view import Node
from rlm_core.wording import exact, read_apart, share


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


RESENT_CHARS = 500_000
ITEM_CHARS, ITEMS_LOOKED_FOR, LEAST_ITEMS, LEAST_CALLS = 40, 500, 3, 5
MAX_PROMPTS = 2_000
RELATING = _words(
    """
    after again back before between both earliest earlier final finally first last later latest longest never often once
    repeated reopened return returned since still total twice until while
    """
)
"""Words of a question for which what lies apart may have to be seen together."""
HEADING_CHARS = 60
UNSEEN_SHARE = 0.5
_ENTRY = re.compile(r"[\s,;|:]+")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
REFUSED = frozenset({"overflow", TaskError.__name__})
"""How a run failed that a frame refused, or its model."""


def printed_too_much(run: Material) -> Iterator[Symptom]:
    """A cell printed so much into its model's conversation that this outgrew the window, or was sent anew many times over.

    Evidence: the characters that the model was shown of the output, times the replies that followed; the call that no longer
    fitted. How it errs: the window may have been filled by many outputs, of which the largest is named.
    """
    for steps in run.frames:
        cells = [(run.shown_chars(cell), cell) for cell in steps.cells()]
        if not cells:
            continue
        chars, cell = max(cells, key=lambda each: each[0])
        after = sum(turn.reply is not None and turn.node.started_seq > cell.started_seq for turn in steps.turns)
        burst = next((turn.reply for turn in steps.turns if turn.reply and _outgrew(turn.reply)), None)
        if burst is None and (chars * after < RESENT_CHARS or not run.is_ours):
            continue
        why = (
            "and the conversation outgrew the model's window" if burst else f"and sent again in {exact(after, 'turn')}"
        )
        evidence = [quoted(cell.id, run.output(cell))]
        evidence += [quoted(burst.id, run.error(burst))] if burst else []
        yield Symptom(
            "may change the answer" if burst else "wasted time or money",
            cell.id,
            f"{chars:,} characters were printed into the conversation at once, {why}.",
            tuple(evidence),
            ask_again(run, steps, cell.id, "Do not print whole documents. Print a few lines, or ask helpers to read."),
        )


def _outgrew(call: Node) -> bool:
    return isinstance(call.finished, ev.CallFinished) and call.finished.error_kind == "overflow"


def answered_from_cut_output(run: Material) -> Iterator[Symptom]:
    """The answer was read off an output of which the model was shown only the beginning and the end.

    Evidence: the output with its true length; that the answer came right after it in plain words, with a number that no output
    shows, and so was counted by eye. How it errs: what was cut may not have mattered. Only runs of ours say how much was shown.
    """
    for steps in run.frames:
        cells = list(steps.cells())
        working = [at for at, each in enumerate(cells) if not run.code(each).hands_over or run.output(each).strip()]
        if not run.has_answered(steps) or not run.is_ours or not working:
            continue
        cell, numbers = cells[working[-1]], set(_NUMBER.findall(run.answer_of(steps)))
        missing = run.output_chars(cell) - run.shown_chars(cell)
        closing = [run.code(each) for each in cells[working[-1] + 1 :]]
        if (
            missing <= 0
            or any(each.read - {"answer", "FINAL", "SUBMIT"} for each in closing)
            or not _follows(steps, cell)
        ):
            continue
        seen = set(_NUMBER.findall(shown(run.output(cell), run.shown_chars(cell))))
        seen |= {number for each in cells if each is not cell for number in _NUMBER.findall(run.output(each))}
        if numbers - seen:
            yield Symptom(
                "may change the answer",
                cell.id,
                f"The answer was read off an output of which {missing:,} characters were not shown.",
                (quoted(cell.id, run.output(cell)), quoted(steps.turns[-1].node.id, run.answer_of(steps))),
                ask_again(run, steps, cell.id, "Print less at a time: what is cut out of an output you have not read."),
            )


def _follows(steps: Steps, cell: Node) -> bool:
    """Whether the answer came in the turn right after the cell's."""
    return len(steps.turns) > 1 and any(each is cell for each in steps.turns[-2].cells)


def records_read_apart(run: Material) -> Iterator[Symptom]:
    """The parts of many items were sent to different calls, and no prompt and no output held all parts of one.

    Evidence: lines that are an item's heading, such as `Room A12`, with other text below them, in the prompts of one cell. At
    least half of the recorded items must be so. How it errs: where each part decides for itself, nothing is lost; so it is
    good to know only, where no word of the question tells of an order. An item that nobody recorded is not seen.
    """
    names = {run.text(finding.item).strip() for _, finding, _ in run.findings[:ITEMS_LOOKED_FOR]}
    spelled = {each.casefold(): each for each in sorted(names) if 0 < len(each) <= ITEM_CHARS}
    items = spelled.keys()
    if len(items) < LEAST_ITEMS:
        return
    for steps in run.frames:
        asked = [call for cell in steps.cells() for call in run.calls_of(cell) if call.status == "ok"][:MAX_PROMPTS]
        told = {each.id: _parts(run.asked(each), items) for each in asked}
        told |= {cell.id: _parts(run.output(cell), items) for cell in steps.cells()}
        most = {item: max(len(each.get(item, ())) for each in told.values()) for item in items} if told else {}
        for cell in steps.cells():
            calls = [each for each in run.calls_of(cell) if each.id in told]
            if len(calls) < LEAST_CALLS:
                continue
            parts: dict[str, set[str]] = defaultdict(set)
            spread: dict[str, list[Node]] = defaultdict(list)
            for call in calls:
                for item, found in told[call.id].items():
                    parts[item] |= found
                    spread[item].append(call)
            apart = [each for each in sorted(parts) if len(spread[each]) > 1 and most[each] < len(parts[each])]
            if 2 * len(apart) < len(items) or len(apart) < LEAST_ITEMS:
                continue
            item = max(apart, key=lambda each: len(parts[each]))
            relates = RELATING & set(re.findall(r"\w+", run.text(steps.started.question).casefold()))
            yield Symptom(
                "may change the answer" if relates else "good to know",
                cell.id,
                f"{len(apart)} of {len(items)} items were cut into parts for different calls, "
                f"{spelled[item]} into {len(parts[item])}.",
                tuple(quoted(each.id, next(iter(told[each.id][item]))) for each in spread[item][:3]),
                ask_again(
                    run,
                    steps,
                    cell.id,
                    "Put all parts of one item together before you ask: they decide only in one view.",
                ),
            )
            break


def entries_read_apart(run: Material) -> Iterator[Symptom]:
    """Items with several quoted entries, each shown to a model, and no model was shown all of them (`evidence/split_items.py`).

    Evidence: the entries with the calls that were shown them. It may change the answer where the entries were recorded with
    labels that differ, for then readers did not agree. How it errs: entries may each decide for themselves.
    """
    if run.coverage is None:
        return
    for each in split_items(run.view, run.coverage, run.numbers, run.passage_text):
        findings = [span for entry in each.entries for span in entry.findings]
        labels = {run.label(span) for span in findings}
        yield Symptom(
            "may change the answer" if len(labels) > 1 else "good to know",
            findings[0],
            f"{each.item[:80]}: {read_apart(len(each.entries), len(each.calls), len(each.frames))}.",
            tuple(quoted(entry.findings[0], run.quote(entry.findings[0])) for entry in each.entries[:3]),
            LookAt(findings[0]),
        )


def _parts(text: str, items: Collection[str]) -> Mapping[str, set[str]]:
    """By item, its lines: one that is its heading, with the line below; and one that begins with it, as a row does."""
    lines = [each.strip() for each in text.splitlines()]
    found: dict[str, set[str]] = defaultdict(set)
    for line, below in itertools.pairwise([*lines, ""]):
        if 0 < len(line) <= HEADING_CHARS and below:
            heading = line.strip(" #*:-=").casefold()
            for name in (heading, heading.partition(" ")[2]):
                if name in items:
                    found[name].add(f"{line} / {below}")
        if len(words := _ENTRY.split(line[:ITEM_CHARS].casefold(), 3)) > 2:
            for name in words[:2]:
                if name in items and any(map(str.isdigit, name)):
                    found[name].add(line)
    return found


def beyond_the_window(run: Material) -> Iterator[Symptom]:
    """A strategy that puts the archive into the prompt could not show its model all of it.

    Evidence: the run's own note of what was cut, or the call that did not fit. How it errs: what was not shown may not matter.
    """
    frame = next((each for each in run.view.nodes.values() if each.kind == "frame"), None)
    if not has_window(run.view) or frame is None:
        return
    ended = run.view.finished
    notes = [run.text(each.text) for each in frame.remarks if isinstance(each, ev.Noted) and each.topic == CUT]
    if notes:
        says, words = "The archive was cut to fit the model's window.", notes[0]
    elif ended and ended.error_kind in REFUSED:
        says, words = "The archive does not fit the model's window, so nothing of it was asked.", run.text(ended.reason)
    else:
        return
    yield Symptom("may change the answer", frame.id, says, (quoted(frame.id, words),), ChangeModel("root"))


def much_was_never_shown(run: Material) -> Iterator[Symptom]:
    """No model was shown a large part of the archive.

    Evidence: the characters that prompts and outputs held. How it errs: code reads what no model is shown, and rightly so where
    the question is one for code. So it is told only of runs that have helpers read, and never more than good to know.
    """
    seen = run.coverage.share if run.coverage else None
    asked = sum(len(run.calls_of(cell)) for steps in run.frames for cell in steps.cells())
    if seen is not None and run.coverage and 1 - seen >= UNSEEN_SHARE and asked >= LEAST_CALLS:
        chars = run.coverage.chars - run.coverage.chars_shown
        root = ev.RUN_SPAN
        yield Symptom(
            "good to know",
            root,
            f"{share(1 - seen, 1)} of the archive was never shown to a model.",
            (quoted(root, f"{chars:,} of {run.coverage.chars:,} characters"),),
            LookAt(root),
        )
