"""Who may send something to a route of ours: a page of this app, in the browser that it was opened in, and nobody else.

The only module that knows how Streamlit tells so: its routes check their own requests alone.

Covered: requests that other web pages make (origin, XSRF token), names that are made to mean this machine (host), requests
without a browser. Not covered: who may open the page. There is no login here; whoever puts one before the app puts it before
its routes as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

import streamlit as st
from starlette.requests import HTTPConnection
from streamlit.runtime import Runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.web.server.server_util import is_allowed_origin, is_xsrf_enabled
from streamlit.web.server.starlette.starlette_app_utils import decode_xsrf_token_string, validate_xsrf_token
from streamlit.web.server.starlette.starlette_server_config import XSRF_COOKIE_NAME
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

XSRF_HEADER = "X-Xsrftoken"


@dataclass(frozen=True, slots=True)
class Visitor:
    """The session of a page, and the secret that its browser keeps in a cookie."""

    session: str
    browser: bytes | None


def visitor() -> Visitor:
    """Who has opened the page that is being drawn."""
    context = get_script_run_ctx()
    assert context is not None, "only a page has a visitor"
    return Visitor(context.session_id, _secret(st.context.cookies.get(XSRF_COOKIE_NAME)))


def browser_of(request: HTTPConnection) -> bytes | None:
    return _secret(request.cookies.get(XSRF_COOKIE_NAME))


def is_open(session: str) -> bool:
    """Whether the page that Streamlit knows by this id is still open."""
    return Runtime.exists() and Runtime.instance().is_active_session(session)


def reading_refusal(request: HTTPConnection) -> str | None:
    """Why the request, which changes nothing, was made neither by a page of this app nor by hand; `None` if it was."""
    if not is_host_allowed(request.headers.get("host")):
        return "This app has another name. Open it at the address that it printed when it was started."
    if request.headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
        return "Only a page of this app may do this."
    return None


def refusal(request: HTTPConnection) -> str | None:
    """Why the request was not made by a page of this app; `None` if it was."""
    host, origin = request.headers.get("host"), request.headers.get("origin", "")
    if not is_host_allowed(host):
        return "This app has another name. Open it at the address that it printed when it was started."
    if urlsplit(origin).netloc != host and not is_allowed_origin(origin):
        return "Only a page of this app may do this."
    if request.headers.get("sec-fetch-site", "same-origin") != "same-origin":
        return "Only a page of this app may do this."
    token, cookie = request.headers.get(XSRF_HEADER), request.cookies.get(XSRF_COOKIE_NAME)
    if is_xsrf_enabled() and not validate_xsrf_token(token, cookie):
        return "The XSRF token of the page is missing or is not that of its browser. Reload the page."
    return None


def _secret(cookie: str | None) -> bytes | None:
    return decode_xsrf_token_string(cookie or "")[0]
