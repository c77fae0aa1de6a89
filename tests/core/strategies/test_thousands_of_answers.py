"""Thousands of real short texts, each given as an answer: none is cut, none is sent back, none is taken for code."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from rlm_core.strategies.guards import Guards
from rlm_core.strategies.reply import read_reply
from rlm_core.task import Answer

DATA = Path(__file__).parents[3].parent / "shared" / "data"
pytestmark = pytest.mark.skipif(
    not DATA.is_dir(),
    reason="the folder shared/data beside the repository, with texts of public data sets, is not there",
)


def texts() -> list[str]:
    messages = (DATA / "sms_spam" / "sms_spam_clean.tsv").read_text(encoding="utf-8").splitlines()
    found = [line.split("\t", 1)[1] for line in messages if "\t" in line]
    with (DATA / "banking77" / "test.csv").open(encoding="utf-8", newline="") as file:
        found += [row[0] for row in csv.reader(file)][1:]
    return [stripped for each in found if (stripped := each.strip())]


def test_each_text_comes_out_of_final_as_it_went_in_and_stands() -> None:
    every = texts()
    assert len(every) > 8_000
    for text in every:
        move = read_reply(f"I am done.\nFINAL({text})")
        assert move.final == text
        assert Guards(looked=True).refusal([], Answer(text, "FINAL")) is None


def test_no_text_is_code_or_a_search() -> None:
    for text in texts():
        move = read_reply(text, answer_lines=True)
        assert not move.cells
        assert not move.searches
