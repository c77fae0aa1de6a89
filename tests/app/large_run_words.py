"""What is said in a large run: prompts, replies, failures, outputs. Of a seeded chance, so that it is the same each time."""

from __future__ import annotations

from random import Random

from rlm_core import events as ev
from rlm_core.task import Finding, Message, Usage

ROOT, HELPER = "openai/gpt-large", "openai/gpt-small"
LONG_PROMPT_CHARS = 30_000
VOCABULARY = (
    "beam ceiling column corridor damp door draught dry east engineer floor frost gutter heating inspector joint lamp "
    "leak mould north office pipe plaster pump rain repair report roof room seal shaft south stain stairs tank tile valve "
    "wall water west window"
)
CODE = """prompts = [f"Report {n}: was the room wet again?\\n{text[:800]}" for n, text in enumerate(reports)]
replies = llm_query_batched(prompts)
for n, reply in enumerate(replies):
    if reply and "wet again" in reply:
        record(room_of(reports[n]), "yes", reply.splitlines()[-1], reports[n].path)
print(len(replies))"""
FAILURES: tuple[ev.CallFinished, ...] = (
    ev.CallFinished("timeout", error="No reply in 60 s.", error_kind="timeout", maybe_paid=True),
    ev.CallFinished("failed", error="429: still refused after waiting as told.", error_kind="rate_limit", attempts=4),
    ev.CallFinished("failed", error="503 Service Unavailable", error_kind="server", attempts=3),
    ev.CallFinished("failed", error="The prompt is larger than the window.", error_kind="overflow"),
    ev.CallFinished("failed", error="The reply was cut off.", error_kind="bad_reply", maybe_paid=True),
    ev.CallFinished("cancelled", error="The run was cancelled.", error_kind="cancelled", maybe_paid=True),
)
ERRORS = (
    '  File "<cell>", line 4\n    if reply and "wet again" in reply\n                                     ^\nSyntaxError: '
    "expected ':'",
    "Traceback (most recent call last):\n  File \"<cell>\", line 1, in <module>\nNameError: name 'reports' is not defined",
    "Traceback (most recent call last):\n  File \"<cell>\", line 5, in <module>\nKeyError: 'A12'",
)


def words_of_turn(number: int) -> str:
    return f"Step {number}: I ask a helper about each of the reports that are left, and record the rooms that were wet again."


def cell_error(number: int) -> str:
    return ERRORS[number // 3 % len(ERRORS)]


def call_bodies(
    chance: Random, kind: str, span: str, number: int, batch: int
) -> tuple[ev.CallStarted, ev.CallFinished, Finding | None]:
    """One call of a helper, how it ended, and the finding that the cell records of its reply, if it does."""
    room = f"{chance.choice('ABCDEFGH')}{number:04d}"
    path = f"reports/{number:05d}.txt"
    chars = LONG_PROMPT_CHARS if kind == "long" and number % 10 == 1 else 400
    prompt = f"Report {number} ({path}): was the room wet again?\n{_prose(chance, chars)}"
    started = ev.CallStarted("sub", HELPER, (Message("user", prompt),), batch=batch, index=number - 1)
    if chance.random() < (0.3 if kind == "failing" else 0.002):
        return started, chance.choice(FAILURES), None
    quote = f"{_prose(chance, 40)} in {room}"
    reply = f"Room {room}: wet again.\n{quote}" if chance.random() < 0.1 else f"Room {room}: no."
    finding = Finding(f"{room} ({span})", "yes", quote, path) if "wet" in reply else None
    return started, _finished(chance, reply, len(prompt)), finding


def _finished(chance: Random, reply: str, prompt_chars: int) -> ev.CallFinished:
    """Most cost what the list says; some were made before, some at a provider that says nothing."""
    kind, tokens = chance.random(), prompt_chars // 4
    attempts = 2 if chance.random() < 0.01 else 1
    if kind < 0.04:
        before = ev.Replayed("earlier-life", Usage(tokens, 12), 0.0003)
        return ev.CallFinished("ok", reply, cost_source="journal", replayed=before)
    if kind < 0.07:
        return ev.CallFinished("ok", reply, None, None, attempts=attempts)
    cached = tokens // 2 if kind < 0.3 else None
    dear = 20 if chance.random() < 0.001 else 1
    usage = Usage(tokens, 12 * dear, cached, 8 if kind > 0.9 else None)
    return ev.CallFinished("ok", reply, usage, 0.0003 * dear, "list", attempts=attempts)


def long_output(name: str, chars: int) -> str:
    """Lines of a log, no two of them alike."""
    line = f"{name} printed line {{:06d}}: room A12 was looked at, and what is here is long\n"
    length = len(line.format(0))
    return "".join(line.format(number) for number in range(chars // length + 1))[:chars]


def _prose(chance: Random, chars: int) -> str:
    """Words in an order of their own, repeated where they would take long to draw."""
    words = " ".join(chance.choices(VOCABULARY.split(), k=min(chars, 600) // 6))
    return words if chars <= 600 else (words + "\n") * (chars // (len(words) + 1) + 1)
