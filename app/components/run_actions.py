"""The bar at the foot: what all runs take on the disk, and what can be done with those that are ticked."""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence

import streamlit as st

from app import backend, links
from app.backend import RunLine
from app.components import focus, runs_table
from app.components.text import escaped
from app.components.trouble import told
from rlm_core import wording
from rlm_core.looks.run_words import is_recorded, question_in_words
from rlm_core.looks.sheet import ACTIVE
from rlm_core.plain import plain_line

DOING, SAID = "runs-doing", "runs-said"
"""In the session: which action is open (`rename`, `tags`, `delete`, or nothing), and what the last one came to."""
NAMED = 3
LETTERS = (":red-background[:red[**A**]]", ":blue-background[:blue[**B**]]")


def ticked_lines(found: backend.RunList) -> list[RunLine]:
    """The ticked runs, in the order in which they were; one that is gone is no longer ticked."""
    listed = {line.id: line for line in found.lines}
    lines = [listed.get(run) or backend.run_line(run) for run in runs_table.ticked()]
    there = [line for line in lines if line]
    st.session_state[runs_table.TICKED] = [line.id for line in there]
    return there


def show(found: backend.RunList, shown: Sequence[RunLine]) -> None:
    """Draw the bar. `shown` are the ticked runs."""
    if not shown:
        st.session_state[DOING] = ""
        _foot(found)
        return
    st.session_state[SAID] = ""
    doing = st.session_state.get(DOING, "")
    with told("runs-action"):
        if doing == "rename" and len(shown) == 1:
            _rename(shown[0])
        elif doing == "tags":
            _tags(shown, found.tags)
        elif doing == "delete":
            _delete(shown)
        else:
            _offer(shown, len({line.id for line in shown} - {line.id for line in found.lines}))


def _foot(found: backend.RunList) -> None:
    use, said = foot(found.total, backend.disk_use()), st.session_state.get(SAID, "")
    st.caption(f"**{escaped(said)}** {use}" if said else use)


def foot(runs: int, use: backend.DiskUse) -> str:
    """`On the disk: 41 MB (12 runs in a database of 30 MB, archives 10 MB, queue and logs 1.0 MB), 1.2 GB free`."""
    parts = (
        f"{wording.exact(runs, 'run')} in a database of {wording.size(use.runs)}",
        f"archives {wording.size(use.archives)}",
        f"queue and logs {wording.size(use.rest)}",
    )
    return f"On the disk: {wording.size(use.folder)} ({', '.join(parts)}), {wording.size(use.free)} free"


def _offer(lines: Sequence[RunLine], unlisted: int) -> None:
    with _line():
        with st.container(horizontal=True, vertical_alignment="center", gap="medium", width="content"):
            beyond = f", {unlisted:,} not in this list" if unlisted else ""
            st.markdown(f"**{wording.exact(len(lines), 'run')} ticked{beyond}**", width="content")
            st.markdown(likeness(lines), width="content")
        with st.container(horizontal=True, gap="small", width="content"):
            if len(lines) == 1:
                if st.button("Open", icon=":material/open_in_new:", key="runs-open"):
                    links.open_run(lines[0].id)
                _action("Rename", "rename", ":material/edit:")
            _action("Tags", "tags", ":material/label:")
            _action("Delete", "delete", ":material/delete:")
            st.button("Untick", key="runs-untick", icon=":material/close:", on_click=runs_table.untick)
            compare = st.button(
                "Compare",
                icon=":material/compare:",
                type="primary",
                key="runs-compare",
                disabled=len(lines) < 2,
                help="Tick a second run to compare it with." if len(lines) < 2 else None,
            )
    if compare:
        st.switch_page(links.COMPARE, query_params=links.compare_query([line.id for line in lines]))


def likeness(lines: Sequence[RunLine]) -> str:
    """Whether the ticked runs were asked the same of the same, as Markdown; of two, how each was answered."""
    if len(lines) < 2:
        return f":gray[{escaped(described(lines[0]))}]"
    question = _alike("question", [line.question if is_recorded(line.question) else "" for line in lines])
    said = f":gray[{question}, {_alike('archive', [line.corpus for line in lines])}]"
    if len(lines) > 2:
        return said
    how = [f"{letter} {escaped(_how(line))}" for letter, line in zip(LETTERS, lines, strict=True)]
    return f"{said} \u2003 {how[0]} \u2003 {how[1]}"


