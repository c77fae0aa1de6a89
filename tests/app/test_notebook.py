"""How a run and its folded tree become the blocks of a notebook."""

from __future__ import annotations

from dataclasses import replace

import pytest
from event_streams import random_run, stamped

from rlm_core import events as ev
from rlm_core.folding import Folding, tree_of
from rlm_core.looks.notebook import (
    PAGE_BLOCKS,
    AnswerBlock,
    CellBlock,
    FindingsBlock,
    FrameBlock,
    RemarkBlock,
    RowBlock,
    TurnBlock,
    blocks_of,
    pages_of,
)
from rlm_core.looks.remarks import STOPPED_BEFORE, limit_in_words
from rlm_core.naming import Namer, names_of
from rlm_core.outline import Outline
from rlm_core.passages import Passage, passage
from rlm_core.task import Answer, Finding, Message, Task
from rlm_core.view import fold

TASK = Task("Which rooms?", "c1")


def run_of(*steps):
    return fold(
        stamped([(ev.RUN_SPAN, None, ev.RunStarted(TASK)), ("f1", "run", ev.FrameStarted(0, "rlm", "Which?")), *steps])
    )


def read(view, **how):
    tree = tree_of(view, **how)
    return blocks_of(view, tree, names_of(view, tree, {}), Namer(view, {}), Folding(Outline(view)))


def call(span, parent, role="sub", status="ok", text="yes"):
    error = None if status == "ok" else "No."
    return [
        (span, parent, ev.CallStarted(role, "demo", (Message("user", "Room A12?"),))),
        (span, parent, ev.CallFinished(status, text if status == "ok" else None, error=error)),
    ]


def turn(number, *inside, reply="I look."):
    span = f"f1.t{number}"
    return [(span, "f1", ev.TurnStarted(number)), *call(f"{span}.k1", span, "root", text=reply), *inside]


def test_a_run_that_has_answered_since_its_tree_was_drawn_is_read_as_far_as_the_tree_goes():
    before = run_of(*turn(1))
    tree = tree_of(before)
    names = names_of(before, tree, {})
    after = run_of(*turn(1), (ev.RUN_SPAN, None, ev.RunFinished("answered", Answer("A12", "FINAL"))))
    assert [type(each) for each in blocks_of(after, tree, names, Namer(after, {}), Folding(Outline(after)))] == [
        TurnBlock
    ]
    assert [type(each) for each in read(after)] == [TurnBlock, AnswerBlock]


def test_a_turn_is_followed_by_its_cell_then_by_the_cells_calls_and_findings():
    view = run_of(
        *turn(1, reply="I ask.\n```repl\nllm_query('x')\n```"),
        ("f1.t1.c1", "f1.t1", ev.CellStarted("llm_query('x')")),
        *call("f1.t1.c1.k1", "f1.t1.c1"),
        *call("f1.t1.c1.k2", "f1.t1.c1", status="failed"),
        ("f1.t1.c1.r1", "f1.t1.c1", ev.FindingRecorded(Finding("A12", "yes"))),
        ("f1.t1.c1", "f1.t1", ev.CellFinished("ok", "done", 4)),
    )
    first, cell, well, badly, findings = read(view)
    assert isinstance(first, TurnBlock)
    assert (first.number, first.reply.head[:6], first.cells[0].head) == (1, "I ask.", "llm_query('x')")
    assert isinstance(cell, CellBlock)
    assert (cell.number, cell.output.head, cell.status) == (1, "done", "ok")
    assert isinstance(well, RowBlock)
    assert (well.mark, well.failed, badly.mark, badly.failed) == ("f1.t1.c1.k1", False, "f1.t1.c1.k2", True)
    assert badly.name.says == "No."
    assert isinstance(findings, FindingsBlock)
    assert (findings.labels, findings.mark) == ((("yes", 1),), "f1.t1.c1")


def test_many_calls_are_one_row_and_those_that_failed_another():
    calls = [each for number in range(20) for each in call(f"f1.t1.c1.k{number}", "f1.t1.c1")]
    failed = [each for number in range(20, 22) for each in call(f"f1.t1.c1.k{number}", "f1.t1.c1", status="failed")]
    view = run_of(*turn(1), ("f1.t1.c1", "f1.t1", ev.CellStarted("1")), *calls, *failed)
    rows = [block for block in read(view) if isinstance(block, RowBlock)]
    assert [len(row.drawn.members) for row in rows] == [20, 1, 1]
    assert [row.failed for row in rows] == [False, True, True]
    assert [row.id for row in read(view, selected="f1.t1.c1.k7")] == [row.id for row in read(view)]


