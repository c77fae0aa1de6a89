"""A run as a report and as one document: all that it came to, and nothing in it that acts."""

import json
import re

from event_streams import stamped

from rlm_core import events as ev
from rlm_core.diagnose.symptoms import LookAt, Symptom
from rlm_core.exporters.findings import findings_of
from rlm_core.exporters.report import report_of
from rlm_core.exporters.whole import to_json, whole_of
from rlm_core.task import Answer, Finding, Message, Task, Usage
from rlm_core.view import RunView, fold

HOSTILE = "```\n![x](http://a.example/p.png)\n<script>alert(1)</script> | [b](javascript:1)"
CODE = 'print("````")\n'


def view(finished: bool = True) -> RunView:
    facts = [
        ("run", None, ev.RunStarted(Task(HOSTILE, "c-1", root_model="big", helper_model="small"))),
        ("f1", "run", ev.FrameStarted(0, "rlm", HOSTILE)),
        ("f1.t1", "f1", ev.TurnStarted(1)),
        ("f1.t1.k1", "f1.t1", ev.CallStarted("root", "big", (Message("user", "go"),))),
        ("f1.t1.k1", None, ev.CallFinished("ok", f"I look.\n```repl\n{CODE}```", Usage(10, 5), 0.25, "list")),
        ("f1.t1.c1", "f1.t1", ev.CellStarted(CODE)),
        ("f1.t1.c1.k1", "f1.t1.c1", ev.CallStarted("sub", "small", (Message("user", "A12?"),))),
        ("f1.t1.c1.k1", None, ev.CallFinished("failed", error="gone", maybe_paid=True)),
        ("f1.t1.c1.r1", "f1.t1.c1", ev.FindingRecorded(Finding("A12", HOSTILE, HOSTILE, "a.txt"))),
        ("f1.t1.c1.r1", None, ev.QuoteChecked("exact", "a.txt", 0, 9, 1)),
        ("f1.t1.c1", None, ev.CellFinished("ok", HOSTILE, len(HOSTILE) + 7)),
    ]
    if finished:
        facts.append(("run", None, ev.RunFinished("answered", Answer(HOSTILE))))
    return fold(stamped(facts, run="r1"))


def outside_fences(markdown: str) -> str:
    """What is read as Markdown: everything that stands in no fence."""
    kept, fence = [], ""
    for line in markdown.split("\n"):
        marks = re.match(r"`{3,}", line)
        if fence:
            fence = "" if line == fence else fence
        elif marks:
            fence = marks[0]
        else:
            kept.append(line)
    assert not fence, "a fence is never closed"
    return "\n".join(kept)


def test_nothing_that_a_model_or_a_document_says_is_markdown_in_the_report():
    run = view()
    symptom = Symptom("good to know", "f1.t1", HOSTILE, (), LookAt("f1.t1"))
    said = report_of(run, findings_of(run), [symptom], "a|b<i>.zip", HOSTILE)
    read = outside_fences(said)
    assert not re.search(r"(?<!\\)[<\[\]!`]", read)
    assert "http:" not in read
    assert all(len(re.findall(r"(?<!\\)\|", line)) in (3, 4, 6) for line in read.split("\n") if line.startswith("|"))


def test_the_report_tells_question_answer_findings_cost_and_the_way_with_what_is_unknown():
    run = view()
    said = report_of(run, findings_of(run))
    titles = re.findall(r"^##+ (.*)$", said, re.MULTILINE)
    assert titles == [
        "Question",
        "Answer",
        "Findings",
        "What it took",
        "How it was found",
        "Turn 1 (f1.t1)",
        "What went wrong",
    ]
    assert "| cost | \\$0.25 + ? |" in said
    assert "| tokens in | 10 + ? |" in said
    assert "- 1 helper call of small: failed" in said
    assert "I look.\n[code: see the cell]" in said
    assert "`````python\n" + CODE.strip() in said
    assert "[7 more characters]" in said
    assert "| exact |" in said


def test_a_report_of_a_run_under_way_says_that_there_is_no_answer():
    assert "Outcome: running.\n\nThere is no answer." in report_of(view(finished=False), [])


def test_the_document_holds_the_result_and_every_node_with_its_place_in_the_tree():
    run = view()
    whole = json.loads(to_json(whole_of(run, findings_of(run), "rooms.zip")))
    assert (whole["run"], whole["outcome"], whole["archive"]) == ("r1", "answered", "rooms.zip")
    assert whole["task"]["question"] == HOSTILE
    assert [(node["id"], node["parent"], node["depth"]) for node in whole["nodes"]] == [
        ("run", None, 0),
        ("f1", "run", 1),
        ("f1.t1", "f1", 2),
        ("f1.t1.k1", "f1.t1", 3),
        ("f1.t1.c1", "f1.t1", 3),
        ("f1.t1.c1.k1", "f1.t1.c1", 4),
        ("f1.t1.c1.r1", "f1.t1.c1", 4),
    ]
    costs = {node["id"]: node["cost_usd"] for node in whole["nodes"] if node["kind"] == "call"}
    assert costs == {"f1.t1.k1": 0.25, "f1.t1.c1.k1": None}
    assert whole["cost_usd"] is None
