"""Files in the container of old Office programs (OLE): workbooks (.xls) and mails of Outlook (.msg) are read, others named.

Knows what lies in such a container; the content decides, not the name of the file.
"""

from __future__ import annotations

import io

import olefile

from rlm_core.corpus.formats.calamine import read_workbook
from rlm_core.corpus.formats.msg import read_msg
from rlm_core.corpus.limits import Refused
from rlm_core.corpus.reading import Reading

_ENCRYPTED = frozenset({"encryptedpackage", "encryptioninfo"})
_NOT_READ = {
    "worddocument": "Word files of the old kind (.doc) are not read. Save it as .docx and upload it again.",
    "powerpoint document": "PowerPoint files of the old kind (.ppt) are not read. Save it as .pptx and upload it again.",
}


def read_old_office(data: bytes) -> Reading:
    """Raises `Refused` for what is encrypted, damaged, or of a kind that is not read."""
    try:
        with olefile.OleFileIO(io.BytesIO(data)) as container:
            names = {path[0].casefold() for path in container.listdir(streams=True, storages=True)}
            if "__properties_version1.0" in names:
                return read_msg(container)
    except OSError as error:
        raise Refused("malformed", f"The file is damaged or cut off and cannot be opened ({error}).") from error
    if names & _ENCRYPTED:
        raise Refused("encrypted", "The file is protected by a password. Save it without one and upload it again.")
    for name, reason in _NOT_READ.items():
        if name in names:
            raise Refused("unsupported", reason)
    if names & {"workbook", "book"}:
        return read_workbook(data)
    raise Refused("unsupported", "It is a container of an old Office program that holds no workbook and no mail.")
