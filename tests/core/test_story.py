"""A story is drafted from what a run recorded, says what is not known, and is told in a person's words where there are some."""

from __future__ import annotations

from pathlib import Path

import pytest
from event_streams import stamped

from rlm_core import events as ev
from rlm_core.compare import compare
from rlm_core.errors import StoreError
from rlm_core.importers.jsonl import read_lines
from rlm_core.looks.look import reading_of
from rlm_core.looks.run_words import ShownShare
from rlm_core.passages import short
from rlm_core.store.readings import CoverageRow
from rlm_core.story import Chip, draft, edited
from rlm_core.story_edits import StepEdit, tidied
from rlm_core.task import Answer, Finding, Task
from rlm_core.view import RunView, fold

SAMPLE = Path(__file__).parents[2] / "sample_data" / "runs" / "maintenance-demo.jsonl"


@pytest.fixture(scope="module")
def sample() -> RunView:
    with SAMPLE.open("rb") as lines:
        return fold(read_lines(lines))


def story(view: RunView, shown: ShownShare | None = None, base: RunView | None = None) -> dict:
    comparison = compare([base, view]) if base else None
    return {step.id: step for step in draft(view, reading_of(view, short), short, shown or ShownShare(), comparison)}


def run(name: str, *found: tuple[str, str], answer: str = "") -> RunView:
    """A run that recorded these items, and nothing else."""
    bodies: list = [("run", None, ev.RunStarted(Task("Which rooms leak?", "c", "base")))]
    bodies += [
        (f"r{number}", "run", ev.FindingRecorded(Finding(item, label, f"{item} is wet.")))
        for number, (item, label) in enumerate(found)
    ]
    bodies.append(("run", None, ev.RunFinished("answered", Answer(answer)) if answer else ev.RunFinished("failed")))
    return fold(stamped(bodies, run=name))


def test_the_recorded_run_is_told_in_six_steps(sample):
    steps = story(sample)
    assert list(steps) == ["question", "plan", "calls", "evidence", "answer", "cost"]
    assert steps["question"].title.startswith("In which rooms did the leak come back")
    assert "28 documents, 782,013 characters" in steps["question"].body
    assert steps["plan"].title == "I look at the archive first."
    assert steps["calls"].title == "One cell asks 212 helpers"
    assert (steps["answer"].title, steps["answer"].links[0].span) == ("21 rooms", "answer")
    assert steps["evidence"].title == "212 quotes found in the archive"
    assert steps["evidence"].quotes[0].words == "Dripped again after heavy rain, same window head."


def test_what_is_not_known_is_told_as_unknown_and_what_is_not_there_is_no_step(sample):
    figures = {figure.label: figure.value for figure in story(sample)["cost"].figures}
    assert (figures["Tokens in | out"], figures["Coverage"]) == ("unknown", "unknown")
    assert list(story(run("r"))) == ["question", "cost"]


def test_how_much_was_never_read_is_the_last_step(sample):
    steps = story(sample, ShownShare(CoverageRow(900, 1000, True)))
    assert list(steps)[-1] == "unread"
    assert steps["unread"].title == "100 characters were never shown to a model"
    assert "The code could search all of it" in steps["unread"].body
    assert "unread" not in story(sample, ShownShare(CoverageRow(1000, 1000, True)))


def test_beside_another_run_the_items_of_both_are_drawn():
    a = run("a", ("A12", "yes"), ("B07", "yes"), answer="2 rooms: A12, B07")
    b = run("b", ("A12", "yes"), ("H04", "yes"), ("B07", "no"), answer="2 rooms: A12, H04")
    step = story(b, base=a)["compared"]
    assert step.title == "Same total, different rooms"
    assert step.chips == (Chip("B07", True, False), Chip("A12", True, True), Chip("H04", False, True))
    assert step.sides[0].endswith("0 calls: 2")


def test_a_person_words_orders_and_leaves_out_steps(sample):
    drafted = list(story(sample).values())
    edits = [StepEdit("answer", title="Twenty-one"), StepEdit("plan", left_out=True), StepEdit("gone", title="x")]
    told = edited(drafted, edits)
    assert [step.id for step in told] == ["question", "answer", "cost", "calls", "evidence"]
    assert (told[1].title, told[1].body) == ("Twenty-one", story(sample)["answer"].body)
    assert [step.id for step in edited(drafted, edits, every=True)][2:4] == ["cost", "plan"]
    assert edited(drafted, []) == drafted


@pytest.mark.parametrize(
    "steps",
    [[StepEdit("a", title="x" * 301)], [StepEdit("a", body="x" * 4001)], [StepEdit("a"), StepEdit("a")]],
)
def test_what_is_too_long_or_stands_twice_is_refused(steps):
    with pytest.raises(StoreError):
        tidied(steps)


def test_words_of_a_person_stay_text_on_one_line(sample):
    told = edited(list(story(sample).values()), [StepEdit("question", title="a\n\u202eb\x1b", body="c\x00")])
    assert (told[0].title, told[0].body) == ("a <U+202E>b␛", "c␀")
