"""Whether the key of a model is there, and where it is from, told without its value.

It knows which provider a model is of and where keys are looked for. It makes no request: a key that is found may still be
refused by its provider.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from rlm_core.errors import StoreError
from rlm_core.keys import PROVIDERS, Provider, Way, is_set, load_keys
from rlm_core.lm.destination import key_variables
from rlm_core.lm.prices import provider_of
from rlm_core.lm.router import SCRIPTED
from rlm_core.task import DEMO_MODEL

Place = Literal["environment", "file"]

OWN_SERVERS = {
    "ollama": "OLLAMA_API_BASE",
    "ollama_chat": "OLLAMA_API_BASE",
    "hosted_vllm": "HOSTED_VLLM_API_BASE",
    "lm_studio": "LM_STUDIO_API_BASE",
}
"""Providers that are a server of one's own: they want its address and no key."""
WHERE: Mapping[Place, str] = {"environment": "from the environment", "file": "kept in the data folder"}
_SAME = {"bedrock_converse": "bedrock", "sagemaker": "bedrock", "cohere_chat": "cohere"}
_LOOPBACK = ("127.", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class KeyStatus:
    """`ok`: true if nothing is missing, false if a key is, `None` where that is not known here."""

    needed: tuple[str, ...]
    """Variables; none where no key is needed or nobody knows which."""
    found_in: Place | None
    says: str
    """One sentence for a person."""
    ok: bool | None


def key_status(model: str, api_base: str | None, home: Path, environment: Mapping[str, str]) -> KeyStatus:
    """What is known of the key that `model` needs. Looks at the environment first, then at the file of the data folder."""
    model = model.strip()
    if not model:
        return KeyStatus((), None, "No model is named.", None)
    if model == DEMO_MODEL or model.startswith(SCRIPTED):
        return KeyStatus((), None, "No key is needed.", True)
    provider = provider_name(model)
    if api_base:
        return _at_own_server(model, api_base, home, environment)
    if provider in OWN_SERVERS:
        return _address(OWN_SERVERS[provider], environment)
    if provider is None:
        return KeyStatus((), None, "Whose model this is, and so which key it needs, is not known here.", None)
    if provider not in PROVIDERS:
        return _unlisted(provider, home, environment)
    return _of_provider(PROVIDERS[provider], home, environment)


def lend_keys(models: Iterable[str], api_base: str | None, home: Path, environment: MutableMapping[str, str]) -> None:
    """Add the kept keys to the environment of a process that will speak to `models`.

    Raises `StoreError` if the file cannot be used, unless nothing of it is needed for these models.
    """
    try:
        load_keys(home).lend(environment)
    except StoreError:
        if not all(key_status(model, api_base, home, environment).ok for model in models):
            raise


def provider_name(model: str) -> str | None:
    """LiteLLM's name of the provider: from the prefix of the model, or from the price list for a bare name."""
    prefix, slash, _ = model.partition("/")
    if slash and (prefix in PROVIDERS or prefix in OWN_SERVERS):
        return prefix
    listed = provider_of(model) or (prefix if slash else None)
    if listed is None or listed in PROVIDERS:
        return listed
    return _SAME.get(listed) or ("vertex_ai" if listed.startswith("vertex_ai-") else listed)


def in_words(names: Sequence[str]) -> str:
    """`A`, `A and B`, `A, B and C`."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _found(ways: Sequence[Way], home: Path, environment: Mapping[str, str]) -> tuple[Way, Place] | None:
    """The first way that is complete, and whether the file was needed for it. Raises `StoreError` for an unusable file."""
    for way in ways:
        if is_set(way, environment):
            return way, "environment"
    held = [name for name in environment if is_set((name,), environment)]
    together = dict.fromkeys([*load_keys(home).names, *held], "set")
    return next(((way, "file") for way in ways if is_set(way, together)), None)


def _of_provider(provider: Provider, home: Path, environment: Mapping[str, str]) -> KeyStatus:
    wanted = provider.ways[0]
    try:
        found = _found(provider.ways, home, environment)
        kept = load_keys(home).names if found is None else ()
    except StoreError as error:
        return KeyStatus(wanted, None, str(error), False)
    if found is None:
        lacking = [name for name in wanted if not is_set((name,), environment) and name not in kept]
        said = (
            f"There is no key for {provider.title}. Set {in_words(lacking)} in the environment, "
            f"or keep {'them' if len(lacking) > 1 else 'it'} on the Settings page."
        )
        return KeyStatus(wanted, None, said, False)
    way, place = found
    return KeyStatus(way, place, f"{in_words(way)}, {WHERE[place]}.", True)


def _at_own_server(model: str, api_base: str, home: Path, environment: Mapping[str, str]) -> KeyStatus:
    """Which key an OpenAI-compatible server is sent. Many want none, and only the server knows."""
    try:
        host = urlsplit(api_base).hostname or api_base
    except ValueError:
        host = api_base
    try:
        found = _found([(name,) for name in key_variables(model)], home, environment)
    except StoreError as error:
        return KeyStatus((), None, str(error), None)
    if found is None:
        said = f"No key is sent to {host}; a server of your own rarely wants one."
        return KeyStatus((), None, said, True if host.startswith(_LOOPBACK) else None)
    way, place = found
    return KeyStatus(way, place, f"{in_words(way)}, {WHERE[place]}, is sent to {host}.", True)


def _address(variable: str, environment: Mapping[str, str]) -> KeyStatus:
    if is_set((variable,), environment):
        return KeyStatus((), "environment", f"No key is needed; {variable} names the server.", True)
    said = f"No key is needed, but the address of your server: give the API base, or set {variable} in the environment."
    return KeyStatus((variable,), None, said, False)


def _unlisted(provider: str, home: Path, environment: Mapping[str, str]) -> KeyStatus:
    """LiteLLM knows more providers than we do, and most look for their key under a name of this form."""
    likely = f"{provider.upper().replace('-', '_').replace('.', '_')}_API_KEY"
    try:
        found = _found(((likely,),), home, environment)
    except StoreError as error:
        return KeyStatus((likely,), None, str(error), None)
    if found is None:
        return KeyStatus(
            (likely,), None, f"Which key {provider} needs is not known here; usually it is {likely}.", None
        )
    return KeyStatus((likely,), found[1], f"{likely}, {WHERE[found[1]]}, is probably the key of {provider}.", None)
