"""An upload becomes a corpus, and every file of it a line in the report.

Knows the order of things: walk, tell duplicates, read, write. Refuses to know formats (`readers/`), archives (`archive.py`)
and limits (`limits.py`). One bad file never costs another.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from rlm_core.corpus.archive import Loose, Source, Walker
from rlm_core.corpus.converter import Converter
from rlm_core.corpus.corpus import Added, Corpus, CorpusWriter
from rlm_core.corpus.limits import Allowance, Refused
from rlm_core.corpus.names import shown
from rlm_core.corpus.readers import Reader, Reading, readers_with
from rlm_core.corpus.reading import Inside
from rlm_core.corpus.report import IngestReport, Item, ItemStatus
from rlm_core.errors import CorpusError
from rlm_core.held_folder import held_folder
from rlm_core.ingest_limits import IngestLimits

__all__ = ["IngestLimits", "Source", "ingest", "sources_of"]

UNFINISHED = ".new-"
"""How the folder of a corpus begins while it is being written."""


def sources_of(path: Path) -> list[Source]:
    """What uploading `path` means: a file is itself, a folder all files below it, sorted. Links inside a folder are listed
    (and refused when read), never followed. Raises `CorpusError` if there is nothing at `path`."""
    if path.is_file():
        return [Source(path.name, path.resolve())]
    if not path.is_dir():
        raise CorpusError(f"There is no file or folder {path}. Give the path of one that can be read.")
    found: list[Path] = []
    closed: list[OSError] = []  # folders that cannot be listed: reading them as files tells why
    for folder, folders, files in os.walk(path, onerror=closed.append):
        links = [name for name in folders if (Path(folder) / name).is_symlink()]
        found += [Path(folder) / name for name in (*files, *links)]
    found += [Path(error.filename) for error in closed]
    return [Source(each.relative_to(path).as_posix(), each) for each in sorted(found)]


def ingest(
    sources: Sequence[Source],
    corpora: Path,
    limits: IngestLimits | None = None,
    *,
    name: str | None = None,
    on_item: Callable[[Item], None] = lambda item: None,
) -> tuple[Corpus | None, IngestReport]:
    """Read an upload into a folder below `corpora`. The corpus is `None` where no document holds any text; the report says
    what became of each file, and `on_item` is told at once. Raises only where the disk fails."""
    started = time.monotonic()
    with held_folder(corpora, UNFINISHED) as folder, closing(CorpusWriter(folder)) as writer:
        with closing(Converter()) as converter:
            walker = Walker(Allowance(limits or IngestLimits()), folder)
            upload = _Upload(walker, readers_with(converter), writer, on_item)
            upload.take(walker.walk(sources))
        report = IngestReport(tuple(upload.items), round(time.monotonic() - started, 3))
        if not any(item.status == "ok" for item in report.items):
            return None, report
        return writer.finish(shown(name) if name else _name_of(sources), corpora, report), report


class _Upload:
    """The files of one upload on their way into the corpus."""

    def __init__(
        self, walker: Walker, readers: Mapping[str, Reader], writer: CorpusWriter, on_item: Callable[[Item], None]
    ) -> None:
        self.items: list[Item] = []
        self._on_item = on_item
        self._walker = walker
        self._readers = readers
        self._writer = writer
        self._seen: dict[bytes, str] = {}

    def take(self, files: Iterable[Loose | Item]) -> None:
        """Read each file, and what its reader finds inside it."""
        for found in files:
            if isinstance(found, Item):
                self._note(found)
                continue
            with closing(found.content) as content:
                if len(content) and (first := self._seen.get(content.digest)):
                    self._note(_duplicate(found, first))
                    continue
                item, inside = self._read(found)
            if item.status in ("ok", "empty"):
                self._seen[content.digest] = found.path
            self._note(item)
            self.take(self._walker.within(found, inside))

    def _note(self, item: Item) -> None:
        self.items.append(item)
        self._on_item(item)

    def _read(self, found: Loose) -> tuple[Item, tuple[Inside, ...]]:
        try:
            reading = self._readers[found.kind](found.content)
        except Refused as refused:
            return Item(found.path, refused.status, refused.reason, bytes=len(found.content), kind=found.kind), ()
        except Exception as error:  # one bad file must not cost the others, whatever its reader trips over
            reason = f"The file could not be read ({type(error).__name__}: {error})."
            return Item(found.path, "malformed", reason, bytes=len(found.content), kind=found.kind), ()
        text = reading.pieces() if reading.pieces else reading.text
        added = self._writer.add(found.path, found.kind, text, reading.units)
        return _item(found, reading, added), reading.inside


def _duplicate(found: Loose, first: str) -> Item:
    reason = f"The same bytes as {first}; read once."
    return Item(found.path, "duplicate", reason, bytes=len(found.content), kind=found.kind, duplicate_of=first)


def _item(found: Loose, reading: Reading, added: Added) -> Item:
    status, reason = _status(found, reading, added)
    return Item(
        found.path,
        status,
        reason,
        bytes=len(found.content),
        chars=added.chars,
        kind=found.kind,
        encoding=reading.encoding if len(found.content) else None,
        encoding_confidence=reading.encoding_confidence if len(found.content) else None,
        replaced=reading.replaced,
        lines=added.lines,
        rows=reading.rows,
        delimiter=reading.delimiter,
        bad_lines=reading.bad_lines,
        pages=reading.pages,
        pages_without_text=reading.pages_without_text,
        sheets=reading.sheets,
        cells=reading.cells,
        warning=reading.warning,
    )


def _status(found: Loose, reading: Reading, added: Added) -> tuple[ItemStatus, str]:
    if not added.blank:
        return "ok", ""
    if reading.pages:
        return "no-text-layer", "None of its pages has a text layer: they are pictures, which are not read."
    if not len(found.content):
        return "empty", "The file has no bytes."
    return "empty", "The file holds only white space." if found.kind != "html" else "The page shows no text."


def _name_of(sources: Sequence[Source]) -> str:
    first = shown(sources[0].name)
    return first if len(sources) == 1 else f"{first} and {len(sources) - 1:,} more"
