"""What a root is told before its first turn: enough, nothing that is not so, and no more for a larger archive."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from runs import LOOK, answering, corpus_of, run_scripted

from rlm_core import events as ev
from rlm_core.lm.scripted import ScriptedLM
from rlm_core.strategies.reply import read_reply
from rlm_core.task import Message

PLACEHOLDER = re.compile(r"\$[a-z_]+")


def opening_of(
    folder: Path, documents: dict[str, str] | None = None, window_tokens: int | None = None, **changes: object
) -> tuple[Message, ...]:
    """The first prompt of a real run."""
    lm = ScriptedLM([LOOK, LOOK, answering("1")], window_tokens=window_tokens)
    ran = run_scripted(corpus_of(folder, documents), lm, **changes)  # type: ignore[arg-type]
    assert ran.outcome == "answered", ran.reason
    first: ev.CallStarted = ran.bodies(ev.CallStarted)[0]
    return first.messages


@pytest.mark.parametrize(
    ("depth", "offered"),
    [(0, ()), (1, ("llm_query",)), (2, ("llm_query", "rlm_query")), (3, ("llm_query", "rlm_query"))],
)
def test_the_functions_that_a_session_offers_are_told_and_no_others(
    tmp_path: Path, depth: int, offered: tuple[str, ...]
) -> None:
    system, first = opening_of(tmp_path, options={"depth": depth})
    for name in ("llm_query", "rlm_query"):
        assert (f"`{name}(" in system.text) == (name in offered)
        assert (f"`{name}_batched(" in system.text) == (name in offered)
    assert not PLACEHOLDER.search(system.text + first.text)


def test_every_block_of_code_in_the_prompt_is_a_cell_that_is_read_as_one(tmp_path: Path) -> None:
    system, _ = opening_of(tmp_path, options={"depth": 2})
    move = read_reply(system.text)
    assert len(move.cells) == 3
    assert not move.repairs
    for cell in move.cells:
        compile(cell, "cell", "exec")


def test_the_opening_is_as_long_for_a_large_archive_as_for_a_small_one(tmp_path: Path) -> None:
    small = opening_of(tmp_path / "small", {f"{n}.txt": "dry\n" for n in range(60)})
    large = opening_of(tmp_path / "large", {f"{n}.txt": "dry\n" * 1_000 for n in range(600)})
    difference = sum(len(message.text) for message in large) - sum(len(message.text) for message in small)
    assert difference < 500


@pytest.mark.parametrize(
    ("window", "chars", "is_small"), [(None, "200,000", False), (272_000, "870,400", False), (32_000, "102,400", True)]
)
def test_one_size_of_a_helpers_prompt_is_told_and_a_small_window_is_made_plain(
    tmp_path: Path, window: int | None, chars: str, is_small: bool
) -> None:
    system, _ = opening_of(tmp_path, window_tokens=window)
    assert f"{'up to' if window else 'keep prompts below'} {chars} characters" in system.text
    assert ("window is small" in system.text) == is_small
    assert ("about 15,000 characters" in system.text) == is_small


@pytest.mark.parametrize(("model", "told"), [("openrouter/qwen/Qwen3-Coder-480B-A35B", True), ("gpt-5", False)])
def test_models_that_ask_about_every_line_are_told_to_be_sparing(tmp_path: Path, model: str, told: bool) -> None:
    system, _ = opening_of(tmp_path, root_model=model)
    assert ("be sparing with them" in system.text) == told


def test_a_very_long_question_is_cut_and_it_is_said_where_the_rest_is(tmp_path: Path) -> None:
    _, first = opening_of(tmp_path, question="Which rooms? " * 5_000)
    assert len(first.text) < 25_000
    assert "The variable `question` holds all of it." in first.text
