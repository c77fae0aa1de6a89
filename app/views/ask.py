"""Ask: an archive, a question, and how it is to be answered. One run for each ticked strategy.

Whoever has asked nothing yet is told first what this is.
"""

from __future__ import annotations

import streamlit as st

from app import backend, links
from app.components import archive_choice, ask_address, first_visit, how, models_choice, question
from app.components.trouble import say, told


def page() -> None:
    if links.asked().about or (not links.asked_query() and backend.nothing_asked()):
        first_visit.show()
    else:
        form()


def form() -> None:
    ask_address.fill_in()
    _title()
    left, right = st.columns([1.3, 1], gap="large")
    with left.container(key="ask-left"):
        archive = archive_choice.choose()
        archive_slot = st.empty()
        asked = question.write()
        question_slot = st.empty()
    with right.container(key="ask-right", gap="small"):
        how.title()
        table = st.container(gap=None, key="ask-strategies")
        how_slot = st.empty()
        chosen = models_choice.choose()
        models_slot = st.empty()
        limits = how.limits()
        with table:
            ticked = how.strategies(archive, chosen, limits)
        started = how.start_bar(ticked, archive, limits)
        start_slot = st.empty()
    ask_address.keep(archive_choice.in_address(archive), [each.choice.id for each in ticked])
    if not started:
        return
    wrong = [
        (archive_slot, "Choose an archive first: upload one, or take the sample.", archive is None),
        (question_slot, "Write the question first.", not asked.strip()),
        (how_slot, how.obstacle(ticked), bool(how.obstacle(ticked))),
        (models_slot, f"Nothing was started. {chosen.obstacle}", bool(chosen.obstacle)),
    ]
    for number, (slot, text, is_wrong) in enumerate(wrong):
        if is_wrong:
            with slot.container():
                say(text, f"wrong-{number}")
    if archive is None or any(is_wrong for _, _, is_wrong in wrong):
        return
    with start_slot.container(), told("start"):
        choices = [each.choice for each in ticked]
        runs = backend.ask(asked, archive, choices, chosen.models, limits, reuse_replies=how.reuses_replies())
        if len(runs) > 1:
            links.open_comparison(runs)
        links.open_run(runs[0])


def _title() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="ask-title"):
        st.header("Ask an archive", anchor=False, width="content")
        st.caption("that is too big to read. Every finding names the place it comes from.", width="content")
        st.space("stretch")
        st.page_link(links.ASK, label="What is this?", icon=":material/help:", query_params={"about": "1"})
    st.divider()


page()
