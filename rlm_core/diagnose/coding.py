"""Rules on code: work that failed and was not done again, errors in a row, words in the place of reading."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from rlm_core.diagnose.keywords import keywords
from rlm_core.diagnose.material import Material, Steps
from rlm_core.diagnose.remedies import ask_again
from rlm_core.diagnose.symptoms import ChangeModel, Symptom, quoted
from rlm_core.view import Node
from rlm_core.wording import share


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ERRORS_IN_A_ROW, SYNTAX_ERRORS, SAME_CELLS = 4, 3, 3
SHOWN_SHARE = 0.6
"""Of an archive of which so much was shown, words have not decided alone."""
STRUCTURE = _words(
    """
    jan feb mar apr may jun jul aug sep sept oct nov dec january february march april june july august september october
    november december mon tue wed thu fri sat sun monday tuesday wednesday thursday friday saturday sunday yes no unknown
    true false none null from to subject date get post put delete head error warning info debug
    """
)
"""Words that name a form, a label or a level, and are no guess at how people put things."""
_LEFT_OUT = re.compile(
    r"\b(?:left out|leav(?:e|es|ing) out|dropped|excluded|skipped|filtered out|not asked about)\b", re.I
)
MAX_OUTPUT_CHARS = 100_000


def failed_work_not_done_again(run: Material) -> Iterator[Symptom]:
    """The last cell before the one that answered failed, and the answer was made of what it was to fill or change.

    Evidence: the error, and the names that the answering cell reads, which the failed cell was to give something and did not. How
    it errs: only the last cell of work counts; what a function was to change under another name is not seen.
    """
    for steps in run.frames:
        cells = list(steps.cells())
        if (
            not run.has_answered(steps)
            or len(cells) < 2
            or cells[-2].status == "ok"
            or not run.code(cells[-1]).hands_over
        ):
            continue
        failed, last = cells[-2], run.code(cells[-1])
        changed = {run.text(each.get("name")) for each in run.variables(failed)}
        lost = run.code(failed).filled & last.read - changed - last.assigned
        if lost and not last.works:
            yield Symptom(
                "may change the answer",
                failed.id,
                f"This cell failed and was not mended; the answer was made of {', '.join(sorted(lost)[:5])} as it was before.",
                (quoted(failed.id, _last_line(run.error(failed))), quoted(cells[-1].id, last.text)),
                ask_again(
                    run, steps, failed.id, "A cell that failed has done nothing: mend it and run it before you answer."
                ),
            )


def errors_in_a_row(run: Material) -> Iterator[Symptom]:
    """Several cells of a frame failed one after the other.

    Evidence: their errors. How it errs: a hard piece of code may take some tries; so there must be four, or three that are no
    Python at all.
    """
    for steps in run.frames:
        row: list[Node] = []
        for cell in [*steps.cells(), None]:
            if cell is not None and cell.failed and cell.status not in ("cancelled", "interrupted"):
                row.append(cell)
                continue
            no_python = sum("SyntaxError" in run.error(each) for each in row)
            if len(row) >= ERRORS_IN_A_ROW or no_python >= SYNTAX_ERRORS:
                yield Symptom(
                    "wasted time or money",
                    row[0].id,
                    f"{len(row)} cells failed one after the other.",
                    tuple(quoted(each.id, _last_line(run.error(each))) for each in row[:3]),
                    ChangeModel("root", run.turn_of(row[0].id)),
                )
            row = []


def same_cell_again(run: Material) -> Iterator[Symptom]:
    """The same code ran in several turns, one after the other, and printed the same.

    Evidence: the code, and how often. How it errs: code that waits for something would look so; there is nothing to wait for.
    """
    for steps in run.frames:
        row: list[Node] = []
        for cell in [*steps.cells(), None]:
            if cell is not None and (not row or _does_the_same(run, row[-1], cell)):
                row.append(cell)
                continue
            if len(row) >= SAME_CELLS:
                yield Symptom(
                    "wasted time or money",
                    row[1].id,
                    f"The same cell ran {len(row)} times, and printed the same each time.",
                    (quoted(row[1].id, run.code(row[1]).text),),
                    ask_again(run, steps, row[1].id, "This cell has run already. Go on with what it printed."),
                )
            row = [cell] if cell is not None else []


def _does_the_same(run: Material, one: Node, other: Node) -> bool:
    same = run.code(one).text.strip() == run.code(other).text.strip() and run.output(one) == run.output(other)
    return same and bool(run.code(one).text.strip()) and not run.calls_of(other)


def words_in_place_of_reading(run: Material) -> Iterator[Symptom]:
    """A few words decided what counts, and most of the archive was shown to no model.

    Evidence: the set of words in the code, and the share of the archive that was shown. The words must be ordinary ones that the
    question does not give, at least three of them; helpers were never asked, or only about what the words had left. How it errs:
    where people always use these words, nothing was lost; a list of words that is read from a file is not seen. A cell that says
    how much the words leave out has done what it could: then it is good to know, as where it is not known what was shown.
    """
    seen = run.coverage.share if run.coverage else None
    if seen is not None and seen >= SHOWN_SHARE:
        return
    shown = "an unknown part" if seen is None else share(seen, 1)
    for steps in run.frames:
        asked = set(re.findall(r"\w+", run.text(steps.started.question).casefold()))
        lists: dict[str, tuple[str, ...]] = {}
        for cell in steps.cells() if run.answer_of(steps) else ():
            lists |= run.code(cell).named_lists
            words = [each for each in keywords(run.code(cell), lists) if _is_a_guess(each, asked)]
            if not words:
                continue
            if _was_read_before(run, steps, cell):
                break
            chosen = words[0]
            is_told = seen is None or _LEFT_OUT.search(run.output(cell)[:MAX_OUTPUT_CHARS])
            yield Symptom(
                "good to know" if is_told else "may change the answer",
                cell.id,
                f"What counts was chosen by {len(chosen)} words, and {shown} of the archive was shown to a model.",
                (quoted(cell.id, " | ".join(chosen)),),
                ask_again(
                    run,
                    steps,
                    cell.id,
                    "Words like these miss what is put otherwise. Have every candidate read, and count what the words leave out.",
                ),
            )
            break


def _is_a_guess(words: Sequence[str], asked: Collection[str]) -> bool:
    """Whether they are neither names of a form nor words of the question."""
    plain = [each.casefold() for each in words]
    known = sum(each in STRUCTURE or each in asked for each in plain)
    return known <= len(plain) // 3


def _was_read_before(run: Material, steps: Steps, cell: Node) -> bool:
    """Whether the frame had asked many helpers before the cell: then the words sort what was read."""
    before = [each for each in steps.cells() if each.started_seq < cell.started_seq]
    return sum(len(run.calls_of(each)) + len(run.children_of(each)) for each in before) >= 10


def _last_line(error: str) -> str:
    lines = [each for each in error.strip().splitlines() if each.strip()]
    return lines[-1] if lines else ""
