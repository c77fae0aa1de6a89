"""The route of uploads, asked by other means than its page: what other web pages and programs may try gets nothing in."""

from __future__ import annotations

import http.client
import json
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from real_app import App
from streamlit.web.server.starlette.starlette_app_utils import generate_xsrf_token_string

BODY = b'[["leak.txt", 17]]\nRoom A12 is wet.\n'
COOKIE = "_streamlit_xsrf"


@dataclass(frozen=True)
class Sent:
    """What the page's component would send."""

    host: str
    ticket: str
    token: str

    @property
    def headers(self) -> dict[str, str | None]:
        return {
            "Host": self.host,
            "Origin": f"http://{self.host}",
            "Sec-Fetch-Site": "same-origin",
            "Cookie": f"{COOKIE}={self.token}",
            "X-Xsrftoken": self.token,
            "X-Upload-Ticket": self.ticket,
        }

    def put(self, body: bytes = BODY, method: str = "PUT", **changed: str | None) -> tuple[int, str]:
        """Status and text of the answer. `changed` headers have `_` for `-`; `None` leaves one out."""
        headers = self.headers | {name.replace("_", "-"): value for name, value in changed.items()}
        connection = http.client.HTTPConnection(*self.host.split(":"), timeout=30)
        try:
            connection.putrequest(method, "/upload", skip_host=True)
            for name, value in (headers | {"Content-Length": str(len(body))}).items():
                if value is not None:
                    connection.putheader(name, value)
            connection.endheaders(body)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()


def opened(page: Page, app: App) -> Sent:
    """What an open page could send."""
    page.goto(f"{app.url}/?archive=upload")
    expect(page.get_by_role("button", name="Choose files")).to_be_visible()
    ticket = page.locator(".upload").evaluate("it => it.component.data.ticket")
    token = next(each["value"] for each in page.context.cookies() if each["name"] == COOKIE)
    return Sent(app.url.removeprefix("http://"), ticket, token)


@pytest.fixture(scope="module")
def other(browser: Browser, app: App) -> Iterator[Sent]:
    """A page in another browser, and what it could send."""
    context = browser.new_context()
    yield opened(context.new_page(), app)
    context.close()


def left(app: App) -> list[Path]:
    folder = app.home / "uploads"
    return list(folder.iterdir()) if folder.exists() else []


def expect_nothing_left(app: App) -> None:
    until = time.monotonic() + 30
    while left(app):
        assert time.monotonic() < until
        time.sleep(0.05)


FORGED = generate_xsrf_token_string()
REFUSED: dict[str, dict[str, str | None]] = {
    "another page's origin": {"Origin": "http://evil.example"},
    "another port of this machine": {"Origin": "http://127.0.0.1:1"},
    "a page without an origin": {"Origin": "null"},
    "no origin": {"Origin": None},
    "another site, as the browser says": {"Sec_Fetch_Site": "cross-site"},
    "another port, as the browser says": {"Sec_Fetch_Site": "same-site"},
    "a name that was made to mean this machine": {"Host": "evil.example:80", "Origin": "http://evil.example:80"},
    "a name that only begins like this machine": {"Host": "localhost.evil.example", "Origin": "http://localhost.evil.example"},
    "no name": {"Host": "", "Origin": ""},
    "no token": {"X_Xsrftoken": None},
    "no cookie": {"Cookie": None},
    "a token of its own": {"X_Xsrftoken": FORGED},
    "a token and a cookie of its own": {"X_Xsrftoken": FORGED, "Cookie": f"{COOKIE}={FORGED}"},
    "no ticket": {"X_Upload_Ticket": None},
    "an invented ticket": {"X_Upload_Ticket": "a" * 43},
}  # fmt: skip


def test_only_the_page_itself_can_send_and_only_once(page: Page, app: App, other: Sent):
    sent = opened(page, app)
    refused = {name: sent.put(**changed)[0] for name, changed in REFUSED.items()}
    assert {name: status for name, status in refused.items() if status not in (400, 403)} == {}
    assert replace(other, ticket=sent.ticket).put()[0] == 403
    assert replace(sent, ticket=other.ticket).put()[0] == 403
    assert left(app) == []
    assert sent.put()[0] == 202
    assert sent.put() == (403, "This page may not upload any more: it is old, or has done so. Reload it.")
    expect_nothing_left(app)


@pytest.mark.parametrize("method", ["POST", "OPTIONS", "DELETE"])
def test_nothing_but_sending_can_be_done_there(other: Sent, method: str):
    assert other.put(method=method)[0] == 405


def test_the_ticket_of_a_page_that_was_left_is_worth_nothing(page: Page, app: App):
    sent = opened(page, app)
    page.goto("about:blank")
    until = time.monotonic() + 30
    while (status := sent.put(body=b"")[0]) != 403:
        pytest.fail(
            f"the page was closed, and its ticket was answered with {status}"
        ) if time.monotonic() > until else None
        time.sleep(0.1)
    assert left(app) == []


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        (b'[["big.zip", 2000000000]]\n', 413, "These files have 2,000.0 MB; an upload may have 1,073.7 MB"),
        (json.dumps([["a", 0]] * 100_001).encode() + b"\n", 413, "100,001 files; an upload may have 100,000"),
        (BODY[:-3], 400, "cut off before its end"),
        (BODY + b"more", 400, "More has arrived than was listed"),
        (b"no list\n", 400, "The list of the files cannot be read"),
    ],
    ids=["too large", "too many", "too short", "too long", "no list"],
)
def test_what_is_no_upload_is_refused_with_a_sentence(page: Page, app: App, body: bytes, status: int, said: str):
    answered, text = opened(page, app).put(body)
    assert answered == status
    assert said in text
    assert left(app) == []


def test_a_connection_that_is_cut_leaves_nothing(page: Page, app: App):
    sent = opened(page, app)
    host, port = sent.host.split(":")
    head = "".join(f"{name}: {value}\r\n" for name, value in sent.headers.items())
    with socket.create_connection((host, int(port))) as connection:
        connection.sendall(f"PUT /upload HTTP/1.1\r\n{head}Content-Length: 30000000\r\n\r\n".encode())
        connection.sendall(b'[["half.txt", 29999970]]\n' + bytes(5_000_000))
        until = time.monotonic() + 30
        while not left(app):
            assert time.monotonic() < until
            time.sleep(0.05)
    expect_nothing_left(app)
    assert sent.put()[0] == 403
