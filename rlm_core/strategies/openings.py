"""What a root model is told before its first turn: what the session offers, how to work, what the archive is.

Two manners: `studio`, ours, and `paper`, which follows the prompts of the paper's appendix C in our words, with its
protocol of final answers. Both are constant in size, whatever the size of the context. Notes for families of models and for
small windows are added where they apply.

Knows the prompts and the task; refuses to know what a reply means (`reply.py`) and how the loop goes on (`rlm.py`).
"""

from __future__ import annotations

import platform
from textwrap import dedent

from rlm_core.frame import Frame
from rlm_core.shown import shown
from rlm_core.strategies.feedback import limits_line
from rlm_core.strategies.prompting import fill
from rlm_core.task import Message, Task
from rlm_core.tokens import MAX_TEXT_BYTES, chars_that_fit

LISTED_DOCUMENTS = 40
LISTED_LENGTHS = 100
READABLE_OUTPUTS = 6
BEGINNING_CHARS = 600
HELPER_CHARS_IF_UNKNOWN = 200_000
SMALL_WINDOW_TOKENS = 40_000
AIM_CHARS = 15_000
MAX_QUESTION_CHARS = 20_000
"""Of a longer question, as a helper may be given one, head and tail are shown; the session holds all of it."""
SPARING_MODELS = ("qwen3-coder",)
"""Parts of the names of models that otherwise ask a helper about every line (paper, appendix B and E)."""


def opening(frame: Frame, task: Task, *, depth: int, prompt: str = "studio") -> list[Message]:
    """The system prompt and the first message. `depth`: 0 without helpers, 1 with calls, 2 and more with helpers that are
    like this one."""
    return _paper(frame, task, depth) if prompt == "paper" else _studio(frame, task, depth)


def _studio(frame: Frame, task: Task, depth: int) -> list[Message]:
    helpers, advice = [], [fill("rlm_alone_advice")]
    if depth >= 1:
        helpers, advice = [helper_functions(frame, task)], [fill("rlm_helper_advice"), *_notes(frame, task)]
    if depth >= 2:
        helpers.append(fill("rlm_child_functions"))
        advice.append(fill("rlm_child_advice"))
    system = fill(
        "rlm_system",
        context_kind=_context_kind(frame),
        helper_functions="\n".join(each.rstrip() for each in helpers),
        helper_advice="\n".join(each.rstrip() for each in advice),
        python_version=platform.python_version(),
        shown_chars=f"{task.limits.shown_chars:,}",
        for_a_caller=fill("rlm_for_a_caller").rstrip() if frame.depth else "",
    )
    first = fill(
        "rlm_first",
        question=_question(task),
        context_size=context_size(frame),
        document_list=_document_list(frame),
        reading_advice=_reading_advice(frame),
        limits=limits_line(task.limits),
    )
    return [Message("system", system.replace("\n\n\n", "\n\n")), Message("user", first)]


def _paper(frame: Frame, task: Task, depth: int) -> list[Message]:
    lengths = [f"{document.chars}" for document in frame.corpus.documents[:LISTED_LENGTHS]]
    if len(frame.corpus.documents) > LISTED_LENGTHS:
        lengths.append(f"and {len(frame.corpus.documents) - LISTED_LENGTHS:,} more")
    context = {
        "context_kind": "a string" if _is_one_text(frame) else "a list of strings",
        "context_chars": f"{frame.corpus.chars:,}",
        "context_lengths": ", ".join(lengths),
    }
    if depth >= 1:
        more = [fill("rlm_paper_children")] if depth >= 2 else []
        system = fill(
            "rlm_paper_system",
            **context,
            helper_chars=f"{helper_chars(frame):,}",
            more_functions="".join(f"{each.rstrip()}\n" for each in more),
            last_number=4 if depth >= 2 else 3,
        )
        system = "\n".join([system.rstrip(), *(f"\n{dedent(note).strip()}" for note in _notes(frame, task))])
    else:
        system = fill("rlm_paper_alone", **context)
    and_helpers = ", then by asking language models about parts of the context where you can" if depth >= 1 else ""
    first = fill("rlm_paper_first", question=_question(task), and_helpers=and_helpers)
    return [Message("system", system), Message("user", first)]


def helper_functions(frame: Frame, task: Task) -> str:
    """What the prompts say of `llm_query` and `llm_query_batched`."""
    return fill(
        "rlm_helper_functions",
        concurrency=task.limits.concurrency,
        helper_limit=f"A prompt may have up to {helper_chars(frame):,} characters."
        if frame.helper_window_tokens
        else f"How much a helper can read is not known here: keep prompts below {HELPER_CHARS_IF_UNKNOWN:,} characters.",
    ).rstrip()


def helper_chars(frame: Frame) -> int:
    """Characters that a helper's prompt may have: the one such number that a model is told."""
    window = frame.helper_window_tokens
    return chars_that_fit(window) if window else HELPER_CHARS_IF_UNKNOWN