def test_cells_are_numbered_through_a_frame_and_a_child_frame_counts_its_own():
    view = run_of(
        *turn(1),
        ("f1.t1.c1", "f1.t1", ev.CellStarted("1")),
        ("f1.t1.c2", "f1.t1", ev.CellStarted("2")),
        ("f1.t1.c2.f1", "f1.t1.c2", ev.FrameStarted(1, "rlm", "And here?")),
        ("f1.t1.c2.f1.t1", "f1.t1.c2.f1", ev.TurnStarted(1)),
        ("f1.t1.c2.f1.t1.c1", "f1.t1.c2.f1.t1", ev.CellStarted("3")),
        *turn(2),
        ("f1.t2.c1", "f1.t2", ev.CellStarted("4")),
    )
    blocks = read(view)
    assert [(block.code.head, block.number, block.depth) for block in blocks if isinstance(block, CellBlock)] == [
        ("1", 1, 0),
        ("2", 2, 0),
        ("3", 1, 1),
        ("4", 3, 0),
    ]
    (child,) = (block for block in blocks if isinstance(block, FrameBlock))
    assert (child.depth, child.question.head) == (1, "And here?")


def test_of_many_child_frames_those_are_read_that_the_tree_draws():
    frames = []
    for number in range(1, 13):
        frame = f"f1.t1.c1.f{number}"
        frames += [
            (frame, "f1.t1.c1", ev.FrameStarted(1, "rlm", "Is it here?")),
            (f"{frame}.t1", frame, ev.TurnStarted(1)),
            (f"{frame}.t1", frame, ev.TurnFinished()),
            (frame, "f1.t1.c1", ev.FrameFinished("answered")),
        ]
    view = run_of(*turn(1), ("f1.t1.c1", "f1.t1", ev.CellStarted("1")), *frames)
    blocks = read(view, opened={"f1.t1.c1.g1": range(4)})
    rows = [block for block in blocks if isinstance(block, RowBlock)]
    drawn = [block for block in blocks if isinstance(block, FrameBlock)]
    assert [rows[0].drawn.is_group, rows[-1].drawn.kind] == [True, "more"]
    assert len(drawn) + len(rows[-1].drawn.members) == 12
    assert sum(isinstance(block, TurnBlock) for block in blocks) == 1 + len(drawn)


def test_a_limit_is_read_where_it_was_met_and_not_at_the_end():
    view = run_of(
        *turn(1, ("f1.t1.c1", "f1.t1", ev.CellStarted("ask()")), *call("f1.t1.c1.k1", "f1.t1.c1")),
        ("f1", "run", ev.LimitReached("max_calls", 380, 400)),
        ("f1.t1.c1.r1", "f1.t1.c1", ev.FindingRecorded(Finding("A12", "yes"))),
        ("f1.t1.c1", "f1.t1", ev.CellFinished("ok")),
        ("f1.t1", "f1", ev.TurnFinished()),
        ("f1", "run", ev.Noted("session", "It was begun anew.")),
        *turn(2),
    )
    read_as = [(type(block).__name__, block.mark) for block in read(view)]
    assert read_as == [
        ("TurnBlock", "f1.t1"),
        ("CellBlock", "f1.t1.c1"),
        ("RowBlock", "f1.t1.c1.k1"),
        ("RemarkBlock", "f1.t1.c1"),
        ("FindingsBlock", "f1.t1.c1"),
        ("RemarkBlock", "f1.t1"),
        ("TurnBlock", "f1.t2"),
    ]


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        (
            ev.LimitReached("max_calls", 380, 400),
            "The limit on calls was reached: 380 of 400 used. Helpers are stopped",
        ),
        (ev.LimitReached("max_usd", 4.9, 5), "The limit on spending was reached: $4.90 of $5.00 used. Helpers are"),
        (ev.LimitReached("max_tokens", 2e6, 2e6), "The limit on tokens was reached: 2,000,000 of 2,000,000 used."),
        (ev.LimitReached("timeout_s", 601.2, 600), "The limit on time was reached: 10 min 01 s of 10 min 00 s used."),
    ],
)
def test_the_numbers_of_a_limit_are_explained_where_less_than_all_was_used(limit, said):
    words = limit_in_words(limit)
    assert words.startswith(said)
    assert (STOPPED_BEFORE in words) == (limit.used < limit.allowed)


def test_how_cells_are_held_is_said_once_unless_a_child_frame_is_held_otherwise():
    steps = []
    for number, held in ((1, "By bubblewrap."), (2, "By nothing.")):
        frame = f"f1.t1.c1.f{number}"
        steps += [(frame, "f1.t1.c1", ev.FrameStarted(1, "rlm", "Here?")), (frame, None, ev.Noted("protection", held))]
    held = ("f1", None, ev.Noted("protection", "By bubblewrap."))
    view = run_of(*turn(1), ("f1.t1.c1", "f1.t1", ev.CellStarted("1")), held, *steps)
    remarks = [block for block in read(view) if isinstance(block, RemarkBlock)]
    assert [(each.id, each.text.head) for each in remarks] == [
        ("f1/remark0", "By bubblewrap."),
        ("f1.t1.c1.f2/remark0", "By nothing."),
    ]
    assert read(view)[0] == remarks[0]


