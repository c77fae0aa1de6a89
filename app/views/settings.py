"""Settings: being built."""

import streamlit as st

st.header("Settings")
