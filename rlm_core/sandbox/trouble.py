"""What a cell is told when it fails: a traceback in its own line numbers, and advice where the mistake is a known one.

Runs in the child. Shows the cell's own frames and the last one of a library; refuses to show paths of this machine.
"""

from __future__ import annotations

import os
import re
from errno import ENAMETOOLONG

TYPE_CHECKING = False  # as in `typing`, whose import would be a tenth of the child's start
if TYPE_CHECKING:
    from collections.abc import Container
    from types import TracebackType

_LIBRARY = os.path.dirname(os.__file__) + os.sep  # noqa: PTH120 pathlib is not loaded in the child
_SHOWN_NOTES = 10
_SHOWN_FRAMES = 12
_SHOWN_CHAIN = 4
_MAX_MESSAGE_CHARS = 4_000
_NAME = re.compile(r"name '(\w+)' is not defined")
_CONTEXT = re.compile(r"\bContext\b(?! manager)")
_CONTEXT_ADVICE = (
    "context is a list of documents, and that works on one text. Use it on each: `for document in context: "
    "re.findall(pattern, document)`; or, unless the whole is too large for it, on all as one text: str(context). A list of your "
    "own is list(context)."
)
_PIECE = re.compile(
    r"'str' object has no attribute '(?:path|kind|pages?|page_of|unit_kind|text|content|name|title|metadata)'"
)
_PIECE_ADVICE = (
    "a piece of a document, such as a slice, a line or a character, is a plain str: only the whole document knows its path and "
    "pages. If `context` is one document, it is that document itself, and `for x in context` goes through its characters."
)
_PACKAGES = ("numpy", "pandas")
_KNOWN_NAMES = frozenset(
    {"ask", "batch", "budget", "documents", "final", "finish", "llm", "predict", "query", "record", "rlm", "search"}
)
"""Parts of the names that models call functions by, here and elsewhere."""


def explain(
    error: BaseException, sources: dict[str, list[str]], names: tuple[str, ...], offered: Container[str] = ()
) -> str:
    """The traceback of `error` with advice. `sources` are the lines of each cell, `names` the functions there are,
    `offered` the packages beside the standard library."""
    parts = []
    for each, link in _chain(error):
        parts.append(_frames(each.__traceback__, sources) + _message(each, sources) + link)
    advice = _advice(error, names, offered)
    return "".join(parts).rstrip("\n") + (f"\nAdvice: {advice}" if advice else "")


def _chain(error: BaseException) -> list[tuple[BaseException, str]]:
    """`error` and what led to it, oldest first, each with the sentence that follows it."""
    chain: list[tuple[BaseException, str]] = [(error, "")]
    current = error
    while len(chain) < _SHOWN_CHAIN:
        if current.__cause__ is not None:
            current, link = current.__cause__, "\nThis was the direct cause of:\n\n"
        elif current.__context__ is not None and not current.__suppress_context__:
            current, link = current.__context__, "\nWhile this was handled, another error came up:\n\n"
        else:
            break
        chain.insert(0, (current, link))
    return chain


def _frames(trace: TracebackType | None, sources: dict[str, list[str]]) -> str:
    steps = []
    while trace is not None:
        steps.append((trace.tb_frame.f_code, trace.tb_lineno))
        trace = trace.tb_next
    kept = [(code, line) for code, line in steps if code.co_filename in sources]
    if steps and steps[-1][0].co_filename.startswith(_LIBRARY):
        kept.append(steps[-1])
    if not kept:
        return ""
    lines = [_line(code.co_filename, line, code.co_name, sources) for code, line in kept]
    if len(lines) > _SHOWN_FRAMES:
        half = _SHOWN_FRAMES // 2
        lines[half:-half] = [f"  [... {len(lines) - _SHOWN_FRAMES:,} more steps not shown ...]\n"]
    return "Traceback (most recent call last):\n" + "".join(lines)


def _line(file: str, line: int | None, function: str, sources: dict[str, list[str]]) -> str:
    where = f"  {file.removeprefix(_LIBRARY)}, line {line}" + ("" if function == "<module>" else f", in {function}")
    lines = sources.get(file, [])
    text = lines[line - 1].strip() if line and line <= len(lines) else ""
    return f"{where}\n    {text}\n" if text else f"{where}\n"


