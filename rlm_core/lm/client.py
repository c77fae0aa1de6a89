"""What the rest of the product knows of language models: a request, a reply, and one method.

Every model is behind `LM`: the live ones (`live.py`), the built-in stand-in (`demo.py`) and the scripted one for tests
(`scripted.py`). A failure is a `CallError`; nothing else leaves `complete` but cancellation.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from rlm_core.errors import Retry
from rlm_core.events import CallRole
from rlm_core.task import Json, Message, Usage


@dataclass(frozen=True, slots=True)
class Request:
    """One prompt for one model. `model` is a LiteLLM name (`openai/gpt-5-mini`), `demo`, or a scripted one."""

    model: str
    messages: tuple[Message, ...]
    role: CallRole = "sub"
    params: Json = field(default_factory=dict)
    """Passed to the provider as they are: `max_tokens`, `temperature`, `reasoning_effort`, ..."""
    timeout_s: float = 120.0

    @property
    def chars(self) -> int:
        return sum(len(message.text) for message in self.messages)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said. Unknown usage and unknown cost are `None`, never zero."""

    text: str
    model: str
    usage: Usage | None = None
    cost_usd: float | None = None
    cost_source: str | None = None
    finish_reason: str | None = None
    attempts: int = 1
    retries: tuple[Retry, ...] = ()
    """The attempts that came to nothing before, where they are known."""


class LM(Protocol):
    async def complete(self, request: Request) -> Reply:
        """The model's reply. Raises `CallError`; when the task is cancelled, stops at once."""
        ...

    def window_tokens(self, model: str) -> int | None:
        """Input tokens that `model` takes, or `None` where that is not known."""
        ...

    def estimated_usd(self, model: str, input_tokens: int, output_tokens: int) -> float | None:
        """What a call of that size may cost, or `None` where the price is not known. Free is 0."""
        ...

    async def close(self) -> None:
        """Release connections. The last call of a client's life, on the loop that it was used on."""
        ...
