"""The findings of a run, downloaded from its page as files: what stands in them, and that a spreadsheet runs none of it."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import covered_runs
import pytest
from covered_runs import FOUND, QUOTE, REPORT, START
from playwright.sync_api import Page
from real_app import App
from written_runs import QUESTION, Writer

from rlm_core.task import Finding, Task

FORMULA, TABBED, MINUS = '=HYPERLINK("http://evil.example","A13")', "\t=1+1", "-2+3 rooms"


@pytest.fixture(scope="module")
def run(app: App) -> str:
    """A finding that stands in the archive, and one made of formulas that does not."""
    corpus = covered_runs.archive(app.home)
    with Writer(app.home, "as-files-1", Task(QUESTION, corpus.id)) as life:
        found = (
            (Finding("A12", "yes", QUOTE, "reports/05.txt:131"), FOUND),
            (Finding(FORMULA, MINUS, TABBED, "@SUM(A1)", "+1"), None),
        )
        life.turn("I record.", findings=found, hostile=f"{REPORT}\n")
        life.finish()
    return "as-files-1"


def downloaded(page: Page, app: App, run: str, form: str) -> str:
    page.goto(f"{app.url}/run?run={run}&view=Findings")
    with page.expect_download() as saved:
        page.get_by_role("link", name=form, exact=True).click()
    assert saved.value.suggested_filename == f"findings of {run}.{form.lower()}"
    return Path(saved.value.path()).read_bytes().decode("utf-8")


def test_findings_are_downloaded_as_csv_that_no_spreadsheet_runs(page: Page, app: App, run: str):
    table = downloaded(page, app, run, "CSV")
    proven, formulas = csv.DictReader(table.splitlines())
    assert (proven["item"], proven["label"], proven["verdict"], proven["proven"]) == ("A12", "yes", "exact", "true")
    assert (proven["document"], proven["line"], proven["start"]) == ("reports/05.txt", "131", str(START))
    assert proven["quote"] == QUOTE
    assert (formulas["item"], formulas["label"], formulas["quote"]) == (f"'{FORMULA}", f"'{MINUS}", f"'{TABBED}")
    assert (formulas["source"], formulas["note"]) == ("'@SUM(A1)", "'+1")
    assert (formulas["verdict"], formulas["start"]) == ("", "")


def test_findings_are_downloaded_as_json_with_their_own_words(page: Page, app: App, run: str):
    proven, formulas = json.loads(downloaded(page, app, run, "JSON"))
    assert REPORT[proven["start"] : proven["end"]] == QUOTE
    assert proven["proven"] is True
    assert (formulas["item"], formulas["label"], formulas["quote"]) == (FORMULA, MINUS, TABBED)
    assert (formulas["verdict"], formulas["proven"], formulas["document"]) == (None, False, None)
