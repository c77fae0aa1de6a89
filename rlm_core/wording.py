"""How numbers and states are said, the same at every door: money, time, counts, shares, outcomes, verdicts.

Pure functions from a value to a few words. Two laws: unknown is said as unknown and never as zero, and a share is 100 %
only when nothing is missing. It knows no run, no colour and no screen.
"""

from __future__ import annotations

from collections.abc import Sequence

from rlm_core.task import PROVEN, Origin, Outcome, Verdict

UNKNOWN = "unknown"
DOES_NOT_APPLY = "–"
"""Where there is nothing to be known: never in the place of what is not known."""

OUTCOMES: dict[Outcome, str] = {
    "answered": "answered",
    "forced": "not finished; this is the best answer until then",
    "failed": "failed",
    "cancelled": "cancelled",
    "interrupted": "interrupted: the process of the run died",
}
"""What each outcome means to a person."""

VERDICTS: dict[Verdict, str] = {
    "exact": "exact",
    "normalised": "but for spacing",
    "fuzzy": "nearly the same words",
    "conflict": "conflict: a word that decides differs",
    "ambiguous": "stands in several places",
    "not found": "not found",
    "not looked for": "search given up",
    "no quote": "no quote given",
}
"""What became of a quote, in words."""

NOT_CHECKED = "not checked"
"""Of a finding whose quote nobody has looked for, or not yet: a run may end before."""

HAD_NOTES = "the model that answered had only its notes"
"""Said of what only a compressor saw."""
EXACT_MEANS = "exact: stands in the archive word for word"
"""Said once beside verdicts: `exact` alone may be taken for a judgement of the finding."""

SHOWN = {"before": "shown before", "afterwards": "shown only afterwards", "never": "never shown"}
"""Whether a model had been shown the deciding words of a finding before it was recorded (`evidence/shown_before.py`)."""


def money(usd: float | None, unknown_calls: int = 0, *, estimate: bool = False, digits: int | None = None) -> str:
    """US dollars: `$0.41`, `$0.0007`, `~$0.33`; `unknown` for `None`.

    With `unknown_calls`, part of the sum is not known: `$0.41 + ?`, or `unknown` where nothing else is in it.
    """
    if usd is None or (unknown_calls and not usd):
        return UNKNOWN
    if digits is None:
        digits = 4 if 0 < usd < 0.01 else 2
    smallest = 10.0**-digits
    said = f"<${smallest:.{digits}f}" if 0 < usd < smallest / 2 else f"${usd:,.{digits}f}"
    return f"{'~' if estimate else ''}{said}{' + ?' if unknown_calls else ''}"


def batch(calls: int, estimated_usd: float | None) -> str:
    """What a person is asked to approve: `310 helper calls, which may cost ~$0.41`; `12 helper calls, cost unknown`."""
    free = estimated_usd == 0
    cost = "which cost nothing" if free else f"which may cost {money(estimated_usd, estimate=True)}"
    return f"{exact(calls, 'helper call')}, {'cost unknown' if estimated_usd is None else cost}"


def replayed(turns: int, calls: int, usd: float, unknown_calls: int = 0) -> str:
    """What a run that goes on from another one has for nothing: `replays 2 turns, 40 calls, $0.41 for nothing`."""
    if not calls:
        return "nothing of it is replayed"
    cost = money(usd, unknown_calls)
    cost = f"cost {cost}" if cost == UNKNOWN else cost
    return f"replays {exact(turns, 'turn')}, {exact(calls, 'call')}, {cost} for nothing"


def goes_on(origin: Origin) -> str:
    """Where a run leaves the one before it: `at turn 2, with an instruction`, `where it broke off`."""
    if origin.fork is None:
        return f"where it broke off{', with whatever cells print now' if origin.accept_divergence else ''}"
    changed = [
        *(["with code that a person wrote"] if origin.fork.code is not None else []),
        *(["with an instruction"] if origin.fork.instruction else []),
    ]
    return f"at turn {origin.fork.turn}{', ' if changed else ''}{' and '.join(changed)}"


