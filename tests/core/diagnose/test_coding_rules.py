"""Rules on code, each at a fault and at a near miss; and what is read off code."""

from __future__ import annotations

from pathlib import Path

import pytest
from diagnosed import CHANGES, NOTE, NOTHING_SHOWN, WASTES, cell, where
from runs import LOOK, answering, corpus_of, run_scripted, scripted

from rlm_core.corpus.corpus import Corpus
from rlm_core.diagnose.code import Code
from rlm_core.diagnose.coding import (
    errors_in_a_row,
    failed_work_not_done_again,
    same_cell_again,
    words_in_place_of_reading,
)
from rlm_core.diagnose.keywords import keywords
from rlm_core.diagnose.lists import another_list_than_before, guess_kept_for_output
from rlm_core.evidence.coverage import Coverage, Read


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return corpus_of(tmp_path)


BROKEN = cell("found = [line for doc in context for line in doc.splitlines()\nprint(len(found))")
MENDED = cell("found = [line for doc in context for line in doc.splitlines()]\nprint(len(found))")
EMPTY = cell('found = []\nprint("begin", context[0][:20])')
ENDING = cell('answer["content"] = f"{len(found)} rooms"\nanswer["ready"] = True')


def test_a_failed_cell_that_was_not_mended_before_the_answer_is_named(corpus: Corpus) -> None:
    assert where(failed_work_not_done_again, run_scripted(corpus, scripted(EMPTY, BROKEN, ENDING))) == [
        ("f1.t2.c1", CHANGES)
    ]
    check = cell("sample = found[99]\nprint(sample)")
    for turns in ([EMPTY, BROKEN, MENDED, ENDING], [EMPTY, MENDED, check, ENDING], [EMPTY, MENDED, ENDING]):
        assert where(failed_work_not_done_again, run_scripted(corpus, scripted(*turns))) == []


def test_four_errors_in_a_row_or_three_that_are_no_python_are_named_at_the_first(corpus: Corpus) -> None:
    slip = cell("print(context[99])")
    for code, count, named in ((slip, 4, True), (slip, 3, False), (BROKEN, 3, True), (BROKEN, 2, False)):
        ran = run_scripted(corpus, scripted(LOOK, *[code] * count, MENDED, answering("1")))
        assert where(errors_in_a_row, ran) == ([("f1.t2.c1", WASTES)] if named else [])


def test_a_cell_that_runs_three_times_and_prints_the_same_is_named(corpus: Corpus) -> None:
    for turns, named in (
        ([LOOK] * 3, [("f1.t2.c1", WASTES)]),
        ([LOOK] * 2, []),
        ([LOOK, EMPTY, LOOK, EMPTY, LOOK], []),
    ):
        assert where(same_cell_again, run_scripted(corpus, scripted(*turns, answering("1")))) == named
    counting = cell("count = globals().get('count', 0) + 1\nprint(count, context[0][:9])")
    assert where(same_cell_again, run_scripted(corpus, scripted(*[counting] * 3, answering("1")))) == []


FILTER = 'import re\nwater = re.compile(r"{words}", re.I)\nback = [d.path for d in context if water.search(d)]\nprint(len(back))'
GUESS = r"\bdrip|\bpuddle|\bwet\b|\bdamp"


def test_a_few_words_that_decided_what_counts_are_named_where_little_was_shown(corpus: Corpus) -> None:
    ran = run_scripted(corpus, scripted(LOOK, cell(FILTER.format(words=GUESS)), answering("1")))
    assert where(words_in_place_of_reading, ran, NOTHING_SHOWN) == [("f1.t2.c1", CHANGES)]
    assert where(words_in_place_of_reading, ran) == [("f1.t2.c1", NOTE)], "nobody knows what was shown"
    much = Coverage([1_000], [Read("f1.t1.c1", 0, 0, 900, "printed")])
    assert where(words_in_place_of_reading, ran, much) == []


@pytest.mark.parametrize(
    "words",
    ["GET|POST|PUT|DELETE", "jan|feb|mar|apr", "rooms|leak|again|how", r"\d+|\w+", "drip|wet", "yes|no|unknown|none"],
)
def test_words_that_name_a_form_or_stand_in_the_question_are_no_guess(corpus: Corpus, words: str) -> None:
    ran = run_scripted(corpus, scripted(LOOK, cell(FILTER.format(words=words)), answering("1")))
    assert where(words_in_place_of_reading, ran, NOTHING_SHOWN) == []


