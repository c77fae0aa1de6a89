"""Real models through LiteLLM: Anthropic, Gemini, OpenRouter, Ollama, and whatever else speaks a dialect of its own.

The only file that imports LiteLLM, lazily and in run processes alone (the import costs seconds and 200 MB). Its own
retries are off; ours are in `retrying.py`. OpenAI-compatible servers are for `openai_http.py`. It knows nothing of runs,
budgets or events.
"""

from __future__ import annotations

import asyncio
import os
import re
import warnings
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from rlm_core.errors import CallError
from rlm_core.lm.client import Reply, Request
from rlm_core.lm.complaints import Heard, broken, call_error, heard, no_key, one_line, timed_out, unreachable
from rlm_core.lm.completions import clean, no_message, reply_of
from rlm_core.lm.destination import key_for, sent_name
from rlm_core.lm.prices import estimated_usd, price_of, price_source
from rlm_core.lm.retrying import retry_after_s, with_retries
from rlm_core.lm.scrub import secrets_in

_PREFIX = re.compile(r"^(?:litellm\.)?(?:\w+(?:Error|Exception|Timeout)\s*[:-]\s*)+")
"""What LiteLLM puts before the words of a server."""
_NO_CONNECTION = frozenset(
    {
        *("ConnectError", "ConnectTimeout", "ConnectionRefusedError", "ConnectionTimeoutError", "gaierror"),
        *("ClientConnectorCertificateError", "ClientConnectorSSLError", "ClientProxyConnectionError"),
    }
)
_TOO_LATE = frozenset({"APITimeoutError", "ReadTimeout", "WriteTimeout", "SocketTimeoutError"})
"""Names of causes, of the SDKs below LiteLLM."""


@cache
def _litellm() -> Any:
    """LiteLLM, told not to fetch its price list and not to cap connections (waiting for one would eat the timeout)."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    os.environ.setdefault("AIOHTTP_CONNECTOR_LIMIT", "0")
    os.environ.setdefault("AIOHTTP_CONNECTOR_LIMIT_PER_HOST", "0")
    import litellm

    litellm.suppress_debug_info = True
    litellm.telemetry = False
    warnings.filterwarnings("ignore", "Pydantic serializer warnings")  # which quote replies, in a log
    return litellm


def prepare() -> None:
    """Import LiteLLM now, so that the first request does not wait for it."""
    _litellm()


@cache
def _missing_keys(model: str) -> tuple[str, ...]:
    """Variables of the environment that a provider wants and that are not set, as far as LiteLLM knows."""
    found = _litellm().validate_environment(model=model)
    return () if found["keys_in_environment"] else tuple(found["missing_keys"])


class LiveLM:
    """Models by their LiteLLM names. `api_base` sends every request to one OpenAI-compatible server."""

    def __init__(self, api_base: str | None = None) -> None:
        self.api_base = api_base
        self._secrets = secrets_in(os.environ)

    def window_tokens(self, model: str) -> int | None:
        price = price_of(model)
        return price.window_tokens if price else None

    def estimated_usd(self, model: str, input_tokens: int, output_tokens: int) -> float | None:
        """The list price; `None` with an `api_base`, whose owner may charge what he likes."""
        return None if self.api_base else estimated_usd(model, input_tokens, output_tokens)

    async def complete(self, request: Request) -> Reply:
        await asyncio.to_thread(_litellm)
        if not self.api_base and (missing := _missing_keys(request.model)):
            raise no_key(request, missing)
        return await with_retries(lambda number: self._once(request, number), request.timeout_s)

    async def close(self) -> None:
        if _litellm.cache_info().currsize:
            await _litellm().close_litellm_async_clients()
            worker = _litellm().litellm_core_utils.logging_worker.GLOBAL_LOGGING_WORKER
            await worker.stop(discard_pending=True, timeout=2.0)  # else it outlives the loop and complains

    async def _once(self, request: Request, number: int) -> Reply:
        try:
            async with asyncio.timeout(request.timeout_s):
                response = await _litellm().acompletion(
                    messages=[{"role": each.role, "content": clean(each.text)} for each in request.messages],
                    timeout=request.timeout_s + 5,  # ours comes first: LiteLLM's counts anew with every byte that comes
                    num_retries=0,
                    max_retries=0,
                    **self._where(request.model),
                    **request.params,
                )
        except TimeoutError:
            raise timed_out(request) from None
        except Exception as error:  # LiteLLM raises classes of every SDK below it
            raise _call_error(error, request, self.api_base) from None
        try:
            body = response.model_dump(warnings=False)
        except AttributeError:  # a body of another shape is handed on as it came
            raise no_message(request) from None
        return self._priced(reply_of(body, request, number, self._secrets), response)

    def _where(self, model: str) -> dict[str, Any]:
        """Where LiteLLM sends a request. It wants a key to be there, also for a server that wants none."""
        if not self.api_base:
            return {"model": model}
        key = key_for(model, os.environ) or "no-key"
        return {"model": f"openai/{sent_name(model)}", "api_base": self.api_base, "api_key": key}

    def _priced(self, reply: Reply, response: Any) -> Reply:
        counted = reply.usage and None not in (reply.usage.input_tokens, reply.usage.output_tokens)
        cost = response._hidden_params.get("response_cost") if counted and not self.api_base else None
        return replace(reply, cost_usd=cost, cost_source=None if cost is None else price_source())


def _call_error(error: Exception, request: Request, api_base: str | None) -> CallError:
    """One of our kinds for any exception of LiteLLM, worded for a person, without keys.

    LiteLLM's classes and status codes do not say what happened: a reply that it cannot read is a 500 to it, as is a refused
    connection, and it loses what a server asks to wait. The response itself is among the causes.
    """
    at = f" at {api_base}" if api_base else ""
    answered = _answered(error)
    if answered is not None:
        return call_error(answered, request, at, sent_name(request.model) if api_base else None)
    litellm = _litellm()
    said = _PREFIX.sub("", one_line(str(error).partition("Traceback (")[0])) or type(error).__name__
    causes = {type(cause).__name__ for cause in _causes(error)}
    if causes & _NO_CONNECTION:
        return unreachable(request, at, said)
    if causes & _TOO_LATE:
        return timed_out(request)
    if isinstance(error, litellm.AuthenticationError):  # from here on nothing was sent, or what came back was no answer
        return call_error(Heard(401, said), request, at)
    if "LLM Provider NOT provided" in said:
        return call_error(Heard(404, said, "model_not_found"), request, at)
    if isinstance(error, litellm.UnsupportedParamsError):
        return call_error(Heard(400, said), request, at)
    return broken(f"The reply of {request.model}{at} was cut off or cannot be read", said)


def _answered(error: BaseException) -> Heard | None:
    """What the server said, if it was the server that refused."""
    for cause in _causes(error):
        if type(cause).__name__ == "HTTPStatusError":
            response = cause.response  # type: ignore[attr-defined]
            body = response.content if response.is_closed else b""
            return heard(response.status_code, body, retry_after_s(response.headers))
    return None


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error and everything it was raised from."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
