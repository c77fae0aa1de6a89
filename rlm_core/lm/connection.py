"""How a server is reached: its address, the headers with the key, a proxy, and whose certificates are believed.

Worked out once for each model, so that a request costs nothing for it. It sends nothing.
"""

from __future__ import annotations

import ssl
from base64 import b64encode
from dataclasses import dataclass, field
from functools import cache
from urllib.request import getproxies, proxy_bypass

import certifi
from yarl import URL

from rlm_core.errors import CallError
from rlm_core.lm.destination import Destination
from rlm_core.lm.scrub import scrub


@dataclass(frozen=True, slots=True)
class Connection:
    """What is the same for all requests to one destination."""

    url: URL
    models_url: URL
    headers: dict[str, str] = field(repr=False)
    proxy: URL | None
    proxy_headers: dict[str, str] | None = field(repr=False)
    trust: ssl.SSLContext | bool


def connection(to: Destination) -> Connection:
    """Raises `CallError` for what is no address, and for a key that cannot be sent."""
    base = _url(to.url, f"The address {scrub(to.url)} of the server")
    if base.user or base.password:
        raise CallError(
            "The address of the server holds a user name or password. Leave them out and set the key in the environment.",
            "refused",
        )
    url, models_url = base / "chat" / "completions", base / "models"
    headers = {"Content-Type": "application/json", "User-Agent": "rlm-studio", **to.headers}
    if to.key:
        headers["Authorization"] = f"Bearer {to.key}"
    if not all(value.isprintable() for value in headers.values()):
        raise CallError("The key holds a line break or another sign that keys do not have. Set it again.", "auth")
    proxy = _proxy(url)
    trust = _certificates() if url.scheme == "https" else True
    return Connection(url, models_url, headers, proxy.with_user(None) if proxy else None, _proxy_headers(proxy), trust)


def _proxy_headers(proxy: URL | None) -> dict[str, str] | None:
    """The name and password that stand in the address of the proxy; aiohttp turns them into what a proxy reads."""
    if proxy is None or not proxy.user:
        return None
    basic = b64encode(f"{proxy.user}:{proxy.password or ''}".encode()).decode()
    return {"Authorization": f"Basic {basic}"}


def _proxy(url: URL) -> URL | None:
    """The proxy that the environment names for this address; none for this machine itself."""
    host = url.host or ""
    if host in ("localhost", "::1") or host.startswith("127.") or proxy_bypass(host):
        return None
    proxy = getproxies().get(url.scheme)
    if not proxy:
        return None
    return _url(proxy if "://" in proxy else f"http://{proxy}", "The address of the proxy in the environment")


def _url(address: str, what: str) -> URL:
    try:
        url = URL(address)
    except ValueError:
        url = URL()
    if url.scheme not in ("http", "https") or not url.host:
        raise CallError(f"{what} cannot be used: it must begin with http:// or https:// and name a host.", "refused")
    return url


@cache
def _certificates() -> ssl.SSLContext:
    """Authorities that this system trusts, and those of `certifi`, for systems that have none."""
    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    return context
