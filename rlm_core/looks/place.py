"""Where somebody is on the page of a run: what is selected, unfolded, looked for. A plain value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody is on the page of a run."""

    run: str
    node: str | None = None
    """What is selected: a span, or a group."""
    opened: Mapping[str, range] = field(default_factory=dict)
    """Groups that are unfolded, and which of their members are shown."""
    document: str | None = None
    """Selected in the place of a node: a document of the archive, at a character."""
    char: int = 0
    only: tuple[str, ...] = ()
    """What the tree is narrowed to: words of `narrowing`."""
    find: str = ""
    hit: int = 0
    """Words that are looked for in the texts of the run, and which of the nodes that have them is shown, from 1; 0: none yet."""
    pin: str | None = None
    """A node that is kept in mind, to compare others with it."""
    beside: bool = False
    """The selected node is compared with it."""
