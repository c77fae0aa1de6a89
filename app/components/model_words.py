"""How a model is named, and what it charges, in words. Pure."""

from __future__ import annotations

from app.backend import ModelFacts
from rlm_core import wording
from rlm_core.plain import plain
from rlm_core.task import DEMO_MODEL


def model_label(model: str) -> str:
    """The name in a list to choose from; the stand-in says what it is."""
    return "demo (rule-based, not a language model)" if model == DEMO_MODEL else plain(model)


def price_in_words(facts: ModelFacts) -> str:
    """`$0.25 in, $2.00 out a million tokens · window 272 k`."""
    if facts.input_usd is None or facts.output_usd is None:
        price = "price unknown"
    else:
        dollars = [wording.money(each * 1e6) for each in (facts.input_usd, facts.output_usd)]
        price = f"{dollars[0]} in, {dollars[1]} out a million tokens"
    return f"{price} · window {wording.count(facts.window_tokens)}"
