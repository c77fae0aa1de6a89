"""Runs one cell: compile, execute, echo the last expression.

Runs in the child. Knows Python; refuses to know where code comes from and where output goes.
"""

from __future__ import annotations

import _ast
import sys

from rlm_core.sandbox.preview import echo

TYPE_CHECKING = False  # as in `typing`, whose import would be a tenth of the child's start
if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import CodeType
    from typing import Any

_ECHO = "__echo__"
_FUNCTION: Any = type(lambda: None)
_CODE: Any = type((lambda: None).__code__)
_COROUTINE = 0x80  # inspect.CO_COROUTINE


def compile_cell(source: str, name: str) -> CodeType:
    """The cell's code; the value of a last expression is left in the namespace. Raises `SyntaxError`, `ValueError`."""
    flags = _ast.PyCF_ONLY_AST | _ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    tree: Any = compile(source, name, "exec", flags=flags, dont_inherit=True)
    last = tree.body[-1] if tree.body else None
    if isinstance(last, _ast.Expr):
        place: Any = {name: getattr(last, name) for name in ("lineno", "col_offset", "end_lineno", "end_col_offset")}
        target = _ast.Name(_ECHO, _ast.Store(), **place)
        tree.body[-1] = _ast.Assign([target], last.value, **place)
    code: CodeType = compile(tree, name, "exec", flags=_ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    return code


def run_cell(code: CodeType, variables: dict[str, Any]) -> None:
    """Execute `code` in `variables` and print the value of its last expression. Raises whatever the cell raises."""
    variables.pop(_ECHO, None)
    if code.co_flags & _COROUTINE:
        import asyncio  # 30 ms, and few cells await

        asyncio.run(eval(code, variables))
    else:
        exec(code, variables)
    value = variables.pop(_ECHO, None)
    if value is not None:
        print(echo(value), file=sys.stdout)


def names_in(code: CodeType, variables: Mapping[str, Any]) -> set[str]:
    """The global names that `code` uses, itself, in its functions, and in those of `variables` that it names."""
    names: set[str] = set()
    waiting = [code]
    while waiting:
        current = waiting.pop()
        fresh = set(current.co_names) - names
        names |= fresh
        waiting += [each for each in current.co_consts if isinstance(each, _CODE)]
        waiting += [each.__code__ for each in map(variables.get, fresh) if isinstance(each, _FUNCTION)]
    return names
