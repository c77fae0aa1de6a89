"""Windows that a server tells of its models, in what it answers to `GET /models`: vLLM, SGLang, OpenRouter, Groq, Mistral.

Asked once, from a strategy's own thread and never on the loop of the calls. A server that does not say leaves a window unknown,
and so does one that is slow to say: nothing depends on it but advice, and a prompt that is refused before it is sent.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from rlm_core.lm.connection import Connection
from rlm_core.lm.http_connections import HttpConnections, Lost, NotConnected

TIMEOUT_S = 3.0
MAX_BYTES = 8 * 1024 * 1024
_NAMES = ("max_model_len", "context_length", "context_window", "max_context_length")


def told_windows(by: Connection) -> Mapping[str, int]:
    """Tokens that each model takes, by the name that the server has for it; none where it does not say."""
    try:
        return _windows(json.loads(asyncio.run(_models(by))))
    except (NotConnected, Lost, TimeoutError, ValueError, RecursionError):
        return {}


async def _models(by: Connection) -> bytes:
    """The list of models, as far as a list of sensible length reaches: one that is longer is no JSON here."""
    connections = HttpConnections()
    try:
        answer = await connections.answer(by.route, by.models, TIMEOUT_S, MAX_BYTES)
    finally:
        await connections.close()
    return answer.body


def _windows(said: Any) -> Mapping[str, int]:
    models = said.get("data") if isinstance(said, dict) else said
    found = {}
    for each in models if isinstance(models, list) else ():
        name = each.get("id") if isinstance(each, dict) else None
        tokens = next((each[key] for key in _NAMES if each.get(key)), None) if isinstance(name, str) else None
        if isinstance(name, str) and type(tokens) is int and tokens > 0:
            found[name] = tokens
    return found
