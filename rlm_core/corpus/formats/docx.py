"""A Word document becomes the text that a reader of it would see, and after it what stands beside the text.

First the body: a paragraph a line, a row of a table a line with tabs between the cells, a text box behind the paragraph that it
hangs on. Then, each under a heading of its own, headers, footers, footnotes, endnotes, comments. `[1]` marks a footnote,
`[e1]` an endnote. Tracked changes are read as if accepted, and the warning says so.

Covered: fields (their results), links (their words), nested tables, symbols, formulas as a row of their signs, text that is
stored twice for older programs (read once).
Not covered: numbers that Word gives to headings and list items; pages, which only come to be when it is printed; embedded files.
"""

from __future__ import annotations

from collections.abc import Iterator

from rlm_core.corpus.formats.charts import graphic_text
from rlm_core.corpus.formats.flow import deletions_told
from rlm_core.corpus.formats.package import Element, Package, attribute
from rlm_core.corpus.formats.story import Story
from rlm_core.corpus.reading import Reading

_BESIDE = (("header", "Headers"), ("footer", "Footers"))


def read_docx(data: bytes) -> Reading:
    """Raises `Refused` for what is encrypted, a bomb, or no Word document."""
    package = Package(data)
    main = package.main("word/document.xml")
    relations = package.relations(main)
    body = Story(lambda relation: graphic_text(package, relations.get(relation)))
    body.read(package.xml(main))
    parts, deletions = [body.text()], body.deletions
    for kind, heading in _BESIDE:
        parts.append(_beside(package, main, kind, heading))
    for kind, heading, mark in (("footnotes", "Footnotes", ""), ("endnotes", "Endnotes", "e")):
        for root in _related(package, main, kind):
            parts.append(_notes(root, heading, body.notes[mark], mark))
    parts += map(_comments, _related(package, main, "comments"))
    return Reading(
        "\n\n".join(part for part in parts if part),
        warning=f"{deletions_told(deletions)} {package.damage}".strip(),
    )


def _related(package: Package, main: str, kind: str) -> Iterator[Element]:
    return (root for part in package.related(main, kind) for root in package.side(part))


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
