"""The Recursive Language Model (Zhang, Kraska, Khattab, arXiv 2512.24601, algorithm 1).

The context stays in a Python session, outside the model. The root model writes code that looks at it, calls helper models
on pieces of it, and hands over an answer from the session; of every output it sees a bounded part. Recursion depth is
numbered as in the paper's third version: depth 0 has no helpers, depth 1 has helpers that are plain calls.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from rlm_core.errors import CallError, LimitHit
from rlm_core.frame import Frame, Ran
from rlm_core.strategies.feedback import feedback, spent_line
from rlm_core.strategies.guards import Guards
from rlm_core.strategies.openings import opening
from rlm_core.strategies.prompting import fill
from rlm_core.strategies.reply import MAX_CELL_CHARS, MAX_CELLS, Move, read_reply
from rlm_core.task import Answer, Message, Task, standing_labels

IDLE_TURNS = 3
"""Replies in a row with neither code nor an answer, after which the last one is taken for the answer."""
STOPPED_CODING = f"The model wrote neither code nor an answer {IDLE_TURNS} times in a row; its last reply is taken."
NO_CODE = "Your reply held neither a cell of code (in a ```repl fence) nor an answer, so nothing was run."


def rlm(frame: Frame, task: Task, *, depth: int = 1) -> Answer:
    """Answer by code over the context, with helpers (`depth` 1) or without (`depth` 0).

    - What a cell may call: `record`, `budget`, `SHOW_VARS`, and to answer `answer`, `FINAL`, `FINAL_VAR`, `SUBMIT`; at depth 1
      also `llm_query` and `llm_query_batched`.
    - Which answers are sent back (`guards.py`): one beside output that the model has not seen, and one before any cell has
      read `context`, each once; an empty one always. One of a cell that failed does not count as an answer at all.
    - What ends in a forced answer, and with it in a run whose outcome is `forced`: out of turns (the model is asked for a
      last word, taken as it is), any other limit (the answer says what was recorded), and a model that has stopped writing
      code. A root call that fails, or a lost session, fails the run.
    """
    history = opening(frame, task, depth=depth)
    guards, idle = Guards(), 0
    try:
        while True:
            with frame.turn():
                reply = frame.ask(history)
                move = read_reply(reply.text)
                played = _play(frame, move)
                guards.watch(played.ran)
                refusal = guards.refusal(played.ran, played.answer) if played.answer else None
                if played.answer and not refusal:
                    return played.answer
                idle = 0 if played.ran or played.answer or move.left_out else idle + 1
                if idle == IDLE_TURNS:
                    return Answer(reply.text.strip(), "forced", STOPPED_CODING)
                told = [feedback(frame, played.ran, played.skipped)] if played.ran else [spent_line(frame)]
                if idle:
                    told.insert(0, NO_CODE)
                if move.left_out:
                    told.append(
                        fill("rlm_left_out", blocks=move.left_out, cells=MAX_CELLS, chars=f"{MAX_CELL_CHARS:,}")
                    )
                if refusal:
                    frame.refuse(refusal)
                    told.append(refusal)
                history += [Message("assistant", reply.text), Message("user", "\n\n".join(told))]
    except LimitHit as limit:
        return _best_answer(frame, history, limit)


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a reply: the cells that ran, how many were left out after a failure, and the answer, if one was given."""

    ran: list[Ran]
    skipped: int = 0
    answer: Answer | None = None


def _play(frame: Frame, move: Move) -> Played:
    """Run the cells of a reply in order, up to the first that fails. A cell that fails gives no answer: nobody has seen why."""
    cells = list(move.cells)
    if move.final_variable is not None:
        cells.append(f"FINAL_VAR({move.final_variable!r})")
    ran: list[Ran] = []
    answer = Answer(move.final, "FINAL") if move.final is not None else None
    for code in cells:
        ran.append(frame.execute(code))
        result = ran[-1].result
        if result.status != "ok":
            return Played(ran, len(cells) - len(ran))
        if result.answer is not None:
            answer = Answer(result.answer["text"], result.answer["how"])
    return Played(ran, 0, answer)


def _best_answer(frame: Frame, history: list[Message], limit: LimitHit) -> Answer:
    """The answer of a run that may not go on: the model's own if it may be asked once more, else what was recorded."""
    reason = str(limit)
    if limit.limit == "max_turns":
        last = Message("user", f"{history[-1].text}\n\n{fill('rlm_last')}")
        try:
            return Answer(frame.ask([*history[:-1], last]).text.strip(), "forced", reason)
        except (LimitHit, CallError) as error:
            reason = f"{reason} The model's last word could not be had: {error}"
    labels = Counter(standing_labels(finding for finding, _ in frame.findings).values())
    recorded = ", ".join(f"{count} {label}" for label, count in labels.most_common()) or "none"
    return Answer(f"No answer was reached. {reason} Findings recorded until then: {recorded}.", "forced", reason)
