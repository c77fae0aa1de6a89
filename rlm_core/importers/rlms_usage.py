"""What the calls of a trajectory of `rlms` took, and where they stand in it: a child has one count for itself and its helpers.

Knows the names of the years for the same things. Refuses to know events.
"""

from __future__ import annotations

from rlm_core.importers.numbering import number_of, whole_number
from rlm_core.task import Json, Usage


def blocks_of(iteration: Json) -> list[Json]:
    found = iteration.get("code_blocks")
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def result_of(block: Json) -> Json:
    found = block.get("result")
    return found if isinstance(found, dict) else {}


def calls_of(result: Json) -> list[Json]:
    """Calls that a cell made, by today's name or that of before."""
    found = result.get("rlm_calls") or result.get("llm_calls")
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else []


def usage_of(call: Json) -> tuple[Usage | None, float | None]:
    """Tokens and cost of a call, of all models that it asked, as far as they are recorded."""
    together = call.get("usage_summary")
    if not isinstance(together, dict):
        given, made = whole_number(call.get("prompt_tokens")), whole_number(call.get("completion_tokens"))
        return (None if given is None and made is None else Usage(given, made)), number_of(call.get("total_cost"))
    sent, came, cost_usd = (
        number_of(sum(known))
        if (known := [n for each in _models(call) if (n := number_of(each.get(name))) is not None])
        else None
        for name in ("total_input_tokens", "total_output_tokens", "total_cost")
    )
    usage = None if sent is None and came is None else Usage(whole_number(sent), whole_number(came))
    shown = number_of(together.get("total_cost"))
    return usage, cost_usd if shown is None else shown


def own_usage_of(child: Json, iterations: list[Json]) -> tuple[Usage | None, float | None]:
    """What the calls of a child's own model took: its count holds those of its helpers too, where it has so many calls."""
    usage, cost_usd = usage_of(child)
    helpers = [call for each in iterations for block in blocks_of(each) for call in calls_of(result_of(block))]
    if usage is None or (counted_calls(child) or 0) < len(iterations) + len(helpers):
        return usage, cost_usd
    taken = [usage_of(each) for each in helpers]
    given = sum((each.input_tokens or 0) for each, _ in taken if each)
    made = sum((each.output_tokens or 0) for each, _ in taken if each)
    return (
        Usage(
            None if usage.input_tokens is None else max(0, usage.input_tokens - given),
            None if usage.output_tokens is None else max(0, usage.output_tokens - made),
        ),
        None if cost_usd is None else max(0.0, cost_usd - sum(cost or 0.0 for _, cost in taken)),
    )


def counted_calls(call: Json) -> int | None:
    known = [n for each in _models(call) if (n := whole_number(each.get("total_calls"))) is not None]
    return sum(known) if known else None


def _models(call: Json) -> list[Json]:
    """What each model that a call asked has taken."""
    together = call.get("usage_summary")
    of_models = together.get("model_usage_summaries") if isinstance(together, dict) else None
    return [each for each in of_models.values() if isinstance(each, dict)] if isinstance(of_models, dict) else []
