"""Is this set-up working? What is installed here (`installation`), and what your model makes of three questions (`live`)."""
