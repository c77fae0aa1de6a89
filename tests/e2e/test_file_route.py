"""The route of files, asked for as a page, a person and another web page would: what comes, under which name, and to whom."""

from __future__ import annotations

import http.client
import json
from pathlib import Path

import pytest
import written_runs
from playwright.sync_api import Page
from real_app import App
from written_runs import Writer

from rlm_core.importers.jsonl import read_lines
from rlm_core.store.store import Store

RUN = "as-file-1"


@pytest.fixture(scope="module", autouse=True)
def run(app: App) -> str:
    with Writer(app.home, RUN) as life:
        life.turn("I look.", written_runs.CODE, "12 lines\n")
        life.finish()
    return RUN


def got(app: App, query: str, **headers: str) -> tuple[int, str, str]:
    """Status, disposition and text of an answer. `headers` have `_` for `-`."""
    host = app.url.removeprefix("http://")
    connection = http.client.HTTPConnection(*host.split(":"), timeout=30)
    try:
        connection.request(
            "GET", f"/files?{query}", headers={name.replace("_", "-"): of for name, of in headers.items()}
        )
        answer = connection.getresponse()
        return answer.status, answer.headers.get("Content-Disposition", ""), answer.read().decode()
    finally:
        connection.close()


def test_a_run_is_saved_from_its_page_and_reads_back_as_it_was(page: Page, app: App):
    page.goto(f"{app.url}/run?run={RUN}")
    with page.expect_download() as saved:
        page.get_by_role("link", name="Export", exact=True).click()
    assert saved.value.suggested_filename == f"run {RUN}.jsonl"
    store = Store.open(app.home)
    with Path(saved.value.path()).open(encoding="utf-8") as lines:
        assert list(read_lines(lines)) == list(store.events(RUN))
    store.close()


def test_a_file_is_always_saved_and_never_shown(app: App):
    status, disposition, text = got(app, f"run={RUN}&as=findings.json")
    assert (status, json.loads(text)) == (200, [])
    assert disposition.startswith("attachment;")


def test_what_is_not_there_is_said(app: App):
    assert got(app, "run=nobody&as=jsonl")[0] == 404
    assert "deleted" in got(app, "run=nobody&as=findings.csv")[2]
    assert "jsonl, findings.csv" in got(app, f"run={RUN}&as=exe")[2]


@pytest.mark.parametrize("headers", [{"Host": "evil.example"}, {"Sec_Fetch_Site": "cross-site"}])
def test_another_web_page_gets_nothing(app: App, headers: dict[str, str]):
    status, _, text = got(app, f"run={RUN}&as=jsonl", **headers)
    assert status == 403
    assert RUN not in text
