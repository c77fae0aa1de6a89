"""What prompts of one line of code share, and what each varies in."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rlm_core.template import Template, template_of

FEW = st.text(alphabet="ab \n", max_size=40)


def test_prompts_share_how_they_begin_and_how_they_end():
    prompts = [f"Was this room wet again?\nRoom {room}\nReply in one word." for room in ("A12", "A14, B07")]
    template = template_of(prompts)
    assert template == Template(("Was this room wet again?\nRoom ", "\nReply in one word."))
    assert [template.varying(each) for each in prompts] == [["A12"], ["A14, B07"]]
    assert template.chars == 49


def test_no_word_is_cut_in_two():
    template = template_of(["Was room 1 ever dry again?", "Was room 10 ever dry again?", "Was room 21 ever dry again?"])
    assert template == Template(("Was room ", " ever dry again?"))


def test_what_stands_between_two_parts_that_vary_is_shared_too():
    prompts = [
        f"Report {n} ({n}.txt): was the room wet again?\n{said}" for n, said in ((7, "Dry."), (12, "Wet, I think."))
    ]
    template = template_of([*prompts, "Report 3 (x.txt): was the room wet again?\n"])
    assert template == Template(("Report ", " was the room wet again?\n", ""))
    assert template.varying(prompts[1]) == ["12 (12.txt):", "Wet, I think."]


def test_what_only_two_of_many_share_is_no_part_of_it():
    prompts = [
        f"Decide {n}, {said} in one word" for n, said in ((1, "by the reports of May,"), (2, "by the reports of May,"))
    ]
    assert template_of(prompts) == Template(("Decide ", " by the reports of May, in one word"))
    assert template_of([*prompts, "Decide 3, by nothing, in one word"]) == Template(("Decide ", " in one word"))


def test_texts_that_are_the_same_vary_in_nothing():
    template = template_of(["Say yes or no."] * 3)
    assert template == Template(("Say yes or no.", ""))
    assert template.varying("Say yes or no.") == [""]


def test_one_may_be_the_beginning_of_another():
    template = template_of(["Decide about this room", "Decide about this room A12"])
    assert [template.varying(each) for each in ("Decide about this room", "Decide about this room A12")] == [
        [""],
        [" A12"],
    ]


def test_what_is_shared_by_chance_is_no_template():
    assert template_of(["The pump leaks.", "The roof is dry."]) == Template()
    assert template_of([]) == template_of(["alone"]) == Template()
    assert Template().varying("alone") == ["alone"]


@given(st.lists(FEW, min_size=2, max_size=6), FEW, FEW)
def test_what_is_fixed_and_what_varies_are_together_the_text(middles, frame, within):
    texts = [f"{frame}{each}{within} {each}{frame}" for each in middles]
    template = template_of(texts)
    for text in texts:
        parts = [*template.varying(text), ""]
        assert not template.fixed or "".join(f"{a}{b}" for a, b in zip(template.fixed, parts, strict=True)) == text


def test_prompts_of_a_hundred_thousand_characters_without_a_blank_are_no_burden():
    texts = [f"{'x' * 100_000} {'x' * 100_000}{number}{'y' * 100_000}" for number in range(20)]
    assert template_of(texts) == Template((f"{'x' * 100_000} ", ""))
