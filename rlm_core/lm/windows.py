"""Windows that a server tells of its models, in what it answers to `GET /models`: vLLM, SGLang, OpenRouter, Groq, Mistral.

Asked once, from a strategy's own thread and never on the loop of the calls. A server that does not say leaves a window unknown,
and so does one that is slow to say: nothing depends on it but advice, and a prompt that is refused before it is sent.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import aiohttp

from rlm_core.lm.connection import Connection

TIMEOUT_S = 3.0
MAX_BYTES = 8 * 1024 * 1024
_NAMES = ("max_model_len", "context_length", "context_window", "max_context_length")


def told_windows(by: Connection) -> Mapping[str, int]:
    """Tokens that each model takes, by the name that the server has for it; none where it does not say."""
    try:
        return _windows(json.loads(asyncio.run(_models(by))))
    except (aiohttp.ClientError, OSError, TimeoutError, ValueError, RecursionError):
        return {}


async def _models(by: Connection) -> bytes:
    """The list of models, as far as a list of sensible length reaches: one that is longer is no JSON here."""
    timeout = aiohttp.ClientTimeout(total=TIMEOUT_S)
    async with (
        aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar(), timeout=timeout) as session,
        session.get(
            by.models_url,
            headers=by.headers,
            allow_redirects=False,
            proxy=by.proxy,
            proxy_headers=by.proxy_headers,
            ssl=by.trust,
        ) as response,
    ):
        read = bytearray()
        while len(read) < MAX_BYTES and (part := await response.content.readany()):
            read += part
        return bytes(read)


def _windows(said: Any) -> Mapping[str, int]:
    models = said.get("data") if isinstance(said, dict) else said
    found = {}
    for each in models if isinstance(models, list) else ():
        name = each.get("id") if isinstance(each, dict) else None
        tokens = next((each[key] for key in _NAMES if each.get(key)), None) if isinstance(name, str) else None
        if isinstance(name, str) and type(tokens) is int and tokens > 0:
            found[name] = tokens
    return found
