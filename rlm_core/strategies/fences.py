"""Where the code stands in a reply, and where the words: fences, tags and thoughts, in the order in which they come.

A scanner over lines, not a regular expression that stops at the first backtick: a fence inside a string does not end a
block. Knows how models mark code; refuses to know what the code and the words mean (`reply.py`).

A reply is hostile text, and a model that repeats itself writes strange ones by the megabyte: every step here is bounded,
and Python's own parser, which can be driven out of memory and stack, is only shown blocks of a sane size.
"""

from __future__ import annotations

import ast
import re
import threading
import warnings
from bisect import bisect_left
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from textwrap import dedent

MAX_CHECKED_CHARS = 50_000
"""A longer block is not parsed to find out where it ends."""
MAX_CANDIDATES = 20
MAX_PARSED_CHARS = 1_500_000
"""Of all blocks of a reply, tried up to each place where they could end: a second or two of Python's parser."""
MAX_BLOCK_LINES = 20_000
MAX_THOUGHTS = 200
MAX_TAGS = 20
MAX_TAG_LINES = 5_000

CODE_LANGUAGES = frozenset({"repl", "python", "py", "python3", "ipython", "tool_code"})
TEXT_LANGUAGES = frozenset({"", "text", "txt", "plaintext", "markdown", "md"})
"""What stands in such a fence belongs to the words of the reply, unless it is code."""

CALLABLE_NAMES = frozenset({"FINAL", "FINAL_VAR", "SUBMIT", "SHOW_VARS"})

THOUGHT, THOUGHT_OPEN = "thinking left out", "thinking that never ended left out"
NOT_CLOSED, IN_A_TAG, ON_THE_FENCE = "fence not closed", "code in a tag", "code on the line of the fence"
INDENTED, AFTER_WORDS = "indented code", "fence after words"

# What a line may hold without end is taken whole (`*+`): a line of spaces would else be tried in every division of them.
_TICKS = r"(?P<ticks>`{3,40}+|~{3,40}+)"
_FENCE = re.compile(
    rf"^(?P<indent>[ \t]{{0,16}}(?:[-*>+]|\d{{1,3}}[.)])?[ \t]{{0,4}}){_TICKS}[ \t]*+(?P<language>[\w+.-]{{0,20}}+)"
    r"(?P<rest>[^\n`]*+)$"
)
_ONE_LINE = re.compile(
    r"^[ \t]{0,16}(?P<ticks>`{3,4})(?P<language>repl|python3?|py)[ \t]++(?P<code>.+?)(?P=ticks)[ \t]*+$", re.I
)
_FENCE_AFTER_WORDS = re.compile(
    r"^(?P<indent>)[^`\n]{1,400}?(?P<ticks>`{3,40})(?P<language>repl|python3?|py)(?P<rest>)[ \t]*$", re.I
)
_TAG = re.compile(
    r"^[ \t]{0,16}<(?P<name>code|python|py|repl|execute|parameter(?==code>| name=\"code\">))"
    r"(?:=code| name=\"code\")?>(?P<rest>.*)$",
    re.I,
)
_PYTHON_TAG = "<|python_tag|>"
"""One family of models writes this, and code to the end of the reply."""
_ENDS = ("<|eom_id|>", "<|eot_id|>")
_THOUGHT = re.compile(r"^[ \t]{0,16}(?:<|◁)(?P<name>think|thinking|thought|reasoning|analysis|scratchpad)(?:>|▷)", re.I)
_THOUGHT_END = re.compile(r"</think>|◁/think▷", re.I)
_PARSING = threading.Lock()
"""Frames read replies in threads of their own, and filters of warnings are the process's."""
_CHANNEL = "<|channel|>final<|message|>"


@dataclass(frozen=True, slots=True)
class Block:
    """A marked block. `language` is in lower case and empty where none was given."""

    language: str
    text: str

    @property
    def is_code(self) -> bool:
        return self.language in CODE_LANGUAGES


@dataclass(slots=True)
class Scan:
    """A reply in its pieces: blocks, and lines of words as strings, in order; and what had to be made good."""

    pieces: list[Block | str] = field(default_factory=list)
    repairs: list[str] = field(default_factory=list)

    def note(self, repair: str) -> None:
        if repair not in self.repairs:
            self.repairs.append(repair)


def scan(text: str) -> Scan:
    """The pieces of a reply, without what the model thought before it."""
    return _Scanner(text).scan()


def parsed(code: str) -> ast.Module | None:
    """The tree of a block of sane size, if it is whole Python. Where the parser gives up, the sandbox will say why."""
    if not code.strip() or len(code) > MAX_CHECKED_CHARS:
        return None
    try:
        with without_warnings():
            return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


@contextmanager
def without_warnings() -> Iterator[None]:
    """Python's parser warns of `"\\d"`, which models write all the time: nobody is to be told, nor does it make code wrong."""
    with _PARSING, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@dataclass(frozen=True, slots=True)
