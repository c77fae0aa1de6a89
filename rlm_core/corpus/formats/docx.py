"""A Word document becomes the text that a reader of it would see, and after it what stands beside the text.

First the body: a paragraph a line, a row of a table a line with tabs between the cells, a text box behind the paragraph that it
hangs on. Then, each under a heading of its own, headers, footers, footnotes, endnotes, comments. `[1]` marks a footnote,
`[e1]` an endnote. Tracked changes are read as if accepted, and the warning says so.

Covered: fields (their results), links (their words), nested tables, symbols, formulas as a row of their signs, text that is
stored twice for older programs (read once).
Not covered: numbers that Word gives to headings and list items; pages, which only come to be when it is printed; embedded files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lxml import etree

from rlm_core.corpus.formats.flow import Flow
from rlm_core.corpus.formats.package import Element, Package, attribute, local
from rlm_core.corpus.formats.symbols import symbol
from rlm_core.corpus.limits import Refused
from rlm_core.corpus.reading import Reading

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
_NOTES = {"footnoteReference": "", "endnoteReference": "e"}
_BESIDE = (("header", "Headers"), ("footer", "Footers"))


def read_docx(data: bytes) -> Reading:
    """Raises `Refused` for what is encrypted, a bomb, or no Word document."""
    package = Package(data)
    main = _main_part(package)
    body = Story()
    body.read(package.xml(main))
    parts, deletions = [body.text()], body.deletions
    for kind, heading in _BESIDE:
        parts.append(_beside(package, main, kind, heading))
    for kind, heading, mark in (("footnotes", "Footnotes", ""), ("endnotes", "Endnotes", "e")):
        for root in _related(package, main, kind):
            parts.append(_notes(root, heading, body.notes[mark], mark))
    parts += map(_comments, _related(package, main, "comments"))
    tracked = f"Tracked changes are read as if accepted: {_count(deletions)} left out." if deletions else ""
    return Reading(
        "\n\n".join(part for part in parts if part),
        warning=f"{tracked} {package.damage}".strip(),
    )


def _main_part(package: Package) -> str:
    found = [each.target for each in package.relations("").values() if each.type == "officeDocument"]
    name = next((each for each in [*found, "word/document.xml"] if each in package), None)
    if name is None:
        raise Refused("malformed", "The file is damaged: it has the parts of a Word document, but no text among them.")
    return name


def _related(package: Package, main: str, kind: str) -> Iterator[Element]:
    return (root for part in package.related(main, kind) for root in package.side(part))


class Story:
    """One run of text: the body, a header, a note. `notes` are the ids of the notes it refers to, by the mark of their kind."""

    def __init__(self) -> None:
        self.flow = Flow()
        self.deletions = 0
        self.notes: dict[str, dict[str, int]] = {"": {}, "e": {}}
        self._fields: list[bool] = []  # of the fields around this place, outermost first: is this their result?

    def read(self, root: Element) -> None:
        walk = etree.iterwalk(root, events=("start", "end"))
        for event, element in walk:
            name = local(element.tag)
            if self._is_unseen(element, name):
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


def _beside(package: Package, main: str, kind: str, heading: str) -> str:
    """All headers or footers; the first page and the left pages often have the same again."""
    texts: dict[str, None] = {}
    for root in _related(package, main, kind):
        story = Story()
        story.read(root)
        texts[story.text()] = None
    shown = "\n".join(text for text in texts if text)
    return f"{heading}:\n{shown}" if shown else ""


def _notes(root: Element, heading: str, numbers: dict[str, int], mark: str) -> str:
    """In the order in which the text refers to them; then those that it does not refer to."""
    found: dict[int, str] = {}
    for note in root:
        story = Story()
        story.read(note)
        if text := story.text():
            number = numbers.setdefault(attribute(note, "id") or "", len(numbers) + 1)
            found[number] = f"[{mark}{number}] {text}"
    return "\n".join([f"{heading}:", *(found[number] for number in sorted(found))]) if found else ""


def _comments(root: Element) -> str:
    lines = []
    for comment in root:
        story = Story()
        story.read(comment)
        if text := story.text():
            lines.append(f"{attribute(comment, 'author') or 'Somebody'}: {text}")
    return "\n".join(["Comments:", *lines]) if lines else ""


def _count(deletions: int) -> str:
    return "1 deletion is" if deletions == 1 else f"{deletions:,} deletions are"
