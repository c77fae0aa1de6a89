"""Rules on how an answer was given: before looking, as a name, unlike what stood there before."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rlm_core.diagnose.material import Material, Turn
from rlm_core.diagnose.remedies import ask_again
from rlm_core.diagnose.symptoms import Symptom, quoted
from rlm_core.passages import passage
from rlm_core.view import Node

USUAL_NAMES = frozenset({"result", "results", "answer", "final", "output", "summary", "response", "report"})
"""Names of variables that are hardly ever an answer. Others count only if they have an underscore."""
NO_ANSWERS = re.compile(
    r"\W*(?:max(?:imum)? (?:iterations|turns|steps)(?: \w+)? (?:reached|exceeded)|no (?:output|answer|final answer)(?: \w+){0,3}|"
    r"(?:error|traceback|exception)\b.{0,200}|none|null|nan|\.\.\.|…)\W*",
    re.I | re.S,
)
"""What tools write where there is no answer."""
SEEN_SHARE, TELLING_CHARS = 0.5, 4
MAX_SEEN_CHARS = 500_000
_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+")


def answered_before_looking(run: Material) -> Iterator[Symptom]:
    """A frame that has a context to read handed over an answer, and no cell had looked at it.

    Evidence: the turn that first gave an answer, and the size of the context. How it errs: code that reaches the context under
    another name than `context` is not seen to look; so in runs of other tools any cell that printed something has looked.
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
    if run.is_ours:
        return run.code(cell).looks
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
        if not held or run.text(held[-1][1].get("preview")) == repr(name):
            continue
        cell, variable = held[-1]
        by = next((each for each in reversed([*steps.cells()]) if run.code(each).gives(name)), None)
        turn = run.turn_holding(steps, by)
        yield Symptom(
            "may change the answer",
            by.id if by else turn.node.id,
            f"The answer is {name}, which is the name of a variable and not what it holds.",
            (quoted(turn.node.id, name), quoted(cell.id, f"{name} = {run.text(variable.get('preview'))}")),
            ask_again(run, steps, turn.node.id, f"Answer with the value of `{name}`, not with its name."),
        )


def answered_beside_unseen_output(run: Material) -> Iterator[Symptom]:
    """An answer was typed in the same reply as code whose output its model had not seen, and says what no output says.

    Evidence: the answer as it was typed, and the output of that turn. It counts only if most of its numbers and longer words
    stood neither in the question, nor in an earlier output, nor in this one. How it errs: what a model concludes in words of its
    own from what it has read looks the same; so an answer that repeats half of what it says from there is let pass.
    """
    for steps in run.frames:
        answer, turn = run.answer_of(steps), steps.turns[-1]
        printed = "\n".join(run.output(cell) for cell in turn.cells).strip()
        if not run.has_answered(steps) or not printed or not _is_typed(run, turn, answer):
            continue
        telling = _telling(answer)
        seen = _telling(
            "\n".join((run.text(steps.started.question), *map(run.output, steps.cells())))[-MAX_SEEN_CHARS:]
        )
        if telling and len(telling & seen) < SEEN_SHARE * len(telling):
            yield Symptom(
                "may change the answer",
                turn.node.id,
                "The answer was written down beside code whose output had not been seen, and is not what that printed.",
                (quoted(turn.node.id, answer), quoted(turn.cells[0].id, printed)),
                ask_again(
                    run, steps, turn.node.id, "Read the output of your code first, and answer in the turn after it."
                ),
            )


def _is_typed(run: Material, turn: Turn, answer: str) -> bool:
    """Whether the words of the answer stand in the reply, and were not computed."""
    return bool(answer) and any(
        answer in text for text in (run.said(turn.reply), *(run.code(cell).text for cell in turn.cells))
    )


def _telling(text: str) -> set[str]:
    """Numbers, and words of some length."""
    return {each.casefold() for each in _TOKEN.findall(text) if each[0].isdigit() or len(each) >= TELLING_CHARS}


def no_answer_at_all(run: Material) -> Iterator[Symptom]:
    """A frame counts as answered, and its answer is empty, an error, or what a tool writes where there is none.

    Evidence: the answer. How it errs: `none` may be the answer to a question; so that is good to know.
    """
    for steps in run.frames:
        answer = run.answer_of(steps)
        if not run.has_answered(steps) or (answer and not NO_ANSWERS.fullmatch(answer[:400])):
            continue
        turn = steps.turns[-1].node.id
        yield Symptom(
            "good to know" if answer.casefold().strip(" .") in ("none", "null") else "may change the answer",
            turn,
            "What was handed over is no answer.",
            (quoted(turn, answer or "(empty)"),),
            ask_again(
                run,
                steps,
                turn,
                "Give the answer itself. If the archive does not decide the question, say what you looked at.",
            ),
        )
