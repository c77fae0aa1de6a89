"""A page becomes its visible text, or its source where no parser can be trusted with it.

Knows encodings and traps. Refuses to know how text is taken out of HTML: `formats/html.py`, run by a `Converter`.
"""

from __future__ import annotations

from dataclasses import replace

from rlm_core.corpus.converter import Converter
from rlm_core.corpus.encoding import declared_encoding
from rlm_core.corpus.formats.html_traps import is_trap
from rlm_core.corpus.limits import Refused
from rlm_core.corpus.readers.text import read_text
from rlm_core.corpus.reading import Reading


def read_html(data: bytes, converter: Converter) -> Reading:
    """Decoded first (the parser would guess), in the declared encoding unless it is valid UTF-8."""
    source = read_text(data, declared_encoding(data))
    if is_trap(source.text):
        return _as_source(source, "The page nests its tags as no real page does.")
    try:
        return replace(source, text=converter.read("html", source.text.encode("utf-8")).text)
    except Refused as refused:
        return _as_source(source, f"The text of the page could not be taken out of it. {refused.reason}")


def _as_source(source: Reading, reason: str) -> Reading:
    return replace(source, warning=f"{source.warning} {reason} Its source is shown as it is.".strip())
