"""What a page shows, read back from a page that was run without a browser."""

from __future__ import annotations

import json
from typing import Any

from streamlit.testing.v1 import AppTest


def header(page: AppTest) -> dict[str, Any]:
    """The data of the run's head, a component that writes text only."""
    found = [json.loads(each.proto.json) for each in page.get("bidi_component")]
    return next(each for each in found if "question" in each)


def answer(data: dict[str, Any]) -> str:
    """The answer in the data of the run's head, without its marks."""
    return "".join(each["text"] for each in data["answer"])


def component(page: AppTest, part: str) -> dict[str, Any]:
    """The data of the one component that is sent a `part`: `rows` of the tree, `blocks` of the reader."""
    found = [json.loads(each.proto.json) for each in page.get("bidi_component")]
    (data,) = (each for each in found if part in each and "run" in each)
    return data


def everything(value: Any) -> str:
    """All texts in the data of a component."""
    if isinstance(value, dict):
        return "\n".join(map(everything, value.values()))
    if isinstance(value, list | tuple):
        return "\n".join(map(everything, value))
    return value if isinstance(value, str) else ""


def figures(data: dict[str, Any]) -> dict[str, tuple[str, str]]:
    return {each["label"]: (each["value"], each["note"]) for each in data["figures"]}


def texts(page: AppTest) -> str:
    """Everything that is shown as text and is never read as Markdown."""
    return "\n".join(each.value for kind in (page.text, page.code) for each in kind)


def markdown(page: AppTest) -> str:
    """Everything that the browser will read as Markdown: bodies, captions, messages and labels."""
    bodies = [each.value for kind in (page.markdown, page.caption, page.info, page.error, page.header) for each in kind]
    labels = [each.label for kind in (page.button, page.checkbox, page.expander, page.selectbox) for each in kind]
    return "\n".join([*bodies, *labels])
