"""Connections to servers that speak HTTP in every way it can be spoken, and to some that do not."""

from __future__ import annotations

import asyncio
import gzip
import ssl
import subprocess
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from rlm_core.lm import connection as ways
from rlm_core.lm.connection import Connection, Route
from rlm_core.lm.destination import Destination
from rlm_core.lm.http_connections import MAX_HEAD_BYTES, Answer, HttpConnections, Lost, NotConnected

MAX_BYTES = 100_000
OK = b"HTTP/1.1 200 OK\r\n"
Speak = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[None, None, None]]


class Server:
    """Answers each request with the next of its pieces, written one after another; then it goes on listening or hangs up."""

    def __init__(self, *answers: bytes | list[bytes], hangs_up: bool = False) -> None:
        self.answers = [each if isinstance(each, list) else [each] for each in answers]
        self.hangs_up = hangs_up
        self.heads: list[bytes] = []
        self.connections = 0

    async def speak(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        while head := await _head(reader):
            self.heads.append(head)
            for piece in self.answers[(len(self.heads) - 1) % len(self.answers)]:
                writer.write(piece)
                await asyncio.sleep(0.01)
            if self.hangs_up:
                return


async def _head(reader: asyncio.StreamReader) -> bytes:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return b""
    length = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    await reader.readexactly(int(length[0].partition(b":")[2]) if length else 0)
    return head


@asynccontextmanager
async def listening(speak: Speak, tls: ssl.SSLContext | None = None) -> AsyncIterator[str]:
    """The address of a server."""
    open_ones = set[asyncio.StreamWriter]()
    done = asyncio.Event()

    async def speak_and_leave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        open_ones.add(writer)
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError):  # of clients that hang up
                await speak(reader, writer)
        finally:
            writer.close()
            open_ones.discard(writer)
            done.set()

    server = await asyncio.start_server(speak_and_leave, "127.0.0.1", 0, ssl=tls)
    try:
        yield f"http{'s' if tls else ''}://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    finally:
        server.close()
        while open_ones:
            done.clear()
            for writer in open_ones:
                writer.transport.abort()
            await done.wait()
        await asyncio.sleep(0)


async def ask(connections: HttpConnections, by: Connection, timeout_s: float = 5.0) -> Answer:
    return await connections.answer(by.route, by.chat_request(b"{}"), timeout_s, MAX_BYTES)


def answers(server: Server, times: int = 1, timeout_s: float = 5.0) -> list[Answer | BaseException]:
    """What requests, one after another, come to."""

    async def main() -> list[Answer | BaseException]:
        connections = HttpConnections()
        async with listening(server.speak) as url:
            by = ways.connection(Destination(url, "m", "sk-key"))
            results = []
            for _ in range(times):
                results += await asyncio.gather(ask(connections, by, timeout_s), return_exceptions=True)
            await connections.close()
            return results

    return asyncio.run(main())


