"""What only the client over LiteLLM does. The cases that it shares with the plain HTTP client are in `test_servers.py`,
`test_completions.py` and `test_connections.py`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from clients import Asking, asking, request
from openai_server import Canned, completion, failure, serving

from rlm_core.errors import CallError
from rlm_core.lm.client import Reply
from rlm_core.lm.live import LiveLM

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # of Pydantic, of which LiteLLM takes no notice


@pytest.fixture(scope="module")
def litellm() -> Iterator[Asking]:
    with asking("litellm") as ready:
        yield ready


def ask(litellm: Asking, model: str) -> Reply | BaseException:
    (result,) = litellm.loop.run_all([LiveLM().complete(request(model))])
    return result


def test_a_missing_key_is_named_before_anything_is_sent(litellm: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MISTRAL_API_KEY", raising=False)
    error = ask(litellm, "mistral/mistral-large-latest")
    assert isinstance(error, CallError)
    assert "MISTRAL_API_KEY" in str(error)
    assert (error.kind, error.attempts, error.maybe_paid) == ("auth", 1, False)


def anthropic_says(text: str) -> Canned:
    message = {
        "id": "m1",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-4-5",
        "stop_reason": "end_turn",
    }
    usage = {"input_tokens": 100, "output_tokens": 20}
    return Canned(body={**message, "content": [{"type": "text", "text": text}], "usage": usage})


def test_another_dialect_has_text_tokens_and_its_list_price(litellm: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-0123456789")
    with serving(lambda body, number: anthropic_says("hi")) as served:
        monkeypatch.setenv("ANTHROPIC_API_BASE", served.url.removesuffix("/v1"))
        reply = ask(litellm, "anthropic/claude-sonnet-4-5")
    assert isinstance(reply, Reply)
    assert reply.usage
    assert (reply.text, reply.usage.input_tokens, reply.usage.output_tokens) == ("hi", 100, 20)
    assert reply.cost_usd == pytest.approx(100 * 3e-6 + 20 * 15e-6)
    assert reply.cost_source
    assert "LiteLLM" in reply.cost_source


@pytest.mark.parametrize(
    ("canned", "kind", "maybe_paid", "requests"),
    [
        (failure(400, "prompt is too long: 210000 tokens > 200000 maximum"), "overflow", False, 1),
        (failure(404, "model: claude-9 not found"), "unknown_model", False, 1),
        (failure(429, "slow down", {"retry-after": "0"}), "rate_limit", False, 4),
        (failure(429, "slow down", {"retry-after": "600"}), "rate_limit", False, 1),
        (failure(529, "Overloaded", {"retry-after": "0"}), "server", False, 4),
        (failure(502, "bad gateway"), "server", True, 1),
        (Canned(raw=b"<html>"), "bad_reply", True, 1),
        (completion("another dialect"), "bad_reply", True, 1),
        (Canned(hangs_up="before"), "bad_reply", True, 1),
    ],
)
def test_another_dialects_failures_have_the_same_kinds(
    litellm: Asking, monkeypatch: pytest.MonkeyPatch, canned: Canned, kind: str, maybe_paid: bool, requests: int
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-0123456789")
    with serving(lambda body, number: canned) as served:
        monkeypatch.setenv("ANTHROPIC_API_BASE", served.url.removesuffix("/v1"))
        error = ask(litellm, "anthropic/claude-sonnet-4-5")
    assert isinstance(error, CallError)
    assert (error.kind, error.maybe_paid, len(served.requests)) == (kind, maybe_paid, requests)


def test_a_name_that_litellm_does_not_know_is_not_sent_anywhere(litellm: Asking) -> None:
    error = ask(litellm, "no-such-provider/x")
    assert isinstance(error, CallError)
    assert (error.kind, error.maybe_paid) == ("unknown_model", False), error
