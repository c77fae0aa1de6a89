"""A loopback server that speaks the chat-completions protocol, well or badly, as a test tells it to."""

from __future__ import annotations

import json
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal


@dataclass
class Canned:
    """One answer of the server."""

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    delay_s: float = 0.0
    """Before anything is sent."""
    raw: bytes | None = None
    """Sent as the body in place of `body`."""
    drip_s: float = 0.0
    """Between one byte of the body and the next."""
    hangs_up: Literal["", "before", "midway"] = ""
    """Whether the connection is closed without a reply, or in the middle of its body."""


def completion(text: Any, *, usage: tuple[int, int] | None = (10, 5), finish_reason: str = "stop") -> Canned:
    body: dict[str, Any] = {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "served",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish_reason}],
    }
    if usage:
        body["usage"] = {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}
    return Canned(body=body)


def failure(status: int, message: str, headers: dict[str, str] | None = None, code: str | None = None) -> Canned:
    return Canned(status, {"error": {"message": message, "type": "error", "code": code}}, headers or {})


@dataclass
class Served:
    """A running server: its base URL, and the requests that it got."""

    url: str
    requests: list[dict[str, Any]]
    connections: set[tuple[str, int]] = field(default_factory=set)
    """The client's end of every connection that a request came by."""
    models: Any = None
    """What it answers to those who ask for its models."""
    abandoned: list[int] = field(default_factory=list)
    """Numbers of the requests whose clients hung up before they were answered."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 2048

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Quiet: clients that hang up are what some tests want."""


@contextmanager
def serving(answer: Callable[[dict[str, Any], int], Canned]) -> Iterator[Served]:
    """A server on a free port; `answer` is given the request body (with its headers and path) and its number from 0."""
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:
            """Quiet."""

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            headers = {name.lower(): value for name, value in self.headers.items()}
            with lock:
                number = len(served.requests)
                served.requests.append({**body, "headers": headers, "path": self.path})
                served.connections.add(self.client_address)
            canned = answer(served.requests[number], number)
            if canned.delay_s and _hung_up_within(self.connection, canned.delay_s):
                served.abandoned.append(number)
                self.close_connection = True
            elif canned.hangs_up == "before":
                self.close_connection = True
            else:
                self.send(canned)

        def do_GET(self) -> None:
            """What stands in the server's list of models."""
            self.send(Canned(body=served.models) if self.path == "/v1/models" else Canned(404, {}))

        def send(self, canned: Canned) -> None:
            payload = canned.raw if canned.raw is not None else json.dumps(canned.body).encode()
            self.send_response(canned.status)
            length = {} if "Transfer-Encoding" in canned.headers else {"Content-Length": str(len(payload))}
            for name, value in {"Content-Type": "application/json", **length, **canned.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            if canned.hangs_up == "midway":
                payload, self.close_connection = payload[: len(payload) // 2], True
            pieces = [payload[i : i + 1] for i in range(len(payload))] if canned.drip_s else [payload]
            try:
                for piece in pieces:
                    self.wfile.write(piece)
                    time.sleep(canned.drip_s)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True  # the client gave up, as some tests want it to

    server = _Server(("127.0.0.1", 0), Handler)
    served = Served(f"http://127.0.0.1:{server.server_port}/v1", [])
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield served
    finally:
        server.shutdown()
        server.server_close()


def _hung_up_within(connection: socket.socket, seconds: float) -> bool:
    """Wait, but no longer than the client does."""
    readable, _, _ = select.select([connection], [], [], seconds)
    return bool(readable) and connection.recv(1, socket.MSG_PEEK) == b""
