"""The inspector where nothing is selected, the run: what can be seen here, what was asked with what, and how it ended.

Also of what is rare: child frames, searches; and of the answer.
"""

from __future__ import annotations

import streamlit as st

from app import backend
from app.answer_counts import differences
from app.components import facts as figures
from app.components import inspector_note, text
from app.components.inspector_cell import findings
from app.components.inspector_parts import evidence_tab, long_text, open_source, raw, tabs
from app.components.inspector_place import of_node
from app.components.kinds import icon
from app.components.run_facts import ended, kinds, task_facts
from app.components.text import escaped
from rlm_core import wording
from rlm_core.looks.look import Look
from rlm_core.looks.node_shapes import AnswerFacts, FrameFacts, RunFacts, SearchFacts
from rlm_core.plain import plain, plain_line


def run(facts: RunFacts, look: Look) -> None:
    notes = {"notes": f"Notes {len(look.notes)}"} if look.notes else {}
    match tabs("run", {"seen": "What you see", "task": "Task", **notes, "raw": "Raw"}):
        case "seen":
            mended = len(look.reading.facets.get("mended", ()))
            for kind, title, says in kinds(facts, look.sheet, len(look.reading.citations), mended):
                with st.container(horizontal=True, gap="small", key=f"kind-{kind}", wrap=False):
                    st.markdown(icon(kind), width="content")
                    st.markdown(f"**{escaped(title)}:** {escaped(says)}")
            st.markdown("**Where it is**" if look.sheet.active else "**How it ended**")
            for said in [*ended(facts, look.sheet), *_against_findings(look)]:
                st.text(plain(said))
        case "task":
            archive = backend.archive(look.sheet.task.corpus)
            name = archive.name if archive else backend.nameless(look.sheet.task.corpus)
            figures.show(task_facts(facts, look.sheet, name), "task-facts", form="list")
        case "notes":
            inspector_note.listed(look)
        case _:
            raw(look.sheet.id, "run")


def _against_findings(look: Look) -> list[str]:
    """Where the answer differs from what was recorded."""
    named = {each.finding for each in look.reading.citations}
    return differences(text.whole(look.sheet.answer), look.reading.findings, named)


def frame(facts: FrameFacts, look: Look) -> None:
    match tabs("frame", {"in": "In", "out": "Out", **evidence_tab(look), "raw": "Raw"}):
        case "in":
            _asked(facts)
        case "evidence":
            of_node(look, facts.span)
        case "out":
            _handed_over(facts)
        case _:
            raw(look.sheet.id, facts.span)


def _handed_over(facts: FrameFacts) -> None:
    """What its parent's cell was given, or why there is nothing."""
    if facts.answer.chars:
        st.caption(escaped(HOW.get(facts.how, "")))
        long_text("Answer", facts.answer, f"answer-{facts.span}", kind="answer", beside="given to the code that asked")
    elif facts.status == "running":
        st.caption("It has no answer yet.")
    else:
        st.caption("It handed nothing over.")
    if facts.reason.chars:
        st.markdown("**How it ended**")
        st.text(plain(text.whole(facts.reason)))


def _asked(facts: FrameFacts) -> None:
    long_text("Question", facts.question, f"question-{facts.span}", kind="question")
    documents, chars = facts.context.get("documents"), facts.context.get("chars")
    if isinstance(chars, int):
        given = f"{wording.exact(documents, 'document')}, " if isinstance(documents, int) else ""
        st.caption(f"Given to it: {given}{wording.exact(chars, 'character')}.")


def search(facts: SearchFacts, look: Look) -> None:
    if tabs("search", {"both": "In and out", "raw": "Raw"}) == "raw":
        raw(look.sheet.id, facts.span)
        return
    long_text("Looked for", facts.query, f"query-{facts.span}", kind="query")
    if not facts.hits:
        st.caption("It found nothing.")
        return
    st.markdown(f"**Found** :gray[{wording.exact(len(facts.hits), 'place')}]")
    rows = [{name: plain_line(str(value), 300) for name, value in hit.items()} for hit in facts.hits]
    st.dataframe(rows, hide_index=True, key=f"hits-{facts.span}", alt="What the search found")


HOW = {
    "answer": 'The code set answer["ready"]: the model said that it was done.',
    "FINAL": "The model handed it over with FINAL: it said that it was done.",
    "FINAL_VAR": "The model handed over one of its variables with FINAL_VAR: it said that it was done.",
    "SUBMIT": "The code handed it over with SUBMIT: the model said that it was done.",
    "text": "It is the reply of the model as it stands.",
    "forced": "The model was not done with it: this is the best answer until then.",
}


def answer(facts: AnswerFacts, look: Look) -> None:
    labels = {"out": "Out", "evidence": f"Evidence {len(look.reading.citations)}", "raw": "Raw"}
    match tabs("answer", labels):
        case "out":
            st.caption(escaped(HOW.get(facts.how, "")))
            for said in filter(None, [facts.reason, *_against_findings(look)]):
                st.text(plain(said))
            long_text("Answer", facts.text, "whole-answer", kind="answer")
        case "evidence":
            cited = {each.finding for each in look.reading.citations}
            rows = [each for each in look.reading.findings if each.span in cited]
            st.caption(
                "Items that the answer names and that have a finding; the small numbers in the answer lead to them."
            )
            if rows:
                findings(rows, look, "cited-findings")
                open_source(look.sheet.id, rows[0].span, "Open in their sources")
            else:
                st.caption("None: the answer names no item that was recorded as a finding.")
        case _:
            raw(look.sheet.id, "answer")
