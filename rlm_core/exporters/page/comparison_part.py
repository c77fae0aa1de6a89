"""Runs side by side as the page shows them: what each came to, how far apart they are, and what each says of every item."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rlm_core import wording
from rlm_core.compare import LETTERS, ComparedRun, Comparison, Item, Quoted
from rlm_core.exporters.page.redaction import Redaction, redacted
from rlm_core.headlines import headline
from rlm_core.looks.run_words import asked_with
from rlm_core.looks.verdicts import told
from rlm_core.plain import plain_line
from rlm_core.reasons import absent, otherwise
from rlm_core.task import Json

SHOWN_ITEMS = 2_000
ANSWER_CHARS, QUOTE_CHARS, NAME_CHARS, LABEL_CHARS, PLACE_CHARS = 400, 300, 80, 40, 160


def comparison_of(comparison: Comparison, redaction: Redaction, now: float) -> Json:
    """`headline`, `lead`, `runs` with a letter each, `figures` as rows of one value a run and the difference, `items`."""
    said, runs = headline(comparison), comparison.runs
    return {
        "headline": plain_line(said.text),
        "lead": [plain_line(each) for each in said.lead],
        "runs": [
            {
                "letter": LETTERS[number],
                "id": run.id,
                "how": asked_with(run.task),
                "state": run.state,
                "answer": plain_line(
                    (run.answer or run.reason or "no answer").strip().partition("\n")[0], ANSWER_CHARS
                ),
            }
            for number, run in enumerate(runs)
        ],
        "figures": list(_figures(runs, now)),
        "items": [_item(comparison, item, redaction) for item in comparison.items[:SHOWN_ITEMS]],
        "total": len(comparison.items),
        "counts": _counts(comparison),
    }


def _counts(comparison: Comparison) -> list[list[str]]:
    """How many items there are of each status, those that there are."""
    statuses = [_status(item) for item in comparison.items]
    return [[each, f"{statuses.count(each):,}"] for each in dict.fromkeys(statuses)]


def _status(item: Item) -> str:
    return f"only {LETTERS[item.having[0]]}" if item.status == "only" else item.status


def _figures(runs: Sequence[ComparedRun], now: float) -> Iterator[list[str]]:
    """Name, a value a run, and of two runs how far the second is from the first."""

    def row(
        name: str, values: Sequence[float | None], said: Callable[[float], str], unknown: Sequence[str] = ()
    ) -> list[str]:
        words = [wording.UNKNOWN if each is None else said(each) for each in values]
        shown = [marked or each for marked, each in zip(unknown or [""] * len(words), words, strict=True)]
        return [
            name,
            *shown,
            *([_apart(values, said) if not any(unknown) else wording.UNKNOWN] if len(runs) == 2 else []),
        ]

    totals = [run.totals for run in runs]
    part = [
        wording.money(each.cost_usd, each.calls_without_cost) if each.calls_without_cost and not run.free else ""
        for run, each in zip(runs, totals, strict=True)
    ]
    yield row("Cost", [each.cost_usd for each in totals], wording.money, part)
    yield row("Time", [run.elapsed_s(now) for run in runs], wording.seconds)
    yield row("Calls", [each.calls for each in totals], _whole)
    for name, figure in (("Tokens in", "input_tokens"), ("Tokens out", "output_tokens")):
        known = [None if each.calls_without_usage else getattr(each, figure) for each in totals]
        yield row(name, known, lambda value: wording.count(int(value)))
    yield row("Findings", [run.decided for run in runs], _whole)
    yield row("Quotes word for word", [run.exact for run in runs], _whole)


def _whole(value: float) -> str:
    return f"{int(value):,}"


def _apart(values: Sequence[float | None], said: Callable[[float], str]) -> str:
    """`+12`, `−$0.02`; unknown where one of them is."""
    first, second = values
    if first is None or second is None:
        return wording.UNKNOWN
    if first == second:
        return "the same"
    return f"{'+' if second > first else '−'}{said(abs(second - first))}"


def _item(comparison: Comparison, item: Item, redaction: Redaction) -> Json:
    return {
        "item": plain_line(item.name, NAME_CHARS),
        "status": _status(item),
        "said": [_cell(comparison, item, number, redaction) for number in range(len(comparison.runs))],
    }


def _cell(comparison: Comparison, item: Item, number: int, redaction: Redaction) -> Json:
    run, said = comparison.runs[number], item.said[number]
    if not said.labelled:
        words = absent(run, said).told(lambda place: plain_line(place, PLACE_CHARS))
        return {"label": "", "quote": "", "verdict": "", "place": "", "span": "", "words": words}
    first = said.quotes[0]
    more = len(said.quotes) - 1
    notes = [f"and {wording.exact(more, 'more quote')}"] if more else []
    quote = plain_line(first.quote, QUOTE_CHARS)
    checked = first.checked
    verdict = told(checked.verdict) if checked else None
    return {
        "label": plain_line(said.label, LABEL_CHARS),
        "quote": redacted(len(first.quote)) if redaction.documents and quote else quote,
        "verdict": f"{verdict.mark} {verdict.words}" if verdict else wording.NOT_CHECKED,
        "place": _place(first),
        "span": first.span or "",
        "words": " · ".join([*notes, *otherwise(comparison, item, number)]),
    }


def _place(quoted: Quoted) -> str:
    found = quoted.checked
    return plain_line(
        wording.place(found.document, found.line) if found and found.document else quoted.source, PLACE_CHARS
    )
