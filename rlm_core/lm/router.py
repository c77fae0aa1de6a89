"""The right client for each model name: `demo`, `scripted:FILE`, or a real one.

It knows which names can work at all, so that a typing error is found before a run starts. It makes no request. The client
for OpenAI-compatible servers is imported when it is needed: the app and the command line only ask for names here.
"""

from __future__ import annotations

import os
from pathlib import Path

from rlm_core.errors import TaskError
from rlm_core.lm.client import LM, Reply, Request
from rlm_core.lm.demo import DemoLM
from rlm_core.lm.destination import Destination, destination
from rlm_core.lm.live import LiveLM
from rlm_core.lm.prices import price_of, similar_models
from rlm_core.lm.scripted import ScriptedLM
from rlm_core.task import DEMO_MODEL

SCRIPTED = "scripted:"
HTTP, LITELLM = "http", "litellm"
OPEN_PROVIDERS = frozenset(
    {"ollama", "ollama_chat", "hosted_vllm", "openrouter", "lm_studio", "azure", "bedrock", "huggingface"}
)
"""Providers whose list of models is theirs or yours, and not in any price list."""


def check_model(model: str, api_base: str | None) -> None:
    """Raise `TaskError` for a name that no client can serve, with the nearest known ones."""
    if model == DEMO_MODEL or model.startswith(SCRIPTED) or api_base:
        return
    if not model.strip():
        raise TaskError("No model is named. Choose one, or `demo`, the built-in stand-in.")
    if model.partition("/")[0] in OPEN_PROVIDERS or price_of(model):
        return
    found = destination(model, None, os.environ)
    if found and not found.is_openai:  # OPENAI_BASE_URL names a server of one's own
        return
    near = ", ".join(similar_models(model)) or "none"
    raise TaskError(
        f"The model {model!r} is not known. Similar names: {near}. Write it as provider/name, such as "
        "openai/gpt-5-mini; for a server of your own give its --api-base; `demo` needs no key."
    )


def _kind(model: str, api_base: str | None) -> str:
    """Models of one kind share a client; each script is of a kind of its own."""
    if model == DEMO_MODEL or model.startswith(SCRIPTED):
        return model
    return HTTP if destination(model, api_base, os.environ) else LITELLM


def load_http_client() -> None:
    """Import the client for OpenAI-compatible servers now: for a process that waits until there is something to do."""
    from rlm_core.lm import openai_http  # noqa: F401


class Models:
    """An `LM` that hands each request to the client of its model."""

    def __init__(self, api_base: str | None = None) -> None:
        self._api_base = api_base
        self._kinds: dict[str, str] = {}
        self._clients: dict[str, LM] = {}

    def _client(self, model: str) -> LM:
        if model not in self._kinds:
            self._kinds[model] = _kind(model, self._api_base)
        kind = self._kinds[model]
        if kind not in self._clients:
            self._clients.setdefault(kind, self._new_client(kind, model))  # strategies ask from threads of their own
        return self._clients[kind]

    def _new_client(self, kind: str, model: str) -> LM:
        if kind == DEMO_MODEL:
            return DemoLM()
        if kind == LITELLM:
            return LiveLM()
        if kind == HTTP:
            from rlm_core.lm.openai_http import OpenAIHttpLM

            return OpenAIHttpLM(self._destination)
        return ScriptedLM.from_file(Path(model.removeprefix(SCRIPTED)))

    def _destination(self, model: str) -> Destination:
        found = destination(model, self._api_base, os.environ)
        if found is None:
            raise AssertionError(f"{model} was given to the client of another kind of server")
        return found

    def window_tokens(self, model: str) -> int | None:
        return self._client(model).window_tokens(model)

    def estimated_usd(self, model: str, input_tokens: int, output_tokens: int) -> float | None:
        return self._client(model).estimated_usd(model, input_tokens, output_tokens)

    async def complete(self, request: Request) -> Reply:
        return await self._client(request.model).complete(request)

    async def close(self) -> None:
        for client in list(self._clients.values()):
            await client.close()
