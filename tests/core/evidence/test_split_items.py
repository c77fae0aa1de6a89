"""Items of which each entry was shown to a model, and all of them to none."""

import pytest
from written_readings import NUMBERS, PLACES, Written

from rlm_core.diagnose.material import Material
from rlm_core.diagnose.shown import entries_read_apart
from rlm_core.evidence.placed import Placed
from rlm_core.evidence.split_items import Entry, SplitItem, split_items
from rlm_core.wording import read_apart


def split(run: Written) -> tuple[SplitItem, ...]:
    return split_items(run.view, run.coverage, NUMBERS)


def recorded(run: Written, cell: str = "f1.t1.c1") -> None:
    for number, entry in enumerate(PLACES, 1):
        run.finding(f"{cell}.r{number}", entry)


@pytest.fixture
def run() -> Written:
    """One helper call for each of the three entries of A12."""
    run = Written()
    run.turn(1)
    for number, entry in enumerate(PLACES, 1):
        run.call(f"f1.t1.c1.k{number}", "f1.t1.c1", entry)
    recorded(run)
    return run


def test_entries_that_went_to_a_call_each_never_met_and_each_names_its_nodes(run):
    calls = ("f1.t1.c1.k1", "f1.t1.c1.k2", "f1.t1.c1.k3")
    entries = tuple(
        Entry(Placed(*place), (f"f1.t1.c1.r{number}",), (calls[number - 1],))
        for number, place in enumerate(PLACES.values(), 1)
    )
    assert split(run) == (SplitItem("A12", entries, calls, ()),)


def test_one_call_with_all_of_them_is_enough(run):
    run.call("f1.t1.c1.k4", "f1.t1.c1", "reported", "repaired")
    assert len(split(run)) == 1
    run.call("f1.t1.c1.k5", "f1.t1.c1", *PLACES)
    assert split(run) == ()


def test_what_the_cells_of_different_turns_printed_met_in_the_conversation(run):
    run.printed("f1.t1.c1", "reported")
    run.turn(2)
    run.printed("f1.t2.c1", "repaired")
    assert split(run)[0].frames == ("f1",)
    run.turn(3)
    run.printed("f1.t3.c1", "again")
    assert split(run) == ()


def test_what_opened_the_conversation_is_in_it_too(run):
    run.turn(2, "f1", *PLACES)
    assert split(run) == ()


def test_the_conversation_of_a_child_is_its_own(run):
    for number, entry in enumerate(PLACES, 1):
        run.frame(f"f1.t1.c1.f{number}", "f1.t1.c1")
        run.turn(1, f"f1.t1.c1.f{number}", entry)
    found = split(run)[0]
    assert found.frames == ("f1.t1.c1.f1", "f1.t1.c1.f2", "f1.t1.c1.f3")
    assert found.entries[0].nodes == ("f1.t1.c1.k1", "f1.t1.c1.f1.t1.k1")
    run.turn(2, "f1.t1.c1.f1", *PLACES)
    assert split(run) == ()


def test_an_entry_that_nobody_was_shown_is_another_matter():
    run = Written()
    run.turn(1)
    run.call("f1.t1.c1.k1", "f1.t1.c1", "reported")
    run.call("f1.t1.c1.k2", "f1.t1.c1", "repaired")
    recorded(run)
    assert split(run) == ()


def test_one_entry_or_quotes_of_the_same_words_are_not_split(run):
    run = Written()
    run.turn(1)
    for number in (1, 2):
        run.call(f"f1.t1.c1.k{number}", "f1.t1.c1", "reported")
        run.finding(f"f1.t1.c1.r{number}", "reported", quote=f"It was reported, {number}.")
    assert split(run) == ()


def test_an_entry_whose_label_was_corrected_is_one_all_the_same():
    run = Written()
    run.turn(1)
    for number, (entry, label) in enumerate((("reported", "yes"), ("repaired", "no")), 1):
        run.call(f"f1.t1.c1.k{number}", "f1.t1.c1", entry)
        run.finding(f"f1.t1.c1.r{number}", entry, label)
    assert [len(each.entries) for each in split(run)] == [2]


def test_what_may_stand_elsewhere_neither_shows_an_entry_nor_keeps_it_apart(run):
    run.call("f1.t1.c1.k4", "f1.t1.c1", "reported", "repaired")
    run.shown("f1.t1.c1.k4", "again", ambiguous=True)
    assert split(run) == (), "it may have been shown to call 4 together with the others"
    run.reads = [read for read in run.reads if read.span not in ("f1.t1.c1.k3", "f1.t1.c1.k4")]
    run.shown("f1.t1.c1.k3", "again", ambiguous=True)
    assert split(run) == (), "it is not certain that it was shown"


def test_short_quotes_that_a_cell_printed_together_met(run):
    run.printed("f1.t1.c1", output='["It was reported.", "It was\\nrepaired."]')
    run.turn(2)
    run.printed("f1.t2.c1", output="It was still again")
    assert len(split(run)) == 1, "the third quote was not printed as it is"
    run.turn(3)
    run.printed("f1.t3.c1", output="... it was AGAIN")
    assert len(split(run)) == 1, "the model has not been told yet"
    run.turn(4)
    assert split(run) == ()


def test_short_quotes_that_a_call_was_sent_together_met(run):
    run.call("f1.t1.c1.k4", "f1.t1.c1", text="1. It was reported. 2. It was\nrepaired.")
    assert len(split(run)) == 1
    run.call("f1.t1.c1.k5", "f1.t1.c1", "again", text="1. It was reported. 2. It was\nrepaired. 3. ...")
    assert split(run) == (), "the third entry is known to have been in the prompt"


def test_where_more_was_told_than_can_be_looked_at_nothing_is_named(run):
    run.printed("f1.t1.c1", output="x" * 1_000_000)
    run.turn(2)
    assert len(split(run)) == 1
    for number in range(3, 23):
        run.call(f"f1.t2.c1.k{number}", "f1.t2.c1", text="x" * 1_000_000)
    assert split(run) == ()


def test_other_items_are_judged_by_their_own_entries(run):
    run.turn(2)
    run.call("f1.t2.c1.k1", "f1.t2.c1", "reported", "again")
    run.finding("f1.t2.c1.r1", "reported", item="B07")
    run.finding("f1.t2.c1.r2", "again", item="B07")
    assert [each.item for each in split(run)] == ["A12"]


def test_it_is_said_in_words_who_had_the_entries():
    assert read_apart(3, 3, 0) == "its 3 entries went to 3 different calls; no model saw them together"
    assert read_apart(2, 1, 1) == "its 2 entries went to a call and the model of a frame; no model saw them together"
    assert read_apart(2, 0, 2) == "its 2 entries went to the models of 2 frames; no model saw them together"


def test_the_rule_says_that_it_may_change_the_answer_where_the_labels_differ(run):
    (symptom,) = entries_read_apart(Material(run.view, coverage=run.coverage, numbers=NUMBERS))
    assert (symptom.span, symptom.severity) == ("f1.t1.c1.r1", "good to know")
    assert symptom.says == "A12: its 3 entries went to 3 different calls; no model saw them together."
    run.finding("f1.t1.c1.r4", "again", label="no")
    (symptom,) = entries_read_apart(Material(run.view, coverage=run.coverage, numbers=NUMBERS))
    assert symptom.severity == "may change the answer"
    assert list(entries_read_apart(Material(run.view))) == []
