"""Uploads under way: tickets, what is left when one breaks, and what is tidied up when the app starts and ends."""

from __future__ import annotations

import asyncio
import gc
import json
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from uploaded import READ_WITHIN_S, as_sent, in_blocks, read_to_its_end

from app.backend import ImportedLogs, Upload, What, archive, claim_upload, new_upload, receive, run_line, tidy_uploads
from app.components import imported
from rlm_core.jobs.importing import Imported

LEAK = as_sent(("leak.txt", b"Room A12 is wet.\n"))
MANY = as_sent(*((f"{number}.txt", b"Room %d is wet.\n" % number) for number in range(30_000)))


@pytest.fixture
def upload(home: Path) -> Upload:
    return new_upload("session", b"browser")


def left(home: Path) -> list[Path]:
    """Everything of uploads that is on the disk."""
    return [each for folder in ("uploads", "corpora") if (home / folder).exists() for each in (home / folder).iterdir()]


async def broken(body: bytes, error: BaseException) -> AsyncIterator[bytes]:
    yield body
    raise error


def test_a_ticket_is_good_once(upload: Upload):
    assert claim_upload(upload.ticket, b"browser") is upload
    assert claim_upload(upload.ticket, b"browser") is None


def test_a_ticket_is_good_in_its_own_browser_only(upload: Upload):
    for other in (b"another", b"", None):
        assert claim_upload(upload.ticket, other) is None
    assert claim_upload(upload.ticket, b"browser") is upload


def test_no_two_tickets_are_the_same_and_none_is_short(home: Path):
    tickets = {new_upload("session", None).ticket for _ in range(100)}
    assert len(tickets) == 100
    assert all(len(each) >= 43 for each in tickets)


def test_a_ticket_is_forgotten_with_its_page(home: Path):
    ticket = new_upload("session", None).ticket
    gc.collect()
    assert claim_upload(ticket, None) is None


def test_a_ticket_is_in_no_text_that_may_be_logged(upload: Upload):
    assert upload.ticket not in repr(upload)


def test_what_has_arrived_is_read_and_its_files_are_removed(upload: Upload, home: Path):
    asyncio.run(receive(upload, in_blocks(LEAK)))
    read_to_its_end(upload)
    assert upload.archive
    assert [each.name for each in left(home)] == [upload.archive]
    found = archive(upload.archive)
    assert found is not None
    assert (found.name, found.documents) == ("leak.txt", 1)


def test_two_uploads_at_once_are_two_archives(upload: Upload, home: Path):
    other = new_upload("another session", None)

    async def both() -> None:
        more = in_blocks(as_sent(("dry.txt", b"Room B07 is dry.\n")), 1)
        await asyncio.gather(receive(upload, in_blocks(LEAK, 1)), receive(other, more))

    asyncio.run(both())
    names = [found.name for each in (upload, other) if (found := archive(read_to_its_end(each).archive or ""))]
    assert names == ["leak.txt", "dry.txt"]


@pytest.mark.parametrize("error", [ConnectionResetError(), asyncio.CancelledError()], ids=["disconnected", "stopped"])
def test_a_connection_that_breaks_leaves_nothing(upload: Upload, home: Path, error: BaseException):
    with pytest.raises(type(error)):
        asyncio.run(receive(upload, broken(LEAK[:-3], error)))
    assert (upload.state, upload.problem) == ("failed", None)
    assert left(home) == []


def test_what_is_cut_off_leaves_nothing_and_says_so(upload: Upload, home: Path):
    with pytest.raises(Exception, match="cut off"):
        asyncio.run(receive(upload, in_blocks(LEAK[:-3])))
    assert "cut off" in str(upload.problem)
    assert left(home) == []


def test_a_data_folder_that_cannot_be_written_is_said(upload: Upload, home: Path):
    (home / "uploads").write_text("a file where a folder should be")
    with pytest.raises(Exception, match="cannot be written to the data folder: File exists"):
        asyncio.run(receive(upload, in_blocks(LEAK)))
    assert upload.state == "failed"


