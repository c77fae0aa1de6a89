"""What a root is told before its first turn: enough, nothing that is not so, and no more for a larger archive."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from runs import LOOK, answering, corpus_of, run_scripted

from rlm_core import events as ev
from rlm_core.corpus import handed_over
from rlm_core.corpus.corpus import Corpus
from rlm_core.corpus.handed_over import Part
from rlm_core.corpus.units import Unit, Units
from rlm_core.lm.scripted import ScriptedLM
from rlm_core.strategies.reply import read_reply
from rlm_core.task import Message

PLACEHOLDER = re.compile(r"\$[a-z_]+")


def opening_of(
    folder: Path, documents: dict[str, str] | None = None, window_tokens: int | None = None, **changes: object
) -> tuple[Message, ...]:
    """The first prompt of a real run."""
    return opening_on(corpus_of(folder, documents), window_tokens, **changes)


def opening_on(corpus: Corpus, window_tokens: int | None = None, **changes: object) -> tuple[Message, ...]:
    lm = ScriptedLM([LOOK, LOOK, answering("1")], window_tokens=window_tokens)
    ran = run_scripted(corpus, lm, **changes)  # type: ignore[arg-type]
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


PAGES = Units("page", (Unit("1", 0, 3), Unit("2", 4, 7)))
SHEETS = Units("sheet", (Unit("Prices", 0, 3),))


@pytest.mark.parametrize(
    ("parts", "told", "not_told"),
    [
        ([Part("a.txt", "text", "dry")], "one document, as a string (`str`) with a `.path`.", ".pages"),
        ([Part("a.txt", "text", "dry")] * 2, "a sequence of documents.", ".pages"),
        (
            [Part("a.pdf", "pdf", "one two", PAGES)],
            "The pages of a document are the strings in `context.pages`",
            "doc.",
        ),
        (
            [Part("a.pdf", "pdf", "one two", PAGES), Part("b.xlsx", "table", "lamp", SHEETS), Part("c", "text", "dry")],
            "The pages, sheets of a document are the strings in `doc.pages`, each with a `.label`",
            "context.pages",
        ),
        ([Part("a.log", "text", "dry\n" * 13_000_000)], "a sequence of its parts, cut at line ends.", "as a string"),
        (
            [Part("a.log", "text", "dry\n" * 13_000_000), Part("b.txt", "text", "dry")],
            "Of 1 too large for one string each item is a part, cut at a line end.",
            "as a string",
        ),
    ],
    ids=["one", "several", "one with pages", "several with pages", "one that is too large", "several with a large one"],
)
def test_what_the_context_is_is_told_as_it_is(tmp_path: Path, parts: list[Part], told: str, not_told: str) -> None:
    system, _ = opening_on(handed_over.corpus_of(parts, tmp_path))
    line = next(line for line in system.text.splitlines() if line.startswith("- `context`: "))
    assert told in line
    assert not_told not in line
