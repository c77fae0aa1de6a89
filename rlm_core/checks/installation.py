"""What this installation has and lacks, in plain words and without a single model call.

Keys are told of by the name of their variable. Their values are looked at only for being there, and never leave here.
"""

from __future__ import annotations

import os
import platform
import shutil
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from filelock import FileLock, Timeout

from rlm_core.errors import StoreError, TaskError
from rlm_core.keys import load_keys
from rlm_core.lm.router import check_model
from rlm_core.sandbox.contract import Protection
from rlm_core.sandbox.probe import protection
from rlm_core.settings import Settings
from rlm_core.store.store import Store
from rlm_core.task import DEMO_MODEL

PACKAGES = ("litellm", "streamlit", "dbos", "sqlite-utils", "plotly")
KEY_ENDING = "_API_KEY"
OTHER_KEYS = frozenset({"AWS_ACCESS_KEY_ID", "GOOGLE_APPLICATION_CREDENTIALS", "HF_TOKEN"})
ROOM_MB = 200
"""Free disk space below which a data folder is about to fail."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that was looked at. `works` is false where something needed is missing."""

    topic: str
    says: str
    works: bool = True


def installation(settings: Settings, environment: Mapping[str, str] = os.environ) -> list[Fact]:
    """Everything worth knowing before the first question, in the order in which a person would ask."""
    return [
        packages(),
        data_folder(settings.home),
        _cells(settings),
        _models(settings),
        _keys(environment, settings.home),
        Fact("worker", _worker_in_words(settings.home)),
    ]


def keys_in_words(environment: Mapping[str, str], home: Path | None = None) -> str:
    """The names of the variables that hold keys of model providers, and of the keys that `home` keeps.

    Raises `StoreError` if the file in `home` cannot be used.
    """
    names = sorted(name for name in environment if name.endswith(KEY_ENDING) or name in OTHER_KEYS)
    held = [name for name in names if environment[name].strip()]
    empty = [name for name in names if not environment[name].strip()]
    kept = load_keys(home).names if home else ()
    said = [
        f"{how}: {', '.join(those)}"
        for how, those in (("set", held), ("kept in the data folder", kept), ("set but empty", empty))
        if those
    ]
    if not held and not kept:
        said.insert(0, "none set; the demo model needs none, others do (OPENAI_API_KEY, ...)")
    return "; ".join(said)


def _keys(environment: Mapping[str, str], home: Path) -> Fact:
    try:
        return Fact("keys", keys_in_words(environment, home))
    except StoreError as error:
        return Fact("keys", f"{keys_in_words(environment)}. {error}", works=False)


def data_folder(home: Path) -> Fact:
    """Whether runs can be kept in `home`, tried by opening its store."""
    try:
        Store.open(home).close()
        free_mb = shutil.disk_usage(home).free // 1024**2
    except StoreError as error:
        return Fact("data folder", str(error), works=False)
    room = f"{free_mb / 1024:,.0f} GB" if free_mb >= 10 * 1024 else f"{free_mb:,} MB"
    said = f"{home}, {room} free"
    return Fact("data folder", said if free_mb >= ROOM_MB else f"{said}: too little, make room", free_mb >= ROOM_MB)


def worker_is_running(home: Path) -> bool:
    """Whether a worker holds the data folder, so that queued questions are answered."""
    try:
        with FileLock(home / "locks" / "worker.lock", timeout=0):
            return False
    except Timeout:
        return True


def cell_protection(settings: Settings) -> Protection:
    """What keeps code cells in on this machine, tried out in a process that lives for a moment."""
    return protection(settings.unsafe_sandbox)


def packages() -> Fact:
    """What is installed, in which versions."""
    versions = {name: _version(name) for name in PACKAGES}
    lacking = [name for name, found in versions.items() if found is None]
    listed = ", ".join(f"{name} {found}" for name, found in versions.items() if found)
    said = f"rlm-studio {_version('rlm-studio')}, Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}, {listed}"
    missing = f"; not installed: {', '.join(lacking)}. Install rlm-studio again." if lacking else ""
    return Fact("installed", f"{said}{missing}", works=not lacking)


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _cells(settings: Settings) -> Fact:
    found = cell_protection(settings)
    return Fact("code cells", found.in_words(), works=found.jailed or settings.unsafe_sandbox)


def _models(settings: Settings) -> Fact:
    named = f"root {settings.root_model}, helpers {settings.helper_model}"
    try:
        for model in (settings.root_model, settings.helper_model):
            check_model(model, settings.api_base)
    except TaskError as error:
        return Fact("models", f"{named}. {error}", works=False)
    where = f", at {settings.api_base}" if settings.api_base else ""
    demo = (
        " (demo follows rules and is no language model)"
        if DEMO_MODEL in (settings.root_model, settings.helper_model)
        else ""
    )
    return Fact("models", f"{named}{where}{demo}")


def _worker_in_words(home: Path) -> str:
    if not (home / "locks").is_dir() or not worker_is_running(home):
        return "none is running; the app starts one (rlm-studio), and questions asked with --background wait for it"
    return "running: questions asked in the app or with --background are answered"