def _notes(frame: Frame, task: Task) -> list[str]:
    """What some models and some windows need to be told besides."""
    notes = []
    if any(name in task.root_model.lower() for name in SPARING_MODELS):
        notes.append(fill("rlm_few_calls"))
    if (window := frame.helper_window_tokens) and window < SMALL_WINDOW_TOKENS:
        notes.append(fill("rlm_small_window", aim_chars=f"{min(AIM_CHARS, helper_chars(frame) // 2):,}"))
    return notes


def _question(task: Task) -> str:
    question = task.question.strip()
    if len(question) <= MAX_QUESTION_CHARS:
        return question
    return f"{shown(question, MAX_QUESTION_CHARS)}\n(The variable `question` holds all of it.)"


def _context_kind(frame: Frame) -> str:
    documents = frame.corpus.documents
    large = sum(each.bytes > MAX_TEXT_BYTES for each in documents)
    if _is_one_text(frame):
        kind = "one document, as a string (`str`) with a `.path`."
    elif len(documents) == 1:
        kind = (
            "one document that is too large for one string: a sequence of its parts, cut at line ends. Each is a string: "
            "`for part in context: re.findall(pattern, part)`; `context[0][:500]` is the beginning of all; "
            '`"word" in context` searches all of them.'
        )
    else:
        kind = (
            "a sequence of documents. Each is a string (slices, `re` and all methods of `str` work) with a `.path`: "
            '`for doc in context: print(doc.path, len(doc))`; `context[3]`, `context["reports/april.txt"]`; `"word" in context` '
            "searches all of them."
        )
        kind += f" Of {large:,} too large for one string each item is a part, cut at a line end." if large else ""
    return f"the archive, {kind} What was no plain text, such as HTML, is extracted text.{_pages(frame)}"


def _pages(frame: Frame) -> str:
    """What a model is told of pages, sheets, ..., where a document has some."""
    kinds = sorted({document.units.kind for document in frame.corpus.documents if document.units})
    if not kinds:
        return ""
    name = "context" if _is_one_text(frame) else "doc"
    rows = " Each row of a sheet is a line: its number, then its cells, parted by tabs." if "sheet" in kinds else ""
    return (
        f" The {'s, '.join(kinds)}s of a document are the strings in `{name}.pages`, each with a `.label`; "
        f"`{name}.page_of(position)` is the label of the one that holds a position in the text.{rows}"
    )


def _is_one_text(frame: Frame) -> bool:
    documents = frame.corpus.documents
    return len(documents) == 1 and documents[0].bytes <= MAX_TEXT_BYTES


def context_size(frame: Frame) -> str:
    """How much the archive is, in one line."""
    corpus = frame.corpus
    many = len(corpus.documents)
    return (
        f"{many:,} document{'s' if many > 1 else ''}, {corpus.chars:,} characters, ~{corpus.tokens_estimate:,} tokens."
    )


def _reading_advice(frame: Frame) -> str:
    """Said of an archive that can be read whole in a few outputs: sampling it first would be a detour."""
    outputs = -(-frame.corpus.chars // max(1, frame.limits.shown_chars - 2_000))
    if not 1 < outputs <= READABLE_OUTPUTS or len(frame.corpus.documents) > LISTED_DOCUMENTS:
        return ""
    return f"All of it fits into about {outputs} outputs: where the question needs reading, print whole lines and read them.\n"


def beginnings(frame: Frame) -> str:
    """Paths and first characters of some documents, for a model that sees no more of them."""
    documents = frame.corpus.documents
    lines = [f"- {each.path}, {each.chars:,} characters" for each in documents[:LISTED_DOCUMENTS]]
    if len(documents) > LISTED_DOCUMENTS:
        lines.append(f"- and {len(documents) - LISTED_DOCUMENTS:,} more")
    begins = frame.corpus.beginning(0, BEGINNING_CHARS).strip()
    return "\n".join([*lines, f"The first one begins:\n{begins}"])


def _document_list(frame: Frame) -> str:
    documents = frame.corpus.documents
    step = -(-len(documents) // LISTED_DOCUMENTS)
    lines = [f"{each.path}  ({each.kind}, {each.chars:,} characters)" for each in documents[:: max(1, step)]]
    if any("!/" in each.path for each in documents):
        lines.append("`a.zip!/b.txt` is the file b.txt within a.zip.")
    if step > 1:
        lines.append(f"These are {len(lines)} of {len(documents):,}, from all parts of it; all paths: context.paths")
    return "\n".join(lines)


def is_own_context(frame: Frame, task: Task) -> bool:
    """Whether the context is the question itself, as of a helper that was given none: it stands in the first message."""
    documents, question = frame.corpus.documents, task.question
    if len(documents) != 1 or len(question) > MAX_QUESTION_CHARS or documents[0].chars > 2 * MAX_QUESTION_CHARS:
        return False  # without reading it: it may be very large
    return frame.corpus.text(0).strip() == question.strip()
