"""Logs of other tools in a real browser: dropped on Runs or on Ask, and the way to the runs that they become."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from real_app import App

METADATA = {"type": "metadata", "timestamp": "2026-03-01T10:00:00", "root_model": "big"}


def iteration(question: str, answer: str) -> dict[str, Any]:
    asked = [
        {"role": "system", "content": "A REPL."},
        {"role": "user", "content": f"Answer the following: {question}\n\n"},
    ]
    return {
        "type": "iteration",
        "iteration": 1,
        "prompt": asked,
        "response": "Nine.",
        "code_blocks": [],
        "final_answer": answer,
    }


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Two runs of rlms, and the beginning of a third."""
    metadata = {**METADATA, "environment_kwargs": {"of": tmp_path.name}}  # runs of another test are others
    lines = [metadata, iteration("How many pumps?", "nine"), metadata, iteration("How many valves?", "ten")]
    file = tmp_path / "trajectory.jsonl"
    file.write_text("".join(json.dumps(each) + "\n" for each in lines) + '{"type": "itera')
    return file


def test_a_log_dropped_on_runs_says_what_came_in_and_leads_to_it(page: Page, app: App, log: Path):
    page.goto(f"{app.url}/runs")
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page).to_have_url(re.compile("import=1"))
    expect(page.get_by_role("button", name="Choose a folder")).to_have_count(0)
    page.locator("input[type=file]").set_input_files(log)
    expect(page.get_by_text("2 runs of rlms came in.")).to_be_visible()
    expect(page.get_by_text("Line 5 of the log cannot be read: it may have been cut off there.")).to_be_visible()
    page.locator("input[type=file]").set_input_files(log)
    expect(page.get_by_text("No run came in: 2 were here already.")).to_be_visible()
    page.get_by_role("link", name="How many valves?").click()
    page.wait_for_url(re.compile(r"/run\?run=log-"))
    expect(page.locator(".question")).to_contain_text("How many valves?")


def test_a_log_dropped_on_ask_can_be_runs_or_an_archive(page: Page, app: App, log: Path):
    page.goto(f"{app.url}/?archive=upload")
    page.locator("input[type=file]").set_input_files(log)
    expect(page.get_by_text("trajectory.jsonl is a log of rlms.")).to_be_visible()
    page.get_by_role("button", name="Import as runs").click()
    expect(page.get_by_role("link", name="How many pumps?")).to_be_visible()
    page.locator("input[type=file]").set_input_files(log)
    page.get_by_role("button", name="Ask about it as an archive").click()
    expect(page.get_by_role("button", name="Replace")).to_be_visible()
