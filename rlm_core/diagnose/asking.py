"""Rules on what helpers were asked: too little a call, too much of the same, over and over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import median

from rlm_core import events as ev
from rlm_core.diagnose.material import Material, Steps
from rlm_core.diagnose.prompts import MAX_CALLS_READ, cells_that_ask, own_lines
from rlm_core.diagnose.remedies import ask_again
from rlm_core.diagnose.symptoms import Severity, Symptom, quoted
from rlm_core.passages import passage
from rlm_core.template import template_of
from rlm_core.view import Node, refused_calls
from rlm_core.wording import exact

SAMPLED = 40
"""Prompts of one cell that are read, spread over all of them."""
MANY_CALLS, LINE_CHARS, MAX_TEMPLATE_CHARS = 60, 200, 2_000
SAME_CALLS, SAME_CHARS, SAME_SHARE, REPEATED_CHARS = 5, 8_000, 0.8, 300_000
REPEATS, REPEATS_SHARE, VOTES = 10, 0.3, 5
BATCH_CALLS, SAME_PIECES, PASSES = 5, 0.8, 2


def one_call_per_line(run: Material) -> Iterator[Symptom]:
    """A cell asked very many helpers about a single short line each.

    Evidence: what differs between its prompts, which is one line; how many calls there were, and how many a limit refused. How it
    errs: some lines need a call each, as where each is long to think about; a template of more than one text is not seen.
    """
    for steps, cell, calls in cells_that_ask(run, MANY_CALLS):
        prompts = _sample(run, calls)
        template = template_of(prompts)
        head, tail = (template.fixed[0], template.fixed[-1]) if template.fixed else ("", "")
        pieces = [each[len(head) : len(each) - len(tail)].strip() for each in prompts]
        if not template.fixed or template.chars > MAX_TEMPLATE_CHARS or median(map(len, pieces)) > LINE_CHARS:
            continue
        if sum("\n" in each for each in pieces) > len(pieces) // 20:
            continue
        yield Symptom(
            _grave(refused_calls(cell)),
            cell.id,
            f"{exact(len(calls), 'call')} were asked about one line each{_and_refused(cell)}.",
            tuple(
                quoted(call.id, prompt[len(head) :])
                for call, prompt in zip(_spread(calls)[:3], prompts[:3], strict=True)
            ),
            ask_again(
                run,
                steps,
                cell.id,
                "Put 20 to 100 lines into each prompt, number them, ask for one line of reply to each, and ask again for those "
                "that are missing. Keep together what has to be read together.",
            ),
        )


def _and_refused(cell: Node) -> str:
    refused = refused_calls(cell)
    return f", and a limit refused {refused:,} more" if refused else ""


def same_text_in_every_prompt(run: Material) -> Iterator[Symptom]:
    """The prompts of a cell are long, and nearly all of it stands in each of them.

    Evidence: the characters that all have in common, times the calls; how many a limit refused. How it errs: many questions on
    one text may need the text each time; so it has to be much text, sent often.
    """
    for steps, cell, calls in cells_that_ask(run, SAME_CALLS):
        sizes = [_chars(each) for each in calls]
        if median(sizes) < SAME_CHARS or SAME_SHARE * median(sizes) * len(calls) < REPEATED_CHARS:
            continue
        prompts = [run.asked(each) for each in _spread(calls, 6)]
        fixed = template_of(prompts).chars
        if fixed < SAME_SHARE * median(map(len, prompts)) or fixed * (len(calls) - 1) < REPEATED_CHARS:
            continue
        yield Symptom(
            _grave(refused_calls(cell)),
            cell.id,
            f"The same {fixed:,} characters were sent in each of {exact(len(calls), 'call')}{_and_refused(cell)}.",
            (quoted(calls[0].id, prompts[0]), quoted(calls[-1].id, prompts[-1])),
            ask_again(run, steps, cell.id, "Give each helper only the part of the archive that its question needs."),
        )


def same_prompt_many_times(run: Material) -> Iterator[Symptom]:
    """Helpers were asked the very same prompt many times, and replied.

    Evidence: how many calls of a frame repeat another one. How it errs: a vote asks the same on purpose; so where each prompt of
    a frame was asked equally often, up to five times, it is not named.
    """
    for steps in run.frames:
        calls = [
            call for cell in steps.cells() for call in run.calls_of(cell) if call.status == "ok" and not _was_free(call)
        ]
        often = Counter(_key(each) for each in calls)
        repeated = len(calls) - len(often)
        is_vote = len(set(often.values())) == 1 and max(often.values()) <= VOTES
        if repeated < REPEATS or repeated < REPEATS_SHARE * len(calls) or is_vote:
            continue
        most, count = often.most_common(1)[0]
        call = next(each for each in calls if _key(each) == most)
        yield Symptom(
            "wasted time or money",
            call.parent or steps.span,
            f"{repeated:,} of {exact(len(calls), 'call')} asked what had been asked before, word for word.",
            (quoted(call.id, f"{count:,} times: {run.asked(call)}"),),
            ask_again(run, steps, call.id, "Keep what helpers have answered, and do not ask the same prompt again."),
        )


def _key(call: Node) -> object:
    messages = call.started.messages if isinstance(call.started, ev.CallStarted) else ()
    return passage(messages[-1].text) if messages else call.id


def _was_free(call: Node) -> bool:
    """Whether its reply was not asked for again: replayed, or that of an equal prompt."""
    return isinstance(call.finished, ev.CallFinished) and (
        bool(call.finished.replayed) or call.finished.cost_source == "journal"
    )


def asked_again_and_again(run: Material) -> Iterator[Symptom]:
    """Helpers were asked about the same pieces in one turn after the other, at least three times over.

    Evidence: the lines of the prompts that are not common to a cell's prompts; the first cell that asked again. A second pass is
    care, and not named. How it errs: pieces cut in another way count as others; a vote of several passes is named, too.
    """
    for steps in run.frames:
        known: dict[int, str] = {}
        again: list[tuple[Node, int]] = []
        for cell, pieces in _pieces_by_cell(run, steps):
            same = sum(each in known for each in pieces)
            if len(pieces) >= BATCH_CALLS and same >= SAME_PIECES * len(pieces):
                again.append((cell, same))
            for each in pieces:
                known.setdefault(each, cell.id)
        if len(again) < PASSES or sum(same for _, same in again) < len(known):
            continue
        cell, same = again[0]
        stopped = run.outcome_of(steps) == "forced"
        times = f"in {len(again):,} later turns"
        yield Symptom(
            "may change the answer" if stopped else "wasted time or money",
            cell.id,
            f"What helpers had answered was asked again {times}{', until a limit ended the run' if stopped else ''}.",
            tuple(quoted(each.id, f"{count:,} pieces that had been asked about") for each, count in again[:5]),
            ask_again(
                run, steps, cell.id, "Do not ask again what helpers have answered. Answer with what you have recorded."
            ),
        )


def _grave(refused: int) -> Severity:
    return "may change the answer" if refused else "wasted time or money"


def _spread(calls: Sequence[Node], count: int = SAMPLED) -> list[Node]:
    step = max(1, len(calls) // count)
    return list(calls[::step][:count])


def _sample(run: Material, calls: Sequence[Node]) -> list[str]:
    return [run.asked(each) for each in _spread(calls)]


def _chars(call: Node) -> int:
    messages = call.started.messages if isinstance(call.started, ev.CallStarted) else ()
    return passage(messages[-1].text).chars if messages else 0


def _pieces_by_cell(run: Material, steps: Steps) -> Iterator[tuple[Node, list[int]]]:
    """For each cell that asked helpers, what each was asked about that replied: a hash of the lines that are its own."""
    left = MAX_CALLS_READ
    for cell in steps.cells():
        calls = [each for each in run.calls_of(cell) if each.status == "ok"][: max(0, left)]
        left -= len(calls)
        yield cell, [hash(tuple(lines)) for _, lines in own_lines(run, calls) if lines]
