"""Where a request goes, under which name and with which key: one rule for both clients.

Names are LiteLLM's: `provider/name`. At a server of one's own (`api_base`) the prefix of a known provider says whose key is
sent and is left out of the name; a name with another prefix (`meta-llama/X`) or none is whatever that server calls so, and
goes with `OPENAI_API_KEY`, as is usual for servers that speak OpenAI's dialect. It makes no request and knows no replies.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from rlm_core.keys import PROVIDERS
from rlm_core.lm.prices import only_by_responses, provider_of

OPENAI_URL = "https://api.openai.com/v1"
PLAIN_SERVERS: Mapping[str, str] = {"hosted_vllm": "HOSTED_VLLM_API_BASE", "lm_studio": "LM_STUDIO_API_BASE"}
"""Providers that speak OpenAI's dialect as it is, at an address from the environment."""
SERVER_PREFIXES = frozenset(
    {*PLAIN_SERVERS, "ollama", "ollama_chat", "openai_like", "custom_openai", "litellm_proxy", "llamafile"}
)
"""Prefixes that name a kind of server and are no part of a model's name; its key, if any, is `PREFIX_API_KEY`."""


@dataclass(frozen=True, slots=True)
class Destination:
    """One model at one OpenAI-compatible server."""

    url: str
    """Base of the API, such as `http://127.0.0.1:8000/v1`."""
    model: str
    """The name that the server is told."""
    key: str | None = field(default=None, repr=False)
    wanted: str | None = None
    """The variable of a key that must be there and is not."""
    headers: Mapping[str, str] = field(default_factory=dict)
    is_openai: bool = False
    """Whether this is OpenAI's own address, where its list prices hold."""

    @property
    def at(self) -> str:
        """Where this is, for a person."""
        return f" at {self.url}"


def destination(model: str, api_base: str | None, environment: Mapping[str, str]) -> Destination | None:
    """Where `model` is asked; `None` if it is no OpenAI-compatible server that is known, which LiteLLM may still serve."""
    if api_base:
        return Destination(_base(api_base), sent_name(model), key_for(model, environment))
    provider = _prefix(model) or ("openai" if provider_of(model) == "openai" else None)
    variable = PLAIN_SERVERS.get(provider or "")
    if variable and (address := environment.get(variable, "").strip()):
        return Destination(_base(address), sent_name(model), key_for(model, environment))
    if provider == "openai" and not only_by_responses(model):
        return _openai(model, environment)
    return None


def sent_name(model: str) -> str:
    """What a server of one's own is told: the name without the prefix of a provider."""
    prefix = _prefix(model)
    return model.removeprefix(f"{prefix}/") if prefix else model


def key_for(model: str, environment: Mapping[str, str]) -> str | None:
    """The key that goes with `model` to a server of one's own, if it is set."""
    held = (environment.get(name, "").strip() for name in key_variables(model))
    return next((key for key in held if key), None)


def key_variables(model: str) -> tuple[str, ...]:
    """Variables in which the key for `model` is looked for, at a server of one's own. The first that is set is sent."""
    prefix = _prefix(model) or "openai"
    if prefix in SERVER_PREFIXES:
        return (f"{prefix.upper()}_API_KEY",)
    names = (way[0] for way in PROVIDERS[prefix].ways)
    return tuple(name for name in names if name.endswith(("_API_KEY", "_AUTH_TOKEN")))


def _openai(model: str, environment: Mapping[str, str]) -> Destination:
    named = (environment.get(name, "").strip() for name in ("OPENAI_BASE_URL", "OPENAI_API_BASE"))
    url = _base(next((address for address in named if address), OPENAI_URL))
    is_openai = urlsplit(url).hostname == urlsplit(OPENAI_URL).hostname
    key = key_for("openai/", environment)
    headers = {
        header: environment[name].strip()
        for header, name in (("OpenAI-Organization", "OPENAI_ORG_ID"), ("OpenAI-Project", "OPENAI_PROJECT_ID"))
        if is_openai and environment.get(name, "").strip()
    }
    return Destination(
        url, sent_name(model), key, "OPENAI_API_KEY" if is_openai and not key else None, headers, is_openai
    )


def _prefix(model: str) -> str | None:
    """The provider or kind of server that a name begins with, if it is a known one."""
    prefix, slash, _ = model.partition("/")
    return prefix if slash and (prefix in PROVIDERS or prefix in SERVER_PREFIXES) else None


def _base(address: str) -> str:
    """The base of an API, also where somebody gave the whole address of its chat completions."""
    return address.strip().rstrip("/").removesuffix("/chat/completions")
