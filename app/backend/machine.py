"""This installation: its price list, what holds code cells in, its data folder."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from app.backend.folder import current_store, settings
from rlm_core.checks import installation as checks
from rlm_core.checks import price_search
from rlm_core.store.disk_use import bytes_of_folder
from rlm_core.store.listing import RunFilter

PRICES_SHOWN = 100


@dataclass(frozen=True, slots=True)
class Cells:
    """What holds code cells in, one line a layer, what is missing, and whether there is a jail at all."""

    held_by: tuple[str, ...]
    missing: tuple[str, ...]
    jailed: bool
    unsafe: bool
    """The settings allow cells to run without."""


@dataclass(frozen=True, slots=True)
class DataFolder:
    """The data folder and what it takes, in bytes. `runs_bytes` is the database with the texts beside it."""

    home: Path
    runs: int
    archives: int
    runs_bytes: int
    archives_bytes: int
    all_bytes: int
    free_bytes: int
    worker: bool
    installed: str


def free_bytes() -> int:
    return shutil.disk_usage(current_store().home).free


def prices(words: str) -> price_search.FoundPrices:
    return price_search.search_prices(words, PRICES_SHOWN)


def cells() -> Cells:
    chosen = settings()
    held_by, missing, jailed = _protection(chosen.home, chosen.unsafe_sandbox)
    return Cells(held_by, missing, jailed, chosen.unsafe_sandbox)


@st.cache_data(max_entries=8, ttl=300, show_spinner=False)
def _protection(home: Path, unsafe: bool) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    found = checks.cell_protection(settings())
    return found.layers, found.missing, found.jailed


def data_folder() -> DataFolder:
    store = current_store()
    runs_bytes, archives_bytes, all_bytes = _sizes(store.home)
    return DataFolder(
        store.home,
        sum(store.count_states(RunFilter()).values()),
        len(store.corpus_names()),
        runs_bytes,
        archives_bytes,
        all_bytes,
        shutil.disk_usage(store.home).free,
        checks.worker_is_running(store.home),
        checks.packages().says,
    )


@st.cache_data(max_entries=4, ttl=20, show_spinner=False)
def _sizes(home: Path) -> tuple[int, int, int]:
    """Of runs, of archives, and of everything."""
    database = sum(file.stat().st_size for file in home.glob("store.db*") if file.is_file())
    return database + bytes_of_folder(home / "blobs"), bytes_of_folder(home / "corpora"), bytes_of_folder(home)
