"""A run as a file that others can read."""

from __future__ import annotations

from app.backend.folder import current_store
from rlm_core.exporters import jsonl


def run_as_lines(run: str) -> str:
    """All events of a run, one line of JSON each: what can be kept, sent, and read back."""
    return "".join(f"{line}\n" for line in jsonl.to_lines(current_store().events(run)))
