"""A model whose replies are written down beforehand: for tests, recorded demonstrations and rehearsals.

    ScriptedLM(["first reply", CallError("slow down", "rate_limit"), "second reply"])     one queue for every role
    ScriptedLM({"root": [...], "sub": lambda request: "yes"})                             a script for each role
    ScriptedLM(lambda request: ...)                                                       a function of the request
    ScriptedLM.from_file(Path("script.json"))                                             as the model `scripted:/path/to/file`

It knows the contract of `client.py` and nothing of any provider. A script that runs out is a `CallError`, never a made-up reply.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_args

from rlm_core.errors import CallError, CallErrorKind, TaskError
from rlm_core.events import CallRole
from rlm_core.lm.client import Reply, Request
from rlm_core.task import Usage

Item = str | Reply | CallError | Callable[[Request], "str | Reply"]
Script = Sequence[Item] | Callable[[Request], "str | Reply"]

CHARS_PER_TOKEN = 4


class ScriptedLM:
    """Replies from a script. Every request is kept in `requests`, in the order in which it arrived.

    `usage="estimate"` reports a quarter of the characters as tokens; `"none"` reports no usage, as some servers do.
    """

    def __init__(
        self,
        replies: Script | Mapping[CallRole, Script],
        *,
        usage: Literal["estimate", "none"] = "estimate",
        latency_s: float = 0.0,
        window_tokens: int | None = None,
    ) -> None:
        self._scripts: Mapping[CallRole, Script] = (
            replies if isinstance(replies, Mapping) else dict.fromkeys(get_args(CallRole), replies)
        )
        self._taken: dict[int, int] = {}
        """Items already used, by identity of the queue: roles may share one."""
        self._usage = usage
        self._latency_s = latency_s
        self._window_tokens = window_tokens
        self.requests: list[Request] = []

    @classmethod
    def from_file(cls, path: Path) -> ScriptedLM:
        """The script in a JSON file: for each role a list of replies, or `{"default": text, "rules": [{"contains", "reply"}]}`;
        `{"error": kind, "message": text}` stands for a failing call. Raises `TaskError` if the file is no script."""
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            scripts = {role: _script(data[role]) for role in get_args(CallRole) if role in data}
            return cls(scripts, usage=data.get("usage", "estimate"), latency_s=float(data.get("latency_s", 0.0)))
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise TaskError(
                f"The script {path} cannot be used: {error!r}. It must be JSON such as "
                '{"root": ["reply", {"error": "rate_limit", "message": "slow down"}], "sub": {"default": "reply"}}.'
            ) from error

    async def complete(self, request: Request) -> Reply:
        self.requests.append(request)
        said = self._next(request)
        if self._latency_s:
            await asyncio.sleep(self._latency_s)
        if callable(said):
            said = said(request)
        if isinstance(said, CallError):
            raise said
        return said if isinstance(said, Reply) else self._reply(said, request)

    def window_tokens(self, model: str) -> int | None:
        return self._window_tokens

    def estimated_usd(self, model: str, input_tokens: int, output_tokens: int) -> float | None:
        return 0.0

    async def close(self) -> None:
        return

    def _next(self, request: Request) -> Item:
        script = self._scripts.get(request.role)
        if script is None:
            raise CallError(f"The script has no replies for the role {request.role}.", "refused")
        if callable(script):
            return script
        position = self._taken.get(id(script), 0)
        if request.role == "root":
            position = max(position, _already_said(script, request))
        self._taken[id(script)] = position + 1
        if position >= len(script):
            raise CallError(
                f"The script ran out: it holds {len(script)} replies and request {position + 1} came "
                f"(role {request.role}). Add a reply to the script.",
                "refused",
            )
        return script[position]

    def _reply(self, text: str, request: Request) -> Reply:
        usage = None
        if self._usage == "estimate":
            usage = Usage(input_tokens=request.chars // CHARS_PER_TOKEN, output_tokens=len(text) // CHARS_PER_TOKEN)
        return Reply(text, request.model, usage=usage, cost_usd=0.0, cost_source="free", finish_reason="stop")


def _already_said(script: Sequence[Item], request: Request) -> int:
    """How many items of the script the conversation already holds: a resumed run starts in the middle of its script."""
    turns = sum(message.role == "assistant" for message in request.messages)
    replies = [index for index, item in enumerate(script) if not isinstance(item, CallError)]
    return replies[min(turns, len(replies)) - 1] + 1 if turns and replies else 0


def _script(data: Any) -> Script:
    if isinstance(data, list):
        return [_item(each) for each in data]
    rules = [(rule["contains"], _item(rule["reply"])) for rule in data.get("rules", ())]
    default = _item(data["default"]) if "default" in data else None

    def by_rules(request: Request) -> str | Reply:
        prompt = "\n".join(message.text for message in request.messages)
        said = next((reply for contains, reply in rules if contains in prompt), default)
        if said is None:
            raise CallError("No rule of the script fits the prompt, and it has no default.", "refused")
        if isinstance(said, CallError):
            raise said
        return str(said)

    return by_rules


def _item(data: Any) -> str | CallError:
    if isinstance(data, str):
        return data
    kind: CallErrorKind = data["error"]
    if kind not in get_args(CallErrorKind):
        raise ValueError(f"{kind!r} is no kind of error; it must be one of {', '.join(get_args(CallErrorKind))}")
    return CallError(data.get("message", kind), kind, maybe_paid=kind == "timeout")
