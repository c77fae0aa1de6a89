"""Uploads that were read before: the same files, within the same limits, by the same readers, are the same corpus.

A corpus keeps the fingerprints of its uploads as empty files in its folder: with the folder they are gone. Refuses to know what
is in the files: only their names and bytes count.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from rlm_core.corpus.archive import Source
from rlm_core.corpus.corpus import Corpus
from rlm_core.corpus.report import IngestReport
from rlm_core.errors import CorpusError
from rlm_core.ingest_limits import IngestLimits

_MARK = "upload-"
_PACKAGE = "rlm-studio"


def fingerprint(sources: Sequence[Source], limits: IngestLimits) -> str | None:
    """A digest of all that decides what becomes of an upload; `None` where a source is no file that can be read."""
    digest = hashlib.sha256(f"{_readers()}\n{limits}".encode())
    for source in sources:
        name = source.name.encode("utf-8", "surrogateescape")
        try:
            content = _digest(source.content)
        except OSError:
            return None
        if content is None:
            return None
        digest.update(b"%d %s %s" % (len(name), name, content))
    return digest.hexdigest()


def known(corpora: Path, upload: str) -> tuple[Corpus, IngestReport] | None:
    """The corpus that this upload has become, if it is still there."""
    for mark in corpora.glob(f"*/{_MARK}{upload}"):
        try:
            corpus = Corpus.open(mark.parent)
            return corpus, corpus.report()
        except CorpusError:
            continue  # damaged: the upload is read again
    return None


def remember(corpus: Corpus, upload: str) -> None:
    """That this upload has become this corpus. Raises `OSError`."""
    (corpus.folder / f"{_MARK}{upload}").touch()


def _digest(content: Path | bytes) -> bytes | None:
    if isinstance(content, bytes):
        return hashlib.sha256(content).digest()
    if content.is_symlink() or not content.is_file():
        return None
    with content.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()


@cache
def _readers() -> str:
    """What tells these readers from those of another version: this package's source, and the versions of the parsers."""
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(file.read_bytes())
    try:
        needed = [re.split(r"[^\w.-]", line)[0] for line in requires(_PACKAGE) or [] if "extra ==" not in line]
        digest.update(repr([(name, version(name)) for name in needed]).encode())
    except PackageNotFoundError:
        digest.update(b"not installed")  # run from its source
    return digest.hexdigest()
