"""Archives of made-up prose, of which no two sentences are alike, and ways in which code makes prompts of them."""

from __future__ import annotations

import json
import random
import textwrap
from collections.abc import Callable
from pathlib import Path

from rlm_core.corpus.corpus import Corpus
from rlm_core.corpus.ingest import Source, ingest
from rlm_core.evidence.fingerprints import Fingerprints

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def words(random_: random.Random, count: int = 4_000, letters: str = LETTERS) -> list[str]:
    return ["".join(random_.choices(letters, k=random_.randint(2, 9))) for _ in range(count)]


def prose(random_: random.Random, chars: int, vocabulary: list[str]) -> str:
    """Lines of some sentences each."""
    lines, size = [], 0
    while size < chars:
        sentences = [
            " ".join(random_.choices(vocabulary, k=random_.randint(4, 20))) for _ in range(random_.randint(1, 4))
        ]
        lines.append(". ".join(each.capitalize() for each in sentences) + ".")
        size += len(lines[-1]) + 1
    return "\n".join(lines) + "\n"


def archive(folder: Path, documents: dict[str, str]) -> Corpus:
    corpus, _ = ingest([Source(name, text.encode()) for name, text in documents.items()], folder / "corpora")
    assert corpus is not None
    return corpus


def fingerprints(folder: Path, *documents: str) -> Fingerprints:
    return Fingerprints.of(archive(folder, {f"{number:03}.txt": text for number, text in enumerate(documents)}))


def numbered(text: str) -> str:
    return "\n".join(f"{number}: {line}" for number, line in enumerate(text.split("\n"), 1))


CHANGES: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "wrapped anew": lambda text: textwrap.fill(" ".join(text.split()), 60),
    "indented": lambda text: textwrap.indent(text, "    "),
    "quoted": lambda text: textwrap.indent(text, "> "),
    "as a list": lambda text: textwrap.indent(text, "- "),
    "numbered": numbered,
    "wrapped and numbered": lambda text: numbered(textwrap.fill(" ".join(text.split()), 70)),
    "found by grep": lambda text: "\n".join(
        f"reports/april.txt:{n}: {line}" for n, line in enumerate(text.split("\n"))
    ),
    "in lower case": str.lower,
    "as JSON": lambda text: json.dumps({"text": text}),
    "as a list of Python": lambda text: repr([text]),
}
"""What code does to a part of a document before it shows it to a model."""
