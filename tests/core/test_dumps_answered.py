"""Real dumps that lie beside the repository: a question that code can decide, answered by a model that writes that code."""

import json

import pytest
from dump_answers import CODE, DUMPS, turns
from runs import run_scripted, scripted

from rlm_core.corpus.ingest import ingest, sources_of
from rlm_core.task import PROVEN

FINDINGS = {
    "rustsec-1": 40,
    "kev-1": 99,
    "maintenance_work_orders-3": 119,
    "openjs_minutes-3": 71,
    "sherlock-1": 12,
    "apache_access_log-1": 50,
}


@pytest.mark.skipif(not DUMPS.is_dir(), reason="runs where shared/dumps lies beside the repository")
@pytest.mark.parametrize("question", CODE)
def test_a_question_that_code_can_decide_is_answered_rightly_and_every_quote_proven(question, tmp_path):
    asked = next(each for each in json.loads((DUMPS / "questions.json").read_text()) if each["id"] == question)
    corpus, report = ingest(sources_of(DUMPS / asked["file"]), tmp_path)
    assert report.upload_status == "ok"
    ran = run_scripted(corpus, scripted(*turns(CODE[question])), question=asked["question"])
    assert ran.outcome == "answered", ran.reason
    gold = asked["answer"]
    right = gold["orders_with_the_string_leak"] if isinstance(gold, dict) else gold
    assert json.loads(ran.answer) == right
    found = ran.view.findings()
    assert len(found) == FINDINGS[question]
    assert {checked.verdict for _, _, checked in found} <= PROVEN
