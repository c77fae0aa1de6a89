"""Runs as other forms: each a function of a view."""
