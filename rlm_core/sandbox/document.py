"""One document as the code in a cell sees it: its text, where that is from, and the pages that it is made of.

Runs in the child. Knows one text; refuses to know the others and where texts lie (`context.py`).
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in `typing`, whose import would be a tenth of the child's start
if TYPE_CHECKING:
    from typing import Any

_NAMES_OF_PAGES = frozenset({"sheets", "slides", "chapters", "parts", "paragraphs", "sections"})


class Document(str):
    """The text of one document. Everything that a `str` can do, and where it is from."""

    path: str
    kind: str
    units: list[Any] | None
    """As the table of documents has them: `[kind, [label, start, end], ...]`."""
    _pages: Pages | None

    __slots__ = ("_pages", "kind", "path", "units")

    def __new__(cls, text: str | memoryview, path: str, kind: str, units: list[Any] | None = None) -> Document:
        document = super().__new__(cls, text) if isinstance(text, str) else super().__new__(cls, text, "utf-8")
        document.path, document.kind = path, kind
        document.units, document._pages = units, None
        return document

    @property
    def unit_kind(self) -> str | None:
        """What `pages` are: `page`, `sheet`, `slide`, ...; `None` where there are none."""
        return self.units[0] if self.units else None

    @property
    def pages(self) -> Pages:
        """The texts of its pages, sheets, slides, ..., each with a `.label`; empty where it has none."""
        if self._pages is None:  # and kept: code asks for them in loops
            spans = self.units[1:] if self.units else ()
            self._pages = Pages(Page(self[start:end], label, start) for label, start, end in spans)
        return self._pages

    def page_of(self, char: int) -> str | None:
        """The label of the page (sheet, slide, ...) that holds this character; `None` between pages, or without any."""
        for label, start, end in self.units[1:] if self.units else ():
            if start <= char < end:
                return str(label)
        return None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name in _NAMES_OF_PAGES:
            raise AttributeError(
                f"a document has no .{name}: document.pages holds what it is made of, whatever that is"
            )
        raise AttributeError(
            f"a document is a str and has no .{name}: its text is the document itself, as in document[:500]. Beside what a "
            "str has it has .path, .kind, .pages, .unit_kind and .page_of(char)"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return Document, (str(self), self.path, self.kind, self.units)


class Page(str):
    """The text of one page, sheet, slide, ... of a document."""

    label: str
    """As people name it: `3`, `Prices`."""
    start: int
    """Its first character in the document."""

    __slots__ = ("label", "start")

    def __new__(cls, text: str, label: str, start: int) -> Page:
        page = super().__new__(cls, text)
        page.label, page.start = label, start
        return page

    def __reduce__(self) -> tuple[Any, ...]:
        return Page, (str(self), self.label, self.start)


class Pages(list):  # type: ignore[type-arg]
    """The pages of a document in order: `pages[0]` by place, `pages["Prices"]` by label."""

    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            for page in self:
                if page.label == key:
                    return page
            raise KeyError(f"no page has the label {key[:80]!r}. {self._in_words()}")
        try:
            return list.__getitem__(self, key)
        except IndexError:
            raise IndexError(f"there is no pages[{key}]. {self._in_words()}") from None

    def _in_words(self) -> str:
        if not self:
            return "This document is not made of pages, sheets or the like: its text is the document itself"
        first, last = self[0].label, self[-1].label
        return f"There are pages[0] to pages[{len(self) - 1}], with the labels {first!r} to {last!r}"
