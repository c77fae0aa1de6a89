"""A PowerPoint presentation becomes its slides, one unit each, in the form that `slides.py` gives them.

Covered: text in groups, tables, charts and diagrams; notes; comments; hidden slides (marked).
Not covered: text that slides take over from their layout; slide numbers; text in pictures; embedded files.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from rlm_core.corpus.formats.charts import graphic_text
from rlm_core.corpus.formats.package import Element, Package, local
from rlm_core.corpus.formats.slides import Slides
from rlm_core.corpus.formats.story import Story, text_in
from rlm_core.corpus.reading import Reading

_NOT_SAID = frozenset({"sldNum", "sldImg", "hdr", "ftr", "dt"})
"""Placeholders of a page of notes that repeat what stands on all of them."""


def read_pptx(data: bytes) -> Reading:
    """Raises `Refused` for what is encrypted, a bomb, or no presentation."""
    package = Package(data)
    main = package.main("ppt/presentation.xml")
    relations, slides = package.relations(main), Slides()
    for entry in (each for each in package.xml(main).iter() if local(each.tag) == "sldId"):
        relation = relations.get(_relation_id(entry))
        if not _add(slides, package, relation.target if relation else "a slide that is listed"):
            break
    return slides.reading(package.damage)


def _add(slides: Slides, package: Package, part: str) -> bool:
    root = next(package.side(part), None)
    if root is None:
        return slides.add("")
    notes = "\n".join(filter(None, (_notes(each) for each in _related(package, part, "notesSlide"))))
    said = (comment for each in _related(package, part, "comments") for comment in _comments(each))
    return slides.add(slide_text(package, part, root), notes, said, hidden=root.get("show") in ("0", "false"))


def slide_text(package: Package, part: str, root: Element) -> str:
    """The text of a drawing, with that of the charts and diagrams in it."""
    relations = package.relations(part)
    story = Story(lambda relation: graphic_text(package, relations.get(relation)))
    story.read(root, _is_number)
    return story.text()


def _notes(root: Element) -> str:
    story = Story()
    story.read(root, _is_repeated)
    return story.text()


def _comments(root: Element) -> Iterator[str]:
    for comment in (each for each in root.iter() if local(each.tag) == "cm"):
        old = " ".join(each.text or "" for each in comment if local(each.tag) == "text")
        if said := " ".join((old or text_in(comment)).split()):
            yield said


def _related(package: Package, part: str, kind: str) -> Iterator[Element]:
    return chain.from_iterable(package.side(each) for each in package.related(part, kind))


def _is_number(shape: Element) -> bool:
    return _placeholder(shape) == "sldNum"


def _is_repeated(shape: Element) -> bool:
    return _placeholder(shape) in _NOT_SAID


def _placeholder(shape: Element) -> str:
    """The kind of a shape that is a placeholder, else ""."""
    if local(shape.tag) != "sp":
        return ""
    return next((each.get("type") or "" for each in shape.iter() if local(each.tag) == "ph"), "")


def _relation_id(entry: Element) -> str:
    """Not `id`, which a slide has as well: the one in the namespace of relations."""
    return next((str(value) for key, value in entry.items() if key != "id" and local(key) == "id"), "")
