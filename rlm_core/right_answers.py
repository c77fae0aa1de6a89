"""Right answers as people hand them over: a JSON list of objects, or a table as CSV, with `question`, `answer` and `match`.

Pure: text in, rows and complaints out. A row may say which archive it is of, by `archive` or by the name of its `file`; other
fields are left alone. Refuses to know what is kept where.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from rlm_core.scoring import MATCHES, RightAnswer, is_usable
from rlm_core.task import Json

QUESTION_CHARS = 2_000
"""What of a question tells it from others: as much as a list of runs holds of it."""
MAX_ROWS, MAX_CHARS = 10_000, 20_000_000
LISTS = frozenset({"list", "set", "f1", "first"})


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """One row of a file."""

    question: str
    right: RightAnswer
    archive: str = ""
    """Name or id of the archive that it is of; empty where the row does not say."""


@dataclass(frozen=True, slots=True)
class GivenAnswers:
    rows: tuple[GivenAnswer, ...]
    refused: tuple[str, ...]
    """Why rows cannot be used, one sentence each."""


def question_key(question: str) -> str:
    """What is the same in two spellings of a question: its words, up to `QUESTION_CHARS`."""
    return " ".join(question[:QUESTION_CHARS].encode("utf-8", "replace").decode().split())


def read_answers(text: str) -> GivenAnswers:
    """The rows of a file. What cannot be read at all is one refused row."""
    if len(text) > MAX_CHARS:
        return GivenAnswers((), (f"The file has {len(text):,} characters, up to {MAX_CHARS:,} are read.",))
    try:
        raw = list(_rows(text.lstrip("\ufeff").strip()))
    except (ValueError, csv.Error, RecursionError) as error:
        return GivenAnswers((), (f"The file is neither a JSON list of objects nor a table: {error}.",))
    rows: list[GivenAnswer] = []
    refused = [f"Only the first {MAX_ROWS:,} of {len(raw):,} rows are read."] if len(raw) > MAX_ROWS else []
    for number, each in enumerate(raw[:MAX_ROWS], 1):
        try:
            rows.append(_given(each))
        except ValueError as error:
            refused.append(f"Row {number}: {error}")
    return GivenAnswers(tuple(rows), tuple(refused))


def _rows(text: str) -> Iterator[Any]:
    if text.startswith(("[", "{")):
        found = json.loads(text)
        yield from found if isinstance(found, list) else [found]
    else:
        yield from csv.DictReader(io.StringIO(text))


def _given(row: Any) -> GivenAnswer:
    if not isinstance(row, dict):
        raise ValueError("it is no object with question, answer and match.")
    question = question_key(str(row.get("question") or ""))
    answer = row.get("answer")
    if not question or answer in (None, ""):
        raise ValueError(f"it has no {'question' if not question else 'answer'}.")
    return GivenAnswer(question, right_answer(answer, str(row.get("match") or "exact")), _archive(row))


def right_answer(given: Any, match: str) -> RightAnswer:
    """An answer and the name of a way to match it. Of a text, as a table has it, the items of a list are parted by semicolons, or
    are JSON. Raises `ValueError` with the reason for what cannot be matched so."""
    match = match.strip().lower()
    if match not in MATCHES:
        raise ValueError(f"{match[:60]!r} is no way to match. Use one of: {', '.join(MATCHES)}.")
    right = RightAnswer(_answer(given, match), match)
    if not is_usable(right):
        raise ValueError(f"its answer cannot be matched as {match}.")
    return right


def _answer(given: Any, match: str) -> Any:
    if not isinstance(given, str) or match not in (*LISTS, "table"):
        return given
    if given.lstrip().startswith("["):
        try:
            return json.loads(given)
        except (ValueError, RecursionError) as error:
            raise ValueError(f"its answer begins as a JSON list and is none: {error}.") from error
    return [each.strip() for each in given.split(";") if each.strip()]


def _archive(row: Json) -> str:
    named = str(row.get("archive") or "").strip()
    return named or PurePosixPath(str(row.get("file") or "").strip()).name
