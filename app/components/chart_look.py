"""How charts look: the fills of kinds, light and dark, and text that Plotly must not read as tags. Knows no chart."""

from __future__ import annotations

from typing import Any

from rlm_core.looks.marks import Kind

FILLS: dict[Kind, tuple[str, str]] = {
    "root": ("rgba(0, 114, 178, .28)", "rgba(44, 143, 203, .36)"),
    "code": ("rgba(230, 159, 0, .30)", "rgba(230, 159, 0, .34)"),
    "call": ("rgba(0, 158, 115, .28)", "rgba(21, 169, 126, .34)"),
    "frame": ("rgba(204, 121, 167, .30)", "rgba(204, 121, 167, .36)"),
    "search": ("rgba(138, 145, 153, .22)", "rgba(138, 145, 153, .30)"),
    "failed": ("rgba(213, 94, 0, .34)", "rgba(228, 111, 23, .44)"),
    "mended": ("rgba(213, 94, 0, .16)", "rgba(228, 111, 23, .24)"),
}
"""Light and dark: the fill of a kind mixed into the page, so that text on it keeps its contrast."""
INKS: dict[Kind, tuple[str, str]] = {"call": ("#00694c", "#45cfa3"), "failed": ("#a84600", "#ff9655")}
PAGE, TEXT, CHOSEN = ("#ffffff", "#0f1318"), ("#1b2026", "#e9ecef"), ("#0072b2", "#56b4e9")
SECOND, HAIR = ("#55606c", "#a8b2bd"), ("#e1e5ea", "#272e37")
CONFIG = {"displayModeBar": False, "doubleClick": False}
"""Of each chart: a click selects, and nothing zooms."""


def layout(theme: int) -> dict[str, Any]:
    """What all charts have in common. `theme`: 0 light, 1 dark."""
    return {
        "barmode": "overlay",
        "dragmode": False,
        "hoverlabel": {"bgcolor": PAGE[theme], "bordercolor": TEXT[theme], "font": {"color": TEXT[theme], "size": 12}},
        "hovermode": "closest",
        "uniformtext": {"mode": "hide", "minsize": 12},
        "paper_bgcolor": "rgba(0, 0, 0, 0)",
        "plot_bgcolor": "rgba(0, 0, 0, 0)",
    }


def harmless(text: str) -> str:
    """Without anything that Plotly takes for a tag or an entity."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
