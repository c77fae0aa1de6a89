"""Which characters of an archive a text holds, whatever code has done to them."""

import json
import random
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_archives import CHANGES, fingerprints, prose, words

from rlm_core.evidence.mapping import Stretch, stretches_of, unescaped, united

INSTRUCTIONS = "Read the part below and say in one word of each room whether it was wet, as JSON.\n\n"
BOILERPLATE = "This message and what is attached to it are confidential and meant for the addressee alone.\n"


@pytest.fixture(scope="module")
def documents():
    random_ = random.Random(11)
    vocabulary = [*words(random_), "naïve", "你好吗", "über", "😀"]
    return [prose(random_, 20_000, vocabulary) for _ in range(8)]


@pytest.fixture(scope="module")
def index(tmp_path_factory, documents):
    return fingerprints(tmp_path_factory.mktemp("prose"), *documents)


def characters(stretches):
    return {(each.document, at) for each in stretches for at in range(each.start, each.end)}


@pytest.mark.parametrize("size", [200, 1_500, 9_000])
@pytest.mark.parametrize("change", CHANGES)
def test_parts_are_found_whatever_was_done_to_them(index, documents, change, size):
    random_ = random.Random(f"{change} {size}")
    wanted = found = 0
    for _ in range(20):
        parts, prompt = [], [INSTRUCTIONS]
        for number in range(3):
            document, start = random_.randrange(len(documents)), random_.randrange(20_000 - size)
            parts.append(Stretch(document, start, start + size))
            prompt += [f"=== part {number} ===\n", CHANGES[change](documents[document][start : start + size]), "\n"]
        got, want = stretches_of(index, "".join(prompt)), characters(parts)
        assert not any(each.ambiguous for each in got)
        for each in got:
            assert len(characters([each]) - want) <= 6, "a letter beside a part may happen to be the next one"
        wanted, found = wanted + len(want), found + len(want & characters(got))
    assert found >= 0.99 * wanted


def test_a_part_is_found_to_its_first_and_last_character(index, documents):
    start = documents[2].index(".\n", 5_000) + 2
    end = documents[2].index(".\n", 8_000) + 2
    assert stretches_of(index, f"<<<{documents[2][start:end]}>>>") == [Stretch(2, start, end)]


def test_a_whole_archive_in_one_prompt_is_held_whole(index, documents):
    prompt = "".join(f"\n\n### {number:03}.txt\n{text}" for number, text in enumerate(documents))
    assert stretches_of(index, prompt) == [Stretch(number, 0, len(text)) for number, text in enumerate(documents)]


def test_documents_in_a_row_are_apart(index, documents):
    joined = documents[3][-500:] + documents[4][:700].rstrip()
    end = len(documents[4][:700].rstrip())
    assert stretches_of(index, joined) == [Stretch(3, len(documents[3]) - 500, len(documents[3])), Stretch(4, 0, end)]


def test_what_was_cut_out_of_the_middle_is_not_held(index, documents):
    text = documents[0]
    head, tail = text[1_000:3_000], text[6_000:7_500]
    got = stretches_of(index, f"{head}\n[... 3,000 of 6,500 characters not shown ...]\n{tail}")
    assert len(got) == 2
    assert characters(got) ^ characters([Stretch(0, 1_000, 3_000), Stretch(0, 6_000, 7_500)]) <= {
        (0, at) for edge in (1_000, 3_000, 6_000, 7_500) for at in range(edge - 3, edge + 3)
    }


def test_words_that_are_no_part_of_the_archive_are_none(index):
    random_ = random.Random(5)
    other = prose(random_, 30_000, words(random_, 4_000, string.ascii_lowercase[:13]))
    assert stretches_of(index, other) == []
    assert stretches_of(index, "") == []
    assert stretches_of(index, "short") == []


def test_a_few_words_of_a_document_are_not_claimed(index, documents):
    assert stretches_of(index, f"What of {documents[1][100:140]!r}?") == []


def test_short_documents_are_found_where_they_follow_each_other(tmp_path):
    texts = [
        f"Ceiling of {letter}{number:02} was patched in {number + 1900}.\n" for number in range(40) for letter in "ABC"
    ]
    index = fingerprints(tmp_path, *texts)
    got = stretches_of(index, "\n".join(f"[{number}] {text}" for number, text in enumerate(texts)))
    assert len({each.document for each in got}) >= 0.95 * len(texts)
    assert stretches_of(index, texts[50]) == []


