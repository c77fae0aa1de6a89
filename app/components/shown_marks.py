"""Whether a model had been shown the words of a finding before it was recorded: marks for a table, with what they mean. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rlm_core.evidence.shown_before import Shown
from rlm_core.wording import UNKNOWN

_MARKS: dict[Shown | None, tuple[str, str]] = {
    "before": ("● before", "a model had been shown the words before"),
    "afterwards": ("◐ afterwards", "a model was shown them only afterwards"),
    "never": ("○ never", "code took them from the archive itself, and no model was shown them; by itself no error"),
    None: (f"? {UNKNOWN}", "they have no single proven place, or what was shown may have been another one"),
}

_OF_ALL: dict[Shown | None, str] = {
    "before": "A model had been shown the words of each before it was recorded.",
    None: "Whether a model had been shown the words before is not known of any.",
}


def mark(shown: Shown | None) -> str:
    """`● before`, for a cell of a table."""
    return _MARKS[shown][0]


def is_telling(shown: Sequence[Shown | None]) -> bool:
    """Whether there is more to say than one thing of all findings."""
    return len(set(shown)) > 1 or not _OF_ALL.keys() >= set(shown)


def legend(shown: Sequence[Shown | None]) -> str:
    """The marks that are there, a line for each: how often it is there, and what it means."""
    counts = Counter(shown)
    if not is_telling(shown):
        return _OF_ALL[shown[0]] if shown else ""
    said = [f"{mark} ({counts[each]:,}): {means}" for each, (mark, means) in _MARKS.items() if counts[each]]
    return "  \n".join(["Shown: whether the words had been, when the finding was recorded.", *said])
