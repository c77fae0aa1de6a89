"""What kind of file this is, from its first bytes and its name. The content decides; the name refines, and is held to its word.

Knows the kinds; refuses to know how one is read (`readers/`) or unpacked (`zips.py`, `tars.py`).
"""

from __future__ import annotations

import re
from collections.abc import Collection

from rlm_core.corpus.limits import Refused

HEAD_BYTES = 8192
"""How much of a file must be at hand to tell its kind."""

CONTAINERS = frozenset({"zip", "tar", "gz", "bz2", "xz", "zst", "7z", "mbox"})
"""Kinds that are opened and whose members are read."""

READ_IN_BLOCKS = frozenset({"text", "markdown", "log", "code", "config", "xml", "csv", "json", "jsonl"})
"""Kinds that may be larger than the memory: text that is kept word for word."""

_SIGNATURES: tuple[tuple[int, bytes, str], ...] = (
    (0, b"PK\x03\x04", "zip"),
    (0, b"PK\x05\x06", "zip"),
    (0, b"\x1f\x8b", "gz"),
    (0, b"BZh", "bz2"),
    (0, b"\xfd7zXZ\0", "xz"),
    (257, b"ustar", "tar"),
    (0, b"7z\xbc\xaf\x27\x1c", "7z"),
    (0, b"Rar!\x1a\x07", "rar"),
    (0, b"\x28\xb5\x2f\xfd", "zst"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "ole"),
    (0, b"{\\rtf", "rtf"),
    (0, b"PAR1", "parquet"),
    (0, b"SQLite format 3\0", "sqlite"),
    (0, b"\x89PNG", "image"),
    (0, b"\xff\xd8\xff", "image"),
    (0, b"GIF8", "image"),
    (0, b"II*\0", "image"),
    (0, b"MM\0*", "image"),
    (0, b"BM", "image"),
    (0, b"RIFF", "media"),
    (4, b"ftyp", "media"),
    (0, b"ID3", "media"),
    (0, b"OggS", "media"),
    (0, b"fLaC", "media"),
    (0, b"\x1a\x45\xdf\xa3", "media"),
    (0, b"\x7fELF", "executable"),
    (0, b"MZ", "executable"),
    (0, b"\xca\xfe\xba\xbe", "executable"),
    (0, b"\xcf\xfa\xed\xfe", "executable"),
    (0, b"\0asm", "executable"),
    (0, b"wOFF", "font"),
    (0, b"wOF2", "font"),
    (0, b"\0\1\0\0\0", "font"),
)
_ALSO_TEXT = frozenset(
    {b"PAR1", b"GIF8", b"BM", b"RIFF", b"ftyp", b"ID3", b"OggS", b"fLaC", b"MZ", b"wOFF", b"wOF2", b"BZh"}
)
"""Signatures that a text may begin with: they count only where NUL bytes follow."""

_BY_EXTENSION = {
    "md": "markdown",
    "markdown": "markdown",
    "mdx": "markdown",
    "csv": "csv",
    "tsv": "csv",
    "tab": "csv",
    "psv": "csv",
    "json": "json",
    "geojson": "json",
    "jsonl": "jsonl",
    "ndjson": "jsonl",
    "log": "log",
    "html": "html",
    "htm": "html",
    "xhtml": "html",
    "xml": "xml",
    "zip": "zip",  # whatever stands before it: only its end counts
    "tar": "tar",  # the oldest tars have no signature
    "eml": "eml",
    "mbox": "mbox",
    "p7s": "signature",
    "p7m": "signature",
    "sig": "signature",
    **dict.fromkeys(("toml", "yaml", "yml", "ini", "cfg", "conf", "properties"), "config"),
    **dict.fromkeys(
        (
            "py",
            "js",
            "ts",
            "jsx",
            "tsx",
            "java",
            "c",
            "h",
            "cc",
            "cpp",
            "hpp",
            "cs",
            "go",
            "rs",
            "rb",
            "php",
            "pl",
            "sh",
        ),
        "code",
    ),
    **dict.fromkeys(
        ("bash", "ps1", "sql", "r", "swift", "kt", "scala", "lua", "css", "scss", "vue", "m", "f90", "tex"),
        "code",
    ),
}
_OLD_OFFICE = {"doc": "doc", "dot": "doc", "ppt": "ppt", "pps": "ppt", "xls": "xls", "xlt": "xls", "msg": "msg"}
"""Kinds by extension of what begins as old Office files do."""
_NEW_OFFICE = frozenset(("docx", "docm", "dotx", "xlsx", "xlsm", "xlsb", "xltx", "pptx", "pptm", "ppsx"))
"""Extensions of files that begin so only if they have a password."""
_PROMISES = _NEW_OFFICE | {"7z", "rar", "gz", "tgz", "bz2", "xz", "pdf", "odt", "ods", "odp", "epub", "parquet"}
"""Extensions whose files begin with a known signature: without one, the file is damaged."""

