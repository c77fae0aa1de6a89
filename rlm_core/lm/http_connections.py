"""HTTP/1.1 as model calls need it: a request goes out, its reply comes back, and the connection stays open for the next.

A quarter of the processor time of a general client, which counts where ten thousand calls are made: `httptools` reads the
replies, and nothing else is done. It knows routes and bytes (`connection.py` writes the heads of requests), and nothing of
models. Redirects are not followed, cookies are not kept, compression is not asked for.
Covered: a server is hostile. What it sends is bounded in size and in time; of a connection that says more than it was
asked for, nothing more is read.
"""

from __future__ import annotations

import asyncio
import zlib
from collections import defaultdict, deque
from dataclasses import dataclass
from typing import Any

import httptools

from rlm_core.lm.connection import Route, certificates

CONNECT_TIMEOUT_S = 20.0
NEXT_ADDRESS_S = 0.25
"""How long one address of a host may take until the next is tried beside it."""
KEPT_OPEN_S = 4.0
"""Idle connections are not used again after that, for many servers close them after 5 s: a request that crosses with their
closing is lost, and nobody can tell whether it was paid."""
MAX_HEAD_BYTES = 256 * 1024
MAX_REFUSAL_BYTES = 64 * 1024
MAX_FRAMING = 8
"""Bytes on the line for each byte of a body, at most: a server may send it in very small chunks."""


class NotConnected(Exception):
    """There is no connection, so nothing was sent."""


class Lost(Exception):
    """The request was sent, and what came back is no whole reply."""


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: dict[str, str]
    """By their names in small letters."""
    body: bytes
    """Of one that is larger than allowed, what goes a little beyond. Of a refusal, what came of it."""


class HttpConnections:
    """Connections that are open or were, for one event loop. They are not capped: `ModelLoop` does that."""

    def __init__(self) -> None:
        self._idle: defaultdict[Route, deque[_Line]] = defaultdict(deque)

    async def answer(self, route: Route, request: bytes, timeout_s: float, max_bytes: int) -> Answer:
        """Send a whole request and wait for its reply. Raises `NotConnected`, `Lost` and `TimeoutError`."""
        loop = asyncio.get_running_loop()
        until = loop.time() + timeout_s
        line = self._kept(route, loop.time()) or await _opened(route, timeout_s)
        try:
            answer = await line.ask(request, until - loop.time(), max_bytes)
        except BaseException:  # a reply may still come, and must not be taken for another's
            line.abort()
            raise
        if line.stays_open:
            line.idle_since = loop.time()
            self._idle[route].append(line)
        else:
            line.abort()
        return answer

    def _kept(self, route: Route, now: float) -> _Line | None:
        """The open connection that was used last."""
        idle = self._idle[route]
        while idle and (not idle[0].stays_open or now - idle[0].idle_since > KEPT_OPEN_S):
            idle.popleft().abort()
        while idle:
            line = idle.pop()
            if line.stays_open:
                return line
        return None

    async def close(self) -> None:
        for idle in self._idle.values():
            for line in idle:
                line.abort()
        self._idle.clear()
        await asyncio.sleep(0)  # the loop lets go of them in its next round


async def _opened(route: Route, timeout_s: float) -> _Line:
    """A new connection. Raises `NotConnected`."""
    timeout_s = min(CONNECT_TIMEOUT_S, 0.9 * timeout_s)
    try:
        async with asyncio.timeout(timeout_s):
            return await (_through(route, route.proxy) if route.proxy else _direct(route))
    except TimeoutError:
        raise NotConnected(f"no connection within {timeout_s:.3g} s") from None
    except (OSError, UnicodeError, Lost) as error:  # a host's name may be one that cannot be written
        raise NotConnected(getattr(error, "strerror", None) or str(error) or type(error).__name__) from None


async def _direct(route: Route) -> _Line:
    is_address = ":" in route.host or route.host[-1:].isdigit()  # a single one, for which there is no race to be run
    _, line = await asyncio.get_running_loop().create_connection(
        _Line,
        route.host,
        route.port,
        ssl=certificates() if route.tls else None,
        happy_eyeballs_delay=None if is_address else NEXT_ADDRESS_S,
    )
    return line


