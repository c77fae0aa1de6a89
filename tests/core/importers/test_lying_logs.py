"""Logs that others have written, or that somebody has changed: read, or refused with the line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rlm_core.errors import StoreError
from rlm_core.importers.jsonl import MAX_LEVELS, read_lines

SAMPLE = Path(__file__).parents[3] / "sample_data" / "runs" / "maintenance-demo.jsonl"


@pytest.mark.parametrize(
    "change",
    [{"span": {}}, {"parent": ["f1"]}, {"run": None}, {"seq": "1"}, {"at": "now"}, {"body": []}, {"kind": []}],
    ids=str,
)
def test_an_event_whose_place_is_no_place_is_refused_with_its_line(change: dict[str, Any]) -> None:
    lines = SAMPLE.read_text(encoding="utf-8").splitlines()
    lines[2] = json.dumps(json.loads(lines[2]) | change)
    with pytest.raises(StoreError, match=r"Line 3 |event"):
        list(read_lines(lines))


@pytest.mark.parametrize("line", ["[" * 100_000, "[1]", "null", '"x"', '{"kind": "RunStarted"}', "{"])
def test_a_line_that_is_no_event_is_refused(line: str) -> None:
    with pytest.raises(StoreError, match="Line 1 is no event of a run"):
        list(read_lines([line]))


def test_a_task_that_could_not_be_asked_is_refused_with_its_line() -> None:
    lines = SAMPLE.read_text(encoding="utf-8").splitlines()
    first = json.loads(lines[0])
    first["body"]["task"]["limits"] = {"max_calls": -1}
    with pytest.raises(StoreError, match="Line 1 is no event of a run: The limit max_calls is -1"):
        list(read_lines([json.dumps(first)]))


@pytest.mark.parametrize("levels", [150, 5_000])
def test_a_run_whose_nodes_lie_in_each_other_without_end_is_refused(levels: int) -> None:
    begun, ended = (json.loads(SAMPLE.read_text(encoding="utf-8").splitlines()[line]) for line in (0, -1))
    frame = {"depth": 1, "strategy": "rlm", "question": "And below?"}
    frames = [
        begun
        | {"seq": number, "span": f"f{number}", "parent": f"f{number - 1}" if number > 1 else "run"}
        | {"kind": "FrameStarted", "body": frame}
        for number in range(1, levels + 1)
    ]
    lines = [json.dumps(each) for each in (begun, *frames, ended | {"seq": levels + 1})]
    if levels < MAX_LEVELS:
        assert len(list(read_lines(lines))) == levels + 2
    else:
        with pytest.raises(StoreError, match="Line 201 is no event of a run: it lies in 200 others"):
            list(read_lines(lines))
