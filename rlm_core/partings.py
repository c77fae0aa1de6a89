"""Why runs part on an item, as far as their records tell.

Pure functions of what `compare` found. A quote of another run that the model of this one was not shown is a reason; so is
one sentence that two runs quote and label differently. Refuses to guess: of everything else it says nothing.
"""

from __future__ import annotations

from rlm_core.compare import Comparison, Item, Missed, Said, missed


def missed_by(comparison: Comparison, item: Item, number: int) -> dict[int, Missed]:
    """The runs that label the item otherwise than run `number`, by quotes none of which its model was shown."""
    found = {
        other: missed(comparison.runs[number].reach, item.said[other].quotes)
        for other in _otherwise(comparison, item, number)
    }
    return {other: each for other, each in found.items() if each}


def missed_of(comparison: Comparison, item: Item, number: int) -> Missed | None:
    """A place that decides the item in another run, and that the model of run `number` was not shown."""
    by_others = missed_by(comparison, item, number) if item.said[number].labelled else {}
    return item.said[number].missed or next(iter(by_others.values()), None)


def never_shown(comparison: Comparison, number: int) -> list[tuple[Item, Missed]]:
    """The items that are decided in other runs by what the model of run `number` was not shown."""
    found = ((item, missed_of(comparison, item, number)) for item in comparison.items)
    return [(item, each) for item, each in found if each]


def left_out(comparison: Comparison, number: int) -> list[Item]:
    """The items that other runs count and run `number` does not."""
    own = comparison.told(number)
    by_others = {name for other in range(len(comparison.runs)) if other != number for name in comparison.told(other)}
    return [item for item in comparison.items if item.name in by_others - own]


def same_quote(comparison: Comparison, item: Item, number: int) -> list[int]:
    """The runs that quote what run `number` quotes, and label the item otherwise."""
    own = _places(item.said[number])
    return [other for other in _otherwise(comparison, item, number) if own & _places(item.said[other])]


def _otherwise(comparison: Comparison, item: Item, number: int) -> list[int]:
    """Of runs that read one archive: a place in another says nothing."""
    if not comparison.same_corpus:
        return []
    label = item.said[number].means
    return [other for other in item.having if other != number and item.said[other].means != label]


def _places(said: Said) -> set[tuple[object, ...]]:
    return {each.at for each in said.quotes if each.quote}
