"""What only the plain HTTP client does: OpenAI's prices, a cap on replies, and no import of LiteLLM."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from clients import request
from openai_server import Canned, Served, completion, serving

from rlm_core.errors import CallError
from rlm_core.lm.client import LM, Reply, Request
from rlm_core.lm.destination import Destination
from rlm_core.lm.loop import ModelLoop
from rlm_core.lm.openai_http import OpenAIHttpLM
from rlm_core.lm.prices import cost_usd
from rlm_core.lm.router import Models
from rlm_core.task import Usage

MINI = {"input": 0.15e-6, "cached": 0.075e-6, "output": 0.6e-6}
"""List prices of gpt-4o-mini, in US dollars per token."""


@pytest.fixture
def loop() -> Iterator[ModelLoop]:
    loop = ModelLoop(8)
    yield loop
    loop.close()


def results(loop: ModelLoop, lm: LM, *requests: Request) -> list[Reply | BaseException]:
    """What became of requests that were made together by a client that is closed afterwards."""
    try:
        return loop.run_all([lm.complete(each) for each in requests])
    finally:
        loop.run_all([lm.close()])


def at_openai(served: Served, model: str) -> Destination:
    """The server of the test in the place of OpenAI's own."""
    return Destination(served.url, model, "sk-test-0123456789", is_openai=True)


def ask_openai(loop: ModelLoop, body: dict[str, Any], **params: Any) -> tuple[Reply, dict[str, Any]]:
    with serving(lambda _, number: Canned(body=body)) as served:
        lm = OpenAIHttpLM(lambda model: at_openai(served, model))
        (reply,) = results(loop, lm, request("gpt-4o-mini", **params))
    assert isinstance(reply, Reply), reply
    return reply, served.requests[0]


def counted(prompt: int, cached: int | None, output: int, **more: Any) -> dict[str, Any]:
    usage: dict[str, Any] = {"prompt_tokens": prompt, "completion_tokens": output}
    if cached is not None:
        usage["prompt_tokens_details"] = {"cached_tokens": cached}
    return {**completion("hi", usage=None).body, "usage": usage, **more}


def test_openais_own_models_have_their_list_price_and_cached_tokens_have_theirs(loop: ModelLoop) -> None:
    reply, _ = ask_openai(loop, counted(1_000, 400, 50))
    assert reply.cost_usd == pytest.approx(600 * MINI["input"] + 400 * MINI["cached"] + 50 * MINI["output"])
    assert reply.cost_source
    assert reply.cost_source.endswith("list prices")
    assert ask_openai(loop, counted(1_000, None, 50))[0].cost_usd == pytest.approx(
        1_000 * MINI["input"] + 50 * MINI["output"]
    )


@pytest.mark.parametrize(
    "body", [completion("hi", usage=None).body, counted(1_000, 0, 50, service_tier="priority"), counted(0, 0, 50)]
)
def test_a_cost_that_is_not_known_is_not_made_up(loop: ModelLoop, body: dict[str, Any]) -> None:
    reply, _ = ask_openai(loop, body)
    assert (reply.cost_usd, reply.cost_source) == (None, None)


def test_a_very_long_prompt_has_prices_of_its_own() -> None:
    assert cost_usd("gpt-5.4", Usage(272_000, 1_000)) == pytest.approx(272_000 * 2.5e-6 + 1_000 * 15e-6)
    long = cost_usd("gpt-5.4", Usage(272_001, 1_000, 2_001))
    assert long == pytest.approx(270_000 * 5e-6 + 2_001 * 0.5e-6 + 1_000 * 22.5e-6)


def test_a_price_that_is_not_listed_is_unknown_and_not_free() -> None:
    assert cost_usd("no-such-model", Usage(1, 1)) is None
    assert cost_usd("gpt-audio", Usage(100, 10, 50)) is None  # no price for what was cached
    assert cost_usd("gpt-audio", Usage(100, 10, 0)) == pytest.approx(100 * 2.5e-6 + 10 * 10e-6)
    assert cost_usd("gpt-4o-mini", Usage(100, None)) is None


def test_the_limit_of_a_reply_has_another_name_at_openai(loop: ModelLoop) -> None:
    _, sent = ask_openai(loop, completion("hi").body, max_tokens=16)
    assert (sent.get("max_completion_tokens"), sent.get("max_tokens")) == (16, None)


