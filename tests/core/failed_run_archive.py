"""A year of maintenance reports on four houses, made by code, in which the right answers are known, for the runs that went wrong.

In every report a room has its heading and below it a dated line for each thing that was done or seen. A leak that comes back is
told in the same words as one that drips on before it is sealed: only the order of the dates decides, and the seal often stands in
another month's report. The word "leak" stands in no line that decides. The east house spells its rooms in another way from July.
"""

from __future__ import annotations

import datetime
import random
import re
from dataclasses import dataclass
from functools import cache

from rlm_core.corpus.ingest import Source

HOUSES = {"north": "N", "south": "S", "east": "E", "mill": "M"}
ROOMS = [f"{letter}-{number:02d}" for letter in HOUSES.values() for number in range(1, 29)]
STORIES = {"back": 17, "dry": 24, "unknown": 10, "other": 5, "early": 6, "waiting": 4}
NEW_SPELLING = 7
"""The month from which the east house writes `Rm. E14` for room E-14."""

PLACES = ("riser", "west window", "roof outlet", "stop valve", "skylight", "basin trap", "vent pipe", "sill", "parapet")
LINES = {
    "report": (
        "Leak at the {place}, bucket placed.",
        "Tenant reports a leak at the {place}, floor wet.",
        "Water at the {place}, carpet lifted to dry.",
        "Small leak found at the {place} during the round, photo taken.",
    ),
    "seal": (
        "Joint at the {place} sealed with new mastic.",
        "{place} sealed by Hallam Roofing, order closed.",
        "Crack by the {place} sealed, two coats.",
        "Old putty at the {place} cut out, joint sealed.",
    ),
    "again": (
        "Dripping again at the {place}, bucket out.",
        "Puddle under the {place} this morning, mopped up.",
        "Damp patch at the {place}, meter {wet} %, spreading.",
        "Water runs down at the {place} when it rains from the west.",
        "Towels laid out below the {place}, soaked by noon.",
        "Plaster under the {place} soft and dark, meter {wet} %.",
    ),
    "dry": (
        "{place} looked at after the storm: dry, meter {dry} %.",
        "No leak at the {place} on the round, photo filed.",
        "Stain below the {place} is old, dry to the touch.",
        "Bucket at the {place} taken away, nothing in it since.",
    ),
    "other": (
        "Drops at the {place} are condensation, heating turned up.",
        "Puddle near the {place} was the cleaner's bucket, wiped up.",
        "Wet carpet below the {place} from a spilled vase, dried.",
    ),
    "filler": (
        "Lamp over desk {n} flickers, starter swapped.",
        "Lock sticks, oiled and adjusted.",
        "Radiator cold at the top, bled.",
        "Air leak at the compressor hose, hose replaced.",
        "Blind stuck halfway, cord replaced.",
        "Socket {n} has no network, repatched.",
        "Chair with a broken spring swapped.",
        "Wall scuffed by the movers, painted again.",
        "Door closer slams, set softer.",
        "Smoke detector chirps, battery changed.",
        "Thermostat shows E{n}, replaced.",
        "Light leak at the blackout blind, felt glued on.",
        "Key copied and handed to the tenant.",
        "Stuffy again, filter of the ventilation changed.",
    ),
}


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """One dated line of a room."""

    room: str
    day: datetime.date
    kind: str
    sentence: str

    @property
    def line(self) -> str:
        return f"{self.day:%d %b %Y}  {self.sentence}"


@dataclass(frozen=True, slots=True)
class Year:
    """All entries, in order, and the rooms whose leak came back with the day and the line that decide it."""

    entries: tuple[Entry, ...]
    back: dict[str, Entry]

    @property
    def hours(self) -> float:
        """Hours booked on the rooms whose leak came back."""
        return sum(hours_of(each.sentence) for each in self.entries if each.room in self.back)


def hours_of(sentence: str) -> float:
    """What a line books: `(1.5 h)` at its end."""
    return float(sentence.rpartition("(")[2].removesuffix(" h)"))


