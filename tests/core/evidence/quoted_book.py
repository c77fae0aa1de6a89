"""A generated book of any length, quotes from it, and the ways in which quotes go wrong. No real person or place is meant.

Run as a script it measures how many quotes are found at each level, and in what time:

    python tests/core/evidence/quoted_book.py [characters of the book]
"""

import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from rlm_core.corpus.corpus import Corpus
from rlm_core.corpus.ingest import Source, ingest
from rlm_core.evidence.deciding import decides
from rlm_core.evidence.quotes import Place, locate

_SYLLABLES = "ba ce di fo gu la me ni po ru sa te vi xo zu bra cle dri flo gru pla sme tri"
_NAMES = [
    "Ortiz",
    "Lindqvist",
    "Hallam",
    "Meyer",
    "Okafor",
    "Tanaka",
    "Novak",
    "Dubois",
    "Rossi",
    "Schmidt",
    "Petrov",
    "Aalto",
]
_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


def book(chars: int, seed: int) -> str:
    """Paragraphs of sentences in an unknown language, with English negations, names, dates and numbers."""
    chance = random.Random(seed)
    words = ["".join(chance.choices(_SYLLABLES.split(), k=chance.randint(1, 4))) for _ in range(4_000)]
    sentences: list[str] = []
    size = 0
    while size < chars:
        sentences.append(
            _sentence(chance, words) + ("\n\n" if chance.random() < 0.15 else "\n" if chance.random() < 0.3 else " ")
        )
        size += len(sentences[-1])
    return "".join(sentences)


def _sentence(chance: random.Random, words: list[str]) -> str:
    said = chance.choices(words, k=chance.randint(9, 16))
    said.insert(2, chance.choice(_NAMES))
    said.insert(5, f"{chance.randint(1, 28)} {chance.choice(_MONTHS)} {chance.randint(1990, 2024)}")
    said.insert(7, f"{chance.randint(11, 9999)} kg")
    if chance.random() < 0.5:
        said.insert(4, chance.choice(["not", "never", "without"]))
    return f"{said[0].capitalize()} {' '.join(said[1:])}."


def quotes_of(text: str, count: int, seed: int) -> Iterator[tuple[int, str]]:
    """Sentences of the book, each with where it stands."""
    sentences = list(re.finditer(r"[A-Z][^.]*\.", text))
    for match in random.Random(seed).sample([each for each in sentences if "\n" not in each[0]], count):
        yield match.start(), match[0]


def loosely(quote: str, chance: random.Random) -> str:
    """As it would be typed by somebody else: other spaces, capitals and quotation marks."""
    return f"“{quote.upper()}”".replace(" ", chance.choice(["  ", "\n", "\u00a0"]), 3)


def reworded(quote: str, chance: random.Random) -> str:
    """With a tenth of the words changed, none of them one that decides."""
    words = quote.split(" ")
    may = [at for at, word in enumerate(words) if at and not decides(word.strip(".")) and len(word) > 3]
    for at in chance.sample(may, max(1, len(words) // 10)):
        words[at] = words[at][::-1] if chance.random() < 0.5 else f"{words[at]}s"
    return " ".join(words)


def with_another_digit(quote: str, chance: random.Random) -> str:
    at = chance.choice([match.start() for match in re.finditer(r"\d", quote)])
    return quote[:at] + str((int(quote[at]) + chance.randint(1, 9)) % 10) + quote[at + 1 :]


def with_a_not_more_or_less(quote: str, chance: random.Random) -> str:
    if negated := re.search(r" (?:not|never|without)(?= )", quote):
        return quote.replace(negated[0], "", 1)
    words = quote.split(" ")
    words.insert(chance.randint(2, len(words) - 2), "not")
    return " ".join(words)


def with_another_name(quote: str, chance: random.Random) -> str:
    return re.sub("|".join(_NAMES), lambda match: chance.choice([n for n in _NAMES if n != match[0]]), quote)


def with_another_date(quote: str, chance: random.Random) -> str:
    return re.sub("|".join(_MONTHS), lambda match: chance.choice([m for m in _MONTHS if m != match[0]]), quote)


def backwards(quote: str, chance: random.Random) -> str:
    return quote[::-1]


NEAR_MISSES = (with_another_digit, with_a_not_more_or_less, with_another_name, with_another_date)
Change = Callable[[str, random.Random], str]


def found(corpus: Corpus, text: str, change: Change | None, count: int, seed: int) -> Iterator[tuple[Place, int, str]]:
    """What becomes of changed quotes: each with where it stands and what was asked."""
    chance = random.Random(seed)
    for at, quote in quotes_of(text, count, seed):
        asked = change(quote, chance) if change else quote
        yield locate(asked, corpus, timeout_s=20), at, asked


def main(chars: int) -> None:
    text = book(chars, 1)
    with tempfile.TemporaryDirectory() as folder:
        corpus, _ = ingest([Source("book.txt", text.encode())], Path(folder))
        locate("to have it in normal form", corpus)
        for change, count in (
            (None, 60),
            (loosely, 60),
            (reworded, 60),
            *((each, 50) for each in NEAR_MISSES),
            (backwards, 60),
        ):
            times, verdicts, right = [], Counter[str](), 0
            began = time.process_time()
            for place, at, _ in found(corpus, text, change, count if chars <= 2_000_000 else 5, 7):
                times.append(time.process_time() - began)
                verdicts[place.verdict] += 1
                right += place.start is not None and abs(place.start - at) < 3
                began = time.process_time()
            name = change.__name__ if change else "as it stands"
            middle, most = sorted(times)[len(times) // 2], max(times)
            print(f"{name:24} {dict(verdicts)}, {right} at the right place, CPU {middle:.4f} s, at most {most:.4f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
