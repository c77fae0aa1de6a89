"""Step 1 of Ask: which archive. Files of one's own are uploaded here; a sample and earlier archives are one click away."""

from __future__ import annotations

import time

import streamlit as st

from app import backend, links
from app.backend import Archive
from app.components import archive_deletion, archive_report, imported, report_table, upload
from app.components.kinds import step_title
from app.components.text import escaped
from app.components.trouble import say, told
from rlm_core import wording
from rlm_core.plain import plain_line

NOTEWORTHY_S = 0.5
IMPORTED = "ask-imported"
"""In the session: what came of logs that were dropped here."""
UPLOAD, SAMPLE, EARLIER = "Upload", "Sample", "Earlier archive"


def choose() -> Archive | None:
    """The chosen archive, with its report below; `None` while there is none."""
    earlier = backend.archives()
    st.session_state.setdefault("ask-source", SAMPLE if backend.only_the_sample(earlier) else UPLOAD)
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        step_title(1, "Archive")
        source = st.segmented_control(
            "Where the archive comes from",
            (UPLOAD, SAMPLE, EARLIER),
            default=None,
            required=True,
            key="ask-source",
            persist_state="session",
            label_visibility="collapsed",
        )
    chosen = None
    with told("archive"):
        match source:
            case "Upload":
                chosen = _upload()
            case "Sample":
                chosen = _sample()
            case _:
                chosen = _earlier(earlier)
    if chosen:
        archive_report.show(chosen)
    return chosen


def fill_in(archive: str) -> None:
    """Choose an archive by its id, or by a word of `links`, before the choice is drawn."""
    st.session_state.pop("ask-not-here", None)
    sample = None if archive in (links.SAMPLE, links.UPLOAD) else backend.sample()
    if archive == links.SAMPLE or (sample and archive == sample.id):
        st.session_state["ask-source"] = SAMPLE
    elif archive == links.UPLOAD or archive == st.session_state.get("ask-uploaded"):
        st.session_state["ask-source"] = UPLOAD
    else:
        st.session_state["ask-source"] = EARLIER
        if backend.archive(archive):
            st.session_state["ask-earlier"] = archive
        else:
            st.session_state["ask-not-here"] = archive


def in_address(archive: Archive | None) -> str | None:
    """What the address says of the choice."""
    if is_sample():
        return links.SAMPLE
    return archive.id if archive else links.UPLOAD if st.session_state.get("ask-source") == UPLOAD else None


def is_sample() -> bool:
    return st.session_state.get("ask-source") == SAMPLE


def _upload() -> Archive | None:
    uploaded = st.session_state.get("ask-uploaded")
    found = backend.archive(uploaded) if uploaded else None
    if found:
        if _named(found, "Replace"):
            del st.session_state["ask-uploaded"]
            st.rerun()
        if st.session_state.get("ask-already-here") == found.id:
            st.caption(f"This archive was here already, from {_moment(found.added_at)}; it is used again.")
        return found
    read = upload.finished(upload.ARCHIVE)
    if read and read.imported:
        st.session_state[IMPORTED] = read.imported
        st.rerun()
    if read:
        st.session_state["ask-uploaded"] = read.archive
        st.session_state["ask-already-here"] = read.archive if read.already_here else None
        st.rerun()
    if IMPORTED in st.session_state:
        imported.show(st.session_state[IMPORTED], "ask")
    _last_failure()
    return None


def _last_failure() -> None:
    """Why the last upload came to nothing, file by file."""
    failed = st.session_state.get(upload.ARCHIVE.failed)
    if failed is None:
        return
    report = backend.report_of(failed)
    if report is None:
        say(backend.in_words(failed), "upload")
        return
    say("None of these files could be read.", "upload")
    archive_report.problems(report)
    report_table.show(report)


def _sample() -> Archive | None:
    with st.spinner("Reading the sample archive"):
        found = backend.sample()
    if found is None:
        say("The sample archive was not shipped with this installation. Upload an archive instead.", "sample")
        return None
    _named(found)
    return found


def _earlier(earlier: list[Archive]) -> Archive | None:
    if not earlier:
        st.caption("No archive has been read yet. Upload one, or take the sample.")
        return None
    by_id = {each.id: each for each in earlier}
    lost = st.session_state.get("ask-not-here")
    if lost:
        say(f"The archive {plain_line(lost, 60)} is not here any more. Choose another, or upload it again.", "earlier")
    if (before := st.session_state.get("ask-earlier")) and before not in by_id:  # deleted, perhaps in another tab
        st.session_state["ask-earlier"] = earlier[0].id
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        picked = st.selectbox(
            "Earlier archive",
            list(by_id),
            index=None if lost else 0,
            placeholder="Choose an archive",
            on_change=_forget_lost,
            format_func=lambda id: _label(by_id[id]),
            key="ask-earlier",
            persist_state="session",
            label_visibility="collapsed",
        )
        found = by_id.get(picked or "")
        if found:
            archive_deletion.offer(found)
    if found:
        archive_deletion.show(found)
    return found


def _forget_lost() -> None:
    st.session_state.pop("ask-not-here", None)


def _label(archive: Archive) -> str:
    day = time.strftime("%d %b %Y", time.localtime(archive.added_at))
    documents = wording.exact(archive.documents, "document")
    return plain_line(f"{archive.name} · {documents}, {wording.count(archive.chars)} characters · {day}", 120)


def _moment(at: float) -> str:
    return time.strftime("%d %b %Y, %H:%M", time.localtime(at))


def _named(archive: Archive, action: str | None = None) -> bool:
    """The archive's name in a line, with an action at its end. True when that was clicked."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="archive-name"):
        st.markdown(f":material/folder_zip: **{escaped(plain_line(archive.name, 80))}**", width="content")
        if archive.report.elapsed_s >= NOTEWORTHY_S:
            st.caption(f"read in {wording.seconds(archive.report.elapsed_s)}", width="content")
        if action:
            st.space("stretch")
            return st.button(action, type="tertiary", key="archive-action")
    return False