@cache
def year(seed: int = 23) -> Year:
    """The year of a seed, always the same."""
    draw = random.Random(seed)
    rooms = draw.sample(ROOMS, len(ROOMS))
    stories = iter([story for story, count in STORIES.items() for _ in range(count)])
    entries: list[Entry] = []
    back: dict[str, Entry] = {}
    for room in rooms:
        told = _story(draw, room, next(stories, ""))
        entries += told + _fillers(draw, room)
        seal = next((each.day for each in told if each.kind == "seal"), datetime.date.max)
        returned = [each for each in told if each.kind == "again" and each.day > seal]
        back |= {room: min(returned, key=lambda each: each.day)} if returned else {}
    return Year(tuple(sorted(entries)), dict(sorted(back.items())))


def archive() -> list[Source]:
    """The reports: one for each house and month."""
    told = year().entries
    sources = []
    for house in HOUSES:
        for month in range(1, 13):
            text = _report(house, month, [each for each in told if each.room[0] == HOUSES[house]])
            sources.append(Source(f"{house}/2023-{month:02d}.txt", text.encode()))
    return sources


def spelled(room: str, month: int) -> str:
    """The heading of a room in a report."""
    return f"Rm. E{room[2:]}" if room[0] == "E" and month >= NEW_SPELLING else f"Room {room}"


def rooms_in(text: str) -> dict[str, list[tuple[datetime.date, str]]]:
    """Dated sentences below each heading of a room in a text, by the room's usual name; those below none under `""`."""
    found: dict[str, list[tuple[datetime.date, str]]] = {}
    room = ""
    for line in text.splitlines():
        if heading := re.match(r"(?:Room |Rm\. )([NSEM])-?(\d\d)\b", line.strip()):
            room = f"{heading[1]}-{heading[2]}"
        elif entry := re.search(r"(\d\d \w{3} \d{4})[ :]+(.+ h\))", line):
            day = datetime.datetime.strptime(entry[1], "%d %b %Y").date()
            found.setdefault(room, []).append((day, entry[2].strip()))
    return found


def _report(house: str, month: int, told: list[Entry]) -> str:
    first = datetime.date(2023, month, 1)
    parts = [f"{house.upper()} HOUSE, maintenance report for {first:%B %Y}\nHours in brackets are those booked.\n"]
    for room in sorted({each.room for each in told if each.day.month == month}):
        lines = [each.line for each in told if each.room == room and each.day.month == month]
        parts.append("\n".join([spelled(room, month), *lines]) + "\n")
    return "\n".join(parts)


def _story(draw: random.Random, room: str, story: str) -> list[Entry]:
    if not story:
        return []
    place = draw.choice(PLACES)
    day = datetime.date(2023, 1, 5) + datetime.timedelta(days=draw.randint(0, 110))

    def line(kind: str, least: int, most: int) -> Entry:
        nonlocal day
        day = min(day + datetime.timedelta(days=draw.randint(least, most)), datetime.date(2023, 12, 30))
        return Entry(room, day, kind, _sentence(draw, kind, place))

    told = [line("report", 0, 3)]
    if story in ("early", "waiting"):
        told.append(line("again", 4, 12))
    if story == "waiting":
        return told
    told.append(line("seal", 6, 20))
    if story == "back":
        told += [line("dry", 10, 25)] if draw.random() < 0.4 else []
        told.append(line("again", *draw.choice(((6, 12), (40, 120), (60, 150)))))
        told += [line("seal", 5, 12), line("dry", 10, 30)] if draw.random() < 0.4 else []
    elif story in ("dry", "early"):
        told.append(line("dry", 20, 120))
    elif story == "other":
        told.append(line("other", 20, 120))
    return told


def _fillers(draw: random.Random, room: str) -> list[Entry]:
    days = [
        datetime.date(2023, 1, 2) + datetime.timedelta(days=draw.randint(0, 360)) for _ in range(draw.randint(5, 11))
    ]
    return [Entry(room, day, "filler", _sentence(draw, "filler", "")) for day in days]


def _sentence(draw: random.Random, kind: str, place: str) -> str:
    words = draw.choice(LINES[kind]).format(
        place=place, wet=draw.randint(24, 61), dry=draw.randint(6, 11), n=draw.randint(2, 9)
    )
    return f"{words[:1].upper()}{words[1:]} ({draw.choice((0.5, 1.0, 1.5, 2.0, 2.5, 3.5))} h)"


@cache
def kinds() -> dict[str, str]:
    """What each sentence of the year tells: a key of `LINES`."""
    return {each.sentence: each.kind for each in year().entries}
