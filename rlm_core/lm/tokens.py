"""How many tokens a text may be, without a tokenizer: an estimate, marked `~` wherever it is shown."""

from __future__ import annotations

BYTES_PER_TOKEN = 4
"""Rule of thumb for today's tokenizers on UTF-8: about right for English, on the safe side for code and CJK."""


def estimated_tokens(text: str) -> int:
    """Estimated tokens of `text`: its UTF-8 length over four."""
    return len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN + 1
