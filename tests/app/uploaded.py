"""Archives of one's own for the pages: read at once, or uploaded as a browser does it."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator

from streamlit.testing.v1 import AppTest

from app import backend
from app.backend.folder import current_store
from app.components.upload import ARCHIVE
from rlm_core.corpus.ingest import Source
from rlm_core.jobs.asking import load_archive

READ_WITHIN_S = 60.0


def read_archive(*files: tuple[str, bytes]) -> backend.Archive:
    """An archive in the data folder of the test, without a page."""
    corpus, _ = load_archive(current_store(), [Source(name, content) for name, content in files])
    found = backend.archive(corpus.id)
    assert found is not None
    return found


def as_sent(*files: tuple[str, bytes]) -> bytes:
    """The body of an upload, as the component sends it."""
    listed = json.dumps([[name, len(content)] for name, content in files])
    return listed.encode() + b"\n" + b"".join(content for _, content in files)


async def in_blocks(body: bytes, size: int = 64 * 1024) -> AsyncIterator[bytes]:
    for at in range(0, len(body), size):
        yield body[at : at + size]


def read_to_its_end(upload: backend.Upload) -> backend.Upload:
    until = time.monotonic() + READ_WITHIN_S
    while upload.state not in ("read", "failed"):
        assert time.monotonic() < until, f"the upload is still {upload.state}"
        time.sleep(0.02)
    return upload


def upload(page: AppTest, *files: tuple[str, bytes]) -> AppTest:
    """The page after these files were uploaded and read."""
    page.segmented_control(key="ask-source").set_value("Upload").run()
    sent = page.session_state[ARCHIVE.under_way]
    asyncio.run(backend.receive(sent, in_blocks(as_sent(*files))))
    read_to_its_end(sent)
    return page.run()


def offers_upload(page: AppTest) -> bool:
    """Whether files can be chosen on this page."""
    return any("ticket" in json.loads(each.proto.json) for each in page.get("bidi_component"))
