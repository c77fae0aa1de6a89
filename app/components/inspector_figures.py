"""The figures of a node: what it took, and with everything in it. Pure."""

from __future__ import annotations

from app.components import inspector_words as words
from rlm_core.looks.node_shapes import CallFacts, CellFacts, Facts, FrameFacts, TurnFacts
from rlm_core.looks.run_words import Figure


def figures_of(facts: Facts, *, free: bool = False) -> list[Figure]:
    """Of what takes time and money; nothing of the rest. `free`: nothing is charged in this run."""
    match facts:
        case CallFacts():
            return words.call_figures(facts)
        case TurnFacts():
            return _of_turn(facts, free)
        case CellFacts():
            return _of_cell(facts, free)
        case FrameFacts():
            return _of_frame(facts, free)
    return []


def _of_turn(facts: TurnFacts, free: bool) -> list[Figure]:
    said = words.call_figures(facts.call) if facts.call else []
    if facts.totals.calls <= 1:
        return said
    cost = words.sum_of_costs(facts.totals, free=free)
    return [
        *said,
        Figure("With its sub-calls", cost.value, cost.note),
        Figure("Calls in all", f"{facts.totals.calls:,}"),
    ]


def _of_cell(facts: CellFacts, free: bool) -> list[Figure]:
    stopped = facts.calls - facts.failed_calls - facts.running_calls
    said = [Figure("Time", words.took(facts.elapsed_s))]
    if facts.calls or facts.refused_calls:
        ended = words.counted(stopped, facts.failed_calls, 0, facts.running_calls, facts.refused_calls)
        said.append(Figure("Sub-calls", f"{facts.calls:,}", ended))
    if facts.frames:
        said.append(Figure("Child frames", f"{facts.frames:,}"))
    if facts.totals.calls:
        cost = words.sum_of_costs(facts.totals, running=facts.running_calls, free=free)
        said.append(Figure("Cost of calls", cost.value, cost.note))
        said.append(words.sum_of_tokens(facts.totals, running=facts.running_calls))
    return said


def _of_frame(facts: FrameFacts, free: bool) -> list[Figure]:
    return [
        Figure("Level", f"{facts.depth:,}", "of nesting"),
        Figure("Strategy", facts.strategy, words.depth_in_words(facts.options.get("depth"))),
        Figure("Turns", f"{facts.turns:,}"),
        Figure("Calls", f"{facts.totals.calls:,}"),
        Figure("Time", words.took(facts.elapsed_s)),
        words.sum_of_costs(facts.totals, free=free),
        words.sum_of_tokens(facts.totals),
    ]
