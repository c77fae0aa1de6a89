"""How entries become documents: seven kinds of paper and two kinds of machine output, each with spellings of its own."""

from __future__ import annotations

import csv
import datetime
import html
import io
import json
from collections import defaultdict
from dataclasses import dataclass, field

import wording
from story import BLOCKS, ROOMS, YEAR, Campus, Entry


@dataclass
class Page:
    """A document in the making; remembers on which line each entry came to stand."""

    path: str
    lines: list[str] = field(default_factory=list)
    places: dict[int, int] = field(default_factory=dict)

    def add(self, text: str, entry: Entry | None = None) -> None:
        self.lines.extend(text.split("\n"))
        if entry:
            self.places[id(entry)] = len(self.lines)


def reports(campus: Campus, entries: list[Entry]) -> list[Page]:
    pages = []
    for month in range(1, 13):
        first = datetime.date(YEAR, month, 1)
        page = Page(f"reports/{YEAR}-{month:02d}.txt")
        page.add(f"CAMPUS NORTHFIELD\nMaintenance report, {first:%B %Y}\nCompiled by {campus.fill('{person}')}\n")
        page.add(f"Weather: {'; '.join(campus.sky(first) for _ in range(4))}.\n")
        rooms: dict[str, list[Entry]] = defaultdict(list)
        for entry in entries:
            if entry.day.month == month:
                rooms[entry.room].append(entry)
        for room in sorted(rooms):
            page.add("-" * 60 + "\n")
            trades = ", ".join(dict.fromkeys(entry.trade for entry in rooms[room]))
            page.add(f"Room {campus.random.choice([room, f'{room[0]}-{room[1:]}'])} - {trades}")
            for entry in rooms[room]:
                page.add(f"{entry.day:%d %b %Y}   {entry.text}", entry)
            page.add("")
        pages.append(page)
    return pages


