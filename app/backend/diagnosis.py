"""What rules find in a run that has ended: looked for when somebody asks, and kept for as long as nothing changes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from app.backend.folder import current_store, store_of
from app.backend.runs import read
from rlm_core.diagnose.rules import RULES, diagnose, name_of
from rlm_core.diagnose.symptoms import Symptom
from rlm_core.jobs.diagnosing import seen
from rlm_core.jobs.reading import is_looked_at
from rlm_core.store.store import Store
from rlm_core.view import RunView


@dataclass(frozen=True, slots=True)
class Diagnosis:
    symptoms: tuple[Symptom, ...]
    """The gravest first."""
    silent: tuple[str, ...]
    """The rules that found nothing."""
    incomplete: bool
    """Of some texts only the beginning was looked at."""
    shown_is_known: bool
    """Whether the rules knew what the models were shown of the archive."""


def diagnosis(run: str) -> Diagnosis | None:
    """`None` if there is no such run, or if it has not begun."""
    last_seq, store = read(run, lambda view: view.last_seq), current_store()
    return None if last_seq is None else _diagnosis(store.home, run, last_seq, is_looked_at(store, run))


@st.cache_data(max_entries=24, show_spinner=False)
def _diagnosis(home: Path, run: str, last_seq: int, looked_at: bool) -> Diagnosis | None:
    return read(run, _diagnosed, store_of(home), run)


def _diagnosed(view: RunView, store: Store, run: str) -> Diagnosis:
    material = seen(store, run, view)
    symptoms = tuple(diagnose(material))
    found = {each.rule for each in symptoms}
    silent = tuple(name for rule in RULES if (name := name_of(rule)) not in found)
    return Diagnosis(symptoms, silent, material.incomplete, material.coverage is not None)
