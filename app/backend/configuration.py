"""What new questions start from: models, limits, the sandbox's switch; and the keys of models, whose values never leave here."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from app.backend.folder import settings
from rlm_core import key_status as statuses
from rlm_core import keys
from rlm_core.checks import one_request
from rlm_core.errors import StoreError, TaskError
from rlm_core.ingest_limits import IngestLimits
from rlm_core.jobs import asking
from rlm_core.settings import SHIPPED_INGEST_LIMITS, SHIPPED_LIMITS
from rlm_core.task import Limits, Task

KeyStatus = statuses.KeyStatus
Tried = one_request.Tried
LimitsOf = Literal["limits", "ingest_limits"]
"""Of a run, or of an archive; named as in the settings."""
OPTIONAL_LIMITS = frozenset({"max_usd", "max_tokens", "ask_above_calls", "ask_above_usd"})
"""Limits that a run can do without."""


def key_status(model: str, api_base: str | None) -> KeyStatus:
    """Whether the key that a model needs is there, and where it is from. Never its value."""
    return statuses.key_status(model, api_base, settings().home, os.environ)


@dataclass(frozen=True, slots=True)
class KeyLine:
    """One variable that may hold a key. `place`: where it is from; `None`: a chosen model wants it, and it is nowhere."""

    variable: str
    provider: str
    place: statuses.Place | None
    kept: bool = False
    """It is in the file, if only as a second one that the environment comes before."""


def key_lines() -> list[KeyLine]:
    """Every variable that holds a key or that a chosen model wants, those of known providers first."""
    kept = set(_kept().names)
    held = {name for name in os.environ if keys.is_set((name,), os.environ) and keys.may_be_kept(name)}
    chosen = settings()
    wanted = {
        name
        for model in (chosen.root_model, chosen.helper_model)
        for status in [key_status(model, chosen.api_base)]
        if status.ok is False
        for name in status.needed
    }
    place: dict[str, statuses.Place] = {name: "environment" if name in held else "file" for name in held | kept}
    found = [KeyLine(name, provider_of(name), place.get(name), name in kept) for name in held | kept | wanted]
    return sorted(found, key=lambda line: (not line.provider, line.provider, line.variable))


def provider_of(variable: str) -> str:
    """Whose key a variable holds; nothing if that is not known."""
    titles = [each.title for each in keys.PROVIDERS.values() if any(variable in way for way in each.ways)]
    return titles[0] if titles else ""


def key_names() -> list[str]:
    """Variables that a key can be kept for: the usual one of each provider first."""
    usual = [name for each in keys.PROVIDERS.values() for name in each.ways[0]]
    return list(dict.fromkeys([*usual, *sorted(keys.KNOWN_NAMES)]))


def key_name(written: str) -> str:
    """The variable that somebody means who writes its name or a provider's, in capitals or not; what means none, as it is."""
    meant = written.strip()
    for name, each in keys.PROVIDERS.items():
        title = each.title.casefold()
        if meant.casefold() in (name, title, title.split()[0]):
            return each.ways[0][0]
    return meant.upper() if keys.may_be_kept(meant.upper()) else meant


def key_problem() -> str | None:
    """Why the file of keys is not used; `None` if it can be, or is not there."""
    try:
        keys.load_keys(settings().home)
    except StoreError as error:
        return str(error)
    return None


def _kept() -> keys.KeptKeys:
    try:
        return keys.load_keys(settings().home)
    except StoreError:
        return keys.KeptKeys()  # `key_problem` says why


def keep_key(variable: str, value: str) -> None:
    keys.keep_key(settings().home, variable, value)


def forget_key(variable: str) -> None:
    keys.forget_key(settings().home, variable)


def close_keys_to_others() -> None:
    keys.mend_permissions(settings().home)


def can_be_tried(model: str) -> bool:
    return one_request.can_be_tried(model)


def likely_usd_of_a_try(model: str, api_base: str | None) -> float | None:
    return one_request.likely_usd(model, api_base)


def try_model(model: str, api_base: str | None, on_poll: Callable[[float], object]) -> Tried:
    """Ask the model for one word, in a process of its own; takes seconds, and a minute at most. `on_poll` is told how long
    it has been."""
    try:
        return one_request.request_once(model, api_base, settings().home, on_poll=on_poll)
    except TaskError as error:
        return Tried(str(error))


def model_problem(model: str, api_base: str | None) -> str | None:
    """Why a model cannot be used as named."""
    return asking.model_facts(model.strip(), api_base).problem


def save_models(*, root: str | None = None, helper: str | None = None) -> None:
    """Keep one or both models for new questions. Raises `Problem` for one that cannot be used."""
    now = settings()
    chosen = replace(now, root_model=root or now.root_model, helper_model=helper or now.helper_model)
    for named in (root, helper):
        problem = model_problem(named, chosen.api_base) if named else None
        if problem:
            raise TaskError(problem)
    chosen.save()


def save_api_base(address: str) -> None:
    """Keep the address of a server for new questions, none for an empty one. Raises `Problem` if it is no address."""
    chosen = replace(settings(), api_base=address.strip() or None)
    asking.check(Task("?", "", api_base=chosen.api_base))
    chosen.save()


def save_limit(name: str, value: float | int | None, of: LimitsOf = "limits") -> None:
    """Keep one limit for new questions or archives. Raises `Problem` for a value that is none."""
    now = settings()
    if value is None and name not in OPTIONAL_LIMITS:
        raise TaskError("Give a number: this limit cannot be left out.")
    if value is not None and not value > 0:
        raise TaskError("This must be greater than 0.")
    replace(now, **{of: replace(getattr(now, of), **{name: value})}).save()


def shipped_limits(of: LimitsOf = "limits") -> Limits | IngestLimits:
    return SHIPPED_LIMITS if of == "limits" else SHIPPED_INGEST_LIMITS


def save_shipped_limits() -> None:
    replace(settings(), limits=SHIPPED_LIMITS, ingest_limits=SHIPPED_INGEST_LIMITS).save()


def save_unsafe_sandbox(allowed: bool) -> None:
    """Whether cells run even where nothing protects this machine from them."""
    replace(settings(), unsafe_sandbox=allowed).save()


def save_resume_after_crash(wanted: bool) -> None:
    """Whether a run whose process died is taken up again by itself, once."""
    replace(settings(), resume_after_crash=wanted).save()
