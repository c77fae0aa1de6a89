"""Search: which nodes have words in their texts, and where in them."""

from __future__ import annotations

import pytest
from event_streams import random_run, stamped

from rlm_core import events as ev
from rlm_core.folding import ANSWER, tree_of
from rlm_core.outline import RUN
from rlm_core.search import Found, find, matcher
from rlm_core.task import Answer, Finding, Message, Task
from rlm_core.view import RunView, fold

CELL = "f1.t1.c1"
CODE = "for room in rooms:\n    print(leak(room))"
TASK = Task("Which rooms are wet?", "corpus-1", "rlm", {}, "demo", "demo")
FACTS = [
    (RUN, None, ev.RunStarted(TASK)),
    ("f1", RUN, ev.FrameStarted(0, "rlm", TASK.question)),
    ("f1.t1", "f1", ev.TurnStarted(1)),
    ("f1.t1.k1", "f1.t1", ev.CallStarted("root", "demo", (Message("system", "Be brief."), Message("user", "Look.")))),
    ("f1.t1.k1", "f1.t1", ev.CallFinished("ok", f"I search every room.\n\n```repl\n{CODE}\n```")),
    (CELL, "f1.t1", ev.CellStarted(CODE)),
    (f"{CELL}.k1", CELL, ev.CallStarted("sub", "demo", (Message("user", "Is A12 dripping? Room A12 drips."),))),
    (f"{CELL}.k1", CELL, ev.CallFinished("ok", "Yes: A12\n  drips again.")),
    (f"{CELL}.k2", CELL, ev.CallStarted("sub", "demo", (Message("user", "Is B07 dripping?"),))),
    (f"{CELL}.k2", CELL, ev.CallFinished("failed", error="No reply in 60 s.")),
    (f"{CELL}.s1", CELL, ev.Searched("mould")),
    (
        f"{CELL}.r1",
        CELL,
        ev.FindingRecorded(Finding("A12", "yes", "Über dem Fenster tropft es.", "mail/3.eml", "sure")),
    ),
    (f"{CELL}.f1", CELL, ev.FrameStarted(1, "rlm", "What of the cellar?")),
    (f"{CELL}.f1", CELL, ev.FrameFinished("answered", answer=Answer("The cellar is dry."))),
    (CELL, "f1.t1", ev.CellFinished("failed", "1 room of 46", 12, "NameError: name 'leak' is not defined")),
    (RUN, None, ev.RunFinished("answered", Answer("Only A12."))),
]


def nothing(shas):
    return set()


def found(words: str, view: RunView | None = None) -> dict[str, str]:
    hits = find(view or fold(stamped(FACTS)), words, nothing).hits
    return {hit.span: ", ".join(hit.parts) for hit in hits}


@pytest.mark.parametrize(
    ("words", "hits"),
    [
        ("rooms are WET", {RUN: "question"}),
        ("be brief", {"f1.t1": "prompt"}),
        ("every room", {"f1.t1": "words"}),
        ("in rooms", {CELL: "code"}),
        ("leak", {CELL: "code, error"}),
        ("room of 46", {CELL: "output"}),
        ("a12 drips", {f"{CELL}.k1": "prompt, reply"}),
        ("60 s", {f"{CELL}.k2": "error"}),
        ("mould", {f"{CELL}.s1": "query"}),
        ("über", {f"{CELL}.r1": "finding"}),
        ("ÜBER DEM fenster", {f"{CELL}.r1": "finding"}),
        ("3.eml", {f"{CELL}.r1": "finding"}),
        ("the cellar", {f"{CELL}.f1": "question, answer"}),
        ("only a12", {ANSWER: "answer"}),
        ("nowhere", {}),
        ("   ", {}),
        (".*", {}),
    ],
)
def test_words_are_found_where_they_stand(words, hits):
    assert found(words) == hits


def test_hits_come_in_the_order_of_the_tree_and_the_answer_last():
    assert list(found("a12")) == [f"{CELL}.k1", f"{CELL}.r1", ANSWER]


def test_a_model_that_has_the_words_around_its_code_and_in_it_is_found_twice():
    facts = [*FACTS[:4], ("f1.t1.k1", "f1.t1", ev.CallFinished("ok", f"The leak.\n\n```repl\n{CODE}\n```")), FACTS[5]]
    assert found("leak", fold(stamped(facts))) == {"f1.t1": "words", CELL: "code"}


def test_long_texts_are_asked_for_at_once_and_each_once():
    long = {"$text": "sha-1", "chars": 9000, "head": "Read this."}
    facts = [
        *FACTS[:6],
        *((f"{CELL}.k{n}", CELL, ev.CallStarted("sub", "demo", (Message("user", long),))) for n in range(3)),  # type: ignore[arg-type]
    ]
    asked: list[list[str]] = []

    def holding(shas):
        asked.append(sorted(shas))
        return {"sha-1"}

    assert [hit.span for hit in find(fold(stamped(facts)), "beam", holding).hits] == [f"{CELL}.k{n}" for n in range(3)]
    assert asked == [["sha-1"]]


def test_of_a_long_reply_the_words_are_the_models_own_unless_its_code_has_them():
    long = {"$text": "reply", "chars": 9000, "head": "I think."}
    facts = [*FACTS[:4], ("f1.t1.k1", "f1.t1", ev.CallFinished("ok", long)), FACTS[5]]  # type: ignore[arg-type]
    view = fold(stamped(facts))
    assert {hit.span for hit in find(view, "thinking", lambda shas: {"reply"}).hits} == {"f1.t1"}
    assert {hit.span for hit in find(view, "leak", lambda shas: {"reply"}).hits} == {CELL}


def test_a_run_that_goes_on_is_searched_from_where_it_was():
    events, view, before = stamped(FACTS), RunView(), None
    for event in events:
        view.apply(event)
        before = find(view, "a12", nothing, before)
        assert before == find(view, "a12", nothing)
    assert find(view, "a12", nothing, before) is before
    assert find(view, "b07", nothing, before).hits == find(view, "b07", nothing).hits


@pytest.mark.parametrize("seed", range(6))
def test_every_hit_of_any_run_can_be_shown(seed):
    view = fold(stamped(random_run(seed, 200, hostile=True)))
    hits = find(view, "e", nothing).hits
    assert hits
    assert len({hit.span for hit in hits}) == len(hits)
    tree = tree_of(view, kept=[hit.span for hit in hits])
    assert all(tree.mark_of(hit.span) for hit in hits)


def test_any_text_and_any_words_can_be_matched():
    assert matcher("ss")(b"STRASSE")
    assert matcher("a\ud800")(b"A?")
    assert matcher("Ö(")("ö(".encode())
    assert not matcher("")(b"anything")
    assert find(RunView(), "a", nothing) == Found("a")
