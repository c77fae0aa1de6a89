"""What this installation is set up with: keys of models."""

from __future__ import annotations

import os

from app.backend.folder import settings
from rlm_core import key_status as statuses

KeyStatus = statuses.KeyStatus


def key_status(model: str, api_base: str | None) -> KeyStatus:
    """Whether the key that a model needs is there, and where it is from. Never its value."""
    return statuses.key_status(model, api_base, settings().home, os.environ)
