"""What marks are called: short, on one line, and telling apart what stands side by side."""

from __future__ import annotations

import pytest
from event_streams import random_run, stamped
from test_folding import asked, begun, replied, with_calls

from rlm_core import events as ev
from rlm_core.folding import tree_of
from rlm_core.naming import SAYS_CHARS, TITLE_CHARS, Name, Namer, names_of
from rlm_core.task import Answer, Finding, Message
from rlm_core.view import RunView, fold


def names(view: RunView, items: dict[str, str] | None = None, **how: object) -> dict[str, Name]:
    return names_of(view, tree_of(view, **how), items or {})  # type: ignore[arg-type]


def of(*facts: tuple[str, str | None, ev.Body]) -> dict[str, Name]:
    return names(fold(stamped([*begun(), *facts])))


@pytest.mark.parametrize("seed", range(12))
def test_every_mark_has_a_name_of_one_short_line(seed):
    view = fold(stamped(random_run(seed, 200, hostile=True)))
    tree = tree_of(view)
    found = names_of(view, tree, {})
    assert set(found) == {mark.id for mark in tree.marks}
    for name in found.values():
        assert name.title
        assert not set("\n\r\x00\u202e\x1b") & set(name.title + name.says)
        assert len(name.title) <= 2 * TITLE_CHARS
        assert len(name.says) <= 2 * SAYS_CHARS


def test_a_turn_says_the_first_line_of_what_the_model_said():
    said = ev.CallFinished("ok", "Every report has records.\nI cut them up.\n\n```repl\nask()\n```")
    turn = [("f1.t2", "f1", ev.TurnStarted(2)), ("f1.t2.k1", "f1.t2", ev.CallStarted("root", "demo", ()))]
    assert of(*turn, ("f1.t2.k1", "f1.t2", said))["f1.t2"] == Name("turn 2", "Every report has records.")
    assert of(*turn)["f1.t2"] == Name("turn 2", "is being asked")
    lost = ev.CallFinished("failed", error="The key is missing.")
    assert of(*turn, ("f1.t2.k1", "f1.t2", lost))["f1.t2"] == Name("turn 2", "The key is missing.")


@pytest.mark.parametrize(
    ("code", "done", "says"),
    [
        ("print(1)", None, "is running"),
        ("print(1)", ev.CellFinished("ok", "1204", 1204), "prints 1,204 characters"),
        ("rooms = {}", ev.CellFinished("ok"), "rooms = {}"),
        ("# Cut the reports into rooms\nx = 1", ev.CellFinished("ok", "x", 1), "Cut the reports into rooms"),
        ('answer["content"] = 3', ev.CellFinished("ok"), "answers"),
        ("FINAL_VAR('x')", ev.CellFinished("ok"), "answers"),
        ("x", ev.CellFinished("failed", error="Traceback\n  line 1\nNameError: x"), "NameError: x"),
    ],
)
def test_a_cell_says_what_matters_most_about_it(code, done, says):
    facts = [("f1.t1.c2", "f1.t1", ev.CellStarted(code))]
    facts += [("f1.t1.c2", "f1.t1", done)] if done else []
    assert of(*facts)["f1.t1.c2"] == Name("cell 2", says)


def test_a_cell_that_asked_and_recorded_says_how_often():
    found = of(
        asked("f1.t1.c1.k1", "f1.t1.c1", "A12?"),
        ("f1.t1.c1.r1", "f1.t1.c1", ev.FindingRecorded(Finding("A12", "yes"))),
        ("f1.t1.c1.r2", "f1.t1.c1", ev.FindingRecorded(Finding("B07", "no"))),
        ("f1.t1.c1", "f1.t1", ev.CellFinished("ok")),
    )
    assert found["f1.t1.c1"].says == "1 call, 2 findings"


