"""The pages: each reads the address, asks `backend`, and puts components together."""