def _message(error: BaseException, sources: dict[str, list[str]]) -> str:
    if isinstance(error, SyntaxError) and error.filename in sources:
        return _syntax_error(error)
    is_sentence = isinstance(error, KeyError) and error.args and isinstance(error.args[0], str) and " " in error.args[0]
    text = _cut(error.args[0] if is_sentence else error)
    kind = type(error)
    name = kind.__name__ if kind.__module__ in ("builtins", "__main__") else f"{kind.__module__}.{kind.__name__}"
    notes = "".join(f"{_cut(note)}\n" for note in getattr(error, "__notes__", ())[:_SHOWN_NOTES])
    inner = "".join(
        f"  - {type(each).__name__}: {_cut(each)}\n" for each in getattr(error, "exceptions", ())[:_SHOWN_NOTES]
    )
    return (f"{name}: {text}\n" if text else f"{name}\n") + notes + inner


def _cut(value: object) -> str:
    try:
        text = str(value)
    except Exception as broken:  # the text is made by the cell's own class
        text = f"<its text cannot be made: {type(broken).__name__}>"
    if len(text) > _MAX_MESSAGE_CHARS:
        return f"{text[:_MAX_MESSAGE_CHARS]}... [{len(text) - _MAX_MESSAGE_CHARS:,} more characters not shown]"
    return text


def _syntax_error(error: SyntaxError) -> str:
    text = (error.text or "").rstrip("\n")
    start = max((error.offset or 1) - 1, 0)
    end = (error.end_offset or 0) - 1 if error.end_lineno == error.lineno else len(text)
    indent = len(text) - len(text.lstrip())
    carets = " " * (start - indent) + "^" * max(end - start, 1)
    shown = f"    {text.strip()}\n    {carets}\n" if text.strip() else ""
    return f"  {error.filename}, line {error.lineno}\n{shown}{type(error).__name__}: {error.msg}\n"


def _advice(error: BaseException, names: tuple[str, ...], offered: Container[str]) -> str:
    text = str(error) if isinstance(error, NameError | TypeError | AttributeError | ImportError | RuntimeError) else ""
    missing = _NAME.search(text) if isinstance(error, NameError) else None
    if missing and _KNOWN_NAMES.intersection(missing.group(1).lower().split("_")):
        return f"there is no function {missing.group(1)} here. There are: {', '.join(names)}."
    if isinstance(error, TypeError | ValueError) and _CONTEXT.search(str(error)):
        return _CONTEXT_ADVICE
    if isinstance(error, TypeError):
        return _type_advice(text)
    if isinstance(error, AttributeError) and _PIECE.search(text):
        return _PIECE_ADVICE
    if isinstance(error, ModuleNotFoundError):
        return _import_advice(error.name or "", offered)
    if _is_about_files(error):
        return (
            "a cell has no files, no network and no other programs. Everything to work on is in `context`. For a function "
            "that wants a file, a text is one as io.StringIO(text), for example pd.read_csv(io.StringIO(text))."
        )
    if isinstance(error, MemoryError):
        return "the cell reached its memory limit. Work on smaller pieces, and `del` large variables."
    if isinstance(error, RuntimeError) and "asyncio.run() cannot be called from a running event loop" in text:
        return "in a cell that uses `await` at top level, write `await main()` instead of asyncio.run(main())."
    if isinstance(error, RuntimeError) and "can't start new thread" in text:
        return "too many threads. llm_query_batched(prompts) runs calls side by side without threads of your own."
    return ""


def _is_about_files(error: BaseException) -> bool:
    if isinstance(error, PermissionError | FileNotFoundError) or type(error).__module__ in ("socket", "urllib.error"):
        return True
    return isinstance(error, OSError) and error.errno == ENAMETOOLONG  # a text that was taken for a file's name


def _import_advice(name: str, offered: Container[str]) -> str:
    if name in _PACKAGES:
        return f"{name} is not installed on this machine. Do it with Python's standard library."
    there = "".join(f" and {each}" for each in _PACKAGES if each in offered)
    return f"only Python's standard library{there} can be imported here; nothing can be installed."


def _type_advice(text: str) -> str:
    if "CallFailed" in text and "reply" not in text:
        return "one of the calls failed. A failed call is false: check `if reply:` first; reply.error says why."
    if "string indices must be integers" in text:
        return (
            "a document is a str and no dict: the text is the document itself, its path is document.path. If `context` is "
            "one document, it is that text."
        )
    if "can't be used in 'await' expression" in text or "awaitable is required" in text:
        return (
            "llm_query and the other functions are ordinary ones: call them without await. "
            "llm_query_batched(prompts) runs many calls side by side; asyncio.to_thread(llm_query, prompt) works too."
        )
    return ""
