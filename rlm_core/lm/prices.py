"""List prices and windows of known models, read from the price file inside the LiteLLM package without importing it.

Importing LiteLLM costs seconds and 200 MB, so everything that only needs a number reads the file. It knows list prices;
it does not know anybody's discounts, nor what a private server charges.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rlm_core.errors import TaskError

COMMON = ("openai", "anthropic", "gemini")
"""Providers whose names are looked at first where none is given."""
_FILE = "model_prices_and_context_window_backup.json"


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per token, and the window in tokens. `None` where the list does not say."""

    input_usd: float | None
    output_usd: float | None
    window_tokens: int | None


@cache
def _price_list() -> dict[str, dict[str, Any]]:
    spec = find_spec("litellm")
    if spec is None or not spec.submodule_search_locations:
        raise TaskError("LiteLLM is not installed, so only the demo model can be used. Install rlm-studio again.")
    file = Path(spec.submodule_search_locations[0]) / _FILE
    rows = json.loads(file.read_text(encoding="utf-8"))
    return {name: row for name, row in rows.items() if row.get("mode") in ("chat", "responses", None)}


def price_source() -> str:
    """Which list a price is from, to be shown beside it."""
    return f"LiteLLM {version('litellm')} list prices"


def price_of(model: str) -> Price | None:
    """Price and window of a model by its LiteLLM name, with or without the provider's prefix; `None` if not listed."""
    row = _row(model)
    return None if row is None else _price(row)


def provider_of(model: str) -> str | None:
    """LiteLLM's name of a listed model's provider; `None` if the model is not listed."""
    row = _row(model)
    return None if row is None else row.get("litellm_provider")


def listed_prices() -> list[tuple[str, str, Price]]:
    """Every listed model, its provider and its price: those of common providers first, then in alphabetical order."""
    rows = [(name, str(row.get("litellm_provider") or ""), _price(row)) for name, row in _price_list().items()]
    return sorted(rows, key=lambda row: (row[1] not in COMMON, "/" in row[0], row[0]))


def _row(model: str) -> dict[str, Any] | None:
    rows = _price_list()
    row = rows.get(model)
    if row is None:
        provider, _, bare = model.partition("/")
        row = rows.get(bare)
        if row is None or not str(row.get("litellm_provider", "")).startswith(provider):
            return None
    return row


def _price(row: dict[str, Any]) -> Price:
    window = row.get("max_input_tokens") or row.get("max_tokens")
    return Price(
        row.get("input_cost_per_token"), row.get("output_cost_per_token"), window if isinstance(window, int) else None
    )


def similar_models(model: str, count: int = 5) -> list[str]:
    """Known names that look like `model`, nearest first."""
    rows = _price_list()
    provider, _, bare = model.rpartition("/")
    own = [name for name, row in rows.items() if str(row.get("litellm_provider", "")).startswith(provider or COMMON)]
    near = get_close_matches(bare, own, count, 0.4) or get_close_matches(bare, rows, count, 0.4)
    return [f"{provider}/{name}" if provider and name in own and "/" not in name else name for name in near]


def estimated_usd(model: str, input_tokens: int, output_tokens: int) -> float | None:
    """List price of a call of that size, or `None` where the price is not known."""
    price = price_of(model)
    if price is None or price.input_usd is None or price.output_usd is None:
        return None
    return input_tokens * price.input_usd + output_tokens * price.output_usd
