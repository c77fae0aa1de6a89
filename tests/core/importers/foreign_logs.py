"""Logs of other tools, made line by line, for tests of what becomes of them."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter
from types import ModuleType
from typing import Any

from rlm_core.events import Event
from rlm_core.view import RunView, fold

MODIFIED_AT = 1_800_000_000.0
"""When the file of a log was written last."""
METADATA = {
    "type": "metadata",
    "timestamp": "2026-03-01T10:00:00",
    "root_model": "big",
    "max_depth": 2,
    "max_iterations": 8,
}
SYSTEM = {"role": "system", "content": "You have a REPL."}
ASKED = {
    "role": "user",
    "content": "Answer the following: How many rooms?\n\nYour context is a str of 1,200 total characters.",
}


def iteration(
    number: int, prompt: list[Any], reply: str, *blocks: dict[str, Any], final: object = None
) -> dict[str, Any]:
    return {
        "type": "iteration",
        "iteration": number,
        "timestamp": f"2026-03-01T10:00:{10 * number:02}",
        "prompt": prompt,
        "response": reply,
        "code_blocks": list(blocks),
        "final_answer": final,
        "iteration_time": 5.0,
    }


def block(
    code: str, stdout: str = "", stderr: str = "", calls: tuple[Any, ...] = (), **variables: object
) -> dict[str, Any]:
    result = {
        "stdout": stdout,
        "stderr": stderr,
        "locals": {"context": "A" * 1_200, **variables},
        "execution_time": 1.0,
    }
    return {"code": code, "result": {**result, "rlm_calls": list(calls), "final_answer": None}}


def call(prompt: str, reply: str, tokens: tuple[int, int], **more: object) -> dict[str, Any]:
    of_model = {"total_calls": 1, "total_input_tokens": tokens[0], "total_output_tokens": tokens[1]}
    summary = {"model_usage_summaries": {"small": of_model}}
    return {
        "root_model": "small",
        "prompt": prompt,
        "response": reply,
        "usage_summary": summary,
        "execution_time": 0.2,
        **more,
    }


def said(reply: str, output: str) -> list[dict[str, str]]:
    return [{"role": "assistant", "content": reply}, {"role": "user", "content": output}]


def rlms_log() -> list[dict[str, Any]]:
    first = [SYSTEM, ASKED]
    then = [*first, *said("Ask.", "2")]
    inside = [SYSTEM, {"role": "user", "content": "Which?"}, *said("Look.", "wet"), *said("Done.", "")]
    child = [iteration(1, inside, "Look.", block("print(1)", "wet")), iteration(2, inside, "Done.", final="A12")]
    metadata = {"run_metadata": METADATA, "iterations": child}
    asked = (call("A12?", "yes", (20, 3)), call("B07?", "", (0, 0), error="rate limit"))
    return [
        METADATA,
        iteration(1, first, "Ask.", block("r = ask()", "2\n", calls=asked, r=["yes", ""])),
        iteration(2, then, "Dig.", block("x[1]", stderr="Traceback ...\nIndexError: list index out of range")),
        iteration(
            3, then, "Deeper.", block("c = rlm_query()", calls=(call("Which?", "A12", (50, 9), metadata=metadata),))
        ),
        iteration(4, then, "Ready.", block("answer"), final="One room: A12"),
    ]


def lines_of(log: list[dict[str, Any]]) -> io.BytesIO:
    return io.BytesIO("".join(json.dumps(each) + "\n" for each in log).encode())


def runs_of(reader: ModuleType, log: io.BufferedIOBase) -> list[RunView]:
    events: Iterator[Event] = reader.read_log(log, MODIFIED_AT)
    return [fold(list(each)) for _, each in groupby(events, attrgetter("run"))]


def fast_log() -> list[dict[str, Any]]:
    def line(run: str, kind: str, second: int, parent: str | None = None, **more: object) -> dict[str, Any]:
        head = {
            "run_id": run,
            "depth": 1 if parent else 0,
            "event_type": kind,
            "time": f"2026-02-22T14:56:{second:02}.000Z",
        }
        return {**head, **({"parent_run_id": parent} if parent else {}), **more}

    def used(given: int, made: int, cost: float) -> dict[str, Any]:
        return {"usage": {"prompt_tokens": given, "completion_tokens": made, "cached_tokens": 0, "cost": cost}}

    return [
        line(
            "a",
            "execution_result",
            1,
            step=0,
            code="print(context)",
            output="[FULL OUTPUT SHOWN]... pears",
            **used(0, 0, 0),
        ),
        line(
            "a",
            "execution_result",
            9,
            step=2,
            code="1/0",
            output="Error: division by zero",
            hasError=False,
            **used(7, 2, 0.01),
        ),
        line("b", "code_generated", 4, "a", step=1, code="FINAL(3)", **used(5, 1, 0.02)),
        line("b", "final_result", 5, "a", result={"pears": 3}),
        line("a", "execution_result", 6, step=1, code="await llm_query('pears')", output="3", **used(6, 3, 0.03)),
        line("a", "code_generated", 12, step=3, code="FINAL('three')", reasoning="Now I know.", **used(8, 4, 0.04)),
        line("a", "final_result", 12, result="three"),
    ]
