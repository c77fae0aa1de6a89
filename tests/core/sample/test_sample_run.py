"""The demo model over the shipped sample, through the real engine and the real sandbox."""

import json
from collections import Counter
from pathlib import Path

import pytest

from rlm_core import events as ev
from rlm_core.corpus.ingest import Source, ingest
from rlm_core.lm.demo import DEMO_NOTICE, DemoLM
from rlm_core.run import run_task
from rlm_core.task import Task

SAMPLE = Path(__file__).parents[3] / "sample_data"
TRUTH = json.loads((SAMPLE / "truth" / "maintenance.json").read_text(encoding="utf-8"))


def run(folder: Path, name: str, question: str = TRUTH["question"], **changes) -> list[ev.Body]:
    corpus, _ = ingest([Source(name, (SAMPLE / name).read_bytes())], folder / "corpora")
    assert corpus is not None
    bodies: list[ev.Body] = []

    def emit(span: str, parent: str | None, body: ev.Body) -> ev.Event:
        bodies.append(body)
        return ev.Event("r", len(bodies) - 1, 0.0, span, parent, body)

    run_task(Task(question, corpus.id, **changes), corpus, DemoLM(), emit)
    return bodies


def finished(bodies: list[ev.Body]) -> ev.RunFinished:
    (last,) = (body for body in bodies if isinstance(body, ev.RunFinished))
    assert last.outcome == "answered", last.reason
    assert last.answer is not None
    assert DEMO_NOTICE in last.answer.text
    return last


@pytest.mark.parametrize("depth", [0, 1])
def test_the_sample_is_answered_and_every_quote_is_proven(tmp_path: Path, depth: int):
    bodies = run(tmp_path, "maintenance.zip", options={"depth": depth})
    answer = finished(bodies).answer
    assert answer is not None
    assert answer.text.startswith(f"{TRUTH['answer']} rooms: A05, A09, A12,")
    found = {body.finding.item: body.finding for body in bodies if isinstance(body, ev.FindingRecorded)}
    for room, truth in TRUTH["rooms"].items():
        assert found[room].label == truth["label"], room
    verdicts = Counter(body.verdict for body in bodies if isinstance(body, ev.QuoteChecked))
    assert verdicts == {"exact": len(found)}
    assert {body.status for body in bodies if isinstance(body, ev.CellFinished)} == {"ok"}
    assert not [body for body in bodies if isinstance(body, ev.TurnFinished) and body.refused]


@pytest.mark.parametrize("changes", [{"options": {"depth": 1}}, {"options": {"depth": 0}}, {"strategy": "base"}])
def test_three_rooms_have_one_yes_by_every_way_of_asking(tmp_path: Path, changes: dict):
    answer = finished(run(tmp_path, "three_rooms.txt", **changes)).answer
    assert answer is not None
    assert "A12" in answer.text.split("\n")[0]
    assert answer.text.startswith("1")


def test_a_question_without_a_rule_ends_as_unknown(tmp_path: Path):
    answer = finished(run(tmp_path, "three_rooms.txt", question="Who closed most of the orders?")).answer
    assert answer is not None
    assert answer.text.startswith("Unknown.")
