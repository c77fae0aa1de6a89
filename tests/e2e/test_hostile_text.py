"""Text that tries to act is looked at in a real browser, on every page: it stays text, and nothing is fetched for it."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
import written_runs
from acting import ACTS
from playwright.sync_api import Page, expect
from real_app import App

DANGER = "<script>alert(1)</script> ![x](http://evil.example/x.png) **bold** $x$ :red[a] :material/home:"
RUN = "hostile-1"
CELL = "f1.t1.c1"
PLACES = {
    "graph": (f"/run?run={RUN}", ".question"),
    "a turn": (f"/run?run={RUN}&node=f1.t1", ".st-key-pane-inspector"),
    "a cell": (f"/run?run={RUN}&node={CELL}", ".st-key-pane-inspector"),
    "a call": (f"/run?run={RUN}&node={CELL}.k2", ".st-key-pane-inspector"),
    "a finding": (f"/run?run={RUN}&node={CELL}.r1", ".st-key-pane-inspector"),
    "the answer": (f"/run?run={RUN}&node=answer", ".answer"),
    "reader": (f"/run?run={RUN}&view=Reader", ".st-key-pane-centre"),
    "icicle": (f"/run?run={RUN}&view=Icicle", ".question"),
    "timeline": (f"/run?run={RUN}&view=Timeline", ".question"),
    "findings": (f"/run?run={RUN}&view=Findings", ".question"),
    "evidence": (f"/evidence?run={RUN}", "[data-testid=stMain]"),
    "compare": (f"/compare?runs={RUN},beside-hostile", "[data-testid=stMain]"),
    "present": (f"/present?run={RUN}", ".story"),
    "present, in a person's words": (f"/present?run={RUN}&edit=yes", None),
    "runs": ("/runs", None),
    "ask again": (f"/?from={RUN}", None),
}


@pytest.fixture(scope="module", autouse=True)
def _runs(app: App) -> None:
    written_runs.hostile(app.home)
    written_runs.answered(app.home, "beside-hostile")


@pytest.mark.parametrize("place", PLACES)
def test_hostile_text_stays_text_and_fetches_nothing(page: Page, app: App, place: str):
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    address, where = PLACES[place]
    page.goto(f"{app.url}{address}")
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    if where:
        expect(page.locator(where).first).to_contain_text("<script>alert(1)</script>")
        expect(page.locator(where).first).to_contain_text("![x](http://evil.example/x.png)")
    page.wait_for_timeout(1_000)
    assert page.evaluate(ACTS) == []
    assert dialogs == []


def test_names_of_files_are_text_as_well(page: Page, app: App, tmp_path: Path):
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: dialogs.append(dialog.message))
    archive = tmp_path / "evil <b>.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("![x](http:evil.example) <script>alert(1)<script> \u202efdp.txt", "Room A12\nWet again.\n")
        packed.writestr("broken <img src=x onerror=alert(1)>.png", b"\x89PNG\x00")
    page.goto(f"{app.url}/?archive=upload")
    page.locator("input[type=file]").set_input_files(archive)
    expect(page.get_by_text("evil <b>.zip").first).to_be_visible()
    page.wait_for_timeout(1_000)
    assert page.evaluate(ACTS) == []
    assert page.locator("img[src='x']").count() == 0
    assert dialogs == []


def test_a_message_that_names_a_model_shows_the_name_as_it_is(page: Page, app: App):
    page.goto(f"{app.url}/?archive=sample&strategies=base")
    box = page.get_by_role("combobox", name="Root model")
    box.click()
    box.fill("openai/**gpt** :material/home: $x$")
    box.press("Enter")
    page.get_by_role("textbox", name="API base").fill("http://127.0.0.1:9/v1")
    page.get_by_role("textbox", name="API base").press("Enter")
    expect(page.get_by_test_id("stAlert")).to_contain_text("openai/**gpt** :material/home: $x$ is not known here")
