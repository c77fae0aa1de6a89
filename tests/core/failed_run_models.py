"""The models of the runs that went wrong: roots that say what their file says, and a helper that reads as a careful one would.

What a root says, turn after turn, stands in `failed_run_replies/`: `a.md` for run (a), turns parted by a line of equal signs;
for helpers with a session of their own `e.child.md`, and `e.east.md` for the one whose question names the east house. Tokens are
counted and priced by the list.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from pathlib import Path

from failed_run_archive import kinds, rooms_in

from rlm_core.errors import CallError, CallErrorKind
from rlm_core.lm.client import Reply, Request
from rlm_core.lm.prices import cost_usd, estimated_usd, price_of, price_source
from rlm_core.lm.scripted import CHARS_PER_TOKEN, ScriptedLM
from rlm_core.task import Usage

REPLIES = Path(__file__).parent / "failed_run_replies"
STRICT, LENIENT = "beyond any doubt", "lean towards yes"
"""Words of a prompt that change how a helper judges doubtful rooms."""
TROUBLE: dict[CallErrorKind, str] = {
    "server": "The server answered 503, overloaded.",
    "rate_limit": "Too many requests; the server asks to wait 20 s.",
}
BETWEEN_TURNS = "\n=====\n"

Judged = tuple[str, str, str]
"""Label, date and deciding sentence."""


class ListPriceLM(ScriptedLM):
    """The models of one run. `trips`: the first call whose prompt holds these words fails, and how."""

    def __init__(self, letter: str, trips: Mapping[str, CallErrorKind], latency_s: float = 0.0) -> None:
        super().__init__(self._said, latency_s=latency_s)
        self._letter = letter
        self._trips = dict(trips)

    def window_tokens(self, model: str) -> int | None:
        price = price_of(model)
        return price.window_tokens if price else None

    def estimated_usd(self, model: str, input_tokens: int, output_tokens: int) -> float | None:
        return estimated_usd(model, input_tokens, output_tokens)

    def _said(self, request: Request) -> Reply:
        tokens = request.chars // CHARS_PER_TOKEN
        self._trip(request.messages[-1 if request.role == "sub" else 1].text)
        text = self._turn(request) if request.role == "root" else helper_reply(request.messages[0].text)
        usage = Usage(tokens, max(1, len(text) // CHARS_PER_TOKEN))
        return Reply(text, request.model, usage, cost_usd(request.model, usage), price_source(), finish_reason="stop")

    def _turn(self, request: Request) -> str:
        turns = replies_for(self._letter, request.messages[1].text)
        said = sum(message.role == "assistant" for message in request.messages)
        return turns[min(said, len(turns) - 1)]

    def _trip(self, prompt: str) -> None:
        for words in [words for words in self._trips if words in prompt]:
            kind = self._trips.pop(words)
            raise CallError(TROUBLE[kind], kind)


def replies_for(letter: str, told: str) -> list[str]:
    """What the model of the frame with this first message says, turn after turn."""
    child = re.search(r"part (\d+) of|the (\w+) house", told)
    names = (f"{letter}.{child[1] or child[2]}.md", f"{letter}.child.md") if child else (f"{letter}.md",)
    file = next(REPLIES / name for name in names if (REPLIES / name).exists())
    return file.read_text(encoding="utf-8").strip("\n").split(BETWEEN_TURNS)


def helper_reply(prompt: str) -> str:
    """A line for each room that was sealed in the text; of a single line, whether it tells of water."""
    rooms = rooms_in(prompt)
    if set(rooms) == {""}:
        return "yes" if {kinds()[sentence] for _, sentence in rooms[""]} & {"report", "again"} else "no"
    judged = {room: judge(lines) for room, lines in rooms.items() if room}
    told = {room: _doubted(prompt, room, each) for room, each in judged.items() if each}
    if len(rooms) == 1:
        return " | ".join(next(iter(told.values()), ("no", "", "nothing was sealed in this room")))
    if "only the rooms" in prompt:
        told = {room: each for room, each in told.items() if each[0] == "yes"}
    return "\n".join(f"{room} | {' | '.join(each)}" for room, each in told.items()) or "none"


def judge(lines: list[tuple[datetime.date, str]]) -> Judged | None:
    """Whether water came back after the first seal, and the line that decides it; `None` where nothing was sealed."""
    told = [(f"{day:%d %b %Y}", sentence, kinds()[sentence]) for day, sentence in sorted(lines)]
    seal = next((at for at, each in enumerate(told) if each[2] == "seal"), None)
    if seal is None:
        return None
    for label, deciding in (("yes", {"again"}), ("no", {"dry", "other"})):
        found = next((each for each in told[seal + 1 :] if each[2] in deciding), None)
        if found:
            return label, found[0], found[1]
    return "unknown", told[seal][0], told[seal][1]


def _doubted(prompt: str, room: str, judged: Judged) -> Judged:
    number = int(room[2:])
    if STRICT in prompt and judged[0] == "yes" and number % 3 == 0:
        return ("unknown", *judged[1:])
    if LENIENT in prompt and judged[0] == "unknown" and number % 2 == 0:
        return ("yes", *judged[1:])
    return judged
