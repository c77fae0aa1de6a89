"""The findings of a run as a list to choose from, narrowed by label, verdict or item. What is chosen is in the address."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, cast

import streamlit as st

from app import backend, evidence_place
from app.backend import EvidenceRow
from app.components.findings import labels_telling_first, telling_first
from app.evidence_place import EvidencePlace
from app.places import STATIC
from rlm_core import wording
from rlm_core.compare import OTHER_RANK, label_rank
from rlm_core.looks.verdicts import in_short, told, verdict_of
from rlm_core.plain import plain_line

KEY = "finding-list"
LISTED = 400
"""Rows that are sent to the browser: those around the chosen one."""
LABELS = 6
"""Labels that can be chosen from, the most frequent."""
ITEM_CHARS, LABEL_CHARS, SEARCH_CHARS = 80, 40, 100

_component = st.components.v2.component(
    "finding_list",
    html='<div class="findings"></div>',
    css=(STATIC / "finding_list.css").read_text(encoding="utf-8"),
    js=(STATIC / "finding_list.js").read_text(encoding="utf-8"),
)


def show(findings: Sequence[EvidenceRow], place: EvidencePlace, chosen: EvidenceRow | None) -> None:
    """Draw the list of all that stand, as far as it is not narrowed."""
    _component(
        key=KEY,
        data=data(findings, place, chosen.span if chosen else None),
        on_pick_change=_pick,
        on_narrow_change=_narrow,
    )


def nothing_recorded() -> None:
    """In place of the list, beside a document of a run without findings."""
    st.markdown("**Findings**")
    st.caption("None: the code of this run recorded no items. What it quotes stands in its answer.")


def in_order(findings: Sequence[EvidenceRow]) -> list[EvidenceRow]:
    """Those that stand, as the table of the run has them: what tells most first."""
    return cast(list[EvidenceRow], telling_first([each for each in findings if each.stands]))


def narrowed(findings: Sequence[EvidenceRow], place: EvidencePlace) -> list[EvidenceRow]:
    item = place.item.casefold()
    return [
        each
        for each in findings
        if (place.label is None or each.label == place.label)
        and (place.verdict is None or (verdict_of(each) or wording.NOT_CHECKED) == place.verdict)
        and item in each.item.casefold()
    ]


def chosen(rows: Sequence[EvidenceRow], listed: Sequence[EvidenceRow], place: EvidencePlace) -> EvidenceRow | None:
    """The finding of the address; without one the first that has a place, unless the address names a document."""
    named = next((each for each in rows if each.span == place.finding), None)
    if named or place.document:
        return named
    placed = (each for each in listed if each.verdict and each.verdict.document)
    return next(placed, listed[0] if listed else None)


def beside(listed: Sequence[EvidenceRow], chosen: EvidenceRow | None) -> tuple[str | None, str | None]:
    """The findings before and behind the chosen one; of one that is not in the list, nothing and the first."""
    spans = [each.span for each in listed]
    if chosen is None or chosen.span not in spans:
        return None, spans[0] if spans else None
    at = spans.index(chosen.span)
    return spans[at - 1] if at else None, spans[at + 1] if at + 1 < len(spans) else None


def go_to(span: str) -> None:
    """Choose a finding: its own document, at its quote."""
    evidence_place.move(finding=span, document=None, line=None, start=None, end=None, find=None, hit=None)


def step(run: str, by: int) -> None:
    """To the finding before or behind the one in the address: whoever is quick presses again before the page was drawn anew."""
    rows, place = backend.evidence(run), evidence_place.place()
    listed = in_order(rows)
    before, behind = beside(narrowed(listed, place), chosen(rows, listed, place))
    if span := before if by < 0 else behind:
        go_to(span)


def data(findings: Sequence[EvidenceRow], place: EvidencePlace, chosen: str | None) -> dict[str, Any]:
    """What the list is drawn from; all of it is text."""
    left = narrowed(findings, place)
    at = next((number for number, each in enumerate(left) if each.span == chosen), 0)
    first = max(0, min(at - LISTED // 2, len(left) - LISTED))
    shown = left[first : first + LISTED]
    return {
        "count": wording.m_of_n(len(left), len(findings)),
        "cut": f"{wording.m_of_n(len(shown), len(left))} are listed here, around the chosen one. Narrow the list for others."
        if len(shown) < len(left)
        else "",
        "filters": _filters(findings, place),
        "item": place.item,
        "rows": [_row(each) for each in shown],
        "chosen": chosen,
    }


def _row(finding: EvidenceRow) -> dict[str, str | bool]:
    return {
        "span": finding.span,
        "item": plain_line(finding.item, ITEM_CHARS),
        "label": plain_line(finding.label, LABEL_CHARS),
        "telling": is_telling(finding),
        "verdict": in_short(finding),
        "tone": told(verdict_of(finding)).tone,
    }


def is_telling(finding: EvidenceRow) -> bool:
    """Whether its label says more than no or unknown."""
    return label_rank(finding.label) <= OTHER_RANK


def _filters(findings: Sequence[EvidenceRow], place: EvidencePlace) -> list[dict[str, Any]]:
    """All, then the labels, then the verdicts where there are several: each with its count, and what it narrows to."""
    labels = Counter(each.label for each in findings)
    verdicts = Counter(verdict_of(each) for each in findings)
    found = [_filter("all", None, None, None, place)]
    kept = [label for label, _ in labels_telling_first(labels.most_common(LABELS))]
    if place.label and place.label not in kept:
        kept.append(place.label)
    if len(labels) > 1 or place.label:
        found += [_filter(plain_line(label, LABEL_CHARS), labels[label], label, None, place) for label in kept]
    if len(verdicts) > 1 or place.verdict:
        found += [
            _filter(told(verdict).words, many, None, verdict or wording.NOT_CHECKED, place)
            for verdict, many in verdicts.most_common()
        ]
    return found


def _filter(
    words: str, many: int | None, label: str | None, verdict: str | None, place: EvidencePlace
) -> dict[str, Any]:
    return {
        "words": words,
        "count": "" if many is None else f"{many:,}",
        "label": label,
        "verdict": verdict,
        "on": (label, verdict) == (place.label, place.verdict),
    }


def _pick() -> None:
    span = st.session_state[KEY].pick
    if isinstance(span, str):
        go_to(span)


def _narrow() -> None:
    asked = st.session_state[KEY].narrow or {}
    evidence_place.move(
        **{name: str(asked[name] or "")[:SEARCH_CHARS] for name in ("label", "verdict", "item") if name in asked}
    )
