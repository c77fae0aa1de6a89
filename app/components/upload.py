"""Files of an archive on their way into the data folder: where they are chosen or dropped, and how far they are.

The browser sends them to `app/upload_route.py`, in one stream from disk to disk. What has become of them is read from the
server's own `Upload`, never from what the browser says.
"""

from __future__ import annotations

import time
from typing import Any

import streamlit as st

from app import backend, guards
from app.places import STATIC, UPLOAD
from rlm_core import wording

READ = "zip, 7z, tar, mails, PDF, Word, Excel, PowerPoint, text, Markdown, CSV, JSON, logs, HTML, code"
"""What an archive may hold, as a person would say it."""
MB = 1_000_000
KEY = "ask-upload"
UNDER_WAY = "ask-upload-under-way"
FAILED = "ask-upload-failed"
LOOKED_AT_EVERY_S = 0.5
LOST = (
    "The files did not arrive, and nothing of them was kept. Choose them again; if that fails at once, "
    "reload this page first."
)
_component = st.components.v2.component(
    "upload",
    html='<div class="upload"></div>',
    css=(STATIC / "upload.css").read_text(encoding="utf-8"),
    js=(STATIC / "upload.js").read_text(encoding="utf-8"),
)


def finished() -> backend.Upload | None:
    """The upload that has become an archive just now; until there is one, the way to it is drawn."""
    upload = _under_way()
    state = upload.state  # read once: it changes meanwhile
    if state in ("read", "failed"):
        del st.session_state[UNDER_WAY]
        st.session_state.pop(FAILED, None)
        if upload.archive:
            return upload
        if upload.problem:
            st.session_state[FAILED] = upload.problem
        upload, state = _under_way(), "waiting"
    is_read = state == "reading"

    @st.fragment(run_every=LOOKED_AT_EVERY_S if is_read else None)
    def way() -> None:
        if st.session_state.get(UNDER_WAY) is not upload or (upload.state == "reading") != is_read:
            st.rerun()
        shown = progress(upload) if is_read else data(upload)
        _component(key=KEY, height="content", data=shown, on_ended_change=_ended)

    way()
    return None


def data(upload: backend.Upload) -> dict[str, Any]:
    """What the component is drawn from, and may send."""
    allowed = backend.allowed_now()
    may = min(allowed.max_bytes, allowed.room_bytes)
    because = "" if may == allowed.max_bytes else "; the disk has no room for more"
    return {
        "address": UPLOAD,
        "ticket": upload.ticket,
        "kinds": READ,
        "max_bytes": may,
        "max_files": allowed.max_files,
        "at_most": f"up to {may // MB:,} MB together{because}",
    }


def progress(upload: backend.Upload) -> dict[str, Any]:
    """What the component says while the files are read. How many are in an archive is known when it has been read."""
    read, share = upload.files_read, None
    words = f"Reading: {wording.exact(read, 'file')} so far" if read else "Reading"
    if upload.files > 1:
        words, share = f"Reading {read:,} of {upload.files:,} files", min(1.0, read / upload.files)
    return {
        "ticket": upload.ticket,
        "reading": words,
        "share": share,
        "since": wording.seconds(time.monotonic() - upload.began),
    }


def _under_way() -> backend.Upload:
    """The upload of this page. Once it is used, the next one."""
    if UNDER_WAY not in st.session_state:
        visitor = guards.visitor()
        st.session_state[UNDER_WAY] = backend.new_upload(visitor.session, visitor.browser)
    found: backend.Upload = st.session_state[UNDER_WAY]
    return found


def _ended() -> None:
    """The browser sends no more: all was sent, it failed, or somebody has stopped it, or the reading that followed."""
    (ticket, how), upload = st.session_state[KEY].ended, st.session_state.get(UNDER_WAY)
    if upload is None or upload.ticket != ticket or how == "sent":
        return  # the word is of an earlier one, or `finished` looks at what has become of it
    if upload.state in ("reading", "read"):
        if how == "stopped":
            upload.give_up()
        return
    del st.session_state[UNDER_WAY]
    st.session_state.pop(FAILED, None)
    if how == "failed":
        st.session_state[FAILED] = upload.problem or backend.Problem(LOST)
