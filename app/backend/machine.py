"""This installation: its price list, what holds code cells in, its data folder."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from app.backend.folder import current_store, settings
from rlm_core.checks import installation as checks
from rlm_core.checks import price_search
from rlm_core.store.disk_use import bytes_of_files, bytes_of_folder
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
class DiskUse:
    """What the data folder takes, in bytes, by its parts; and what is left on its disk."""

    runs: int
    """The database with the texts beside it: what runs take, indexes, and room for what comes next."""
    archives: int
    rest: int
    """The queue of the worker, logs, settings."""
    free: int

    @property
    def folder(self) -> int:
        return self.runs + self.archives + self.rest


@dataclass(frozen=True, slots=True)
class DataFolder:
    """The data folder and what it takes."""

    home: Path
    runs: int
    archives: int
    disk: DiskUse
    worker: bool
    installed: str


def free_bytes() -> int:
    return shutil.disk_usage(current_store().home).free


def disk_use() -> DiskUse:
    home = current_store().home
    runs = bytes_of_files(home.glob("store.db*")) + bytes_of_folder(home / "blobs")
    archives = bytes_of_folder(home / "corpora")
    return DiskUse(runs, archives, max(0, bytes_of_folder(home) - runs - archives), free_bytes())


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
    return DataFolder(
        store.home,
        sum(store.count_states(RunFilter()).values()),
        len(store.corpus_names()),
        disk_use(),
        checks.worker_is_running(store.home),
        checks.packages().says,
    )
