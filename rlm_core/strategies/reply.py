"""Code and answers out of what a model wrote.

Where the code stands is found by `fences.py`, an answer in words by `finals.py`; here is decided which of both a reply means.
It knows the dialects that models have learnt, and lists what it had to make good (`Move.repairs`); it does not judge whether
an answer is acceptable (`guards.py`).
"""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass
from textwrap import dedent
from typing import Any

from rlm_core.strategies.fences import TEXT_LANGUAGES, Block, Scan, acts, parsed, scan
from rlm_core.strategies.finals import ACT, Final, answer_line, bracketed, finals, unquoted

MAX_CELLS = 50
MAX_CELL_CHARS = 200_000
"""A longer block is not run; the model is told."""
MAX_BARE_BLOCKS = 60
"""Blocks without a language that are parsed to find out whether they are code."""
MAX_SEARCHES = 10
MAX_TOOL_CALLS = 20
MAX_ANSWER_LINES = 100

BARE_FENCE, NO_FENCE, TOOL_CALL = "fence without a language", "code without a fence", "code in a tool call"
GUESSED_OUTPUT, BESIDE_CODE = "guessed output left out", "answer beside code left out"
WORDS_IN_A_CELL = "FINAL of words in a cell"

_OUTPUT_LINE = re.compile(
    r"^[ \t>*#]{0,8}(?:(?:expected |cell |execution |repl |the )?(?:output|result|stdout)s?|observation)"
    r"(?: of (?:the |this )?(?:cell|code))?[*`]{0,3}:",
    re.I,
)
_OUTPUT_LANGUAGES = frozenset({"output", "out", "stdout", "console", "result", "results"})
_ANSWERING = re.compile(r"^[ \t]{0,8}(?:answer(?:\[['\"]|\.update\(|[ \t]?=[ \t]?\{)|SUBMIT\()")
_OWN_CALLS = ("print", "record", "llm_query", "llm_query_batched", "rlm_query", "SUBMIT", "SHOW_VARS")
_SEARCH = re.compile(rf"^[ \t>*`-]{{0,20}}{ACT}SEARCH[ \t]{{0,4}}\(", re.M)
_CODE_KEYS = ("code", "python", "source", "script")
_ARGUMENT_KEYS = ("arguments", "parameters", "input", "args", "function", "tool_calls")


@dataclass(frozen=True, slots=True)
class Move:
    """What a reply asks for: code to run in order, else an answer given in words, else searches, else nothing."""

    cells: tuple[str, ...] = ()
    final: str | None = None
    """Text of FINAL(...) in words, as it stands."""
    final_variable: str | None = None
    """Name in FINAL_VAR(...) in words."""
    final_code: str | None = None
    """A cell that hands over the answer where FINAL stands round what may be a name or an expression. It overrules `final`."""
    searches: tuple[str, ...] = ()
    """Queries of SEARCH(...) in words."""
    left_out: int = 0
    """Blocks that are too long or too many to be run."""
    repairs: tuple[str, ...] = ()
    """What was read in spite of a fault, in short words."""

    @property
    def closing(self) -> str | None:
        """The cell that hands over the answer given in words, where that takes the session: run it after `cells`."""
        return self.final_code or (None if self.final_variable is None else f"FINAL_VAR({self.final_variable!r})")


def read_reply(text: str, *, answer_lines: bool = False) -> Move:
    """Read one reply. FINAL in words counts only where the reply holds no code; FINAL_VAR also beside code, as the paper's
    models write it: the cell that makes the variable, then its name. With `answer_lines`, `ANSWER: ...` counts as FINAL does,
    and `SEARCH(...)` is read."""
    found = scan(text)
    prose = _prose(found)
    said = [Final(answer)] if answer_lines and (answer := answer_line(prose)) else finals(prose)
    searches = tuple(_searches(prose)) if answer_lines else ()
    blocks = _code(found) or _unmarked_code(found, prose, said or searches)
    words = _words_in_a_cell(blocks)
    if words is not None:
        return _answered(words, (*found.repairs, WORDS_IN_A_CELL))
    if blocks:
        return _played(found, blocks, said, searches)
    if said:
        return _answered(said[-1], found.repairs)
    return Move(searches=searches, repairs=tuple(found.repairs))


def without_thoughts(text: str) -> str:
    """Everything that a reply says, its code included, but not what the model thought."""
    pieces = (
        piece if isinstance(piece, str) else f"```{piece.language}\n{piece.text}\n```" for piece in scan(text).pieces
    )
    return "\n".join(pieces).strip()


def _played(found: Scan, blocks: list[str], said: list[Final], searches: tuple[str, ...]) -> Move:
    cells = tuple(block for block in blocks[:MAX_CELLS] if len(block) <= MAX_CELL_CHARS)
    if _outputs_after_code(found):
        found.note(GUESSED_OUTPUT)
    names = [final.name for final in said if final.name is not None]
    if said and not names:
        found.note(BESIDE_CODE)
    return Move(
        cells,
        final_variable=names[-1] if names else None,
        searches=searches,
        left_out=len(blocks) - len(cells),
        repairs=tuple(found.repairs),
    )


def _answered(final: Final, repairs: list[str] | tuple[str, ...]) -> Move:
    all_repairs = tuple(repairs) + ((final.repair,) if final.repair else ())
    if final.name is not None:
        return Move(final_variable=final.name, repairs=all_repairs)
    return Move(final=final.text, final_code=final.code, repairs=all_repairs)