def test_notes_come_before_what_they_explain_and_limits_after_what_they_ended():
    view = run_of(
        ("f1", "run", ev.Noted("context_cut", "Half was not shown.")),
        ("f1.t1", "f1", ev.TurnStarted(1)),
        ("f1", "run", ev.LimitReached("max_turns", 1, 1)),
    )
    note, first, limit = read(view)
    assert isinstance(note, RemarkBlock)
    assert isinstance(first, TurnBlock)
    assert (note.text.head, limit.text.head) == ("Half was not shown.", "The limit on turns was reached: 1 of 1 used.")


def test_a_call_outside_any_turn_and_the_answer_are_read_at_the_end():
    view = run_of(
        *turn(1),
        *call("f1.k1", "f1", "root", text="Two rooms, I think."),
        ("run", None, ev.RunFinished("forced", Answer("Two."), "")),
    )
    _, last_word, answer = read(view)
    assert isinstance(last_word, TurnBlock)
    assert (last_word.number, last_word.reply.head) == (None, "Two rooms, I think.")
    assert isinstance(answer, AnswerBlock)
    assert (answer.text.head, answer.status, answer.mark) == ("Two.", "forced", "answer")


def test_a_reply_that_failed_and_an_answer_that_was_refused_are_said_in_their_turn():
    view = run_of(
        ("f1.t1", "f1", ev.TurnStarted(1)),
        *call("f1.t1.k1", "f1.t1", "root", status="failed"),
        ("f1.t1", "f1", ev.TurnFinished("Not yet.")),
    )
    (first,) = read(view)
    assert (first.failed, first.error.head, first.refused.head) == (True, "No.", "Not yet.")


def test_turns_that_the_tree_keeps_closed_are_read_all_the_same():
    steps = []
    for number in range(1, 6):
        span = f"f1.t{number}"
        cell = [(f"{span}.c1", span, ev.CellStarted("1")), (f"{span}.c1", span, ev.CellFinished("ok"))]
        steps += [*turn(number, *cell), (span, "f1", ev.TurnFinished())]
    view = run_of(*steps)
    closed = tree_of(view, max_marks=6)
    assert len(closed.marks) < 11
    assert [
        block.id
        for block in blocks_of(view, closed, names_of(view, closed, {}), Namer(view, {}), Folding(Outline(view)))
    ] == [block.id for block in read(view)]


@pytest.mark.parametrize("seed", range(6))
def test_any_prefix_of_any_run_can_be_read_and_nothing_that_happened_is_left_out(seed):
    events = stamped(random_run(seed, 120, hostile=True))
    for length in (1, 2, len(events) // 3, len(events) // 2, len(events)):
        view = fold(events[:length])
        blocks = read(view)
        ids = [block.id for block in blocks]
        assert len(ids) == len(set(ids))
        rows = [block for block in blocks if isinstance(block, RowBlock)]
        frames = [node for node in view.nodes.values() if node.id in ids or node.parent == ev.RUN_SPAN]
        befell = {f"{node.id}/remark{number}" for node in frames for number in range(len(node.remarks))}
        assert {each for each in befell if view.nodes[each.partition("/")[0]].kind == "frame"} <= {*ids}
        shown = {*ids, *(member for row in rows for member in row.drawn.members)}
        replies = {child for block in blocks if isinstance(block, TurnBlock) for child in view.nodes[block.id].children}
        happened = {node.id for node in view.nodes.values() if node.kind in ("turn", "cell", "call", "search")}
        undrawn = [f"{member}." for row in rows for member in row.drawn.members if row.drawn.kind == "more"]
        missing = {span for span in happened - shown - replies if not span.startswith(tuple(undrawn))}
        assert missing == set()
        assert {block.mark for block in blocks} <= {*tree_of(view).by_id}


def test_pages_are_cut_by_number_and_by_length_and_stay_when_the_run_goes_on():
    view = run_of(*(step for number in range(1, 3) for step in turn(number)))
    short = read(view)[0]
    long = replace(short, reply=Passage("x", 50_000, "abc"))
    assert pages_of([short] * 10) == [range(10)]
    assert pages_of([short] * (PAGE_BLOCKS + 5)) == [range(PAGE_BLOCKS), range(PAGE_BLOCKS, PAGE_BLOCKS + 5)]
    pages = pages_of([long] * 100)
    assert [len(page) for page in pages] == [30, 30, 30, 10]
    assert pages_of([long] * 110)[:3] == pages[:3]
    assert pages_of([]) == [range(0)]


def test_a_long_text_is_passed_around_by_its_head():
    assert passage({"$text": "abc", "chars": 5000, "head": "x" * 200}) == Passage("x" * 200, 5000, "abc")
