"""What there is in a run, by kind; what it was asked with; and how it ended. Pure: facts and a sheet in, plain words out."""

from __future__ import annotations

import time

from rlm_core import events as ev
from rlm_core import wording
from rlm_core.looks.marks import Kind
from rlm_core.looks.node_shapes import RunFacts
from rlm_core.looks.remarks import SANDBOX, remark_in_words
from rlm_core.looks.run_words import Figure, elapsed_s, reason_in_words
from rlm_core.looks.sheet import Sheet
from rlm_core.passages import Passage
from rlm_core.wording import exact

UNITS = {"max_usd": "US dollars", "timeout_s": "s", "call_timeout_s": "s", "cell_timeout_s": "s"}
LIMITS = {
    "max_usd": "spending",
    "max_tokens": "tokens",
    "max_calls": "calls",
    "max_turns": "turns of one frame",
    "timeout_s": "time of the run",
    "call_timeout_s": "time of one call",
    "concurrency": "calls at once",
    "cell_timeout_s": "time of one cell",
    "cell_memory_mb": "memory of a cell",
    "shown_chars": "output that is shown to the model",
    "ask_above_calls": "calls of a batch that nobody is asked about",
    "ask_above_usd": "cost of a batch that nobody is asked about",
}


def kinds(facts: RunFacts, sheet: Sheet, citations: int, mended: int = 0) -> list[tuple[Kind, str, str]]:
    """Every kind that can be seen in a run: its shape, how many there are, and what that means here. Of the failures so many as
    are `mended` were made good later."""
    return [
        ("root", exact(facts.turns + facts.child_turns, "turn"), _turns(facts, sheet)),
        ("code", exact(facts.cells, "cell"), _cells(facts, sheet)),
        ("call", exact(facts.sub_calls, "sub-call"), _calls(facts, sheet)),
        ("frame", exact(facts.frames, "child frame"), _frames(facts)),
        ("answer", exact(facts.findings, "finding"), _findings(facts, sheet, citations)),
        (
            "failed",
            exact(facts.failed_calls + facts.failed_cells + facts.failed_frames, "failure"),
            _failures(facts, mended),
        ),
    ]


def _turns(facts: RunFacts, sheet: Sheet) -> str:
    if not facts.turns:
        return "the root model has not been asked yet." if sheet.active else "the root model was not asked."
    if not facts.turns_with_code and sheet.active:
        return "the root model is being asked for its first move."
    asked = f"the root model was asked {_times(facts.turns)}"
    of_children = f"; the models of child frames were asked {_times(facts.child_turns)}" if facts.child_turns else ""
    if not facts.turns_with_code:
        return f"{asked}, and replied in words{of_children}."
    if facts.turns == 1:
        return f"{asked}, and wrote code{of_children}."
    wrote = "each time" if facts.turns_with_code == facts.turns else _times(facts.turns_with_code)
    return f"{asked}, and wrote code {wrote}{of_children}."


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number:,} times")


def _cells(facts: RunFacts, sheet: Sheet) -> str:
    if not facts.cells:
        return "no code was run yet." if sheet.active else "no code was run."
    failed = f"; {facts.failed_cells:,} ended in an error" if facts.failed_cells else ""
    if facts.cells == 1:
        return f"a piece of code that was run in a sandbox{'; it ended in an error' if failed else ''}."
    return f"pieces of code that were run in a sandbox, one after the other{failed}."


def _calls(facts: RunFacts, sheet: Sheet) -> str:
    if not facts.sub_calls:
        return "no helper model was asked yet." if sheet.active else "no helper model was asked."
    return "the code asked a helper model about pieces of the archive, one piece in each."


def _frames(facts: RunFacts) -> str:
    if not facts.frames:
        return "no helper was given code of its own to write; that begins with depth 2."
    return "helpers that wrote code themselves, each in a Python session of its own."


def _findings(facts: RunFacts, sheet: Sheet, citations: int) -> str:
    if not facts.findings:
        return f"no item was recorded with the words that decide it{' yet' if sheet.active else ''}."
    if facts.has_answer:
        answer = f"the answer names {citations:,} of them"
    else:
        answer = "there is no answer yet" if sheet.active else "there is no answer"
    return f"decided items, each with the words that decide it; {answer}."


