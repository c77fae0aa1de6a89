"""What the models of each compared run were shown of the archive: a strip a run, and what decides an item and was not shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from app import backend, links, strips
from app.components import coverage_strips
from app.components.compare_head import name
from app.components.coverage_strips import Row, Stop
from app.components.item_pairs import files_of
from app.components.text import escaped
from app.components.trouble import say
from rlm_core import wording
from rlm_core.compare import LETTERS, Comparison, Item, Missed, Said
from rlm_core.headlines import letters
from rlm_core.partings import never_shown
from rlm_core.plain import plain_line

KEY, PICKED = "seen-strips", "seen-picked"
LISTED, MORE, STOPS = 12, 50, 200
"""Passages of a run that are listed at first, and with each press; marks of a strip that the arrow keys lead to."""


def show(comparison: Comparison) -> None:
    known, unknown = _covered(comparison)
    if known:
        _strips(comparison, known)
    for why, numbers in unknown.items():
        say(f"{letters(numbers)}: {why}", f"seen-{LETTERS[numbers[0]]}")
    for number in range(len(comparison.runs)):
        _passages(comparison, number)
    if not any(never_shown(comparison, number) for number in range(len(comparison.runs))):
        st.text("No passage is known that decides an item in one of these runs and lay outside the window of another.")


def _covered(comparison: Comparison) -> tuple[dict[int, backend.Covered], dict[str, list[int]]]:
    """What each run was shown so far, and of those where that cannot be known why."""
    known: dict[int, backend.Covered] = {}
    unknown: dict[str, list[int]] = {}
    for number, run in enumerate(comparison.runs):
        why = "What its models were shown is not known yet."
        try:
            found = backend.covered(run.id, run.task.corpus)
        except backend.Problem as problem:
            found, why = None, backend.in_words(problem)
        if found and found.looked:
            known[number] = found
        else:
            unknown.setdefault(why, []).append(number)
    return known, unknown


def _strips(comparison: Comparison, known: dict[int, backend.Covered]) -> None:
    rows = [_row(comparison, number, covered) for number, covered in known.items()]
    label = f"decides a “{comparison.told_label}”" if comparison.told_label else "decides an item"
    data = coverage_strips.data(
        "What the models of each run were shown of the archive",
        rows=coverage_strips.sent(rows),
        legend=[
            ("root", "shown to the root model"),
            ("helper", "to helpers"),
            ("cited", plain_line(label, 60)),
            ("never", "never shown"),
            ("count", _scale(comparison, next(iter(known.values())))),
        ],
    )
    coverage_strips.show(KEY, data, lambda number, share: st.session_state.update({PICKED: (number, share)}))
    if reading := [number for number in known if comparison.runs[number].totals.cells]:
        st.caption(
            f"The cells of {letters(reading)} could search the whole archive: what they went through and did not print was shown "
            "to no model, and still counts in the answer."
        )
    if picked := st.session_state.pop(PICKED, None):
        _open(comparison, known, *picked)


def _scale(comparison: Comparison, covered: backend.Covered) -> str:
    if not comparison.same_corpus:
        return "a scale of its own for each archive"
    if not covered.documents:
        return ""
    first, last = (plain_line(covered.documents[place].path.rpartition("/")[2], 40) for place in (0, -1))
    return f"one scale, from {first} to {last}"


def _row(comparison: Comparison, number: int, covered: backend.Covered) -> Row:
    drawn = coverage_strips.archive_strip(covered)
    chars = covered.coverage.chars
    places = _deciding(comparison, number, covered)
    share = wording.share(covered.coverage.chars_shown, chars)
    return replace(
        drawn,
        document=number,
        path=plain_line(f"{LETTERS[number]} · {name(comparison.runs[number])}", 60),
        length=chars,
        chars=share if covered.complete else f"{share} …",
        cited=sorted({strips.at(char, chars) for char, _ in places}),
        stops=[Stop(strips.at(char, chars), char, f"cited: {said}") for char, said in places[:STOPS]],
    )


def _deciding(comparison: Comparison, number: int, covered: backend.Covered) -> list[tuple[int, str]]:
    """The characters of the archive at which the run's quotes begin, of the items that its answer counts."""
    starts = {each.path: start for each, start in zip(covered.documents, covered.starts, strict=False)}
    found = []
    for item in comparison.items:
        said = item.said[number]
        if _counts(comparison, said):
            places = [quoted.checked for quoted in said.quotes if quoted.checked]
            found += [
                (starts[each.document] + each.start, plain_line(f"{item.name}: {said.label}", 60))
                for each in places
                if each.document in starts and each.start is not None
            ]
    return sorted(found)


def _counts(comparison: Comparison, said: Said) -> bool:
    return said.labelled and comparison.told_label in (None, said.means)


def _open(comparison: Comparison, known: dict[int, backend.Covered], number: int, share: float) -> None:
    """Go to the place of the archive that was clicked, as evidence of the run whose strip it is."""
    if (covered := known.get(number)) is None or not covered.coverage.chars:
        return
    char = min(int(share * covered.coverage.chars), covered.coverage.chars - 1)
    place = max(each for each in range(len(covered.documents)) if covered.starts[each] <= char)
    begin = char - covered.starts[place]
    query = links.evidence_query(
        comparison.runs[number].id, document=covered.documents[place].path, chars=(begin, begin + 1)
    )
    links.leave_comparison(links.EVIDENCE, query)


# ---------------------------------------------------------------------- what was not shown


def _passages(comparison: Comparison, number: int) -> None:
    found = never_shown(comparison, number)
    if not found:
        return
    with st.container(key=f"never-shown-{number}", gap="xsmall"):
        st.markdown(f"**Not shown to {LETTERS[number]}** :gray[{escaped(_counted(found))}]")
        key = f"never-shown-more-{number}"
        shown = found[: st.session_state.get(key, LISTED)]
        for place, (item, missed) in enumerate(shown):
            _passage(comparison, number, item, missed, place)
        if len(shown) < len(found):
            st.button(
                f"{len(shown)} of {len(found):,} shown, show {min(MORE, len(found) - len(shown))} more",
                type="tertiary",
                key=f"{key}-button",
                on_click=lambda: st.session_state.update({key: len(shown) + MORE}),
            )


def _counted(found: Sequence[tuple[Item, Missed]]) -> str:
    many = wording.exact(len(found), "passage")
    return f"{many} that {'decides an item' if len(found) == 1 else 'decide items'} in other runs"


def _passage(comparison: Comparison, number: int, item: Item, missed: Missed, place: int) -> None:
    run, found = comparison.runs[number], missed.place
    document = found.document or ""
    where = files_of(comparison).short(document, found.line)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"missed-{number}-{place}"):
        st.text(sentence(LETTERS[number], plain_line(item.name, 80), missed, estimated=run.reach.estimated))
        st.page_link(
            links.EVIDENCE,
            label=escaped(plain_line(where, 120)),
            icon=":material/open_in_new:",
            query_params=links.evidence_query(
                run.id,
                document=document,
                line=found.line,
                chars=None if found.start is None or found.end is None else (found.start, found.end),
            ),
        )


def sentence(letter: str, item: str, missed: Missed, *, estimated: bool) -> str:
    """`The passage that decides A12 was never shown to B.`"""
    noted = ", as it noted" if estimated else ""
    if missed.compressed:
        return f"Only the compressor of {letter} saw the passage that decides {item}; {wording.HAD_NOTES}."
    return f"The passage that decides {item} was never shown{'' if missed.whole else ' whole'} to {letter}{noted}."
