"""Which encoding do these few lines look like? chardet's statistics, held to what people write.

chardet judges bytes alone and is easily wrong on a short text; here its scores are checked against the text that each
encoding would give. Refuses to know files: it is handed the lines that matter (`encoding.py`, `names.py`).
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from dataclasses import dataclass

import chardet

FALLBACK = "cp1252"
_WIDER = {
    "shift_jis": "cp932",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "hz": "gb18030",
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "euc_kr": "cp949",
    "tis-620": "cp874",
}
_LOOKED_FOR = (
    *("cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258", "cp874"),
    *("iso8859-2", "iso8859-5", "iso8859-7", "koi8-r", "koi8-u", "cp866"),
    *("cp932", "euc_jis_2004", "gb18030", "big5hkscs", "cp949"),
)
_EAST_ASIAN = frozenset({"cp932", "euc_jis_2004", "gb18030", "big5hkscs", "cp949"})
_NEVER_SURER = 0.95
_LATIN = frozenset({"cp1250", "cp1257", "cp1258", "iso8859-2"})
_OTHER_SCRIPTS = frozenset(
    ("cp1251", "cp1253", "cp1255", "cp1256", "cp874", "iso8859-5", "iso8859-7", "koi8-r", "koi8-u", "cp866")
)
_INSIDE_A_WORD = re.compile(r"[A-Za-z][^\x00-\x7f]{1,2}[A-Za-z]")
_BESIDE_A_LETTER = re.compile(r"[A-Za-z][^\W\x00-\x7f]|[^\W\x00-\x7f][A-Za-z]")
_SINGLE = re.compile(r"(?<![^\x00-\x7f])[^\x00-\x7f](?![^\x00-\x7f])")
_NON_ASCII_RUN = re.compile(r"[^\x00-\x7f]+")
_C1 = re.compile(r"[\x80-\x9f]")


@dataclass(frozen=True, slots=True)
class Guess:
    """An encoding and how far it leads, 0 to 1: its score against that of the best rival that would read other text."""

    encoding: str
    confidence: float


def rank(sample: bytes, encodings: Sequence[str] = _LOOKED_FOR) -> list[Guess]:
    """The encodings that fit `sample`, best first; empty if none does."""
    if FALLBACK in encodings and not any(
        each.isalpha() for each in sample.decode(FALLBACK, "replace") if each > "\x7f"
    ):
        return [Guess(FALLBACK, 0.6)]  # only signs, such as a degree or a dash: statistics of letters say nothing
    scores: dict[str, float] = {}
    for found in chardet.detect_all(
        sample, ignore_threshold=True, compat_names=False, include_encodings=list(encodings)
    ):
        name = codecs.lookup(found["encoding"] or FALLBACK).name
        name = widened(name)
        if name in encodings and _plausible(sample, name):
            scores[name] = max(scores.get(name, 0.0), float(found["confidence"]))
    texts = {name: sample.decode(name, errors="replace") for name in scores}
    ordered = sorted(scores, key=lambda name: (-scores[name], name != "cp1254"))  # Turkish is likelier than Icelandic
    if FALLBACK in scores and _common_kin(ordered[0], scores, texts):
        ordered = [FALLBACK, *(name for name in ordered if name != FALLBACK)]
    guesses = []
    for name in ordered:
        rival = max((scores[other] for other in ordered if texts[other] != texts[name]), default=0.0)
        lead = scores[name] / (scores[name] + rival) if scores[name] else 0.5
        guesses.append(Guess(name, min(round(lead, 2), _NEVER_SURER)))
    return guesses


def _common_kin(best: str, scores: dict[str, float], texts: dict[str, str]) -> bool:
    """Whether Windows-1252, by far the most common of the Latin code pages, is as good a guess as the best of them."""
    if texts[best] == texts[FALLBACK]:
        return True
    return best in _LATIN and scores[FALLBACK] >= 0.7 * scores[best]


def _plausible(sample: bytes, encoding: str) -> bool:
    """Whether people write like that. Catches what byte statistics get wrong in short texts."""
    text = sample.decode(encoding, errors="replace")
    if _C1.search(text):
        return False  # nobody writes C1 control characters; a Windows code page has letters there
    runs = len(_NON_ASCII_RUN.findall(text))
    if encoding in _EAST_ASIAN:
        return 3 * len(_INSIDE_A_WORD.findall(text)) <= runs  # `Gr秤e` is `Größe` misread
    if encoding in _OTHER_SCRIPTS:
        mixed, single = len(_BESIDE_A_LETTER.findall(text)), len(_SINGLE.findall(text))
        return 5 * mixed <= runs and 2 * single <= runs  # no word is half Greek, no text is all single letters
    return True


def widened(encoding: str) -> str:
    """The encoding that holds all of `encoding` and more, as files that claim the smaller one usually need it."""
    return _WIDER.get(encoding, encoding)
