"""How much a model takes, as its server tells."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
from openai_server import completion, serving

from rlm_core.lm.prices import price_of
from rlm_core.lm.router import Models

VLLM = {
    "object": "list",
    "data": [{"id": "meta-llama/X", "max_model_len": 8192}, {"id": "gpt-4o", "max_model_len": 4096}],
}


def windows(models: Any, *names: str) -> list[int | None]:
    with serving(lambda body, number: completion("hi")) as served:
        served.models = models
        lm = Models(served.url)
        return [lm.window_tokens(name) for name in names]


def test_a_server_knows_its_models_better_than_any_list() -> None:
    assert windows(VLLM, "meta-llama/X", "openai/gpt-4o", "another") == [8192, 4096, None]


@pytest.mark.parametrize(
    "models",
    [
        None,
        [],
        "models",
        {"data": None},
        {"data": [None, 7, {}, {"id": 7}, {"id": "ours"}]},
        {"data": [{"id": "ours", "max_model_len": "8192"}]},
        {"data": [{"id": "ours", "max_model_len": -1}]},
        {"data": [{"id": "ours", "max_model_len": True}]},
    ],
)
def test_a_server_that_does_not_say_leaves_it_unknown_or_to_the_list(models: Any) -> None:
    listed = price_of("gpt-4o")
    assert listed
    assert windows(models, "ours", "openai/gpt-4o") == [None, listed.window_tokens]


def test_it_is_asked_once_and_not_while_calls_are_waiting() -> None:
    async def on_a_loop(lm: Models) -> int | None:
        return lm.window_tokens("meta-llama/X")

    with serving(lambda body, number: completion("hi")) as served:
        served.models = VLLM
        lm = Models(served.url)
        assert asyncio.run(on_a_loop(lm)) is None
        assert lm.window_tokens("meta-llama/X") == 8192
        served.models = None
        assert asyncio.run(on_a_loop(lm)) == lm.window_tokens("meta-llama/X") == 8192


def test_a_server_that_is_not_there_costs_no_time() -> None:
    began = time.monotonic()
    assert Models("http://127.0.0.1:9/v1").window_tokens("ours") is None
    assert time.monotonic() - began < 2.0
