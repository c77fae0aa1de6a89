"""Rules on how an answer was given: before looking, as a name, unlike what stood there before."""

from __future__ import annotations

from collections.abc import Iterator

from rlm_core.diagnose.material import Material
from rlm_core.diagnose.remedies import ask_again
from rlm_core.diagnose.symptoms import Symptom, quoted
from rlm_core.passages import passage
from rlm_core.view import Node

USUAL_NAMES = frozenset({"result", "results", "answer", "final", "output", "summary", "response", "report"})
"""Names of variables that are hardly ever an answer. Others count only if they have an underscore."""


def answered_before_looking(run: Material) -> Iterator[Symptom]:
    """A frame that has a context to read handed over an answer, and no cell before had looked at it or asked anybody about it.

    Evidence: the turn that first gave an answer, and the size of the context. How it errs: code that reaches the context under
    another name than `context` is not seen to look, so a frame counts only where no cell at all had printed anything.
    """
    for steps in run.frames:
        chars = steps.started.context.get("chars") or 0
        if (
            not run.has_answered(steps)
            or steps.started.strategy != "rlm"
            or chars <= passage(steps.started.question).chars
        ):
            continue
        if any(_has_looked(run, cell) for cell in steps.cells()) or not steps.turns:
            continue
        turn = next((each for each in steps.turns if each.refused), steps.turns[-1])
        yield Symptom(
            "may change the answer",
            turn.node.id,
            f"The answer was given before any of the {chars:,} characters of the context had been looked at.",
            (quoted(turn.node.id, run.said(turn.reply) or run.answer_of(steps)),),
            ask_again(run, steps, turn.node.id, "Read in the context what decides the question before you answer."),
        )


def _has_looked(run: Material, cell: Node) -> bool:
    return run.code(cell).works or bool(run.output(cell).strip())


def name_for_value(run: Material) -> Iterator[Symptom]:
    """The answer of a frame is the name of one of its variables, and not the variable's value.

    Evidence: the answer, and the variable with what it held. The node is the cell that gave the name as a text, else the turn
    that answered. How it errs: a variable may be called as the answer reads; so a name counts only if it has an underscore or
    is one of the usual ones, and what the variable held is something else.
    """
    for steps in run.frames:
        name = run.answer_of(steps)
        if not name.isidentifier() or not ("_" in name.strip("_") or name.casefold() in USUAL_NAMES):
            continue
        held = [(cell, each) for cell in steps.cells() for each in run.variables(cell) if each.get("name") == name]
        if not held or held[-1][1].get("preview") == repr(name):
            continue
        cell, variable = held[-1]
        by = next((each for each in reversed([*steps.cells()]) if run.code(each).gives(name)), None)
        turn = run.turn_holding(steps, by)
        yield Symptom(
            "may change the answer",
            by.id if by else turn.node.id,
            f"The answer is {name}, which is the name of a variable and not what it holds.",
            (quoted(turn.node.id, name), quoted(cell.id, f"{name} = {variable.get('preview')}")),
            ask_again(run, steps, turn.node.id, f"Answer with the value of `{name}`, not with its name."),
        )
