"""Documents that are zip files inside (DOCX, XLSX, PPTX, OpenDocument, EPUB), opened only after every member was measured.

Knows members, relations between them, and how XML is parsed without harm. Refuses to know what a document says.

Covered: bombs by ratio, by number and by overlapping members; sizes that lie, found by unpacking all of it once, so that parsers
with readers of their own (python-calamine) can be given the file; passwords; XML with entities or of absurd depth.
Not covered: time and memory of a tree, which the converter process limits.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from lxml import etree

from rlm_core.corpus import zips
from rlm_core.corpus.limits import MIB, RATIO_APPLIES_ABOVE, Allowance, Refused, bomb
from rlm_core.corpus.members import BROKEN
from rlm_core.ingest_limits import IngestLimits

Element = etree._Element
"""lxml's element."""

_LIMITS = IngestLimits(max_entries=20_000, max_expanded_mb=1024)
_MAX_XML_MB = 128
"""Of one member. As a tree it takes some ten times as much memory."""
_TOTAL_RATIO_APPLIES_ABOVE = 100 * MIB
_LOCAL_HEADER_BYTES = 30
_HARMLESS: dict[str, Any] = {
    **{"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False},
    **{"remove_comments": True, "remove_pis": True},
}
"""How XML is parsed."""


@dataclass(frozen=True, slots=True)
class Relation:
    """What one part of an office document says of another. `type` is the last word of its long name."""

    id: str
    type: str
    target: str


class Package:
    """The members of a document, by name; as office programs do, without regard to case."""

    def __init__(self, data: bytes) -> None:
        """Raises `Refused` where the file is no zip, is encrypted, or is a bomb."""
        self._archive = zips.open_zip(io.BytesIO(data), Allowance(_LIMITS))
        measure(self._archive, data)
        self._members = {_plain(info.filename): info for info in reversed(self._archive.infolist())}
        self.names = [info.filename for info in self._archive.infolist()]
        self._damaged: list[str] = []

    def __contains__(self, name: str) -> bool:
        return _plain(name) in self._members

    def read(self, name: str) -> bytes:
        """All bytes of a member. Raises `Refused` if it is damaged or not there."""
        try:
            return self._archive.read(self._members[_plain(name)])
        except KeyError as error:
            raise Refused("malformed", f"The file is damaged: its part {name[:200]} is missing.") from error
        except BROKEN as error:
            raise Refused(
                "malformed", f"The file is damaged: its part {name[:200]} cannot be read ({error})."
            ) from error

    def xml(self, name: str) -> Element:
        """The root of a member that is XML. Raises `Refused` if it is none."""
        member = self._members.get(_plain(name))
        if member and member.file_size > _MAX_XML_MB * MIB:
            raise Refused(
                "too-large",
                f"Its part {name[:200]} has {member.file_size / MIB:,.0f} MiB; the limit is {_MAX_XML_MB} MiB. "
                "Split the file into smaller ones.",
            )
        return parsed(self.read(name), name)

    def side(self, name: str) -> Iterator[Element]:
        """The root of a member that the document can do without: none if it is damaged, which `damage` then tells."""
        try:
            yield self.xml(name)
        except Refused:
            self._damaged.append(name)

    def stream(self, name: str, tag: str) -> Iterator[Element]:
        """The elements of this local name in a member, one after the other, each forgotten when the next is asked for. If the
        member is damaged or not there, they end, and `damage` tells it."""
        if name not in self:
            self._damaged.append(name)
            return
        try:
            with self._archive.open(self._members[_plain(name)]) as file:
                for _, element in etree.iterparse(file, events=("end",), tag=f"{{*}}{tag}", **_HARMLESS):
                    yield element
                    element.clear()
                    while element.getprevious() is not None:
                        del element.getparent()[0]
        except (etree.XMLSyntaxError, *BROKEN):
            self._damaged.append(name)

    @property
    def damage(self) -> str:
        """What was lost of the document, in a sentence; "" if nothing was."""
        return f"Damaged and not read: its part {', '.join(self._damaged)[:300]}." if self._damaged else ""

    def relations(self, name: str) -> dict[str, Relation]:
        """The relations of a part to other parts of this file, by id; none if it has none. Links to elsewhere are left out."""
        folder, _, base = name.rpartition("/")
        listing = f"{folder}/_rels/{base}.rels".lstrip("/")
        if listing not in self:
            return {}
        found = {}
        for each in (each for root in self.side(listing) for each in root):
            if each.get("TargetMode") != "External" and (target := each.get("Target")):
                path = posixpath.normpath(posixpath.join("/", folder, unquote(target))).lstrip("/")
                kind = (each.get("Type") or "").rpartition("/")[2]
                found[each.get("Id") or ""] = Relation(each.get("Id") or "", kind, path)
        return found

    def main(self, usual: str) -> str:
        """The name of the part that the document begins with. Raises `Refused` if there is none."""
        named = (each.target for each in self.relations("").values() if each.type == "officeDocument")
        found = next((each for each in (*named, usual) if each in self), None)
        if found is None:
            raise Refused("malformed", f"The file is damaged: its part {usual} is missing, which all others hang on.")
        return found

    def related(self, name: str, kind: str) -> Iterator[str]:
        """The parts of this kind that a part is related to and that are there, in order of their names as people count."""
        targets = {each.target for each in self.relations(name).values() if each.type == kind and each.target in self}
        yield from sorted(targets, key=_as_counted)


def measure(archive: zipfile.ZipFile, data: bytes) -> None:
    """Unpack all members without keeping anything. Raises `Refused` where they are too much, encrypted or lie about sizes."""
    for member in zips.members(archive, Allowance(_LIMITS)):
        if member.refused and member.refused.status != "unsafe-path":
            raise member.refused
    if len(archive.infolist()) > _LIMITS.max_entries:
        raise Refused("bomb", f"The file holds more than {_LIMITS.max_entries:,} parts, as no document does.")
    total = 0
    for info in archive.infolist():
        size = _unpacked_bytes(info, data)
        if size > max(info.file_size, RATIO_APPLIES_ABOVE):
            raise Refused("bomb", "A part of the file is larger than the file says, as only compression bombs are.")
        total += size
        if total > _LIMITS.max_expanded_mb * MIB:
            raise Refused("bomb", f"Unpacked, the file has more than {_LIMITS.max_expanded_mb:,} MiB; it was not read.")
        ratio = total / max(len(data), 1)
        if total > _TOTAL_RATIO_APPLIES_ABOVE and ratio > _LIMITS.max_total_ratio:
            raise bomb(ratio, _LIMITS)


def _unpacked_bytes(info: zipfile.ZipInfo, data: bytes) -> int:
    """How large a member really is, or at least one byte more than it says."""
    if info.compress_type == zipfile.ZIP_STORED:
        return info.compress_size
    if info.compress_type != zipfile.ZIP_DEFLATED:
        raise Refused("unsupported", "The file is packed in a way that office programs do not use. Save it again.")
    head = data[info.header_offset : info.header_offset + _LOCAL_HEADER_BYTES]
    names = int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little")
    start = info.header_offset + _LOCAL_HEADER_BYTES + names
    packed = data[start : start + info.compress_size]
    unpacking, size = zlib.decompressobj(-zlib.MAX_WBITS), 0
    try:
        while packed and not unpacking.eof and size <= max(info.file_size, RATIO_APPLIES_ABOVE):
            size += len(unpacking.decompress(packed, MIB))
            packed = unpacking.unconsumed_tail
    except zlib.error:
        pass  # damage, which reading the part tells of
    return size


def parsed(data: bytes, name: str) -> Element:
    """XML as a tree, without entities, comments and instructions. Raises `Refused` if it is none."""
    try:
        root = etree.fromstring(data, etree.XMLParser(**_HARMLESS))
    except etree.XMLSyntaxError as error:
        raise Refused("malformed", f"The file is damaged: its part {name[:200]} cannot be read ({error}).") from error
    if root is None:
        raise Refused("malformed", f"The file is damaged: its part {name[:200]} is empty.")
    return root


def local(tag: object) -> str:
    """`{namespace}name` -> `name`: the strict and the usual form of office documents differ in their namespaces only."""
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: Element, name: str) -> str | None:
    """The attribute of this local name, whatever its namespace."""
    return next((str(value) for key, value in element.items() if local(key) == name), None)


def _plain(name: str) -> str:
    return name.replace("\\", "/").lstrip("/").casefold()


def _as_counted(name: str) -> list[tuple[int, str]]:
    """Sorts `slide10` behind `slide9`."""
    return [(int(each), "") if each.isdecimal() else (-1, each) for each in re.split(r"(\d{1,9})", name)]
