"""Python code as lines of coloured pieces, and the line of a cell at which it failed.

Pure. Pieces are plain text with the name of a class; whoever draws them puts the text in as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from pygments.lexers.python import PythonLexer
from pygments.token import Token

from rlm_core.plain import plain

CODE_CHARS = 20_000
"""What is longer is not sent to the screen beyond this."""
Line = tuple[tuple[str, str], ...]
"""Class and text of each piece: `k` keyword, `s` string, `c` comment, `f` function that Python or the run provides, or none."""

PROVIDED = frozenset(
    {
        *("llm_query", "llm_query_batched", "rlm_query", "rlm_query_batched"),
        *("search", "record", "budget", "SHOW_VARS", "FINAL", "FINAL_VAR", "SUBMIT"),
    }
)
_CLASSES = (
    (Token.Keyword, "k"),
    (Token.Operator.Word, "k"),
    (Token.Literal.String, "s"),
    (Token.Comment, "c"),
    (Token.Name.Builtin, "f"),
)


def code_lines(code: str) -> tuple[Line, ...]:
    """The lines of a code, as far as it is sent."""
    text = plain(code[:CODE_CHARS]).rstrip("\n")
    return tuple(tuple(_merged(pieces)) for pieces in _lines(text)) if text else ()


def _lines(text: str) -> Iterator[list[tuple[str, str]]]:
    line: list[tuple[str, str]] = []
    for token, value in PythonLexer(stripnl=False, ensurenl=False).get_tokens(text):
        name = _class(token, value)
        first, *more = value.split("\n")
        line.append((name, first))
        for each in more:
            yield line
            line = [(name, each)]
    yield line


def _class(token: object, value: str) -> str:
    if value in PROVIDED:
        return "f"
    return next((name for kind, name in _CLASSES if token in kind), "")


def _merged(pieces: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Neighbours of one class as one piece; what is empty is left out."""
    for name, group in groupby((piece for piece in pieces if piece[1]), key=lambda piece: piece[0]):
        yield name, "".join(text for _, text in group)


def failed_line(error: str, cell: int) -> int | None:
    """The line of a cell that its traceback ends in, from 1; `None` where it names none."""
    lines = re.findall(rf"^ *(?:File \")?<?cell(?: {cell})?>?\"?, line (\d+)", error, re.MULTILINE)
    return int(lines[-1]) if lines else None
