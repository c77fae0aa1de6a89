"""The text of a document under construction: its parts one after the other, parted by blank lines, each of them a unit.

Knows how long a document's text may grow, so that a small file cannot become one that takes all memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rlm_core.corpus.reading import Reading
from rlm_core.corpus.units import Unit, UnitKind, Units

MAX_CHARS = 100_000_000
_BETWEEN = "\n\n"


class Parts:
    """Pages, sheets, slides or chapters, in order."""

    def __init__(self, kind: UnitKind, max_chars: int = MAX_CHARS) -> None:
        self._kind: UnitKind = kind
        self._max_chars = max_chars
        self._texts: list[str] = []
        self._units: list[Unit] = []
        self._length = 0
        self._cut_in = ""

    @property
    def room(self) -> int:
        """How many characters the next part may have."""
        return 0 if self._cut_in else max(self._max_chars - self._length, 0)

    def add(self, label: str, text: str) -> bool:
        """Append a part. `False` if it had to be cut: nothing can follow it."""
        if len(text) > self.room:
            text, self._cut_in = text[: self.room], label
        self._units.append(Unit(label, self._length, self._length + len(text)))
        self._texts.append(text)
        self._length += len(text) + len(_BETWEEN)
        return not self._cut_in

    def reading(self, *warnings: str, **facts: Any) -> Reading:
        """The document, with what there is to say of it."""
        told = [each for each in warnings if each]
        if self._cut_in:
            told.append(
                f"Its text is longer than the {self._max_chars:,} characters that a document may have: it was cut off in "
                f"{self._kind} {self._cut_in}, and what follows was not read."
            )
        return Reading(
            _BETWEEN.join(self._texts),
            warning=" ".join(told),
            units=Units(self._kind, tuple(self._units)) if self._units else None,
            **facts,
        )


def listed(what: str, names: Sequence[str | int]) -> str:
    """`page 3`, or `pages 3, 5 and 20 more`."""
    if len(names) == 1:
        return f"{what} {names[0]}"
    shown = ", ".join(map(str, names[:10]))
    return f"{what}s {shown}" + (f" and {len(names) - 10:,} more" if len(names) > 10 else "")
