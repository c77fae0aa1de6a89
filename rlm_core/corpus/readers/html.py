"""The visible text of HTML: each block on lines of its own, table cells parted by tabs, no scripts, no styles.

Line numbers are those of the text, not of the HTML. Links keep their words, not their addresses.
"""

from __future__ import annotations

import re
from dataclasses import replace

from selectolax.lexbor import LexborHTMLParser, LexborNode

from rlm_core.corpus.encoding import declared_encoding
from rlm_core.corpus.readers.reading import Reading
from rlm_core.corpus.readers.text import read_text

_UNSEEN = frozenset({"script", "style", "noscript", "template", "iframe", "object", "-comment"})
_BLOCKS = frozenset(
    (
        *("address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "dir"),
        *("div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3"),
        *("h4", "h5", "h6", "header", "hr", "li", "main", "menu", "nav", "ol", "option"),
        *("p", "pre", "section", "summary", "table", "tbody", "tfoot", "thead", "title", "tr", "ul"),
    )
)
_CELLS = frozenset({"td", "th"})
_KEPT_SPACE = frozenset({"pre", "textarea"})
_FORMATTING = frozenset(
    ("a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u")
)
_CLOSED_BY_THE_NEXT = frozenset(
    (
        *("p", "li", "dt", "dd", "td", "th", "tr", "tbody", "thead", "tfoot", "option", "optgroup", "colgroup"),
        *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track"),
    )
)
_MAX_DEPTH = 5000
_MAX_NODES = 20_000_000
_TAG = re.compile(r"<(/?)([A-Za-z][^\s/>]*)")
_SPACE = re.compile(r"[ \t\n\r\f\v]+")


def read_html(data: bytes) -> Reading:
    """Decoded first (the parser would guess), in the declared encoding unless it is valid UTF-8."""
    source = read_text(data, declared_encoding(data))
    if _is_trap(source.text):
        warning = (
            f"{source.warning} The page nests its tags as no real page does; its source is shown as it is.".strip()
        )
        return replace(source, warning=warning)
    root = LexborHTMLParser(source.text).root
    text = _Page().render(root) if root is not None else ""
    return replace(source, text=text.encode("utf-8", "replace").decode("utf-8"))


def _is_trap(source: str) -> bool:
    """Whether parsing would take the square of the page's size: in time for very deep nesting, in memory for unclosed
    formatting, which is opened again in every block that follows."""
    depth = formatting = deepest = most_formatting = tags = 0
    for match in _TAG.finditer(source):
        tags += 1
        step = -1 if match[1] else 1
        name = match[2].lower()
        if name in _FORMATTING:
            formatting = max(0, formatting + step)
            most_formatting = max(most_formatting, formatting)
        if name not in _CLOSED_BY_THE_NEXT:
            depth = max(0, depth + step)
            deepest = max(deepest, depth)
    return deepest > _MAX_DEPTH or most_formatting * tags > _MAX_NODES


class _Page:
    """Text under construction. `_line` is the unfinished last line."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._line: list[str] = []

    def render(self, root: LexborNode) -> str:
        """Walks without recursion: hostile pages nest deeper than Python's stack."""
        node: LexborNode | None = root
        depth_of_kept_space = 0
        while node is not None:
            tag = node.tag or ""
            self._enter(node, tag, depth_of_kept_space > 0)
            if tag not in _UNSEEN and node.child is not None:
                depth_of_kept_space += tag in _KEPT_SPACE
                node = node.child
                continue
            while node is not None and node.next is None:
                self._leave(node.tag or "")
                node = node.parent
                depth_of_kept_space -= node is not None and node.tag in _KEPT_SPACE
            if node is not None:
                self._leave(node.tag or "")
                node = node.next
        self._end_line()
        return "\n".join(self._lines)

    def _enter(self, node: LexborNode, tag: str, keep_space: bool) -> None:
        if tag == "-text":
            self._add(node.text_content or "", keep_space)
        elif tag == "br":
            self._end_line(keep_empty=True)
        elif tag in _BLOCKS:
            self._end_line()
        elif tag in _CELLS and "".join(self._line).strip():
            self._line.append("\t")

    def _leave(self, tag: str) -> None:
        if tag in _BLOCKS:
            self._end_line()

    def _add(self, text: str, keep_space: bool) -> None:
        if keep_space:
            first, *rest = text.split("\n")
            self._line.append(first)
            for line in rest:
                self._end_line(keep_empty=True)
                self._line.append(line)
            return
        text = _SPACE.sub(" ", text)
        if not self._line or self._line[-1].endswith((" ", "\t")):
            text = text.lstrip(" ")
        if text:
            self._line.append(text)

    def _end_line(self, keep_empty: bool = False) -> None:
        line = "".join(self._line).rstrip()
        self._line.clear()
        if line or keep_empty:
            self._lines.append(line)
