"""The text in the XML of OpenDocument: paragraphs, tables, boxes, notes and comments.

Knows which elements hold text and which white space counts. Refuses to know files: `opendocument.py` puts them together.
"""

from __future__ import annotations

import re

from lxml import etree

from rlm_core.corpus.formats.flow import Flow
from rlm_core.corpus.formats.package import Element, attribute, local

_PARAGRAPHS = frozenset(("p", "h"))
_BOXES = frozenset(("text-box", "note-body", "annotation"))
_CELLS = frozenset(("table-cell", "covered-table-cell"))
_UNSEEN = frozenset(("tracked-changes", "forms", "note-citation", "ruby-text", "notes", "settings"))
_SAID_ELSEWHERE = frozenset(("creator", "date", "desc", "title"))
"""Unseen as well, unless they are fields in the text."""
_TEXT_NAMESPACE = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_MARKS = {"tab": "\t", "line-break": "\n"}
_SPACE = re.compile(r"[ \t\n\r]+")
_MAX_SPACES = 1000


class OdfStory:
    """One run of text: the body, a page, a cell."""

    def __init__(self) -> None:
        self.flow = Flow()
        self._paragraphs = [0]  # open at this place, in the body and in each box and cell around it

    def read(self, root: Element) -> None:
        walk = etree.iterwalk(root, events=("start", "end"))
        for event, element in walk:
            name = local(element.tag)
            if event == "start":
                if element is not root and _is_unseen(element, name):
                    if name == "note-citation":
                        self.flow.add(f"[{_said(element)}]")
                    walk.skip_subtree()
                    continue
                self._start(element, name)
                self._add(element.text)
            else:
                if element is root or not _is_unseen(element, name):
                    self._end(name)
                if element is not root:
                    self._add(element.tail)

    def text(self) -> str:
        return self.flow.text()

    def _add(self, text: str | None) -> None:
        """White space outside of paragraphs is none; inside, any run of it is one space."""
        if text and self._paragraphs[-1]:
            self.flow.add(_SPACE.sub(" ", text))

    def _start(self, element: Element, name: str) -> None:
        if name in _PARAGRAPHS:
            self._paragraphs[-1] += 1
        elif name == "s":
            count = attribute(element, "c") or "1"
            self.flow.add(" " * min(int(count[:9]) if count.isdecimal() else 1, _MAX_SPACES))
        elif name in _MARKS:
            self.flow.add(_MARKS[name])
        elif name == "table-row":
            self.flow.start_row()
        elif name in _CELLS:
            self.flow.start_cell()
            self._paragraphs.append(0)
        elif name in _BOXES:
            self.flow.start_box()
            self._paragraphs.append(0)
            self.flow.add(_heading(element, name))

    def _end(self, name: str) -> None:
        if name in _PARAGRAPHS:
            self._paragraphs[-1] -= 1
            self.flow.end_paragraph()
        elif name == "table-row":
            self.flow.end_row()
        elif name in _CELLS:
            self._paragraphs.pop()
            self.flow.end_cell()
        elif name in _BOXES:
            self._paragraphs.pop()
            self.flow.end_box()


def _is_unseen(element: Element, name: str) -> bool:
    return name in _UNSEEN or (name in _SAID_ELSEWHERE and not str(element.tag).startswith(_TEXT_NAMESPACE))


def _heading(box: Element, name: str) -> str:
    """What a note or comment begins with, to be known as such."""
    if name == "note-body":
        note = box.getparent()
        citations = () if note is None else (each for each in note if local(each.tag) == "note-citation")
        return "".join(f"[{_said(each)}] " for each in citations)
    if name == "annotation":
        author = next((_said(each) for each in box if local(each.tag) == "creator"), "") or "Somebody"
        return f"Comment by {author}: "
    return ""


def _said(element: Element) -> str:
    return " ".join("".join(map(str, element.itertext())).split())
