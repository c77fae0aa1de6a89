"""What becomes of a request at a server that refuses, fails, falters or talks nonsense: one suite for both clients."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from clients import CLIENTS, Asking, asking
from openai_server import Canned, completion, failure


@pytest.fixture(scope="module", params=sorted(CLIENTS))
def asks(request: pytest.FixtureRequest) -> Iterator[Asking]:
    with asking(request.param) as ready:
        yield ready


NOW = {"retry-after": "0"}
FREE, PAID = False, True


@pytest.mark.parametrize(
    ("canned", "kind", "maybe_paid", "requests"),
    [
        (failure(401, "bad key"), "auth", FREE, 1),
        (failure(403, "not for you"), "auth", FREE, 1),
        (failure(400, "API key not valid. Please pass a valid API key."), "auth", FREE, 1),
        (failure(404, "The model `x` does not exist.", code="model_not_found"), "unknown_model", FREE, 1),
        (failure(404, 'model "x" not found, try pulling it first'), "unknown_model", FREE, 1),
        (failure(400, "x is not a valid model ID"), "unknown_model", FREE, 1),
        (Canned(404, {"detail": "Not Found"}), "refused", FREE, 1),
        (Canned(404, raw=b"<html><title>404 Not Found</title></html>"), "refused", FREE, 1),
        (failure(400, "unsupported parameter: context_length"), "refused", FREE, 1),
        (failure(400, "This model's maximum context length is 10 tokens."), "overflow", FREE, 1),
        (failure(400, "too much", code="context_length_exceeded"), "overflow", FREE, 1),
        (failure(500, "the request exceeds the available context size, try increasing it"), "overflow", FREE, 1),
        (failure(413, "Request Entity Too Large"), "overflow", FREE, 1),
        (failure(422, "temperature must be a number"), "refused", FREE, 1),
        (failure(400, "The response was filtered", code="content_filter"), "refused", PAID, 1),
        (failure(429, "You have no money", code="insufficient_quota"), "refused", FREE, 1),
        (failure(429, "slow down", NOW), "rate_limit", FREE, 4),
        (failure(429, "come back tomorrow", {"retry-after": "86400"}), "rate_limit", FREE, 1),
        (failure(408, "too slow"), "timeout", PAID, 1),
        (failure(500, "oops", NOW), "server", FREE, 4),
        (failure(503, "overloaded", NOW), "server", FREE, 4),
        (failure(502, "bad gateway"), "server", PAID, 1),
        (Canned(502, raw=b"<html><title>502 Bad Gateway</title></html>"), "server", PAID, 1),
        (failure(504, "gateway timeout"), "server", PAID, 1),
        (failure(520, "who knows"), "server", PAID, 1),
    ],
)
def test_a_refusal_has_a_kind_says_if_it_may_cost_and_is_repeated_only_if_it_is_free(
    asks: Asking, canned: Canned, kind: str, maybe_paid: bool, requests: int
) -> None:
    error, made = asks.fail(canned)
    assert (error.kind, error.maybe_paid, made, error.attempts) == (kind, maybe_paid, requests, requests)


@pytest.mark.parametrize(
    "canned",
    [
        Canned(raw=b"<html>gateway</html>"),
        Canned(raw=b"<html>gateway</html>", headers={"Content-Type": "text/html"}),
        Canned(raw=b'{"choices": [{"mess'),
        Canned(raw=b""),
        Canned(raw=b"\xff\xfe\xfd"),
        Canned(raw=b"[" * 100_000),
        Canned(body=None),
        Canned(body=[1, 2]),
        Canned(body="hello"),
        Canned(body={}),
        Canned(body={"choices": []}),
        Canned(body={"choices": "none"}),
        Canned(body={"choices": [None]}),
        Canned(body={"choices": [{"text": "an older dialect"}]}),
        Canned(body={"choices": [{"message": "hi"}]}),
        completion(7),
        completion({"text": "hi"}),
        Canned(body={"error": {"message": "it broke halfway"}}),
        Canned(hangs_up="before"),
        Canned(body=completion("half of it").body, hangs_up="midway"),
    ],
    ids=lambda canned: canned.hangs_up or repr(canned.raw if canned.raw is not None else canned.body)[:40],
)
def test_what_is_no_reply_is_a_failure_that_may_have_been_paid(asks: Asking, canned: Canned) -> None:
    error, made = asks.fail(canned)
    assert (error.kind, error.maybe_paid, made) == ("bad_reply", PAID, 1)
