"""`rlm-studio show` of runs that read the archive in order: what lay outside the window of a small served model."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from console import rlm_studio
from openai_server import Served, completion, serving

LINES = [f"{n:03} report of a round: {n * 7919} litres, {n * 104729} turns of the wheel.\n" for n in range(400)]
WINDOW_TOKENS = 2_000
CHARS = sum(map(len, LINES))


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for number in range(4):
        (folder / f"{number}.txt").write_text("".join(LINES[number * 100 : number * 100 + 100]))
    return folder


@pytest.fixture
def served() -> Iterator[Served]:
    with serving(lambda body, number: completion("none")) as server:
        server.models = {"data": [{"id": "small", "max_model_len": WINDOW_TOKENS}]}
        yield server


def shown(docs: Path, served: Served, *options: str) -> list[str]:
    """The last lines that `show` says of a question of the archive."""
    home = docs.parent
    more = ("--model", "openai/small", "--api-base", served.url, *options)
    rlm_studio(home, "ask", docs, "How many litres?", *more)
    lines = rlm_studio(home, "show", "last").stdout.splitlines()
    return lines[next(number for number, line in enumerate(lines) if line.startswith("coverage: ")) :]


def test_of_a_base_run_that_was_cut_it_says_how_much_was_outside_and_from_where_on(docs, served):
    _, outside = shown(docs, served, "--strategy", "base", "--overflow", "cut")
    prompt, told = served.requests[0]["messages"][-1]["content"].split("\n\n[")
    assert told.startswith("The documents are cut off here.")
    held = re.split(r"\n\n### \d\.txt\n", prompt)[1:]
    left = CHARS - sum(map(len, held))
    line = held[-1].count("\n") + 1
    share = round(100 * left / CHARS)
    assert 0 < left < CHARS
    assert outside == (
        f"outside the window: {left:,} of {CHARS:,} characters ({share} %), from {len(held) - 1}.txt line {line} on"
    )


def test_of_a_base_run_that_was_refused_it_says_that_all_was_outside(docs, served):
    nothing, outside = shown(docs, served, "--strategy", "base")
    assert served.requests == []
    assert nothing == f"coverage: 0 % of {CHARS:,} characters were shown to a model"
    assert outside.startswith(f"outside the window: all {CHARS:,} characters. The archive is too large")


def test_of_a_compaction_it_says_what_only_the_compressor_saw(docs, served):
    whole, outside, compressed = shown(docs, served, "--strategy", "compaction")
    assert whole == f"coverage: 100 % of {CHARS:,} characters were shown to a model"
    assert outside == "outside the window: nothing"
    *parts, last = (request["messages"][-1]["content"] for request in served.requests)
    assert len(parts) > 2
    by_compressor = CHARS - sum(map(len, re.split(r"\n\n### \d\.txt\n", last)[1:]))
    said = re.fullmatch(
        r"only the compressor saw: ([\d,]+) of .*; the model that answered had only its notes", compressed
    )
    assert said
    assert by_compressor - int(said[1].replace(",", "")) in (0, 1), "a line feed stands above the last part, too"
