"""What each run says of each item, side by side: label, quote, place. Its twin is a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from app import backend, links
from app.components import item_choices
from app.components.compare_head import letter, name
from app.components.tables import height
from app.components.text import common_container
from app.components.trouble import tell
from app.places import STATIC
from rlm_core import reasons, wording
from rlm_core.choices import Choice
from rlm_core.compare import LETTERS, ComparedRun, Comparison, Item, Quoted
from rlm_core.looks.verdicts import told
from rlm_core.plain import plain_line
from rlm_core.reasons import Reason

_component = st.components.v2.component(
    "item_pairs",
    html='<div class="pairs"></div>',
    css=(STATIC / "item_pairs.css").read_text(encoding="utf-8"),
    js=(STATIC / "item_pairs.js").read_text(encoding="utf-8"),
)

ALL, KEY, PAIRS = "all", "compare-show", "item-pairs"
SHOWN_ITEMS, MOST_ITEMS = 50, 500
"""Items that are shown at first, and that the side-by-side view can show in all; the table has every one."""
QUOTE_CHARS, NAME_CHARS, LABEL_CHARS = 220, 80, 40
ROW_HEIGHT, TABLE_ROWS = 34, 20
Choices = Mapping[str, Choice]
"""By the key of an item's name."""
BADGES = ("not seen", "notes only", "named")
MARKS = {"agree": "✓", "differ": "◫", "named": "○"}
ONLY_MARKS, ONLY_OTHER = {0: "◧", 1: "◨"}, "▣"


def show(comparison: Comparison) -> None:
    choices = backend.choices_of([run.id for run in comparison.runs])
    chosen, as_table = links.compared_items()
    offered = filters(comparison)
    chosen = chosen if chosen in offered else ALL
    items = [item for item in comparison.items if chosen in (ALL, filter_of(item))]
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="compare-bar"):
        st.session_state[KEY] = chosen
        st.segmented_control(
            "Items",
            list(offered),
            required=True,
            format_func=lambda each: f"{filter_words(each)} {offered[each]:,}",
            key=KEY,
            on_change=_filter,
            label_visibility="collapsed",
        )
        st.space("stretch")
        st.caption(_about(comparison, len(items), as_table, chosen), width="content")
        item_choices.export(comparison)
        st.button(
            "side by side" if as_table else "table",
            icon=":material/view_column_2:" if as_table else ":material/table:",
            type="tertiary",
            key="compare-as",
            on_click=links.compare,
            kwargs={"as": None if as_table else "table"},
        )
    for remark in remarks(comparison):
        st.caption(remark)
    if as_table:
        _table(comparison, items, choices)
    else:
        _pairs(comparison, items, choices)
    if said := item_choices.counted(comparison, choices):
        st.caption(said)


def _filter() -> None:
    chosen = st.session_state[KEY]
    links.compare(show=None if chosen == ALL else chosen)


def _about(comparison: Comparison, items: int, as_table: bool, chosen: str) -> str:
    """How many of the items there are, their order, and what a dashed label is."""
    cut = items > MOST_ITEMS and not as_table
    listed = any(run.items_from == "answer" for run in comparison.runs) and not as_table
    said = [f"{wording.m_of_n(MOST_ITEMS, items)} can be shown side by side"] if cut else []
    said += ["differences first"] if chosen == ALL else []
    return " · ".join([*said, *(["dashed: listed in the answer, not recorded by code"] if listed else [])])


def _pairs(comparison: Comparison, items: Sequence[Item], choices: Choices) -> None:
    shown = items[:MOST_ITEMS]
    tell(PAIRS)
    clicked = _component(
        key=PAIRS,
        height="content",
        data={
            "runs": [{**letter(number), "name": name(run)} for number, run in enumerate(comparison.runs)],
            "rows": [
                {**each, "choice": item_choices.drawn(comparison, item, choices)}
                for item, each in zip(shown, rows(comparison, shown), strict=True)
            ],
            "shown": SHOWN_ITEMS,
        },
        on_chosen_change=partial(item_choices.decide, PAIRS, comparison),
        on_opened_change=lambda: None,
    )
    if clicked.opened:
        links.leave_comparison(links.EVIDENCE, clicked.opened)


def _table(comparison: Comparison, items: Sequence[Item], choices: Choices) -> None:
    decided = item_choices.decided_column(comparison, items, choices)
    st.dataframe(
        [{**row, "Decided": said} for row, said in zip(table(comparison, items), decided, strict=True)],
        hide_index=True,
        row_height=ROW_HEIGHT,
        height=height(len(items), ROW_HEIGHT, TABLE_ROWS),
        key="compare-table",
        alt="What each run says of each item",
    )


# ---------------------------------------------------------------------- filters


def filter_of(item: Item) -> str:
    return f"only-{LETTERS[item.having[0]]}" if item.status == "only" else item.status


def filters(comparison: Comparison) -> dict[str, int]:
    """What can be chosen, and how many items that leaves."""
    counts = Counter(filter_of(item) for item in comparison.items)
    only = [f"only-{LETTERS[number]}" for number in range(len(comparison.runs))]
    if len(only) > 2:
        only = [each for each in only if counts[each]]
    offered = {each: counts[each] for each in ("agree", "differ", *only)}
    return {ALL: len(comparison.items), **offered, **({"named": counts["named"]} if counts["named"] else {})}


def filter_words(value: str) -> str:
    return value.replace("-", " ")


def swapped(value: str) -> str:
    """The same filter when A and B have changed places."""
    return {"only-A": "only-B", "only-B": "only-A"}.get(value, value)


# ---------------------------------------------------------------------- rows


def rows(comparison: Comparison, items: Sequence[Item]) -> list[dict[str, Any]]:
    files = files_of(comparison)
    return [row(comparison, item, files) for item in items]


