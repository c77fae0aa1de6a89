"""How much one upload may cost: numbers only. They are counted in `corpus/limits.py`."""

from __future__ import annotations

from dataclasses import dataclass, fields

from rlm_core.errors import TaskError


@dataclass(frozen=True, slots=True)
class IngestLimits:
    """Bounds of one upload. Sizes in MiB, ratios as unpacked to packed bytes."""

    max_upload_mb: int = 1024
    max_expanded_mb: int = 4096
    """Everything that comes out of its archives."""
    max_member_mb: int = 4096
    """One file."""
    max_parsed_mb: int = 512
    """One file that is no plain text and can only be read as a whole, such as a PDF or a page."""
    max_entries: int = 100_000
    """Files in all its archives."""
    max_nesting: int = 5
    """Archives in archives."""
    max_ratio: int = 200
    """For files above 10 MiB."""
    max_total_ratio: int = 100
    """Everything unpacked to everything uploaded, once more than 100 MiB were unpacked."""
    timeout_s: float = 600.0

    def __post_init__(self) -> None:
        for each in fields(self):
            if not (value := getattr(self, each.name)) > 0:
                raise TaskError(f"The limit {each.name} is {value}; it must be greater than 0.")
