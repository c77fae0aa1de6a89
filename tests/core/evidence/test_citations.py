"""Which findings an answer rests on, and which call each comes from."""

from __future__ import annotations

import pytest
from event_streams import random_run, stamped

from rlm_core import events as ev
from rlm_core.evidence.citations import calls_of_findings, citations, mention
from rlm_core.task import Answer, Finding, Message, Task
from rlm_core.view import RunView, fold


def run(replies: list[str], findings: list[Finding], answer: str = "", cell_of_findings: int = 1) -> RunView:
    """A run whose first cell asked for `replies`, and one of whose cells recorded `findings`."""
    facts: list[tuple[str, str | None, ev.Body]] = [
        ("run", None, ev.RunStarted(Task("?", "c"))),
        ("f1", "run", ev.FrameStarted(0, "rlm", "?")),
        ("f1.t1", "f1", ev.TurnStarted(1)),
        ("f1.t1.c1", "f1.t1", ev.CellStarted("ask()")),
        ("f1.t1.c2", "f1.t1", ev.CellStarted("record()")),
    ]
    for number, reply in enumerate(replies, 1):
        call = f"f1.t1.c1.k{number}"
        facts.append((call, "f1.t1.c1", ev.CallStarted("sub", "demo", (Message("user", "?"),))))
        facts.append((call, "f1.t1.c1", ev.CallFinished("ok", reply)))
    cell = f"f1.t1.c{cell_of_findings}"
    facts += [(f"{cell}.r{number}", cell, ev.FindingRecorded(each)) for number, each in enumerate(findings, 1)]
    facts.append(("run", None, ev.RunFinished("answered", Answer(answer))))
    return fold(stamped(facts))


def finding(item: str, quote: str | None = None, label: str = "yes") -> Finding:
    return Finding(item, label, quote)


def test_items_are_marked_in_the_order_of_the_answer_and_carry_the_call_behind_them():
    view = run(
        ['B07: no, "Stain is old and dry."', 'A12: yes, "Dripped again."'],
        [finding("A12", "Dripped again."), finding("B07", "Stain is old and dry.", "no"), finding("C02")],
        "Not B07, but A12 and again A12.",
    )
    assert [
        (each.number, each.item, each.start, each.end, each.call) for each in citations(view, calls_of_findings(view))
    ] == [
        (1, "B07", 4, 7, "f1.t1.c1.k1"),
        (2, "A12", 13, 16, "f1.t1.c1.k2"),
    ]


@pytest.mark.parametrize(
    ("item", "text", "at"),
    [
        ("A1", "A12, A1", 5),
        ("A1", "XA1", None),
        ("a.b*", "see a.b* now", 4),
        ("(x)", "f(x)", 1),
        ("", "anything", None),
        (" ", "any thing", None),
        ("Zürich", "in Zürich.", 3),
        ("A12", "a12", None),
    ],
)
def test_an_item_is_named_where_it_stands_as_a_whole_word(item, text, at):
    assert mention(item, text) == at


@pytest.mark.parametrize(
    "reply",
    [
        'yes | "He said the leak\n  is back."',
        '{"label": "yes", "quote": "He said the leak is back."}',
        '{"quote": "He said\\nthe leak is back."}',
    ],
)
def test_a_quote_is_found_in_a_reply_whatever_the_spacing(reply):
    assert calls_of_findings(run([reply], [finding("A12", "He said the leak is back.")])) == {
        "f1.t1.c1.r1": "f1.t1.c1.k1"
    }


def test_of_several_replies_with_the_quote_the_one_that_names_the_item_counts():
    view = run(["B07: Dripped again.", "A12: Dripped again."], [finding("A12", "Dripped again.")], cell_of_findings=2)
    assert calls_of_findings(view) == {"f1.t1.c2.r1": "f1.t1.c1.k2"}


def test_a_quote_that_code_took_itself_comes_from_no_call():
    assert (
        calls_of_findings(run(["A12: yes"], [finding("A12", "Dripped again."), finding("B07"), finding("C", "--")]))
        == {}
    )


def test_an_item_that_was_corrected_is_marked_with_its_last_finding():
    view = run([], [finding("A12", label="no"), finding("A12", label="yes")], "A12")
    assert [each.finding for each in citations(view, calls_of_findings(view))] == ["f1.t1.c1.r2"]


@pytest.mark.parametrize("seed", range(8))
def test_marks_lie_in_the_answer_and_calls_are_calls(seed):
    view = fold(stamped(random_run(seed, 200, hostile=True)))
    answer = view.answer.text if view.answer else ""
    for each in citations(view, calls_of_findings(view)):
        assert answer[each.start : each.end] == each.item
        assert each.call is None or view.nodes[each.call].kind == "call"


def test_an_item_that_stands_only_in_the_quote_of_another_is_not_named_by_the_answer():
    wet = "Drip has returned on the side towards D07."
    view = run([], [finding("D06", wet), finding("D07", "Dry.", "no")], f'1 room: D06.\n- D06: "{wet}"')
    assert [(each.item, each.start) for each in citations(view, {})] == [("D06", 8)]
    both = run([], [finding("D06", wet), finding("D07", "Dry.", "no")], f'D06: "{wet}" Not D07.')
    assert [each.item for each in citations(both, {})] == ["D06", "D07"]


def test_a_quote_that_is_no_more_than_the_name_of_an_item_hides_no_mention_of_it():
    view = run([], [finding("A12", "A12")], "1 room: A12.")
    assert [(each.item, each.start) for each in citations(view, {})] == [("A12", 8)]


def test_a_run_without_an_answer_has_no_marks():
    assert citations(RunView(), {}) == ()
