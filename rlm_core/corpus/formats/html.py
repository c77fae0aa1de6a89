"""The visible text of HTML: each block on lines of its own, table cells parted by tabs, no scripts, no styles.

Line numbers are those of the text, not of the HTML. Links keep their words, not their addresses.
Not covered: time and memory. The parser takes the square of a hostile page, in one call that nothing interrupts: it runs in
a process that can be killed (`corpus/converter.py`).
"""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

from rlm_core.corpus.reading import Reading

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
_SPACE = re.compile(r"[ \t\n\r\f\v]+")


def read_page(page: bytes) -> Reading:
    """The text of a page in UTF-8."""
    root = LexborHTMLParser(page.decode("utf-8")).root
    return Reading(_Page().render(root) if root is not None else "")


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
