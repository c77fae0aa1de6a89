"""The corpus as the code in a cell sees it: one `Document`, which is a `str`, or a `Context`, which is a list of them.

Runs in the child. Knows what code expects of a list, a dict and a text, and says what to do where it cannot be had; refuses
to know where texts lie (`texts.py`). Whatever an item is, it is a `str`: of a document that is too large for one text, the
items are its parts.
"""

from __future__ import annotations

from collections.abc import Sequence

from rlm_core.sandbox.document import Document
from rlm_core.sandbox.texts import Texts, opened

TYPE_CHECKING = False  # as in `typing`, whose import would be a tenth of the child's start
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

_FAR = 100
"""A slice of documents that reaches so far and is then turned into text was most likely meant to be one of characters."""
_SHOWN_KEY_CHARS = 120
_TEXT_METHODS = frozenset(name for name in dir(str) if not name.startswith("_"))


class Use:
    """What the running cell has done with the context."""

    def __init__(self) -> None:
        self.context: Document | Context | None = None
        """All of it, once it is there."""
        self.touched = False
        self.advice = ""
        """What the model is told after the cell, because it most likely meant something else."""

    def begin(self) -> None:
        """A cell begins."""
        self.touched, self.advice = False, ""


class Context(Sequence[Document]):
    """Many documents, as a list: `len`, iteration, `context[3]`, `context[:10]`, `context["path"]`, `"text" in context`."""

    def __init__(self, texts: Texts, use: Use, numbers: range, asked: slice | None = None) -> None:
        self._texts = texts
        self._use = use
        self._numbers = numbers
        self._asked = asked
        """The slice that it is of another."""

    @property
    def paths(self) -> list[str]:
        """The path of every document, in order."""
        self._use.touched = True
        return list(dict.fromkeys(self._texts.table[number]["path"] for number in self._numbers))

    @property
    def is_whole(self) -> bool:
        """Whether this is the session's context itself, and no part of it."""
        return len(self._numbers) == len(self._texts.table)

    @property
    def chars(self) -> int:
        """Characters of all documents together."""
        return sum(map(self._texts.chars, self._numbers))

    def __len__(self) -> int:
        self._use.touched = True
        return len(self._numbers)

    def __iter__(self) -> Iterator[Document]:
        self._use.touched = True
        return map(self._texts.document, self._numbers)

    def __getitem__(self, key: Any) -> Any:
        self._use.touched = True
        if isinstance(key, str):
            return self._of_path(key)
        try:
            if isinstance(key, slice):
                return Context(self._texts, self._use, self._numbers[key], key)
            return self._texts.document(self._numbers[key])
        except IndexError:
            last = len(self._numbers) - 1
            raise IndexError(f"context has {last + 1} documents: context[0] to context[{last}], not [{key}]") from None
        except TypeError:
            raise TypeError(
                f"context[...] takes a number, a slice or a path, not {type(key).__name__}. "
                "Examples: context[0], context[:10], context['notes/a.txt']"
            ) from None

    def __contains__(self, text: object) -> bool:
        """Whether `text` stands in one of the documents (or is the path of one)."""
        self._use.touched = True
        if not isinstance(text, str):
            raise TypeError(f"'in context' searches the documents for a text; {type(text).__name__} is none")
        if any(number in self._numbers for number in self._texts.numbers_of(text)):
            return True
        return self._texts.holder(text.encode("utf-8", "surrogatepass"), self._numbers) is not None

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Context):
            return self._texts is other._texts and self._numbers == other._numbers
        if isinstance(other, list | tuple):
            return len(self) == len(other) and all(mine == theirs for mine, theirs in zip(self, other, strict=True))
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]  # as a list

    def __str__(self) -> str:
        self._use.touched = True
        self._advise()
        size = sum(self._texts.table[number]["bytes"] for number in self._numbers)
        if size > self._texts.max_text_bytes:
            raise ValueError(
                f"str(context) would make one text of {size:,} bytes; at most {self._texts.max_text_bytes:,} are allowed. "
                "Go through the documents instead: for document in context: ..."
            )
        return "".join(self._joined())

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __repr__(self) -> str:
        self._use.touched = True
        self._advise()
        first = f"; context[0].path = {self._texts.table[self._numbers[0]]['path']!r}" if self._numbers else ""
        return f"<context: {len(self._numbers):,} documents, {self.chars:,} characters{first}>"

    def __add__(self, other: object) -> Any:
        raise TypeError("context is a list of documents; for one text use str(context), for a list use list(context)")

    __radd__ = __add__

    def count(self, text: Any) -> int:
        """How often `text` stands in the documents, as `in` looks for it."""
        return sum(document.count(text) for document in self)

    def index(self, text: Any, *bounds: int) -> int:
        """The number of the document that is equal to `text`."""
        try:
            return super().index(text, *bounds)
        except ValueError:
            raise ValueError(
                "no document is equal to that. To find those that hold a text: "
                "[number for number, document in enumerate(context) if text in document]"
            ) from None

    # As a dict from path to document, which is what some code takes it for.

    def keys(self) -> list[str]:
        return self.paths

    def values(self) -> Context:
        return self

    def items(self) -> Iterable[tuple[str, Document]]:
        """(path, document) of each."""
        return ((document.path, document) for document in self)

    def get(self, path: str, default: Any = None) -> Any:
        try:
            return self[path]
        except KeyError:
            return default

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        many = f"context is a list of {len(self._numbers):,} documents, not one text"
        if name in _TEXT_METHODS:
            raise AttributeError(
                f"{many}: it has no .{name}(). Use it on each document: "
                f"[document.{name}(...) for document in context], or on all as one text: str(context).{name}(...)"
            )
        raise AttributeError(
            f"{many}: it has no .{name}. It has .paths and .chars; each document is its text and has .path, .kind and .pages. "
            "All of it as one text is str(context), a list of your own list(context)"
        )

    def _of_path(self, path: str) -> Document | Context:
        numbers = self._texts.numbers_of(path)
        if not any(number in self._numbers for number in numbers):
            numbers = self._texts.numbers_of(self._only_path_like(path))
        return self._texts.document(numbers[0]) if len(numbers) == 1 else Context(self._texts, self._use, numbers)

    def _only_path_like(self, path: str) -> str:
        """The only path that ends in `path`."""
        if isinstance(path, Document):
            raise KeyError(
                "context[...] takes a path, and this is a document itself: `for document in context` goes through the "
                "documents, each its own text; its path is document.path"
            )
        ending = [own for own in self.paths if path and own.endswith(path)]
        if len(ending) == 1:
            return ending[0]
        shown = repr(path[:_SHOWN_KEY_CHARS])
        if ending:
            several = ", ".join(map(repr, ending[:5]))
            raise KeyError(f"{len(ending)} documents end in {shown}: {several}{', ...' if len(ending) > 5 else ''}")
        near = [own for own in self.paths if path.lower() in own.lower()] or self.paths
        raise KeyError(
            f"no document has the path {shown}. There are, for example: {', '.join(map(repr, near[:5]))}. "
            "context.paths lists all"
        )

    def _joined(self) -> Iterator[str]:
        """The documents with a line end between any two; parts of one document as they follow each other."""
        for place, number in enumerate(self._numbers):
            if place and not (self._texts.table[number].get("continues") and self._numbers[place - 1] == number - 1):
                yield "\n"
            yield self._texts.document(number)

    def _advise(self) -> None:
        """Called when this is turned into text: a slice that reaches far was hardly meant to be one of documents."""
        if self._asked is None:
            return
        bounds = [each for each in (self._asked.start, self._asked.stop) if each is not None]
        if max(map(abs, bounds), default=0) < _FAR:
            return
        shown = ":".join("" if each is None else str(each) for each in (self._asked.start, self._asked.stop))
        fits = len(self._texts.data) <= self._texts.max_text_bytes
        of_all = f"; of all as one text: str(context)[{shown}]" if fits else ""
        self._use.advice = (
            f"context[{shown}] is a slice of the list of documents, {len(self._numbers):,} of them, not of characters. "
            f"Characters of one document: context[0][{shown}]{of_all}"
        )


def load(text_descriptor: int, index_descriptor: int, use: Use, max_text_bytes: int) -> Document | Context:
    """The context from two open files (see `contract.ContextFiles`), which it takes over. A document of more than
    `max_text_bytes` comes in parts. Raises `ValueError`, `OSError`."""
    texts = opened(text_descriptor, index_descriptor, max_text_bytes)
    use.context = texts.document(0) if len(texts.table) == 1 else Context(texts, use, range(len(texts.table)))
    return use.context
