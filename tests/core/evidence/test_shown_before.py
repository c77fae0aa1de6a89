"""Whether the words of a finding had been shown to a model before it was recorded."""

import pytest
from event_streams import stamped
from written_readings import NUMBERS, PLACES, Written

from rlm_core import events as ev
from rlm_core.evidence.shown_before import shown_before
from rlm_core.evidence.told import Told
from rlm_core.task import Finding
from rlm_core.view import fold


@pytest.fixture
def run() -> Written:
    return Written()


def shown(run: Written, *, complete: bool = True) -> dict[str, str]:
    return shown_before(run.view, run.coverage, NUMBERS, complete=complete)


def test_what_a_call_of_the_same_cell_was_sent_was_shown_before_if_it_had_replied(run):
    run.turn(1)
    run.finding("f1.t1.c1.r1", "reported")
    run.call("f1.t1.c1.k1", "f1.t1.c1", "reported")
    run.finding("f1.t1.c1.r2", "reported", item="B07")
    assert shown(run) == {"f1.t1.c1.r1": "afterwards", "f1.t1.c1.r2": "before"}


def test_a_call_that_has_not_replied_when_the_finding_is_recorded_comes_afterwards(run):
    run.turn(1)
    run.call("f1.t1.c1.k1", "f1.t1.c1", "reported")
    finished = run.steps.pop()
    run.finding("f1.t1.c1.r1", "reported")
    run.steps.append(finished)
    assert shown(run) == {"f1.t1.c1.r1": "afterwards"}


def test_what_a_cell_prints_is_shown_to_its_model_by_the_next_turn_and_not_to_the_cells_of_the_same_one(run):
    run.turn(1)
    run.printed("f1.t1.c1", "reported")
    run.steps.append(("f1.t1.c2", "f1.t1", ev.CellStarted("...")))
    run.finding("f1.t1.c2.r1", "reported")
    run.printed("f1.t1.c2")
    run.turn(2)
    run.finding("f1.t2.c1.r1", "reported", item="B07")
    assert shown(run) == {"f1.t1.c2.r1": "afterwards", "f1.t2.c1.r1": "before"}


def test_what_a_child_read_was_shown_before_its_parent_records(run):
    run.turn(1)
    run.frame("f1.t1.c1.f1", "f1.t1.c1")
    run.turn(1, "f1.t1.c1.f1", "repaired")
    run.printed("f1.t1.c1.f1.t1.c1", "reported")
    run.finding("f1.t1.c1.r1", "repaired")
    run.finding("f1.t1.c1.r2", "reported", item="B07")
    assert shown(run) == {"f1.t1.c1.r1": "before", "f1.t1.c1.r2": "afterwards"}
    run.turn(2, "f1.t1.c1.f1")
    run.finding("f1.t1.c1.r3", "reported", item="C02")
    assert shown(run)["f1.t1.c1.r3"] == "before"


def test_what_code_finds_and_no_model_reads_was_never_shown(run):
    run.turn(1)
    run.finding("f1.t1.c1.r1", "again")
    run.shown("f1.t1.c1.r1", "again", "cited")
    assert shown(run) == {"f1.t1.c1.r1": "never"}


def test_all_of_the_words_must_have_been_shown_be_it_in_parts(run):
    run.turn(1)
    run.call("f1.t1.c1.k1", "f1.t1.c1")
    run.shown("f1.t1.c1.k1", "again", part=0.9)
    run.finding("f1.t1.c1.r1", "again")
    assert shown(run) == {"f1.t1.c1.r1": "never"}
    run.call("f1.t1.c1.k2", "f1.t1.c1", "again")
    assert shown(run) == {"f1.t1.c1.r1": "afterwards"}


@pytest.mark.parametrize("verdict", ["ambiguous", "not found", "conflict", "fuzzy", "no quote"])
def test_of_words_without_one_proven_place_it_is_not_known(run, verdict):
    run.turn(1)
    run.call("f1.t1.c1.k1", "f1.t1.c1", "reported")
    run.finding("f1.t1.c1.r1", "reported", verdict=verdict)
    assert shown(run) == {}


def test_of_documents_that_are_not_there_it_is_not_known(run):
    run.turn(1)
    run.finding("f1.t1.c1.r1", "reported")
    assert shown_before(run.view, run.coverage, {}) == {}


def test_words_that_were_told_though_no_read_names_the_place_leave_it_unknown(run):
    """A sentence that stands in a hundred places may have been shown at this one, or not."""
    run.turn(1)
    run.call("f1.t1.c1.k1", "f1.t1.c1", text='{"text": "It was\\nREPAIRED."}')
    run.finding("f1.t1.c1.r1", "repaired")
    run.finding("f1.t1.c1.r2", "again", item="B07")
    run.finding("f1.t1.c1.r3", "reported", item="C02")
    assert shown(run) == {"f1.t1.c1.r2": "never", "f1.t1.c1.r3": "never"}
    run.call("f1.t1.c1.k2", "f1.t1.c1", "reported", text="It was reported. It was again.")
    assert shown(run) == {"f1.t1.c1.r3": "afterwards"}, "of the other one only the words were shown, afterwards"


def test_while_not_all_was_looked_at_only_what_was_shown_before_is_known(run):
    run.turn(1)
    run.call("f1.t1.c1.k1", "f1.t1.c1", "reported")
    run.finding("f1.t1.c1.r1", "reported")
    run.finding("f1.t1.c1.r2", "again", item="B07")
    assert shown(run, complete=False) == {"f1.t1.c1.r1": "before"}


def test_the_order_is_that_of_the_events_where_clocks_stand_still(run):
    run.turn(1)
    run.call("f1.t1.c1.k1", "f1.t1.c1", "reported")
    run.finding("f1.t1.c1.r1", "reported")
    run.finding("f1.t1.c1.r2", "again", item="B07")
    run.call("f1.t1.c1.k2", "f1.t1.c1", "again")
    still = fold(ev.Event(each.run, each.seq, 0.0, each.span, each.parent, each.body) for each in stamped(run.steps))
    found = shown_before(still, run.coverage, NUMBERS)
    assert found == {"f1.t1.c1.r1": "before", "f1.t1.c1.r2": "afterwards"}


def test_a_log_whose_nodes_lie_in_each_other_ends():
    steps = [
        ("a", "b", ev.CellStarted("x")),
        ("b", "a", ev.CellStarted("y")),
        ("r", "b", ev.FindingRecorded(Finding("A", "yes"))),
    ]
    view = fold(stamped(steps))
    assert view.frame_of("r") == view.frame_of("a") == "run"
    assert Told(view).by("a") is None


def test_ten_thousand_findings_of_one_document_take_one_pass(run):
    run.turn(1)
    for number in range(10_000):
        run.steps.append((f"r{number}", "f1.t1.c1", ev.FindingRecorded(Finding(f"i{number}", "yes", "q"))))
        run.steps.append((f"r{number}", "f1.t1.c1", ev.QuoteChecked("exact", "b.txt", number, number + 1, 1)))
    run.call("f1.t1.c1.k1", "f1.t1.c1", "again")
    found = shown(run)
    start, end = PLACES["again"][1:]
    assert sum(each == "afterwards" for each in found.values()) == end + 50 - (start - 50)
