"""Why a run says nothing of an item, or something else than others, in words: the same wherever a comparison is shown.

Pure. Every word is our own but the places of documents: who shows a sentence makes them visible first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rlm_core import events as ev
from rlm_core import wording
from rlm_core.compare import ComparedRun, Comparison, Item, Missed, Said
from rlm_core.headlines import letters
from rlm_core.partings import missed_by, same_quote


@dataclass(frozen=True, slots=True)
class Reason:
    """Words with the place in them that they speak of, if they speak of one."""

    before: str
    place: ev.QuoteChecked | None = None
    behind: str = ""

    def told(self, shown: Callable[[str], str] = str) -> str:
        """As one line; `shown` is what becomes of the place."""
        where = shown(wording.place(self.place.document, self.place.line)) if self.place else ""
        return f"{self.before}{where}{self.behind}"


def absent(run: ComparedRun, said: Said) -> Reason:
    """Why a run has no label for an item, as far as that is known."""
    if said.missed is None:
        return Reason(_unlabelled(run, said))
    named = f"{_unlabelled(run, said)}; " if said.how == "named" else ""
    return _missed(run, said.missed, named)


def _missed(run: ComparedRun, missed: Missed, named: str) -> Reason:
    if missed.compressed:
        return Reason(f"{named}only its compressor saw the passage at ", missed.place, f"; {wording.HAD_NOTES}")
    partly = "" if missed.whole else "partly "
    return Reason(f"{named}the passage at ", missed.place, f" lay {partly}outside its window{_noted(run)}")


def _unlabelled(run: ComparedRun, said: Said) -> str:
    if said.how == "named":
        return "in its answer, without a label"
    if said.how == "not looked for":
        return "a name too short to be looked for in its answer"
    if run.active:
        return "not yet"
    if run.answer is None and run.items_from == "nowhere":
        return f"{run.state}, no answer"
    return "not named in its answer" if said.how == "not named" else "no finding"


def otherwise(comparison: Comparison, item: Item, number: int) -> list[str]:
    """Why a run labels an item otherwise than others, as far as that is known."""
    missed = missed_by(comparison, item, number)
    never = [other for other, each in missed.items() if not each.compressed]
    notes = [other for other, each in missed.items() if each.compressed]
    same = [other for other in same_quote(comparison, item, number) if other < number]
    said = [f"{_quotes(never)} lay outside its window{_noted(comparison.runs[number])}"] if never else []
    said += [f"only its compressor saw {_quotes(notes)}"] if notes else []
    return said + ([f"same quote as {letters(same)}, other label"] if same else [])


def _quotes(runs: Sequence[int]) -> str:
    return f"{letters(runs)}’s {'quote' if len(runs) == 1 else 'quotes'}"


def _noted(run: ComparedRun) -> str:
    return " (~, as it noted)" if run.reach.estimated else ""
