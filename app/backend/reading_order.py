"""When what the findings of a run rest on was shown to its models, and what was shown apart; found out once for each state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from app.backend.coverage import covered
from app.backend.covered import Covered
from app.backend.folder import current_store
from app.backend.runs import read, whole
from rlm_core.evidence.shown_before import Shown, shown_before
from rlm_core.evidence.split_items import SplitItem, split_items
from rlm_core.view import RunView


@dataclass(frozen=True, slots=True)
class ReadingOrder:
    shown: Mapping[str, Shown]
    """Whether the words of a finding had been shown before it was recorded, by its span; unknown ones are left out."""
    apart: tuple[SplitItem, ...]
    """Items whose entries no model saw together."""


@dataclass(slots=True)
class _Known:
    covered: Covered | None = None
    order: ReadingOrder | None = None


@st.cache_resource(max_entries=24, show_spinner=False)
def _known(home: Path, run: str) -> _Known:
    return _Known()


def reading_order(run: str, archive: str) -> ReadingOrder | None:
    """Of a run that has ended and was looked at to its end; `None` of others. Raises `Problem` where its archive is not here."""
    now = covered(run, archive)
    if now is None or not now.complete:
        return None
    known = _known(current_store().home, run)
    if known.covered is not now:
        known.order, known.covered = read(run, _order, now), now
    return known.order


def _order(view: RunView, now: Covered) -> ReadingOrder:
    numbers = {document.path: document.index for document in now.documents}
    return ReadingOrder(
        shown_before(view, now.coverage, numbers, whole), split_items(view, now.coverage, numbers, whole)
    )
