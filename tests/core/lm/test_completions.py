"""What is read out of a reply: words, tokens and how it ended. One suite for both clients."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from clients import CLIENTS, Asking, asking
from openai_server import Canned, completion, serving

from rlm_core.task import Usage


@pytest.fixture(scope="module", params=sorted(CLIENTS))
def asks(request: pytest.FixtureRequest) -> Iterator[Asking]:
    with asking(request.param) as ready:
        yield ready


def said(content: Any, *, finish_reason: Any = "stop", usage: Any = None, model: Any = "served", **more: Any) -> Canned:
    body = copy.deepcopy(completion(content, usage=None, finish_reason=finish_reason).body)
    body["choices"][0]["message"] |= more
    return Canned(body={**body, "model": model, **({"usage": usage} if usage is not None else {})})


TOOL = [{"id": "t1", "type": "function", "function": {"name": "f", "arguments": "{}"}}]


@pytest.mark.parametrize(
    ("canned", "text", "finish_reason"),
    [
        (said("hi"), "hi", "stop"),
        (said("cut o", finish_reason="length"), "cut o", "length"),
        (said("né 猫 \U0001f408"), "né 猫 \U0001f408", "stop"),
        (said([{"type": "text", "text": "in "}, {"type": "text", "text": "parts"}]), "in parts", "stop"),
        (said([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "yes"}]), "yes", "stop"),
        (said("yes", reasoning_content="The reader wants a yes."), "yes", "stop"),
        (said(None, reasoning_content="The reader wants", finish_reason="length"), "", "length; it only reasoned"),
        (said("", reasoning="The reader wants", finish_reason="length"), "", "length; it only reasoned"),
        (said(None, tool_calls=TOOL, finish_reason="tool_calls"), "", "tool_calls"),
        (said(None), "", "stop"),
        (said("", finish_reason="content_filter"), "", "content_filter"),
        (said(None, refusal="I cannot help with that."), "I cannot help with that.", "refusal"),
        (said(None, refusal=""), "", "stop"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_words_of_a_reply_and_how_it_ended(asks: Asking, canned: Canned, text: str, finish_reason: str) -> None:
    if asks.kind == "litellm" and isinstance(canned.body["choices"][0]["message"]["content"], list):
        pytest.skip("LiteLLM cannot read a reply in parts")
    reply = asks.hear(canned)
    assert (reply.text, reply.finish_reason, reply.attempts) == (text, finish_reason, 1)


def test_what_cannot_be_written_as_text_is_mended_both_ways(asks: Asking) -> None:
    with serving(lambda body, number: said("half \ud83d a cat, \ud83d\udc08 a cat")) as served:
        reply = asks.ask(served, text="né 猫 \udc9c and \ud83d\udc08")
    assert reply.text == "half � a cat, \U0001f408 a cat"
    assert served.requests[0]["messages"] == [{"role": "user", "content": "né 猫 � and \U0001f408"}]


FULL = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}


@pytest.mark.parametrize(
    ("usage", "read"),
    [
        (None, None),
        ({}, None),
        ("a lot", None),
        (FULL, Usage(100, 20)),
        (
            FULL
            | {"prompt_tokens_details": {"cached_tokens": 64}, "completion_tokens_details": {"reasoning_tokens": 8}},
            Usage(100, 20, 64, 8),
        ),
        (FULL | {"prompt_tokens_details": None, "completion_tokens_details": None}, Usage(100, 20)),
        ({"prompt_tokens": 100}, Usage(100, None)),
        ({"completion_tokens": 20}, Usage(None, 20)),
        ({"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}, None),
    ],
    ids=str,
)
def test_tokens_are_what_was_reported_and_unknown_is_not_zero(asks: Asking, usage: Any, read: Usage | None) -> None:
    if usage == "a lot" and asks.kind == "litellm":
        pytest.skip("LiteLLM takes usage of another shape for a reply that cannot be read")
    assert asks.hear(said("hi", usage=usage)).usage == read


def test_a_server_of_ones_own_has_no_list_prices_whatever_it_calls_its_models(asks: Asking) -> None:
    reply = asks.hear(said("hi", usage=FULL, model="gpt-4o"), model="openai/gpt-4o-mini")
    assert (reply.model, reply.cost_usd, reply.cost_source) == ("gpt-4o", None, None)
    with asks.client("http://127.0.0.1:9/v1") as lm:
        assert lm.estimated_usd("openai/gpt-4o-mini", 1_000, 1_000) is None


@pytest.mark.parametrize("model", [None, "", 7])
def test_a_reply_without_the_name_of_a_model_has_the_one_that_was_asked(asks: Asking, model: Any) -> None:
    if model == 7 and asks.kind == "litellm":
        pytest.skip("LiteLLM cannot read a reply whose model is a number")
    assert asks.hear(said("hi", model=model), model="openai/ours").model in ("openai/ours", "ours")


def test_parameters_go_to_the_server_as_they_are(asks: Asking) -> None:
    with serving(lambda body, number: said("hi")) as served:
        asks.ask(served, max_tokens=5, temperature=0.5, reasoning_effort="low", extra={"a": 1})
    (request,) = served.requests
    assert {name: request.get(name) for name in ("max_tokens", "temperature", "reasoning_effort")} == {
        "max_tokens": 5,
        "temperature": 0.5,
        "reasoning_effort": "low",
    }


@pytest.mark.parametrize(
    ("model", "sent"),
    [
        ("ours", "ours"),
        ("openai/ours", "ours"),
        ("meta-llama/X", "meta-llama/X"),
        ("hosted_vllm/meta-llama/X", "meta-llama/X"),
    ],
)
def test_a_server_is_told_the_name_that_it_knows(asks: Asking, model: str, sent: str) -> None:
    with serving(lambda body, number: said("hi")) as served:
        asks.ask(served, model)
    assert (served.requests[0]["model"], served.requests[0]["path"]) == (sent, "/v1/chat/completions")


def test_a_key_of_ours_that_a_model_repeats_does_not_get_on(asks: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret-0123456789")
    assert asks.hear(said("it is sk-very-secret-0123456789!")).text == "it is [key removed]!"