def seconds(value: float | None, *, estimate: bool = False) -> str:
    """A length of time: `<0.1 s`, `0.3 s`, `61 s` up to 99 s, then `2 min 14 s`, `1 h 05 min`."""
    if value is None:
        return UNKNOWN
    if value < 0.05:
        return "<0.1 s"
    whole = round(value)
    if whole < 100:
        said = f"{value:.1f} s" if value < 9.95 else f"{whole} s"
    elif whole < 3600:
        said = f"{whole // 60} min {whole % 60:02d} s"
    else:
        said = f"{whole // 3600} h {whole % 3600 // 60:02d} min"
    return f"{'~' if estimate else ''}{said}"


def count(value: int | None, *, estimate: bool = False) -> str:
    """Tokens or characters: exact below 10,000, then `79 k`, `1.2 M`; `exact` has the evidence form."""
    if value is None:
        return UNKNOWN
    if abs(value) < 10_000:
        said = f"{value:,}"
    elif abs(value) < 999_500:
        said = f"{value / 1000:.0f} k"
    else:
        said = f"{value / 1e6:.1f} M"
    return f"{'~' if estimate else ''}{said}"


def size(value: int | None, *, estimate: bool = False) -> str:
    """Bytes on a disk: `830 bytes`, `62 kB`, `1.2 MB`, `41 MB`, `1.2 GB`; a kB has 1,000 bytes."""
    if value is None:
        return UNKNOWN
    said = f"{value:,} bytes"
    for factor, unit in ((1e3, "kB"), (1e6, "MB"), (1e9, "GB")):
        if value >= 0.9995 * factor:
            said = f"{value / factor:.1f} {unit}" if value < 9.95 * factor else f"{value / factor:,.0f} {unit}"
    return f"{'~' if estimate else ''}{said}"


def exact(value: int, noun: str, plural: str | None = None) -> str:
    """A count with its noun: `1 call`, `38,497 characters`. The plural adds an s unless it is given."""
    return f"{value:,} {noun if value == 1 else plural or noun + 's'}"


def share(part: float, whole: float) -> str:
    """`96 %`. Rounded, but never to 0 % of something or 100 % of less than all; `unknown` of nothing."""
    if not whole:
        return UNKNOWN
    percent = 100 * part / whole
    if 0 < percent < 0.5:
        return "<1 %"
    if 99.5 <= percent < 100:
        return ">99 %"
    return f"{percent:.0f} %"


def m_of_n(shown: int, total: int) -> str:
    """`8 of 310` for a list that is cut."""
    return f"{shown:,} of {total:,}"


def m_of_all(chars: int, of: int) -> str:
    """`900 of 1,200 characters (75 %)`."""
    return f"{chars:,} of {exact(of, 'character')} ({share(chars, of)})"


def outside_window(chars: int, of: int, begins: str) -> str:
    """How much of an archive lay outside a window: `900 of 1,200 characters (75 %), from late.txt line 12 on`."""
    return f"{m_of_all(chars, of)}, from {begins} on"


def outcome(value: Outcome | None) -> str:
    """The one word for the state of a run: its outcome, or `running` while it has none."""
    return value or "running"


def verdict(value: Verdict | None) -> str:
    """What became of a quote; `None`: it was not checked."""
    return NOT_CHECKED if value is None else VERDICTS[value]


def doubts(value: Verdict | None, earlier_labels: Sequence[str] = ()) -> list[str]:
    """What speaks against relying on a finding: `no proven quote`, `first recorded as no`. Nothing, where nothing does."""
    said = []
    if value == "ambiguous":
        said.append("its words stand in several places")
    elif value not in PROVEN:
        said.append("no proven quote")
    return [*said, f"first recorded as {', then '.join(earlier_labels)}"] if earlier_labels else said


def place(document: str | None, line: int | None = None, last_line: int | None = None) -> str:
    """Where something stands: `reports_05.txt line 131`, `reports_05.txt lines 120–134`."""
    if document is None:
        return UNKNOWN
    if line is None:
        return document
    return f"{document} line {line:,}" if last_line in (None, line) else f"{document} lines {line:,}–{last_line:,}"


def read_apart(entries: int, calls: int, frames: int) -> str:
    """Of an item whose entries no model saw together: `its 3 entries went to 3 different calls; no model saw them together`."""
    whom = [f"{calls:,} different calls" if calls > 1 else "a call"] if calls else []
    if frames:
        whom.append(f"the models of {frames:,} frames" if frames > 1 else "the model of a frame")
    return f"its {entries:,} entries went to {' and '.join(whom)}; no model saw them together"
