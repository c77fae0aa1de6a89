"""A loopback server that speaks the chat-completions protocol, well or badly, as a test tells it to."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Canned:
    """One answer of the server."""

    status: int = 200
    body: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    delay_s: float = 0.0
    raw: bytes | None = None


def completion(text: str, *, usage: tuple[int, int] | None = (10, 5), finish_reason: str = "stop") -> Canned:
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


@contextmanager
def serving(answer: Callable[[dict[str, Any], int], Canned]) -> Iterator[Served]:
    """A server on a free port; `answer` is given the request body (with its headers) and its number from 0."""
    requests: list[dict[str, Any]] = []
    lock = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:
            """Quiet."""

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            with lock:
                number = len(requests)
                requests.append({**body, "headers": {name.lower(): value for name, value in self.headers.items()}})
            canned = answer(requests[number], number)
            time.sleep(canned.delay_s)
            payload = canned.raw if canned.raw is not None else json.dumps(canned.body).encode()
            self.send_response(canned.status)
            for name, value in {
                "Content-Type": "application/json",
                "Content-Length": str(len(payload)),
                **canned.headers,
            }.items():
                self.send_header(name, value)
            self.end_headers()
            try:
                self.wfile.write(payload)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True  # the client gave up, as some tests want it to

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield Served(f"http://127.0.0.1:{server.server_port}/v1", requests)
    finally:
        server.shutdown()
        server.server_close()
