"""Child frames: depth 2 and 3, their contexts, their failures, and what they share with the frame that made them."""

from __future__ import annotations

import os
import tempfile
import threading
import time
from pathlib import Path

import pytest
from runs import LOOK, Ran, answering, corpus_of, run_scripted

from rlm_core import events as ev
from rlm_core.corpus.corpus import Corpus
from rlm_core.corpus.handed_over import ORPHANED_S, PREFIX, folder_for_it, parts_of
from rlm_core.errors import CorpusError
from rlm_core.lm.client import Request
from rlm_core.lm.scripted import ScriptedLM
from rlm_core.task import Fork, Limits, Origin


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return corpus_of(tmp_path)


def question_of(request: Request) -> str:
    """Of a frame, as its first message gives it."""
    return request.messages[1].text if len(request.messages) > 1 else ""


def said(request: Request) -> int:
    return sum(message.role == "assistant" for message in request.messages)


COUNT = "```repl\nprint(type(context).__name__, len(context))\n```"
CHILD = ["```repl\nprint(context[:40], question)\n```", "```repl\nFINAL(f'{question} {len(context)}')\n```"]


def lm_with(root: list[str], child: list[str] = CHILD, latency_s: float = 0.0) -> ScriptedLM:
    def reply(request: Request) -> str:
        if request.role == "sub":
            return "yes"
        script = root if "How many rooms leak again?" in question_of(request) else child
        return script[min(said(request), len(script) - 1)]

    return ScriptedLM(reply, latency_s=latency_s)


ASK_ONE = "```repl\nprint(repr(rlm_query('How long?', context='x' * 321)))\n```"


def test_a_child_has_its_own_context_question_and_session(corpus: Corpus) -> None:
    ran = run_scripted(corpus, lm_with([LOOK, ASK_ONE, answering("done")]), options={"depth": 2})
    assert ran.outcome == "answered", ran.reason
    assert ran.bodies(ev.CellFinished)[-2].output == "'How long? 321'\n"
    child = ran.view.nodes["f1.t2.c1.f1"]
    assert isinstance(child.started, ev.FrameStarted)
    assert (child.started.depth, child.started.question) == (1, "How long?")
    assert child.started.context == {"kind": "text", "chars": 321, "documents": 1}
    assert child.started.options["depth"] == 1
    assert isinstance(child.finished, ev.FrameFinished)
    assert child.finished.answer
    assert child.finished.answer.text == "How long? 321"
    ran.assert_balanced()


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ("'a text'", "Document 6"),
        ("['one', 'two']", "Context 2"),
        ("context", "Context 2"),
        ("context[0]", "Document 59"),
        ("[context[0], context[1]]", "Context 2"),
        ("{'a.txt': 'one', 'b.txt': 'two', 'c.txt': 'three'}", "Context 3"),
        ("('one', 'two')", "Context 2"),
        ("[1, 2]", "Context 2"),
        ("None", "Document 12"),
    ],
)
def test_a_context_may_be_whatever_code_has_at_hand(corpus: Corpus, given: str, kind: str) -> None:
    root = [LOOK, f"```repl\nprint(rlm_query('What is this', context={given}))\n```", answering("done")]
    child = [COUNT, "```repl\nFINAL(f'{type(context).__name__} {len(context)}')\n```"]
    ran = run_scripted(corpus, lm_with(root, child), options={"depth": 2})
    assert ran.bodies(ev.CellFinished)[-2].output == f"{kind}\n"


def test_documents_keep_their_paths_on_the_way_to_a_child(corpus: Corpus) -> None:
    root = [LOOK, "```repl\nprint(rlm_query('Which', context=[context[1], context[0]]))\n```", answering("done")]
    child = [COUNT, "```repl\nFINAL(getattr(context, 'path', None) or context[0].path)\n```"]
    ran = run_scripted(corpus, lm_with(root, child), options={"depth": 2})
    assert ran.bodies(ev.CellFinished)[-2].output == "may.txt\n"


def test_depth_three_gives_a_child_children_and_those_only_plain_helpers(corpus: Corpus) -> None:
    def reply(request: Request) -> str:
        if request.role == "sub":
            return "yes"
        asked = question_of(request)
        if "How many rooms leak again?" in asked:
            return [LOOK, "```repl\nprint(rlm_query('level one', context='abc'))\n```", answering("done")][
                said(request)
            ]
        if "level one" in asked:
            steps = [COUNT, "```repl\ngot = rlm_query('level two', context='de')\n```", "```repl\nFINAL(got)\n```"]
            return steps[said(request)]
        steps = [
            "```repl\nprint(len(context), 'rlm_query' in globals(), llm_query('?'))\n```",
            "```repl\nFINAL('deep')\n```",
        ]
        return steps[said(request)]

    ran = run_scripted(corpus, ScriptedLM(reply), options={"depth": 3})
    assert ran.outcome == "answered", ran.reason
    depths = [(each.depth, each.options["depth"]) for each in ran.bodies(ev.FrameStarted)]
    assert depths == [(0, 3), (1, 2), (2, 1)]
    outputs = [cell.output for cell in ran.bodies(ev.CellFinished)]
    assert "2 False yes\n" in outputs
    assert "deep\n" in outputs
    ran.assert_balanced()


