"""Choices of this installation: where data lives and what a new task starts from.

Read once at a door and passed on as a frozen value; nothing below reads the environment. Keys are not settings: they are in
the environment, or in a file of their own (`keys.py`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import platformdirs

from rlm_core.errors import StoreError
from rlm_core.ingest_limits import IngestLimits
from rlm_core.private_file import replace_file, writing_in
from rlm_core.task import DEMO_MODEL, Limits

HOME_VARIABLE = "RLM_STUDIO_HOME"
FILE = "settings.json"
UNSAFE_VARIABLE = "RLM_STUDIO_UNSAFE_SANDBOX"
"""`1` in the environment of one run: its cells run even where nothing holds them."""
SHIPPED_LIMITS = Limits(max_usd=5.0)
"""A run that nobody has set limits for stops at some spending: who tries a paid model first has thought of none."""
SHIPPED_INGEST_LIMITS = IngestLimits()


@dataclass(frozen=True, slots=True)
class Settings:
    """`home` holds everything that RLM Studio writes: `store.db`, `engine.db`, `keys.json`, `blobs/`, `corpora/`, `locks/`."""

    home: Path
    root_model: str = DEMO_MODEL
    helper_model: str = DEMO_MODEL
    api_base: str | None = None
    limits: Limits = SHIPPED_LIMITS
    ingest_limits: IngestLimits = SHIPPED_INGEST_LIMITS
    unsafe_sandbox: bool = False
    """Run cells even where nothing protects this machine from them."""
    resume_after_crash: bool = True
    """Whether a job whose process died is taken up again by itself, once: what had finished is not paid again."""

    def save(self) -> None:
        """Write the choices to `home/settings.json`, whole or not at all. Raises `StoreError`."""
        choices = asdict(self)
        del choices["home"]
        try:
            with writing_in(self.home):
                replace_file(self.home / FILE, json.dumps(choices, indent=1))
        except OSError as error:
            raise StoreError(
                f"The settings cannot be written to {self.home / FILE}: {error.strerror}. Nothing was changed."
            ) from error


def load_settings(home: Path | None = None, environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings of `home`; without one, of `$RLM_STUDIO_HOME`, else of the platform's folder for user data.

    Raises `StoreError` if the settings file cannot be read.
    """
    home = home or Path(environment.get(HOME_VARIABLE) or platformdirs.user_data_dir("rlm-studio", appauthor=False))
    file = home / FILE
    if not file.exists():
        return Settings(home)
    try:
        choices = json.loads(file.read_text(encoding="utf-8"))
        limits = replace(SHIPPED_LIMITS, **choices.get("limits", {}))
        ingest_limits = IngestLimits(**choices.get("ingest_limits", {}))
        return Settings(home, **{**choices, "limits": limits, "ingest_limits": ingest_limits})
    except (OSError, ValueError, TypeError) as error:
        raise StoreError(
            f"The settings in {file} cannot be read: {error}. Mend the file or delete it to start from the defaults."
        ) from error
