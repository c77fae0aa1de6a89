"""Which sets of words does code look for in texts? As a pattern, as `any(word in line for word in words)`, or as `or` of several.

Only ordinary words count, in small letters or with one capital: a form, a code or a pattern of signs is no guess at how people
put things.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from rlm_core.diagnose.code import Code, typed_items

Words = tuple[str, ...]
LEAST, MOST = 3, 200
"""So many words make a set."""
SEARCHING = frozenset({"compile", "search", "match", "fullmatch", "findall", "finditer", "contains"})
"""Methods that look for a pattern."""
_WORDS = re.compile(r"[A-Za-z]?[a-z]{2,}(?:[ '-][a-z]+){0,3}")
_AROUND_A_WORD = re.compile(r"\(\?[a-zA-Z:]{1,4}\)?|\\[bs]|[()^$?*+]|\[(\w)\w\]")


def keywords(code: Code, lists: Mapping[str, Words]) -> list[Words]:
    """The sets of words in a cell. `lists` are those that cells before it, or itself, have given a name."""
    found = [tuple(map(_plain, text.split("|"))) for text in _patterns(code) if LEAST <= text.count("|") + 1 <= MOST]
    found += [*_any_of(code, lists), *_one_or_other(code)]
    return [each for each in found if len(each) >= LEAST and all(map(_WORDS.fullmatch, each))]


def _patterns(code: Code) -> Iterator[str]:
    """Texts, also under a name, that are given to what searches."""
    named = {name: value.value for name, value in code.assignments() if isinstance(value, ast.Constant)}
    for each in code.nodes:
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and each.func.attr in SEARCHING:
            for first in each.args[:1]:
                text = first.value if isinstance(first, ast.Constant) else named.get(getattr(first, "id", ""))
                if isinstance(text, str):
                    yield text


def _any_of(code: Code, lists: Mapping[str, Words]) -> Iterator[Words]:
    """Lists of which any item is looked for in something."""
    for each in code.nodes:
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id == "any" and each.args:
            inner = each.args[0]
            if isinstance(inner, ast.GeneratorExp) and isinstance(inner.elt, ast.Compare):
                source = inner.generators[0].iter
                yield lists.get(source.id, ()) if isinstance(source, ast.Name) else tuple(typed_items(source))


def _one_or_other(code: Code) -> Iterator[Words]:
    """`"drip" in line or "wet" in line or "puddle" in line`"""
    for each in code.nodes:
        if isinstance(each, ast.BoolOp) and isinstance(each.op, ast.Or):
            sought = [
                part.left for part in each.values if isinstance(part, ast.Compare) and isinstance(part.ops[0], ast.In)
            ]
            yield tuple(str(part.value) for part in sought if isinstance(part, ast.Constant))


def _plain(part: str) -> str:
    """An alternative of a pattern without what only says where it may stand."""
    return _AROUND_A_WORD.sub(r"\1", part).strip()