def test_many_children_at_once_wait_for_each_other_and_never_for_ever(corpus: Corpus) -> None:
    def reply(request: Request) -> str:
        asked = question_of(request)
        if "How many rooms leak again?" in asked:
            many = "print(rlm_query_batched(['level one'] * 6, [str(n) for n in range(6)]))"
            return [LOOK, f"```repl\n{many}\n```", answering("done")][said(request)]
        if "level one" in asked:
            many = "got = rlm_query_batched(['level two'] * 6, [context + str(n) for n in range(6)])"
            return [COUNT, f"```repl\n{many}\n```", "```repl\nFINAL(len(got))\n```"][said(request)]
        return [COUNT, "```repl\nFINAL(context)\n```"][said(request)]

    ran = run_scripted(corpus, ScriptedLM(reply), options={"depth": 3})
    assert ran.outcome == "answered", ran.reason
    assert len(ran.bodies(ev.FrameStarted)) == 1 + 6 + 36
    ran.assert_balanced()


def test_a_child_that_fails_is_a_failed_call_of_the_cell(corpus: Corpus) -> None:
    root = [LOOK, "```repl\ngot = rlm_query_batched(['a', 'b'], ['x', ''])\nprint(got)\n```", answering("done")]
    ran = run_scripted(corpus, lm_with(root), options={"depth": 2})
    assert "The context that was handed over is empty" in ran.bodies(ev.CellFinished)[-2].output
    assert "1 of" in ran.feedback(5)
    assert ran.outcome == "answered"
    ran.assert_balanced()


def test_a_child_counts_against_the_limits_of_the_whole_run(corpus: Corpus) -> None:
    child = ["```repl\nprint(context[:5], llm_query_batched(['q'] * 5))\n```"]
    ran = run_scripted(
        corpus, lm_with([LOOK, ASK_ONE, answering("done")], child), options={"depth": 2}, limits=Limits(max_calls=20)
    )
    assert ran.view.totals().calls <= 20
    assert ran.outcome == "answered"
    assert [each.limit for each in ran.bodies(ev.LimitReached)] == ["max_calls"]
    ran.assert_balanced()


def test_a_child_out_of_turns_gives_its_last_word(corpus: Corpus) -> None:
    ran = run_scripted(
        corpus, lm_with([LOOK, ASK_ONE, answering("done")], [COUNT]), options={"depth": 2}, limits=Limits(max_turns=3)
    )
    child = ran.view.nodes["f1.t2.c1.f1"]
    assert isinstance(child.finished, ev.FrameFinished)
    assert child.finished.outcome == "forced"
    assert ran.outcome == "answered"


def test_cancel_reaches_a_child_and_its_cells(corpus: Corpus) -> None:
    spin = ["```repl\nprint(context)\nwhile True:\n    pass\n```"]
    began = time.monotonic()
    ran = run_scripted(
        corpus,
        lm_with([LOOK, ASK_ONE], spin),
        options={"depth": 2},
        on_start=lambda shared: threading.Timer(1.5, shared.cancel).start(),
    )
    assert ran.outcome == "cancelled"
    assert time.monotonic() - began < 8
    ran.assert_balanced()


def test_findings_of_a_child_are_looked_for_in_the_archive(corpus: Corpus) -> None:
    child = [COUNT, "```repl\nrecord('A12', 'yes', quote='dripped again after heavy rain')\nFINAL('1')\n```"]
    ran = run_scripted(corpus, lm_with([LOOK, ASK_ONE, answering("done")], child), options={"depth": 2})
    assert [(check.verdict, check.document) for check in ran.bodies(ev.QuoteChecked)] == [("exact", "may.txt")]


def test_a_child_that_had_finished_is_taken_over_whole(corpus: Corpus) -> None:
    turns = [LOOK, ASK_ONE, LOOK, answering("done")]
    first = run_scripted(corpus, lm_with(turns), options={"depth": 2}, run="first")
    lm = lm_with(turns)
    origin = Origin("first", Fork(4))
    ran = run_scripted(corpus, lm, options={"depth": 2}, origin=origin, earlier=[first], run="second")
    assert [request.role for request in lm.requests] == ["root"]
    assert ran.outcome == "answered"
    assert len(ran.bodies(ev.FrameStarted)) == 2
    ran.assert_balanced()


