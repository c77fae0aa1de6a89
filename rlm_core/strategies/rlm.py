"""The Recursive Language Model (Zhang, Kraska, Khattab, arXiv 2512.24601, algorithm 1).

The context stays in a Python session, outside the model. The root model writes code that looks at it, calls helper models
on pieces of it, and hands over an answer from the session; of every output it sees a bounded part. Recursion depth is
numbered as in the paper's third version: depth 0 has no helpers, at depth 1 helpers are plain calls, at depth 2 a helper may
be a Recursive Language Model whose helpers are plain calls, and so on: a child frame runs this same function, one less deep.
"""

from __future__ import annotations

from rlm_core.errors import CallError, LimitHit
from rlm_core.frame import Frame
from rlm_core.strategies.feedback import feedback, repair_lines, spent_line
from rlm_core.strategies.guards import Guards
from rlm_core.strategies.openings import is_own_context, opening
from rlm_core.strategies.playing import best_answer, is_last_turn, last_words, play
from rlm_core.strategies.prompting import fill
from rlm_core.strategies.reply import MAX_CELL_CHARS, MAX_CELLS, read_reply
from rlm_core.task import Answer, Message, Task

IDLE_TURNS = 3
"""Replies in a row with neither code nor an answer, after which the last one is taken for the answer."""
STOPPED_CODING = f"The model wrote neither code nor an answer {IDLE_TURNS} times in a row; its last reply is taken."
NO_CODE = "Your reply held neither a cell of code (in a ```repl fence) nor an answer, so nothing was run."


def rlm(frame: Frame, task: Task, *, depth: int = 1, prompt: str = "studio") -> Answer:
    """Answer by code over the context, with helpers (`depth` 1), with helpers that are like this (2 and more), or alone (0).

    - What a cell may call: `record`, `budget`, `SHOW_VARS`, and to answer `answer`, `FINAL`, `FINAL_VAR`, `SUBMIT`; at depth 1
      also `llm_query` and `llm_query_batched`, at depth 2 also `rlm_query` and `rlm_query_batched`.
    - Which answers are sent back, each reason once: see `guards.py`; an empty one always. One of a cell that failed does not
      count as an answer at all. With `prompt="paper"` nothing else is sent back, or its figures would not be the paper's.
    - What ends in a forced answer, and with it in a run whose outcome is `forced`: out of turns (the model is asked for a
      last word), any other limit, a conversation that outgrows the model's window (the answer says what was recorded), and a
      model that has stopped writing code. Any other root call that fails, or a session that is lost for good, fails the run.
    """
    history = opening(frame, task, depth=depth, prompt=prompt)
    guards, idle, held = Guards(on=prompt != "paper", looked=is_own_context(frame, task)), 0, None
    try:
        while True:
            with frame.turn():
                reply = frame.ask(history)
                move = read_reply(reply.text)
                played = play(frame, move)
                guards.watch(played.ran)
                refusal = None
                if played.answer:
                    refusal = guards.refusal(played.ran, played.answer, last_turn=is_last_turn(frame))
                    if not refusal:
                        return played.answer
                    frame.refuse(refusal)
                    held = played.answer
                idle = 0 if played.ran or refusal or move.left_out else idle + 1
                if idle == IDLE_TURNS:
                    return Answer(last_words(frame, reply.text), "forced", STOPPED_CODING)
                told = [feedback(frame, played.ran, played.skipped)] if played.ran else [spent_line(frame)]
                told += [NO_CODE] if idle else []
                told += [_left_out(move.left_out)] if move.left_out else []
                told += [*repair_lines(move.repairs), *([refusal] if refusal else [])]
                history += [Message("assistant", reply.text), Message("user", "\n\n".join(told))]
    except LimitHit as limit:
        return best_answer(frame, history, limit, fill("rlm_last"), held)
    except CallError as error:
        if error.kind != "overflow" or frame.turns < 2:
            raise
        return best_answer(frame, history, error, "", held)


def _left_out(blocks: int) -> str:
    return fill("rlm_left_out", blocks=blocks, cells=MAX_CELLS, chars=f"{MAX_CELL_CHARS:,}")
