"""OpenAI-compatible servers over plain HTTP: a fraction of what a call costs in CPU time through LiteLLM, and no import of it.

The key goes to the host that was asked for and nowhere else: redirects are not followed, cookies are not kept, `.netrc` is
not read. It knows requests and replies. Where a request goes is in `destination.py`, by which way in `connection.py`, over
what in `http_connections.py`, what a reply says in `completions.py`, what an error in `complaints.py`.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from rlm_core.errors import CallError
from rlm_core.lm.client import Reply, Request
from rlm_core.lm.complaints import broken, call_error, heard, no_key, one_line, timed_out, unreachable
from rlm_core.lm.completions import clean, reply_of
from rlm_core.lm.connection import Connection, connection
from rlm_core.lm.destination import Destination
from rlm_core.lm.http_connections import Answer, HttpConnections, Lost, NotConnected
from rlm_core.lm.prices import cost_usd, estimated_usd, price_of, price_source
from rlm_core.lm.retrying import retry_after_s, with_retries
from rlm_core.lm.scrub import secrets_in
from rlm_core.lm.windows import told_windows

MAX_REPLY_BYTES = 64 * 1024 * 1024
_to_json = json.JSONEncoder(ensure_ascii=False).encode


class OpenAIHttpLM:
    """Models behind chat-completion endpoints. `destination_of` says where a model is asked."""

    def __init__(self, destination_of: Callable[[str], Destination], *, max_reply_bytes: int = MAX_REPLY_BYTES) -> None:
        self._destination_of = destination_of
        self._max_reply_bytes = max_reply_bytes
        self._destinations: dict[str, Destination] = {}
        self._ways: dict[str, tuple[Destination, Connection]] = {}
        self._windows: dict[str, Mapping[str, int]] = {}
        self._secrets = secrets_in(os.environ)
        self._connections = HttpConnections()

    def window_tokens(self, model: str) -> int | None:
        """What the server tells, else what the list says of a model of that name."""
        to, by = self._way(model)
        if to.url not in self._windows and not to.is_openai and not _on_a_loop():
            self._windows[to.url] = told_windows(by)
        price = price_of(model)
        return self._windows.get(to.url, {}).get(to.model) or (price.window_tokens if price else None)

    def estimated_usd(self, model: str, input_tokens: int, output_tokens: int) -> float | None:
        """The list price at OpenAI's own address; `None` elsewhere, where the owner may charge what he likes."""
        return estimated_usd(model, input_tokens, output_tokens) if self._to(model).is_openai else None

    async def complete(self, request: Request) -> Reply:
        to, by = self._way(request.model)
        if to.wanted:
            raise no_key(request, [to.wanted])
        body = _body(request, to)
        return await with_retries(lambda number: self._once(request, to, by, body, number), request.timeout_s)

    async def close(self) -> None:
        await self._connections.close()

    async def _once(self, request: Request, to: Destination, by: Connection, body: bytes, number: int) -> Reply:
        sent, reply = by.chat_request(body), f"The reply of {request.model}{to.at}"
        try:
            answer = await self._connections.answer(by.route, sent, request.timeout_s, self._max_reply_bytes)
        except NotConnected as error:
            raise unreachable(request, to.at, str(error)) from None
        except TimeoutError:
            raise timed_out(request) from None
        except Lost as error:
            raise broken(f"{reply} was lost: the connection broke", f"({error})") from None
        if answer.status >= 300:
            raise _refusal(answer, request, to)
        if len(answer.body) > self._max_reply_bytes:
            raise broken(f"{reply} is larger than {self._max_reply_bytes / 2**20:,.0f} MiB")
        return self._read(answer.body, request, to, number)

    def _read(self, content: bytes, request: Request, to: Destination, number: int) -> Reply:
        try:
            said = json.loads(content)
        except (ValueError, RecursionError):
            began = content[:200].decode("utf-8", "replace")
            raise broken(
                f"The reply of {request.model}{to.at} was cut off or is no JSON", f"It begins: {began}"
            ) from None
        if isinstance(said, dict) and said.get("error") and not said.get("choices"):
            raise _failed_after_all(said, content, request, to)
        reply = reply_of(said, request, number, self._secrets)
        if not to.is_openai or said.get("service_tier") not in (None, "auto", "default"):
            return reply  # another service tier has other prices
        cost = cost_usd(request.model, reply.usage)
        return replace(reply, cost_usd=cost, cost_source=None if cost is None else price_source())

    def _way(self, model: str) -> tuple[Destination, Connection]:
        if model not in self._ways:
            to = self._to(model)
            self._ways[model] = to, connection(to)
        return self._ways[model]

    def _to(self, model: str) -> Destination:
        if model not in self._destinations:
            self._destinations[model] = self._destination_of(model)
        return self._destinations[model]


def _body(request: Request, to: Destination) -> bytes:
    """The request in OpenAI's dialect. `max_tokens` has another name at OpenAI, where newer models refuse the old one."""
    params = dict(request.params)
    if to.is_openai and "max_tokens" in params:
        params.setdefault("max_completion_tokens", params.pop("max_tokens"))
    messages = [{"role": message.role, "content": message.text} for message in request.messages]
    try:
        text = _to_json({**params, "model": to.model, "messages": messages, "stream": False})
    except (TypeError, ValueError) as error:
        raise CallError(f"The parameters {params} cannot be sent to {request.model}: {error}.", "refused") from None
    return clean(text).encode()


def _on_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _refusal(answer: Answer, request: Request, to: Destination) -> CallError:
    """The error that a status stands for."""
    if answer.status < 400:
        elsewhere = one_line(answer.headers.get("location", "another address"))
        return CallError(
            f"The server{to.at} sends on to {elsewhere} ({answer.status}). That is not followed, for the key is meant "
            "for the address that was given: give the right one.",
            "refused",
        )
    return call_error(heard(answer.status, answer.body, retry_after_s(answer.headers)), request, to.at, to.model)


def _failed_after_all(said: dict[str, Any], content: bytes, request: Request, to: Destination) -> CallError:
    """An error that came as a reply, with status 200: the model may have begun, so it may have been paid."""
    code = said["error"].get("code") if isinstance(said["error"], dict) else None
    complaint = heard(code if isinstance(code, int) else 200, content)
    if complaint.status < 400:
        return broken(f"{request.model} failed while it replied{to.at}", complaint.said)
    error = call_error(complaint, request, to.at, to.model)
    error.maybe_paid = True
    return error
