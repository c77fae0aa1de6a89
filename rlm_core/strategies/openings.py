"""What a root model is told before its first turn: what the session offers, how to work, what the archive is.

Knows the prompts and the task; refuses to know what a reply means (`reply.py`) and how the loop goes on (`rlm.py`).
"""

from __future__ import annotations

import platform

from rlm_core.frame import Frame
from rlm_core.strategies.feedback import limits_line
from rlm_core.strategies.prompting import fill
from rlm_core.task import Message, Task
from rlm_core.tokens import chars_that_fit

LISTED_DOCUMENTS = 40
HELPER_CHARS_IF_UNKNOWN = 200_000


def opening(frame: Frame, task: Task, *, depth: int) -> list[Message]:
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
