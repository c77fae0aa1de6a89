"""A link that saves a file: an address of its own (`file_route.py`), so that no redraw of the page takes it away."""

from __future__ import annotations

import streamlit as st

from app import file_route
from app.places import STATIC

_component = st.components.v2.component(
    "file_link",
    html='<a class="file" download><span class="icon" aria-hidden="true">download</span><span class="label"></span></a>',
    css=(STATIC / "file_link.css").read_text(encoding="utf-8"),
    js=(STATIC / "file_link.js").read_text(encoding="utf-8"),
)


def show(label: str, run: str, form: str, key: str, hint: str, node: str | None = None) -> None:
    """A link with the look of the other actions of a page. `form` is one of `file_route.FORMS`, or a text of a node."""
    data = {"label": label, "address": file_route.address(run, form, node), "hint": hint}
    _component(key=key, width="content", height="content", data=data)
