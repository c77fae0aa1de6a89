"""Being built: findings_view."""

from __future__ import annotations

import streamlit as st

from app.look import Look


def show(look: Look) -> None:
    st.caption("findings_view")
