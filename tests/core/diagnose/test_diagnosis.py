"""What the rules find in the runs that went wrong, and that they are silent where the same runs go right."""

from __future__ import annotations

from pathlib import Path

import pytest
from diagnosis_table import Looked, failed, imported, in_words, looked_at, mended
from healthy_runs import HEALTHY

from rlm_core.diagnose.rules import RULES, name_of

FOREIGN = Path(__file__).parents[4] / "shared" / "foreign"
FINDS = {
    "a": {"another list than before"},
    "b": {"one call per line", "stopped by a limit"},
    "c": {"asked again and again"},
    "d": {"name for value"},
    "e": {"failed work not done again"},
    "f": {"records read apart"},
    "g": {"words in place of reading"},
    "h": {"printed too much"},
    "i": {"answered before looking"},
    "j": {"guess kept for output"},
    "k": {"one call per line", "words in place of reading"},
    "l": {"same text in every prompt", "stopped by a limit"},
    "m": {"wrong sum in words"},
}
"""By the letter of the run, the rules that name the node where it went wrong."""


@pytest.fixture(scope="module")
def failed_runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Looked]:
    return {each.name: each for each in failed(tmp_path_factory.mktemp("failed"))}


@pytest.fixture(scope="module")
def mended_runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Looked]:
    return {each.name: each for each in mended(tmp_path_factory.mktemp("mended"))}


@pytest.mark.parametrize("letter", FINDS)
def test_a_rule_names_the_node_where_the_run_went_wrong(letter: str, failed_runs: dict[str, Looked]) -> None:
    assert {each.rule for each in failed_runs[letter].hits()} == FINDS[letter]


def test_in_runs_that_go_right_nothing_above_a_note_is_said(mended_runs: dict[str, Looked]) -> None:
    assert [(name, list(run.alarms())) for name, run in mended_runs.items() if any(run.alarms())] == []


@pytest.mark.parametrize("name", ["sample, recorded", "demo on three rooms", "demo on three rooms, base"])
def test_of_the_shipped_runs_nothing_above_a_note_is_said(name: str, tmp_path: Path) -> None:
    assert list(looked_at(tmp_path, name, frozenset(), HEALTHY[name]).alarms()) == []


@pytest.mark.skipif(not FOREIGN.is_dir(), reason="runs where shared/foreign lies beside the repository")
def test_of_answered_runs_of_other_tools_nothing_above_a_note_is_said(tmp_path: Path) -> None:
    logs = [
        log
        for folder in ("dspy", "fast-rlm", "predict-rlm", "rlms")
        for log in sorted((FOREIGN / folder).glob("*.json*"))
    ]
    runs = list(imported(tmp_path, [log for log in logs if "sub_lm" not in log.name]))
    assert len(runs) >= 10
    assert [(run.name, list(run.alarms())) for run in runs if any(run.alarms())] == []


def test_the_table_has_a_line_for_each_rule_and_names_what_was_missed(failed_runs: dict[str, Looked]) -> None:
    said = in_words([failed_runs["d"], failed_runs["i"]])
    assert "2 of 2 faults found; missed: none" in said
    assert all(f"\n{name_of(rule)}" in said for rule in RULES)


def test_each_rule_says_what_it_detects_on_what_evidence_and_how_it_errs() -> None:
    for rule in RULES:
        told = " ".join((rule.__doc__ or "").split())
        assert "Evidence: " in told, rule
        assert "How it errs: " in told, rule
