"""Text of models, documents and people on the screen: as text and nothing else.

Everything that would act (controls, escapes, overrides of the writing direction) is made visible first. Long text is cut,
says how much is missing, and can be downloaded whole and unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal

import streamlit as st

from app import backend
from rlm_core.passages import Passage
from rlm_core.plain import plain

WORDS_CHARS = 6_000
CODE_CHARS = 20_000
HEAD_CHARS, TAIL_CHARS = 4_000, 1_000
HEAD_LINES, TAIL_LINES = 60, 15
TALL_LINES, TALL_PX = 28, 440
"""Code and output of more lines than this scroll in a pane of their own."""

_LINKED = re.compile(r"https?(?=://)|ftp(?=://)|www(?=\.)|@", re.IGNORECASE)
_ACTIVE = re.compile(r"([\\`*_{}\[\]()#+\-.!|<>~:$&^=@/\"'])")


def escaped(text: str) -> str:
    """Text that must pass through Markdown (labels, messages) and come out as it is.

    The browser's Markdown makes links of bare addresses, escaped or not, unless something invisible parts them.
    """
    return _ACTIVE.sub(r"\\\1", _LINKED.sub("\\g<0>\u2060", plain(" ".join(text.split()))))


def common_container(paths: Iterable[str]) -> str:
    """`maintenance.zip!/` where every path that is not empty lies in it, else nothing."""
    containers = {path[: path.rfind("!/") + 2] if "!/" in path else "" for path in paths if path}
    return containers.pop() if len(containers) == 1 else ""


def cut(text: str, chars: int = HEAD_CHARS, tail_chars: int = TAIL_CHARS) -> tuple[str, int, str]:
    """Head, number of characters left out, tail. Nothing is left out of a text that is short enough."""
    if len(text) <= chars + tail_chars and text.count("\n") <= HEAD_LINES + TAIL_LINES:
        return text, 0, ""
    head = "\n".join(text[:chars].split("\n")[:HEAD_LINES])
    tail = "\n".join(text[max(len(head), len(text) - tail_chars) :].split("\n")[-TAIL_LINES:]) if tail_chars else ""
    return head, len(text) - len(head) - len(tail), tail


def words(text: str, key: str) -> None:
    """Prose, as it was written."""
    head, missing, _ = cut(text, WORDS_CHARS, 0)
    if text.strip():
        st.text(plain(head))
    if missing:
        _rest(text, missing, key)


def code(text: str, key: str) -> None:
    """A cell's code, with line numbers."""
    head = text[:CODE_CHARS]
    _pane(head, language="python", line_numbers=True, wrap_lines=True)
    if len(text) > len(head):
        _rest(text, len(text) - len(head), key)


def output(text: str, key: str, kind: str = "output", chars: int = HEAD_CHARS, tail_chars: int = TAIL_CHARS) -> None:
    """What a machine printed: head and tail, and the whole of it as a file."""
    head, missing, tail = cut(text, chars, tail_chars)
    _pane(head, wrap_lines=True)
    if missing:
        _rest(text, missing, key, kind)
        _pane(tail, wrap_lines=True)


def _pane(text: str, *, language: str | None = None, line_numbers: bool = False, wrap_lines: bool = False) -> None:
    height: int | Literal["content"] = TALL_PX if text.count("\n") > TALL_LINES else "content"
    st.code(plain(text), language, line_numbers=line_numbers, wrap_lines=wrap_lines, height=height)


def whole(passage: Passage) -> str:
    return backend.whole(passage)


def _rest(text: str, missing: int, key: str, kind: str = "text") -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"gap-{key}"):
        st.text(f"… {missing:,} of {len(text):,} characters are not shown here")
        st.download_button(
            f"Download all {len(text):,}",
            lambda: text,  # made when it is clicked: a file made beforehand is gone with the next run of the page
            file_name=f"{kind}.txt",
            mime="text/plain",
            key=f"all-{key}",
            on_click="ignore",
            type="tertiary",
            icon=":material/download:",
        )
