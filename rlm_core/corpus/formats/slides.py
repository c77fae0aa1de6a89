"""How a presentation is written down: for each slide a heading, its text in the order of its shapes, its notes, its comments.

    Slide 3 (hidden)
    Our prices
    Notes: bring the leaflet

Refuses to know file formats: it is handed text.
"""

from __future__ import annotations

from collections.abc import Iterable

from rlm_core.corpus.formats.parts import Parts
from rlm_core.corpus.reading import Reading


class Slides:
    """A presentation under construction."""

    def __init__(self) -> None:
        self._parts = Parts("slide")
        self._number = 0

    def add(self, text: str, notes: str = "", comments: Iterable[str] = (), *, hidden: bool = False) -> bool:
        """Append a slide. `False` if it had to be cut: nothing can follow it."""
        self._number += 1
        lines = [f"Slide {self._number}{' (hidden)' if hidden else ''}", text]
        lines += [f"Notes: {notes}" if notes else "", *(f"Comment: {each}" for each in comments)]
        return self._parts.add(str(self._number), "\n".join(line for line in lines if line))

    def reading(self, *warnings: str) -> Reading:
        return self._parts.reading(*warnings)
