"""Rules on lists that a model typed by hand: as a guess, with items left out, or from an output that was cut."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from rlm_core.diagnose.code import Code
from rlm_core.diagnose.material import Material, Turn
from rlm_core.diagnose.remedies import ask_again
from rlm_core.diagnose.symptoms import Symptom, quoted
from rlm_core.passages import spoken
from rlm_core.shown import shown

KEPT_SHARE = 0.5
SOON = 5
"""So many cells later at most a list is typed from an output."""
MAX_OUTPUT_CHARS, MAX_OTHER_CHARS, MAX_LISTS = 100_000, 20_000, 100
_LISTED = re.compile(
    r"\[((?:\s*+['\"][^'\"\n]{1,80}['\"]\s*+,){4,5000}+\s*+(?:['\"][^'\"\n]{1,80}['\"]\s*+,?+\s*+)?)\]"
)
_ITEM = re.compile(r"['\"]([^'\"\n]{1,80})['\"]")


def guess_kept_for_output(run: Material) -> Iterator[Symptom]:
    """A list was typed in the same reply as the cell that prints it, as a made-up output beside it says, and is another one.

    Evidence: the list in the code and in the words around it, and the list that the cell before it really printed. How it errs: a
    list that the words give on purpose, half of which the output happens to have.
    """
    for steps in run.frames:
        for turn in steps.turns:
            words = spoken(run.said(turn.reply), [run.code(cell).text for cell in turn.cells]) if turn.cells[1:] else ""
            for before, cell in pairwise(turn.cells):
                found = _unlike(run.code(cell), run.output(before))
                if found is None or not all(each in words for each in found[0]):
                    continue
                typed, printed = found
                yield Symptom(
                    "may change the answer",
                    cell.id,
                    f"A list of {len(typed)} was typed before the output was seen, which has {len(printed)}.",
                    (quoted(cell.id, ", ".join(typed)), quoted(before.id, ", ".join(printed))),
                    ask_again(run, steps, turn.node.id, "Use the variable, and do not type what a cell prints."),
                )


def _unlike(code: Code, output: str) -> tuple[Sequence[str], Sequence[str]] | None:
    """A typed list with the printed one that it was to be, where they differ."""
    lists = [_ITEM.findall(each[1]) for each in _LISTED.finditer(output[:MAX_OUTPUT_CHARS])][:MAX_LISTS]
    for typed in code.typed_lists:
        for printed in lists:
            shared = len(set(typed) & set(printed))
            if shared >= KEPT_SHARE * len(typed) and set(typed) != set(printed):
                return typed, printed
    return None


def another_list_than_before(run: Material) -> Iterator[Symptom]:
    """An answer was sent back, and the one given later rests on a list that was typed by hand and lacks some of the items.

    Evidence: the typed list, and the line of the turn that was sent back which has all of its items and more; the items that are
    missing were neither named in the answer nor recorded otherwise. How it errs: items may have been taken out for a reason that
    stands in words alone.
    """
    for steps in run.frames:
        back = next((each for each in steps.turns if each.refused), None)
        answer = run.answer_of(steps)
        if back is None or not answer:
            continue
        lists = [(each, set(each)) for line in _lines_of(run, back)[:MAX_LISTS] if (each := _items(line))]
        recorded = {run.text(finding.item).strip() for _, finding, _ in run.findings}
        for cell in [each for each in steps.cells() if each.started_seq > back.node.started_seq]:
            for typed in run.code(cell).typed_lists:
                items = set(typed)
                whole = next((each for each, all_of in lists if items < all_of and len(typed) >= len(each) / 2), None)
                if whole is None or not all(item in answer for item in typed):
                    continue
                left_out = [item for item in whole if item not in typed and item not in answer and item not in recorded]
                if left_out:
                    yield Symptom(
                        "may change the answer",
                        cell.id,
                        f"{len(left_out)} of {len(whole)} items that had been found were left out of a list typed by hand: "
                        f"{', '.join(left_out[:5])}.",
                        (quoted(cell.id, ", ".join(typed)), quoted(back.node.id, ", ".join(whole))),
                        ask_again(
                            run,
                            steps,
                            cell.id,
                            "Answer from the variable that holds the result, not from a typed list.",
                        ),
                    )
                    return


def _lines_of(run: Material, turn: Turn) -> list[str]:
    """The lines in which a turn's answer may stand."""
    texts = [run.said(turn.reply), *(run.output(cell) for cell in turn.cells)]
    return [line for text in texts for line in text[:MAX_OUTPUT_CHARS].splitlines() if line.count(",") >= 4]


def _items(line: str) -> list[str]:
    """The items of `17 rooms: A12, A31, B02.`"""
    parts = line.rpartition(":")[2].strip(" .[](){}").split(",")
    return [each.strip(" '\"") for each in parts if each.strip(" '\"")]


def list_from_cut_output(run: Material) -> Iterator[Symptom]:
    """A list was typed from what could be seen of an output that was cut, and the answer rests on it.

    Evidence: the typed list, all of whose items stand in the shown part and most in no other output, and the characters that were
    not shown. The answer names the items, or they were recorded. How it errs: the cut part may have held none. Only runs of ours.
    """
    recorded = {run.text(finding.item).strip() for _, finding, _ in run.findings}
    for steps in run.frames if run.is_ours else ():
        cells, answer = list(steps.cells()), run.answer_of(steps)
        for at, cell in enumerate(cells):
            missing = run.output_chars(cell) - run.shown_chars(cell)
            if missing <= 0:
                continue
            seen = shown(run.output(cell), run.shown_chars(cell))
            for later in cells[at + 1 : at + 1 + SOON]:
                typed = next((each for each in run.code(later).typed_lists if all(item in seen for item in each)), ())
                if not typed or not all(item in answer or item in recorded for item in typed):
                    continue
                others = "\n".join(run.output(each)[:MAX_OTHER_CHARS] for each in cells if each is not cell)
                if sum(item in others for item in typed) < len(typed) / 2:
                    yield Symptom(
                        "may change the answer",
                        cell.id,
                        f"{len(typed)} items were typed from an output of which {missing:,} characters were not shown.",
                        (quoted(later.id, ", ".join(typed)), quoted(cell.id, run.output(cell))),
                        ask_again(
                            run, steps, cell.id, "Gather the items in code, and do not type them from what is printed."
                        ),
                    )
                    return
