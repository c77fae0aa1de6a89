"""Names inside an upload: which are unsafe, which are litter, and in which encoding an archive wrote them.

A name is only ever metadata here: nothing in this package turns one into a path on disk.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rlm_core.corpus.guessing import rank

_LITTER_NAMES = frozenset({".ds_store", "thumbs.db", "ehthumbs.db", "desktop.ini", "icon\r"})
_LITTER_FOLDERS = frozenset({"__macosx", ".spotlight-v100", ".trashes", ".fseventsd", "$recycle.bin"})
_VERSION_CONTROL = frozenset({".git", ".svn", ".hg"})
_DRIVE = re.compile(r"[A-Za-z]:")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_FOREIGN = ("gb18030", "cp932", "cp949", "big5hkscs", "cp866", "cp1251")
_WESTERN = ("cp437", "cp850", "cp1252")


def unsafe_reason(name: str) -> str:
    """Why a stored name could lead out of a folder, or "" for a harmless one."""
    said = _unsafe(name)
    return f"{said} Give it a plain name and pack it again." if said else ""


def _unsafe(name: str) -> str:
    if not name.strip():
        return "It has no name."
    if "\0" in name:
        return "Its name holds a NUL character, a trick to hide what follows."
    if name.startswith(("/", "\\")):
        return "Its name is an absolute path."
    if _DRIVE.match(name):
        return "Its name is a path on a drive."
    if ".." in re.split(r"[/\\]", name):
        return "Its name leads out of the archive (`..`)."
    return ""


def litter_reason(name: str) -> str:
    """Why a file is litter of an operating system or program, or "" if it is not."""
    parts = re.split(r"[/\\]", name.casefold())
    base, folders = parts[-1], parts[:-1]
    if _VERSION_CONTROL.intersection(folders):
        return "version-control: bookkeeping of a version control system, not a document."
    if base in _LITTER_NAMES or base.startswith("._") or _LITTER_FOLDERS.intersection(folders):
        return "os-metadata: the operating system keeps this for itself; it is not a document."
    if base.startswith("~$") or (base.startswith(".~lock.") and base.endswith("#")):
        return "office-lock-file: left by an office program while a file was open; it is not a document."
    return ""


def shown(name: str) -> str:
    """The name as people see it: without a leading `./`, and control characters as U+FFFD, so that it stays on one line."""
    return _CONTROL.sub("�", storable(name.removeprefix("./")))


def storable(name: str) -> str:
    """The name with bytes that are no UTF-8 as U+FFFD, so that it can be written down."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def recover_names(raw: Sequence[bytes], default: str) -> list[str]:
    """Names that say nothing about their encoding, judged together: UTF-8, else what fits all of them, else `default`."""
    joined = b"\n".join(raw)
    encoding = _encoding_of_names(joined, default)
    return [name.decode(encoding, errors="replace") for name in raw]


def _encoding_of_names(joined: bytes, default: str) -> str:
    try:
        joined.decode("utf-8")
        return "utf-8"
    except UnicodeDecodeError:
        best = next(iter(rank(joined, (*_FOREIGN, *_WESTERN))), None)
        return best.encoding if best and best.encoding in _FOREIGN else default


class Taken:
    """Names given out so far. A second file of the same name gets ` (2)`, the next ` (3)`."""

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._numbers: dict[str, int] = {}  # the last one tried for each path: thousands may share one

    def claim(self, path: str) -> str:
        name, number = path, self._numbers.get(path, 1)
        while name in self._names:
            number += 1
            name = f"{path} ({number})"
        self._numbers[path] = number
        self._names.add(name)
        return name
