"""Files of records: their text word for word, and a count of the records in them.

Knows CSV (any delimiter), JSON and JSON lines well enough to count and to warn; what is wrong with a record is never a
reason to lose its text.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from rlm_core.corpus.encoding import Bytes
from rlm_core.corpus.readers.text import read_large_text, read_text
from rlm_core.corpus.reading import Reading

_DELIMITERS = ",;\t|^~"
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_SAMPLE_RECORDS = 100
_SAMPLE_CHARS = 64 * 1024
_COUNTED_BYTES = 64 * 1024 * 1024
"""The records of larger files are not counted."""
_BAD_LINES_KEPT = 100


def read_csv(data: bytes) -> Reading:
    """Text with its delimiter and the number of records without the header."""
    reading = read_text(data)
    delimiter = _delimiter(reading.text)
    return _counted(reading, delimiter, _lines(reading.text))


def read_large_csv(data: Bytes) -> Reading:
    """The same, piece by piece; records are counted up to `_COUNTED_BYTES`."""
    reading = read_large_text(data)
    delimiter = _delimiter(next(_pieces_of(reading), "")[:_SAMPLE_CHARS])
    if len(data) > _COUNTED_BYTES:
        return replace(reading, delimiter=delimiter)
    return _counted(reading, delimiter, _lines_of_pieces(_pieces_of(reading)))


def read_json(data: bytes) -> Reading:
    """Text, with a warning if it is not one valid JSON value."""
    reading = read_text(data)
    error = _json_error(reading.text) if reading.text.strip() else ""
    return _warned(reading, f"It is not valid JSON: {error}.") if error else reading


def read_jsonl(data: bytes) -> Reading:
    """Text with the number of valid records and the lines that are none."""
    reading = read_text(data)
    return _checked(reading, _lines(reading.text))


def read_large_jsonl(data: Bytes) -> Reading:
    """The same, piece by piece; records are checked up to `_COUNTED_BYTES`."""
    reading = read_large_text(data)
    return reading if len(data) > _COUNTED_BYTES else _checked(reading, _lines_of_pieces(_pieces_of(reading)))


def _counted(reading: Reading, delimiter: str, lines: Iterator[str]) -> Reading:
    reading = replace(reading, delimiter=delimiter)
    try:
        records = sum(1 for record in csv.reader(lines, delimiter=delimiter) if record)
    except csv.Error as error:
        return _warned(reading, f"Its records could not be counted ({error}).")
    return replace(reading, rows=max(records - 1, 0)) if records else reading


def _checked(reading: Reading, lines: Iterator[str]) -> Reading:
    rows, wrong, bad = 0, 0, list[int]()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        if not _json_error(line):
            rows += 1
            continue
        wrong += 1
        if len(bad) < _BAD_LINES_KEPT:
            bad.append(number)
    reading = replace(reading, rows=rows, bad_lines=tuple(bad))
    if not wrong:
        return reading
    listed = ", ".join(map(str, bad[:10])) + (f" and {wrong - 10:,} more" if wrong > 10 else "")
    return _warned(reading, f"Not valid JSON: line {listed}." if wrong == 1 else f"Not valid JSON: lines {listed}.")


def _delimiter(text: str) -> str:
    """The delimiter that cuts most of the first records into the same number of fields, two or more; else the comma."""
    best, best_score = ",", (0.0, 0)
    for delimiter in _DELIMITERS:
        try:
            widths = [
                len(record)
                for record in islice(csv.reader(_lines(text), delimiter=delimiter), _SAMPLE_RECORDS)
                if record
            ]
        except csv.Error:
            continue
        if not widths:
            break
        width, count = Counter(widths).most_common(1)[0]
        score = (count / len(widths), width) if width > 1 else (0.0, 0)
        if score > best_score:
            best, best_score = delimiter, score
    return best


def _json_error(text: str) -> str:
    try:
        json.loads(text, parse_int=str, parse_float=str)
    except json.JSONDecodeError as error:
        return f"{error.msg} in line {error.lineno}"
    except RecursionError:
        return "nested too deeply"
    return ""


def _warned(reading: Reading, warning: str) -> Reading:
    return replace(reading, warning=f"{reading.warning} {warning}".strip())


def _lines(text: str) -> Iterator[str]:
    return (match[0] for match in _LINE.finditer(text))


def _pieces_of(reading: Reading) -> Iterator[str]:
    return reading.pieces() if reading.pieces else iter(())


def _lines_of_pieces(found: Iterator[str]) -> Iterator[str]:
    rest = ""
    for piece in found:
        *lines, rest = (rest + piece).split("\n")
        yield from (f"{line}\n" for line in lines)
    if rest:
        yield rest
