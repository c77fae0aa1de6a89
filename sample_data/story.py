"""What happened on the campus: for each room a story or none, told in dated entries. Knows nothing of documents."""

from __future__ import annotations

import datetime
import random
from dataclasses import dataclass
from typing import Any

import wording

YEAR = 2021
BLOCKS = "ABCDEFGHIJKLM"
ROOMS = [f"{block}{number:02d}" for block in BLOCKS for number in range(1, 25)]
FIXED = {"A12": "back", "B07": "dry", "C02": "unknown"}
FILLERS = 3400


@dataclass
class Entry:
    """One dated remark on a room, and the kind of document that it goes to."""

    day: datetime.date
    room: str
    text: str
    channel: str
    trade: str
    by: str
    sentence: str = ""
    """What the entry says of the leak, without the chatter after it."""


class Campus:
    """Draws the year: for each room a story or none, and the entries that tell it."""

    def __init__(self, seed: int, half: str) -> None:
        self.random = random.Random(seed)
        self.follow_ups = wording.FOLLOW_UPS[half]
        self.entries: list[Entry] = []
        self.truth: dict[str, tuple[str, Entry]] = {}
        """Room -> label, the entry that decides it."""

    def fill(self, phrase: str, **words: Any) -> str:
        draw = self.random
        words.setdefault("place", "ceiling")
        text = phrase.format(
            n=draw.randint(2, 9),
            wet=draw.randint(24, 61),
            dry=draw.randint(6, 11),
            minutes=draw.choice([10, 15, 20, 25, 30, 40, 45, 50]),
            number=f"21-{draw.randint(100, 4999):04d}",
            weather=draw.choice(wording.WEATHERS),
            person=draw.choice(list(wording.PEOPLE.values())),
            initials=draw.choice(list(wording.PEOPLE)),
            contractor=draw.choice(wording.CONTRACTORS),
            block=draw.choice(BLOCKS),
            **words,
        )
        return text[:1].upper() + text[1:]

    def spelled(self, room: str) -> str:
        return self.random.choice(
            [room, f"Room {room}", f"rm. {room[0]}-{room[1:]}", f"{room[0]}-{room[1:]}", f"Rm {room}"]
        )

    def sky(self, day: datetime.date) -> str:
        seasons = ("winter", "spring", "summer", "autumn")
        return self.random.choice(wording.SKY[seasons[day.month % 12 // 3]])

    def day(self, first: int, last: int) -> datetime.date:
        """A day of the year between two day numbers, both from 1."""
        return datetime.date(YEAR, 1, 1) + datetime.timedelta(days=self.random.randint(first, min(last, 363)) - 1)

    def after(self, day: datetime.date, least: int, most: int) -> datetime.date:
        number = day.timetuple().tm_yday
        return self.day(min(number + least, 363), number + most)

    def write(self, day: datetime.date, room: str, text: str, channels: str, trade: str) -> Entry:
        asides = wording.WATER_ASIDES
        full = f"{text} {self.fill(self.random.choice(asides))}".strip()
        by = self.random.choice(list(wording.PEOPLE))
        entry = Entry(day, room, full, self.random.choice(channels.split()), trade, by, text)
        self.entries.append(entry)
        return entry

    def stories(self) -> None:
        rooms = [room for room in ROOMS if room not in FIXED]
        self.random.shuffle(rooms)
        back, dry, unknown = self.random.randint(20, 27), self.random.randint(95, 110), self.random.randint(30, 40)
        plan = dict(FIXED)
        plan |= dict.fromkeys(rooms[:back], "back")
        plan |= dict.fromkeys(rooms[back : back + dry], "dry")
        plan |= dict.fromkeys(rooms[back + dry : back + dry + unknown], "unknown")
        for number, (room, ending) in enumerate(sorted(plan.items())):
            getattr(self, f"story_{ending}")(room, number)
        for room in rooms[back + dry + unknown :][:9]:
            self.story_air(room)

    def until_repair(self, room: str, cause: str, place: str, first: int, last: int) -> Entry:
        """Report of the leak, sometimes a second one while it waits, and the repair."""
        start = self.day(first, last)
        self.write(
            start, room, self.phrase(wording.FIRST_REPORTS, place), "helpdesk helpdesk report report diary", cause
        )
        repaired = self.after(start, 6, 20)
        if self.random.random() < 0.2:
            waiting = self.after(start, 1, 4)
            self.write(waiting, room, self.phrase(wording.BEFORE_REPAIR, place), "helpdesk report diary", cause)
        return self.repair(room, cause, place, repaired)

    def repair(self, room: str, cause: str, place: str, day: datetime.date) -> Entry:
        repairs: list[str] = wording.CAUSES[cause]["repairs"]
        return self.write(day, room, self.phrase(repairs, place), "order order report report letter", cause)

    def phrase(self, phrases: list[str], place: str) -> str:
        return self.fill(self.random.choice(phrases), place=place)

    def cause(self) -> tuple[str, str]:
        cause = self.random.choice(list(wording.CAUSES))
        return cause, self.random.choice(wording.CAUSES[cause]["places"])

    def story_back(self, room: str, number: int) -> None:
        """The leak is repaired and comes back: soon, months later, after a dry check, or before a second repair."""
        cause, place = ("roof", "beam") if room in FIXED else self.cause()
        far = number % 3 == 0
        repaired = self.until_repair(room, cause, place, 5, 70 if far else 150).day
        if number % 4 == 1:
            repaired = self.write(
                self.after(repaired, 10, 30),
                room,
                self.phrase(self.follow_ups["dry"], place),
                "report inspection",
                cause,
            ).day
        again = self.after(repaired, 180, 230) if far else self.after(repaired, 15, 90)
        sentence = self.phrase(self.follow_ups["back"], place)
        if room in FIXED and self.follow_ups is wording.FOLLOW_UPS["known"]:
            sentence = "Dripped again after heavy rain, same beam."
        elif number % 3 == 1:
            neighbour = ROOMS[(ROOMS.index(room) + 1) % len(ROOMS)]
            side = self.random.choice(wording.NEIGHBOURS).format(neighbour=self.spelled(neighbour))
            sentence = f"{sentence.rstrip('.')}, {side}."
        decided = self.write(again, room, sentence, "report report inspection helpdesk diary memo", cause)
        self.truth[room] = ("yes", decided)
        if number % 5 == 2:
            self.write(
                self.after(again, 1, 6), room, self.phrase(self.follow_ups["back"], place), "helpdesk diary", cause
            )
        if number % 4 == 2:
            second = self.repair(room, cause, place, self.after(again, 8, 20))
            self.write(
                self.after(second.day, 10, 40), room, self.phrase(self.follow_ups["dry"], place), "inspection", cause
            )

    def story_dry(self, room: str, number: int) -> None:
        """The leak is repaired and the place is found dry, or the new water has another cause."""
        cause, place = self.cause()
        repaired = self.until_repair(room, cause, place, 5, 220)
        phrases = wording.OTHER_CAUSE if number % 11 == 5 else self.follow_ups["dry"]
        sentence = self.phrase(phrases, place)
        if room in FIXED and self.follow_ups is wording.FOLLOW_UPS["known"]:
            sentence = "Stain is old and dry, meter 8 %."
        channels = "report report inspection inspection helpdesk diary memo"
        decided = self.write(self.after(repaired.day, 15, 130), room, sentence, channels, cause)
        self.truth[room] = ("no", decided)

    def story_unknown(self, room: str, number: int) -> None:
        """The leak is repaired and nobody says how it went on."""
        cause, place = self.cause()
        repaired = self.until_repair(room, cause, place, 5, 330)
        self.truth[room] = ("unknown", repaired)
        if number % 3 == 0 and room not in FIXED:
            self.write(
                self.after(repaired.day, 5, 60), room, self.phrase(wording.NO_NEWS, place), "report diary", cause
            )

    def story_air(self, room: str) -> None:
        """A leak of air or gas, once and mended: the word is there, the water is not."""
        found, mended = self.random.choice(wording.AIR_LEAK)
        start = self.day(20, 300)
        self.write(start, room, found, "helpdesk report", "compressed air")
        self.write(self.after(start, 2, 12), room, mended, "order report", "compressed air")

    def fillers(self) -> None:
        draw = self.random
        for _ in range(FILLERS):
            trade, matters = draw.choice(list(wording.TRADES.items()))
            wrong, done = draw.choice(matters)
            parts = [
                wrong,
                done if draw.random() < 0.85 else draw.choice(wording.LATER),
                *draw.sample(wording.ASIDES, 2),
            ]
            text = " ".join(self.fill(part) for part in parts if part)
            channel = draw.choice(["report"] * 11 + ["order"] * 5 + ["helpdesk"] * 3 + ["diary"] * 3)
            by = draw.choice(list(wording.PEOPLE))
            self.entries.append(Entry(self.day(1, 363), draw.choice(ROOMS), text, channel, trade, by))