def row(comparison: Comparison, item: Item, files: Files) -> dict[str, Any]:
    only = item.having[0] if item.status == "only" else None
    return {
        "item": plain_line(item.name, NAME_CHARS),
        "status": filter_words(filter_of(item)),
        "mark": MARKS.get(item.status) or ONLY_MARKS.get(only or 0, ONLY_OTHER),
        "shade": item.status if only is None else letter(only)["shade"],
        "said": [_cell(comparison, item, number, files) for number in range(len(comparison.runs))],
    }


def _cell(comparison: Comparison, item: Item, number: int, files: Files) -> dict[str, Any]:
    run, said = comparison.runs[number], item.said[number]
    if not said.labelled:
        badge = said.how if said.how in BADGES else wording.DOES_NOT_APPLY
        cell = {"how": said.how.replace(" ", "-"), "label": badge}
        return {**cell, **_absent(run, reasons.absent(run, said), files)}
    first = said.quotes[0]
    is_told = said.means == comparison.told_label
    more = len(said.quotes) - 1
    notes = [f"and {wording.exact(more, 'more quote')}"] if more else []
    return {
        "how": said.how,
        "label": plain_line(said.label, LABEL_CHARS),
        "told": is_told,
        "quote": plain_line(first.quote, QUOTE_CHARS),
        **_evidence(run, first),
        **_verdict(first, files),
        "more": " · ".join([*notes, *reasons.otherwise(comparison, item, number)]),
    }


@dataclass(frozen=True, slots=True)
class Files:
    """By what name documents are spoken of."""

    container: str
    """All of them lie in it, so it is left out."""
    alike: frozenset[str]
    """Names that several files have, in different folders."""

    def path(self, document: str) -> str:
        return document.removeprefix(self.container)

    def short(self, document: str, line: int | None) -> str:
        """`2021-05.txt:41`, with its folders where they tell it from another."""
        path = self.path(document)
        name = path if _file(path) in self.alike else _file(path)
        return name if line is None else f"{name}:{line}"


def files_of(comparison: Comparison) -> Files:
    documents = {
        quoted.checked.document
        for item in comparison.items
        for said in item.said
        for quoted in said.quotes
        if quoted.checked and quoted.checked.document
    }
    container = common_container(documents)
    names = Counter(_file(document.removeprefix(container)) for document in documents)
    return Files(container, frozenset(name for name, many in names.items() if many > 1))


def _file(path: str) -> str:
    return path.rpartition("/")[2]


def _evidence(run: ComparedRun, quoted: Quoted) -> dict[str, Any]:
    """Where the quote can be looked at: by its finding, or at the place where it was found."""
    found = quoted.checked
    if quoted.span:
        query = links.evidence_query(run.id, finding=quoted.span)
    elif found and found.document:
        chars = None if found.start is None or found.end is None else (found.start, found.end)
        query = links.evidence_query(run.id, document=found.document, line=found.line, chars=chars)
    else:
        return {}
    return {"query": query, "href": f"evidence?{urlencode(query)}"}


def _verdict(quoted: Quoted, files: Files) -> dict[str, Any]:
    """A mark and a place, and what must be said of a quote that is not word for word there."""
    found = quoted.checked
    if found is None or found.verdict == "not looked for":
        said = wording.NOT_CHECKED if quoted.quote else "no quote given"
        return {"tone": "gray", "mark": "", "place": said, "title": plain_line(quoted.source, 200)}
    place = files.short(found.document, found.line) if found.document else ""
    verdict = told(found.verdict)
    words = "" if found.verdict == "exact" else verdict.words
    return {
        "tone": verdict.tone,
        "mark": verdict.mark,
        "place": plain_line(", ".join(each for each in (words, place) if each), 120),
        "title": plain_line(wording.place(found.document, found.line), 300) if found.document else "",
    }


def _absent(run: ComparedRun, reason: Reason, files: Files) -> dict[str, Any]:
    """Why a run has no label; the place that decides the item elsewhere is a link within the words."""
    if reason.place is None:
        return {"words": reason.told()}
    place = files.short(reason.place.document or "", reason.place.line)
    shown = {"words": reason.before, "place": plain_line(place, 120), "behind": reason.behind}
    return {**_evidence(run, Quoted("", "", reason.place)), **shown}


def table(comparison: Comparison, items: Sequence[Item]) -> list[dict[str, str]]:
    """One row an item, all of it text."""
    return [_table_row(cells) for cells in rows(comparison, items)]


def _table_row(cells: Mapping[str, Any]) -> dict[str, str]:
    found = {"Item": cells["item"], "Status": cells["status"]}
    for number, cell in enumerate(cells["said"]):
        found[f"{LETTERS[number]} label"] = cell["label"]
        found[f"{LETTERS[number]} quote"] = _sentence(cell) if "words" in cell else cell["quote"]
        place = "" if "words" in cell else cell["place"]
        found[f"{LETTERS[number]} place"] = " ".join(each for each in (cell.get("mark"), place) if each)
        found[f"{LETTERS[number]} remark"] = cell.get("more", "")
    return found


def _sentence(cell: Mapping[str, Any]) -> str:
    return "".join(cell.get(part, "") for part in ("words", "place", "behind"))


def remarks(comparison: Comparison) -> list[str]:
    """How what is shown of a run was come by, where that is not by its findings. Our own words only."""
    said = []
    for number, run in enumerate(comparison.runs):
        if run.items_from == "answer":
            letter, now = LETTERS[number], run.exact is not None
            looked = "were looked up in the archive for this page" if now else "have not been looked up"
            said.append(
                f"{letter} recorded nothing by code: its labels and quotes are read from its answer; the quotes {looked}."
            )
    return said
