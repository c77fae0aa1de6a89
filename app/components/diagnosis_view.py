"""What went wrong in a run, as one of its views: each symptom with the node, the words that show it, and what can be done.

The gravest comes first; consequences are written once for all that share one. No model is asked.
"""

from __future__ import annotations

from itertools import groupby

import streamlit as st

from app import backend, links
from app.backend import Diagnosis
from app.components import fork_form
from app.components.text import escaped
from rlm_core import wording
from rlm_core.diagnose.symptoms import ChangeModel, Evidence, ForkWith, LookAt, RaiseLimit, Severity, Symptom
from rlm_core.looks import remarks
from rlm_core.looks.look import Look
from rlm_core.plain import plain, plain_line

HEADS: dict[Severity, tuple[str, str]] = {
    "may change the answer": ("cancel", "orange"),
    "wasted time or money": ("schedule", "orange"),
    "good to know": ("info", "blue"),
}
"""Of each consequence its sign and its colour."""
LISTED_NODES = 6


def show(look: Look) -> None:
    if look.sheet.active:
        st.caption("A run is looked at when it has ended: until then, what seems wrong may still be made good.")
        return
    found = backend.diagnosis(look.sheet.id)
    if found is None:  # the run was deleted a moment ago
        return
    with st.container(gap="small", key="diagnosis"):
        st.markdown(f"**Diagnosis** :gray[{escaped(summed(found))}]")
        for severity, symptoms in groupby(found.symptoms, key=lambda each: each.severity):
            sign, colour = HEADS[severity]
            st.markdown(f":{colour}[:material/{sign}: **{severity}**]")
            for symptom in symptoms:
                _symptom(symptom, look)
        for said in footnotes(found):
            st.caption(escaped(said))


def summed(found: Diagnosis) -> str:
    """`12 rules looked, 3 found something. No model was asked.`"""
    telling = {each.rule for each in found.symptoms}
    told = f"{len(telling):,} found something" if telling else "none found anything"
    return f"{wording.exact(len(telling) + len(found.silent), 'rule')} looked, {told}. No model was asked."


def footnotes(found: Diagnosis) -> list[str]:
    """What the rules did not find, and what they could not know."""
    said = [f"Nothing found by {wording.exact(len(found.silent), 'rule')}: {', '.join(found.silent)}."]
    if not found.shown_is_known:
        said.append("What the models were shown of the archive is not known here, so rules about that said nothing.")
    if found.incomplete:
        said.append("This run has more text than is looked at: of some of it only the beginning was.")
    return said if found.silent else said[1:]


def _symptom(symptom: Symptom, look: Look) -> None:
    key = f"{symptom.rule.replace(' ', '-')}-{symptom.span}"
    with st.container(gap="xsmall", key=f"symptom-{key}"):
        st.markdown(f"**{escaped(symptom.says)}**")
        for number, each in enumerate(symptom.evidence):
            _evidence(each, f"{key}-{number}", look)
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            _remedy(symptom, key, look)
            nodes = dict.fromkeys((symptom.span, *symptom.also))
            for node in list(nodes)[:LISTED_NODES]:
                _node(node, f"{key}-at-{node}", look)
            if len(nodes) > LISTED_NODES:
                st.caption(f"and {len(nodes) - LISTED_NODES:,} more", width="content")


def _evidence(evidence: Evidence, key: str, look: Look) -> None:
    with st.container(horizontal=True, vertical_alignment="top", gap="small", key=f"symptom-words-{key}"):
        _node(evidence.span, f"{key}-node", look)
        st.text(plain(evidence.text), width="stretch")


def _node(node: str, key: str, look: Look) -> None:
    title = plain_line(look.reading.namer.title_of(node), 40)
    st.button(escaped(title), key=key, type="tertiary", on_click=links.select, args=(node,))


def _remedy(symptom: Symptom, key: str, look: Look) -> None:
    """A button that carries it out where a run can be left at a turn; else what to ask anew, and how."""
    can_fork = backend.can_be_forked(look.sheet) and not backend.lacks_archive(look.sheet)
    match symptom.remedy:
        case ForkWith(turn, instruction) if can_fork:
            _fork(f"Fork at turn {turn} with a word to the model", key, look, turn, instruction=instruction)
        case ForkWith(_, instruction):
            st.text(plain(f"Another time, tell the model: {instruction}"), width="stretch")
        case RaiseLimit(name, value, int(turn)) if can_fork:
            _fork(f"Fork at turn {turn} with {_up_to(name, value)}", key, look, turn, limit=(name, value))
        case RaiseLimit(name, value, _):
            _ask(f"Ask again with {_up_to(name, value)}", look)
        case ChangeModel(role, int(turn)) if can_fork:
            _fork(f"Fork at turn {turn} with another {role} model", key, look, turn)
        case ChangeModel(role, _):
            _ask(f"Ask again with another {role} model", look)
        case LookAt():
            pass  # the buttons of the nodes are beside it


def _up_to(limit: str, value: float) -> str:
    return f"{remarks.LIMITS.get(limit, limit)} up to {remarks.amount(limit, value)}"


def _fork(
    words: str, key: str, look: Look, turn: int, *, instruction: str = "", limit: tuple[str, float] | None = None
) -> None:
    st.button(
        words,
        icon=":material/fork_right:",
        key=f"remedy-{key}",
        on_click=fork_form.open_with,
        args=(look.sheet.id, turn),
        kwargs={"instruction": instruction, "limit": limit},
        help=escaped(instruction) if instruction else None,
    )


def _ask(words: str, look: Look) -> None:
    st.page_link(
        links.ASK, label=escaped(words), icon=":material/refresh:", query_params=links.ask_query(run=look.sheet.id)
    )