def test_a_call_is_called_by_the_item_that_it_decided_else_by_what_tells_it_from_its_siblings():
    facts = []
    for number, room in enumerate(("A12, north bay", "B07, corridor", "C02"), 1):
        facts += [asked(f"f1.t1.c1.k{number}", "f1.t1.c1", f"Was the leak back in {room}?")]
    facts += [replied("f1.t1.c1.k1", "f1.t1.c1")]
    found = names(fold(stamped([*begun(), *facts])), {"f1.t1.c1.k3": "C02, whole record"})
    assert found["f1.t1.c1.k1"] == Name("A12, north bay", "no")
    assert found["f1.t1.c1.k2"] == Name("B07, corridor", "is being asked")
    assert found["f1.t1.c1.k3"].title == "C02, whole record"


def test_a_call_that_nothing_tells_apart_is_called_by_its_number():
    batch = ev.CallStarted("sub", "demo", (Message("user", "Go on."),), batch=2, index=1)
    found = of(("f1.t1.c1.k9", "f1.t1.c1", batch), asked("f1.t1.c1.k10", "f1.t1.c1", "Go on."))
    assert (found["f1.t1.c1.k9"].title, found["f1.t1.c1.k10"].title) == ("call 2", "call 10")


def test_groups_side_by_side_are_told_apart():
    cited = {f"f1.t1.c1.k{number}": number for number in range(1, 12)}
    found = names(with_calls(60, bad=tuple(range(41, 61))), cited=cited)
    assert found["f1.t1.c1.g1"].title == "×29 Classify the records of room…"
    assert found["f1.t1.c1.g1q"].title == "×11 cited: Classify the records of room…"
    assert found["f1.t1.c1.g1x"].title == "×20 failed: Classify the records of room…"
    assert found["f1.t1.c1.g1"].says.startswith("p50 ")
    assert found["f1.t1.c1.g1.more"].title.endswith("more")


def asks(cell: str, *prompts: str, child: str = "") -> list[tuple[str, str | None, ev.Body]]:
    turn, frame = cell.rpartition(".")[0], cell.rsplit(".", 2)[0]
    number = int(turn.rpartition(".t")[2])
    facts: list[tuple[str, str | None, ev.Body]] = []
    if child:
        facts.append((frame, frame.rpartition(".")[0], ev.FrameStarted(1, "rlm", child)))
    facts += [(turn, frame, ev.TurnStarted(number)), (cell, turn, ev.CellStarted("ask()"))]
    return facts + [asked(f"{cell}.k{place}", cell, prompt) for place, prompt in enumerate(prompts, 1)]


def test_groups_that_were_asked_the_same_in_several_turns_and_child_frames_say_where():
    rooms = [f"Was room {number} wet again?" for number in range(9)]
    alone = [f"For how long was floor {number} closed?" for number in range(9)]
    found = of(
        *asks("f1.t2.c1", *rooms),
        *asks("f1.t3.c1", *rooms),
        *asks("f1.t3.c1.f1.t1.c1", *rooms, child="What of the north house?"),
        *asks("f1.t4.c1", *alone),
    )
    assert [found[f"{cell}.g1"].title for cell in ("f1.t2.c1", "f1.t3.c1", "f1.t3.c1.f1.t1.c1", "f1.t4.c1")] == [
        "×9 turn 2: Was room … wet again?…",
        "×9 turn 3: Was room … wet again?…",
        "×9 child: What of the nort…, turn 1: Was room … wet again?…",
        "×9 For how long was floor…",
    ]


def test_a_group_whose_prompts_soon_part_is_called_by_the_words_that_they_share_further_on():
    reports = [f"Report {number} ({number:05}.txt): was the room wet again?\n{number * 7} days" for number in range(9)]
    letters = [f"{chr(ord('a') + number) * 3} {chr(ord('b') + number) * 4}" for number in range(9)]
    found = of(*asks("f1.t2.c1", *reports), *asks("f1.t3.c1", *letters))
    assert found["f1.t2.c1.g1"].title == "×9 Report … was the room wet again? … days…"
    assert found["f1.t3.c1.g0"].title == "×9 calls"


