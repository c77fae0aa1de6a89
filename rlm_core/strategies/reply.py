"""Code and answers out of what a model wrote.

A scanner, not a regular expression that stops at the first backtick or bracket: a fence inside a string does not end a
cell, and FINAL(...) ends at the bracket that closes it. It knows the dialects that models have learnt; it does not judge
whether an answer is acceptable (`guards.py`).

A reply is hostile text, and a model that repeats itself writes strange ones by the megabyte: every step here is bounded,
and Python's own parser, which can be driven out of memory and stack, is only shown blocks of a sane size.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

MAX_CELLS = 50
MAX_CELL_CHARS = 200_000
"""A longer block is not run; the model is told."""
MAX_CHECKED_CHARS = 50_000
"""A longer block is not parsed to find out where it ends."""
MAX_CANDIDATES = 20
MAX_FINALS = 5
"""Of several FINALs in a reply the last one counts; the few before it serve where that is empty."""

_FENCE = re.compile(r"^[ \t]{0,3}(?P<ticks>`{3,40}|~{3,40})[ \t]*(?P<language>[\w+.-]{0,20})[^\n`]*$")
_CODE_LANGUAGES = frozenset({"repl", "python", "py", "python3"})
_FINAL = re.compile(r"^[ \t>*]{0,20}(?P<how>FINAL_VAR|FINAL)\*{0,2}[ \t]{0,4}\(", re.M)
_BRACKET = re.compile(r"[()]")


@dataclass(frozen=True, slots=True)
class Move:
    """What a reply asks for: code to run in order, else an answer given in prose, else nothing."""

    cells: tuple[str, ...] = ()
    final: str | None = None
    """Text of FINAL(...) in prose."""
    final_variable: str | None = None
    """Name in FINAL_VAR(...) in prose."""
    left_out: int = 0
    """Blocks that are too long or too many to be run."""


def read_reply(text: str) -> Move:
    """Read one reply. FINAL in prose counts only where the reply holds no code; FINAL_VAR also beside code, as the paper's
    models write it: the cell that makes the variable, then its name."""
    blocks, prose = _split(text)
    cells = tuple(block for block in blocks[:MAX_CELLS] if len(block) <= MAX_CELL_CHARS)
    left_out = len(blocks) - len(cells)
    finals = _finals(prose)
    if blocks:
        names = [value for how, value in finals if how == "FINAL_VAR"]
        return Move(cells, final_variable=names[-1] if names else None, left_out=left_out)
    for how, value in reversed(finals):
        return Move(final_variable=value) if how == "FINAL_VAR" else Move(final=value)
    return Move()


def _split(text: str) -> tuple[list[str], str]:
    """The code blocks of a reply, and everything that is outside of any fence."""
    lines = text.splitlines()
    closers = [at for at, line in enumerate(lines) if _is_closer(line)]
    cells: list[str] = []
    prose: list[str] = []
    at = next_closer = 0
    while at < len(lines):
        opening = _FENCE.match(lines[at])
        if not opening:
            prose.append(lines[at])
            at += 1
            continue
        while next_closer < len(closers) and closers[next_closer] <= at:
            next_closer += 1
        language = opening["language"].lower()
        candidates = _candidates(lines, closers, next_closer, opening["ticks"])
        end = _closing(lines, at + 1, candidates, is_code=language in _CODE_LANGUAGES)
        block = "\n".join(lines[at + 1 : end])
        if language in _CODE_LANGUAGES or (not language and _is_python(block) and not _FINAL.match(block)):
            if block.strip():
                cells.append(block)
        elif not language:
            prose.append(block)
        at = end + 1
    return cells, "\n".join(prose)


def _is_closer(line: str) -> bool:
    stripped = line.strip()
    return len(stripped) >= 3 and stripped[0] in "`~" and stripped == stripped[0] * len(stripped)


def _candidates(lines: list[str], closers: list[int], first: int, ticks: str) -> list[int]:
    """The next lines that could close a fence of these ticks, a few of them."""
    found = []
    for at in closers[first : first + MAX_CANDIDATES * 2]:
        stripped = lines[at].strip()
        if stripped[0] == ticks[0] and len(stripped) >= len(ticks):
            found.append(at)
    return found[:MAX_CANDIDATES]


def _closing(lines: list[str], start: int, candidates: list[int], *, is_code: bool) -> int:
    """Line that closes a fence: of the candidates the first after which the code is whole, else the first, else the end."""
    if not candidates:
        return len(lines)
    if is_code:
        for at in candidates:
            if _is_python("\n".join(lines[start:at])):
                return at
    return candidates[0]


def _is_python(code: str) -> bool:
    """Whether a block of sane size is whole Python. Where the parser gives up, the sandbox will say why."""
    if not code.strip() or len(code) > MAX_CHECKED_CHARS:
        return False
    try:
        ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _finals(prose: str) -> list[tuple[str, str]]:
    """The last FINAL(...)s and FINAL_VAR(...)s that begin a line, with what stands between their brackets."""
    found = []
    for match in list(_FINAL.finditer(prose))[-MAX_FINALS:]:
        inside = _bracketed(prose, match.end()).strip()
        inside = inside.strip("\"'`") if match["how"] == "FINAL_VAR" else _unquoted(inside)
        if inside:
            found.append((match["how"], inside))
    return found


def _bracketed(text: str, start: int) -> str:
    """Text up to the bracket that closes the one before `start`; to the last bracket where they do not balance."""
    open_brackets = 1
    for bracket in _BRACKET.finditer(text, start):
        open_brackets += 1 if bracket[0] == "(" else -1
        if open_brackets == 0:
            return text[start : bracket.start()]
    last = text.rfind(")")
    return text[start:last] if last > start else text[start:]


def _unquoted(text: str) -> str:
    """A string literal as the string it stands for; anything else as it is."""
    if text[:1] in "\"'" and text[-1:] in "\"'" and len(text) <= MAX_CHECKED_CHARS:
        try:
            value = ast.literal_eval(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return text
        return value if isinstance(value, str) else text
    return text
