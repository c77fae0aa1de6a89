"""A run as one JSON object: what `rlm-studio ask --json` prints.

Unknown is `null`: a cost or a token count is given only when every call that was sent has reported one.
"""

from __future__ import annotations

from rlm_core.exporters.findings import findings_of
from rlm_core.task import Json
from rlm_core.view import RunView


def result_of(view: RunView) -> Json:
    """`run, outcome, reason, answer, findings, usage, cost_usd, known_cost_usd, elapsed_s` of a run."""
    totals = view.totals()
    finished, answer = view.finished, view.answer
    tokens_known = totals.calls_without_usage == 0
    return {
        "run": view.run,
        "outcome": view.outcome,
        "reason": finished.reason if finished and finished.reason else None,
        "answer": answer.text if answer else None,
        "findings": findings_of(view),
        "usage": {
            "calls": totals.calls,
            "failed_calls": totals.failed_calls,
            "cells": totals.cells,
            "input_tokens": totals.input_tokens if tokens_known else None,
            "output_tokens": totals.output_tokens if tokens_known else None,
            "calls_without_usage": totals.calls_without_usage,
        },
        "cost_usd": totals.cost_usd if totals.calls_without_cost == 0 else None,
        "known_cost_usd": totals.cost_usd,
        "calls_without_cost": totals.calls_without_cost,
        "elapsed_s": view.elapsed_s(view.last_at),
    }