@pytest.mark.parametrize("last", range(14, 40, 2))
def test_a_child_that_was_cut_off_goes_on_where_it_was(corpus: Corpus, last: int) -> None:
    turns = [LOOK, ASK_ONE, LOOK, answering("done")]
    child = [CHILD[0], "```repl\nprint(llm_query('?'))\n```", CHILD[1]]
    whole = run_scripted(corpus, lm_with(turns, child), options={"depth": 2}, run="first")
    dead = Ran(whole.events[: last + 1])
    lm = lm_with(turns, child)
    ran = run_scripted(corpus, lm, options={"depth": 2}, origin=Origin("first"), earlier=[dead], run="first.2")
    done = sum(isinstance(event.body, ev.CallFinished) for event in dead.events)
    assert len(lm.requests) == len(ran.bodies(ev.CallFinished)) - done
    assert (ran.outcome, ran.answer) == ("answered", "done")
    ran.assert_balanced()


def test_what_a_child_records_counts_among_the_findings_of_who_asked(corpus: Corpus) -> None:
    child = [COUNT, "```repl\nrecord('A12', 'yes', quote='dripped again after heavy rain')\nFINAL('1')\n```"]
    turns = [LOOK, ASK_ONE, LOOK, answering("done")]
    first = run_scripted(corpus, lm_with(turns, child), options={"depth": 2}, run="first")
    asked = [call.messages[-1].text for call in first.bodies(ev.CallStarted) if call.role == "root"]
    assert any("Findings: 1 items (1 yes); every quote was found." in text for text in asked)
    assert "3 of 1,000 model calls (0 to helpers)" not in asked[-1]
    assert "(2 to helpers)" in asked[-1]
    lm = lm_with(turns, child)
    run_scripted(corpus, lm, options={"depth": 2}, origin=Origin("first", Fork(3)), earlier=[first], run="second")
    assert "Findings: 1 items (1 yes); every quote was found." in lm.requests[-1].messages[-1].text


def test_a_child_whose_question_is_its_context_need_not_look_at_it(corpus: Corpus) -> None:
    child = ["```repl\nFINAL('3')\n```"]
    root = [LOOK, "```repl\nprint(rlm_query('How many rs are in strawberry?'))\n```", answering("three")]
    ran = run_scripted(corpus, lm_with(root, child), options={"depth": 2})
    assert [body.refused for body in ran.bodies(ev.TurnFinished)] == [None] * 4


def test_a_thousand_children_take_a_few_threads_of_the_host(corpus: Corpus) -> None:
    ask = "```repl\nprint(len(rlm_query_batched(['How long?'] * 60)))\n```"
    most = 0

    def child(request: Request) -> str:
        nonlocal most
        most = max(most, sum(each.name.startswith("f1.t1.c1.f") for each in threading.enumerate()))
        return "```repl\nFINAL(len(context))\n```"

    def reply(request: Request) -> str:
        at_root = "How many rooms leak again?" in question_of(request)
        return [ask, answering("done")][min(said(request), 1)] if at_root else child(request)

    ran = run_scripted(corpus, ScriptedLM(reply), options={"depth": 2}, limits=Limits(max_calls=20))
    assert ran.outcome == "answered", ran.reason
    assert 0 < most <= 4


def test_after_a_limit_no_child_is_begun_and_the_cell_is_told(corpus: Corpus) -> None:
    ask = "```repl\nfor reply in rlm_query_batched(['How long?'] * 300)[-2:]:\n    print(repr(reply), reply.error)\n```"
    child = ["```repl\nFINAL(len(context))\n```"]
    ran = run_scripted(
        corpus, lm_with([LOOK, ask, answering("done")], child), options={"depth": 2}, limits=Limits(max_calls=20)
    )
    assert ran.outcome == "answered", ran.reason
    assert len(ran.bodies(ev.FrameStarted)) < 25
    assert "No more helpers: answer from what you have." in ran.feedback(len(ran.bodies(ev.CallStarted)))
    ran.assert_balanced()


@pytest.mark.parametrize(("levels", "items"), [(800, 50_000), (100_000, 1)])
def test_what_is_nested_too_deeply_to_be_a_text_is_refused_in_words(levels: int, items: int) -> None:
    value: list[object] = [1] * items
    for _ in range(levels):
        value = [value]
    with pytest.raises(CorpusError, match=r"nested too deeply|as JSON"):
        parts_of(value)


def test_what_a_killed_process_has_left_of_its_children_is_removed_by_the_next() -> None:
    old, young = (Path(tempfile.mkdtemp(prefix=PREFIX)) for _ in range(2))
    (old / "corpus.txt").write_text("a copy of what was handed over")
    then = time.time() - ORPHANED_S - 60
    os.utime(old, (then, then))
    with folder_for_it() as folder:
        assert folder.is_dir()
        assert not old.exists()
        assert young.exists()
    assert not folder.exists()
    young.rmdir()
