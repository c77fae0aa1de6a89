"""Keys out of texts: what a provider says of a failed request may quote the key that it was sent."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping

_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL", re.I)
_SHAPES = re.compile(
    r"(?i)(?:bearer|basic)\s+[\w.~+/=-]{6,}"  # an Authorization header
    r"|\b(?:sk|rk|pk|key|gsk|xai|hf|ghp|AIza)[-_]?[A-Za-z0-9][\w-]{14,}"  # the usual forms of keys
    r"|(?<=://)[^/\s:@]+:[^/\s@]+(?=@)"  # user and password in a URL
)
MASK = "[key removed]"


def secrets_in(environment: Mapping[str, str]) -> list[str]:
    """Values of the environment that are keys by the name of their variable, longest first."""
    values = {value.strip() for name, value in environment.items() if _NAME.search(name) and len(value.strip()) >= 6}
    return sorted(values, key=len, reverse=True)


def without_secrets(text: str, environment: Mapping[str, str] = os.environ) -> str:
    """The text without any key of the environment. For what a model says, whose own words may well look like keys."""
    return without(text, secrets_in(environment))


def without(text: str, secrets: Iterable[str]) -> str:
    """The text without these keys. Looking them up in the environment takes longer than a request does."""
    for secret in secrets:
        text = text.replace(secret, MASK)
    return text


def scrub(text: str, environment: Mapping[str, str] = os.environ) -> str:
    """The text without any key of the environment and without anything that looks like one."""
    return _SHAPES.sub(MASK, without_secrets(text, environment))
