"""The data folder: its store, its settings, and what is said when something goes wrong on purpose."""

from __future__ import annotations

import re
from pathlib import Path

import streamlit as st

from rlm_core.errors import StudioError
from rlm_core.jobs import asking, recorded
from rlm_core.plain import plain
from rlm_core.settings import Settings, load_settings
from rlm_core.store.store import Store

Problem = StudioError


def in_words(problem: Problem) -> str:
    """The text of a problem, safe to be shown as text: what it marks as code stands in quotation marks."""
    return plain(re.sub(r"`([^`\n]+)`", r"“\1”", str(problem)))


def settings() -> Settings:
    return load_settings()


@st.cache_resource(max_entries=4, show_spinner=False)
def store_of(home: Path) -> Store:
    """The store of a data folder; a new one holds the recorded run from the start, whatever page is opened first."""
    store = asking.open_store(Settings(home))
    recorded.ensure_sample_run(store)
    return store


def current_store() -> Store:
    return store_of(settings().home)
