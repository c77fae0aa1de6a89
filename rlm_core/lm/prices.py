"""List prices and windows of known models, read from the price file inside the LiteLLM package without importing it.

Importing LiteLLM costs seconds and 200 MB, so everything that only needs a number reads the file. It knows list prices;
it does not know anybody's discounts, nor what a private server charges.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rlm_core.errors import TaskError
from rlm_core.task import Usage

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


@cache
def price_source() -> str:
    """Which list a price is from, to be shown beside it. Asked for each call: reading a package's version takes 2 ms."""
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


def only_by_responses(model: str) -> bool:
    """Whether a model answers in OpenAI's newer dialect alone, which is not that of chat completions."""
    row = _row(model)
    return row is not None and row.get("mode") == "responses"


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


def cost_usd(model: str, usage: Usage | None) -> float | None:
    """What a call of those tokens costs by the list; `None` where a count or a price is not known.

    Tokens that the provider had cached have a price of their own, and so have all tokens of a very long prompt.
    """
    row = _row(model)
    if row is None or usage is None or usage.input_tokens is None or usage.output_tokens is None:
        return None
    above = _long_prompt(row, usage.input_tokens)
    cached = min(usage.cached_input_tokens or 0, usage.input_tokens)
    parts = (
        (usage.input_tokens - cached, row.get(f"input_cost_per_token{above}")),
        (cached, row.get(f"cache_read_input_token_cost{above}")),
        (usage.output_tokens, row.get(f"output_cost_per_token{above}")),
    )
    if any(tokens and usd is None for tokens, usd in parts):
        return None
    return sum(tokens * (usd or 0.0) for tokens, usd in parts)


def _long_prompt(row: dict[str, Any], input_tokens: int) -> str:
    """The ending of the names of the prices that hold for a prompt of that length: `_above_272k_tokens`, or none."""
    found = (re.fullmatch(r"input_cost_per_token(_above_(\d+)k_tokens)", name) for name in row)
    passed = [(int(each[2]), each[1]) for each in found if each and input_tokens > int(each[2]) * 1000]
    return max(passed)[1] if passed else ""
