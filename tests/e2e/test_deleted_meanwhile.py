"""What is deleted while it is shown, in this tab or another, in a real browser."""

from __future__ import annotations

import re

import written_runs
from playwright.sync_api import Page, expect
from real_app import App

from rlm_core.corpus.ingest import Source
from rlm_core.jobs.asking import load_archive
from rlm_core.store.store import Store


def delete(app: App, run: str) -> None:
    store = Store.open(app.home)
    store.delete_run(run)
    store.close()


def test_the_page_of_a_run_says_that_it_is_gone(page: Page, app: App):
    run = written_runs.answered(app.home, "gone-1")
    page.goto(f"{app.url}/run?run={run}")
    row = page.locator(".folded-tree .row[data-id='f1.t2']")
    expect(row).to_be_visible()
    delete(app, run)
    row.click()
    expect(page.get_by_role("heading", name="This run is not here")).to_be_visible()


def test_the_page_of_its_evidence_says_so_too(page: Page, app: App):
    run = written_runs.answered(app.home, "gone-2")
    page.goto(f"{app.url}/evidence?run={run}")
    finding = page.locator(".findings .row", has_text="B07")
    expect(finding).to_be_visible()
    delete(app, run)
    finding.click()
    expect(page.get_by_role("heading", name="This run is not here")).to_be_visible()


def test_a_comparison_goes_on_without_it_and_says_which_one_is_missing(page: Page, app: App):
    runs = [written_runs.answered(app.home, each) for each in ("stays-1", "stays-2", "gone-3")]
    page.goto(f"{app.url}/compare?runs={','.join(runs)}")
    rows = page.locator(".runs tr")
    expect(rows).to_have_count(4)
    delete(app, "gone-3")
    page.get_by_role("radio", name="agree").click()
    expect(page.get_by_text("There is no run “gone-3” in the data folder.")).to_be_visible()
    expect(rows).to_have_count(3)


def test_an_archive_that_is_deleted_is_no_longer_chosen(page: Page, app: App):
    store = Store.open(app.home)
    gone, _ = load_archive(store, [Source("gone.txt", b"one line\n")], name="gone.txt")
    store.close()
    page.goto(f"{app.url}/ask?archive={gone.id}")
    chosen = page.locator(".st-key-ask-earlier input")
    expect(chosen).to_have_value(re.compile(r"gone\.txt"))
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete this archive for good").click()
    expect(chosen).not_to_have_value(re.compile(r"gone\.txt"))
    expect(page).not_to_have_url(re.compile(gone.id))
