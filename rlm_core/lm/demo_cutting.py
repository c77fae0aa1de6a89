"""How the demo model cuts an archive into records and brings those of one identifier together.

Everything below the marker is also sent into the sandbox as the demo's second cell, so that what is read on screen is what
ran: standard library only, and it must be readable. It knows texts and patterns; it refuses to know what a record means.
"""

from __future__ import annotations

# --- the cell begins here ---
import heapq
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

KINDS = {
    "numbers like CVE-2025-0001": r"[A-Z]{2,8}-\d{4}-\d{3,6}",
    "numbers like WO-0001": r"[A-Z]{2,4}-\d{2,6}",
    "names like A12 or A-12": r"[A-Z]-?\d{2,3}",
}
IN_PASSING = re.compile(
    r"\b(?:next to|towards|beside|near|opposite|above|below|between)\s+(?:the |room |rm\.? ?)*$", re.I
)
NO_TEXT = " \t\r-=_*+~#|{}[](),"
LONGEST = 3000  # characters of a record; longer lines are cut into pieces


def records(text: str) -> Iterator[tuple[int, str, str]]:
    """(line number, heading, line) of each line. A heading is a line with # or the first line of a paragraph."""
    lines = text.split("\n")
    begin = lines[:-1][:2000]
    paragraphs = sum(not line.strip(NO_TEXT) for line in begin) * 50 >= max(1, len(begin))  # else a table or a log
    heading, marked = "", False
    for number, line in enumerate(lines, 1):
        if not line.strip(NO_TEXT):
            heading = heading if marked else ""
            continue
        if line.startswith("#"):
            heading, marked = line.strip("# \r"), True
        if len(line) <= LONGEST:
            yield number, heading, line.strip()
        else:
            yield from (
                (number, heading, line[start : start + LONGEST].strip()) for start in range(0, len(line), LONGEST)
            )
        if paragraphs and not heading:
            heading = line[:200].strip()


def identifiers(line: str, pattern: re.Pattern[str]) -> list[str]:
    """Identifiers in a line, in order and in one spelling, without those named in passing ("next to K09")."""
    found: list[str] = []
    for match in pattern.finditer(line):
        start = match.start()
        before = line[max(0, start - 30) : start]
        if before and (before[-1].isalnum() or before[-1] in "_-" or IN_PASSING.search(before)):
            continue
        name = match[0] if len(match[0]) > 5 else match[0].replace("-", "")
        if name not in found:
            found.append(name)
    return found


def whole(kind: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{KINDS[kind]})(?![\w-])")


def choose_kind(samples: Iterable[str], words: Iterable[str]) -> str | None:
    """The kind of identifier that the question means: its words stand right before it; else the commonest; else none."""
    best, best_score = None, (0, 1)
    texts = list(samples)
    for kind in KINDS:
        found: set[str] = set()
        named = 0
        for text in texts:
            for match in whole(kind).finditer(text):
                found.add(match[0])
                before = text[max(0, match.start() - 16) : match.start()].lower()
                named += any(word in before for word in words)
        if len(found) > 1 and (named, len(found)) > best_score:
            best, best_score = kind, (named, len(found))
    return best


Record = tuple[
    str, str, str, bool
]  # (path:line, heading, text, True if the text is about the item and not naming it only)


def group(texts: Iterable[tuple[str, str]], kind: str, terms: Iterable[str]) -> tuple[dict[str, list[Record]], int]:
    """Records by identifier, of identifiers that have at least one record with a term; and how many others there were."""
    pattern, wanted = whole(kind), [term.lower() for term in terms]
    groups: dict[str, list[Record]] = defaultdict(list)
    bearing: set[str] = set()
    for path, text in texts:
        last_heading, under = "", identifiers(path, pattern)
        for number, heading, line in records(text):
            if heading != last_heading:
                last_heading, under = heading, identifiers(heading, pattern) or identifiers(path, pattern)
            names = identifiers(line, pattern) or under
            for place, name in enumerate(names):
                groups[name].append((f"{path}:{number}", heading if heading != line else "", line, place == 0))
            if names and names[0] not in bearing and any(term in line.lower() for term in wanted):
                bearing.add(names[0])
    led = {name for name, found in groups.items() if any(about for *_, about in found)}
    return {name: groups[name] for name in sorted(led & bearing)}, len(led - bearing)


def readable(found: list[Record], terms: Iterable[str], most: int = 120) -> list[Record]:
    """All records of an item; of one with very many, those with a term, as many as one can be asked to read."""
    if len(found) <= most:
        return found
    return [record for record in found if any(term in record[2].lower() for term in terms)][:most]


def best_records(texts: Iterable[tuple[str, str]], terms: Iterable[str], count: int) -> dict[str, list[Record]]:
    """The records with most different terms, each under its own place."""
    wanted = [term.lower() for term in terms]
    best: list[tuple[int, int, Record]] = []
    order = 0
    for path, text in texts:
        for number, heading, line in records(text):
            lower = line.lower()
            score = sum(term in lower for term in wanted)
            if not score:
                continue
            order -= 1
            entry = (score, order, (f"{path}:{number}", heading if heading != line else "", line, True))
            if len(best) < count:
                heapq.heappush(best, entry)
            elif entry > best[0]:
                heapq.heapreplace(best, entry)
    return {record[0]: [record] for _, _, record in sorted(best, reverse=True)}
