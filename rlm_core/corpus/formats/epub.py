"""An EPUB book becomes its chapters, in the order of reading, one unit each, parted by blank lines.

Covered: names written as addresses (`chapter%201.xhtml`); copy protection; chapters that are damaged or missing, which cost
only themselves.
Not covered: titles of chapters beyond what stands in their text; pictures; notes are where the book keeps them.
"""

from __future__ import annotations

import posixpath
from urllib.parse import unquote

from rlm_core.corpus.encoding import declared_encoding, decode
from rlm_core.corpus.formats.html import read_page
from rlm_core.corpus.formats.html_traps import is_trap
from rlm_core.corpus.formats.package import Element, Package, local
from rlm_core.corpus.formats.parts import Parts, listed
from rlm_core.corpus.limits import Refused
from rlm_core.corpus.reading import Reading

_CONTAINER, _ENCRYPTION = "META-INF/container.xml", "META-INF/encryption.xml"
_PAGES = frozenset({"application/xhtml+xml", "text/html", "application/x-dtbook+xml"})


def read_epub(data: bytes) -> Reading:
    """Raises `Refused` for what is protected, a bomb, or no book."""
    package = Package(data)
    names = _chapters(package)
    locked = _locked(package)
    if names and all(name in locked for name in names):
        raise Refused("encrypted", "The book is protected against copying. Upload one without protection.")
    chapters, damaged = Parts("chapter"), []
    for number, name in enumerate(names, 1):
        try:
            text = "" if name in locked else _text(package.read(name))
        except Refused:
            text = ""
            damaged.append(number)
        if not chapters.add(str(number), text):
            break
    return chapters.reading(
        f"Damaged and not read: {listed('chapter', damaged)}." if damaged else "",
        "Protected chapters were not read." if locked.intersection(names) else "",
        package.damage,
    )


def _chapters(package: Package) -> list[str]:
    """The names of the chapters as the book orders them; of a book without an order, all its pages."""
    listing = next((each.get("full-path") for each in _all(package.xml(_CONTAINER), "rootfile")), None) or ""
    book = package.xml(unquote(listing))
    folder = posixpath.dirname(unquote(listing))
    pages = {
        each.get("id"): posixpath.normpath(posixpath.join(folder, unquote(each.get("href", "").partition("#")[0])))
        for each in _all(book, "item")
        if each.get("media-type") in _PAGES
    }
    ordered = [pages[each.get("idref")] for each in _all(book, "itemref") if each.get("idref") in pages]
    return list(dict.fromkeys(ordered or pages.values()))


def _text(data: bytes) -> str:
    page = decode(data, declared_encoding(data)).text
    if is_trap(page):
        raise Refused("malformed", "The chapter nests its tags as no real book does.")
    return read_page(page.encode("utf-8", "replace")).text


def _locked(package: Package) -> set[str]:
    """The names of what is encrypted: often only fonts, which is no protection."""
    if _ENCRYPTION not in package:
        return set()
    roots = package.side(_ENCRYPTION)
    return {unquote(each.get("URI", "")) for root in roots for each in _all(root, "CipherReference")}


def _all(root: Element, name: str) -> list[Element]:
    return [each for each in root.iter() if local(each.tag) == name]