_NOT_READ = {
    "doc": "Word files of the old kind (.doc)",
    "ppt": "PowerPoint files of the old kind (.ppt)",
    "sqlite": "SQLite databases",
}
_NEVER_READ = {
    "rar": "RAR archives are not opened. Unpack it and upload the folder, or pack it as zip.",
    "image": "Images hold no text that could be read.",
    "media": "Sound and film are not read.",
    "executable": "Programs are not read. If it unpacks itself, unpack it and upload the folder.",
    "font": "Fonts hold no text.",
    "signature": "A digital signature holds no text.",
    "binary": "It is binary data of an unknown kind, not text.",
}
_ZIP_FAMILY = (("word/", "docx"), ("xl/", "xlsx"), ("ppt/", "pptx"))
_MIME_FAMILY = {
    b"application/vnd.oasis.opendocument.text": "odt",
    b"application/vnd.oasis.opendocument.spreadsheet": "ods",
    b"application/vnd.oasis.opendocument.presentation": "odp",
    b"application/epub+zip": "epub",
}
_MAILBOX = re.compile(rb"From [^\n]{1,200}\d\d:\d\d[^\n]{0,100}\n[A-Za-z][\w-]*:")
_HEADERS = re.compile(rb"[A-Za-z][\w-]{1,70}:[^\n]*\n[A-Za-z \t]")
_MAIL_HEADER = re.compile(
    rb"^(From|Message-ID|Received|MIME-Version|Return-Path|Delivered-To):", re.IGNORECASE | re.MULTILINE
)
"""Two of these say that a file of headers is a mail."""


def extension(name: str) -> str:
    """The letters after the last dot of the file's name, in lower case, or ""."""
    base = re.split(r"[/\\]", name)[-1]
    return base.rpartition(".")[2].casefold() if "." in base else ""


def kind_of(name: str, head: bytes) -> str:
    """The kind of a file with this name and these first bytes (`HEAD_BYTES` or all of it). Text of any kind counts as text.

    Raises `Refused` where the content breaks the promise of the name.
    """
    found, suffix = _by_signature(head), extension(name)
    if found == "ole" and suffix in _OLD_OFFICE:
        return _OLD_OFFICE[suffix]
    if found == "ole" and suffix in _NEW_OFFICE:
        raise Refused("encrypted", "The file is protected by a password. Save it without one and upload it again.")
    if found is None and head and suffix in _PROMISES:
        raise Refused(
            "malformed", f"It is named .{suffix}, but its content is nothing of that kind: damaged or misnamed."
        )
    return found or _BY_EXTENSION.get(suffix) or _text_kind(head)


def kind_in_zip(names: Collection[str], first: bytes) -> str | None:
    """The document that a zip file really is, from its members' names and the content of `mimetype`; `None`: an archive."""
    if "[Content_Types].xml" in names:
        return next((kind for folder, kind in _ZIP_FAMILY if any(name.startswith(folder) for name in names)), None)
    return _MIME_FAMILY.get(first.strip())


def not_read_reason(kind: str) -> str | None:
    """Why files of this kind are not read, in a sentence; `None` for kinds that may be."""
    if kind in _NOT_READ:
        return f"{_NOT_READ[kind]} are not read yet."
    return _NEVER_READ.get(kind)


def _by_signature(head: bytes) -> str | None:
    if b"%PDF-" in head[:1024]:
        return "pdf"
    for offset, signature, kind in _SIGNATURES:
        if head.startswith(signature, offset) and (signature not in _ALSO_TEXT or b"\0" in head):
            return kind
    return None


def _text_kind(head: bytes) -> str:
    start = head[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith((b"<!doctype html", b"<html")):
        return "html"
    if _MAILBOX.match(head):
        return "mbox"
    if _HEADERS.match(head) and len({name.lower() for name in _MAIL_HEADER.findall(head)}) > 1:
        return "eml"
    return "xml" if start.startswith(b"<?xml") else "text"
