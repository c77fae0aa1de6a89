"""CodeAct: a model that thinks and acts in turn, with Python as its hands (paper, appendix C, prompts 3a and 3b).

The baselines that a Recursive Language Model is compared with: here the documents stand in the prompt itself
(`codeact`, `codeact_subcalls`), or are found by searching (`codeact_bm25`); never is the archive a variable that the prompt
speaks of. An action is a block of code, `SEARCH(...)`, or `ANSWER: ...`. Nothing is sent back but an empty answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rlm_core.errors import CallError, LimitHit, TaskError
from rlm_core.frame import Frame
from rlm_core.services import MAX_HITS
from rlm_core.shown import shown_hits
from rlm_core.strategies.base_lm import laid_out, room_beside, size_bytes
from rlm_core.strategies.feedback import feedback, limits_line, repair_lines, spent_line
from rlm_core.strategies.guards import Guards
from rlm_core.strategies.openings import beginnings, context_size, helper_functions
from rlm_core.strategies.playing import best_answer, last_words, play
from rlm_core.strategies.prompting import fill
from rlm_core.strategies.reply import read_reply
from rlm_core.task import Answer, Message, Task
from rlm_core.tokens import BYTES_PER_TOKEN

K = 5
"""Passages that a search brings: the paper names no number; its benchmark's own agents take 5."""
KEPT_SHARE = 0.25
"""Part of the window that is kept for the steps and their outputs."""
IDLE_STEPS = 3
STOPPED_ACTING = f"The model did not act {IDLE_STEPS} times in a row; its last reply is taken."


@dataclass(frozen=True, slots=True)
class Tools:
    """What a CodeAct agent has besides Python."""

    search: bool = False
    helpers: bool = False


def codeact(frame: Frame, task: Task, *, overflow: str = "refuse") -> Answer:
    """All documents in the prompt, and Python. `overflow`: `refuse` or `cut` what the window cannot take."""
    return _steps(frame, Tools(), _with_documents(frame, task, Tools(), overflow))


def codeact_subcalls(frame: Frame, task: Task, *, overflow: str = "refuse") -> Answer:
    """As `codeact`, and code may ask helpers (`llm_query`, `llm_query_batched`)."""
    tools = Tools(helpers=True)
    return _steps(frame, tools, _with_documents(frame, task, tools, overflow))


def codeact_bm25(frame: Frame, task: Task) -> Answer:
    """No document in the prompt; passages are found by `SEARCH(...)`, or by `search` in code."""
    tools = Tools(search=True)
    first = fill(
        "codeact_bm25_first", question=task.question, context_size=context_size(frame), beginnings=beginnings(frame)
    )
    return _steps(frame, tools, [_system(frame, task, tools), Message("user", first)])


def _steps(frame: Frame, tools: Tools, history: list[Message]) -> Answer:
    guards, idle = Guards(on=False), 0
    try:
        while True:
            with frame.turn():
                reply = frame.ask(history)
                move = read_reply(reply.text, answer_lines=True)
                played = play(frame, move, how="ANSWER")
                searches = move.searches if tools.search else ()
                told = [feedback(frame, played.ran, played.skipped)] if played.ran else []
                told += [shown_hits(query, frame.search(query, K), frame.limits.shown_chars) for query in searches]
                refusal = guards.refusal(played.ran, played.answer) if played.answer else None
                if played.answer and not refusal:
                    return played.answer
                idle = 0 if told or refusal else idle + 1
                if idle == IDLE_STEPS:
                    return Answer(last_words(frame, reply.text, answer_lines=True), "forced", STOPPED_ACTING)
                if idle:
                    told.append(
                        fill("codeact_nothing", or_search=", or with SEARCH(...)" if tools.search else "").strip()
                    )
                if refusal:
                    frame.refuse(refusal)
                    told.append(refusal)
                told += repair_lines(move.repairs)
                told += [] if played.ran else [spent_line(frame)]
                history += [Message("assistant", reply.text), Message("user", "\n\n".join(told))]
    except LimitHit as limit:
        return best_answer(frame, history, limit, fill("codeact_last").strip(), answer_lines=True)
    except CallError as error:
        if error.kind != "overflow" or frame.turns < 2:
            raise
        return best_answer(frame, history, error, "")  # the steps have filled the window: the paper's asterisk


def _with_documents(frame: Frame, task: Task, tools: Tools, overflow: str) -> list[Message]:
    """The opening with all documents in it. Raises `TaskError` where they do not fit and may not be cut."""
    system, first = _system(frame, task, tools), fill("codeact_first", question=task.question)
    room = room_beside(system.text + first, frame.window_tokens, KEPT_SHARE)
    size = size_bytes(frame.corpus)
    if room is not None and size > room and overflow == "refuse":
        raise TaskError(
            f"The archive has ~{size // BYTES_PER_TOKEN:,} tokens; with the question and room for the steps, "
            f"{task.root_model} takes ~{max(0, room) // BYTES_PER_TOKEN:,}. Ask with the strategy rlm or codeact_bm25, "
            "or let the archive be cut (option overflow = cut)."
        )
    return [system, Message("user", first + laid_out(frame, room))]


def _system(frame: Frame, task: Task, tools: Tools) -> Message:
    functions = []
    if tools.helpers:
        functions.append(helper_functions(frame, task))
    if tools.search:
        functions.append(fill("codeact_search_function", k=K, most=MAX_HITS).rstrip())
    text = fill(
        "codeact_system",
        search_action=fill("codeact_search_action", k=K).strip() if tools.search else "",
        functions="\n".join(["In code you may also call:", *functions]),
        limits=f"You have: {limits_line(task.limits)}",
    )
    return Message("system", re.sub(r"\n{3,}", "\n\n", text))