def orders(campus: Campus, entries: list[Entry]) -> list[Page]:
    pages = []
    for quarter in range(1, 5):
        page = Page(f"orders/work_orders_{YEAR}_q{quarter}.csv")
        page.add('"order","raised","room","trade","description","hours","status","by"')
        form = "%Y-%m-%d" if quarter < 3 else "%d.%m.%Y"
        chosen = [entry for entry in entries if (entry.day.month - 1) // 3 + 1 == quarter]
        for number, entry in enumerate(chosen, start=quarter * 1000 + 1):
            hours = campus.random.choice([0.5, 1, 1.5, 2, 3])
            room = campus.random.choice([entry.room, f"{entry.room[0]}-{entry.room[1:]}"])
            line = io.StringIO()
            row = [f"WO-{number}", f"{entry.day:{form}}", room, entry.trade, entry.text, hours, "closed", entry.by]
            csv.writer(line, quoting=csv.QUOTE_NONNUMERIC, lineterminator="").writerow(row)
            page.add(line.getvalue(), entry)
        pages.append(page)
    return pages


def inspections(campus: Campus, entries: list[Entry]) -> list[Page]:
    """Two rounds have the date on the line, two have it in the heading."""
    rounds = [("spring_round", 1, 5), ("summer_round", 6, 8), ("autumn_round", 9, 11), ("year_end_walk", 12, 12)]
    pages = []
    for number, (name, first, last) in enumerate(rounds):
        page = Page(f"inspections/{YEAR}_{name}.md")
        page.add(
            f"# {name.replace('_', ' ').capitalize()} {YEAR}\n\nNotes by {campus.fill('{person}')}, not proof-read.\n"
        )
        page.add("".join(f"- Corridors of block {block}: {campus.fill(wording.CORRIDOR)}\n" for block in BLOCKS))
        chosen = [entry for entry in entries if first <= entry.day.month <= last]
        heading = None
        for entry in chosen if number % 2 else sorted(chosen, key=lambda each: (each.room[0], each.day)):
            wanted = f"{entry.day.day} {entry.day:%B %Y}" if number % 2 else f"Block {entry.room[0]}"
            if wanted != heading:
                page.add(f"\n## {wanted}\n")
                heading = wanted
            room = f"**{entry.room[0]}-{entry.room[1:]}**"
            page.add(
                f"- {room}: {entry.text}" if number % 2 else f"- {room}, {entry.day:%d %B %Y}: {entry.text}", entry
            )
        pages.append(page)
    return pages


def helpdesk(campus: Campus, entries: list[Entry]) -> list[Page]:
    pages = [Page(f"helpdesk/tickets_{YEAR}_h1.jsonl"), Page(f"helpdesk/tickets_{YEAR}_h2.jsonl")]
    for number, entry in enumerate(entries, start=1):
        clock = f"{campus.random.randint(7, 17):02d}:{campus.random.randint(0, 59):02d}"
        ticket = {
            "ticket": f"HD-{number:04d}",
            "opened": f"{entry.day:%Y-%m-%d}T{clock}",
            "room": campus.spelled(entry.room),
            "from": wording.PEOPLE[entry.by],
            "text": entry.text,
        }
        pages[entry.day.month > 6].add(json.dumps(ticket), entry)
    return pages


def diaries(campus: Campus, entries: list[Entry]) -> list[Page]:
    """The caretaker's books: the date heads a day, a line a room."""
    pages = [Page(f"diary/caretaker_{YEAR}_h1.txt"), Page(f"diary/caretaker_{YEAR}_h2.txt")]
    day = None
    for entry in entries:
        page = pages[entry.day.month > 6]
        if entry.day != day:
            page.add(f"\n{entry.day:%a} {entry.day.day} {entry.day:%B %Y}, {campus.sky(entry.day)}")
            day = entry.day
        page.add(f"  {campus.spelled(entry.room)}: {entry.text}", entry)
    return pages


def letters(campus: Campus, entries: list[Entry]) -> list[Page]:
    page = Page(f"letters/contractors_{YEAR}.md")
    page.add("# Completion notes of contractors\n")
    for entry in entries:
        page.add(f"\n## {entry.day:%d.%m.%Y}, {campus.random.choice(wording.CONTRACTORS)}\n")
        page.add(f"Works at {campus.spelled(entry.room)}: {entry.text}", entry)
    return [page]


def memo(campus: Campus, entries: list[Entry]) -> list[Page]:
    page = Page(f"memos/{YEAR}-11_state_of_the_roofs.html")
    page.add("<!doctype html><html><head><title>State of the roofs</title></head><body>\n<h1>State of the roofs</h1>")
    page.add("<p>The memo that leaked to the student paper in October was not ours. This one is.</p>\n<table>")
    page.add("<tr><th>Seen</th><th>Room</th><th>Remark</th></tr>")
    for entry in entries:
        cells = [f"{entry.day:%Y-%m-%d}", campus.spelled(entry.room), html.escape(entry.text, quote=False)]
        page.add(f"<tr><td>{'</td><td>'.join(cells)}</td></tr>", entry)
    page.add("</table>\n</body></html>")
    return [page]


def machines(campus: Campus, quiet_rooms: list[str]) -> list[Page]:
    """Building controls and moisture probes: many lines, no story."""
    log, probes = Page(f"controls/building_controls_{YEAR}.log"), Page(f"sensors/probes_{YEAR}.jsonl")
    for day_number in range(1, 364):
        day = campus.day(day_number, day_number)
        for hour in (6, 14, 21):
            stamp = f"{day:%Y-%m-%d} {hour:02d}:{campus.random.randint(0, 59):02d}:{campus.random.randint(0, 59):02d}"
            line = campus.random.choice(wording.LOG_LINES)
            log.add(f"{stamp} {campus.fill(line, room=campus.random.choice(ROOMS))}")
        reading = {
            "at": f"{day:%Y-%m-%d}",
            "room": campus.random.choice(quiet_rooms),
            "probe": "ceiling",
            "percent": campus.random.randint(6, 11),
        }
        probes.add(json.dumps(reading))
    return [log, probes]


def documents(campus: Campus) -> list[Page]:
    for entry in campus.entries:
        if entry.channel == "memo" and not 8 <= entry.day.month <= 10:
            entry.channel = "report"
    campus.entries.sort(key=lambda entry: (entry.day, entry.room, entry.text))
    by_channel: dict[str, list[Entry]] = defaultdict(list)
    for entry in campus.entries:
        by_channel[entry.channel].append(entry)
    quiet_rooms = [room for room in ROOMS if room not in campus.truth]
    pages = [
        *reports(campus, by_channel["report"]),
        *orders(campus, by_channel["order"]),
        *inspections(campus, by_channel["inspection"]),
        *helpdesk(campus, by_channel["helpdesk"]),
        *diaries(campus, by_channel["diary"]),
        *letters(campus, by_channel["letter"]),
        *memo(campus, by_channel["memo"]),
        *machines(campus, quiet_rooms),
    ]
    return sorted(pages, key=lambda page: page.path)
