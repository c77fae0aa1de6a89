"""Walks an upload: every file in it, out of archives inside archives and mails, or the reason why it is not read.

Names are metadata: nothing is ever written under a name from an archive. A bad member costs only itself.

Covered: zip (also behind a program that unpacks it), 7z, tar, gz, bz2, xz, zst, mbox, nested; files inside documents; unsafe
names, links, litter, bombs, limits (`limits.py`), damaged archives. Not covered: rar (named as unsupported).
"""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO, cast

from rlm_core.corpus import mailboxes, sevens, tars, zips
from rlm_core.corpus.content import IN_MEMORY_BYTES, Content
from rlm_core.corpus.kinds import CONTAINERS, HEAD_BYTES, READ_IN_BLOCKS, kind_of, not_read_reason
from rlm_core.corpus.limits import BLOCK, MIB, SYMBOLIC_LINK, Allowance, Refused, too_large
from rlm_core.corpus.members import BROKEN, Member, Stream
from rlm_core.corpus.names import Taken, litter_reason, shown, storable, unsafe_reason
from rlm_core.corpus.reading import Inside
from rlm_core.corpus.report import Item


@dataclass(frozen=True, slots=True)
class Source:
    """One uploaded file: its name (with `/` for files of a folder) and where its bytes are."""

    name: str
    content: Path | bytes


@dataclass(frozen=True, slots=True)
class Loose:
    """One file out of an upload, with all its bytes; to be closed. `depth`: in how many containers it lies."""

    path: str
    kind: str
    content: Content
    depth: int


