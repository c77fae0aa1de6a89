"""An RTF file becomes the text that a reader of it would see: paragraphs as lines, rows of tables as lines with tabs.

The file is read once, token by token; nothing here calls itself. No library: those that there are lose footnotes, headers and
text boxes, and take long.

Covered: code pages of fonts, characters beyond them, footnotes, comments and text boxes (behind their paragraph), headers and
footers (at the end), numbers of list items, fields (their results), binary data. Deleted text is left out, and that is said.
Not covered: layout, embedded objects, tables inside tables (their cells are parted, their rows are lines).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from rlm_core.corpus.formats.flow import Flow, deletions_told
from rlm_core.corpus.formats.rtf_words import (
    BESIDE,
    BOXES,
    CHARSETS,
    CODE_PAGES,
    DEAD,
    ENDS_OF_PARAGRAPHS,
    HEARD_AGAIN,
    LETTERS,
    SIGNS,
    SILENT,
    TOKEN,
    known_page,
)
from rlm_core.corpus.formats.symbols import symbol
from rlm_core.corpus.limits import Refused
from rlm_core.corpus.reading import Reading

_Voice = Literal["heard", "silent", "dead", "fonts", "author"]


@dataclass(frozen=True, slots=True)
class _Group:
    """What holds between a brace and the one that closes it. `closes`: what must be ended with it."""

    voice: _Voice = "heard"
    skipped_after_unicode: int = 1
    font: int = -1
    in_table: bool = False
    deleted: bool = False
    closes: str = ""


def read_rtf(data: bytes) -> Reading:
    """Raises `Refused` for what is no RTF."""
    if not data.lstrip().startswith(b"{\\rtf"):
        raise Refused("malformed", "The file is damaged: it does not begin as RTF does.")
    document = _Document()
    document.read(data)
    return Reading(document.text(), warning=deletions_told(document.deletions))


class _Document:
    def __init__(self) -> None:
        self.deletions = 0
        self._flow = Flow()
        self._beside: dict[str, dict[str, None]] = {"Headers": {}, "Footers": {}}
        self._group = _Group()
        self._around: list[_Group] = []
        self._flows: list[Flow] = []  # of the texts around a header
        self._rows: list[tuple[bool, bool]] = []  # the same as the next two, of the texts around a box
        self._row_open = self._cell_open = False
        self._bytes = bytearray()  # in the code page of the font, not decoded yet
        self._to_skip = 0  # characters for readers that do not know Unicode
        self._starred = False
        self._code_page = "cp1252"
        self._fonts: dict[int, str] = {}
        self._author = ""
        self._notes = 0

    def read(self, data: bytes) -> None:
        at = 0
        while at < len(data):
            match = TOKEN.match(data, at)
            if match is None:
                at += 1
                continue
            at = match.end()
            word, number, code, sign, brace, text = match.groups()
            if word:
                value = int(number) if number else None
                if word == b"bin":
                    at += max(value or 0, 0)
                self._word(word.decode("ascii"), value)
            elif code or text:
                self._literal(bytes.fromhex(code.decode()) if code else text)
            elif brace:
                self._brace(brace)
            elif sign:
                self._sign(sign)

    def text(self) -> str:
        while self._around:
            self._close()
        self._flush()
        self._end_row()
        parts = [self._flow.text()]
        parts += ["\n".join([f"{heading}:", *texts]) for heading, texts in self._beside.items() if texts]
        joined = "\n\n".join(part for part in parts if part)
        return joined.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

    def _literal(self, text: bytes) -> None:
        skipped = min(self._to_skip, len(text))
        self._to_skip -= skipped
        if self._group.voice in ("heard", "author"):
            self._bytes += text[skipped:]

    def _sign(self, sign: bytes) -> None:
        if sign == b"*":
            self._starred = True
        elif sign in (b"\n", b"\r"):
            self._word("par", None)
        elif sign in SIGNS:
            self._add(SIGNS[sign])

    def _brace(self, brace: bytes) -> None:
        self._flush()
        self._to_skip = 0
        if brace == b"{":
            self._around.append(self._group)
            self._group = replace(self._group, closes="")
        elif self._around:
            self._close()

    def _close(self) -> None:
        self._flush()
        closes, self._group = self._group.closes, self._around.pop()
        if closes == "box":
            self._end_row()
            self._flow.end_box()
            self._row_open, self._cell_open = self._rows.pop()
        elif closes:
            self._end_row()
            if text := self._flow.text():
                self._beside[closes][text] = None
            self._flow = self._flows.pop()
            self._row_open, self._cell_open = self._rows.pop()

    def _word(self, word: str, value: int | None) -> None:
        starred, self._starred = self._starred, False
        if word == "u" and value is not None:
            self._add(chr(value % 0x10000))
            self._to_skip = self._group.skipped_after_unicode
            return
        self._flush()
        self._to_skip = 0
        if not self._destination(word, starred) and not self._property(word, value) and self._is_heard():
            self._content(word)

    def _destination(self, word: str, starred: bool) -> bool:
        """Whether the word says what the group is for."""
        group, voice = self._group, self._group.voice
        if voice == "dead":
            return True
        if word in HEARD_AGAIN and voice == "silent":
            self._group = group = replace(group, voice="heard")
        elif word == "fonttbl":
            self._group = replace(group, voice="fonts")
        elif word == "atnauthor":
            self._author, self._group = "", replace(group, voice="author")
        elif word in DEAD:
            self._group = replace(group, voice="dead")
        elif word in SILENT:
            self._group = replace(group, voice="silent")
        elif word not in BOXES and word not in BESIDE:
            if starred:
                self._group = replace(group, voice="dead")
            return starred
        if self._group.voice == "heard" and word in BOXES:
            self._start_box(word)
        elif self._group.voice == "heard" and word in BESIDE:
            self._start_beside(BESIDE[word])
        return True

    def _start_box(self, word: str) -> None:
        self._notes += word == "footnote"
        self._place()
        self._flow.start_box()
        self._group = replace(self._group, closes="box", in_table=False)
        self._rows.append((self._row_open, self._cell_open))
        self._row_open = self._cell_open = False
        self._flow.add(BOXES[word].format(self._author.strip() or "somebody"))

    def _start_beside(self, heading: str) -> None:
        self._flows.append(self._flow)
        self._rows.append((self._row_open, self._cell_open))
        self._flow, self._row_open, self._cell_open = Flow(), False, False
        self._group = replace(self._group, closes=heading, in_table=False)

    def _property(self, word: str, value: int | None) -> bool:
        """Whether the word changes how the text after it is read."""
        group = self._group
        if word == "f" and value is not None:
            self._group = replace(group, font=value)
        elif word == "uc":
            self._group = replace(group, skipped_after_unicode=min(max(value or 0, 0), 10))
        elif word == "deleted":
            self.deletions += value != 0 and not group.deleted
            self._group = replace(group, deleted=value != 0)
        elif word == "plain":
            self._group = replace(group, deleted=False)
        elif word in ("intbl", "pard"):
            self._group = replace(group, in_table=word == "intbl")
        elif word == "fcharset" and group.voice == "fonts":
            self._fonts[group.font] = CHARSETS.get(value or 0, "")
        elif word == "ansicpg":
            self._code_page = known_page(f"cp{value}", self._code_page)
        elif word in CODE_PAGES:
            self._code_page = CODE_PAGES[word]
        else:
            return False
        return True

    def _content(self, word: str) -> None:
        if word in LETTERS:
            self._add(LETTERS[word])
        elif word in ENDS_OF_PARAGRAPHS:
            self._place()
            self._flow.end_paragraph()
        elif word == "cell":
            self._start_cell()
            self._flow.end_cell()
            self._cell_open = False
        elif word == "row":
            self._end_row()
        elif word == "chftn":
            inside = any(group.closes == "box" for group in (self._group, *self._around))
            self._add(f"[{self._notes + (not inside)}]")

    def _is_heard(self) -> bool:
        return self._group.voice == "heard" and not self._group.deleted

    def _add(self, text: str) -> None:
        self._flush()
        if self._is_heard():
            self._place()
            self._flow.add(text)

    def _flush(self) -> None:
        if not self._bytes:
            return
        page = self._fonts.get(self._group.font) or self._code_page
        data = bytes(self._bytes)
        self._bytes.clear()
        text = (
            "".join(symbol("Symbol", f"{each:x}") for each in data)
            if page == "symbol"
            else data.decode(page, "replace")
        )
        if self._group.voice == "author":
            self._author += text
        elif self._is_heard():
            self._place()
            self._flow.add(text)

    def _place(self) -> None:
        """Before text: it may be the first of a cell, or the first behind a table."""
        if self._group.in_table:
            self._start_cell()
        elif self._row_open and not self._cell_open:
            self._end_row()

    def _start_cell(self) -> None:
        if not self._row_open:
            self._flow.start_row()
            self._row_open = True
        if not self._cell_open:
            self._flow.start_cell()
            self._cell_open = True

    def _end_row(self) -> None:
        if self._cell_open:
            self._flow.end_cell()
        if self._row_open:
            self._flow.end_row()
        self._row_open = self._cell_open = False
