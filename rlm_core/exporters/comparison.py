"""Runs laid side by side, as JSON, CSV and Markdown: what each came to, what differs, and what each says of every item.

Unknown is `null`, or an empty cell, and said as unknown in Markdown. Refuses to say who is right.
"""

from __future__ import annotations

from collections.abc import Sequence

from rlm_core import wording
from rlm_core.compare import LETTERS, ComparedRun, Comparison, Item, Quoted
from rlm_core.headlines import headline
from rlm_core.markdown import escaped, fenced, table
from rlm_core.reasons import absent, otherwise
from rlm_core.spreadsheet import csv_text
from rlm_core.task import Json

_OF_A_RUN = ("label", "how", "quote", "place", "verdict", "why")
ITEMS = 1_000
"""Rows of the report."""


def comparison_of(comparison: Comparison, now: float) -> Json:
    """`headline, lead, counted_label, runs, items`: a run by its letter with its figures and their differences from A's; an item
    with what each run says of it. Times in seconds, up to `now` for a run under way."""
    said = headline(comparison)
    return {
        "headline": said.text,
        "lead": list(said.lead),
        "counted_label": comparison.told_label,
        "runs": [_run(comparison, number, now) for number in range(len(comparison.runs))],
        "items": [
            {
                "item": item.name,
                "status": item.status,
                "said": [_said(comparison, item, number) for number in range(len(comparison.runs))],
            }
            for item in comparison.items
        ],
    }


def to_csv(comparison: Comparison) -> str:
    """A line for each item, safe to open in a spreadsheet; of several quotes the first."""
    columns = ["item", "status", *(f"{letter}_{name}" for letter in _letters(comparison) for name in _OF_A_RUN)]
    return csv_text(columns, ([item.name, item.status, *_cells(comparison, item)] for item in comparison.items))


def to_markdown(comparison: Comparison, now: float) -> str:
    """A report to be read and passed on: no text of a model or a document links or loads in it."""
    said = headline(comparison)
    parts = [f"# {escaped(said.text)}", *(escaped(each) for each in said.lead)]
    parts += ["## Question", *_questions(comparison), "## Runs", table(("", *FIGURES), figures(comparison, now))]
    parts += [f"- {escaped(each)}" for each in deltas(comparison, now)]
    for letter, run in zip(LETTERS, comparison.runs, strict=False):
        parts += [f"### Answer of {letter}", fenced(run.answer) if run.answer is not None else _no_answer(run)]
    parts += ["## Items", *_items(comparison)]
    return "\n\n".join(parts) + "\n"


# ---------------------------------------------------------------------- runs

FIGURES = ("run", "strategy", "models", "outcome", "items", "exact quotes", "calls", "cost", "time", "tokens")


def figures(comparison: Comparison, now: float) -> list[list[str]]:
    """A row of words for each run: its letter, and `FIGURES`."""
    return [[letter, *_figures(run, now)] for letter, run in zip(LETTERS, comparison.runs, strict=False)]


def _figures(run: ComparedRun, now: float) -> list[str]:
    task, totals = run.task, run.totals
    options = "".join(f", {name} {value}" for name, value in task.options.items())
    alone = task.strategy == "base" or task.root_model == task.helper_model
    decided = f"{run.decided:,} in {run.items_from}" if run.decided else "none"
    exact = wording.NOT_CHECKED if run.exact is None else wording.m_of_n(run.exact, run.decided)
    tokens = totals.input_tokens + totals.output_tokens
    unknown = totals.calls_without_usage
    return [
        run.id,
        f"{task.strategy}{options}",
        task.root_model if alone else f"{task.root_model}, helpers {task.helper_model}",
        run.state,
        decided,
        exact if run.decided else wording.DOES_NOT_APPLY,
        f"{totals.calls:,}",
        wording.money(totals.cost_usd, totals.calls_without_cost),
        wording.seconds(run.elapsed_s(now)),
        wording.UNKNOWN if unknown and not tokens else f"{wording.count(tokens)}{' + ?' if unknown else ''}",
    ]


def deltas(comparison: Comparison, now: float) -> list[str]:
    """What each further run took against A: `B against A: 5 calls more, $0.31 more, 12 s less`."""
    first, *others = comparison.runs
    return [
        f"{letter} against {LETTERS[0]}: {', '.join(_against(first, run, now))}."
        for letter, run in zip(LETTERS[1:], others, strict=False)
    ]


def _against(first: ComparedRun, run: ComparedRun, now: float) -> list[str]:
    calls = run.totals.calls - first.totals.calls
    said = [f"{wording.exact(abs(calls), 'call')} {_more(calls)}" if calls else "as many calls"]
    usd, elapsed = _cost_delta(first, run), _time_delta(first, run, now)
    said.append("cost unknown" if usd is None else f"{wording.money(abs(usd))} {_more(usd)}" if usd else "as dear")
    if elapsed is None:
        return [*said, "time unknown"]
    return [*said, f"{wording.seconds(abs(elapsed))} {_more(elapsed)}"]


def _more(difference: float) -> str:
    return "more" if difference >= 0 else "less"


