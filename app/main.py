"""The frame of every page: title, look, navigation. Knows no run and no archive."""

import streamlit as st

from app import address
from app.components.trouble import told
from app.places import STATIC

st.set_page_config(page_title="RLM Studio", page_icon=str(STATIC / "icon.svg"), layout="wide")
st.html(STATIC / "theme.css")
st.logo(STATIC / "logo.svg", size="medium")
page = st.navigation(
    [
        st.Page("views/ask.py", title="Ask", url_path="ask", default=True),
        st.Page("views/runs.py", title="Runs", url_path="runs"),
        st.Page("views/run.py", title="Run", url_path="run"),
        st.Page("views/present.py", title="Present", url_path="present", visibility="hidden"),
        st.Page("views/compare.py", title="Compare", url_path="compare"),
        st.Page("views/matrix.py", title="Matrix", url_path="matrix", visibility="hidden"),
        st.Page("views/evidence.py", title="Evidence", url_path="evidence", visibility="hidden"),
        st.Page("views/settings.py", title="Settings", url_path="settings"),
    ],
    position="top",
)
address.begin()
st.session_state["just-loaded"] = "just-loaded" not in st.session_state
with told("page"):
    page.run()