async def _through(route: Route, proxy: Route) -> _Line:
    """A connection to a proxy; to a server that speaks TLS, a tunnel through it."""
    line = await _direct(proxy)
    if not route.tls:
        return line
    try:
        answer = await line.ask(route.connect, CONNECT_TIMEOUT_S, MAX_REFUSAL_BYTES, tunnel=True)
        if not 200 <= answer.status < 300:
            raise Lost(f"the proxy at {proxy.host} refuses ({answer.status})")
        await line.start_tls(route.host)
    except BaseException:
        line.abort()
        raise
    return line


class _Line(asyncio.Protocol):
    """One connection and, while one is awaited, the reply that is being read from it."""

    idle_since = 0.0

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._transport: Any = None
        self._reply: asyncio.Future[Answer] | None = None
        self._keep = True

    @property
    def stays_open(self) -> bool:
        """Whether another request may be sent here."""
        return self._keep and not self._transport.is_closing()

    async def ask(self, request: bytes, timeout_s: float, max_bytes: int, *, tunnel: bool = False) -> Answer:
        """`tunnel`: the reply is a head alone, and what follows belongs to another conversation."""
        self._parser = httptools.HttpResponseParser(self)
        self._headers: dict[str, str] = {}
        self._in_body, self._keep, self._tunnel = False, False, tunnel
        self._parts: list[bytes] = []
        self._received = self._size = 0
        self._max_bytes = max_bytes
        reply: asyncio.Future[Answer] = self._loop.create_future()
        self._reply = reply
        timer = self._loop.call_later(timeout_s, self._fail, TimeoutError())
        self._transport.write(request)
        try:
            return await reply
        finally:
            timer.cancel()
            self._reply = None

    async def start_tls(self, host: str) -> None:
        self._transport = await self._loop.start_tls(self._transport, self, certificates(), server_hostname=host)

    def abort(self) -> None:
        self._transport.abort()

    # What the loop tells.

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        if self._reply is None or self._reply.done():
            self.abort()  # nobody asked
            return
        self._received += len(data)
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            if not self._reply.done():
                self._fail(Lost(f"this is no HTTP: {error}"))
        allowed = MAX_HEAD_BYTES + (MAX_FRAMING * self._max_bytes if self._in_body else 0)
        if self._received > allowed:
            self._fail(Lost("it sends without end"))

    def connection_lost(self, error: Exception | None) -> None:
        if self._in_body and error is None and not {"content-length", "transfer-encoding"} & self._headers.keys():
            self._finish()  # the end of the connection is the end of the reply
        self._fail(Lost(str(error or "the server closed the connection")))

    # What the parser tells.

    def on_message_begin(self) -> None:
        if self._reply is None or self._reply.done():
            self._keep = False  # a second reply

    def on_header(self, name: bytes, value: bytes) -> None:
        self._headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_headers_complete(self) -> None:
        status = self._parser.get_status_code()
        if status < 200:
            self._headers.clear()  # a word in between: the reply is still to come
            return
        self._in_body, self._status = True, status
        if status >= 300:
            self._max_bytes = min(self._max_bytes, MAX_REFUSAL_BYTES)
        if self._tunnel:
            self._keep = True
            self._finish()

    def on_body(self, part: bytes) -> None:
        if self._size <= self._max_bytes:
            self._parts.append(part)
            self._size += len(part)
        if self._size > self._max_bytes:
            self._finish()

    def on_message_complete(self) -> None:
        if self._in_body and not self._tunnel:
            self._keep = self._parser.should_keep_alive()
            self._finish()

    def _finish(self) -> None:
        if self._reply is None or self._reply.done():
            self._keep = False  # the end of one that was too large
            return
        body = b"".join(self._parts)
        if self._headers.get("content-encoding", "identity") != "identity":
            body = _inflated(body, self._max_bytes)
        self._reply.set_result(Answer(self._status, self._headers, body))

    def _fail(self, error: Exception) -> None:
        """The end of a reply that is not whole. Of a refusal, the status is known: what is missing changes nothing of it."""
        if self._reply is None or self._reply.done():
            return
        self._keep = False
        if self._in_body and self._status >= 300:
            self._finish()
        else:
            self._reply.set_exception(error)


def _inflated(body: bytes, max_bytes: int) -> bytes:
    """A body that was compressed without being asked to be, as far as it can be read."""
    try:
        return zlib.decompressobj(wbits=zlib.MAX_WBITS | 32).decompress(body, max_bytes + 1)
    except zlib.error:
        return body
