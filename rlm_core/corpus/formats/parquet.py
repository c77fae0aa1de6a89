"""A parquet file becomes a table in the form of CSV: a line with the names of the columns, then a record for each row.

Read batch by batch, so that only the text is ever whole. Integers keep all their digits; lists and records become JSON; missing
values are empty fields. Not covered: files whose columns are encrypted.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator

import pyarrow
from pyarrow import parquet, types

from rlm_core.corpus.formats.parts import MAX_CHARS
from rlm_core.corpus.limits import Refused
from rlm_core.corpus.reading import Reading

_ROWS_AT_ONCE = 1_000
_NO_FRACTION = re.compile(r"\.0+(?![0-9])")


def read_parquet(data: bytes, max_chars: int = MAX_CHARS) -> Reading:
    """Raises `Refused` for what is damaged."""
    pyarrow.set_memory_pool(pyarrow.system_memory_pool())
    try:
        file = parquet.ParquetFile(pyarrow.BufferReader(data))
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        raise Refused("malformed", f"The file is damaged: it cannot be opened as parquet ({error}).") from error
    text, read, warning = io.StringIO(newline=""), 0, ""
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(file.schema_arrow.names)
    try:
        for record in _records(file):
            if text.tell() > max_chars:
                warning = f"Its text is longer than a document may have: only its first {read:,} rows were read."
                break
            writer.writerow(record)
            read += 1
    except (pyarrow.ArrowException, OSError) as error:
        warning = f"It is damaged: only its first {read:,} rows could be read ({error})."
    return Reading(text.getvalue(), warning=warning, rows=file.metadata.num_rows, delimiter=",")


def _records(file: parquet.ParquetFile) -> Iterator[tuple[str, ...]]:
    for batch in file.iter_batches(batch_size=_ROWS_AT_ONCE, use_threads=False):
        yield from zip(*(_texts(column) for column in batch.columns), strict=True)


def _texts(column: pyarrow.Array) -> list[str]:
    if types.is_dictionary(column.type):
        column = column.dictionary_decode()
    kind = column.type
    if types.is_nested(kind):
        return [
            "" if each is None else json.dumps(each, ensure_ascii=False, default=str) for each in column.to_pylist()
        ]
    if types.is_binary(kind) or types.is_large_binary(kind) or types.is_fixed_size_binary(kind):
        return ["" if each is None else _text_of(each) for each in column.to_pylist()]
    if types.is_null(kind):
        return [""] * len(column)
    try:
        texts = column.cast(pyarrow.string()).to_pylist()
    except pyarrow.ArrowNotImplementedError:  # its word for a type that has no cast to text
        texts = [each if each is None else str(each) for each in column.to_pylist()]
    return ["" if each is None else _NO_FRACTION.sub("", each) if types.is_temporal(kind) else each for each in texts]


def _text_of(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.hex()
