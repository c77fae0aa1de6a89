"""What was shown of an archive in words: the share, the legend, and what was never shown. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from app.backend import HARMLESS, Covered, Item
from rlm_core import wording
from rlm_core.plain import plain_line
from rlm_core.wording import exact

NAMED_FILES = 3


def headline(covered: Covered) -> str:
    """`96 % of the archive was shown to a model`, as two parts: the figure and the rest."""
    coverage = covered.coverage
    if not coverage.chars:
        return "Nothing: the archive has no text"
    if not coverage.chars_shown:
        return "Nothing of the archive was shown to a model"
    return f"{wording.share(coverage.chars_shown, coverage.chars)} of the archive was shown to a model"


def never_title(covered: Covered) -> str:
    return "Fell outside the window" if covered.reach else "Never shown to any model"


def never_figures(covered: Covered, begins: str = "") -> str:
    """`38,497 characters, 4 % of 962,418`; what lay outside a window also with where it `begins`."""
    chars, never = covered.coverage.chars, covered.chars_never_shown
    if covered.reach and covered.reach.refused:
        return f"all {exact(chars, 'character')}"
    if covered.reach and covered.reach.outside:
        return wording.outside_window(covered.reach.chars_outside, chars, begins)
    return f"{exact(never, 'character')}, {wording.share(never, chars)} of {chars:,}"


def everything_shown(covered: Covered) -> str:
    """Said where there is no large gap to list."""
    never = covered.chars_never_shown
    if not never:
        return f"Nothing: every one of the {covered.coverage.chars:,} characters was shown to a model."
    if covered.reach:
        return f"Nothing. {exact(never, 'character')} {_too_short(never)}"
    return (
        f"No document and no large part of one: {never_figures(covered)}, all in pieces of less than "
        f"{covered.large_gap_chars:,}: blank lines and headings between what was shown."
    )


def small_gaps(covered: Covered, listed: int) -> str:
    """What the list leaves out: `5 of 12 places are listed. Besides them, 1,204 characters in smaller gaps.`"""
    said = []
    if listed < len(covered.gaps):
        places = f"{wording.m_of_n(listed, len(covered.gaps))} places"
        in_order, by_size = (
            f"The first {places} are listed.",
            f"{places} are listed: documents never read, then the largest.",
        )
        said.append(in_order if covered.reach else by_size)
    rest = covered.chars_never_shown - sum(gap.chars for gap in covered.gaps)
    if rest and covered.reach:
        said.append(f"Besides, {exact(rest, 'character')} before that {_too_short(rest)}")
    elif rest:
        said.append(f"Besides, {exact(rest, 'character')} in pieces of less than {covered.large_gap_chars:,}.")
    return " ".join(said)


def _too_short(chars: int) -> str:
    return f"{'is' if chars == 1 else 'are'} in pieces too short to be looked for in a prompt."


def window(covered: Covered) -> list[str]:
    """What else must be known of the window of a run: that the archive was refused, and who saw only notes."""
    reach = covered.reach
    if reach is None:
        return []
    said = (
        ["The archive is larger than the window and was refused: no model was shown any of it."]
        if reach.refused
        else []
    )
    if reach.compressed:
        of = wording.m_of_all(reach.chars_compressed, covered.coverage.chars)
        said.append(f"Only the compressor saw {of}: {wording.HAD_NOTES}.")
    return said


def not_in_archive(items: Sequence[Item]) -> str:
    """Files of the upload that are no document with text: no model could be shown them."""
    lost = [each for each in items if each.status not in HARMLESS or each.status == "no-text-layer"]
    if not lost:
        return ""
    names = ", ".join(plain_line(each.path.rpartition("/")[2], 60) for each in lost[:NAMED_FILES])
    more = f" and {len(lost) - NAMED_FILES:,} more" if len(lost) > NAMED_FILES else ""
    verb = "is a file of the upload that has" if len(lost) == 1 else "are files of the upload that have"
    return f"Besides these, {names}{more} {verb} no readable text: Ask says why, under the archive."


def legend(covered: Covered, *, mine: str = "") -> list[tuple[str, str]]:
    """The marks that are there, each with what it means. `mine` names the selected node."""
    hows = Counter((each.span in covered.of_root, each.how, each.ambiguous) for each in covered.coverage.reads)
    found = [(root, how, unsure) for root, how, unsure in hows if how != "cited"]
    reader = "compressor" if covered.reach else "helper"
    said = []
    for root, name, whom in ((True, "root", "root"), (False, "helper", reader)):
        ways = sorted({"printed" if how == "printed" else "sent" for of_root, how, _ in found if of_root == root})
        article = "a" if whom == "helper" else "the"
        if ways:
            said.append((name, f"{' or '.join(ways)} to {article} {whom}"))
    if any(unsure for _, _, unsure in found):
        lighter = "root" if all(root for root, _, unsure in found if unsure) else "helper"
        said.append((f"{lighter} unsure", "perhaps: stands elsewhere too"))
    if any(how == "cited" for _, how, _ in hows):
        said.append(("cited", "cited"))
    if covered.chars_never_shown:
        said.append(("never", "never shown"))
    return [*said, ("mine", f"shown to {mine}")] if mine else said
