"""Real models through LiteLLM: OpenAI, Anthropic, Gemini, OpenRouter, Ollama, vLLM, any OpenAI-compatible server.

The only file that imports LiteLLM, lazily and in run processes alone (the import costs seconds and 200 MB). Its own
retries are off: a request is repeated only where providers do not charge for the first one (refused connections, 429, 500,
503), and never after a timeout or a gateway's error, behind which the model may have answered. It knows nothing of runs,
budgets or events.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt
from tenacity.wait import wait_exponential_jitter

from rlm_core.errors import CallError, CallErrorKind
from rlm_core.keys import PROVIDERS, is_set
from rlm_core.lm.client import Reply, Request
from rlm_core.lm.prices import estimated_usd, price_of, price_source, similar_models
from rlm_core.lm.scrub import scrub, without_secrets
from rlm_core.task import Usage

ATTEMPTS = 4
MAX_WAIT_S = 60.0
_WORTH_ANOTHER_TRY: frozenset[CallErrorKind] = frozenset({"rate_limit", "server", "unreachable"})
_BACKOFF = wait_exponential_jitter(multiplier=0.5, max=8)


@cache
def _litellm() -> Any:
    """LiteLLM, told not to fetch its price list and not to cap connections (waiting for one would eat the timeout)."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    os.environ.setdefault("AIOHTTP_CONNECTOR_LIMIT", "0")
    os.environ.setdefault("AIOHTTP_CONNECTOR_LIMIT_PER_HOST", "0")
    import litellm

    litellm.suppress_debug_info = True
    litellm.telemetry = False
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

    def window_tokens(self, model: str) -> int | None:
        price = price_of(model)
        return price.window_tokens if price else None

    def estimated_usd(self, model: str, input_tokens: int, output_tokens: int) -> float | None:
        """The list price; `None` with an `api_base`, whose owner may charge what he likes."""
        return None if self.api_base else estimated_usd(model, input_tokens, output_tokens)

    async def complete(self, request: Request) -> Reply:
        attempts = 0
        async for attempt in AsyncRetrying(
            stop=stop_after_attempt(ATTEMPTS),
            retry=retry_if_exception(_worth_another_try),
            wait=_wait_s,
            reraise=True,
        ):
            with attempt:
                attempts += 1
                try:
                    reply = await self._once(request, attempts)
                    return replace(reply, cost_usd=None, cost_source=None) if self.api_base else reply
                except CallError as error:
                    error.attempts = attempts
                    raise
        raise AssertionError("not reached: tenacity re-raises the last error")

    async def _once(self, request: Request, attempts: int) -> Reply:
        litellm = await asyncio.to_thread(_litellm)
        if not self.api_base and (missing := _missing_keys(request.model)):
            raise CallError(
                f"There is no key for {request.model}: set {' and '.join(missing)} in the environment, "
                "or add it on the Settings page.",
                "auth",
            )
        try:
            response = await asyncio.wait_for(
                litellm.acompletion(
                    model=self._routed(request.model),
                    messages=[{"role": message.role, "content": message.text} for message in request.messages],
                    api_base=self.api_base,
                    api_key=self._placeholder_key(request.model),
                    timeout=request.timeout_s,
                    num_retries=0,
                    max_retries=0,
                    **request.params,
                ),
                request.timeout_s + 5,
            )
        except asyncio.CancelledError:
            raise
        except TimeoutError as error:
            raise _timeout(request) from error
        except Exception as error:  # LiteLLM raises classes of every SDK below it
            raise _call_error(error, request, self.api_base) from None
        return _reply(response, request, attempts)

    def _routed(self, model: str) -> str:
        """A bare name together with an `api_base` means: whatever that server calls by this name."""
        return f"openai/{model}" if self.api_base and "/" not in model else model

    def _placeholder_key(self, model: str) -> str | None:
        """Local servers want no key, but the OpenAI SDK wants one to be there."""
        provider = PROVIDERS.get(model.partition("/")[0], PROVIDERS["openai"])
        held = any(is_set(way[:1], os.environ) for way in provider.ways)
        return "no-key" if self.api_base and not held else None

    async def close(self) -> None:
        if _litellm.cache_info().currsize:
            await _litellm().close_litellm_async_clients()


def _worth_another_try(error: BaseException) -> bool:
    return isinstance(error, CallError) and error.kind in _WORTH_ANOTHER_TRY and not error.maybe_paid


def _wait_s(state: RetryCallState) -> float:
    """What the server asked for, else an exponential back-off."""
    error = state.outcome.exception() if state.outcome else None
    asked = error.retry_after_s if isinstance(error, CallError) else None
    return min(asked, MAX_WAIT_S) if asked is not None else float(_BACKOFF(state))


