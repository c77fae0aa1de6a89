"""Present: the story of a run, one step at a time over the whole window, and the form in which a person words it.

The steps are drawn by the script that the HTML page has as well (`exporters/page/story.js`); every text is put in as text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from hashlib import sha256
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from app import backend, links
from app.components import file_link
from app.components.trouble import told
from app.places import STATIC
from rlm_core import story
from rlm_core.exporters.page import STORY_SCRIPT, STORY_STYLE
from rlm_core.plain import plain_line
from rlm_core.story import Link, Step
from rlm_core.story_edits import BODY_CHARS, TITLE_CHARS, StepEdit

KEY = "present-story"
_component = st.components.v2.component(
    "story",
    html='<div class="story full" tabindex="-1"></div>',
    css=STORY_STYLE.read_text(encoding="utf-8") + (STATIC / "present.css").read_text(encoding="utf-8"),
    js=STORY_SCRIPT.read_text(encoding="utf-8") + (STATIC / "present.js").read_text(encoding="utf-8"),
)


def show(run: str, said: backend.Told) -> None:
    """The step that the address names, or the first."""
    steps = story.edited(said.drafted, said.edits)
    chosen = links.presented_step()
    at = next((number for number, step in enumerate(steps) if step.id == chosen), 0)

    def turned() -> None:
        links.present(step=str(st.session_state[KEY].step))

    clicked = _component(
        key=KEY,
        data={
            "question": plain_line(said.question, 300),
            "steps": [_sent(run, step) for step in steps],
            "at": at,
        },
        on_step_change=turned,
        on_edit_change=lambda: links.present(edit="yes"),
        on_leave_change=lambda: None,
        on_opened_change=lambda: None,
    )
    if clicked.leave:
        st.switch_page(links.RUN, query_params=links.run_query(run))
    if clicked.opened:
        page, query = _place(run, steps, str(clicked.opened))
        st.switch_page(page, query_params=query)


def _sent(run: str, step: Step) -> dict[str, Any]:
    linked = [{"words": link.words, "href": _href(run, step, link), "id": _id(step, link)} for link in step.links]
    return {**asdict(step), "links": linked}


def _id(step: Step, link: Link) -> str:
    return f"{step.id}/{link.run}/{link.span}"


def _query(run: str, step: Step, link: Link) -> tuple[str, links.Query]:
    """A finding is opened in its source, everything else in its run."""
    if step.quotes:
        return links.EVIDENCE, links.evidence_query(run, finding=link.span)
    return links.RUN, links.run_query(link.run or run, node=link.span)


def _href(run: str, step: Step, link: Link) -> str:
    page, query = _query(run, step, link)
    return f"{'evidence' if page == links.EVIDENCE else 'run'}?{urlencode(query)}"


def _place(run: str, steps: Sequence[Step], wanted: str) -> tuple[str, links.Query]:
    places = {_id(step, link): _query(run, step, link) for step in steps for link in step.links}
    return places.get(wanted, (links.RUN, links.run_query(run)))


# ---------------------------------------------------------------------- words of a person


def edit(run: str, said: backend.Told, base: str | None) -> None:
    """Every step with its words, as text; what is left as it is drafted stays so."""
    steps = story.edited(said.drafted, said.edits, every=True)
    _bar(run, base)
    with told("present-edit"), st.form("present-edit", border=False):
        for number, step in enumerate(steps):
            _fields(step, number, said, base, last=number == len(steps) - 1)
        with st.container(horizontal=True, gap="small"):
            saved = st.form_submit_button("Save", type="primary", key="present-save")
            back = st.form_submit_button("All as drafted", key="present-drafted")
        moved = next((name for name in _moves(steps) if st.session_state.get(name)), None)
        if back:
            backend.keep_story(run, ())
        elif saved or moved:
            backend.keep_story(run, _edits(steps, said, base, moved))
        if back or saved or moved:
            for name in [name for name in st.session_state if str(name).startswith("present-step-")]:
                del st.session_state[name]
            if saved:
                links.present(edit=None)
            st.rerun()


def _bar(run: str, base: str | None) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium", key="present-bar"):
        st.button(
            "Present", icon=":material/slideshow:", key="present-back", on_click=links.present, kwargs={"edit": None}
        )
        lines = {line.id: line for line in backend.bases_of(run)}
        if lines:
            st.selectbox(
                "Beside another run of this question",
                [None, *lines],
                index=[None, *lines].index(base) if base in lines else 0,
                format_func=lambda each: plain_line(f"{lines[each].strategy} · {each}", 80) if each else "no other run",
                key="present-base",
                on_change=lambda: links.present(base=st.session_state["present-base"]),
                width=360,
            )
        runs = ",".join([base, run] if base in lines and base else [run])
        hint = "The run, its story and all its steps as one HTML file that opens from the disk"
        file_link.show("HTML", runs, "html", "present-html", hint)
        file_link.show(
            "HTML without documents", runs, "html.redacted", "present-redacted", f"{hint}; quotes and outputs left out"
        )


def _field(what: str, step: str, base: str | None) -> str:
    """The key of a field. What is said of another run has fields of its own for each such run: a field keeps its words."""
    beside = f"-{sha256(base.encode()).hexdigest()[:12]}" if base and step == story.COMPARED else ""
    return f"present-step-{what}-{step}{beside}"


def _fields(step: Step, number: int, said: backend.Told, base: str | None, *, last: bool) -> None:
    left_out = any(each.step == step.id and each.left_out for each in said.edits)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.text(f"{number + 1}  {step.name}", width="stretch")
        st.checkbox("Leave out", value=left_out, key=_field("out", step.id, base))
        st.form_submit_button(
            "Earlier", icon=":material/arrow_upward:", key=f"present-up-{step.id}", disabled=not number
        )
        st.form_submit_button("Later", icon=":material/arrow_downward:", key=f"present-down-{step.id}", disabled=last)
    st.text_input(
        "Sentence",
        value=step.title,
        max_chars=TITLE_CHARS,
        key=_field("title", step.id, base),
        label_visibility="collapsed",
    )
    st.text_area(
        "Text",
        value=step.body,
        max_chars=BODY_CHARS,
        key=_field("body", step.id, base),
        label_visibility="collapsed",
        height=90,
    )


def _moves(steps: Sequence[Step]) -> list[str]:
    return [f"present-{way}-{step.id}" for step in steps for way in ("up", "down")]


def _edits(steps: Sequence[Step], said: backend.Told, base: str | None, moved: str | None) -> list[StepEdit]:
    """What the form says, with one step moved by one place; and what was kept of steps that are not drafted just now."""
    drafted = {step.id: step for step in said.drafted}
    edits = [_edit(drafted[step.id], base) for step in steps]
    if moved:
        way, id = moved.removeprefix("present-").split("-", 1)
        at = next(number for number, each in enumerate(edits) if each.step == id)
        edits.insert(at + (-1 if way == "up" else 1), edits.pop(at))
    return edits + [each for each in said.edits if each.step not in drafted]


def _edit(drafted: Step, base: str | None) -> StepEdit:
    title, body = (str(st.session_state[_field(what, drafted.id, base)]) for what in ("title", "body"))
    return StepEdit(
        drafted.id,
        None if title == drafted.title else title,
        None if body == drafted.body else body,
        bool(st.session_state[_field("out", drafted.id, base)]),
    )
