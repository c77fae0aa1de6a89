"""Files that only their owner may read, replaced whole or not at all.

It knows files and folders, and nothing of what is written into them. Locks are the operating system's, on the folder itself,
so that nothing has to be swept up after a crash.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ONLY_OWNER = 0o600


@contextmanager
def writing_in(folder: Path) -> Iterator[None]:
    """Wait until nobody else writes in `folder`, which is made if need be, for its owner alone. Raises `OSError`."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def replace_file(file: Path, text: str) -> None:
    """Put `text` in the place of `file`. Call it inside `writing_in`, which makes the temporary name safe.

    The new file has its narrow mode from its first moment on, and whoever reads meanwhile sees the old one or the new one.
    Raises `OSError`; the old file is then as it was.
    """
    temporary = file.with_name(f"{file.name}.new")
    temporary.unlink(missing_ok=True)  # left by a process that was killed while it wrote
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, ONLY_OWNER)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
            opened.write(text)
            opened.flush()
            os.fsync(opened.fileno())
        temporary.replace(file)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
