"""A run as a report in Markdown: question, answer, how it was found, findings with their quotes, cost, and what went wrong.

Made to be read and passed on. Every text of a model or a document stands in a fence or an escaped cell (`markdown.py`): it can
neither link nor load. What is cut says how much is missing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from rlm_core import events as ev
from rlm_core import wording
from rlm_core.diagnose.symptoms import Symptom
from rlm_core.markdown import escaped, fenced, table
from rlm_core.plain import plain
from rlm_core.task import Json, Verdict
from rlm_core.view import Node, RunView, Totals

TEXT_CHARS = 4_000
"""Of a model's words, a code's output or an error, as far as it is printed here."""
FINDINGS = 500
_FENCED = re.compile(r"^```.*?(?:^```\s*?$|\Z)", re.DOTALL | re.MULTILINE)
"""A block of code in a reply: printed once, as its cell."""
_CALLED = {"sub": "helper call", "compact": "call of the compressor", "judge": "call of a judge", "root": "call"}


def without_code(reply: str) -> str:
    """The words of a reply of a root model; its code stands in its cells."""
    return _FENCED.sub("[code: see the cell]", reply)


def report_of(
    view: RunView,
    findings: Sequence[Json],
    symptoms: Sequence[Symptom] = (),
    archive: str | None = None,
    shown: str | None = None,
) -> str:
    """The report. `findings` as of `findings.findings_of`; `shown` says in words what was shown of the archive."""
    task, answer = view.task, view.answer
    parts = [
        f"# Run {escaped(view.run or '')}",
        "## Question",
        fenced(task.question if task else "not recorded"),
        *_asked(view, archive),
        "## Answer",
    ]
    parts.append(f"Outcome: {wording.outcome(view.outcome)}.")
    if view.finished and view.finished.reason:
        parts.append(escaped(view.finished.reason))
    parts.append(fenced(answer.text) if answer else "There is no answer.")
    parts += ["## Findings", *_findings(findings), "## What it took", _figures(view)]
    parts += ["## What was shown of the archive", fenced(shown)] if shown else []
    parts += ["## How it was found", *_steps(view)]
    parts += ["## What went wrong", _diagnosis(symptoms)]
    return "\n\n".join(parts) + "\n"


def _asked(view: RunView, archive: str | None) -> list[str]:
    task = view.task
    if task is None:
        return []
    options = "".join(f", {name} {value}" for name, value in task.options.items())
    rows = [
        ("archive", archive or task.corpus or "not recorded"),
        ("strategy", f"{task.strategy}{options}"),
        ("root model", task.root_model),
        ("helper model", task.helper_model),
        ("run", view.run or ""),
    ]
    return [table(("asked", ""), rows)]


def _findings(findings: Sequence[Json]) -> list[str]:
    if not findings:
        return ["No findings were recorded."]
    rows = [
        (
            str(each["item"]),
            str(each["label"]),
            str(each["quote"] or wording.DOES_NOT_APPLY),
            str(each["source"] or "") if each["document"] is None else wording.place(each["document"], each["line"]),
            wording.verdict(_verdict(each)),
        )
        for each in findings[:FINDINGS]
    ]
    cut = [f"{wording.m_of_n(FINDINGS, len(findings))} findings are shown."] if len(findings) > FINDINGS else []
    return [table(("item", "label", "quote", "place", "verdict"), rows), *cut, f"({wording.EXACT_MEANS})"]


def _verdict(row: Json) -> Verdict | None:
    verdict: Verdict | None = row["verdict"]
    return verdict


def _figures(view: RunView) -> str:
    totals = view.totals()
    rows = [
        ("cost", _cost(totals)),
        ("time", wording.seconds(view.elapsed_s(view.last_at))),
        ("calls", f"{totals.calls:,}, of which {totals.failed_calls:,} failed"),
        ("cells", f"{totals.cells:,}"),
        ("tokens in", _tokens(totals.input_tokens, totals)),
        ("tokens out", _tokens(totals.output_tokens, totals)),
    ]
    return table(("what", ""), rows)


def _cost(totals: Totals) -> str:
    return wording.money(totals.cost_usd, totals.calls_without_cost)


def _tokens(known: int, totals: Totals) -> str:
    if totals.calls_without_usage == totals.calls and totals.calls:
        return wording.UNKNOWN
    return f"{known:,}{' + ?' if totals.calls_without_usage else ''}"


def _steps(view: RunView) -> list[str]:
    parts: list[str] = []
    for node, _ in view.walk():
        body = node.started
        if isinstance(body, ev.FrameStarted) and body.depth:
            parts += [f"### Child frame {escaped(node.id)}: {escaped(node.status)}", fenced(_cut(body.question))]
        elif isinstance(body, ev.TurnStarted):
            parts.append(f"### Turn {body.number} ({escaped(node.id)})")
        elif isinstance(body, ev.CallStarted) and body.role == "root":
            parts += _words(node)
        elif isinstance(body, ev.CellStarted):
            parts += _cell(view, node, body)
    return parts or ["No step was recorded."]


def _words(node: Node) -> list[str]:
    done = node.finished
    if not isinstance(done, ev.CallFinished):
        return ["The model has not replied."]
    if done.text is None:
        return ["The model did not reply:", fenced(_cut(done.error or wording.UNKNOWN))]
    return ["The model:", fenced(_cut(without_code(done.text)))]


def _cell(view: RunView, node: Node, body: ev.CellStarted) -> list[str]:
    done = node.finished if isinstance(node.finished, ev.CellFinished) else None
    parts = [f"Cell {escaped(node.id)}: {escaped(node.status)}", fenced(body.code, "python"), *_helpers(view, node)]
    if done and done.output.strip():
        missing = done.output_chars - len(done.output)
        more = f"\n[{wording.exact(missing, 'more character')}]" if missing > 0 else ""
        parts += ["It printed:", fenced(_cut(done.output) + more)]
    if done and done.error:
        parts += ["It failed:", fenced(_cut(done.error))]
    return parts


def _helpers(view: RunView, node: Node) -> list[str]:
    """The calls of a cell, counted by model, role and status: each of them stands in the JSON document."""
    calls = [view.nodes[child] for child in node.children if view.nodes[child].kind == "call"]
    counted = Counter(
        (each.started.role, each.started.model, each.status)
        for each in calls
        if isinstance(each.started, ev.CallStarted)
    )
    return [
        f"- {wording.exact(number, _CALLED[role])} of {escaped(model)}: {escaped(status)}"
        for (role, model, status), number in counted.items()
    ]


def _cut(text: str) -> str:
    missing = len(text) - TEXT_CHARS
    return f"{text[:TEXT_CHARS]}\n[{wording.exact(missing, 'more character')}]" if missing > 0 else text


def _diagnosis(symptoms: Sequence[Symptom]) -> str:
    if not symptoms:
        return "No rule found anything. No model was asked."
    return table(("severity", "step", "what"), [(each.severity, each.span, plain(each.says)) for each in symptoms])
