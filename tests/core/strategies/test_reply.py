"""Code and answers are read out of replies as models write them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rlm_core.strategies.reply import Move, read_reply


@pytest.mark.parametrize("language", ["repl", "python", "py", "Python", "python3", "tool_code"])
@pytest.mark.parametrize("fence", ["```", "````", "~~~"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_every_usual_fence_holds_a_cell(language: str, fence: str, line_end: str) -> None:
    reply = f"Look.\n{fence}{language}\nx = 1\nprint(x)\n{fence}\nDone.".replace("\n", line_end)
    assert read_reply(reply) == Move(("x = 1\nprint(x)",))


FAULTY = {
    "fence without a language": "Look.\n```\nprint(1)\n```",
    "fence not closed": "```repl\nprint(1)",
    "code on the line of the fence": "```repl print(1)```",
    "fence after words": "Look: ```repl\nprint(1)\n```",
    "indented code": "1. Look.\n    ```python\n    print(1)\n    ```",
    "code in a tag": "<code>\nprint(1)\n</code>",
    "code in a tool call": '```json\n{"name": "python", "arguments": {"code": "print(1)"}}\n```',
    "code without a fence": "print(1)",
    "thinking left out": "<think>\n```repl\nprint(2)\n```\nFINAL(3)\n</think>\n```repl\nprint(1)\n```",
    "guessed output left out": "```repl\nprint(1)\n```\nOutput:\n```\n7 rooms\n```\nSo there are seven.",
    "answer beside code left out": "```repl\nprint(1)\n```\nFINAL(7 rooms)",
}


@pytest.mark.parametrize(("repair", "reply"), FAULTY.items(), ids=FAULTY.keys())
def test_a_faulty_reply_is_read_and_the_fault_is_named(repair: str, reply: str) -> None:
    assert read_reply(reply) == Move(("print(1)",), repairs=(repair,))


@pytest.mark.parametrize(
    "reply",
    [
        "```repl\nprint(1)```",
        "```markdown\nHere it is:\n```repl\nprint(1)\n```\n```",
        "> ```repl\n> print(1)\n> ```",
        "<python>print(1)</python> and that is all",
        "<execute>\n```python\nprint(1)\n```\n</execute>",
        '<tool_call>\n{"name": "python", "arguments": "{\\"code\\": \\"print(1)\\"}"}\n</tool_call>',
        '{"code": "print(1)"}',
        '<function_calls>\n<invoke name="python">\n<parameter name="code">\nprint(1)\n</parameter>\n</invoke>\n</function_calls>',
        "<tool_call>\n<function=python>\n<parameter=code>\nprint(1)\n</parameter>\n</function>\n</tool_call>",
        "<|python_tag|>print(1)<|eom_id|>",
        "```python print(1)\n```",
        "I thought of FINAL(2).\n</think>\n\n```repl\nprint(1)\n```",
        "<|channel|>analysis<|message|>FINAL(2)<|end|><|start|>assistant<|channel|>final<|message|>```repl\nprint(1)\n```",
        "```repl\n   print(1)\n```",
    ],
)
def test_other_ways_to_mark_code_are_read_too(reply: str) -> None:
    move = read_reply(reply)
    assert (move.cells, move.final) == (("print(1)",), None)


def test_a_cell_that_was_not_closed_ends_where_the_next_one_begins() -> None:
    assert read_reply("```repl\na = 1\n```repl\nb = 2\n```").cells == ("a = 1", "b = 2")


def test_thoughts_that_never_end_are_neither_code_nor_an_answer() -> None:
    move = read_reply("<think>I could run\n```repl\nprint(1)\n```\nFINAL(7)")
    assert move == Move(repairs=("thinking that never ended left out",))


def test_a_tag_inside_a_cell_is_part_of_the_cell() -> None:
    code = 'x = re.sub(r"<think>.*?</think>", "", reply)\nprint("<code>", x)'
    assert read_reply(f"```repl\n{code}\n```") == Move((code,))


def test_words_about_tags_are_words() -> None:
    assert read_reply("<code>x</code> holds the rooms, and <python> is a tag.") == Move()


def test_guessed_outputs_between_cells_are_not_run() -> None:
    reply = "```repl\na = 1\na\n```\n```\n['A12', 'B07']\n```\n```repl\nb = 2\n```\nResult: 2"
    assert read_reply(reply) == Move(("a = 1\na", "b = 2"), repairs=("guessed output left out",))


@pytest.mark.parametrize("block", ["['A12', 'B07']", "Counter({'A12': 3})", "17", "A12", "{'a': [1, 2]}"])
def test_a_bare_fence_that_holds_only_a_value_is_no_cell(block: str) -> None:
    assert read_reply(f"I found:\n```\n{block}\n```").cells == ()


def test_lines_that_set_the_answer_among_words_are_run() -> None:
    code = 'answer["content"] = "17"\nanswer["ready"] = True'
    assert read_reply(f"All is checked.\n{code}\nThat is all.").cells == (code,)


@pytest.mark.parametrize(
    "words", ["Done", "Label: spam", "Answer: 17", "Total: n = 17", "Paris (France)", "yes", "17", "A12, B07"]
)
def test_words_that_could_be_python_are_words(words: str) -> None:
    assert read_reply(words) == Move()


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
        ("FINAL(Two:\n1) A12 (roof)\n2) B07)\nDone.", Move(final="Two:\n1) A12 (roof)\n2) B07")),
        ("FINAL(\n17)\n(as computed)", Move(final="17")),
        ("FINAL(17) (all in May)", Move(final="17")),
        ("FINAL(Yes :) it leaks :))", Move(final="Yes :) it leaks :)")),
        ("FINAL(1. Yes :)\n2. No :()\nor so)", Move(final="1. Yes :)\n2. No :()\nor so")),
        ("FINAL(never closed", Move(final="never closed")),
        ("FINAL_VAR(result)", Move(final_variable="result")),
        ('FINAL_VAR("result")', Move(final_variable="result")),
        ("I will call FINAL(x) when I am done.", Move()),
        ("FINAL()", Move()),
        ('FINAL("")', Move()),
        ('FINAL("" ', Move()),
        ("", Move()),
    ],
)
def test_a_final_in_prose_is_read_to_its_own_bracket(prose: str, move: Move) -> None:
    assert read_reply(prose) == move


def test_a_final_beside_code_does_not_count_but_a_final_var_does() -> None:
    assert read_reply("```repl\nx = 1\n```\nFINAL(1)").final is None
    assert read_reply("```repl\nx = 1\n```\nFINAL_VAR(x)") == Move(("x = 1",), final_variable="x")


@pytest.mark.parametrize(
    ("prose", "closing", "repair"),
    [
        ("FINAL_VAR(result)", "FINAL_VAR('result')", None),
        ("FINAL(result)", "FINAL_VAR('result') if 'result' in globals() else FINAL('result')", "FINAL round a name"),
        ("FINAL(rooms[0])", "FINAL((rooms[0]) if 'rooms' in globals() else 'rooms[0]')", "FINAL round code"),
        ("FINAL(f'{n} rooms')", "FINAL((f'{n} rooms') if 'n' in globals() else \"f'{n} rooms'\")", "FINAL round code"),
        ("FINAL(answer)", 'FINAL(answer["content"])', "FINAL round a name"),
    ],
)
def test_what_may_be_a_name_is_left_to_the_session(prose: str, closing: str, repair: str | None) -> None:
    move = read_reply(prose)
    assert (move.closing, move.repairs) == (closing, (repair,) if repair else ())


@pytest.mark.parametrize("words", ["yes", "B-204", "A12, B07", "17", "pumps.txt", "unknown", '"result"', "['A12']"])
def test_an_answer_that_is_no_name_needs_no_session(words: str) -> None:
    move = read_reply(f"FINAL({words})")
    assert (move.final, move.closing, move.repairs) == (words.strip('"'), None, ())


@pytest.mark.parametrize("words", ["17 rooms leak", '"17 rooms leak"', "A12, B07"])
def test_a_final_var_round_words_is_an_answer_in_words(words: str) -> None:
    assert read_reply(f"FINAL_VAR({words})") == Move(final=words.strip('"'), repairs=("FINAL_VAR round words",))


def test_a_cell_that_holds_only_final_round_words_is_an_answer_in_words() -> None:
    assert read_reply("```repl\nFINAL(17 (seventeen) rooms)\n```") == Move(
        final="17 (seventeen) rooms", repairs=("FINAL of words in a cell",)
    )
    assert read_reply("```repl\nFINAL('17 rooms)\n```").cells == ("FINAL('17 rooms)",)


@pytest.mark.parametrize("label", ["Final answer: ", "**Final Answer:** ", "`", "> ", "- "])
def test_a_final_may_stand_behind_a_label(label: str) -> None:
    assert read_reply(f"Done.\n{label}FINAL(17)").final == "17"


def test_answer_lines_and_searches_are_read_where_the_strategy_has_them() -> None:
    assert read_reply("THINK: sure.\nANSWER: 17 rooms,\nsee below", answer_lines=True).final == "17 rooms,\nsee below"
    assert read_reply("**ANSWER:** 17", answer_lines=True).final == "17"
    assert read_reply("SEARCH(leaking roof (north))", answer_lines=True).searches == ("leaking roof (north)",)
    assert read_reply('THINK\nSEARCH("roof")\nSEARCH(wall)', answer_lines=True).searches == ("roof", "wall")
    assert read_reply("Answer: a guess\nANSWER: Answer: 17", answer_lines=True).final == "Answer: 17"
    assert read_reply("Final answer: 17", answer_lines=True).final == "17"
    assert read_reply("THINK: sure.\nACT: ANSWER: 17", answer_lines=True).final == "17"
    assert read_reply("THINK: hm.\n**ACT:** SEARCH(roof)", answer_lines=True).searches == ("roof",)
    assert read_reply("ANSWER: 17\nSEARCH(x)") == Move()


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
    "blocks that are tried to their end": (
        "```python\n" + "x = [1, 2, 3]\n" * 2_000 + "y = '''\n" + "```\n'''\n(\n" * 9 + "```\n"
    )
    * 20,
    "spaces behind a language": "```py" + " " * 200_000 + "x",
    "spaces before a tick": "```" + " " * 200_000 + "`",
    "spaces before a tick, other fence": "~~~" + " " * 200_000 + "`",
    "a tower of attributes": "```repl\na" + ".a" * 200_000 + "\n```",
    "a tower of signs": "```repl\n" + "-" * 100_000 + "1\n```",
    "a tower of brackets in a string": "FINAL('" + "(" * 100_000 + "')",
    "many cells that never close": "```repl\nx = (\n```\n" * 20_000,
    "many openings": "```repl\n" * 50_000,
    "many openings of data, then code": "```json\n" * 50_000 + "```repl\n1\n```",
    "many tags": "<code>\n" * 50_000 + "```",
    "many closed tags": "<code>(</code>\n" * 50_000,
    "many thoughts": "<think>\n" * 50_000,
    "many closed thoughts": "<think></think>" * 50_000,
    "many tool calls": "<tool_call>" * 50_000,
    "a deep tool call": '{"code":' * 20_000,
    "many answers": 'answer["content"] = (\n' * 20_000,
    "words on the line of a fence": "a" * 500_000 + "```repl",
    "a fence that repeats itself": "```repl " * 50_000,
    "many items": "FINAL(" + "\n1) x" * 50_000,
    "many python tags": "<|python_tag|>\n" * 50_000,
    "many searches": "SEARCH(\n" * 20_000,
    "a deep literal": 'FINAL("' + "[" * 40_000 + '")',
}


@pytest.mark.timeout(20)
@pytest.mark.parametrize("text", STRANGE.values(), ids=STRANGE.keys())
def test_a_strange_reply_is_read_in_bounded_time_and_raises_nothing(text: str) -> None:
    for answer_lines in (False, True):
        move = read_reply(text, answer_lines=answer_lines)
    assert len(move.cells) <= 50
    assert all(len(cell) <= 200_000 for cell in move.cells)


def test_a_block_that_is_too_long_to_run_is_counted() -> None:
    assert read_reply("```repl\n" + "x = 1\n" * 100_000 + "```") == Move(left_out=1)


def test_a_backslash_that_python_warns_of_makes_no_code_wrong() -> None:
    code = "found = re.findall('\\d+', '''\n```\n''')"
    assert read_reply(f"```repl\n{code}\n```").cells == (code,)
    assert read_reply("```\nprint(re.findall('\\d+', text))\n```").cells == ("print(re.findall('\\d+', text))",)


FRAGMENTS = (
    "```repl\n", "```", "\n```\n", "~~~", "````python\n", "print(1)\n", "x = '''", "'''", "FINAL(", ")", "FINAL_VAR(", "<think>",
    "</think>", "<code>", "</code>", "\n", "> ", "1. ", "    ", '{"code": "', '"}', "ANSWER: ", "SEARCH(",
    'answer["ready"] = True',
    "\r\n", "\0", "\u2028", "é", "Output:", "(", '"', "result", "<tool_call>", "```json\n", "<|channel|>final<|message|>",
)  # fmt: skip


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=60))
@settings(max_examples=300, deadline=None)
def test_whatever_a_reply_is_made_of_it_is_read(fragments: list[str]) -> None:
    for answer_lines in (False, True):
        move = read_reply("".join(fragments), answer_lines=answer_lines)
        assert all(cell.strip() for cell in move.cells)
        assert not (move.cells and move.final)
        assert move.final != ""
        assert len(set(move.repairs)) == len(move.repairs)
        if move.final_code:
            compile(move.final_code, "closing", "exec")
