"""Where somebody is on the page of evidence, read from its address and written there. Knows no store."""

from __future__ import annotations

from dataclasses import dataclass

from app import address, links


@dataclass(frozen=True, slots=True)
class EvidencePlace:
    """Where somebody is on the page of evidence. `line` without `document` is one of the finding's own document."""

    finding: str | None = None
    document: str | None = None
    line: int | None = None
    find: str = ""
    hit: int = 0
    """Which occurrence of `find` is shown, from 1; 0: none yet."""
    label: str | None = None
    verdict: str | None = None
    item: str = ""
    """What the list of findings is narrowed to."""
    start: int | None = None
    end: int | None = None
    unit: str = ""
    """The label of a page, a sheet, ...: the document is open where it begins."""
    shown_to: str | None = None
    """The node whose lines are marked; without one, that which decided the finding."""

    @property
    def chars(self) -> tuple[int, int] | None:
        """The characters of the document that the place is made of."""
        return (self.start, self.end) if self.start is not None and self.end and self.start < self.end else None


def place() -> EvidencePlace:
    given = address.get
    return EvidencePlace(
        given("finding") or None,
        given("document") or None,
        links.number("line") or None,
        given("find"),
        links.number("hit") or 0,
        given("label") or None,
        given("verdict") or None,
        given("item"),
        links.number("start"),
        links.number("end"),
        given("unit"),
        given("shown_to") or None,
    )


def move(**changes: str | int | None) -> None:
    """Set parts of an `EvidencePlace` in the address; what is nothing is taken out. Called from callbacks."""
    address.write(**{name: str(value or "") for name, value in changes.items()})
