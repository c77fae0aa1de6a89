"""Where a model is asked, under which name and with which key."""

from __future__ import annotations

import pytest

from rlm_core.lm.destination import OPENAI_URL, Destination, destination, key_variables

OURS = "http://127.0.0.1:8000/v1"
KEYS = {"OPENAI_API_KEY": "sk-openai", "GROQ_API_KEY": "gsk-groq", "HOSTED_VLLM_API_KEY": "vllm"}


@pytest.mark.parametrize(
    ("model", "sent", "key"),
    [
        ("ours", "ours", "sk-openai"),
        ("meta-llama/Llama-3.1-8B", "meta-llama/Llama-3.1-8B", "sk-openai"),
        ("mistralai/Mistral-7B", "mistralai/Mistral-7B", "sk-openai"),
        ("openai/ours", "ours", "sk-openai"),
        ("openai/openai/gpt-oss-20b", "openai/gpt-oss-20b", "sk-openai"),
        ("hosted_vllm/meta-llama/X", "meta-llama/X", "vllm"),
        ("groq/llama-3.3-70b", "llama-3.3-70b", "gsk-groq"),
        ("openrouter/anthropic/claude-sonnet-4.5", "anthropic/claude-sonnet-4.5", None),
        ("ollama/llama3", "llama3", None),
    ],
)
def test_a_server_of_ones_own_gets_the_name_that_it_knows_and_the_key_of_that_provider(
    model: str, sent: str, key: str | None
) -> None:
    assert destination(model, OURS, KEYS) == Destination(OURS, sent, key)


@pytest.mark.parametrize("address", [OURS, f"{OURS}/", f" {OURS}/chat/completions ", f"{OURS}/chat/completions/"])
def test_the_base_is_found_in_what_people_paste(address: str) -> None:
    found = destination("ours", address, {})
    assert found
    assert found.url == OURS


def test_openai_itself_is_asked_with_its_key_and_only_it_has_list_prices() -> None:
    found = destination("gpt-4o", None, {**KEYS, "OPENAI_ORG_ID": "org-1"})
    assert found == Destination(OPENAI_URL, "gpt-4o", "sk-openai", None, {"OpenAI-Organization": "org-1"}, True)
    elsewhere = destination("openai/gpt-4o", None, {**KEYS, "OPENAI_BASE_URL": OURS, "OPENAI_ORG_ID": "org-1"})
    assert elsewhere == Destination(OURS, "gpt-4o", "sk-openai")


def test_a_key_that_openai_wants_is_named_and_a_server_in_its_place_may_want_none() -> None:
    found, ours = (destination("openai/gpt-4o", None, each) for each in ({}, {"OPENAI_API_BASE": OURS}))
    assert found
    assert ours
    assert (found.wanted, ours.wanted) == ("OPENAI_API_KEY", None)


def test_servers_whose_address_is_in_the_environment_are_asked_there() -> None:
    found = destination("hosted_vllm/X", None, {**KEYS, "HOSTED_VLLM_API_BASE": OURS})
    assert found == Destination(OURS, "X", "vllm")


@pytest.mark.parametrize(
    "model", ["anthropic/claude-sonnet-4-5", "hosted_vllm/X", "gpt-5-pro", "ollama/x", "no-such", ""]
)
def test_other_dialects_are_for_litellm(model: str) -> None:
    assert destination(model, None, KEYS) is None


def test_no_variable_that_is_not_a_key_is_ever_sent_as_one() -> None:
    assert key_variables("bedrock/x") == ()
    assert key_variables("vertex_ai/x") == ()
    assert key_variables("azure/x") == ("AZURE_API_KEY",)
    assert key_variables("anthropic/x") == ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")


def test_a_key_is_not_shown_where_a_destination_is() -> None:
    assert "sk-openai" not in repr(destination("ours", OURS, KEYS))