def _failures(facts: RunFacts, mended: int) -> str:
    said = [exact(facts.failed_calls, "call")] if facts.failed_calls else []
    said += [exact(facts.failed_cells, "cell")] if facts.failed_cells else []
    said += [exact(facts.failed_frames, "child frame")] if facts.failed_frames else []
    refused = f"{exact(facts.refused_calls, 'call')} refused by a limit or a person." if facts.refused_calls else ""
    good = f"; {mended:,} made good later, with a hollow one" if mended else ""
    shown = f"{' and '.join(said)}, shown with this mark{good}." if said else ""
    return " ".join(filter(None, [shown, refused])) or "no call and no cell went wrong."


def ended(facts: RunFacts, sheet: Sheet) -> list[str]:
    """How the run ended, or where it is, in sentences."""
    took = wording.seconds(elapsed_s(sheet, time.time()))
    said = []
    if sheet.state == "queued":
        return [reason_in_words(sheet)]
    if sheet.state == "running":
        said.append(f"It is under way, for {took} so far.{' It waits for you.' if sheet.approval else ''}")
    elif sheet.state == "answered":
        said.append(f"Answered after {took}: the model handed the answer over itself.")
    else:
        said.append(f"{sheet.state.capitalize()} after {took}. {reason_in_words(sheet)}".strip())
    said += [remark for body in facts.remarks if (remark := _remark(body))]
    return said


def _remark(body: ev.Body) -> str:
    """Of limits and notes; what else is remarked is said at its step, and what holds the cells with the task."""
    remark = remark_in_words(body)
    if remark is None or not isinstance(body, ev.LimitReached | ev.Noted) or remark[0] == SANDBOX:
        return ""
    topic, said = remark
    text = f"{said.head}{'…' if said.sha else ''}"
    return text if isinstance(body, ev.LimitReached) else f"{topic[:1].upper()}{topic[1:]}: {text}"


def _remarks(facts: RunFacts) -> list[tuple[str, Passage]]:
    return [remark for body in facts.remarks if (remark := remark_in_words(body))]


def task_facts(facts: RunFacts, sheet: Sheet, archive: str) -> list[Figure]:
    """What the run was asked with."""
    task = sheet.task
    options = ", ".join(f"{name} {value}" for name, value in task.options.items()) or "as the strategy has them"
    said = [
        Figure("Archive", archive, _context(sheet)),
        Figure("Strategy", task.strategy, options),
        Figure("Root model", task.root_model),
        Figure("Helper model", task.helper_model),
    ]
    said += [Figure("Server", task.api_base)] if task.api_base else []
    limits = {name: words for name, words in LIMITS.items() if sheet.knows_limit(name)}
    said += [Figure(f"Limit: {words}", _limit(name, getattr(task.limits, name))) for name, words in limits.items()]
    said += [Figure("Sandbox", text.head) for topic, text in _remarks(facts) if topic == SANDBOX]
    if sheet.started_at is not None:
        said.append(Figure("Started", _clock(sheet.started_at)))
    if sheet.finished_at is not None:
        said.append(Figure("Ended", _clock(sheet.finished_at)))
    said += [Figure("Goes on from", facts.parent_run)] if facts.parent_run else []
    said += [Figure(f"Version of {name}", str(version)) for name, version in facts.versions.items()]
    return said


def _context(sheet: Sheet) -> str:
    if sheet.documents is None or sheet.chars is None:
        return ""
    return f"{exact(sheet.documents, 'document')}, {exact(sheet.chars, 'character')}"


def _limit(name: str, value: float | None) -> str:
    if value is None:
        return "none"
    if name.endswith("_usd"):
        return wording.money(value)
    if name == "cell_memory_mb":
        return f"{value:,} MB"
    if name == "shown_chars":
        return exact(int(value), "character")
    return wording.seconds(value) if name.endswith("_s") else f"{value:,}"


def _clock(at: float) -> str:
    return time.strftime("%d %b %Y %H:%M:%S", time.localtime(at))
