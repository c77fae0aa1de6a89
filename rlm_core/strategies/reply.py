"""Code and answers out of what a model wrote.

A scanner, not a regular expression that stops at the first backtick or bracket: a fence inside a string does not end a
cell, and FINAL(...) ends at the bracket that closes it. It knows the dialects that models have learnt; it does not judge
whether an answer is acceptable (`guards.py`).
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

_FENCE = re.compile(r"^[ \t]{0,3}(?P<ticks>`{3,}|~{3,})[ \t]*(?P<language>[\w+.-]*)[^\n`]*$")
_CODE_LANGUAGES = frozenset({"repl", "python", "py", "python3"})
_FINAL = re.compile(r"^[ \t>*]*\**(?P<how>FINAL_VAR|FINAL)\**\s*\(", re.M)


@dataclass(frozen=True, slots=True)
class Move:
    """What a reply asks for: code to run in order, else an answer given in prose, else nothing."""

    cells: tuple[str, ...] = ()
    final: str | None = None
    """Text of FINAL(...) in prose."""
    final_variable: str | None = None
    """Name in FINAL_VAR(...) in prose."""


def read_reply(text: str) -> Move:
    """Read one reply. FINAL in prose counts only where the reply holds no code; FINAL_VAR also beside code, as the paper's
    models write it: the cell that makes the variable, then its name."""
    cells, prose = _split(text)
    if cells:
        names = [value for how, value in _finals(prose) if how == "FINAL_VAR"]
        return Move(cells, final_variable=names[-1] if names else None)
    for how, value in reversed(_finals(prose)):
        return Move(final_variable=value) if how == "FINAL_VAR" else Move(final=value)
    return Move()


def _split(text: str) -> tuple[tuple[str, ...], str]:
    """The code blocks of a reply, and everything that is outside of any fence."""
    lines = text.splitlines()
    cells: list[str] = []
    prose: list[str] = []
    at = 0
    while at < len(lines):
        opening = _FENCE.match(lines[at])
        if not opening:
            prose.append(lines[at])
            at += 1
            continue
        language = opening["language"].lower()
        end = _closing(lines, at + 1, opening["ticks"], is_code=language in _CODE_LANGUAGES)
        block = "\n".join(lines[at + 1 : end])
        if language in _CODE_LANGUAGES or (not language and _is_python(block) and not _FINAL.match(block)):
            if block.strip():
                cells.append(block)
        elif not language:
            prose.append(block)
        at = end + 1
    return tuple(cells), "\n".join(prose)


def _closing(lines: list[str], start: int, ticks: str, *, is_code: bool) -> int:
    """Line that closes a fence: of the candidates the first after which the code is whole, else the first, else the end."""
    candidates = [at for at in range(start, len(lines)) if _closes(lines[at], ticks)]
    if not candidates:
        return len(lines)
    if is_code:
        for at in candidates:
            if _is_python("\n".join(lines[start:at])):
                return at
    return candidates[0]


def _closes(line: str, ticks: str) -> bool:
    stripped = line.strip()
    return len(stripped) >= len(ticks) and set(stripped) == {ticks[0]}


def _is_python(code: str) -> bool:
    try:
        ast.parse(code)
    except (SyntaxError, ValueError):
        return False
    return bool(code.strip())


def _finals(prose: str) -> list[tuple[str, str]]:
    """Every FINAL(...) and FINAL_VAR(...) that begins a line, with what stands between its brackets."""
    found = []
    for match in _FINAL.finditer(prose):
        inside = _bracketed(prose, match.end())
        inside = inside.strip().strip("\"'`") if match["how"] == "FINAL_VAR" else _unquoted(inside.strip())
        if inside:
            found.append((match["how"], inside))
    return found


def _bracketed(text: str, start: int) -> str:
    """Text up to the bracket that closes the one before `start`; to the last bracket where they do not balance."""
    open_brackets = 1
    for at in range(start, len(text)):
        open_brackets += {"(": 1, ")": -1}.get(text[at], 0)
        if open_brackets == 0:
            return text[start:at]
    last = text.rfind(")")
    return text[start:last] if last > start else text[start:]


def _unquoted(text: str) -> str:
    """A string literal as the string it stands for; anything else as it is."""
    if text[:1] in "\"'" and text[-1:] in "\"'":
        try:
            value = ast.literal_eval(text)
        except (SyntaxError, ValueError):
            return text
        return value if isinstance(value, str) else text
    return text