def test_reading_that_somebody_gives_up_is_no_problem_and_leaves_nothing(upload: Upload, home: Path):
    asyncio.run(receive(upload, in_blocks(MANY)))
    assert upload.state == "reading"
    upload.give_up()
    read_to_its_end(upload)
    assert (upload.archive, upload.problem) == (None, None)
    assert left(home) == []


def test_an_app_that_ends_gives_up_what_it_is_reading(upload: Upload, home: Path):
    with tidy_uploads(home):
        asyncio.run(receive(upload, in_blocks(MANY)))
    assert upload.state == "failed"
    assert left(home) == []


def test_what_a_killed_app_left_behind_goes_at_the_next_start(home: Path):
    for half in ("uploads/half", "corpora/.new-half", "corpora/c-000000000000"):
        (home / half).mkdir(parents=True)
        (home / half / "0").write_bytes(b"half a file")
    with tidy_uploads(home):
        assert [each.name for each in left(home)] == ["c-000000000000"]


def test_an_app_starts_also_where_nothing_can_be_tidied(tmp_path: Path):
    (tmp_path / "file").write_text("not a folder")
    with tidy_uploads(tmp_path / "file"):
        pass


LOG = b"".join(
    json.dumps(each).encode() + b"\n"
    for each in (
        {"type": "metadata", "root_model": "big"},
        {"type": "iteration", "iteration": 1, "response": "Nine.", "code_blocks": [], "final_answer": "nine"},
    )
)


def asking(upload: Upload) -> Upload:
    """An upload of a log, when it is asked what is to become of it."""
    asyncio.run(receive(upload, in_blocks(as_sent(("run.jsonl", LOG)))))
    until = time.monotonic() + READ_WITHIN_S
    while upload.state != "asking":
        assert time.monotonic() < until
        time.sleep(0.02)
    assert upload.tools == ("rlms",)
    return upload


@pytest.mark.parametrize("what", ["runs", "archive"])
def test_a_log_among_archives_becomes_what_somebody_says(upload: Upload, home: Path, what: What):
    asking(upload).read_as(what)
    read_to_its_end(upload)
    found = [each.run for each in upload.imported.runs] if upload.imported else []
    assert ([bool(run_line(each)) for each in found], bool(upload.archive)) == (
        ([True], False) if what == "runs" else ([], True)
    )
    assert not any((home / "uploads").iterdir())


def test_a_log_of_which_nobody_says_anything_goes_with_the_app(upload: Upload, home: Path):
    with tidy_uploads(home):
        asking(upload)
    assert (upload.state, upload.problem, upload.archive) == ("failed", None, None)
    assert left(home) == []


def test_an_upload_that_is_not_asked_about_stays_what_it_was(upload: Upload):
    upload.read_as("runs")
    assert (upload.what, upload.state) == ("archive unless logs", "waiting")


@pytest.mark.parametrize(
    ("runs", "words"),
    [
        ((), "No run came in."),
        ((Imported("a", True, "rlms"),), "1 run of rlms came in."),
        ((Imported("a", False, "rlms"),), "No run came in: 1 was here already."),
        (
            (*(Imported(each, True, "rlms") for each in "abc"), Imported("d", True, "dspy"), Imported("e", False, "x")),
            "3 runs of rlms and 1 run of dspy came in, 1 was here already.",
        ),
    ],
)
def test_what_came_of_logs_is_said_in_a_sentence(runs: tuple[Imported, ...], words: str):
    assert imported.in_words(ImportedLogs(runs)) == words


def test_of_many_lines_that_cannot_be_read_the_first_are_told_and_the_others_counted():
    runs = tuple(Imported(str(each), True, "rlms", "f", (f"Line {each}.", "Line 0.")) for each in range(9))
    assert imported.unread(ImportedLogs(runs))[4:] == ["Line 4.", "And 4 more things like that."]
