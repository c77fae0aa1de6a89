"""What other implementations of RLMs got from their models, read as replies of ours.

Some logs hold the reply itself; others the code and the words that stood before it, from which the reply is put together as
that tool's prompt asks for it. The code that the tool found is what must be found here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from rlm_core.strategies.reply import read_reply

SHARED = Path(__file__).parents[3].parent / "shared" / "foreign"
pytestmark = pytest.mark.skipif(
    not SHARED.is_dir(),
    reason="the folder shared/foreign beside the repository, with logs of other tools, is not there",
)

Case = tuple[str, list[str], str]
"""A reply, the code that the tool found in it, and the name of a final variable or text that it found in words."""


def put_together(reasoning: str, code: str) -> str:
    return f"{reasoning}\n\n```repl\n{code}\n```" if code.strip() else reasoning


def lines_of(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def fast_rlm(file: Path) -> Iterator[Case]:
    for line in lines_of(file):
        if line.get("step", 0) > 0:  # step 0 is the tool's own
            yield put_together(line.get("reasoning", ""), line["code"]), [line["code"]] if line["code"] else [], ""


def rlms(file: Path) -> Iterator[Case]:
    for line in lines_of(file):
        if line["type"] == "iteration":
            yield from rlms_iteration(line)


def rlms_iteration(line: dict[str, Any]) -> Iterator[Case]:
    final = line["final_answer"]
    yield line["response"], [each["code"] for each in line["code_blocks"]], final[1] if isinstance(final, list) else ""
    for block in line["code_blocks"]:
        for call in block["result"].get("rlm_calls") or ():
            for inner in (call.get("metadata") or {}).get("iterations", ()):
                yield from rlms_iteration(inner)


def minrlm(file: Path) -> Iterator[Case]:
    found = [(line["event_type"], line["data"]) for line in lines_of(file)]
    for (_, data), (kind, after) in pairwise(found):
        if "response_length" in data:
            yield data["response"], [after["code"]] if "code_length" in after else [], kind


def recursive_flow(file: Path) -> Iterator[Case]:
    for line in lines_of(file):
        if "reply" in line:
            yield line["reply"], [line["code"]] if line["code"] else [], ""


def steps(file: Path) -> Iterator[Case]:
    data = json.loads(file.read_text(encoding="utf-8"))
    for step in data.get("trajectory") or data.get("steps") or ():
        yield put_together(step["reasoning"], step["code"]), [step["code"]], ""


READERS = {
    "fast-rlm/*.jsonl": fast_rlm,
    "rlms/*.jsonl": rlms,
    "minrlm/*.jsonl": minrlm,
    "recursive-flow/**/session.jsonl": recursive_flow,
    "dspy/forced_extract.json": steps,
    "dspy/normal.json": steps,
    "predict-rlm/*.json": steps,
}
FILES = [(file, read) for pattern, read in READERS.items() for file in sorted(SHARED.glob(pattern))]


@pytest.mark.parametrize(("file", "read"), FILES, ids=[str(file.relative_to(SHARED)) for file, _ in FILES])
def test_the_code_that_another_tool_found_is_found(file: Path, read: Any) -> None:
    cases = list(read(file))
    assert cases
    for reply, code, final in cases:
        move = read_reply(reply)
        if code:
            assert [cell.strip() for cell in move.cells] == [each.strip() for each in code]
        elif final and move.final_variable:
            assert move.final_variable == final
        else:
            assert not move.cells
