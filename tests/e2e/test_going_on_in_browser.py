"""Going on from a run in a real browser: a fork with edited code, and a run that waits for a person."""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.sync_api import Page, expect
from real_app import App

from rlm_core.corpus.ingest import Source
from rlm_core.jobs.asking import load_archive, start
from rlm_core.store.store import Store
from rlm_core.task import Limits, Task

LOOK = "I look first.\n```repl\nprint(len(context))\n```"
MANY = "I ask about every room.\n```repl\nprint(llm_query_batched(['one', 'two', 'three']))\n```"
ANSWER = '```repl\nanswer["content"] = "done"\nanswer["ready"] = True\n```'


def scripted(home: Path, *root: str) -> str:
    file = home / f"script-{len(list(home.glob('script-*')))}.json"
    file.write_text(json.dumps({"root": list(root), "sub": {"default": "yes"}}))
    return f"scripted:{file}"


def asked(app: App, *root: str, **limits: int) -> str:
    """The id of a run of a scripted model, given to the worker."""
    store = Store.open(app.home)
    corpus, _ = load_archive(store, [Source("rooms.txt", b"Room A12: wet again.\n")], name="one room")
    model = scripted(app.home, *root)
    return start(store, Task("Which rooms?", corpus.id, root_model=model, helper_model=model, limits=Limits(**limits)))


def test_a_run_is_forked_at_its_second_turn_with_edited_code(page: Page, app: App) -> None:
    page.goto(f"{app.url}/run?run=sample&node=f1.t2.c1")
    page.get_by_role("button", name="Fork from here").click()
    form = page.get_by_role("dialog")
    expect(form.get_by_text("Turn 1 with 1 call costs nothing")).to_be_visible()
    code = form.get_by_label("Code", exact=True)
    expect(code).to_have_value(re.compile("^import heapq"))
    code.fill('answer["content"] = f"by hand, of {len(context)} documents"\nanswer["ready"] = True')
    code.press("Control+Enter")
    form.get_by_role("button", name="Start the fork").click()
    expect(page).not_to_have_url(re.compile("run=sample"))
    expect(page.locator(".st-key-run-header")).to_contain_text("by hand, of 28 documents")
    expect(page.locator(".st-key-kin")).to_contain_text("at turn 2, with code that a person wrote")
    expect(page.get_by_role("link", name="Compare the two")).to_have_attribute("href", re.compile("runs=sample"))
    expect(page.locator(".st-key-folded-tree [data-id='f1.t1']")).to_contain_text("replayed")
    expect(page.locator(".st-key-folded-tree [data-id='f1.t2']")).to_contain_text("by hand")
    page.locator(".st-key-folded-tree [data-id='f1.t1']").click()
    expect(page.locator(".st-key-node-replayed")).to_contain_text("Replayed from sample")
    page.get_by_role("link", name="See it in sample").click()
    expect(page).to_have_url(re.compile("run=sample"))
    expect(page.locator(".st-key-kin")).to_contain_text("forked in")


def test_the_form_stays_closed_once_it_was_left(page: Page, app: App) -> None:
    page.goto(f"{app.url}/run?run=sample&node=f1.t2")
    page.get_by_role("button", name="Fork from here").click()
    page.get_by_role("dialog").get_by_role("button", name="Leave it").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Fork from here").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.locator(".st-key-folded-tree [data-id='f1.t3']").click()
    expect(page.locator(".st-key-node-head")).to_contain_text("Turn 3")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_large_batch_waits_until_it_is_approved_on_the_screen(page: Page, app: App) -> None:
    run = asked(app, LOOK, MANY, ANSWER, ask_above_calls=2)
    page.goto(f"{app.url}/run?run={run}")
    banner = page.locator(".st-key-approval-banner")
    expect(banner).to_contain_text("The code wants to make 3 helper calls")
    expect(page.locator(".st-key-run-header")).to_contain_text("waits for you")
    banner.get_by_role("button", name="Approve").click()
    expect(page.locator(".st-key-run-header")).to_contain_text("answered")
    expect(banner).to_have_count(0)
    row = Store.open(app.home).run(run)
    assert row
    assert row.calls == 3 + 3
