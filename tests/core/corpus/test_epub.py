"""Books: their chapters in order."""

from office_making import package_of

CONTAINER = "<container><rootfiles><rootfile full-path='OPS/book.opf'/></rootfiles></container>"
OPF = """<package xmlns="http://www.idpf.org/2007/opf"><manifest>
<item id="b" href="two%20words.xhtml" media-type="application/xhtml+xml"/>
<item id="a" href="../one.xhtml#top" media-type="text/html"/>
<item id="c" href="gone.xhtml" media-type="application/xhtml+xml"/><item id="css" href="style.css" media-type="text/css"/>
</manifest><spine><itemref idref="a"/><itemref idref="b"/><itemref idref="c"/></spine></package>"""
ONE = (
    '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "http://www.w3.org/xhtml11.dtd"><html>'
    "<head><title>The Book</title></head><body><h1>One</h1><p>Caf&eacute;&nbsp;open</p></body></html>"
)


def book(**more: str) -> bytes:
    parts = {"mimetype": "application/epub+zip", "META-INF/container.xml": CONTAINER, "OPS/book.opf": OPF}
    return package_of({**parts, "one.xhtml": ONE, "OPS/two words.xhtml": "<html><p>Two</p></html>", **more})


def test_chapters_are_units_in_the_order_of_the_book(read):
    got = read({"a.epub": book()})
    assert got.text("a.epub") == "The Book\nOne\nCafé\xa0open\n\nTwo\n\n"
    units = got.corpus.find("a.epub").units
    assert (units.kind, [unit.label for unit in units.spans]) == ("chapter", ["1", "2", "3"])
    assert "chapter 3" in got["a.epub"].warning
    assert got["a.epub"].kind == "epub"


def test_a_protected_book_is_told_and_protected_fonts_are_no_protection(read):
    locked = (
        "<encryption><EncryptedData><CipherData><CipherReference URI='{}'/></CipherData></EncryptedData></encryption>"
    )
    every = "".join(locked.format(name) for name in ("one.xhtml", "OPS/two%20words.xhtml", "OPS/gone.xhtml"))
    files = {
        "locked.epub": book(**{"META-INF/encryption.xml": f"<all>{every}</all>"}),
        "fonts.epub": book(**{"META-INF/encryption.xml": locked.format("OPS/font.otf")}),
    }
    assert read(files).statuses == {"locked.epub": "encrypted", "fonts.epub": "ok"}


def test_a_book_without_its_list_of_chapters_is_malformed(read):
    assert read({"a.epub": book(**{"META-INF/container.xml": "<container/>"})})["a.epub"].status == "malformed"
