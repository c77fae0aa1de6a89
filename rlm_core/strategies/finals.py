"""Answers that a reply gives in words: `FINAL(...)`, `FINAL_VAR(...)` and `ANSWER: ...` outside of any code.

The bracket that closes one is the one that balances it, so that an answer may hold brackets. A model often wraps FINAL round
the name of a variable, or FINAL_VAR round words (paper, appendix A: 16 % and 13 % of one model's turns); what it meant only
the session can tell, which knows the variables: `Final.code` asks it there. Nothing here knows cells or fences.
"""

from __future__ import annotations

import ast
import builtins
import re
from dataclasses import dataclass

from rlm_core.strategies.fences import MAX_CHECKED_CHARS, without_warnings

MAX_FINALS = 5
"""Of several FINALs in a reply the last one counts; the few before it serve where that is empty."""
PLAIN_WORDS = frozenset({"yes", "no", "unknown", "true", "false", "none", "both", "neither", "all"})
"""Words that are an answer even where a variable has the same name."""

ROUND_A_NAME, ROUND_CODE, ROUND_WORDS = "FINAL round a name", "FINAL round code", "FINAL_VAR round words"

_LABEL = r"(?:\*{0,2}(?:final )?answer\*{0,2}[ \t]?:?\*{0,2}[ \t]?)?"
_FINAL = re.compile(
    rf"^[ \t>*`#-]{{0,20}}{_LABEL}[*`]{{0,3}}(?P<how>FINAL_VAR|FINAL)[*`]{{0,3}}[ \t]{{0,4}}\(", re.M | re.I
)
ACT = r"(?:\*{0,2}(?:ACT|ACTION)\*{0,2}[ \t]?:\*{0,2}[ \t]?[*`]{0,3})?"
"""The word before an action, which some models write on its line."""
_ANSWER_FORM = rf"^[ \t>*#-]{{0,20}}{ACT}(?:FINAL )?ANSWER[ \t]?(?:\*\*)?[ \t]?:(?:\*\*)?[ \t]?"
_ANSWER, _ANY_ANSWER = re.compile(_ANSWER_FORM, re.M), re.compile(_ANSWER_FORM, re.M | re.I)
_ITEM = re.compile(r"\n[ \t]{0,8}(?:\d{1,3}|[A-Za-z])$")
"""What stands before the bracket of an item in a list: `2) second`."""
_BRACKET = re.compile(r"[()]")


@dataclass(frozen=True, slots=True)
class Final:
    """One answer in words. `text` is what it says as it stands; `name` the variable that FINAL_VAR names; `code` a cell that
    hands over the value where the words may be a name or an expression, and the words where they are not."""

    text: str = ""
    name: str | None = None
    code: str | None = None
    repair: str | None = None


def finals(prose: str) -> list[Final]:
    """The last FINAL(...)s and FINAL_VAR(...)s that begin a line, in order; empty ones left out, as `FINAL("")` is too."""
    found = list[Final]()
    for match in list(_FINAL.finditer(prose))[-MAX_FINALS:]:
        if not match["how"].isupper():
            continue
        inside = bracketed(prose, match.end()).strip()
        each = _final_var(inside) if match["how"] == "FINAL_VAR" else _final(inside)
        if each.text.strip():
            found.append(each)
    return found


def answer_line(prose: str) -> str | None:
    """Everything after the last line that begins with `ANSWER:`, else with `Answer:`; `None` where nothing follows one."""
    for form in (_ANSWER, _ANY_ANSWER):
        for match in reversed(list(form.finditer(prose))[-MAX_FINALS:]):
            if answer := prose[match.end() :].strip():
                return answer
    return None


def bracketed(text: str, start: int) -> str:
    """Text up to the bracket that closes the one before `start`; to the last bracket where they do not balance, as where an
    answer holds a smiley."""
    open_brackets = 1
    for bracket in _BRACKET.finditer(text, start):
        if open_brackets == 1 and bracket[0] == ")" and _is_item(text, start, bracket):
            continue
        open_brackets += 1 if bracket[0] == "(" else -1
        if open_brackets == 0:
            return text[start : _last_of_surplus(text, bracket.end()) or bracket.start()]
    last = text.rfind(")")
    return text[start:last] if last > start else text[start:]


def _last_of_surplus(text: str, after: int) -> int | None:
    """The last bracket of the line, or of the text, if it ends there and more brackets close than open."""
    line_end = text.find("\n", after)
    for end in {line_end if line_end >= 0 else len(text), len(text)}:
        rest = text[after:end].rstrip(" \t\n*`.")
        if rest.endswith(")") and rest.count(")") > rest.count("("):
            return after + len(rest) - 1
    return None


def _is_item(text: str, start: int, bracket: re.Match[str]) -> bool:
    """Whether a bracket is that of a list item inside an answer: more words on its line, and another bracket to come."""
    before = text[max(start, bracket.start() - 12) : bracket.start()]
    after = text[bracket.end() : bracket.end() + 2]
    return (
        bool(_ITEM.search(before))
        and after[:1] == " "
        and after[1:].strip() != ""
        and text.find(")", bracket.end()) > 0
    )


def unquoted(text: str) -> str:
    """A string literal as the string it stands for; anything else as it is."""
    if text[:1] in "\"'" and text[-1:] in "\"'" and len(text) <= MAX_CHECKED_CHARS:
        try:
            with without_warnings():
                value = ast.literal_eval(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return text
        return value if isinstance(value, str) else text
    return text


def _final(inside: str) -> Final:
    expression = _expression(inside)
    if isinstance(expression, ast.Name) and inside.casefold() in PLAIN_WORDS:
        return Final(inside)
    if expression is None or isinstance(expression, ast.Attribute):
        return Final(unquoted(inside))
    code = _closing(inside, expression)
    if code is None:
        return Final(unquoted(inside))
    return Final(inside, code=code, repair=ROUND_A_NAME if isinstance(expression, ast.Name) else ROUND_CODE)


def _final_var(inside: str) -> Final:
    bare = inside.strip("\"'`").strip()
    if bare == "answer":
        return Final(inside, code='FINAL(answer["content"])')
    if bare.isidentifier():
        return Final(bare, name=bare)
    expression = _expression(inside)
    code = _closing(inside, expression) if expression is not None else None
    return Final(unquoted(inside), code=code, repair=ROUND_CODE if code else ROUND_WORDS)


def _closing(inside: str, expression: ast.expr) -> str | None:
    """Code that hands over an expression if all that it names is there, and its words if not; `None` where nothing is named."""
    if inside == "answer":
        return 'FINAL(answer["content"])'
    bound = {
        each.id for each in ast.walk(expression) if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)
    }
    loaded = {each.id for each in ast.walk(expression) if isinstance(each, ast.Name)} - bound
    names = sorted(name for name in loaded if not hasattr(builtins, name))
    if not names:
        return f"FINAL({inside})" if isinstance(expression, ast.JoinedStr) or loaded else None
    if isinstance(expression, ast.Name):
        return f"FINAL_VAR({inside!r}) if {inside!r} in globals() else FINAL({inside!r})"
    known = " and ".join(f"{name!r} in globals()" for name in names)
    return f"FINAL(({inside}) if {known} else {inside!r})"


def _expression(text: str) -> ast.expr | None:
    """The expression that a text may be, of the kinds which words are hardly ever: a name, a call, an f-string, a part of
    something. `A12, B07` and `B-204` are words."""
    if len(text) > MAX_CHECKED_CHARS:
        return None
    try:
        with without_warnings():
            body = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return body if isinstance(body, ast.Name | ast.Call | ast.JoinedStr | ast.Subscript | ast.Attribute) else None
