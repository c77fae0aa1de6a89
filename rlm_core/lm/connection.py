"""How a server is reached: the route, the heads of requests with the key, a proxy, and whose certificates are believed.

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
class Route:
    """Where a connection leads. Requests of one route may share connections."""

    host: str
    port: int
    tls: bool
    proxy: Route | None = None
    connect: bytes = field(default=b"", repr=False)
    """What asks the proxy for a tunnel."""


@dataclass(frozen=True, slots=True)
class Connection:
    """What is the same for all requests to one destination."""

    route: Route
    chat: bytes = field(repr=False)
    """The head of a request, up to the length of its body."""
    models: bytes = field(repr=False)
    """A whole request, for the list of models."""

    def chat_request(self, body: bytes) -> bytes:
        return b"%b%d\r\n\r\n%b" % (self.chat, len(body), body)


def connection(to: Destination) -> Connection:
    """Raises `CallError` for what is no address, and for a key that cannot be sent."""
    base = _url(to.url, f"The address {scrub(to.url)} of the server")
    if base.user or base.password:
        raise CallError(
            "The address of the server holds a user name or password. Leave them out and set the key in the environment.",
            "refused",
        )
    url, models_url, proxy = base / "chat" / "completions", base / "models", _proxy(base)
    headers = {"Host": _host(url), "User-Agent": "rlm-studio", "Accept-Encoding": "identity", **to.headers}
    if to.key:
        headers["Authorization"] = f"Bearer {to.key}"
    if not all(value.isprintable() for value in headers.values()):
        raise CallError("The key holds a line break or another sign that keys do not have. Set it again.", "auth")
    if proxy and url.scheme == "http":
        headers |= _proxy_headers(proxy)
    whole = bool(proxy) and url.scheme == "http"  # what a proxy is asked for it must be able to find
    content = {"Content-Type": "application/json", "Content-Length": ""}
    return Connection(
        _route(url, proxy),
        _head("POST", _target(url, whole=whole), headers | content).rstrip(b"\r\n"),
        _head("GET", _target(models_url, whole=whole), headers),
    )


def _route(url: URL, proxy: URL | None) -> Route:
    tls = url.scheme == "https"
    if proxy is None:
        return Route(url.raw_host or "", url.port or 0, tls)
    end = f"{_bracketed(url)}:{url.port}"
    connect = _head("CONNECT", end, {"Host": end, **_proxy_headers(proxy)}) if tls else b""
    return Route(url.raw_host or "", url.port or 0, tls, _route(proxy, None), connect)


def _head(method: str, target: str, headers: dict[str, str]) -> bytes:
    lines = (f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items()))
    return "".join(f"{line}\r\n" for line in (*lines, "")).encode()


def _target(url: URL, *, whole: bool) -> str:
    return str(url) if whole else url.raw_path_qs


def _host(url: URL) -> str:
    return _bracketed(url) if url.is_default_port() else f"{_bracketed(url)}:{url.port}"


def _bracketed(url: URL) -> str:
    host = url.raw_host or ""
    return f"[{host}]" if ":" in host else host


def _proxy_headers(proxy: URL) -> dict[str, str]:
    """The name and password that stand in the address of the proxy, as a proxy reads them."""
    if not proxy.user:
        return {}
    basic = b64encode(f"{proxy.user}:{proxy.password or ''}".encode()).decode()
    return {"Proxy-Authorization": f"Basic {basic}"}


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
def certificates() -> ssl.SSLContext:
    """Authorities that this system trusts, and those of `certifi`, for systems that have none."""
    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    return context
