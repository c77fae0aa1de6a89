import re

import pytest

from rlm_core.lm.demo_cutting import KINDS, best_records, choose_kind, group, identifiers, records, whole
from rlm_core.lm.demo_reading import documents_of, items_of, question_of, words_of

ROOMS = "names like A12 or A-12"


def test_a_line_belongs_to_the_first_line_of_its_paragraph_or_to_the_markdown_heading_above():
    text = "Room A12\nwet\n\nRoom B07\ndry\n"
    assert [each for each in records(text) if each[2] in ("wet", "dry")] == [
        (2, "Room A12", "wet"),
        (5, "Room B07", "dry"),
    ]
    marked = "# Round\n\n## 3 May 2021\n\n- A-12: wet\n\n- B-07: dry\n"
    assert [heading for _, heading, line in records(marked) if line.startswith("-")] == ["3 May 2021", "3 May 2021"]


def test_lines_of_a_table_or_a_log_have_no_heading():
    text = "".join(f"2021-05-{day:02d} rm=A{day:02d} fan on\n" for day in range(1, 29)) + "night mode\n"
    assert {heading for _, heading, _ in records(text)} == {""}


def test_very_long_lines_are_cut_and_nothing_is_lost():
    text = "x" * 10_000
    assert "".join(line for _, _, line in records(text)) == text


def test_one_room_in_several_spellings_is_one_item_and_a_neighbour_is_none():
    pattern = whole(ROOMS)
    assert identifiers("Rm A-12 and A12, wet next to Room K09, opposite L-10", pattern) == ["A12"]
    assert identifiers("WO-3001 HD-0312 XA12 A12x", pattern) == []


@pytest.mark.parametrize(
    ("text", "words", "kind"),
    [
        ("WO-1001 Room A12\nWO-1002 Room A13\nWO-1003 Room A12", ["room"], ROOMS),
        ("WO-1001 Room A12\nWO-1002 Room A13\nWO-1003 Room A12", ["order"], "numbers like WO-0001"),
        ("CVE-2021-0001 CVE-2021-0002", ["vulnerability"], "numbers like CVE-2025-0001"),
        ("nothing of the kind", ["room"], None),
        ("only A12", ["room"], None),
    ],
)
def test_the_identifier_is_the_one_that_the_question_names_else_the_commonest(
    text: str, words: list[str], kind: str | None
):
    assert choose_kind([text], words) == kind


def test_records_of_one_item_come_together_from_all_documents_and_others_are_counted():
    texts = [("a.txt", "Room A12: leak\nRoom B07: lamp\n"), ("b.txt", "rm. A-12: dripped again next to Room B07\n")]
    groups, without = group(texts, ROOMS, ["leak"])
    assert {name: [record[0] for record in found] for name, found in groups.items()} == {"A12": ["a.txt:1", "b.txt:1"]}
    assert without == 1


def test_a_line_that_names_a_second_item_is_kept_for_it_as_named_in_passing():
    groups, _ = group([("a.txt", "A12 leak, B07 too\nB07 leak\n")], ROOMS, ["leak"])
    assert [about for *_, about in groups["B07"]] == [False, True]


def test_a_document_whose_path_is_the_identifier_belongs_to_it():
    texts = [(f"db/CVE-2021-000{number}.md", "# Title\nmemory leak\n") for number in (1, 2)]
    groups, _ = group(texts, "numbers like CVE-2025-0001", ["leak"])
    assert sorted(groups) == ["CVE-2021-0001", "CVE-2021-0002"]


def test_the_best_records_share_most_words_and_are_capped():
    text = "".join(f"pump {number}\n" for number in range(100)) + "pump failed in May\n"
    best = best_records([("a.txt", text)], ["pump", "failed"], 5)
    assert len(best) == 5
    assert next(iter(best)) == "a.txt:101"


def test_every_kind_of_identifier_is_a_valid_pattern():
    for pattern in KINDS.values():
        re.compile(pattern)


def test_the_question_is_found_in_first_messages_and_in_prompts():
    assert question_of("Question: Which rooms\nleak?\n\nContext: 3 documents.\nContext is big") == "Which rooms leak?"
    assert question_of("question : Which?\nContext: one") == "Which?"
    assert question_of("Question:\n\nContext: one") == ""
    assert question_of("Say who.\n\nmore") == "Say who."
    assert words_of("In which rooms did the leaks of @joesepi come back?") == [
        "room",
        "leak",
        "@joesepi",
        "come",
        "back",
    ]


def test_documents_and_items_are_found_in_prompts():
    assert documents_of("Question: x\n\n### a.txt\none\n\n### b/c.md\ntwo") == [("a.txt", "one"), ("b/c.md", "two")]
    assert documents_of("no documents") == []
    prompt = "Question: x\n\nItem: A12\n[a.txt:3 | May 2021] wet [sic]\n[b.txt:4] (in passing) dry\n\nItem: B07\n"
    assert items_of(prompt) == {
        "A12": [("a.txt:3", "May 2021", "wet [sic]", True), ("b.txt:4", "", "dry", False)],
        "B07": [],
    }
