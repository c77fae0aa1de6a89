"""The words of RTF that matter to its text: which groups hold none, which signs they stand for, which code pages they name."""

from __future__ import annotations

import codecs
import re

TOKEN = re.compile(
    rb"\\([A-Za-z]{1,32})(-?\d{1,10})? ?|\\'([0-9A-Fa-f]{2})|\\([^A-Za-z'])|([{}])|([^\\{}\r\n]+)|[\r\n]+"
)
DEAD = frozenset(
    (
        *(
            "aftncn",
            "aftnsep",
            "aftnsepc",
            "bkmkend",
            "bkmkstart",
            "colortbl",
            "datafield",
            "fldinst",
            "fontemb",
            "ftncn",
        ),
        *(
            "ftnsep",
            "ftnsepc",
            "generator",
            "info",
            "listoverridetable",
            "listtable",
            "nonesttables",
            "objdata",
            "pict",
        ),
        *(
            "revtbl",
            "rsidtbl",
            "rxe",
            "shprslt",
            "sn",
            "stylesheet",
            "sv",
            "tc",
            "template",
            "themedata",
            "txe",
            "xe",
            "filetbl",
        ),
    )
)
"""Groups without text for people."""
SILENT = frozenset(("shpinst", "upr"))
"""Groups whose own text is not for people, while that of these groups inside them is:"""
HEARD_AGAIN = frozenset(("shptxt", "ud"))
BOXES = {"footnote": "", "annotation": "Comment by {}: ", "shptxt": ""}
BESIDE = {f"{word}{side}": f"{word.title()}s" for word in ("header", "footer") for side in ("", "l", "r", "f")}
LETTERS = {
    **{"tab": "\t", "line": "\n", "lbr": "\n", "nestcell": "\t", "nestrow": "\n", "emdash": "—", "endash": "–"},
    **{"emspace": "\u2003", "enspace": "\u2002", "qmspace": "\u2005", "bullet": "•", "lquote": "‘", "rquote": "’"},
    **{"ldblquote": "“", "rdblquote": "”", "zwj": "\u200d", "zwnj": "\u200c"},
}
SIGNS = {b"~": "\xa0", b"-": "\xad", b"_": "\N{NON-BREAKING HYPHEN}", b"{": "{", b"}": "}", b"\\": "\\"}
ENDS_OF_PARAGRAPHS = frozenset(("par", "sect", "page", "column"))
CODE_PAGES = {"mac": "mac_roman", "pc": "cp437", "pca": "cp850"}
CHARSETS = {
    **{
        2: "symbol",
        77: "mac_roman",
        128: "cp932",
        129: "cp949",
        130: "johab",
        134: "gb18030",
        136: "cp950",
        161: "cp1253",
    },
    **{
        162: "cp1254",
        163: "cp1258",
        177: "cp1255",
        178: "cp1256",
        186: "cp1257",
        204: "cp1251",
        222: "cp874",
        238: "cp1250",
    },
}


def known_page(page: str, otherwise: str) -> str:
    page = {"cp10000": "mac_roman", "cp65001": "utf-8", "cp936": "gb18030"}.get(page, page)
    try:
        return codecs.lookup(page).name
    except LookupError:
        return otherwise
