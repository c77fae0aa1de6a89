"""The text in the XML of office programs: WordprocessingML, and DrawingML as it is used for slides, text boxes and diagrams.

Knows which elements hold text, which only look so, and which were deleted. Refuses to know files and parts: `docx.py` and others
put them together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from lxml import etree

from rlm_core.corpus.formats.flow import Flow
from rlm_core.corpus.formats.package import Element, attribute, local
from rlm_core.corpus.formats.symbols import symbol

_UNSEEN = frozenset(
    ("pPr", "rPr", "sectPr", "tblPr", "tblGrid", "tcPr", "trPr", "instrText", "delText", "delInstrText")
)
_DELETED = frozenset(("del", "moveFrom"))
_MARKS = {
    "tab": "\t",
    "ptab": "\t",
    "br": "\n",
    "cr": "\n",
    "noBreakHyphen": "\N{NON-BREAKING HYPHEN}",
    "softHyphen": "\xad",
}
_SHOWS = frozenset(("t", "textpath", "chart", "relIds"))
_GRAPHICS = {"chart": "id", "relIds": "dm"}
"""What stands for a chart or diagram, and the attribute that names its part."""
_NOTES = {"footnoteReference": "", "endnoteReference": "e"}


class Story:
    """One run of text: the body, a header, a note. `notes` are the ids of the notes it refers to, by the mark of their kind."""

    def __init__(self, graphic: Callable[[str], str] | None = None) -> None:
        """`graphic` gives the text of the chart or diagram with this relation."""
        self.flow = Flow()
        self.deletions = 0
        self.notes: dict[str, dict[str, int]] = {"": {}, "e": {}}
        self._graphic = graphic
        self._fields: list[bool] = []  # of the fields around this place, outermost first: is this their result?

    def read(self, root: Element, is_left_out: Callable[[Element], bool] = lambda _: False) -> None:
        walk = etree.iterwalk(root, events=("start", "end"))
        for event, element in walk:
            name = local(element.tag)
            if self._is_unseen(element, name) or is_left_out(element):
                if event == "start":
                    self.deletions += name in _DELETED or name == "tr"
                    walk.skip_subtree()
            elif event == "start":
                self._start(element, name)
            else:
                self._end(element, name)

    def text(self) -> str:
        return self.flow.text()

    def _is_unseen(self, element: Element, name: str) -> bool:
        if name in ("Choice", "Fallback"):
            return _shown_branch(element.getparent()) is not element
        if name == "tr":
            return any(local(each.tag) == "del" for each in _properties(element, "trPr"))
        return name in _UNSEEN or name in _DELETED

    def _start(self, element: Element, name: str) -> None:
        if name == "t":
            if all(self._fields):
                self.flow.add(element.text or "")
        elif name in _MARKS:
            self.flow.add(_MARKS[name])
        elif name == "tr":
            self.flow.start_row()
        elif name == "tc":
            self.flow.start_cell()
        elif name == "txbxContent":
            self.flow.start_box()
        elif name == "fldChar":
            self._field(attribute(element, "fldCharType"))
        elif name == "sym":
            self.flow.add(symbol(attribute(element, "font") or "", attribute(element, "char") or ""))
        elif name in _GRAPHICS and self._graphic:
            self.flow.add_box(self._graphic(attribute(element, _GRAPHICS[name]) or ""))
        elif name == "textpath":
            self.flow.add(element.get("string") or "")
        elif name in _NOTES:
            mark = _NOTES[name]
            number = self.notes[mark].setdefault(attribute(element, "id") or "", len(self.notes[mark]) + 1)
            self.flow.add(f"[{mark}{number}]")

    def _end(self, element: Element, name: str) -> None:
        if name == "p":
            self.flow.end_paragraph()
            self._fields = [True] * len(self._fields)  # damaged fields must not swallow the rest
        elif name == "tc":
            self.flow.end_cell(_span(element))
        elif name == "tr":
            self.flow.end_row()
        elif name == "txbxContent":
            self.flow.end_box()

    def _field(self, kind: str | None) -> None:
        if kind == "begin":
            self._fields.append(False)
        elif self._fields and kind == "separate":
            self._fields[-1] = True
        elif self._fields and kind == "end":
            self._fields.pop()


def _properties(element: Element, name: str) -> Iterable[Element]:
    return next((each for each in element if local(each.tag) == name), ())


def _span(cell: Element) -> int:
    """How many columns the cell takes up."""
    for each in _properties(cell, "tcPr"):
        if local(each.tag) == "gridSpan" and (value := attribute(each, "val") or "").isdecimal():
            return int(value[:4])
    return 1


def _shown_branch(alternatives: Element | None) -> Element | None:
    """Of several forms of the same thing, the first that holds text."""
    branches = () if alternatives is None else alternatives
    return next((each for each in branches if any(local(below.tag) in _SHOWS for below in each.iter())), None)


def text_in(root: Element) -> str:
    """The text of a whole part."""
    story = Story()
    story.read(root)
    return story.text()
