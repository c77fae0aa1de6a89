"""Both clients for live models behind one function, so that one suite of cases judges both."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from openai_server import Canned, Served, serving

from rlm_core.errors import CallError
from rlm_core.lm.client import LM, Reply, Request
from rlm_core.lm.live import LiveLM, prepare
from rlm_core.lm.loop import ModelLoop
from rlm_core.lm.router import Models
from rlm_core.task import Message

CLIENTS: dict[str, Callable[[str], LM]] = {"http": Models, "litellm": LiveLM}
"""By name: a new client for the server at an address. `Models` takes the plain HTTP one for every model there."""


class Asking:
    """One kind of client, on one loop."""

    def __init__(self, kind: str, loop: ModelLoop) -> None:
        self.kind = kind
        self.loop = loop

    @contextmanager
    def client(self, url: str) -> Iterator[LM]:
        lm = CLIENTS[self.kind](url)
        try:
            yield lm
        finally:
            if self.kind == "http":  # LiteLLM's connections are those of the whole process
                self.loop.run_all([lm.close()])

    def results(self, server: Served | str, requests: Sequence[Request]) -> list[Reply | BaseException]:
        """What became of requests that were made together."""
        with self.client(server if isinstance(server, str) else server.url) as lm:
            return self.loop.run_all([lm.complete(request) for request in requests])

    def ask(self, server: Served | str, model: str = "some-model", **about: Any) -> Reply:
        """The reply to one request. Raises what the client raises."""
        (result,) = self.results(server, [request(model, **about)])
        if isinstance(result, BaseException):
            raise result
        return result

    def hear(self, canned: Canned, **about: Any) -> Reply:
        """The reply from a server that answers everything so."""
        with serving(lambda body, number: canned) as served:
            return self.ask(served, **about)

    def fail(self, canned: Canned, **about: Any) -> tuple[CallError, int]:
        """The error from a server that answers everything so, and how many requests it got."""
        with serving(lambda body, number: canned) as served:
            (result,) = self.results(served, [request(**about)])
            assert isinstance(result, CallError), result
            return result, len(served.requests)


def request(model: str = "some-model", text: str = "hello", timeout_s: float = 10.0, **params: Any) -> Request:
    return Request(model, (Message("user", text),), params=params, timeout_s=timeout_s)


@contextmanager
def asking(kind: str) -> Iterator[Asking]:
    loop = ModelLoop(2_000)
    if kind == "litellm":
        prepare()  # which takes seconds, and they are not the first request's
    try:
        yield Asking(kind, loop)
    finally:
        loop.close(LiveLM().close())
