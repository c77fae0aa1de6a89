"""Logs of other tools in which every text that somebody else can write tries to do something."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ACTS = "<script>alert(1)</script> ![x](http://evil.example/x.png) **bold** $x$ :red[a] :material/home: [a](http://b)"
HOSTILE = (
    f"{ACTS} <img src=http://evil.example/y.png onerror=alert(1)> \0 null \ud83d half \x1b[31mred\x1b]0;title\x07 \u202eabc "
    "\u2066\u2028\u2029\x85\x9b1m\x7f\ufeff \N{COMBINING ACUTE ACCENT}"
)
"""Text that acts, a null byte, half of a sign, escapes of terminals, overrides of the writing direction, separators."""
LONG = "\N{SNOWMAN}" * 50_000
"""A word that nothing can break."""
TEXT = f"{HOSTILE}\n{LONG}"


def _model(name: str) -> dict[str, Any]:
    used = {"total_calls": 1, "total_input_tokens": 2, "total_output_tokens": 3, "total_cost": 0.01}
    return {"model_usage_summaries": {name: used}}


def _call(**more: Any) -> dict[str, Any]:
    return {
        "root_model": HOSTILE,
        "prompt": TEXT,
        "response": TEXT,
        "usage_summary": _model(HOSTILE),
        "execution_time": 0.1,
        **more,
    }


def _iteration(number: int, final: Any, *calls: dict[str, Any]) -> dict[str, Any]:
    result = {
        "stdout": TEXT,
        "stderr": f"{TEXT}\nKeyError: {HOSTILE}" if number == 2 else "",
        "locals": {HOSTILE: TEXT, "x": {HOSTILE: [HOSTILE]}},
        "execution_time": 1.0,
        "rlm_calls": list(calls),
    }
    asked = {"role": HOSTILE, "content": f"Answer the following: {HOSTILE}\n\n{TEXT}"}
    return {
        "type": "iteration",
        "iteration": number,
        "timestamp": f"2026-03-01T10:00:{number:02}",
        "prompt": [{"role": "system", "content": TEXT}, asked],
        "response": f"{TEXT}\n```repl\n{TEXT}\n```",
        "code_blocks": [{"code": f"print('''{TEXT}''')", "result": result}],
        "final_answer": final,
        "iteration_time": 1.0,
    }


def rlms() -> list[dict[str, Any]]:
    metadata = {
        "type": "metadata",
        "timestamp": HOSTILE,
        "root_model": HOSTILE,
        "other_backend_kwargs": [{"model_name": HOSTILE}],
    }
    child = _call(metadata={"run_metadata": metadata, "iterations": [_iteration(1, HOSTILE, _call())]})
    return [metadata, _iteration(1, None, _call(), _call(error=TEXT)), _iteration(2, None, child), _iteration(3, TEXT)]


def fast_rlm() -> list[dict[str, Any]]:
    def line(kind: str, run: str = HOSTILE, **more: Any) -> dict[str, Any]:
        head = {"run_id": run, "depth": 0, "event_type": kind, "time": "2026-02-22T14:56:01.000Z", "model": HOSTILE}
        return {**head, "code": f"print('''{TEXT}''')", "output": TEXT, "reasoning": TEXT, **more}

    return [
        line("agent_start", query=HOSTILE),
        line("execution_result", step=1, usage={"prompt_tokens": 1}),
        line("execution_result", f"{HOSTILE}child", parent_run_id=HOSTILE, step=1, output=f"Error: {TEXT}"),
        line("code_generated", step=2),
        line("final_result", result={HOSTILE: [HOSTILE, TEXT]}),
    ]


LOGS = {"rlms": rlms, "fast-rlm": fast_rlm}


def written(folder: Path, tool: str) -> Path:
    """The log of a tool in a file with a name that acts, too."""
    file = folder / f"{tool} <b>**x**.jsonl"
    file.write_text("".join(json.dumps(each) + "\n" for each in LOGS[tool]()))
    return file