def test_a_group_of_searches_is_called_so():
    hits = [(f"f1.t1.c1.s{number}", "f1.t1.c1", ev.Searched(f"leak {number}")) for number in range(9)]
    assert of(*hits)["f1.t1.c1.g1"].title == "×9 searches"


def test_the_answer_is_called_by_its_first_line():
    view = fold(stamped([*begun(), ("run", None, ev.RunFinished("answered", Answer("17 rooms.\nA12, B07")))]))
    assert names(view)["answer"].title == "17 rooms."


def test_a_prompt_that_parts_from_the_others_beyond_what_is_known_of_it_gives_no_name():
    question = "Name the rooms in which a leak came back. One line a room, with the sentence that tells of it, copied. "
    texts = [f"{question * 3}{house}" for house in ("NORTH HOUSE", "SOUTH HOUSE", "EAST HOUSE")]
    known = [{"$text": "0" * 64, "chars": len(text), "head": text[:200]} for text in texts]
    found = of(*(asked(f"f1.t1.c1.k{number}", "f1.t1.c1", head) for number, head in enumerate(known, 1)))
    assert [found[f"f1.t1.c1.k{number}"].title for number in (1, 2, 3)] == ["call 1", "call 2", "call 3"]


def test_a_name_ends_where_prompts_go_on_alike():
    rooms = ("E-01", "E-02", "M-06")
    found = of(
        *(
            asked(f"f1.t1.c1.k{number}", "f1.t1.c1", f"Judge the room {room} alone: did water come back?")
            for number, room in enumerate(rooms, 1)
        ),
        asked("f1.t1.c1.k4", "f1.t1.c1", "Which of them is right? E-01 or E-02?"),
    )
    assert [found[f"f1.t1.c1.k{number}"].title for number in (1, 2, 3)] == list(rooms)


def test_child_frames_are_told_apart_by_what_they_were_asked_and_say_what_they_answered():
    begun_at = [(f"f1.t1.c1.f{number}", f"This is part {number} of 5 of the rooms.") for number in (4, 1)]
    begun_facts = [(span, "f1.t1.c1", ev.FrameStarted(1, "rlm", asked_for)) for span, asked_for in begun_at]
    ended = ("f1.t1.c1.f4", "f1.t1.c1", ev.FrameFinished("answered", answer=Answer("0 rooms")))
    found = of(*begun_facts, ended)
    assert found["f1.t1.c1.f4"] == Name("child: 4", "0 rooms")
    assert found["f1.t1.c1.f1"] == Name("child: 1", "This is part 1 of 5 of the rooms.")


def test_where_a_node_is_named_alone_its_child_frame_is_named_too():
    found = Finding("A12", "yes")
    view = fold(
        stamped(
            [
                *begun(),
                ("f1.t1.k1", "f1.t1", ev.CallStarted("root", "demo", ())),
                ("f1.t1.c1.r1", "f1.t1.c1", ev.FindingRecorded(found)),
                ("f1.t1.c1.f1", "f1.t1.c1", ev.FrameStarted(1, "rlm", "Which?")),
                ("f1.t1.c1.f1.t1", "f1.t1.c1.f1", ev.TurnStarted(1)),
                ("f1.t1.c1.f1.t1.c1", "f1.t1.c1.f1.t1", ev.CellStarted("1")),
            ]
        )
    )
    title_of = Namer(view, {}).title_of
    assert [title_of(each) for each in ("run", "f1", "f1.t1", "f1.t1.k1", "f1.t1.c1.r1", "answer")] == [
        "run",
        "root frame",
        "turn 1",
        "turn 1",
        "A12",
        "answer",
    ]
    assert title_of("f1.t1.c1.f1.t1.c1") == "cell 1 of child frame, depth 1"
    assert title_of("f9") == "f9"
