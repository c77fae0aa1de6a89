"""What a model is told after its cells: the output as far as it is shown, what changed, what failed, what is left.

Worded for a model that has to act on it. Everything that is cut says how much is missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rlm_core.frame import Frame, Ran
from rlm_core.shown import shown_output
from rlm_core.strategies.fences import NOT_CLOSED, THOUGHT_OPEN
from rlm_core.strategies.reply import BARE_FENCE, BESIDE_CODE, GUESSED_OUTPUT, NO_FENCE, TOOL_CALL
from rlm_core.task import Json, Limits, Verdict, standing, standing_labels

MAX_VARIABLES = 12
MAX_SINGLE = 3
"""Of single values, most of which a loop has left over; what holds many comes first."""
MAX_FAILURES = 10
MAX_LABELS = 8
MAX_NAME_CHARS = 60
CODE_TYPES = frozenset({"function", "type", "module", "builtin_function_or_method", "ABCMeta", "EnumType", "Pattern"})
TEXT_TYPES = ("str", "Document", "Page")
LEFTOVER_TYPES = frozenset({"int", "float", "bool", "Match", "NoneType", "tuple", *TEXT_TYPES})


def feedback(frame: Frame, ran: Sequence[Ran], skipped: int = 0) -> str:
    """The user message that follows a turn with cells."""
    parts = []
    for number, each in enumerate(ran, 1):
        place = f" {number} of {len(ran)}" if len(ran) > 1 else ""
        size = f", {each.result.output_chars:,} characters" if each.result.output_chars else ""
        parts.append(f"Output of cell{place}{size}:\n{_output(each, frame.limits.shown_chars)}")
        parts += [line for line in (_variables(each.result.variables), _failures(each)) if line]
    parts += [line for line in (findings_line(frame),) if line]
    if skipped:
        parts.append(f"{skipped} further cell(s) of your reply were not run, because the one before failed.")
    parts.append(spent_line(frame))
    return "\n\n".join(parts)


def _output(ran: Ran, max_chars: int) -> str:
    result = ran.result
    return shown_output(result.output, result.error, result.output_chars, max_chars) or "(nothing was printed)"


def _variables(variables: Sequence[Json]) -> str:
    """`rooms: dict, 310 items (new)`, as many as are worth a look: data, and not what a loop has left over."""
    data = [each for each in variables if each["type"] not in CODE_TYPES and not _is_leftover(each)]
    if not data:
        return ""
    holding = [each for each in data if each["type"] not in LEFTOVER_TYPES]
    single = [each for each in data if each["type"] in LEFTOVER_TYPES][
        : max(0, min(MAX_SINGLE, MAX_VARIABLES - len(holding)))
    ]
    shown_ones = holding[:MAX_VARIABLES] + single
    lines = [_variable(each) for each in shown_ones]
    if len(data) > len(shown_ones):
        lines.append(f"and {len(data) - len(shown_ones)} more (SHOW_VARS() lists all)")
    return "Variables: " + "; ".join(lines)


def _is_leftover(each: Json) -> bool:
    return len(each["name"]) <= 2 and each["type"] in LEFTOVER_TYPES


def _variable(each: Json) -> str:
    size = (
        f", {each['size']:,} {'characters' if each['type'] in TEXT_TYPES else 'items'}"
        if each.get("size") is not None
        else ""
    )
    preview = f" = {each['preview']}" if each.get("preview") and each.get("size") is None else ""
    return f"{each['name']}: {each['type']}{size}{preview} ({each['change']})"


def _failures(ran: Ran) -> str:
    if not ran.calls:
        return ""
    if not ran.failures:
        return f"Calls: {ran.calls:,}, none failed."
    places = ", ".join(str(place) for place, _ in ran.failed[:MAX_FAILURES])
    more = f" and {ran.failures - MAX_FAILURES:,} more" if ran.failures > MAX_FAILURES else ""
    numbers = f"number{'s' if ran.failures > 1 else ''} {places}{more}, counted from 0"
    return f"Calls: {ran.failures:,} of {ran.calls:,} failed ({numbers}). First error: {ran.failed[0][1]}"


REPAIR_ADVICE = {
    GUESSED_OUTPUT: "What your reply gave as output was left out: only the session prints. The output above is the real one.",
    BESIDE_CODE: "The answer beside your code was left out, because the code's output had not been seen. If it stands, give it "
    "again, without code that prints.",
    BARE_FENCE: "Your code was run although its fence named no language; begin it with ```repl.",
    NO_FENCE: "Your code was run although it stood in no fence; put it between ```repl and ```.",
    TOOL_CALL: "Your tool call was run as a cell. There are no tools here: write code between ```repl and ```.",
    NOT_CLOSED: "The last fence of your reply was not closed. If the reply was cut off, write shorter cells.",
    THOUGHT_OPEN: "Your reply ended inside your thoughts, and nothing of them was read. Think less, then act.",
}
"""What a model is told of a repair, where it can do better next time."""


def repair_lines(repairs: Sequence[str]) -> list[str]:
    """What to tell a model of the faults in its reply (`reply.py`: `Move.repairs`)."""
    return [REPAIR_ADVICE[repair] for repair in repairs if repair in REPAIR_ADVICE]


DOUBTED_QUOTES: dict[Verdict, str] = {
    "not found": "quotes not found in the archive",
    "conflict": "quotes that the archive has with another number, name or negation",
    "fuzzy": "quotes that are not word for word as in the archive",
    "ambiguous": "quotes that stand in several places (give path:line as the source)",
    "not looked for": "quotes that took too long to look for",
}


def findings_line(frame: Frame) -> str:
    """How many findings there are by label, and what is wrong with them; nothing while there are none."""
    found = frame.findings
    if not found:
        return ""
    given: dict[str, list[str]] = {}
    for finding, _ in found:
        given.setdefault(finding.item, []).append(finding.label)
    labels = Counter(standing_labels(finding for finding, _ in found).values())
    counts = ", ".join(f"{count:,} {_short(label)}" for label, count in labels.most_common(MAX_LABELS))
    counts += f" and {len(labels) - MAX_LABELS:,} other labels" if len(labels) > MAX_LABELS else ""
    counts = "each with a label of its own" if len(labels) == len(given) > 2 else counts
    looked_for = any(verdict != "no quote" for _, verdict in found)
    corrected = [f"{item} ({' then '.join(each)})" for item, each in given.items() if len(set(each)) > 1]
    stands = [each for each, stand in zip(found, standing(found), strict=True) if stand]
    doubted = {
        words: [finding.item for finding, each in stands if each == verdict]
        for verdict, words in DOUBTED_QUOTES.items()
    }
    bare = sum(verdict == "no quote" for _, verdict in stands)
    records = f" from {len(found):,} records" if len(found) > len(given) else ""
    parts = [f"Findings: {len(given):,} items{records} ({counts})"]
    if looked_for and not any(doubted.values()):
        parts.append("every quote was found")
    parts += [f"{words}: {_some(items)}" for words, items in doubted.items() if items]
    parts += [f"{bare:,} without a quote"] if bare else []
    parts += [f"corrected, the last label stands: {_some(corrected)}"] if corrected else []
    return "; ".join(parts) + "."


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - MAX_FAILURES} more" if len(names) > MAX_FAILURES else ""
    return ", ".join(_short(name) for name in names[:MAX_FAILURES]) + more


def _short(text: str) -> str:
    return text if len(text) <= MAX_NAME_CHARS else f"{text[:MAX_NAME_CHARS]}..."


def limits_line(limits: Limits) -> str:
    """What the run may use, in one line."""
    parts = [
        f"{limits.max_turns} turns",
        f"{limits.max_calls:,} model calls, your turns among them",
        f"{limits.timeout_s:.0f} s",
    ]
    parts += [f"{limits.max_tokens:,} tokens"] if limits.max_tokens else []
    parts += [f"${limits.max_usd:.2f}"] if limits.max_usd else []
    return ", ".join(parts) + "."


def spent_line(frame: Frame) -> str:
    """One line of what is used and what is allowed."""
    spent, limits = frame.spent, frame.limits
    calls = f"{spent.calls:,} of {limits.max_calls:,} model calls"
    parts = [calls + (f" ({spent.helper_calls:,} to helpers)" if frame.may_ask_helpers else "")]
    unmeasured = f" + {_calls(spent.unmeasured_calls)} that report none" if spent.unmeasured_calls else ""
    allowed_tokens = f" of {limits.max_tokens:,}" if limits.max_tokens else ""
    parts.append(f"{spent.tokens:,}{allowed_tokens} tokens in all{unmeasured}")
    if spent.usd or (limits.max_usd is not None and spent.unpriced_calls < spent.calls):
        allowed = f" of ${limits.max_usd:.2f}" if limits.max_usd is not None else ""
        unknown = f" + {_calls(spent.unpriced_calls)} of unknown price" if spent.unpriced_calls else ""
        parts.append(f"${spent.usd:.4f}{allowed}{unknown}")
    parts.append(f"{spent.elapsed_s:.0f} of {limits.timeout_s:.0f} s")
    shared = "; by the whole run, you included: " if frame.depth else ", "
    return f"Used: turn {frame.turns} of {limits.max_turns}{shared}{', '.join(parts)}."


def _calls(count: int) -> str:
    return f"{count:,} call{'' if count == 1 else 's'}"
