"""The Streamlit door: pages that show what the store holds, and one worker beside them."""