class Walker:
    """Walks one upload."""

    def __init__(self, allowance: Allowance, spill: Path) -> None:
        """`spill`: a folder for unnamed temporary files."""
        self._allowance = allowance
        self._limits = allowance.limits
        self._spill = spill
        self._taken = Taken()

    def walk(self, sources: Sequence[Source]) -> Iterator[Loose | Item]:
        """Every file of the upload in order."""
        for source in sources:
            yield from self._visit(_member(source), prefix="", depth=0)

    def within(self, found: Loose, files: Iterable[Inside]) -> Iterator[Loose | Item]:
        """The files that a reader has found inside this one, such as what is attached to a mail."""
        for file in files:
            try:
                self._check_depth(found.depth)
                self._allowance.count_entry()
            except Refused as refused:
                path = self._taken.claim(f"{found.path}!/{shown(file.name)}")
                yield Item(path, refused.status, refused.reason, bytes=len(file.data))
                continue
            member = Member(file.name, len(file.data), partial(io.BytesIO, file.data))
            yield from self._visit(member, f"{found.path}!/", found.depth + 1)

    def _visit(self, member: Member, prefix: str, depth: int) -> Iterator[Loose | Item]:
        """One member: itself, or if it is an archive, what it holds."""
        unsafe = unsafe_reason(member.name)
        path = self._taken.claim(prefix + (storable(member.name) if unsafe else shown(member.name)))
        size = member.bytes
        if unsafe or (member.refused and member.refused.status == "unsafe-path"):
            yield Item(path, "unsafe-path", unsafe or str(member.refused), bytes=size)
        elif litter := litter_reason(member.name):
            yield Item(path, "skipped", litter, bytes=size)
        else:
            try:
                if depth == 0:
                    self._allowance.count_upload(size or 0)
                yield from self._open(member, path, depth)
            except Refused as refused:
                yield Item(path, refused.status, refused.reason, bytes=size)

    def _open(self, member: Member, path: str, depth: int) -> Iterator[Loose | Item]:
        if member.refused:
            raise member.refused
        stream = _opened(member)
        try:
            head = _read(stream, HEAD_BYTES)
            kind = kind_of(member.name, head)
            unpacks_itself = kind == "executable" and depth == 0
            if (reason := not_read_reason(kind)) and not unpacks_itself:
                raise Refused("unsupported", reason)
            if kind in CONTAINERS or unpacks_itself:
                yield from self._open_container(kind, member, stream, head, path, depth)
                return
            content = self._content(kind, member, stream, head, depth)
        finally:
            stream.close()
        yield Loose(path, kind, content, depth)

    def _open_container(
        self, kind: str, member: Member, stream: Stream, head: bytes, path: str, depth: int
    ) -> Iterator[Loose | Item]:
        self._check_depth(depth)
        if depth == 0:
            yield from self._members(kind, member, cast(BinaryIO, stream), path, depth)
            return
        with tempfile.SpooledTemporaryFile(max_size=IN_MEMORY_BYTES, dir=str(self._spill)) as spooled:
            for block in self._blocks(member, stream, head, depth, self._limits.max_member_mb):
                spooled.write(block)
            yield from self._members(kind, member, cast(BinaryIO, spooled), path, depth)

    def _members(self, kind: str, member: Member, file: BinaryIO, path: str, depth: int) -> Iterator[Loose | Item]:
        if kind in ("zip", "executable"):
            yield from self._zip_members(kind, member, file, path, depth)
        elif kind == "7z":
            yield from self._visit_all(sevens.members(file, self._spill, self._allowance), path, depth)
        elif kind == "mbox":
            yield from self._visit_all(mailboxes.members(file), path, depth)
        else:
            yield from self._visit_all(tars.members(kind, member.name, file, self._allowance), path, depth)

    def _zip_members(self, kind: str, member: Member, file: BinaryIO, path: str, depth: int) -> Iterator[Loose | Item]:
        if kind != "zip" and not zipfile.is_zipfile(file):
            raise Refused("unsupported", not_read_reason(kind) or "")
        try:
            archive = zips.open_zip(file, self._allowance)
        except Refused as damage:
            if damage.status != "malformed":
                raise
            yield from self._visit_all(zips.salvaged(file, damage, self._allowance), path, depth)
            return
        with archive:
            if document := zips.document_kind(archive):
                yield self._zipped_document(document, member, file, path, depth)
            else:
                yield from self._visit_all(zips.members(archive, self._allowance), path, depth)

    def _visit_all(self, found: Iterator[Member], path: str, depth: int) -> Iterator[Loose | Item]:
        for member in found:
            self._allowance.count_entry()
            yield from self._visit(member, f"{path}!/", depth + 1)

    def _check_depth(self, depth: int) -> None:
        if depth > self._limits.max_nesting:
            raise Refused(
                "too-large",
                f"Archives and mails inside each other are opened {self._limits.max_nesting} deep; this one lies deeper. "
                "Unpack it and upload the result.",
            )

    def _zipped_document(self, kind: str, member: Member, file: BinaryIO, path: str, depth: int) -> Loose:
        if reason := not_read_reason(kind):
            raise Refused("unsupported", reason)
        file.seek(0)
        return Loose(path, kind, self._content(kind, member, file, _read(file, HEAD_BYTES), 0), depth)

    def _content(self, kind: str, member: Member, stream: Stream, head: bytes, depth: int) -> Content:
        allowed_mb = self._limits.max_member_mb
        if kind not in READ_IN_BLOCKS:
            allowed_mb = min(allowed_mb, self._limits.max_parsed_mb)
        return Content(self._blocks(member, stream, head, depth, allowed_mb), self._spill)

    def _blocks(self, member: Member, stream: Stream, head: bytes, depth: int, allowed_mb: int) -> Iterator[bytes]:
        """The rest of the member behind its head. Counts what really comes; declared sizes only spare the reading."""
        allowed = allowed_mb * MIB
        if (member.bytes or 0) > allowed:
            raise too_large(allowed_mb)
        size, block = 0, head
        while block:
            size += len(block)
            if size > allowed:
                raise too_large(allowed_mb)
            if depth:
                self._allowance.count_expanded(len(block))
            yield block
            block = _read(stream, BLOCK)


def _member(source: Source) -> Member:
    content = source.content
    if isinstance(content, bytes):
        return Member(source.name, len(content), partial(io.BytesIO, content))
    refused, size = None, None
    if content.is_symlink():
        refused = SYMBOLIC_LINK
    elif content.is_dir():
        refused = Refused(
            "malformed", "This folder may not be listed, so nothing in it was read. Allow it, and upload it again."
        )
    elif not content.is_file():
        refused = Refused("unsafe-path", "It is not a file (a device, a pipe, or gone).")
    else:
        size = content.stat().st_size
    return Member(source.name, size, lambda: content.open("rb"), refused)


def _opened(member: Member) -> Stream:
    try:
        return member.open()
    except BROKEN as error:
        raise Refused(
            "malformed", f"The file is damaged or cannot be opened ({_in_words(error)}). Upload it again."
        ) from error


def _read(stream: Stream, size: int) -> bytes:
    try:
        return stream.read(size)
    except BROKEN as error:
        raise Refused(
            "malformed",
            f"The file is damaged or cut off and cannot be read ({_in_words(error)}). Pack or download it again.",
        ) from error


def _in_words(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror  # without the path on this machine
    return str(error) or type(error).__name__
