"""How much of its archive a run was shown, as a number: in the head of its page and in the list of runs."""

from __future__ import annotations

import json
import time
from concurrent.futures import wait

import covered_runs
import pytest
import written_runs
from shown import figures, header

from app import backend
from app.backend import CoverageRow, RunLine
from app.backend.coverage import _covering
from app.backend.folder import current_store
from app.backend.runs import read
from app.components import runs_table
from app.components.run_facts import LIMITS
from rlm_core.jobs.importing import import_runs
from rlm_core.looks.sheet import sheet_of
from rlm_core.store.rows import RunRow
from rlm_core.store.store import Store

WHOLE = sum(map(len, covered_runs.FILES.values()))
SHARE = f"{round(100 * (WHOLE - len(covered_runs.MINUTES) - 1000) / WHOLE)} %"


def looked_through(home, run):
    """The row of a run, once what the page has begun to look for is found."""
    search = _covering(current_store().home, run).search
    if search:
        wait([search])
    store = Store.open(home)
    row = store.coverage_of([run]).get(run)
    store.close()
    return row


def test_the_head_of_a_run_says_how_much_of_the_archive_was_shown_and_opens_the_view_of_it(opened, home):
    page = opened("run", run=covered_runs.covered(home), view="Reader")
    head = header(page)
    assert figures(head)["Coverage"] == (SHARE, "of the archive shown")
    (figure,) = (each for each in head["figures"] if each["label"] == "Coverage")
    assert figure["opens"] == "Coverage"
    assert "3 documents, 1,200 characters" in figure["help"]


def test_a_run_that_nobody_looked_at_is_looked_at_once_its_page_is_open(opened, home):
    run = covered_runs.shown_in_prompts(home)
    page = opened("run", run=run, view="Reader")
    row = looked_through(home, run)
    assert row is not None
    assert row.complete
    said, note = figures(header(page.run()))["Coverage"]
    assert (said, note) == (f"{round(100 * row.shown_chars / WHOLE)} %", "of the archive shown")


def test_a_run_whose_archive_was_deleted_keeps_the_share_that_is_known(opened, home):
    known, unknown = covered_runs.covered(home), covered_runs.shown_in_prompts(home)
    backend.delete_archive(backend.archives()[0].id)
    assert figures(header(opened("run", run=known)))["Coverage"] == (SHARE, "of the archive shown")
    assert figures(header(opened("run", run=unknown)))["Coverage"] == ("unknown", "cannot be looked for")


def test_the_list_of_runs_has_the_share_of_each_run_that_was_looked_at(opened, home):
    covered_runs.covered(home)
    covered_runs.shown_in_prompts(home)
    table = opened("runs").dataframe[0].value
    assert set(table["Coverage"]) == {-1.0, (WHOLE - len(covered_runs.MINUTES) - 1000) / WHOLE}
    lines = backend.found_runs().lines
    assert {row["Coverage"] for row in runs_table.table(lines, {}, 0.0)} == {"not yet", SHARE}


@pytest.mark.parametrize(
    ("state", "shown", "said"),
    [
        ("running", CoverageRow(480, 4000, False), "12 % so far"),
        ("running", None, "not yet"),
        ("interrupted", CoverageRow(480, 4000, False), "~12 %"),
        ("failed", CoverageRow(0, 4000, True), "0 %"),
        ("answered", CoverageRow(480, None, True), "unknown"),
        ("running", CoverageRow(0, 0, False), "–"),
    ],
)
def test_a_share_that_is_not_whole_says_so_in_the_list(home, state, shown, said):
    line = RunLine("r", state, "What?", "a.zip", "rlm", "demo", 0.0, row=a_row(home), shown=shown)
    assert runs_table.table([line], {}, 0.0)[0]["Coverage"] == said


def test_a_run_that_was_imported_has_no_share_and_no_limits_that_its_log_does_not_record(opened, home, tmp_path):
    log = tmp_path / "log.jsonl"
    lines = (
        {"run_id": "a", "depth": 0, "event_type": "agent_start", "query": "How many?"},
        {"run_id": "a", "depth": 0, "event_type": "execution_result", "step": 1, "code": "1", "output": "x" * 30_000},
        {"run_id": "a", "depth": 0, "event_type": "final_result", "result": "one"},
    )
    log.write_text("".join(f"{json.dumps(each)}\n" for each in lines))
    (imported,) = import_runs(current_store(), log)
    page = opened("run", run=imported.run, view="Reader")
    said = figures(header(page))
    assert said["Coverage"] == ("unknown", "the archive is not in its log")
    assert said["Turns"] == ("1", "")
    sent = "".join(each.proto.json for each in page.get("bidi_component"))
    assert "show all 30,000" in sent
    assert "not shown to the model" not in sent
    (line,) = backend.found_runs().lines
    assert runs_table.table([line], {}, 0.0)[0]["Coverage"] == "unknown"
    sheet = read(imported.run, sheet_of)
    assert sheet is not None
    assert not any(name for name in LIMITS if sheet.knows_limit(name))


def a_row(home) -> RunRow:
    covered_runs.covered(home)
    row = backend.found_runs().lines[0].row
    assert row is not None
    return row


def test_the_list_is_followed_until_the_share_of_a_run_that_has_just_ended_is_known(home):
    run = covered_runs.shown_in_prompts(home)
    ended_at = backend.found_runs().lines[0].row.finished_at
    assert backend.found_runs().settling == (time.time() - ended_at < 60)
    corpus = backend.archives()[0].id
    backend.covered(run, corpus)
    looked_through(home, run)
    assert not backend.found_runs().settling


def test_a_run_without_its_archive_is_not_waited_for(home):
    written_runs.answered(home)
    assert not backend.found_runs().settling
