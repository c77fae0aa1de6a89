"""Ask: an archive, a question, and how it is to be answered. One run for each ticked strategy."""

from __future__ import annotations

import streamlit as st

from app import backend, links
from app.components import archive_choice, how, question
from app.components.kinds import step_title
from app.components.trouble import say, told
from rlm_core.task import Task


def page() -> None:
    _title()
    left, right = st.columns([1.3, 1], gap="large")
    with left.container(key="ask-left"):
        archive = archive_choice.choose()
        archive_slot = st.empty()
        asked = question.write()
        question_slot = st.empty()
    with right.container(key="ask-right"):
        _how_title()
        rows = st.container(gap="xsmall")
        models = how.models()
        with rows:
            ticked = how.strategies(archive, models.root, models.root_facts)
        limits = how.limits()
        started = how.start_button(len(ticked), limits)
        start_slot = st.empty()
    if not started:
        return
    unusable = models.root_facts.problem or models.helper_facts.problem
    wrong = [
        (archive_slot, "Choose an archive first: upload one, or take the sample.", archive is None),
        (question_slot, "Write the question first.", not asked.strip()),
        (start_slot, "Nothing was started: a model cannot be used as named, see above.", bool(unusable)),
    ]
    for number, (slot, text, is_wrong) in enumerate(wrong):
        if is_wrong:
            with slot.container():
                say(text, f"wrong-{number}")
    if archive is None or any(is_wrong for _, _, is_wrong in wrong):
        return
    tasks = [
        Task(asked, archive.id, each.name, each.options, models.root, models.helper, models.api_base, limits)
        for each in ticked
    ]
    with start_slot.container(), told("start"):
        runs = backend.start(tasks)
        links.open_run(runs[0], runs)


def _title() -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.header("Ask an archive", anchor=False, width="content")
        st.caption("that is too big to read. Every finding names the place it comes from.", width="content")
        with told("recorded"):
            recorded = backend.recorded_run()
            if recorded:
                st.space("stretch")
                st.page_link(
                    links.RUN,
                    label="See a recorded run first",
                    icon=":material/play_circle:",
                    query_params=links.run_query(recorded),
                )
    st.divider()


def _how_title() -> None:
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        step_title(3, "How")
        st.caption("one run for each ticked strategy", width="content")


page()
