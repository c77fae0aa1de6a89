"""What one search looks for, in all the forms in which its levels need it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from rlm_core.corpus.corpus import Corpus
from rlm_core.evidence.elided import MAX_GAP_CHARS, parts_of
from rlm_core.evidence.hints import Hints
from rlm_core.evidence.normal import Normal, normal_quotes, without_marks
from rlm_core.evidence.work import Work


@dataclass(frozen=True)
class Wanted:
    """A quote, where it is looked for, and what that may cost."""

    quote: str
    corpus: Corpus
    hints: Hints
    work: Work

    @cached_property
    def needle(self) -> bytes:
        return self.quote.encode("utf-8", "surrogatepass")  # a lone surrogate is in no document

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """Normal forms to look for, likeliest first."""
        return tuple(form for form in normal_quotes(self.quote) if form)

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """Of a quote that leaves something out, as they are written; else the quote alone."""
        return tuple(parts_of(self.quote))

    @cached_property
    def normal_parts(self) -> tuple[str, ...]:
        return tuple(without_marks(Normal(part).text) for part in self.parts)

    @property
    def reach(self) -> int:
        """How far from any of its words the quote may begin or end, in bytes."""
        size = len(self.forms[0].encode("utf-8", "replace")) if self.forms else 0
        return 4 * size + 200 + MAX_GAP_CHARS * (len(self.parts) - 1)
