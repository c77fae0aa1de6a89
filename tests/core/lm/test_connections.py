"""Time, connections and keys: what a client does while it waits, and where it sends what. One suite for both clients."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from clients import CLIENTS, Asking, asking, request
from openai_server import Canned, Served, completion, failure, serving

from rlm_core.errors import CallError
from rlm_core.lm.client import Reply


@pytest.fixture(scope="module", params=sorted(CLIENTS))
def asks(request: pytest.FixtureRequest) -> Iterator[Asking]:
    with asking(request.param) as ready:
        with serving(lambda body, number: completion("warm")) as served:
            ready.ask(served)
        yield ready


def eventually(happened: object, timeout_s: float = 3.0) -> bool:
    """Whether something comes true soon: the server notices in a thread of its own."""
    assert callable(happened)
    until = time.monotonic() + timeout_s
    while not happened() and time.monotonic() < until:
        time.sleep(0.01)
    return bool(happened())


def refusing_once(headers: dict[str, str]) -> object:
    return lambda body, number: failure(429, "slow down", headers) if number == 0 else completion("now")


def test_a_server_that_asks_to_wait_is_given_the_seconds_it_asks_for(asks: Asking) -> None:
    with serving(refusing_once({"Retry-After": "1"})) as served:  # type: ignore[arg-type]
        began = time.monotonic()
        reply = asks.ask(served)
    assert (reply.text, reply.attempts, len(served.requests)) == ("now", 2, 2)
    assert 1.0 <= time.monotonic() - began < 3.0


def test_a_server_may_name_the_moment_too(asks: Asking) -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=2), usegmt=True)
    with serving(refusing_once({"Retry-After": soon})) as served:  # type: ignore[arg-type]
        began = time.monotonic()
        assert asks.ask(served).attempts == 2
    assert 0.5 <= time.monotonic() - began < 4.0


def test_a_wait_that_is_longer_than_the_time_of_the_request_is_not_begun(asks: Asking) -> None:
    began = time.monotonic()
    error, made = asks.fail(failure(429, "slow down", {"Retry-After": "30"}), timeout_s=2.0)
    assert (error.kind, error.retry_after_s, error.maybe_paid, made) == ("rate_limit", 30.0, False, 1)
    assert "It asks to wait 30 s." in str(error)
    assert time.monotonic() - began < 2.0


def test_a_reply_that_does_not_come_in_time_may_have_been_paid_and_is_not_asked_for_again(asks: Asking) -> None:
    error, made = asks.fail(Canned(delay_s=3.0, body={}), timeout_s=0.5)
    assert (error.kind, error.maybe_paid, made, error.attempts) == ("timeout", True, 1, 1)


def test_a_reply_that_trickles_in_has_no_more_time_than_any_other(asks: Asking) -> None:
    began = time.monotonic()
    error, made = asks.fail(Canned(body=completion("slowly").body, drip_s=0.05), timeout_s=0.5)
    assert (error.kind, error.maybe_paid, made) == ("timeout", True, 1)
    assert time.monotonic() - began < 3.0


def test_where_nobody_listens_nothing_is_paid(asks: Asking) -> None:
    (error,) = asks.results("http://127.0.0.1:9/v1", [request(timeout_s=1.0)])
    assert isinstance(error, CallError)
    assert (error.kind, error.maybe_paid) == ("unreachable", False)
    assert "Is the server running?" in str(error)


def test_a_connection_that_is_refused_is_tried_again(asks: Asking) -> None:
    with serving(lambda body, number: completion("hi")) as gone:
        pass
    (error,) = asks.results(gone, [request(timeout_s=2.0)])
    assert isinstance(error, CallError)
    assert error.attempts >= 2


def test_a_cancelled_request_hangs_up_at_once(asks: Asking) -> None:
    async def cancel_soon(lm_call: object, served: Served) -> float:
        call = asyncio.ensure_future(lm_call)  # type: ignore[call-overload]
        while not served.requests:
            await asyncio.sleep(0.01)
        began = time.monotonic()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        return time.monotonic() - began

    with serving(lambda body, number: Canned(delay_s=5.0, body={})) as served, asks.client(served.url) as lm:
        (took_s,) = asks.loop.run_all([cancel_soon(lm.complete(request()), served)])
        assert isinstance(took_s, float)
        assert took_s < 0.5
        assert eventually(lambda: served.abandoned == [0])


def test_a_wait_before_another_attempt_can_be_cancelled_too(asks: Asking) -> None:
    async def cancel_later(lm_call: object) -> float:
        began = time.monotonic()
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(lm_call, 0.5)  # type: ignore[arg-type]
        return time.monotonic() - began

    refused = failure(429, "slow down", {"Retry-After": "5"})
    with serving(lambda body, number: refused) as served, asks.client(served.url) as lm:
        (took_s,) = asks.loop.run_all([cancel_later(lm.complete(request()))])
    assert isinstance(took_s, float)
    assert took_s < 2.0


def test_batches_one_after_another_use_the_same_connections(asks: Asking) -> None:
    with serving(lambda body, number: completion("hi")) as served, asks.client(served.url) as lm:
        for _ in range(3):
            replies = asks.loop.run_all([lm.complete(request()) for _ in range(8)])
            assert [each.text for each in replies if isinstance(each, Reply)] == ["hi"] * 8
    assert len(served.requests) == 24
    assert len(served.connections) <= 12


def test_a_thousand_at_once_all_come_back_each_with_its_own_reply(asks: Asking) -> None:
    many = 1_000 if asks.kind == "http" else 200  # LiteLLM takes seconds of computing for a thousand

    def echo(body: dict[str, list[dict[str, str]]], number: int) -> Canned:
        return completion(body["messages"][0]["content"])

    with serving(echo) as served:
        replies = asks.results(served, [request(text=f"number {i}", timeout_s=60) for i in range(many)])
    assert [each.text if isinstance(each, Reply) else each for each in replies] == [f"number {i}" for i in range(many)]
    assert len(served.requests) == many


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_the_key_never_follows_to_another_host(asks: Asking, status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret-0123456789")
    with serving(lambda body, number: completion("gotcha")) as other:
        elsewhere = Canned(status, {}, {"Location": f"{other.url.replace('127.0.0.1', 'localhost')}/chat/completions"})
        with serving(lambda body, number: elsewhere) as served:
            (result,) = asks.results(served, [request()])
    assert "sk-very-secret" in str(served.requests[0]["headers"])
    assert "sk-very-secret" not in str(other.requests)
    if asks.kind == "http":  # the SDK below LiteLLM follows, without the key
        assert other.requests == []
        assert isinstance(result, CallError)
        assert (result.kind, result.maybe_paid, len(served.requests)) == ("refused", False, 1)
        assert "sends on to http://localhost" in str(result)


def test_a_key_that_the_server_repeats_does_not_get_out(asks: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "own-way-of-writing-keys")

    def echo(body: dict[str, dict[str, str]], number: int) -> Canned:
        return failure(401, f"Incorrect API key: {body['headers']['authorization']}")

    with serving(echo) as served:
        (error,) = asks.results(served, [request("openai/some-model")])
    assert served.requests[0]["headers"]["authorization"] == "Bearer own-way-of-writing-keys"
    assert isinstance(error, CallError)
    assert "own-way" not in str(error)
    assert "own-way" not in repr(error.__cause__)


def test_the_key_of_another_provider_is_not_sent(asks: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai-0123456789")
    monkeypatch.delenv("GROQ_API_KEY", raising=False)
    with serving(lambda body, number: completion("hi")) as served:
        asks.ask(served, "groq/some-model")
    assert "sk-openai" not in str(served.requests)
