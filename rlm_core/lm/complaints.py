"""How a request fails: what servers say when they refuse it, as one of our kinds of error, for a person and without keys.

It knows status codes, and the words of OpenAI, vLLM, SGLang, llama.cpp, Ollama, LM Studio, text-generation-inference,
Anthropic, Gemini, Mistral, Groq, xAI and OpenRouter. It knows nothing of clients and connections.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from rlm_core.errors import CallError, CallErrorKind
from rlm_core.lm.client import Request
from rlm_core.lm.prices import similar_models
from rlm_core.lm.scrub import scrub

MAX_SAID_CHARS = 500
_MAX_READ_CHARS = 5_000
UNPAID_5XX = frozenset({500, 503, 529})
"""Where providers do not charge. Behind any other 5xx (a gateway's) the model may have answered."""

_OVERFLOW = re.compile(
    r"context[ _](?:length|window|size|limit)|max_model_len|maximum (?:prompt|model|input) length|reduce the length of"
    r"|(?:prompt|input) (?:is )?too (?:long|large)|request[ _]too[ _]large|too many (?:input |prompt )?tokens"
    r"|input tokens? .{0,60}exceed|token count .{0,60}exceed|`inputs` (?:tokens \+|must have less)"
    r"|current length is \d+ while limit|messages.{0,40}string too long",
    re.I,
)
_NO_OVERFLOW = re.compile(r"unrecogni[sz]ed|unsupported|unknown (?:parameter|argument|name)|not permitted", re.I)
_FILTERED = re.compile(
    r"content[ _](?:filter|policy|management)|responsible ?ai|moderation|was flagged|safety system", re.I
)
_NO_MONEY = re.compile(r"insufficient[ _](?:quota|balance|credits?|funds)", re.I)
_NO_KEY = re.compile(
    r"(?:invalid|incorrect|missing|no|malformed)[ _](?:api|auth\w*)[ _]key|api[ _]key (?:is )?(?:not valid|invalid)",
    re.I,
)
_NO_MODEL = re.compile(
    r"model_not_found|(?:invalid|unknown|no such) model|not a valid model"
    r"|\bmodel\b.{0,200}?(?:not found|n[o']t exist|not available|is not known)",
    re.I | re.S,
)


@dataclass(frozen=True, slots=True)
class Heard:
    """An error as a server put it."""

    status: int
    said: str = ""
    """Its words, in one line and without keys."""
    code: str = ""
    """Its names for the error (`context_length_exceeded`), if it has any."""
    retry_after_s: float | None = None


def heard(status: int, body: bytes, retry_after_s: float | None = None) -> Heard:
    """An error reply, whatever its body is: JSON of any of the usual shapes, a page, plain text, nothing."""
    text = body.decode("utf-8", "replace")
    try:
        said, code = _words(json.loads(text))
    except (ValueError, RecursionError):
        text = text[:_MAX_READ_CHARS]
        title = re.search(r"<title[^>]*>(.*?)</title>", text, re.I | re.S)
        said, code = title[1] if title else re.sub(r"<[^>]*>", " ", text), ""
    return Heard(status, one_line(said), code, retry_after_s)


def one_line(text: str) -> str:
    """What a server said, fit for one line on a screen: short, printable, without keys."""
    words = " ".join("".join(each if each.isprintable() else " " for each in text[:_MAX_READ_CHARS]).split())
    return scrub(words)[:MAX_SAID_CHARS]


def kind_of(heard: Heard) -> CallErrorKind:
    """Which of our kinds an error is. Words count for more than the status: servers agree on neither."""
    status, words = heard.status, f"{heard.said} {heard.code}"
    if is_filtered(heard):
        return "refused"
    if status in (401, 403):
        return "auth"
    if status == 413 or (status < 502 and _OVERFLOW.search(words) and not _NO_OVERFLOW.search(words)):
        return "overflow"
    if status == 429:
        return "refused" if _NO_MONEY.search(words) else "rate_limit"
    if status == 408:
        return "timeout"
    if status >= 500:
        return "server"
    if status == 400 and _NO_KEY.search(words):
        return "auth"
    return "unknown_model" if status in (400, 404, 422) and _NO_MODEL.search(words) else "refused"


def is_filtered(heard: Heard) -> bool:
    """Whether a filter of the provider turned the prompt down, which some charge for."""
    return heard.status in (400, 403, 422) and bool(_FILTERED.search(f"{heard.said} {heard.code}"))


def call_error(heard: Heard, request: Request, at: str = "", sent_as: str | None = None) -> CallError:
    """The error of a request that a server refused. `at` says where, `sent_as` what the model was called there."""
    kind, status = kind_of(heard), heard.status
    maybe_paid = (
        kind == "timeout"
        or (kind == "server" and status not in UNPAID_5XX)
        or is_filtered(heard)
        or (
            kind == "overflow" and request.model.startswith("azure")
        )  # Azure charges for prompts that it finds too long
    )
    text = f"{_sentence(kind, heard, request, at, sent_as)} {heard.said}".strip()
    return CallError(text, kind, retry_after_s=heard.retry_after_s, maybe_paid=maybe_paid)


def no_key(request: Request, variables: Iterable[str]) -> CallError:
    """The error of a request that was not sent, for want of a key."""
    wanted = " and ".join(variables)
    return CallError(
        f"There is no key for {request.model}: set {wanted} in the environment, or add it on the Settings page.", "auth"
    )


def unreachable(request: Request, at: str, reason: str) -> CallError:
    """The error of a request that was not sent, for want of a connection."""
    where = at or f" to the provider of {request.model}"
    return CallError(f"No connection{where}. Is the server running? {one_line(reason)}", "unreachable")


def timed_out(request: Request) -> CallError:
    """The error of a request that was sent and not answered in time."""
    return CallError(
        f"{request.model} did not reply within {request.timeout_s:g} s. The call may have been paid; it is not repeated.",
        "timeout",
        maybe_paid=True,
    )


def broken(what: str, reason: str = "") -> CallError:
    """The error of a reply that was given and cannot be used."""
    return CallError(f"{what}. {one_line(reason)}".strip(), "bad_reply", maybe_paid=True)


def _sentence(kind: CallErrorKind, heard: Heard, request: Request, at: str, sent_as: str | None) -> str:
    model, status = request.model, heard.status
    if kind == "auth":
        mend = "Set it in the environment, or add it on the Settings page, and try again."
        return f"The key for {model} is missing or was rejected{at}. {mend}"
    if kind == "overflow":
        return f"The prompt ({request.chars:,} characters) is too large for {model}."
    if kind == "rate_limit":
        asked = "" if heard.retry_after_s is None else f" It asks to wait {heard.retry_after_s:,.0f} s."
        return f"{model} refuses more requests for now{at}.{asked}"
    if kind == "timeout":
        return f"{model} took too long{at}. The call may have been paid; it is not repeated."
    if kind == "server" and status not in UNPAID_5XX:
        return f"A gateway before {model} gave up{at} ({status}); the call may have been paid and is not repeated."
    if kind == "server":
        return f"The provider of {model} failed{at} ({status})."
    if kind == "unknown_model":
        return _unknown_model(request, at, sent_as)
    if status in (404, 405):
        return f"There is nobody to ask{at} ({status}). The address of such a server usually ends in /v1."
    return f"{model} rejected the request{at} ({status})."


def _unknown_model(request: Request, at: str, sent_as: str | None) -> str:
    model = request.model
    if sent_as is not None and sent_as != model:
        return (
            f"The model {model} is not known{at}, where it was called {sent_as}. If {model} is its name there, write "
            f"openai/{model}."
        )
    near = ", ".join(similar_models(model)) or "see the provider's list"
    return f"The model {model} is not known{at}. Similar names: {near}."


def _words(said: Any) -> tuple[str, str]:
    """Message and names of an error in JSON: OpenAI's shape, vLLM's, FastAPI's, Gemini's list, a bare text."""
    if isinstance(said, list) and said:
        return _words(said[0])
    if not isinstance(said, dict):
        return str(said), ""
    inner = said.get("error")
    if isinstance(inner, dict | list):
        return _words(inner)
    text = next((said[name] for name in ("message", "error", "detail", "msg") if said.get(name)), said)
    code = " ".join(str(said[name]) for name in ("code", "type", "status") if isinstance(said.get(name), str))
    return text if isinstance(text, str) else json.dumps(text), code[:200]
