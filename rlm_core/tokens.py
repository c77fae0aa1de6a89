"""How large texts are: tokens without a tokenizer, estimates that are marked `~` wherever they are shown; and what is too
large to be one text."""

from __future__ import annotations

BYTES_PER_TOKEN = 4
"""Rule of thumb for today's tokenizers on UTF-8. About right for English prose; code and CJK may take a third more."""
SAFE_CHARS_PER_TOKEN = 3.2
"""For advice on how much fits: leaves room for texts that take more tokens than the rule says."""

MAX_TEXT_BYTES = 50_000_000
"""A document with more is no single text in a session: it would take up to four times that, and its lines once more."""


def estimated_tokens(text: str) -> int:
    """Estimated tokens of `text`: its UTF-8 length over four."""
    return len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN + 1


def chars_that_fit(window_tokens: int) -> int:
    """Characters that a window of so many tokens takes, to be on the safe side."""
    return int(window_tokens * SAFE_CHARS_PER_TOKEN)