def test_a_missing_key_is_named_before_anything_is_sent(loop: ModelLoop, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_API_BASE"):
        monkeypatch.delenv(name, raising=False)
    lm = Models()
    (error,) = results(loop, lm, request("openai/gpt-4o-mini"))
    assert isinstance(error, CallError)
    assert (error.kind, error.maybe_paid) == ("auth", False)
    assert "set OPENAI_API_KEY" in str(error)


@pytest.mark.parametrize("chunked", [False, True])
def test_a_reply_beyond_all_measure_is_not_read_to_its_end(loop: ModelLoop, chunked: bool) -> None:
    headers: dict[str, str] = {}
    raw = json.dumps(completion("x" * 3_000_000).body).encode()
    if chunked:
        raw, headers = b"%x\r\n%b\r\n0\r\n\r\n" % (len(raw), raw), {"Transfer-Encoding": "chunked"}
    canned = Canned(raw=raw, headers=headers)
    with serving(lambda body, number: canned) as served:
        lm = OpenAIHttpLM(lambda model: Destination(served.url, model), max_reply_bytes=2**20)
        (error,) = results(loop, lm, request())
    assert isinstance(error, CallError)
    assert (error.kind, error.maybe_paid, len(served.requests)) == ("bad_reply", True, 1)
    assert "larger than 1 MiB" in str(error)


def test_of_a_very_long_complaint_the_beginning_is_heard(loop: ModelLoop) -> None:
    canned = Canned(400, {"detail": "the context length is 10 tokens, and you sent " + "x" * 3_000_000})
    with serving(lambda body, number: canned) as served:
        (error,) = results(loop, OpenAIHttpLM(lambda model: Destination(served.url, model)), request())
    assert isinstance(error, CallError)
    assert error.kind == "overflow"


def test_an_error_in_the_place_of_a_reply_has_its_kind_but_may_have_been_paid(loop: ModelLoop) -> None:
    canned = Canned(body={"error": {"code": 429, "message": "the provider behind us is busy"}})
    with serving(lambda body, number: canned) as served:
        lm = OpenAIHttpLM(lambda model: Destination(served.url, model))
        (error,) = results(loop, lm, request())
    assert isinstance(error, CallError)
    assert (error.kind, error.maybe_paid, len(served.requests)) == ("rate_limit", True, 1)


def test_parameters_that_cannot_be_sent_are_refused_and_none_takes_the_place_of_the_question(loop: ModelLoop) -> None:
    with serving(lambda body, number: completion("hi")) as served:
        lm = OpenAIHttpLM(lambda model: Destination(served.url, model))
        error, reply = results(loop, lm, request(seed=object()), request(messages=[], stream=True))
    assert isinstance(error, CallError)
    assert error.kind == "refused"
    assert isinstance(reply, Reply)
    assert [(each["messages"], each["stream"]) for each in served.requests] == [
        ([{"role": "user", "content": "hello"}], False)
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="how a full backlog behaves is a matter of the system")
def test_a_connection_that_never_comes_about_is_nothing_that_was_paid(loop: ModelLoop) -> None:
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        waiting = [socket.socket() for _ in range(4)]
        for each in waiting:
            each.setblocking(False)
            each.connect_ex(full.getsockname())
        lm = OpenAIHttpLM(lambda model: Destination(f"http://127.0.0.1:{full.getsockname()[1]}/v1", model))
        (error,) = results(loop, lm, request(timeout_s=0.4))
        for each in waiting:
            each.close()
    assert isinstance(error, CallError)
    assert (error.kind, error.maybe_paid) == ("unreachable", False)


@pytest.mark.parametrize("address", ["garbage", "http://", "ftp://host/v1", "http://[::1", "http://host:99999/v1"])
def test_what_is_no_address_is_said_to_be_none(loop: ModelLoop, address: str) -> None:
    (error,) = results(loop, OpenAIHttpLM(lambda model: Destination(address, model)), request())
    assert isinstance(error, CallError)
    assert (error.kind, error.maybe_paid) == ("refused", False)
    assert f"The address {address} of the server cannot be used" in str(error)


def test_a_password_in_an_address_is_not_sent_and_not_told(loop: ModelLoop) -> None:
    lm = OpenAIHttpLM(lambda model: Destination("http://user:pass-word@127.0.0.1:9/v1", model))
    (error,) = results(loop, lm, request())
    assert isinstance(error, CallError)
    assert error.kind == "refused"
    assert "pass-word" not in str(error)


def test_a_key_with_a_line_break_in_it_is_not_sent_and_not_told(loop: ModelLoop) -> None:
    (error,) = results(
        loop, OpenAIHttpLM(lambda model: Destination("http://127.0.0.1:9", model, "sk-a\nb: c")), request()
    )
    assert isinstance(error, CallError)
    assert error.kind == "auth"
    assert "sk-a" not in str(error)


def test_a_server_that_speaks_no_tls_is_not_reached_by_https(loop: ModelLoop) -> None:
    with serving(lambda body, number: completion("hi")) as served:
        lm = OpenAIHttpLM(lambda model: Destination(served.url.replace("http", "https"), model))
        (error,) = results(loop, lm, request(timeout_s=0.4))
    assert isinstance(error, CallError)
    assert (error.kind, error.maybe_paid, served.requests) == ("unreachable", False, [])


def test_the_proxy_of_the_environment_is_used_except_for_this_machine(
    loop: ModelLoop, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (
        serving(lambda body, number: completion("by the way")) as proxy,
        serving(lambda body, number: completion("hi")) as own,
    ):
        monkeypatch.setenv("http_proxy", proxy.url.removesuffix("/v1").replace("//", "//user:word@"))
        monkeypatch.delenv("no_proxy", raising=False)
        monkeypatch.delenv("NO_PROXY", raising=False)
        lm = OpenAIHttpLM(lambda model: Destination(model, "m"))
        replies = results(loop, lm, request("http://models.invalid/v1"), request(own.url))
    assert [each.text if isinstance(each, Reply) else each for each in replies] == ["by the way", "hi"]
    (through,) = proxy.requests
    assert through["path"] == "http://models.invalid/v1/chat/completions"
    assert through["headers"]["proxy-authorization"] == "Basic dXNlcjp3b3Jk"
    assert len(own.requests) == 1


def test_litellm_is_not_imported_for_a_server_of_ones_own() -> None:
    code = """
import asyncio, sys
from rlm_core.lm.client import Request
from rlm_core.lm.router import Models
from rlm_core.task import Message

async def main():
    lm = Models(sys.argv[1])
    lm.window_tokens("openai/gpt-4o"), lm.estimated_usd("openai/gpt-4o", 1, 1)
    print((await lm.complete(Request("openai/gpt-4o", (Message("user", "hello"),)))).text)
    await lm.close()

assert "httptools" not in sys.modules
asyncio.run(main())
assert not {"litellm", "aiohttp", "httpx", "openai"} & set(sys.modules)
"""
    with serving(lambda body, number: completion("hi")) as served:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", code, served.url], capture_output=True, text=True, check=False
        )
    assert (done.stdout, done.stderr) == ("hi\n", "")
