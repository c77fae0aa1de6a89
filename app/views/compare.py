"""Compare: being built."""

import streamlit as st

st.header("Compare")
