"""The price list to be looked through: which models it has, what they charge, and where it is from."""

from __future__ import annotations

from dataclasses import dataclass

from rlm_core.lm.prices import Price, listed_prices, price_source


@dataclass(frozen=True, slots=True)
class FoundPrices:
    """`rows`: models, providers and prices, as many as were asked for of the `matching` ones."""

    rows: tuple[tuple[str, str, Price], ...]
    matching: int
    listed: int
    source: str


def search_prices(words: str, most: int) -> FoundPrices:
    """Models in whose names or providers all the words are found, in any case."""
    wanted = words.lower().split()
    listed = listed_prices()
    matching = [
        (model, provider, price)
        for model, provider, price in listed
        if all(word in f"{provider}/{model}".lower() for word in wanted)
    ]
    return FoundPrices(tuple(matching[:most]), len(matching), len(listed), price_source())
