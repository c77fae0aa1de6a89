"""How the demo model labels the records of one item: yes, no or unknown, by rules and a lexicon.

The rules read dates and look for phrases of `demo_lexicon.json`. They abstain rather than err: wording that the lexicon does
not know, missing dates and contradictions all lead to "unknown". Everything below the marker is also sent into the sandbox
when no helper may be called.
"""

from __future__ import annotations

# --- the cell begins here ---
import datetime
import re
from collections.abc import Iterable, Mapping, Sequence

MONTHS = {"jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6}
MONTHS |= {"jul": 7, "aug": 8, "sep": 9, "oct": 10, "nov": 11, "dec": 12}
DATE = re.compile(
    r"\b(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)|\b(?P<d2>\d{1,2})\.(?P<m2>\d{1,2})\.(?P<y2>\d{4})"
    r"|\b(?P<d3>\d{1,2})\.? (?P<m3>[A-Z][a-z]{2})[a-z]*\.? (?P<y3>\d{4})"
    r"|\b(?P<m4>[A-Z][a-z]{2})[a-z]*\.? (?P<d4>\d{1,2}), (?P<y4>\d{4})"
)
PIECES = re.compile(r'["<>|]|(?<![A-Z])(?<!\brm)[.!](?=\s|$)\s*|(?<=\?)\s+|\\n')
LABEL = re.compile(r"^[\W_]*(?:works at )?(?:(?:room|rm\.?) )?[A-Z]-?\d{2,3}\b[\s*:,=-]*", re.I)
CLOCK = re.compile(r"^(?:[T ]\d\d:\d\d(?::\d\d)?)?[\s,:]*")
WORD = re.compile(r"[A-Za-z]{2,}")

Lexicon = Mapping[str, re.Pattern[str]]
Told = tuple[datetime.date | None, str, str, str]  # date, kind, sentence, path:line


def date_of(text: str) -> datetime.date | None:
    """The first date in a text. Forms that could be read in two ways (3/4/2021) are no dates."""
    match = DATE.search(text)
    if not match:
        return None
    year, month, day = (next(v for k, v in match.groupdict().items() if k[0] == part and v) for part in "ymd")
    try:
        return datetime.date(int(year), int(month) if month.isdigit() else MONTHS[month.lower()], int(day))
    except (ValueError, KeyError):
        return None


def sentences(text: str) -> list[str]:
    """Sentences of a record as exact parts of it, without leading dates and names; crumbs of tables are left out."""
    found = []
    for start, end in _spans(text):
        piece = text[start:end].strip()
        for _ in range(3):
            date = DATE.match(piece)
            piece = CLOCK.sub("", piece[date.end() :]) if date else LABEL.sub("", piece)
        if WORD.search(piece):
            found.append(piece)
    return found


def _spans(text: str) -> list[tuple[int, int]]:
    """Where sentences begin and end: the closing stop belongs to its sentence, separators of tables to none."""
    spans, start = [], 0
    for match in PIECES.finditer(text):
        spans.append((start, match.start() + (match[0][0] in ".!")))
        start = match.end()
    return [*spans, (start, len(text))]


def phrase(words: str) -> str:
    """A pattern for a phrase of the lexicon; ` ... ` stands for up to six words of the same clause."""
    return r"\b" + re.escape(words).replace(r"\ \.\.\.\ ", r"(?: [^\s,;:]+){0,6}? ").replace(r"\ ", r"\s+") + r"\b"


def understood(lexicon: Mapping[str, Sequence[str]]) -> Lexicon:
    """The lexicon as one pattern for each group of phrases."""
    groups = {name: phrases for name, phrases in lexicon.items() if name != "about"}
    return {name: re.compile("|".join(map(phrase, phrases)), re.I) for name, phrases in groups.items()}


def kind_of(sentence: str, lexicon: Lexicon) -> str:
    """back, dry, repair, water (not clear which), other (not about this), open (not understood)."""
    if lexicon["unrelated_senses"].search(sentence):
        return "other"
    doubtful = (
        sentence.endswith("?")
        or bool(lexicon["hedges"].search(sentence))
        or bool(lexicon["still_waiting"].search(sentence))
    )
    clauses = re.split(r"[,;:] ", sentence)
    negated = [bool(lexicon["negations"].search(clause)) for clause in clauses]
    back = [bool(lexicon["came_back"].search(clause)) for clause in clauses]
    dry = lexicon["found_dry"].search(sentence) and not lexicon["not_dry"].search(sentence)
    if any(back) and not any(b and n for b, n in zip(back, negated, strict=True)) and not dry:
        return "water" if doubtful else "back"
    if dry and not any(b and not n for b, n in zip(back, negated, strict=True)):
        return "water" if doubtful else "dry"
    about_water = lexicon["water_words"].search(sentence)
    if lexicon["repaired"].search(sentence) and lexicon["things_that_leak"].search(sentence):
        return "open" if doubtful or any(negated) or about_water else "repair"
    if about_water:
        return "water"
    return "other" if lexicon["other_matters"].search(sentence) or len(WORD.findall(sentence)) < 3 else "open"


def decide(records: Iterable[tuple[str, str, str, bool]], lexicon: Lexicon) -> tuple[str, str, str]:
    """Label, deciding sentence and its place, from records (path:line, heading, text, about the item?)."""
    told: list[Told] = []
    found = list(records)
    for source, heading, text, about in found:
        date = date_of(text) or date_of(heading)
        for sentence in sentences(text):
            kind = kind_of(sentence, lexicon)
            if not about and kind in ("back", "dry", "repair"):
                kind = "water"  # the record is about something else and only names the item
            if date or kind not in ("open", "other"):
                told.append((date, kind, sentence, source))
    watery = [each for each in told if each[1] in ("back", "dry", "repair", "water")]
    if not watery:
        return _nothing(told, found, lexicon)
    if any(date is None for date, *_ in watery):
        return _answer("unknown", watery[-1])
    told.sort(key=lambda each: (each[0] or datetime.date.min, each[3]))
    return _by_order(told)


def _by_order(told: list[Told]) -> tuple[str, str, str]:
    """What the order of dated sentences says: water again after a repair, or dry and nothing else since."""
    repairs = [each for each in told if each[1] == "repair"]
    if not repairs:
        return _answer("unknown", next(each for each in reversed(told) if each[1] in ("back", "dry", "water")))
    first, last = str(repairs[0][0]), str(repairs[-1][0])
    back = [each for each in told if each[1] == "back" and str(each[0]) > first]
    dry = [each for each in told if each[1] == "dry" and str(each[0]) > last]
    if back:
        clash = any(each[1] == "dry" and each[0] == back[0][0] for each in told)
        return _answer("unknown" if clash else "yes", back[0])
    unclear = [each for each in told if each[1] in ("water", "open", "back") and str(each[0]) >= first]
    if dry and not unclear:
        return _answer("no", dry[-1])
    return _answer("unknown", unclear[0] if unclear else repairs[-1])


def _nothing(told: list[Told], records: Sequence[tuple[str, str, str, bool]], lexicon: Lexicon) -> tuple[str, str, str]:
    """No word about water but in another sense: no, if all was understood, on the words that made us look."""
    unclear = [each for each in told if each[1] == "open"]
    if told and not unclear:
        misleading = lexicon["water_words"], lexicon["unrelated_senses"], lexicon["found_dry"]
        shown = (each for pattern in misleading for each in told if pattern.search(each[2]))
        return _answer("no", next(shown, told[0]))
    if unclear:
        return _answer("unknown", unclear[0])
    return ("unknown", records[0][2], records[0][0]) if records else ("unknown", "", "")


def _answer(label: str, told: Told) -> tuple[str, str, str]:
    return label, told[2], told[3]
