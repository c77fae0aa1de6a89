"""What the code of a cell says, as far as it is whole Python: names, typed lists, what it hands over. Nothing is run.

Of code that is no Python, or too long to be read, nothing is known but its text; names then come from its lines.
"""

from __future__ import annotations

import ast
import re
import threading
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

MAX_CHARS = 60_000
"""Longer code is not parsed."""
HELPERS = frozenset({"llm_query", "llm_query_batched", "rlm_query", "rlm_query_batched"})
"""What asks models, by the names that models have learnt."""
HANDING_OVER = frozenset({"FINAL", "FINAL_VAR", "SUBMIT"})
TYPED_ITEMS, MAX_TYPED_CHARS, MAX_LISTS = 5, 20_000, 20
WORD = re.compile(r"[A-Za-z_]\w*")
_ASSIGNED = re.compile(r"^[ \t]*([A-Za-z_]\w*)[ \t]*=(?!=)", re.M)
_FILLED = re.compile(
    r"\b([A-Za-z_]\w*+)(?:\.(?:append|extend|add|update|insert|setdefault)\(|\[[^\]\n]{0,80}\] *[-+|]?=(?!=)| *[-+|]?=(?!=))"
)
_ANSWERS = re.compile(r"\b(?:FINAL(?:_VAR)?|SUBMIT)\s*\(|^[ \t]*answer\s*(?:\[|=|\.update)", re.M)
_PARSING = threading.Lock()
"""What warns whom is set for all threads at once."""


@dataclass(frozen=True)
class Code:
    text: str

    @cached_property
    def tree(self) -> ast.Module | None:
        if len(self.text) > MAX_CHARS:
            return None
        try:
            with _PARSING, warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of "\d", which models write all the time
                return ast.parse(self.text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        return tuple(ast.walk(self.tree)) if self.tree else ()

    @cached_property
    def assigned(self) -> frozenset[str]:
        """Names that it gives a value at its top level; of what cannot be parsed, at the beginning of a line."""
        if self.tree is None:
            return frozenset(_ASSIGNED.findall(self.text[:MAX_CHARS])) - {"answer"}
        targets = [name for statement in self.tree.body for name in _targets(statement)]
        return frozenset(targets) - {"answer"}

    @cached_property
    def filled(self) -> frozenset[str]:
        """Names that it gives a value, or whose value it adds to; found in the text, for it may be no Python."""
        return frozenset(_FILLED.findall(self.text[:MAX_CHARS]))

    @cached_property
    def read(self) -> frozenset[str]:
        """Names whose value it uses."""
        return frozenset(
            each.id for each in self.nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)
        )

    @cached_property
    def words(self) -> Counter[str]:
        """All that may be a name in it, also in texts, with how often it stands there."""
        return Counter(WORD.findall(self.text[:MAX_CHARS]))

    @cached_property
    def hands_over(self) -> bool:
        """Whether it gives an answer."""
        return bool(_ANSWERS.search(self.text[:MAX_CHARS]))

    @cached_property
    def asks(self) -> bool:
        """Whether it calls helpers."""
        return bool(self.read & HELPERS)

    @cached_property
    def typed_lists(self) -> tuple[tuple[str, ...], ...]:
        """Lists of texts as somebody typed them: `["A12", "B07"]`, `"A12 B07".split()`; of five items and more."""
        found = [tuple(typed_items(each)) for each in self.nodes]
        return tuple(each for each in found if len(each) >= TYPED_ITEMS)[:MAX_LISTS]

    @cached_property
    def named_lists(self) -> dict[str, tuple[str, ...]]:
        """Typed lists of any length, by the name that each is given."""
        return {name: found for name, value in self.assignments() if (found := tuple(typed_items(value)))}

    def assignments(self) -> Iterator[tuple[str, ast.expr]]:
        for each in self.nodes:
            if isinstance(each, ast.Assign):
                yield from ((name, each.value) for name in _targets(each))

    @cached_property
    def works(self) -> bool:
        """Whether it looks at the context, or asks anybody about it."""
        return self.asks or self.looks

    @cached_property
    def looks(self) -> bool:
        """Whether it looks at the context; of what cannot be parsed, whether it names it."""
        return bool({"context", "search"} & (self.read if self.tree else self.words.keys()))

    def gives(self, text: str) -> bool:
        """Whether it gives some name this string, as it stands."""
        return any(
            isinstance(each, ast.Assign) and isinstance(each.value, ast.Constant) and each.value.value == text
            for each in self.nodes
        )

    def given_by_helpers(self) -> Iterator[tuple[str, str]]:
        """Names that it gives what a helper said, each with its first line."""
        for each in self.tree.body if self.tree else ():
            if isinstance(each, ast.Assign) and any(_is_call_of(part, HELPERS) for part in ast.walk(each.value)):
                yield from ((name, self.text.splitlines()[each.lineno - 1]) for name in _targets(each))


def typed_items(node: ast.AST) -> Iterator[str]:
    """The items of a list of texts, as somebody typed it; nothing of what is none."""
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        values = [each.value for each in node.elts if isinstance(each, ast.Constant)]
        if len(values) == len(node.elts):
            yield from (each for each in values if isinstance(each, str))
    elif (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in ("split", "splitlines")
    ):
        text = node.func.value.value if isinstance(node.func.value, ast.Constant) else None
        if isinstance(text, str) and len(text) <= MAX_TYPED_CHARS:
            by = [each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
            yield from (part.strip() for part in (text.split(by[0]) if by and by[0] else text.split()))


def _is_call_of(node: ast.AST, names: frozenset[str]) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names


def _targets(statement: ast.AST) -> Iterator[str]:
    """Plain names that a statement gives a value."""
    given: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        given = statement.targets
    elif isinstance(statement, ast.AnnAssign | ast.AugAssign):
        given = [statement.target]
    for target in given:
        for each in target.elts if isinstance(target, ast.Tuple | ast.List) else [target]:
            if isinstance(each, ast.Name):
                yield each.id