def test_repeated_text_goes_to_the_document_that_it_goes_on_from(tmp_path):
    random_ = random.Random(3)
    vocabulary = words(random_)
    parts = [prose(random_, 900, vocabulary) for _ in range(6)]
    mails = [part + BOILERPLATE for part in parts]
    index = fingerprints(tmp_path, *mails)
    for number in (0, 3, 5):
        assert stretches_of(index, f"--\n{mails[number]}--\n") == [Stretch(number, 0, len(mails[number]))]
        apart = f"{parts[number]}\n(a line that was put in)\n{BOILERPLATE}"
        assert stretches_of(index, apart) == [Stretch(number, 0, len(mails[number]))]
        ahead = f"{BOILERPLATE}\n(a line that was put in)\n{parts[number]}"
        assert stretches_of(index, ahead) == [Stretch(number, 0, len(mails[number]))]


def test_repeated_text_by_itself_is_ambiguous_and_given_to_the_first(tmp_path):
    random_ = random.Random(3)
    vocabulary = words(random_)
    for copies in (2, 40):
        mails = [prose(random_, 900, vocabulary) + BOILERPLATE for _ in range(copies)]
        index = fingerprints(tmp_path / str(copies), *mails)
        (got,) = stretches_of(index, f"What does this mean? {BOILERPLATE}")
        assert (got.document, got.ambiguous) == (0, True)
        assert mails[0][got.start : got.end].strip() == BOILERPLATE.strip()


def test_lines_of_a_log_that_are_much_alike_are_told_apart(tmp_path):
    random_ = random.Random(4)
    lines = [
        f"2026-03-01T10:{number // 60:02}:{number % 60:02} host{number % 3} service=pump request={random_.getrandbits(64):x}\n"
        for number in range(300)
    ]
    index = fingerprints(tmp_path, "".join(lines))
    wanted = [17, 44, 201]
    got = stretches_of(index, "".join(lines[number] for number in wanted))
    held = {at for _, at in characters(got)}
    starts = [sum(map(len, lines[:number])) for number in range(300)]
    for number in wanted:
        assert held >= set(range(starts[number], starts[number] + len(lines[number]) - 1))


def test_a_line_with_words_of_the_line_before_it_is_not_taken_for_more_of_that_document(tmp_path):
    """What the neighbour goes on with is too short to be claimed; the line itself stands whole elsewhere."""
    days = [
        f"{day:02} Mar  Dripping again at the valley gutter; photo {day * 7919 % 9973:04} filed.\n"
        for day in range(1, 29)
    ]
    line = "03 October 2021: Not wet again at the valley gutter, the storm included. Signed by J. Brandt."
    letter = f"# Autumn round\n\nBlock F\n\n{line}\n\nBlock G\n"
    index = fingerprints(tmp_path, "".join(days), letter)
    start = letter.index(line)
    for day in days:
        held = characters(stretches_of(index, f"[a.txt:7] {day}[b.txt:5] {line}\n"))
        assert held >= {(1, at) for at in range(start, start + len(line))}


def test_a_backslash_of_the_archive_itself_is_no_escape(tmp_path):
    text = "\n".join(rf"C:\new\table\room{number} was read by \under\xylophone{number * 7}" for number in range(60))
    index = fingerprints(tmp_path, text)
    for shown in (text, json.dumps(text), json.dumps([text], indent=1)):
        assert len(characters(stretches_of(index, shown))) >= 0.99 * len(text)


def test_escapes_are_undone():
    assert unescaped(json.dumps('a\n"b" é 😀 c\\d')) == '"a\n"b" é 😀 c\\d"'
    assert unescaped(r"caf\xe9 \ud83d alone") == "café \ufffd alone"


@pytest.mark.parametrize(
    "text", ["a" * 300_000, "ab" * 100_000, "\\" * 50_000, "\\u" * 50_000, "\ud800" * 1_000, "0 " * 9_999]
)
def test_texts_made_to_take_long_take_bounded_work(tmp_path, text):
    index = fingerprints(
        tmp_path, "a" * 400_000, "ab" * 100_000, "0 " * 20_000, "Room A12 was wet again after the rain. " * 900
    )
    stretches_of(index, text)
    stretches_of(index, "Room A12 was wet again after the rain. x " * 300)


def test_the_same_characters_are_told_once():
    assert united([Stretch(0, 5, 9), Stretch(0, 0, 6), Stretch(1, 0, 2)]) == [Stretch(0, 0, 9), Stretch(1, 0, 2)]
    assert united([Stretch(0, 0, 10, True), Stretch(0, 4, 6)]) == [
        Stretch(0, 0, 4, True),
        Stretch(0, 4, 6),
        Stretch(0, 6, 10, True),
    ]


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.builds(lambda d, s, n, a: Stretch(d, s, s + n, a), *map(st.integers, (0, 0, 1), (1, 30, 9)), st.booleans())
    )
)
def test_uniting_changes_no_character(stretches):
    got = united(stretches)
    certain = characters(each for each in stretches if not each.ambiguous)
    assert characters(got) == characters(stretches)
    assert characters(each for each in got if not each.ambiguous) == certain
    assert sum(each.end - each.start for each in got) == len(characters(got))
