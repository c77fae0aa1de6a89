"""One request of a few tokens, made by a process of its own against a real server on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openai_server import Canned, completion, failure, serving

from rlm_core.checks.one_request import can_be_tried, likely_usd, request_once
from rlm_core.errors import TaskError
from rlm_core.keys import keep_key

KEY = "sk-kept-and-never-told-0123456789"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    return tmp_path / "home"


def test_a_model_that_replies_works_and_the_reply_is_measured(home: Path) -> None:
    keep_key(home, "OPENAI_API_KEY", KEY)
    with serving(lambda body, number: completion("yes")) as served:
        tried = request_once("our-own", served.url, home)
    assert tried.problem is None
    assert (tried.input_tokens, tried.output_tokens, tried.cost_usd) == (10, 5, None)
    assert tried.latency_s is not None
    assert 0 < tried.latency_s < 30
    assert len(served.requests) == 1
    assert served.requests[0]["max_tokens"] == 16
    assert served.requests[0]["headers"]["authorization"] == f"Bearer {KEY}"


def test_a_rejected_key_is_told_without_the_key(home: Path) -> None:
    keep_key(home, "OPENAI_API_KEY", KEY)

    def echo(body: dict[str, Any], number: int) -> Canned:
        return failure(401, f"Incorrect API key provided: {body['headers']['authorization']}")

    with serving(echo) as served:
        tried = request_once("our-own", served.url, home)
    assert tried.problem
    assert "missing or was rejected" in tried.problem
    assert KEY not in tried.problem


def test_a_server_that_never_replies_is_given_up(home: Path) -> None:
    with serving(lambda body, number: Canned(delay_s=1.0, body=completion("late").body)) as served:
        tried = request_once("our-own", served.url, home, timeout_s=0.5)
    assert tried.problem == "our-own did not reply within 0.5 s. The request may have been paid."


def test_a_request_that_nobody_waits_for_is_ended(home: Path) -> None:
    told: list[float] = []

    def leave(waited_s: float) -> None:
        told.append(waited_s)
        if len(told) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        request_once("our-own", "http://127.0.0.1:9/v1", home, on_poll=leave)
    assert told == sorted(told)


def test_a_file_of_keys_that_others_can_read_is_the_reason_of_a_failure(home: Path) -> None:
    keep_key(home, "OPENAI_API_KEY", KEY)
    (home / "keys.json").chmod(0o644)
    tried = request_once("openai/gpt-5-mini", None, home)
    assert tried.problem
    assert "others on this machine can read" in tried.problem


def test_a_model_that_makes_no_requests_or_is_unknown_is_not_tried(home: Path) -> None:
    assert not any(can_be_tried(model) for model in ("demo", "scripted:/tmp/x.json", " "))
    with pytest.raises(TaskError, match="nothing to try"):
        request_once("demo", None, home)
    with pytest.raises(TaskError, match="Similar names"):
        request_once("openai/gpt-5-minni", None, home)


def test_the_likely_cost_is_known_of_listed_models_alone() -> None:
    cost = likely_usd("openai/gpt-5-mini", None)
    assert cost is not None
    assert 0 < cost < 0.001
    assert likely_usd("openai/gpt-5-mini", "http://127.0.0.1:9/v1") is None
    assert likely_usd("acme/one", None) is None
