"""The Recursive Language Model (Zhang, Kraska, Khattab, arXiv 2512.24601, algorithm 1).

The context stays in a Python session, outside the model. The root model writes code that looks at it, calls helper models
on pieces of it, and hands over an answer from the session; of every output it sees a bounded part. Recursion depth is
numbered as in the paper's third version: depth 0 has no helpers, depth 1 has helpers that are plain calls.
"""

from __future__ import annotations

import platform
from collections import Counter
from dataclasses import dataclass

from rlm_core.errors import CallError, LimitHit
from rlm_core.frame import Frame, Ran
from rlm_core.strategies.feedback import feedback, limits_line, spent_line
from rlm_core.strategies.guards import Guards
from rlm_core.strategies.prompting import fill
from rlm_core.strategies.reply import MAX_CELL_CHARS, MAX_CELLS, Move, read_reply
from rlm_core.task import Answer, Message, Task, standing_labels
from rlm_core.tokens import chars_that_fit

LISTED_DOCUMENTS = 40
HELPER_CHARS_IF_UNKNOWN = 200_000
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
    history = opening(frame, task, depth)
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


def opening(frame: Frame, task: Task, depth: int) -> list[Message]:
    """The system prompt and the first message: constant in size, whatever the size of the context."""
    helpers = helper_advice = ""
    if depth >= 1:
        window = frame.helper_window_tokens
        chars = chars_that_fit(window) if window else HELPER_CHARS_IF_UNKNOWN
        helpers = fill("rlm_helper_functions", concurrency=task.limits.concurrency, helper_chars=f"{chars:,}").rstrip()
        helper_advice = fill("rlm_helper_advice").rstrip()
    system = fill(
        "rlm_system",
        context_kind=_context_kind(frame),
        helper_functions=helpers,
        helper_advice=helper_advice or fill("rlm_alone_advice").rstrip(),
        python_version=platform.python_version(),
        shown_chars=f"{task.limits.shown_chars:,}",
    )
    first = fill(
        "rlm_first",
        question=task.question,
        context_size=_context_size(frame),
        document_list=_document_list(frame),
        limits=limits_line(task.limits),
    )
    return [Message("system", system.replace("\n\n\n", "\n\n")), Message("user", first)]


def _context_kind(frame: Frame) -> str:
    if len(frame.corpus.documents) == 1:
        return (
            "the archive, one document, as a string (`str`). What was no plain text, such as HTML, is extracted text."
        )
    return (
        "the archive, a sequence of documents. Each is a string (slices, `re` and all methods of `str` work) with a `.path`: "
        '`for doc in context: doc.path, len(doc)`; `context[3]`, `context["reports/april.txt"]`; `"word" in context` '
        "searches all of them. What was no plain text, such as HTML, is extracted text."
    )


def _context_size(frame: Frame) -> str:
    corpus = frame.corpus
    many = len(corpus.documents)
    return (
        f"{many:,} document{'s' if many > 1 else ''}, {corpus.chars:,} characters, ~{corpus.tokens_estimate:,} tokens."
    )


def _document_list(frame: Frame) -> str:
    documents = frame.corpus.documents
    lines = [f"{each.path}  ({each.kind}, {each.chars:,} characters)" for each in documents[:LISTED_DOCUMENTS]]
    if len(documents) > LISTED_DOCUMENTS:
        lines.append(f"... and {len(documents) - LISTED_DOCUMENTS:,} more; all paths: [doc.path for doc in context]")
    return "\n".join(lines)