class _Ending:
    """Where a block ends: the line after its last whole one, the line to go on with (`None`: nothing ended it), and a last
    line of code that shares its place with the fence."""

    at: int
    resume: int | None
    last: tuple[str, ...] = ()


class _Scanner:
    def __init__(self, text: str, tags: int = MAX_TAGS) -> None:
        self._found = Scan()
        text = self._without_orphan_thought(text.replace("\r\n", "\n").replace("\r", "\n"))
        self._lines = text.split("\n")
        self._ends = [at for at, line in enumerate(self._lines) if "```" in line or "~~~" in line]
        """Lines that could end a block."""
        self._alone = [at for at in self._ends if _is_alone(self._lines[at], self._lines[at].strip("> \t")[:3])]
        cells = [at for at in self._ends if (found := _FENCE.match(self._lines[at])) and _is_code(found)]
        self._cell_lines, self._cells = cells, frozenset(cells)
        """Lines where a fence of code opens."""
        self._tags_left, self._chars_to_parse = tags, MAX_PARSED_CHARS
        self._thoughts_left = MAX_THOUGHTS

    def scan(self) -> Scan:
        at = 0
        while at < len(self._lines):
            at = self._step(at)
        return self._found

    def _step(self, at: int) -> int:
        """Read what begins at a line; the line to go on with."""
        for read in (self._thought, self._tag, self._one_line, self._fence):
            after = read(at)
            if after is not None:
                return after
        self._found.pieces.append(self._lines[at])
        return at + 1

    def _without_orphan_thought(self, text: str) -> str:
        """Some servers leave out the tag that opens the thoughts, and some show their channels."""
        if text.lstrip().startswith("<|") and _CHANNEL in text:
            self._found.note(THOUGHT)
            return text.rpartition(_CHANNEL)[2].removesuffix("<|return|>").removesuffix("<|end|>")
        end = _THOUGHT_END.search(text)
        if end is None or "<think" in text[: end.start()].lower() or "◁think▷" in text[: end.start()]:
            return text
        line_starts = text[: end.start()].rpartition("\n")[2].strip() == ""
        line_ends = text[end.end() :].partition("\n")[0].strip() == ""
        if not line_starts and not line_ends:
            return text
        self._found.note(THOUGHT)
        return text[end.end() :]

    def _thought(self, at: int) -> int | None:
        """Skip a block of thoughts; the line after it. Without an end everything that follows was only thought."""
        opening = _THOUGHT.match(self._lines[at])
        if not opening or self._thoughts_left == 0:
            return None
        self._thoughts_left -= 1
        end = re.compile(rf"(?:</|◁/){opening['name']}(?:>|▷)", re.I)
        for line in range(at, len(self._lines)):
            closing = end.search(self._lines[line])
            if closing:
                self._found.note(THOUGHT)
                self._lines[line] = self._lines[line][closing.end() :]
                return line
        self._found.note(THOUGHT_OPEN)
        return len(self._lines)

    def _tag(self, at: int) -> int | None:
        """`<code>` and its like, as long as what they hold is code."""
        if self._lines[at].startswith(_PYTHON_TAG):
            code = "\n".join(self._lines[at:]).removeprefix(_PYTHON_TAG).rstrip()
            for end in _ENDS:
                code = code.removesuffix(end)
            self._found.note(IN_A_TAG)
            self._found.pieces += [Block("repl", code)] if code.strip() else []
            return len(self._lines)
        opening = _TAG.match(self._lines[at])
        if not opening or self._tags_left == 0:
            return None
        self._tags_left -= 1
        end = f"</{opening['name'].lower()}>"
        held, at_end, closed = [opening["rest"]], at, False
        for at_end in range(at, min(len(self._lines), at + MAX_TAG_LINES)):
            piece = held.pop() if at_end == at else self._lines[at_end]
            place = piece.lower().find(end)
            closed = place >= 0
            held.append(piece[:place] if closed else piece)
            if closed:
                break
        block = self._of_a_tag("\n".join(held))
        if block is None:
            return None
        self._found.note(IN_A_TAG)
        if not closed:
            self._found.note(NOT_CLOSED)
        self._found.pieces.append(block)
        return at_end + 1

    def _of_a_tag(self, inside: str) -> Block | None:
        if "```" in inside:
            pieces = _Scanner(inside, tags=0).scan().pieces
            inner = next((piece for piece in pieces if isinstance(piece, Block)), None)
            return Block("repl", inner.text) if inner else None
        code = dedent(inside).strip("\n")
        tree = parsed(code)
        if tree is None:
            return Block("repl", code) if _looks_like_code(code) else None
        return Block("repl", code) if acts(tree) else None

    def _one_line(self, at: int) -> int | None:
        found = _ONE_LINE.match(self._lines[at])
        if not found:
            return None
        self._found.note(ON_THE_FENCE)
        self._found.pieces.append(Block("repl", found["code"].strip()))
        return at + 1

    def _fence(self, at: int) -> int | None:
        opening = _FENCE.match(self._lines[at])
        if not opening:
            opening = _FENCE_AFTER_WORDS.match(self._lines[at])
            if not opening:
                return None
            self._found.note(AFTER_WORDS)
            self._found.pieces.append(self._lines[at][: opening.start("ticks")])
        language, is_code = opening["language"].lower(), opening["language"].lower() in CODE_LANGUAGES
        end = self._closing(at + 1, opening["ticks"], is_code=is_code)
        if not is_code and self._holds_code(at + 1, end.at):
            return at + 1  # a fence round the whole reply: the code is inside
        lines = [*self._lines[at + 1 : end.at], *end.last]
        if end.resume is None and is_code:
            self._found.note(NOT_CLOSED)
        block = self._straightened(opening, lines) if is_code else "\n".join(lines)
        if block.strip():
            self._found.pieces.append(Block(language, block))
        return len(self._lines) if end.resume is None else end.resume

    def _holds_code(self, start: int, end: int) -> bool:
        next_cell = bisect_left(self._cell_lines, start)
        return next_cell < len(self._cell_lines) and self._cell_lines[next_cell] < end

    def _closing(self, start: int, ticks: str, *, is_code: bool) -> _Ending:
        """Where a block ends. Of the candidates the first after which the code is whole, else the first that is a fence alone,
        else the end of the reply."""
        alone = self._fence_alone(start, ticks)
        if not is_code or alone.at - start > MAX_BLOCK_LINES:
            return alone
        tried = 0
        first = bisect_left(self._ends, start)
        for at in self._ends[first : first + MAX_CANDIDATES * 2]:
            ending = self._ending(at, ticks)
            if ending is None:
                continue
            tried += 1
            lines = [*self._lines[start:at], *ending.last]
            self._chars_to_parse -= sum(map(len, lines)) + len(lines)
            if self._chars_to_parse < 0 or tried > MAX_CANDIDATES:
                break
            if parsed(dedent("\n".join(lines))) is not None:
                return ending
        return alone

    def _fence_alone(self, start: int, ticks: str) -> _Ending:
        first = bisect_left(self._alone, start)
        for at in self._alone[first : first + MAX_CANDIDATES]:
            if _is_alone(self._lines[at], ticks):
                return _Ending(at, at + 1)
        return _Ending(len(self._lines), None)

    def _ending(self, at: int, ticks: str) -> _Ending | None:
        line = self._lines[at]
        if _is_alone(line, ticks):
            return _Ending(at, at + 1)
        if at in self._cells:
            return _Ending(at, at)  # the next cell begins where this one was not closed
        if line.rstrip().endswith("```") and ticks == "```":
            return _Ending(at, at + 1, (line.rstrip().removesuffix("```"),))
        return None

    def _straightened(self, opening: re.Match[str], lines: list[str]) -> str:
        """The code of a block without the indentation of its fence, and with what stands on the fence's own line."""
        if lines and all(line.startswith(">") for line in lines if line.strip()):
            lines = [line.removeprefix(">").removeprefix(" ") for line in lines]
        block = "\n".join(lines)
        rest = opening["rest"].strip()
        if ("(" in rest or "=" in rest or rest.startswith(("import ", "from "))) and not rest.startswith("{"):
            whole = f"{rest}\n{block}" if block else rest
            if parsed(whole) is not None:
                self._found.note(ON_THE_FENCE)
                return whole
        if block[:1] in " \t" and (straight := dedent(block)) != block:
            self._found.note(INDENTED)
            return straight
        return block


def acts(tree: ast.Module) -> bool:
    """Whether code does anything. A value alone, or the `repr` of one, is rather an output than code."""
    return any(_acts(each) for each in tree.body)


def _acts(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.AnnAssign):
        return False  # `Label: spam` parses too, and so does `Total: n = 17`
    return not isinstance(statement, ast.Expr) or _calls(statement.value)


def _calls(value: ast.expr) -> bool:
    if not isinstance(value, ast.Call):
        return isinstance(value, ast.Await)
    name = value.func.id if isinstance(value.func, ast.Name) else ""
    return not name[:1].isupper() or name in CALLABLE_NAMES


def _is_code(opening: re.Match[str]) -> bool:
    return opening["language"].lower() in CODE_LANGUAGES


def _is_alone(line: str, ticks: str) -> bool:
    line = line.strip().removeprefix("> ").strip()
    return len(line) >= len(ticks) and line[:1] == ticks[0] and line == line[0] * len(line)


def _looks_like_code(text: str) -> bool:
    return any(mark in text for mark in ("print(", "import ", " = ", "FINAL", "def "))
