"""What a chat completion says: the text, the tokens, how it ended. The same for what came by HTTP and through LiteLLM.

The body is hostile until read: every part may be missing or of another shape. A body without a message is a `CallError`; a
message without words is a reply all the same, for it was paid and its tokens are known. Reasoning is never taken for the
reply. It knows nothing of how the body came.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rlm_core.errors import CallError
from rlm_core.lm.client import Reply, Request
from rlm_core.lm.complaints import broken
from rlm_core.lm.scrub import without
from rlm_core.task import Usage

ONLY_REASONING = "it only reasoned"
_MAX_NAME_CHARS = 200


def reply_of(body: Any, request: Request, attempts: int, secrets: Sequence[str]) -> Reply:
    """The reply in the body of a chat completion, without a cost and without `secrets`. Raises `CallError` if there is none."""
    choices = body.get("choices") if isinstance(body, dict) else None
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        raise no_message(request)
    content, refusal = _text(message.get("content"), request), message.get("refusal")
    reason, model = choice.get("finish_reason"), body.get("model")
    finish_reason = reason[:_MAX_NAME_CHARS] if isinstance(reason, str) else None
    if not content.strip():
        if isinstance(refusal, str) and refusal.strip():
            content, finish_reason = refusal, "refusal"
        elif message.get("reasoning_content") or message.get("reasoning"):
            finish_reason = f"{finish_reason or 'not said'}; {ONLY_REASONING}"
    return Reply(
        text=without(clean(content), secrets),
        model=clean(model)[:_MAX_NAME_CHARS] if isinstance(model, str) and model else request.model,
        usage=usage_of(body.get("usage"), content),
        finish_reason=finish_reason,
        attempts=attempts,
    )


def no_message(request: Request) -> CallError:
    return broken(f"{request.model} sent a reply without a message")


def usage_of(reported: Any, text: str) -> Usage | None:
    """Reported tokens. Zeros stand for "not counted" where there were words: no prompt has no tokens, and no text either."""
    if not isinstance(reported, dict):
        return None
    given, made = (reported.get(f"{side}_tokens_details") for side in ("prompt", "completion"))
    cached = _count(given, "cached_tokens")
    output = _count(reported, "completion_tokens")
    usage = Usage(
        input_tokens=_count(reported, "prompt_tokens") or None,
        output_tokens=None if text and not output else output,
        cached_input_tokens=cached if cached is not None else _count(reported, "prompt_cache_hit_tokens"),
        reasoning_tokens=_count(made, "reasoning_tokens"),
    )
    return None if usage.input_tokens is None and not usage.output_tokens else usage


def clean(text: str) -> str:
    """The text as it can be written in UTF-8: surrogates are joined to the sign they stand for, lone ones are replaced."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _text(content: Any, request: Request) -> str:
    """The words of a message: a text, or a list of parts of which only texts are words."""
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list):
        raise no_message(request)
    parts = [each.get("text") for each in content if isinstance(each, dict) and each.get("type", "text") == "text"]
    return "".join(each for each in parts if isinstance(each, str))


def _count(reported: Any, name: str) -> int | None:
    value = reported.get(name) if isinstance(reported, dict) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
