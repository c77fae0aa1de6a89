"""The price list to be looked through: which models it has, what they charge, and where it is from."""

from __future__ import annotations

from dataclasses import dataclass

from rlm_core.lm.prices import Price, listed_prices, price_source


@dataclass(frozen=True, slots=True)
class FoundPrices:
    """`rows`: models and their prices, as many as were asked for of the `matching` ones."""

    rows: tuple[tuple[str, Price], ...]
    matching: int
    listed: int
    source: str


def search_prices(words: str, most: int) -> FoundPrices:
    """Models whose names hold all the words, in any case; names without a provider's prefix come first."""
    wanted = words.lower().split()
    listed = listed_prices()
    matching = [each for each in listed if all(word in each[0].lower() for word in wanted)]
    matching.sort(key=lambda each: "/" in each[0])
    return FoundPrices(tuple(matching[:most]), len(matching), len(listed), price_source())
