"""Formats that need a parser: bytes to `Reading`, each in a module of its own.

Runs in the converter process (`convert_process.py`), which has a limit on memory and is killed when it takes too long. A
new format is a module here with one function, a row in `FORMATS`, and its signature in `kinds.py`. A function raises `Refused`
where the file is encrypted, or is none of its kind; whatever else it raises costs the file and is told as damage.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import cast

from rlm_core.corpus.reading import Reading

Parse = Callable[[bytes], Reading]

FORMATS = {
    "docx": "docx.read_docx",
    "eml": "mail.read_mail",
    "epub": "epub.read_epub",
    "html": "html.read_page",
    "msg": "old_office.read_old_office",
    "odp": "opendocument.read_odp",
    "ods": "opendocument.read_ods",
    "odt": "opendocument.read_odt",
    "ole": "old_office.read_old_office",
    "parquet": "parquet.read_parquet",
    "pdf": "pdf.read_pdf",
    "pptx": "pptx.read_pptx",
    "rtf": "rtf.read_rtf",
    "xls": "old_office.read_old_office",
    "xlsx": "xlsx.read_xlsx",
}
"""Kind -> module and function here. A parser is imported when the first file of its kind comes."""


def parser_of(kind: str) -> Parse:
    """The function that reads this kind. Raises `KeyError` for a kind without one."""
    module, _, function = FORMATS[kind].partition(".")
    return cast(Parse, getattr(import_module(f"{__name__}.{module}"), function))
