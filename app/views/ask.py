import streamlit as st

st.title("ask")
