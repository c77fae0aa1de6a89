"""The inspector of a call and of a turn: what was sent, what came back, what it cost, and what was made of it."""

from __future__ import annotations

import streamlit as st

from app import links
from app.components import inspector_words as words
from app.components import text
from app.components.inspector_cell import code_pane
from app.components.inspector_parts import evidence_tab, failure, long_text, open_source, raw, tabs
from app.components.inspector_place import about, of_node
from app.components.inspector_replay import from_before
from app.components.kinds import icon
from app.components.text import escaped
from rlm_core import wording
from rlm_core.looks.look import Look
from rlm_core.looks.marks import Kind
from rlm_core.looks.node_shapes import CallFacts, FindingFacts, Said, TurnFacts
from rlm_core.looks.verdicts import told, verdict_of
from rlm_core.plain import plain, plain_line


def call(facts: CallFacts, look: Look) -> None:
    _retries(facts)
    from_before(facts, look)
    labels = {"both": "In and out", **({"code": "Code"} if facts.cell else {}), **evidence_tab(look, facts.findings)}
    match tabs("call", {**labels, "raw": "Raw"}):
        case "both":
            if facts.role == "sub":
                about(look, facts.span)
            for number, message in enumerate(facts.messages):
                _message(message, len(facts.messages), f"sent-{facts.span}-{number}", brief=True)
            reply(facts, look)
        case "code":
            assert facts.cell
            st.caption(f"Cell {facts.cell.number} made this call.")
            code_pane(facts.cell, look, facts.span)
        case "evidence":
            for finding in facts.findings:
                _decided(finding, look)
            if not facts.findings:
                st.caption("No finding rests on this reply.")
            of_node(look, facts.span)
        case _:
            raw(look.sheet.id, facts.span)


def turn(facts: TurnFacts, look: Look) -> None:
    asked = facts.call
    if asked:
        _retries(asked)
        from_before(asked, look)
    labels = {"in": "In", "out": "Out", **({"code": "Code"} if facts.cells else {}), **evidence_tab(look)}
    match tabs("turn", {**labels, "raw": "Raw"}):
        case "in":
            if asked is None:
                st.caption("Nothing has been sent yet.")
            else:
                _conversation(asked)
        case "out":
            if asked is not None:
                reply(asked, look)
            if facts.refused.chars:
                problem(f"The answer was sent back to the model: {text.whole(facts.refused)}")
        case "code":
            for each in facts.cells:
                st.markdown(f"**Cell {each.number}**")
                code_pane(each, look, each.span)
        case "evidence":
            of_node(look, facts.span)
        case _:
            raw(look.sheet.id, facts.span)


def _retries(facts: CallFacts) -> None:
    """Why it was asked more than once, and how long was waited in between."""
    if facts.retries:
        with st.container(key="node-retries", gap=None):
            for said in words.retried(facts):
                st.text(plain_line(said, 400))


def _conversation(asked: CallFacts) -> None:
    """The last message open, the earlier ones folded: a conversation grows by one or two each turn."""
    earlier, last = asked.messages[:-1], asked.messages[-1:]
    for message in last:
        _message(message, len(asked.messages), f"sent-{asked.span}-last")
    if not earlier:
        return
    before = len(asked.messages) - asked.added
    known = f", {before:,} of them sent in earlier turns" if before else ""
    st.caption(f"Before it, {wording.exact(len(earlier), 'message')}{known}; the newest first:")
    for number, message in reversed(list(enumerate(earlier))):
        label = f"{number + 1}. {escaped(message.role)} :gray[{wording.exact(message.text.chars, 'character')}]"
        opened = st.expander(label, key=f"message-{asked.span}-{number}", type="compact", on_change="rerun")
        if opened.open:
            with opened:
                text.output(text.whole(message.text), f"sent-{asked.span}-{number}", "prompt")


def _message(message: Said, of: int, key: str, *, brief: bool = False) -> None:
    title = "Prompt" if of == 1 else f"Prompt: {message.role}"
    long_text(title, message.text, key, kind="prompt", beside="" if of > 1 else message.role, brief=brief)


def reply(facts: CallFacts, look: Look) -> None:
    """What came back, or why nothing did."""
    if facts.reply.chars or facts.status == "ok":
        ended = f"ended by: {facts.finish_reason}" if facts.finish_reason not in (None, "stop") else ""
        long_text("Reply", facts.reply, f"reply-{facts.span}", kind="reply", beside=ended)
    elif facts.status == "running":
        st.caption("No reply yet: the model is being asked.")
    else:
        st.markdown("**No reply**")
        problem(text.whole(facts.error) or facts.status, failure(facts.span, look))


def problem(said: str, kind: Kind = "failed") -> None:
    """What went wrong, with the shape of failures beside it."""
    with st.container(horizontal=True, vertical_alignment="top", gap="small", key="node-problem", wrap=False):
        st.markdown(icon(kind), width="content")
        st.text(plain(said), width="stretch")


def _decided(finding: FindingFacts, look: Look) -> None:
    """A finding that rests on this call's reply."""
    verdict = told(verdict_of(finding))
    with st.container(key=f"evidence-{finding.span}", gap="xsmall"):
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            st.markdown(f"**Evidence** :gray[{escaped(finding.item)}: {escaped(finding.label)}]", width="content")
            st.markdown(f":{verdict.tone}-badge[{verdict.mark} {escaped(verdict.words)}]", width="content")
        if finding.quote:
            st.text(f"“{plain(finding.quote)}”")
        st.caption(escaped(place(finding)))
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            open_source(look.sheet.id, finding.span)
            st.button(
                "The finding",
                icon=":material/keyboard_return:",
                type="tertiary",
                key=f"to-{finding.span}",
                on_click=links.select,
                args=(finding.span,),
            )


def place(finding: FindingFacts) -> str:
    """Where the quote stands; where it was not found, where the model says so."""
    found = finding.verdict
    if found and found.document:
        return wording.place(found.document, found.line)
    return f"said to stand in {finding.source}" if finding.source else "no document is named"