def length(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n2;x=y\r\n, \r\n4\r\nyou!\r\n0\r\nTrailer: x\r\n\r\n"


@pytest.mark.parametrize(
    ("pieces", "hangs_up"),
    [
        ([OK + length(b"hello, you!")], False),
        ([bytes([each]) for each in OK + length(b"hello, you!")], False),
        ([CHUNKED], False),
        ([bytes([each]) for each in CHUNKED], False),
        ([b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n", OK + length(b"hello, you!")], False),
        ([OK + b"\r\nhello,", b" you!"], True),
        ([b"HTTP/1.0 200 OK\r\n\r\nhello, you!"], True),
        ([OK + b"Content-Encoding: gzip\r\n" + length(gzip.compress(b"hello, you!"))], False),
    ],
)
def test_a_reply_is_read_whichever_way_it_is_framed(pieces: list[bytes], hangs_up: bool) -> None:
    (answer,) = answers(Server(pieces, hangs_up=hangs_up))
    assert isinstance(answer, Answer), answer
    assert (answer.status, answer.body) == (200, b"hello, you!")


@pytest.mark.parametrize(
    "pieces",
    [
        [b"SSH-2.0-OpenSSH_9.9\r\n"],
        [OK + b"Content-Length: 20\r\n\r\nhello"],
        [OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhel"],
        [OK + b"Transfer-Encoding: chunked\r\n\r\nfive\r\nhello\r\n"],
        [b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"],
        [OK + b"X: y\r\n"],
        [b""],
    ],
)
def test_what_is_no_whole_reply_is_lost(pieces: list[bytes]) -> None:
    (lost,) = answers(Server(pieces, hangs_up=True))
    assert isinstance(lost, Lost)


@pytest.mark.parametrize("pieces", [[OK + b"X: " + b"y" * 2 * MAX_HEAD_BYTES], [OK] + [b"X: y\r\n" * 20_000] * 5])
def test_a_head_without_end_is_not_read_to_its_end(pieces: list[bytes]) -> None:
    (lost,) = answers(Server(pieces))
    assert isinstance(lost, Lost)
    assert "without end" in str(lost)


def test_of_a_refusal_that_is_never_whole_the_status_is_known() -> None:
    began = b"HTTP/1.1 429 Slow down\r\nRetry-After: 7\r\nContent-Length: 100\r\n\r\nslow"
    for server in (Server(began, hangs_up=True), Server(began)):
        (answer,) = answers(server, timeout_s=0.3)
        assert isinstance(answer, Answer), answer
        assert (answer.status, answer.headers["retry-after"], answer.body) == (429, "7", b"slow")


def test_a_connection_is_used_again_unless_it_said_more_than_it_was_asked() -> None:
    whole = OK + length(b"one")
    for sent, connections in (
        ([whole], 1),
        ([OK + b"Connection: close\r\n" + length(b"one")], 3),
        ([whole + OK + length(b"for nobody")], 3),
        ([whole + b"HTTP/1.1 2"], 3),
        ([whole, OK + length(b"for nobody")], 3),
    ):
        server = Server(sent)

        async def pausing(server: Server = server) -> list[bytes]:
            lines = HttpConnections()
            async with listening(server.speak) as url:
                by = ways.connection(Destination(url, "m"))
                bodies = []
                for _ in range(3):
                    bodies.append((await ask(lines, by)).body)
                    await asyncio.sleep(0.05)
                await lines.close()
                return bodies

        assert asyncio.run(pausing()) == [b"one"] * 3
        assert server.connections == connections, sent


def test_a_name_that_nobody_has_is_not_connected_to() -> None:
    async def main(host: str) -> None:
        with pytest.raises(NotConnected):
            await HttpConnections().answer(Route(host, 80, tls=False), b"", 1.0, MAX_BYTES)

    for host in ("nobody.invalid", "x" * 300 + ".invalid"):
        asyncio.run(main(host))


@pytest.fixture
def tls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """A server's certificate for 127.0.0.1, which this test's clients believe."""
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    subject = ("-subj", "/CN=here", "-addext", "subjectAltName=IP:127.0.0.1")
    made = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, *subject)
    try:
        subprocess.run(made, check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("there is no openssl to make a certificate with")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    ways.certificates.cache_clear()
    return context


def test_a_server_is_believed_if_its_certificate_is(tls: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> Answer:
        connections = HttpConnections()
        async with listening(Server(OK + length(b"secret")).speak, tls) as url:
            answer = await ask(connections, ways.connection(Destination(url, "m")))
            await connections.close()
            return answer

    assert asyncio.run(main()).body == b"secret"
    monkeypatch.delenv("SSL_CERT_FILE")
    ways.certificates.cache_clear()
    with pytest.raises(NotConnected, match="certificate"):
        asyncio.run(main())
    ways.certificates.cache_clear()


@pytest.mark.parametrize("refuses", [False, True])
def test_through_a_proxy_tls_goes_in_a_tunnel_that_the_proxy_cannot_read(tls: ssl.SSLContext, refuses: bool) -> None:
    asked: list[bytes] = []

    async def tunnel(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readuntil(b"\r\n\r\n"))
        if refuses:
            writer.write(b"HTTP/1.1 407 Who are you?\r\n" + length(b"no"))
            return
        host, _, port = asked[0].split()[1].decode().rpartition(":")
        far_reader, far_writer = await asyncio.open_connection(host, int(port))
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await asyncio.gather(_pour(reader, far_writer), _pour(far_reader, writer))

    async def main() -> list[bytes]:
        connections = HttpConnections()
        async with listening(server.speak, tls) as url, listening(tunnel) as proxy:
            by = ways.connection(Destination(url, "m", "sk-key"))
            near = ways.connection(Destination(proxy, "m")).route
            route = Route(
                by.route.host, by.route.port, True, near, b"CONNECT 127.0.0.1:%d HTTP/1.1\r\n\r\n" % by.route.port
            )
            try:
                return [
                    (await connections.answer(route, by.chat_request(b"{}"), 5.0, MAX_BYTES)).body for _ in range(2)
                ]
            finally:
                await connections.close()

    server = Server(OK + length(b"secret"))
    if refuses:
        with pytest.raises(NotConnected, match="407"):
            asyncio.run(main())
    else:
        assert asyncio.run(main()) == [b"secret"] * 2
    assert len(asked) == 1
    assert b"sk-key" not in asked[0]
    assert len(server.heads) == (0 if refuses else 2)


async def _pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while part := await reader.read(65_536):
            writer.write(part)
    writer.close()


def test_a_proxy_is_asked_with_its_own_password_and_never_sees_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", "http://user:word@proxy.invalid:3128")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    by = ways.connection(Destination("https://models.invalid/v1", "m", "sk-key"))
    assert by.route.proxy == Route("proxy.invalid", 3128, tls=False)
    assert by.route.connect.split(b"\r\n") == [
        *(b"CONNECT models.invalid:443 HTTP/1.1", b"Host: models.invalid:443"),
        *(b"Proxy-Authorization: Basic dXNlcjp3b3Jk", b"", b""),
    ]
    assert by.chat.startswith(b"POST /v1/chat/completions HTTP/1.1\r\nHost: models.invalid\r\n")
    assert b"Proxy-Authorization" not in by.chat
    assert "sk-key" not in repr(by)
    assert "dXNlcjp3b3Jk" not in repr(by)