def _prose(found: Scan) -> str:
    """Everything that is not code, and no block of data either."""
    words = []
    for piece in found.pieces:
        if isinstance(piece, str):
            words.append(piece)
        elif piece.language in TEXT_LANGUAGES:
            words.append(piece.text)
    return "\n".join(words)


def _code(found: Scan) -> list[str]:
    """The blocks that are marked as code; where there are none, the bare ones that do something."""
    marked = [piece.text for piece in found.pieces if isinstance(piece, Block) and piece.is_code]
    if marked:
        return marked
    blocks = [piece for piece in found.pieces if isinstance(piece, Block)][:MAX_BARE_BLOCKS]
    bare = [block.text for block in blocks if _is_bare_code(block)]
    if bare:
        found.note(BARE_FENCE)
    return bare


def _is_bare_code(block: Block) -> bool:
    """Whether a block without a language is code. One that is nothing but FINAL(...) is read as words."""
    tree = None if block.language else parsed(block.text)
    return tree is not None and acts(tree) and not _is_one_call(tree, "FINAL", "FINAL_VAR")


def _is_one_call(tree: ast.Module, *names: str) -> bool:
    return len(tree.body) == 1 and _called(tree.body[0]) in names


def _called(statement: ast.stmt) -> str:
    value = statement.value if isinstance(statement, ast.Expr) else None
    value = value.value if isinstance(value, ast.Await) else value
    return value.func.id if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) else ""


def _unmarked_code(found: Scan, prose: str, answered: object) -> list[str]:
    """Code that nothing marks: a tool call, or a reply that is a program as it stands."""
    code = _tool_call(found, prose)
    if code is not None:
        found.note(TOOL_CALL)
        return [code]
    if answered or any(isinstance(piece, Block) for piece in found.pieces):
        return []
    tree = parsed(prose)
    is_expression = tree is not None and len(tree.body) == 1 and isinstance(tree.body[0], ast.Expr)
    if tree is not None and acts(tree) and (not is_expression or _is_one_call(tree, *_OWN_CALLS)):
        code = prose.strip("\n")  # but not `Paris (France)`, which parses too
    else:
        code = _answer_statements(prose)
    if code:
        found.note(NO_FENCE)
    return [code] if code else []


def _answer_statements(prose: str) -> str:
    """Lines such as `answer["ready"] = True` among words: the first of them up to where they are whole."""
    lines = prose.split("\n")
    starts = [at for at, line in enumerate(lines) if _ANSWERING.match(line)]
    if not starts:
        return ""
    for end in range(starts[-1] + 1, min(len(lines), starts[-1] + MAX_ANSWER_LINES) + 1):
        code = dedent("\n".join(lines[starts[0] : end]))
        if parsed(code) is not None:
            return code
    return ""


def _tool_call(found: Scan, prose: str) -> str | None:
    """Code in a tool call: JSON in a fence, in a tag, or as the whole reply."""
    texts = [
        piece.text for piece in found.pieces if isinstance(piece, Block) and piece.language in ("json", "tool_call")
    ]
    texts += [piece.partition("</tool_call>")[0] for piece in prose.split("<tool_call>", MAX_TOOL_CALLS)[1:]]
    for text in [*texts[:MAX_TOOL_CALLS], prose]:
        text = text.strip()
        if text[:1] not in ("{", "[") or len(text) > MAX_CELL_CHARS or '"' not in text:
            continue
        try:
            code = _code_in(json.loads(text))
        except (ValueError, RecursionError):
            continue
        if code:
            return code
    return None


def _code_in(call: Any, depth: int = 0) -> str | None:
    """The code in a tool call, in the forms of the usual servers; arguments may be JSON in a string."""
    if depth > 4:
        return None
    if isinstance(call, str) and call.lstrip().startswith("{"):
        return _code_in(json.loads(call), depth + 1)
    if isinstance(call, list):
        return _code_in(call[0], depth + 1) if call else None
    if not isinstance(call, dict):
        return None
    for key in _CODE_KEYS:
        if isinstance(call.get(key), str) and call[key].strip():
            return str(call[key])
    inner = (_code_in(call[key], depth + 1) for key in _ARGUMENT_KEYS if key in call)
    return next((code for code in inner if code), None)


def _outputs_after_code(found: Scan) -> bool:
    """Whether the reply writes down what a cell is to print, which nobody can know yet."""
    after_code = False
    for piece in found.pieces:
        if isinstance(piece, str):
            if after_code and _OUTPUT_LINE.match(piece):
                return True
        elif piece.is_code:
            after_code = True
        elif after_code and (piece.language in _OUTPUT_LANGUAGES or piece.language in ("", "text", "plaintext")):
            return True
    return False


def _words_in_a_cell(blocks: list[str]) -> Final | None:
    """The answer of a cell that is nothing but FINAL round plain words, which is no Python."""
    code = blocks[0].strip() if len(blocks) == 1 else ""
    if not code.startswith("FINAL(") or not code.endswith(")") or parsed(code) is not None:
        return None
    inside = bracketed(code, len("FINAL("))
    if len(inside) + len("FINAL()") < len(code) or not inside.strip() or inside.lstrip()[:1] in "\"'f([{":
        return None  # more than FINAL, or code with an error in it
    return Final(unquoted(inside.strip()))


def _searches(prose: str) -> list[str]:
    found = (bracketed(prose, match.end()).strip() for match in list(_SEARCH.finditer(prose))[:MAX_SEARCHES])
    return [query for each in found if (query := unquoted(each).strip())]
