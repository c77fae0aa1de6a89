"""From uploaded files to one read-only text with a table of documents."""
