"""Names of models: what works, what is refused with the nearest known names, and what it costs by the list."""

from __future__ import annotations

import pytest

from rlm_core.errors import TaskError
from rlm_core.lm.prices import price_of, similar_models
from rlm_core.lm.router import check_model
from rlm_core.lm.scrub import MASK, scrub

KNOWN = ["demo", "gpt-4o", "openai/gpt-4o", "anthropic/claude-sonnet-4-5", "ollama/llama3", "openrouter/any/thing"]


@pytest.mark.parametrize("model", KNOWN)
def test_known_models_and_open_providers_are_taken(model: str) -> None:
    check_model(model, None)


@pytest.mark.parametrize("model", ["gpt-4oo-typo", "opnai/gpt-4o", "anthropic/gpt-4o", "", "  "])
def test_unknown_models_are_refused_in_words(model: str) -> None:
    with pytest.raises(TaskError, match=r"not known|No model is named"):
        check_model(model, None)


def test_similar_names_are_of_the_same_provider_first() -> None:
    assert all(name.startswith("openai/") for name in similar_models("openai/gpt-nosuch"))
    assert "gpt-4o" in similar_models("gpt4o")


def test_a_server_of_ones_own_may_call_its_models_anything() -> None:
    check_model("my-model", "http://127.0.0.1:8000/v1")


def test_so_may_one_that_stands_in_for_openai(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:8000/v1")
    check_model("openai/my-model", None)
    with pytest.raises(TaskError, match="not known"):
        check_model("my-model", None)


def test_a_model_never_borrows_the_price_of_another_providers_namesake() -> None:
    assert price_of("openai/gpt-4o") == price_of("gpt-4o")
    assert price_of("ollama/gpt-4o") is None
    assert price_of("no-such-model") is None


@pytest.mark.parametrize(
    "text",
    [
        "Incorrect API key provided: sk-proj-abcdefghijklmnop1234",
        "Authorization: Bearer abcdef0123456789",
        "http://user:password@host/v1 refused",
        "the key value-of-my-key is wrong",
    ],
)
def test_keys_are_taken_out_of_error_texts(text: str) -> None:
    cleaned = scrub(text, {"MY_API_KEY": "value-of-my-key", "HOME": "/root"})
    assert MASK in cleaned
    for secret in ("sk-proj-abcdefghijklmnop1234", "abcdef0123456789", "user:password", "value-of-my-key"):
        assert secret not in cleaned


def test_ordinary_words_stay() -> None:
    text = "The model gpt-4o is overloaded; try again in 20 s. key=short"
    assert scrub(text, {"PATH": "/bin", "EMPTY_KEY": ""}) == text
