"""Settings, prices: the list that costs are computed from, to be searched."""

from __future__ import annotations

from typing import Any

import streamlit as st

from app import backend
from app.components import tables
from app.components.settings_sections import line, title
from app.components.text import escaped
from rlm_core import wording
from rlm_core.plain import plain_line

ROW_HEIGHT = 30
SHOWN_ROWS = 14
PER_MILLION = ("In, a million tokens", "Out, a million tokens")


def show() -> None:
    title(
        "prices",
        "List prices, without anybody's discount. What is not listed is unknown, and a cost with it in it says so.",
    )
    with line("prices"):
        words = st.text_input(
            "Search models",
            key="settings-price-search",
            placeholder="Search models: gpt-5 mini",
            icon=":material/search:",
            label_visibility="collapsed",
            width=420,
            live=True,
        )
        found = backend.prices(words)
        st.caption(escaped(summary(len(found.rows), found.matching, found.listed, found.source)))
        if not found.rows:
            st.text("No listed model has these words in its name. A model without a price can be used all the same.")
            return
        st.dataframe(
            [
                row(model, provider, price.input_usd, price.output_usd, price.window_tokens)
                for model, provider, price in found.rows
            ],
            column_config=tables.figures_right(*PER_MILLION, "Window, tokens"),
            hide_index=True,
            row_height=ROW_HEIGHT,
            height=tables.height(len(found.rows), ROW_HEIGHT, SHOWN_ROWS),
            key="settings-prices",
        )


def summary(shown: int, matching: int, listed: int, source: str) -> str:
    """`100 of 3,785 models are shown · LiteLLM 1.110.2 list prices`."""
    fit = (
        f"{wording.exact(matching, 'model')} of {listed:,} listed" if matching < listed else f"{listed:,} models listed"
    )
    cut = f", {wording.m_of_n(shown, matching)} shown" if shown < matching else ""
    return f"{fit}{cut} · {source}"


def row(
    name: str, provider: str, input_usd: float | None, output_usd: float | None, window: int | None
) -> dict[str, Any]:
    """One model in words and figures; what is not listed is unknown."""
    prices = [None if each is None else each * 1e6 for each in (input_usd, output_usd)]
    return {
        "Model": plain_line(name, 120),
        "Provider": plain_line(provider, 60),
        **{column: wording.money(price) for column, price in zip(PER_MILLION, prices, strict=True)},
        "Window, tokens": wording.UNKNOWN if window is None else f"{window:,}",
    }