def _cost_delta(first: ComparedRun, run: ComparedRun) -> float | None:
    known = not (first.totals.calls_without_cost or run.totals.calls_without_cost)
    return run.totals.cost_usd - first.totals.cost_usd if known else None


def _time_delta(first: ComparedRun, run: ComparedRun, now: float) -> float | None:
    one, other = first.elapsed_s(now), run.elapsed_s(now)
    return None if one is None or other is None else other - one


def _run(comparison: Comparison, number: int, now: float) -> Json:
    run, first = comparison.runs[number], comparison.runs[0]
    totals = run.totals
    return {
        "letter": LETTERS[number],
        "run": run.id,
        "question": run.question.head,
        "corpus": run.task.corpus,
        "strategy": run.task.strategy,
        "options": run.task.options,
        "root_model": run.task.root_model,
        "helper_model": run.task.helper_model,
        "outcome": run.state,
        "reason": run.reason or None,
        "answer": run.answer,
        "told_number": run.told,
        "counted_items": sorted(comparison.told(number)) if comparison.told_label else None,
        "items_from": run.items_from,
        "decided": run.decided,
        "exact_quotes": run.exact,
        "calls": totals.calls,
        "cost_usd": None if totals.calls_without_cost else totals.cost_usd,
        "known_cost_usd": totals.cost_usd,
        "elapsed_s": run.elapsed_s(now),
        "input_tokens": None if totals.calls_without_usage else totals.input_tokens,
        "output_tokens": None if totals.calls_without_usage else totals.output_tokens,
        "against_a": {
            "calls": totals.calls - first.totals.calls,
            "cost_usd": _cost_delta(first, run),
            "elapsed_s": _time_delta(first, run, now),
        }
        if number
        else None,
    }


# ---------------------------------------------------------------------- items


def why(comparison: Comparison, item: Item, number: int) -> list[str]:
    """Why a run parts from others on an item, as far as their records tell."""
    run, said = comparison.runs[number], item.said[number]
    return otherwise(comparison, item, number) if said.labelled else [absent(run, said).told()]


def place(quoted: Quoted) -> str:
    """Where the words stand, or are said to."""
    found = quoted.checked
    return wording.place(found.document, found.line) if found and found.document else quoted.source


def _said(comparison: Comparison, item: Item, number: int) -> Json:
    said = item.said[number]
    return {
        "run": LETTERS[number],
        "how": said.how,
        "label": said.label or None,
        "quotes": [_quote(each) for each in said.quotes],
        "why": why(comparison, item, number),
    }


def _quote(quoted: Quoted) -> Json:
    found = quoted.checked
    return {
        "quote": quoted.quote or None,
        "source": quoted.source or None,
        "verdict": found.verdict if found else None,
        "document": found.document if found else None,
        "line": found.line if found else None,
        "start": found.start if found else None,
        "end": found.end if found else None,
        "span": quoted.span,
    }


def _cells(comparison: Comparison, item: Item) -> list[object]:
    cells: list[object] = []
    for number, said in enumerate(item.said):
        first = said.quotes[0] if said.quotes else None
        cells += [
            said.label,
            said.how,
            first.quote if first else None,
            place(first) if first else None,
            first.checked.verdict if first and first.checked else None,
            why(comparison, item, number),
        ]
    return cells


def _letters(comparison: Comparison) -> str:
    return LETTERS[: len(comparison.runs)]


def _questions(comparison: Comparison) -> list[str]:
    if comparison.same_question:
        return [fenced(comparison.runs[0].question.head)]
    return [
        part
        for letter, run in zip(LETTERS, comparison.runs, strict=False)
        for part in (f"{letter} was asked:", fenced(run.question.head))
    ]


def _no_answer(run: ComparedRun) -> str:
    return escaped(f"No answer: {run.state}. {run.reason}".strip())


def _items(comparison: Comparison) -> list[str]:
    if not comparison.items:
        return ["None of the runs says anything of single items."]
    shown = comparison.items[:ITEMS]
    head = ("item", "status", *(f"{letter}" for letter in _letters(comparison)))
    rows = [
        [item.name, item.status, *(_in_words(comparison, item, number) for number in range(len(comparison.runs)))]
        for item in shown
    ]
    cut = (
        [f"{wording.m_of_n(len(shown), len(comparison.items))} items are shown."]
        if len(rows) < len(comparison.items)
        else []
    )
    return [table(head, rows), *cut]


def _in_words(comparison: Comparison, item: Item, number: int) -> str:
    said, reasons = item.said[number], why(comparison, item, number)
    if not said.labelled:
        return reasons[0]
    return "; ".join([said.label, *quotes_in_words(said.quotes), *reasons])


def quotes_in_words(quotes: Sequence[Quoted]) -> list[str]:
    """`"Dripped again." (a.txt line 8, exact)`, each."""
    return [
        f"“{each.quote}” ({', '.join([*([where] if (where := place(each)) else []), _verdict(each)])})"
        if each.quote
        else "no quote given"
        for each in quotes
    ]


def _verdict(quoted: Quoted) -> str:
    return wording.verdict(quoted.checked.verdict if quoted.checked else None)
