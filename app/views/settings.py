"""Settings: models, keys, prices, limits, sandbox, data. One section at a time; the list says how things stand in all."""

from __future__ import annotations

import streamlit as st

from app import backend
from app.components import settings_keys, settings_limits, settings_machine, settings_models, settings_prices
from app.components.settings_sections import choose
from app.components.trouble import told
from rlm_core import wording

SHOWN = {
    "models": settings_models.show,
    "keys": settings_keys.show,
    "prices": settings_prices.show,
    "limits": settings_limits.show,
    "sandbox": settings_machine.sandbox,
    "data": settings_machine.data,
}


def page() -> None:
    with told("settings"):
        left, right = st.columns([1, 4], gap="medium")
        with left.container(key="settings-sections"):
            section = choose(_summaries())
        with right.container(key="settings-section", gap=None), told("section"):
            SHOWN[section]()


def _summaries() -> dict[str, str]:
    now, cells = backend.settings(), backend.cells()
    changed = settings_limits.changed(now)
    return {
        "models": " and ".join(dict.fromkeys(each.rpartition("/")[2] for each in (now.root_model, now.helper_model))),
        "keys": _keys_in_words(),
        "prices": f"{backend.prices('').listed:,} models",
        "limits": f"{changed} changed" if changed else "as shipped",
        "sandbox": "protected" if cells.jailed else "unprotected" if cells.unsafe else "no cell is run",
        "data": f"{wording.size(backend.free_bytes())} free",
    }


def _keys_in_words() -> str:
    lines = backend.key_lines()
    missing, found = (sum((each.place is None) is wanted for each in lines) for wanted in (True, False))
    if backend.key_problem():
        return "the file is not used"
    said = f"{found} found" if found else "none"
    return f"{said}, {missing} missing" if missing else said


page()