def _reply(response: Any, request: Request, attempts: int) -> Reply:
    try:
        choice = response.choices[0]
        text = choice.message.content
    except (AttributeError, IndexError, TypeError) as error:
        raise CallError(f"{request.model} sent a reply without a message.", "bad_reply", maybe_paid=True) from error
    usage = _usage(getattr(response, "usage", None))
    cost = response._hidden_params.get("response_cost") if usage else None
    return Reply(
        text=without_secrets(text or ""),
        model=getattr(response, "model", None) or request.model,
        usage=usage,
        cost_usd=cost,
        cost_source=price_source() if cost is not None else None,
        finish_reason=choice.finish_reason,
        attempts=attempts,
    )


def _usage(reported: Any) -> Usage | None:
    """Reported tokens. LiteLLM fills in zeros where a provider reports nothing; zero input tokens means unknown."""
    if reported is None or not getattr(reported, "prompt_tokens", 0):
        return None
    prompt, output = (getattr(reported, f"{side}_tokens_details", None) for side in ("prompt", "completion"))
    return Usage(
        input_tokens=reported.prompt_tokens,
        output_tokens=reported.completion_tokens,
        cached_input_tokens=getattr(prompt, "cached_tokens", None),
        reasoning_tokens=getattr(output, "reasoning_tokens", None),
    )


def _timeout(request: Request) -> CallError:
    return CallError(
        f"{request.model} did not reply within {request.timeout_s:g} s. The call may have been paid; it is not repeated.",
        "timeout",
        maybe_paid=True,
    )


def _call_error(error: Exception, request: Request, api_base: str | None) -> CallError:
    """One of our kinds for any exception of LiteLLM, worded for a person, without keys."""
    litellm = _litellm()
    said = scrub(str(error)).splitlines()[0][:500] if str(error) else type(error).__name__
    where = f" at {api_base}" if api_base else ""
    if isinstance(error, litellm.Timeout):
        return _timeout(request)
    if isinstance(error, litellm.AuthenticationError | litellm.PermissionDeniedError):
        mend = "Set it in the environment, or add it on the Settings page, and try again."
        return CallError(f"The key for {request.model} is missing or was rejected{where}. {mend} {said}", "auth")
    if isinstance(error, litellm.ContextWindowExceededError):
        return CallError(
            f"The prompt ({request.chars:,} characters) is too large for {request.model}. {said}", "overflow"
        )
    if isinstance(error, litellm.RateLimitError):
        return CallError(
            f"{request.model} refuses more requests for now. {said}", "rate_limit", retry_after_s=_retry_after(error)
        )
    if isinstance(error, litellm.NotFoundError) or "LLM Provider NOT provided" in said:
        near = ", ".join(similar_models(request.model)) or "see the provider's list"
        return CallError(
            f"The model {request.model} is not known{where}. Similar names: {near}. {said}", "unknown_model"
        )
    causes = {type(cause).__name__ for cause in _causes(error)}
    if causes & {"ConnectError", "ConnectTimeout", "ConnectionRefusedError", "gaierror"}:
        nobody = f"No connection{where or f' to the provider of {request.model}'}. Is the server running? {said}"
        return CallError(nobody, "unreachable")
    if causes & {"JSONDecodeError", "APIConnectionError"}:
        return CallError(
            f"The reply of {request.model} was cut off or is no JSON{where}. {said}", "bad_reply", maybe_paid=True
        )
    if isinstance(error, litellm.BadGatewayError):
        gave_up = (
            f"A gateway before {request.model} gave up{where}; the call may have been paid and is not repeated. {said}"
        )
        return CallError(gave_up, "server", maybe_paid=True)
    if isinstance(error, litellm.InternalServerError | litellm.ServiceUnavailableError):
        return CallError(
            f"The provider of {request.model} failed{where}. {said}", "server", retry_after_s=_retry_after(error)
        )
    if isinstance(error, litellm.BadRequestError | litellm.UnprocessableEntityError):
        return CallError(f"{request.model} rejected the request{where}. {said}", "refused")
    return CallError(f"The reply of {request.model} could not be read{where}. {said}", "bad_reply", maybe_paid=True)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error and everything it was raised from: LiteLLM's class alone does not tell a refused connection from a 500."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _retry_after(error: Exception) -> float | None:
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    value = headers.get("retry-after")
    try:
        return max(0.0, float(value)) if value is not None else None
    except ValueError:
        return None  # an HTTP date: rare for model servers, and the back-off is a fair stand-in
