"""What servers say when they refuse, in their own words, and what we make of it."""

from __future__ import annotations

import json
import time

import pytest

from rlm_core.lm.client import Request
from rlm_core.lm.complaints import Heard, call_error, heard, kind_of
from rlm_core.task import Message

TOO_LONG = {
    "OpenAI": (400, "This model's maximum context length is 128000 tokens. However, your messages resulted in 150000."),
    "OpenAI, newer": (
        400,
        "Your input exceeds the context window of this model. Please adjust your input and try again.",
    ),
    "OpenAI, gpt-5": (
        400,
        "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300000.",
    ),
    "OpenAI, by characters": (
        400,
        "Invalid 'messages[0].content': string too long. Expected a string with maximum length 10485760, but got 20000000.",
    ),
    "OpenAI, more than a minute's worth": (
        429,
        "Request too large for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Requested 40000.",
    ),
    "vLLM": (
        400,
        "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens in the messages.",
    ),
    "vLLM, newer": (400, "The decoder prompt (length 5000) is longer than the maximum model length of 4096."),
    "vLLM, max_model_len": (400, "Input length (5000) exceeds model's max_model_len (4096)."),
    "SGLang": (400, "The input (5000 tokens) is longer than the model's context length (4096 tokens)."),
    "llama.cpp": (400, "the request exceeds the available context size, try increasing it"),
    "llama.cpp, newer": (
        400,
        "request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it",
    ),
    "Ollama": (400, "the input length exceeds the context length"),
    "Ollama, newer": (400, "prompt too long; exceeded max context length by 904 tokens"),
    "LM Studio": (400, "The model is loaded with context length of only 4096 tokens, which is not enough."),
    "text-generation-inference": (
        422,
        "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens",
    ),
    "text-generation-inference, newer": (422, "Input validation error: `inputs` must have less than 4095 tokens."),
    "Anthropic": (400, "prompt is too long: 210000 tokens > 200000 maximum"),
    "Anthropic, with output": (400, "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000"),
    "Anthropic, by bytes": (413, "Request exceeds the maximum size"),
    "Gemini": (400, "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."),
    "Mistral": (400, "Prompt contains 40000 tokens, too large for model with 32768 maximum context length"),
    "Groq": (413, "Please reduce the length of the messages or completion."),
    "xAI": (400, "This model's maximum prompt length is 131072 but the request contains 537812 tokens."),
    "Cerebras": (400, "Please reduce the length. Current length is 9000 while limit is 8192"),
    "Cohere": (400, "too many tokens: total number of tokens in the prompt cannot exceed 4081"),
    "Bedrock": (400, "Input is too long for requested model."),
    "OpenRouter": (400, "This endpoint's maximum context length is 32768 tokens. However, you requested about 40000."),
}


@pytest.mark.parametrize("server", TOO_LONG)
def test_a_prompt_that_is_too_long_is_known_by_the_words_of_every_server(server: str) -> None:
    assert kind_of(Heard(*TOO_LONG[server])) == "overflow"


@pytest.mark.parametrize(
    ("status", "said", "kind"),
    [
        (
            429,
            "Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000.",
            "rate_limit",
        ),
        (429, "You exceeded your current quota, please check your plan and billing details.", "rate_limit"),
        (429, "Quota exceeded. insufficient_quota", "refused"),
        (400, "max_tokens is too large: 99999. This model supports at most 16384 completion tokens.", "refused"),
        (400, "Invalid 'user': string too long. Expected a string with maximum length 64.", "refused"),
        (400, "Unrecognized request argument supplied: context_length", "refused"),
        (400, "Unsupported parameter: 'max_tokens' is not supported with this model. Use another.", "refused"),
        (400, "Unsupported value: 'temperature' does not support 0.2 with this model.", "refused"),
        (400, "Incorrect API key provided", "auth"),
        (403, "Your chosen model requires moderation and your input was flagged", "refused"),
        (403, "Project does not have access to model gpt-5", "auth"),
        (404, "The model `gpt-9` does not exist or you do not have access to it.", "unknown_model"),
        (404, "models/gemini-9 is not found for API version v1, or is not supported. model not found", "unknown_model"),
        (400, "invalid model ID", "unknown_model"),
        (404, "File Not Found", "refused"),
        (402, "Insufficient credits", "refused"),
        (529, "Overloaded", "server"),
    ],
)
def test_other_words_are_not_taken_for_it(status: int, said: str, kind: str) -> None:
    assert kind_of(Heard(status, said)) == kind


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"error": {"message": "it broke", "code": "x"}}, "it broke"),
        ({"object": "error", "message": "it broke", "code": 404}, "it broke"),
        ({"error": "it broke"}, "it broke"),
        ({"detail": "it broke"}, "it broke"),
        ([{"error": {"message": "it broke", "status": "NOT_FOUND"}}], "it broke"),
        ({"detail": [{"loc": ["body"], "msg": "it broke"}]}, '[{"loc": ["body"], "msg": "it broke"}]'),
        ({"error": None}, '{"error": null}'),
        ("it broke", "it broke"),
        (None, "None"),
    ],
)
def test_the_words_are_found_wherever_a_server_puts_them(body: object, said: str) -> None:
    assert heard(400, json.dumps(body).encode()).said == said


def test_a_page_is_heard_by_its_title_and_plain_text_as_it_is() -> None:
    assert heard(502, b"<html><head><title>502\nBad Gateway</title></head><body>nginx</body>").said == "502 Bad Gateway"
    assert heard(503, b"<h1>no  upstream</h1>").said == "no upstream"
    assert heard(500, b"").said == ""
    assert heard(500, b"[" * 100_000).said == "[" * 500


def test_a_page_made_to_be_slow_to_read_is_not() -> None:
    began = time.monotonic()
    heard(500, b"<title>" * 100_000)
    assert time.monotonic() - began < 1.0


def test_hostile_words_are_one_short_line_of_signs_that_can_be_shown() -> None:
    said = heard(
        400, json.dumps({"error": {"message": "\x1b[31mred\x07\n\n  and\u202e more" + "!" * 9_000}}).encode()
    ).said
    assert said.startswith("[31mred and more!")
    assert len(said) == 500


def test_a_model_that_the_server_calls_otherwise_is_named_as_it_was_sent() -> None:
    asked = Request("openai/gpt-oss-20b", (Message("user", "hello"),))
    error = call_error(
        Heard(404, "The model `gpt-oss-20b` does not exist."), asked, " at http://here/v1", "gpt-oss-20b"
    )
    assert str(error) == (
        "The model openai/gpt-oss-20b is not known at http://here/v1, where it was called gpt-oss-20b. If "
        "openai/gpt-oss-20b is its name there, write openai/openai/gpt-oss-20b. The model `gpt-oss-20b` does not exist."
    )
    assert error.kind == "unknown_model"


def test_azure_may_charge_for_what_it_turns_down() -> None:
    too_long = Heard(400, "This model's maximum context length is 10 tokens.")
    assert call_error(too_long, Request("azure/ours", ())).maybe_paid
    assert not call_error(too_long, Request("openai/gpt-4o", ())).maybe_paid
