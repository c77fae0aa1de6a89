"""One request of a few tokens to a model: is the key right, is the server there, how fast does it reply?

Made by a process of its own, `python -m rlm_core.checks.one_request`, because LiteLLM is never imported where the app or its
worker run; the keys are in that process's environment alone. Whether a model manages to be an RLM is another question, see
`live.py`.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from rlm_core.errors import StudioError, TaskError
from rlm_core.key_status import lend_keys
from rlm_core.lm.client import Reply, Request
from rlm_core.lm.destination import destination
from rlm_core.lm.live import prepare
from rlm_core.lm.prices import estimated_usd
from rlm_core.lm.router import SCRIPTED, Models, check_model
from rlm_core.lm.scrub import scrub
from rlm_core.task import DEMO_MODEL, Message

PROMPT = "Reply with the word yes."
INPUT_TOKENS, MAX_OUTPUT_TOKENS = 15, 16
REQUEST_TIMEOUT_S = 30.0
TIMEOUT_S = 60.0
"""Of the process, which takes some seconds to load LiteLLM."""
POLL_S = 0.25


@dataclass(frozen=True, slots=True)
class Tried:
    """What became of the request. `problem` is a sentence without keys; what a server does not report is `None`."""

    problem: str | None = None
    latency_s: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None


def can_be_tried(model: str) -> bool:
    """Whether there is anybody to ask: the demo and scripted models make no requests."""
    return bool(model.strip()) and model != DEMO_MODEL and not model.startswith(SCRIPTED)


def likely_usd(model: str, api_base: str | None) -> float | None:
    """What the request may cost; `None` where the price is not known, as at a server of one's own."""
    return None if api_base else estimated_usd(model, INPUT_TOKENS, MAX_OUTPUT_TOKENS)


def request_once(
    model: str,
    api_base: str | None,
    home: Path,
    timeout_s: float = TIMEOUT_S,
    on_poll: Callable[[float], object] = lambda waited_s: None,
) -> Tried:
    """Ask `model` for one word, and wait for it. Raises `TaskError` for a model that cannot be asked as named.

    `on_poll` is called again and again meanwhile; what it raises ends the request.
    """
    if not can_be_tried(model):
        raise TaskError(f"The model {model!r} makes no requests, so there is nothing to try.")
    check_model(model, api_base)
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "rlm_core.checks.one_request"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    asked: str | None = json.dumps({"model": model, "api_base": api_base, "home": str(home)})
    began = time.monotonic()
    try:
        while (waited_s := time.monotonic() - began) < timeout_s:
            on_poll(waited_s)
            try:
                said, complaints = process.communicate(asked, POLL_S)
            except subprocess.TimeoutExpired:
                asked = None  # it has been told
            else:
                return _read(said, complaints, process.returncode)
        return Tried(f"{model} did not reply within {timeout_s:g} s. The request may have been paid.")
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()


def _read(said: str, complaints: str, code: int) -> Tried:
    """The last line of the process is its answer; others may have printed before it."""
    lines = said.strip().splitlines()
    if code == 0 and lines:
        return Tried(**json.loads(lines[-1]))
    last = (complaints.strip().splitlines() or ["it said nothing"])[-1]
    return Tried(f"The process that made the request ended with code {code}: {scrub(last[:500])}")


def main() -> int:
    """In the process of its own: read what to ask from standard input, and print what became of it."""
    asked = json.loads(sys.stdin.read())
    try:
        lend_keys([asked["model"]], asked["api_base"], Path(asked["home"]), os.environ)
        if destination(asked["model"], asked["api_base"], os.environ) is None:
            prepare()
        tried = asyncio.run(_ask(asked["model"], asked["api_base"]))
    except StudioError as error:
        tried = Tried(str(error))
    print(json.dumps(asdict(tried)))
    return 0


async def _ask(model: str, api_base: str | None) -> Tried:
    request = Request(
        model, (Message("user", PROMPT),), params={"max_tokens": MAX_OUTPUT_TOKENS}, timeout_s=REQUEST_TIMEOUT_S
    )
    lm = Models(api_base)
    began = time.monotonic()
    try:
        reply = await lm.complete(request)
        return _of_reply(reply, time.monotonic() - began)
    finally:
        await lm.close()


def _of_reply(reply: Reply, latency_s: float) -> Tried:
    usage = reply.usage
    return Tried(
        None,
        round(latency_s, 3),
        usage.input_tokens if usage else None,
        usage.output_tokens if usage else None,
        reply.cost_usd,
    )


if __name__ == "__main__":
    sys.exit(main())
