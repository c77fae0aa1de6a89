"""The real app with its worker on a free port, and a real browser that may talk to nothing else."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

sys.path[:0] = [
    str(Path(__file__).parent),
    str(Path(__file__).parent.parent / "app"),
]  # the app, and runs written for tests

from real_app import App, start_app  # noqa: E402  # found by the line above

CHROMIUM = os.environ.get("RLM_STUDIO_CHROMIUM", "/usr/bin/chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
HARMLESS = re.compile(r"/_stcore/(health|host-config)$")
"""Streamlit's page probes for its base path below the address of each page; the two 404s mean nothing."""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    expect.set_options(timeout=30_000)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """One app for all tests; each is a visitor of its own."""
    started = start_app(tmp_path_factory.mktemp("e2e") / "home")
    yield started
    started.stop()


@pytest.fixture
def page(browser: Browser, app: App) -> Iterator[Page]:
    """A page of a fresh visitor. At the end no request has left this machine and the console is clean."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    opened = context.new_page()
    opened.set_default_timeout(30_000)
    outside: list[str] = []
    complaints: list[str] = []
    opened.on("request", lambda request: outside.append(request.url) if not _inside(request.url, app.url) else None)
    opened.on("websocket", lambda socket: outside.append(socket.url) if not _inside(socket.url, app.url) else None)
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("console", lambda message: _complain(complaints, message))
    yield opened
    context.close()
    assert outside == []
    assert complaints == []


def _inside(url: str, app: str) -> bool:
    return url.startswith((app, app.replace("http", "ws", 1), "data:", "blob:"))


def _complain(complaints: list[str], message: object) -> None:
    where = message.location.get("url", "")
    if message.type == "error" and not HARMLESS.search(where):
        complaints.append(f"{message.text} ({where})")