def _alike(what: str, values: Sequence[str]) -> str:
    """`same question`, `different questions`; where one is not known, that nobody can say."""
    if not all(values):
        return f"{what} not recorded"
    return f"same {what}" if len(set(values)) == 1 else f"different {what}s"


def name_of(line: RunLine) -> str:
    return plain_line(line.title or question_in_words(line.question), 60)


def described(line: RunLine) -> str:
    """A run so that it is told from others of the same question."""
    return f"{name_of(line)} · {plain_line(line.strategy, 40)} · {runs_table.started(line.started_at, time.time())}"


def _how(line: RunLine) -> str:
    return plain_line(f"{line.strategy} · {line.row.root_model if line.row else line.models}", 40)


def _rename(line: RunLine) -> None:
    with st.form("runs-rename", border=False), _line():
        title = st.text_input(
            "Title",
            value=line.title,
            max_chars=200,
            placeholder="A title of your own; empty for none",
            label_visibility="collapsed",
            key=f"runs-title-{line.id}",
            width=520,
        )
        with st.container(horizontal=True, gap="small", width="content"):
            save = st.form_submit_button("Save title", type="primary", key="runs-save-title")
            leave = st.form_submit_button("Leave as it is", key="runs-leave-title")
            focus.on("runs-title-")
    if save:
        backend.rename(line.id, title)
    if save or leave:
        _done()


def _tags(lines: Sequence[RunLine], in_use: Collection[str]) -> None:
    common = [tag for tag in lines[0].tags if all(tag in line.tags for line in lines)]
    with st.form("runs-tags", border=False), _line():
        chosen = st.multiselect(
            "Tags",
            [*in_use, *(tag for tag in common if tag not in in_use)],
            default=common,
            accept_new_options=True,
            select_all=False,
            format_func=plain_line,
            placeholder="Choose tags, or type a new one and press Enter",
            label_visibility="collapsed",
            key=f"runs-tags-{'-'.join(line.id for line in lines)}",
            width=520,
        )
        with st.container(horizontal=True, gap="small", width="content"):
            save = st.form_submit_button("Save tags", type="primary", key="runs-save-tags")
            leave = st.form_submit_button("Leave as they are", key="runs-leave-tags")
            focus.on("runs-tags-")
    if save:
        backend.retag([line.id for line in lines], common, chosen)
    if save or leave:
        _done()


def _delete(lines: Sequence[RunLine]) -> None:
    active = [line for line in lines if line.state in ACTIVE]
    with _line():
        if active:
            be, them = ("is", "it") if len(active) == 1 else ("are", "them")
            st.text(f"{listed(active)} {be} not finished. Cancel {them} first, then delete.")
            st.button("Back", key="runs-keep", on_click=_close)
            return
        # At the left: where a second click on "Delete" would fall, nothing is deleted.
        with st.container(horizontal=True, gap="small", width="content"):
            delete = st.button(
                f"Delete {wording.exact(len(lines), 'run')} for good",
                key="runs-really-delete",
                icon=":material/delete_forever:",
            )
            st.button("Keep", key="runs-keep", on_click=_close)
        st.text(what_goes(lines, backend.bytes_together([line.id for line in lines])))
    if delete:
        freed = backend.delete_runs([line.id for line in lines])
        _done(f"{wording.exact(len(lines), 'run')} deleted, {wording.size(freed, estimate=True)} freed.")


def what_goes(lines: Sequence[RunLine], size: int) -> str:
    """What a deletion takes away for good, and what stays."""
    return (
        f"{listed(lines)}: steps, answers, findings, titles and tags go for good; archives stay. "
        f"This frees {wording.size(size, estimate=True)}."
    )


def listed(lines: Sequence[RunLine]) -> str:
    """The first few by name, and how many more there are."""
    named = ", ".join(f"“{described(line)}”" for line in lines[:NAMED])
    return named if len(lines) <= NAMED else f"{named} and {len(lines) - NAMED:,} more"


def _line() -> st.delta_generator.DeltaGenerator:
    return st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", gap="small")


def _action(label: str, name: str, icon: str) -> None:
    st.button(label, icon=icon, key=f"runs-{name}", on_click=_begin, args=(name,))


def _begin(name: str) -> None:
    st.session_state[DOING] = name


def _close() -> None:
    st.session_state[DOING] = ""


def _done(said: str = "") -> None:
    """The action is over: draw everything with what it changed."""
    _close()
    st.session_state[SAID] = said
    st.rerun()