@pytest.mark.parametrize(
    "code",
    [
        "back = [d for d in context if 'drip' in d or 'wet' in d or 'puddle' in d]\nprint(len(back))",
        "words = ['drip', 'wet', 'puddle']\nback = [d for d in context if any(w in d.lower() for w in words)]\nprint(len(back))",
        "back = [d for d in context if any(w in d for w in ('drip', 'wet', 'puddle', 'damp'))]\nprint(len(back))",
    ],
)
def test_words_are_found_however_they_are_looked_for(corpus: Corpus, code: str) -> None:
    ran = run_scripted(corpus, scripted(LOOK, cell(code), answering("1")))
    assert where(words_in_place_of_reading, ran, NOTHING_SHOWN) == [("f1.t2.c1", CHANGES)]
    first, _, second = code.partition("\n")
    apart = run_scripted(corpus, scripted(LOOK, cell(first), cell(second), answering("1")))
    assert len(where(words_in_place_of_reading, apart, NOTHING_SHOWN)) == 1


def test_words_are_good_to_know_where_the_cell_says_what_they_leave_out(corpus: Corpus) -> None:
    counted = FILTER.format(words=GUESS) + '\nprint(f"{len(context) - len(back)} documents were left out")'
    ran = run_scripted(corpus, scripted(LOOK, cell(counted), answering("1")))
    assert where(words_in_place_of_reading, ran, NOTHING_SHOWN) == [("f1.t2.c1", NOTE)]


NAMES = "names = [f'A-{n:02}' for n in range(1, 13)]\nprint(context[0][:9], names)"


def guessing(typed: str) -> str:
    return f"{cell(NAMES)}\n\nOutput:\n```\n[{typed}]\n```\n\n{cell(f'to_ask = {typed}.split()')}"


def test_a_list_typed_before_its_output_was_seen_is_named_where_it_is_another_one(corpus: Corpus) -> None:
    wrong = guessing("'A-01 A-02 A-03 A-05 A-06 A-07 A-14'")
    assert where(guess_kept_for_output, run_scripted(corpus, scripted(LOOK, wrong, answering("1")))) == [
        ("f1.t2.c2", CHANGES)
    ]
    right = guessing(repr(" ".join(f"A-{n:02}" for n in range(1, 13))))
    for turns in (
        [right],
        [guessing("'north south east west mill'")],
        [cell(NAMES), cell("few = ['A-01', 'A-02', 'A-03', 'A-04', 'A-05']")],
    ):
        assert where(guess_kept_for_output, run_scripted(corpus, scripted(LOOK, *turns, answering("1")))) == []


RESULT = "result = '7 rooms: A1, A2, A3, B1, B2, B3, C1'\nprint(result, context[0][:0])\nFINAL_VAR('result')"


def later(typed: str, before: str = "") -> list[str]:
    rooms = repr(typed.split())
    return [
        cell(RESULT),
        cell(f"{before}rooms = {rooms}\nprint(len(rooms))"),
        answering(f"Rooms: {', '.join(typed.split())}"),
    ]


def test_items_left_out_of_a_list_typed_after_an_answer_was_sent_back_are_named(corpus: Corpus) -> None:
    ran = run_scripted(corpus, scripted(*later("A1 A2 A3 B1 B2")))
    assert where(another_list_than_before, ran) == [("f1.t2.c1", CHANGES)]
    for turns in (
        later("A1 A2 A3 B1 B2 B3 C1"),
        later("A1 A2 A3 B1 B2", "for each in ('B3', 'C1'):\n    record(each, 'no')\n"),
    ):
        assert where(another_list_than_before, run_scripted(corpus, scripted(*turns))) == []


def test_hostile_code_is_looked_at_in_bounds() -> None:
    for text in (
        "(" * 100_000,
        "x = " + "[" * 5_000 + "]" * 5_000,
        "a|" * 50_000,
        "\x00",
        '"' + "|" * 59_000 + '"',
        "-" * 50_000 + "1",
    ):
        code = Code(text)
        assert (keywords(code, {}), code.typed_lists, code.hands_over) == ([], (), False)
    assert Code("rooms = [1\nother = 2").assigned == {"rooms", "other"}
