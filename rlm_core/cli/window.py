"""What lay outside the window of a run, in a line or two."""

from __future__ import annotations

from rlm_core.corpus.corpus import Corpus
from rlm_core.evidence.reach import Reach
from rlm_core.evidence.windows import lines_at
from rlm_core.plain import plain_line
from rlm_core.wording import HAD_NOTES, m_of_all, outside_window, place


def window_in_words(reach: Reach, corpus: Corpus) -> list[str]:
    """How much no prompt held and from where on, and how much only the compressor saw."""
    if reach.refused:
        return [
            f"outside the window: all {corpus.chars:,} characters. The archive is too large, so no model was shown any"
        ]
    said = ["outside the window: nothing"]
    if reach.outside:
        first = reach.outside[0]
        document = corpus.find(first.document)
        line = lines_at(corpus, document, [first.start])[0] if document and first.start else None
        begins = plain_line(place(first.document, line))
        said = [f"outside the window: {outside_window(reach.chars_outside, corpus.chars, begins)}"]
    if reach.compressed:
        of = m_of_all(reach.chars_compressed, corpus.chars)
        said.append(f"only the compressor saw: {of}; {HAD_NOTES}")
    return said
