"""Evidence: being built."""

import streamlit as st

st.header("Evidence")
