"""Runs from elsewhere as events: each a function from a file's lines to the list that everything else reads."""
