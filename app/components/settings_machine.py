"""Settings, sandbox and data: what holds code cells in on this machine, and what the data folder holds."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import backend
from app.backend import Cells, DataFolder
from app.components.settings_sections import attempt, line, named, outcome, title
from app.components.text import escaped
from app.components.trouble import say
from rlm_core import wording
from rlm_core.plain import plain

ALWAYS = "a process without an environment and without open files, so without keys"
NOT_COVERED = (
    "whether a file exists, its size and times",
    "what a model is told: a document may try to persuade it",
    "time of the processor, within the time of a cell",
    "faults in the Linux kernel itself",
)
WARNING = (
    "Models write the cells after reading your documents. Without protection a cell can do whatever your user can: read and "
    "delete your files, the kept keys among them, and send them anywhere. Allow it only for documents and models that you trust."
)


def sandbox() -> None:
    show_cells(backend.cells())


def show_cells(cells: Cells) -> None:
    """How code cells are held in, what that leaves open, and the switch that lets them run without."""
    title("sandbox", "Code cells are written by a model that reads your documents, so they count as hostile.")
    with line("cells"):
        symbol = ":green[:material/verified_user:]" if cells.jailed else ":red[:material/gpp_maybe:]"
        st.markdown(f"{symbol} **{escaped(headline(cells))}**")
        covered, left = st.columns(2, gap="large")
        with covered:
            _listed("Held by", (*cells.held_by, ALWAYS))
            if cells.missing:
                _listed("Missing on this machine", cells.missing)
        with left:
            _listed("Not covered", NOT_COVERED if cells.jailed else ("anything that your user may do",))
    with line("unsafe"):
        left, right = st.columns([3, 2], gap="medium")
        with left:
            named("Run cells even without protection", unsafe_in_words(cells))
        with right:
            wanted = _wanted(cells)
        _switch(cells, wanted)
        outcome("sandbox")


def headline(cells: Cells) -> str:
    if cells.jailed:
        return "Cells run in a sandbox: no network, no other programs, no files but Python's own library."
    return "Cells run without protection." if cells.unsafe else "Cells cannot be held in here, so none is run."


def unsafe_in_words(cells: Cells) -> str:
    if cells.jailed:
        switch = "Set, but without effect" if cells.unsafe else "Off, and nothing to switch"
        return f"{switch}: this machine has protection, and no cell runs without it."
    return "Without it, questions that need code cannot be answered on this machine."


def _listed(head: str, items: Sequence[str]) -> None:
    with st.container(gap="xxsmall"):
        st.caption(escaped(head))
        for each in items:
            st.text(f"· {plain(each)}")


def _wanted(cells: Cells) -> bool:
    """The first step of switching on; there is none where protection is there, or off already."""
    if cells.unsafe:
        return False
    return st.toggle("I want cells to run without protection", key="unsafe-wanted", disabled=cells.jailed)


def _switch(cells: Cells, wanted: bool) -> None:
    """Switching on is a step of its own, behind its warning; switching off is not."""
    if cells.unsafe:
        if not cells.jailed:
            say(WARNING, "unsafe")
        st.button("Run cells only with protection", key="unsafe-off", on_click=_allow, args=(False,))
        return
    if wanted and not cells.jailed:
        say(WARNING, "unsafe")
        st.button("Run cells unprotected", key="unsafe-on", on_click=_allow, args=(True,))


def _allow(allowed: bool) -> None:
    attempt("sandbox", lambda: backend.save_unsafe_sandbox(allowed))


def data() -> None:
    show_data(backend.data_folder())


def show_data(found: DataFolder) -> None:
    """Where everything is, how much of it there is, and whether somebody answers questions."""
    title(
        "data",
        "Everything that RLM Studio writes is in one folder. Nothing leaves this machine but the prompts of your runs.",
    )
    disk = found.disk
    facts = [
        ("Folder", str(found.home)),
        ("Runs", f"{wording.exact(found.runs, 'run')}, in a database of {wording.size(disk.runs)}"),
        ("Archives", f"{wording.exact(found.archives, 'archive')}, {wording.size(disk.archives)}"),
        ("Rest", f"queue, logs and settings, {wording.size(disk.rest)}"),
        ("Disk", f"{wording.size(disk.folder)} used by this folder, {wording.size(disk.free)} free"),
        ("Worker", worker_in_words(found.worker)),
        ("Installed", found.installed),
    ]
    for name, says in facts:
        with line(f"data-{name.lower()}"):
            left, right = st.columns([1, 5], gap="medium")
            left.markdown(f"**{name}**")
            right.text(plain(says))


def worker_in_words(running: bool) -> str:
    if running:
        return "running: questions are answered, also when this page is closed"
    return "not running: questions wait until the app has started one, which takes a few seconds"
