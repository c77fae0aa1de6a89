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

from rlm_core.corpus.readers.text import read_text
from rlm_core.corpus.reading import Reading

_DELIMITERS = ",;\t|"
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_SAMPLE_RECORDS = 100
_CHECKED_CHARS = 64 * 1024 * 1024
"""Larger files are read without being checked."""
_BAD_LINES_KEPT = 100


def read_csv(data: bytes) -> Reading:
    """Text with its delimiter and the number of records without the header."""
    reading = read_text(data)
    delimiter = _delimiter(reading.text)
    if not reading.text.strip() or len(reading.text) > _CHECKED_CHARS:
        return replace(reading, delimiter=delimiter)
    try:
        records = sum(1 for record in csv.reader(_lines(reading.text), delimiter=delimiter) if record)
    except csv.Error as error:
        return _warned(replace(reading, delimiter=delimiter), f"Its records could not be counted ({error}).")
    return replace(reading, delimiter=delimiter, rows=max(records - 1, 0))


def read_json(data: bytes) -> Reading:
    """Text, with a warning if it is not one valid JSON value."""
    reading = read_text(data)
    if not reading.text.strip() or len(reading.text) > _CHECKED_CHARS:
        return reading
    error = _json_error(reading.text)
    return _warned(reading, f"It is not valid JSON: {error}.") if error else reading


def read_jsonl(data: bytes) -> Reading:
    """Text with the number of valid records and the lines that are none."""
    reading = read_text(data)
    if len(reading.text) > _CHECKED_CHARS:
        return reading
    rows, bad = 0, []
    for number, line in enumerate(_lines(reading.text), 1):
        if not line.strip():
            continue
        if _json_error(line):
            bad.append(number)
        else:
            rows += 1
    reading = replace(reading, rows=rows, bad_lines=tuple(bad[:_BAD_LINES_KEPT]))
    if not bad:
        return reading
    listed = ", ".join(map(str, bad[:10])) + (f" and {len(bad) - 10:,} more" if len(bad) > 10 else "")
    return _warned(reading, f"Not valid JSON: line {listed}." if len(bad) == 1 else f"Not valid JSON: lines {listed}.")


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
