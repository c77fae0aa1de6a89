"""Folders for work under way: each is there for as long as its work is, and no process that is killed leaves one for ever.

It knows folders, and nothing of what is written into them. The lock is the operating system's, on the folder itself, so it is
free the moment its process is gone, however it went.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rlm_core.private_file import writing_in


@contextmanager
def held_folder(parent: Path, prefix: str) -> Iterator[Path]:
    """A new folder in `parent`, which is made if need be. It is removed at the end, if it is still there. Raises `OSError`."""
    with writing_in(parent):  # so that nobody takes it for abandoned before it is locked
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(descriptor)


def remove_abandoned(parent: Path, prefix: str) -> None:
    """Remove the folders in `parent` that processes which are gone have left behind. Raises `OSError`."""
    if not parent.is_dir():
        return
    with writing_in(parent):
        for folder in (each for each in parent.glob(f"{prefix}*") if each.is_dir() and not each.is_symlink()):
            descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
            except BlockingIOError:
                continue  # somebody works in it
            finally:
                os.close(descriptor)
