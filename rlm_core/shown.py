"""What of a long text a model is shown, as pure functions: used where a model is told, and where it is found out later what it
was told. Everything that is cut says how much is missing.
"""

from __future__ import annotations

from collections.abc import Sequence

from rlm_core.task import Json


def shown(text: str, max_chars: int, true_chars: int | None = None) -> str:
    """Head and tail of a text with the number of characters between them; the text itself where it is short enough."""
    true_chars = len(text) if true_chars is None else true_chars
    if len(text) <= max_chars:
        return text
    head, tail = text[: max_chars * 2 // 3], text[-(max_chars // 3) :]
    missing = true_chars - len(head) - len(tail)
    return f"{head}\n[... {missing:,} of {true_chars:,} characters not shown ...]\n{tail}"


def shown_output(output: str, error: str | None, output_chars: int, max_chars: int) -> str:
    """What a cell printed and how it failed, as far as its model is shown it: an error takes up half at most."""
    failed = shown((error or "").rstrip("\n"), max_chars // 2)
    text = shown(output.rstrip("\n"), max_chars - len(failed), output_chars)
    return "\n".join(part for part in (text, failed) if part)


def shown_hits(query: str, hits: Sequence[Json], max_chars: int) -> str:
    """What a search brought: each passage whole, as far as outputs may be shown."""
    if not hits:
        return f"SEARCH({query}) found nothing: no passage holds one of these words. Try others."
    passages = [
        f"[{number}] {hit['path']}, characters {hit['start']:,} to {hit['end']:,}\n{hit['text'].strip()}"
        for number, hit in enumerate(hits, 1)
    ]
    return shown(f"SEARCH({query}) found {len(hits)} passages:\n\n" + "\n\n".join(passages), max_chars)
