"""Code and answers are read out of replies as models write them."""

from __future__ import annotations

import pytest

from rlm_core.strategies.reply import Move, read_reply


@pytest.mark.parametrize("language", ["repl", "python", "py", "Python", ""])
def test_every_usual_fence_holds_a_cell(language: str) -> None:
    assert read_reply(f"Look.\n```{language}\nprint(1)\n```\nDone.") == Move(("print(1)",))


def test_a_bare_fence_that_is_no_python_is_prose() -> None:
    assert read_reply("It printed:\n```\n3 rooms found, 2 of them wet\n```") == Move()


def test_a_fence_of_another_language_is_not_run() -> None:
    assert read_reply('```json\n{"a": 1}\n```') == Move()


def test_cells_come_in_order() -> None:
    assert read_reply("```repl\na = 1\n```\nthen\n```repl\nb = 2\n```").cells == ("a = 1", "b = 2")


def test_a_fence_inside_a_string_does_not_end_the_cell() -> None:
    code = 'prompt = """Answer as\n```\nid | label\n```\nplease"""\nprint(prompt)'
    assert read_reply(f"```repl\n{code}\n```").cells == (code,)


def test_a_longer_fence_may_hold_a_shorter_one() -> None:
    assert read_reply("````python\nx = '''\n```\n'''\n````").cells == ("x = '''\n```\n'''",)


def test_an_unclosed_fence_holds_the_rest() -> None:
    assert read_reply("```repl\nprint(1)\nprint(2)").cells == ("print(1)\nprint(2)",)


def test_code_with_a_syntax_error_is_still_a_cell() -> None:
    assert read_reply("```repl\nprint(1\n```\nmore words").cells == ("print(1",)


@pytest.mark.parametrize(
    ("prose", "move"),
    [
        ("FINAL(17 rooms)", Move(final="17 rooms")),
        ("So:\nFINAL(17 (seventeen) rooms) and that is all", Move(final="17 (seventeen) rooms")),
        ('FINAL("17 rooms")', Move(final="17 rooms")),
        ("**FINAL(17)**", Move(final="17")),
        ("FINAL(line one\nline two)", Move(final="line one\nline two")),
        ("FINAL(never closed", Move(final="never closed")),
        ("FINAL_VAR(result)", Move(final_variable="result")),
        ('FINAL_VAR("result")', Move(final_variable="result")),
        ("I will call FINAL(x) when I am done.", Move()),
        ("FINAL()", Move()),
        ("", Move()),
    ],
)
def test_a_final_in_prose_is_read_to_its_own_bracket(prose: str, move: Move) -> None:
    assert read_reply(prose) == move


def test_a_final_beside_code_does_not_count_but_a_final_var_does() -> None:
    assert read_reply("```repl\nx = 1\n```\nFINAL(1)") == Move(("x = 1",))
    assert read_reply("```repl\nx = 1\n```\nFINAL_VAR(x)") == Move(("x = 1",), final_variable="x")


def test_final_inside_a_cell_belongs_to_the_cell() -> None:
    assert read_reply("```repl\nFINAL(x)\n```") == Move(("FINAL(x)",))


STRANGE = {
    "a string that never ends, then fences": "```repl\nx = '''\n" + "```\n" * 5000,
    "a list that never ends, with fences": "```repl\nx = (\n" + "a,\n```\n" * 20_000,
    "nothing but fences": "```\n" * 100_000,
    "many bare cells": "```\nx=1\n```\n" * 30_000,
    "many FINALs": "FINAL(\n" * 20_000,
    "many brackets": "FINAL_VAR((((\n" * 10_000,
    "nothing but stars": "*" * 1_000_000,
    "ever longer fences": "\n".join("`" * n for n in range(3, 1400)),
    "a very long cell": "```repl\n" + "x = 1\n" * 1_000_000 + "```",
    "a tower of attributes": "```repl\na" + ".a" * 200_000 + "\n```",
    "a tower of signs": "```repl\n" + "-" * 100_000 + "1\n```",
    "a tower of brackets in a string": "FINAL('" + "(" * 100_000 + "')",
    "a deep literal": 'FINAL("' + "[" * 40_000 + '")',
}


@pytest.mark.timeout(20)
@pytest.mark.parametrize("text", STRANGE.values(), ids=STRANGE.keys())
def test_a_strange_reply_is_read_in_bounded_time_and_raises_nothing(text: str) -> None:
    move = read_reply(text)
    assert len(move.cells) <= 50
    assert all(len(cell) <= 200_000 for cell in move.cells)


def test_a_block_that_is_too_long_to_run_is_counted() -> None:
    assert read_reply("```repl\n" + "x = 1\n" * 100_000 + "```") == Move(left_out=1)
