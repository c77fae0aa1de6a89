"""Files in the container of old Office programs (OLE), written by hand: folders, streams."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Union

Tree = Mapping[str, Union[bytes, "Tree"]]
SECTOR = 512
_SMALL = 4096
_FREE, _END, _FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


def ole_of(tree: Tree) -> bytes:
    """A container with these streams; a dict is a folder. Those below 4,096 bytes share that of the root, in pieces of 64."""
    entries: list[list] = [["Root Entry", 5, _FREE, b""]]
    _enter(entries, 0, tree)
    fat, small_fat, sectors, small = _Chains(), _Chains(), b"", b""
    starts = {}
    for number, (_, kind, _, data) in enumerate(entries):
        if kind == 2 and len(data) >= _SMALL:
            starts[number] = fat.add(data, SECTOR)
            sectors += _padded(data, SECTOR)
        elif kind == 2 and data:
            starts[number] = small_fat.add(data, 64)
            small += _padded(data, 64)
    if small:
        entries[0][3], starts[0] = small, fat.add(small, SECTOR)
        sectors += _padded(small, SECTOR)
    small_table = struct.pack(f"<{len(small_fat)}I", *small_fat)
    small_start = fat.add(small_table, SECTOR) if small_table else _END
    sectors += _padded(small_table, SECTOR, b"\xff")
    directory = b"".join(_entry(entries, number, starts.get(number, _END)) for number in range(len(entries)))
    first = fat.add(directory, SECTOR)
    sectors += _padded(directory, SECTOR)
    fats = -(-(len(fat) + 4) // 128)
    places = [*range(len(fat), len(fat) + fats)] + [_FREE] * (109 - fats)
    fat += [_FAT] * fats
    sectors += _padded(struct.pack(f"<{len(fat)}I", *fat), SECTOR, b"\xff")
    small_count = -(-len(small_table) // SECTOR)
    header = struct.pack(
        "<8s16s5H6x9I109I",
        *(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", bytes(16), 0x3E, 3, 0xFFFE, 9, 6),
        *(0, fats, first, 0, _SMALL, small_start, small_count, _END, 0, *places),
    )
    return header + sectors


class _Chains(list[int]):
    """For each piece the one that follows it."""

    def add(self, data: bytes, piece: int) -> int:
        start, count = len(self), -(-len(data) // piece)
        self += [*range(start + 1, start + count), _END]
        return start


def _enter(entries: list[list], parent: int, tree: Tree) -> None:
    numbers = []
    for name, content in tree.items():
        numbers.append(len(entries))
        if isinstance(content, bytes):
            entries.append([name, 2, _FREE, content])
        else:
            entries.append([name, 1, _FREE, b""])
            _enter(entries, numbers[-1], content)
    if numbers:
        entries[parent][2] = numbers


def _entry(entries: list[list], number: int, start: int) -> bytes:
    """Siblings hang on each other to the right: no balanced tree, but one that all readers walk."""
    name, kind, child, data = entries[number]
    siblings = next((each[2] for each in entries if isinstance(each[2], list) and number in each[2]), [number])
    at = siblings.index(number)
    right = siblings[at + 1] if at + 1 < len(siblings) else _FREE
    first = child[0] if isinstance(child, list) else _FREE
    raw = name.encode("utf-16-le") + b"\0\0"
    return struct.pack("<64sHBBIII36xIQ", raw, len(raw), kind, 1, _FREE, right, first, start, len(data))


def _padded(data: bytes, piece: int, filling: bytes = b"\0") -> bytes:
    return data + filling * (-len(data) % piece)


def workbook(rows: list[list[str | float]], name: str = "Data") -> bytes:
    """The stream `Workbook` of an .xls (BIFF8) with one sheet."""

    def record(kind: int, data: bytes) -> bytes:
        return struct.pack("<HH", kind, len(data)) + data

    def text(value: str, head: str) -> bytes:
        return struct.pack(head, len(value)) + b"\1" + value.encode("utf-16-le")

    cells = b""
    for row, values in enumerate(rows):
        for column, value in enumerate(values):
            place = struct.pack("<HHH", row, column, 0)
            if isinstance(value, str):
                cells += record(0x204, place + text(value, "<H"))
            else:
                cells += record(0x203, place + struct.pack("<d", value))
    start = record(0x809, struct.pack("<HHHHII", 0x600, 5, 0, 0, 0, 0)) + record(0x42, struct.pack("<H", 1200))
    sheet = record(0x809, struct.pack("<HHHHII", 0x600, 0x10, 0, 0, 0, 0)) + cells + record(0x0A, b"")
    bound = struct.pack("<IBB", 0, 0, 0) + text(name, "<B")
    offset = len(start) + len(record(0x85, bound)) + 4
    bound = struct.pack("<IBB", offset, 0, 0) + text(name, "<B")
    return (start + record(0x85, bound) + record(0x0A, b"") + sheet).ljust(8192, b"\0")


def mail_streams(head_bytes: int = 32, **texts: str | bytes) -> dict[str, bytes]:
    """Properties of an Outlook message: `p0037="subject"`; texts as UTF-16, bytes as they are."""
    streams = {"__properties_version1.0": bytes(head_bytes)}
    for name, value in texts.items():
        kind = "001F" if isinstance(value, str) else "0102"
        streams[f"__substg1.0_{name[1:]}{kind}"] = value.encode("utf-16-le") if isinstance(value, str) else value
    return streams
