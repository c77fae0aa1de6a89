"""Files on their way into the data folder, to be an archive or runs: where they are chosen or dropped, and how far they are.

The browser sends them to `app/upload_route.py`, in one stream from disk to disk. What has become of them is read from the
server's own `Upload`, never from what the browser says.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from app import backend, guards
from app.places import STATIC, UPLOAD
from rlm_core import wording
from rlm_core.plain import plain_line

MB = 1_000_000


@dataclass(frozen=True, slots=True)
class Door:
    """A place where files are taken in: what they become, and what it says."""

    key: str
    what: backend.What
    asks: str
    kinds: str
    """What may come in, as a person would say it."""
    folders: bool

    @property
    def under_way(self) -> str:
        """In the session: the upload of this place."""
        return f"{self.key}-under-way"

    @property
    def failed(self) -> str:
        """In the session: why the last one came to nothing."""
        return f"{self.key}-failed"


ARCHIVE = Door(
    "ask-upload",
    "archive unless logs",
    "Drop files or a folder here",
    "zip, 7z, tar, mails, PDF, Word, Excel, PowerPoint, text, Markdown, CSV, JSON, logs, HTML, code",
    folders=True,
)
LOGS = Door("runs-import", "runs", "Drop logs here", backend.LOGS_READ, folders=False)
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


def finished(door: Door) -> backend.Upload | None:
    """The upload that has become an archive or runs just now; until there is one, the way to it is drawn."""
    upload = _under_way(door)
    state = upload.state  # read once: it changes meanwhile
    if state in ("read", "failed"):
        del st.session_state[door.under_way]
        st.session_state.pop(door.failed, None)
        if state == "read":
            return upload
        if upload.problem:
            st.session_state[door.failed] = upload.problem
        upload, state = _under_way(door), "waiting"
    if state == "asking":
        _what_then(upload)
        return None
    is_read = state == "reading"

    @st.fragment(run_every=LOOKED_AT_EVERY_S if is_read else None)
    def way() -> None:
        if st.session_state.get(door.under_way) is not upload or (upload.state == "reading") != is_read:
            st.rerun()
        shown = progress(upload) if is_read else data(door, upload)
        _component(key=door.key, height="content", data=shown, on_ended_change=partial(_ended, door))

    way()
    return None


def _what_then(upload: backend.Upload) -> None:
    """Logs were dropped where archives are: they can be runs, or something to ask about."""
    with st.container(border=True, key="upload-logs"):
        st.text(logs_in_words(upload.names, upload.tools))
        with st.container(horizontal=True, gap="small"):
            st.button("Import as runs", type="primary", key="upload-as-runs", on_click=upload.read_as, args=("runs",))
            st.button("Ask about it as an archive", key="upload-as-archive", on_click=upload.read_as, args=("archive",))
            st.button("Leave it", key="upload-leave", type="tertiary", on_click=upload.give_up)


def logs_in_words(names: Sequence[str], tools: Sequence[str]) -> str:
    """`run.jsonl is a log of rlms: …`, `These 3 files are logs of rlms and fast-rlm: …`"""
    of = " and ".join(tools)
    if len(names) == 1:
        return f"{plain_line(names[0], 80)} is a log of {of}. It can be looked at as the runs that it records."
    return f"These {len(names):,} files are logs of {of}. They can be looked at as the runs that they record."


def data(door: Door, upload: backend.Upload) -> dict[str, Any]:
    """What the component is drawn from, and may send."""
    allowed = backend.allowed_now()
    may = min(allowed.max_bytes, allowed.room_bytes)
    because = "" if may == allowed.max_bytes else "; the disk has no room for more"
    return {
        "address": UPLOAD,
        "ticket": upload.ticket,
        "asks": door.asks,
        "kinds": door.kinds,
        "folders": door.folders,
        "max_bytes": may,
        "max_files": allowed.max_files,
        "at_most": f"up to {may // MB:,} MB together{because}",
    }


def progress(upload: backend.Upload) -> dict[str, Any]:
    """What the component says while the files are read. How many are in an archive is known when it has been read."""
    read, files, share = upload.so_far, len(upload.names), None
    words = f"Reading: {wording.exact(read, 'file')} so far" if read else "Reading"
    if upload.what == "runs":
        words = f"Reading: {read // MB:,} of {upload.bytes // MB:,} MB"
        share = min(1.0, read / max(1, upload.bytes))
    elif files > 1:
        words, share = f"Reading {read:,} of {files:,} files", min(1.0, read / files)
    return {
        "ticket": upload.ticket,
        "reading": words,
        "share": share,
        "since": wording.seconds(time.monotonic() - upload.began),
    }


def _under_way(door: Door) -> backend.Upload:
    """The upload of this page. Once it is used, the next one."""
    if door.under_way not in st.session_state:
        visitor = guards.visitor()
        st.session_state[door.under_way] = backend.new_upload(visitor.session, visitor.browser, door.what)
    found: backend.Upload = st.session_state[door.under_way]
    return found


def _ended(door: Door) -> None:
    """The browser sends no more: all was sent, it failed, or somebody has stopped it, or the reading that followed."""
    (ticket, how), upload = st.session_state[door.key].ended, st.session_state.get(door.under_way)
    if upload is None or upload.ticket != ticket or how == "sent":
        return  # the word is of an earlier one, or `finished` looks at what has become of it
    if upload.state in ("reading", "read"):
        if how == "stopped":
            upload.give_up()
        return
    del st.session_state[door.under_way]
    st.session_state.pop(door.failed, None)
    if how == "failed":
        st.session_state[door.failed] = upload.problem or backend.Problem(LOST)
