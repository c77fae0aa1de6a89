"""Prompts are data: Markdown files beside this one, filled in with `$name`."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from string import Template


@cache
def _template(name: str) -> Template:
    text = files("rlm_core.strategies").joinpath(f"prompts/{name}.md").read_text(encoding="utf-8")
    return Template(text)


def fill(name: str, **values: object) -> str:
    """The prompt `prompts/<name>.md` with every `$placeholder` filled in. Raises `KeyError` for one that is left over."""
    return _template(name).substitute({key: str(value) for key, value in values.items()})
