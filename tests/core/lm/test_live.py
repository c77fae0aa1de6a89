"""Real HTTP through LiteLLM against a loopback server that behaves well or badly."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator

import pytest
from openai_server import Canned, Served, completion, failure, serving

from rlm_core.errors import CallError
from rlm_core.lm.client import Reply, Request
from rlm_core.lm.live import LiveLM
from rlm_core.lm.loop import ModelLoop
from rlm_core.task import Message, Usage


@pytest.fixture(scope="module")
def loop() -> Iterator[ModelLoop]:
    loop = ModelLoop(8)
    with serving(lambda body, n: completion("warm")) as served:  # the first call imports LiteLLM, which takes seconds
        ask(loop, served, timeout_s=60)
    yield loop
    loop.close(LiveLM().close())


def ask(loop: ModelLoop, served: Served | str | None, model: str = "some-model", timeout_s: float = 10.0) -> Reply:
    url = served.url if isinstance(served, Served) else served
    request = Request(model, (Message("user", "hello"),), timeout_s=timeout_s)
    (reply,) = loop.run_all([LiveLM(url).complete(request)])
    if isinstance(reply, BaseException):
        raise reply
    return reply


def test_a_reply_carries_text_usage_and_no_price_for_an_unlisted_model(loop: ModelLoop) -> None:
    with serving(lambda body, n: completion("hi there")) as served:
        reply = ask(loop, served)
    assert (reply.text, reply.usage, reply.cost_usd) == ("hi there", Usage(10, 5), None)
    assert served.requests[0]["messages"] == [{"role": "user", "content": "hello"}]


def test_a_listed_model_has_a_list_price_but_not_at_a_server_of_ones_own(
    loop: ModelLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(lambda body, n: completion("hi")) as served:
        assert ask(loop, served, "openai/gpt-4o-mini").cost_usd is None
        monkeypatch.setenv("OPENAI_API_BASE", served.url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
        reply = ask(loop, None, "openai/gpt-4o-mini")
    assert reply.cost_usd == pytest.approx(10 * 0.15e-6 + 5 * 0.6e-6)
    assert reply.cost_source
    assert "LiteLLM" in reply.cost_source


def test_missing_usage_is_unknown_and_not_zero(loop: ModelLoop) -> None:
    with serving(lambda body, n: completion("hi", usage=None)) as served:
        reply = ask(loop, served, "openai/gpt-4o-mini")
    assert (reply.usage, reply.cost_usd) == (None, None)


def test_a_rate_limit_is_waited_out_as_the_server_says(loop: ModelLoop) -> None:
    def answer(body: object, number: int) -> Canned:
        return failure(429, "slow down", {"retry-after": "1"}) if number == 0 else completion("now")

    with serving(answer) as served:
        began = time.monotonic()
        reply = ask(loop, served)
    assert (reply.text, reply.attempts, len(served.requests)) == ("now", 2, 2)
    assert time.monotonic() - began >= 1.0


@pytest.mark.parametrize(
    ("canned", "kind", "requests"),
    [
        (failure(401, "bad key"), "auth", 1),
        (failure(404, "no such model", code="model_not_found"), "unknown_model", 1),
        (
            failure(400, "This model's maximum context length is 10 tokens.", code="context_length_exceeded"),
            "overflow",
            1,
        ),
        (failure(400, "unsupported parameter"), "refused", 1),
        (Canned(raw=b"<html>gateway</html>"), "bad_reply", 1),
        (Canned(body={"choices": []}), "bad_reply", 1),
    ],
)
def test_a_failure_that_no_second_try_can_mend_is_not_tried_again(
    loop: ModelLoop, canned: Canned, kind: str, requests: int
) -> None:
    with serving(lambda body, n: canned) as served:
        with pytest.raises(CallError) as caught:
            ask(loop, served)
        assert (caught.value.kind, len(served.requests)) == (kind, requests)


def test_a_server_error_is_tried_again_and_then_given_up(loop: ModelLoop) -> None:
    overloaded = failure(503, "overloaded", {"retry-after": "0"})
    with serving(lambda body, n: overloaded) as served, pytest.raises(CallError) as caught:
        ask(loop, served)
    assert (caught.value.kind, caught.value.attempts, len(served.requests)) == ("server", 4, 4)


def test_a_gateway_that_gives_up_may_have_been_paid_behind_and_is_not_repeated(loop: ModelLoop) -> None:
    with serving(lambda body, n: failure(502, "bad gateway")) as served, pytest.raises(CallError) as caught:
        ask(loop, served)
    assert (caught.value.kind, caught.value.maybe_paid, len(served.requests)) == ("server", True, 1)


def test_a_timeout_may_have_been_paid_and_is_never_repeated(loop: ModelLoop) -> None:
    with serving(lambda body, n: Canned(delay_s=2.0, body=completion("late").body)) as served:
        with pytest.raises(CallError) as caught:
            ask(loop, served, timeout_s=0.5)
        assert (caught.value.kind, caught.value.maybe_paid, len(served.requests)) == ("timeout", True, 1)


def test_an_unreachable_server_says_so(loop: ModelLoop) -> None:
    with pytest.raises(CallError) as caught:
        ask(loop, "http://127.0.0.1:9/v1")
    assert caught.value.kind == "unreachable"
    assert "Is the server running?" in str(caught.value)


def test_a_missing_key_is_named_before_anything_is_sent(loop: ModelLoop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    with pytest.raises(CallError, match="ANTHROPIC_API_KEY") as caught:
        ask(loop, None, "anthropic/claude-sonnet-4-5")
    assert (caught.value.kind, caught.value.attempts, caught.value.maybe_paid) == ("auth", 1, False)


def test_a_key_that_the_server_echoes_does_not_get_out(loop: ModelLoop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret-0123456789")

    def echo(body: dict[str, dict[str, str]], number: int) -> Canned:
        return failure(401, f"Incorrect API key: {body['headers']['authorization']}")

    with serving(echo) as served, pytest.raises(CallError) as caught:
        ask(loop, served, "openai/some-model")
    assert "sk-very-secret" in str(served.requests[0]["headers"])
    assert "sk-very-secret" not in str(caught.value)
    assert caught.value.kind == "auth"


def test_a_call_that_is_cancelled_stops_at_once() -> None:
    loop = ModelLoop(2)
    with serving(lambda body, n: Canned(delay_s=3.0, body=completion("late").body)) as served:
        began = time.monotonic()

        async def cancel_soon() -> None:
            while not served.requests:
                await asyncio.sleep(0.02)
            loop.cancel()

        lm = LiveLM(served.url)
        request = Request("some-model", (Message("user", "hello"),))
        result, _ = loop.run_all([lm.complete(request), cancel_soon()])  # type: ignore[list-item]
    assert isinstance(result, asyncio.CancelledError)
    assert time.monotonic() - began < 3.0
    loop.close(lm.close())
