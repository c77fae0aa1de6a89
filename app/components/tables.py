"""The height of a table that shows its rows without an empty stripe below them."""

from __future__ import annotations

HEADER_HEIGHT = 32
BORDERS = 2


def height(rows: int, row_height: int, most: int) -> int:
    """Pixels for a header and all rows, of more than `most` that many and a scroll bar."""
    return HEADER_HEIGHT + row_height * min(rows, most) + BORDERS
