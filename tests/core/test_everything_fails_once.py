"""Every call, cell and child of every strategy is made to fail, one at a time: the run still ends, says how, closes what it
opened, and has counted what the server has counted, to the token.

The server is real and on this machine; what fails is chosen by the number of the request, or of the cell.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from openai_server import Canned, completion, failure, serving
from runs import Ran, corpus_of

from rlm_core import events as ev
from rlm_core.corpus.corpus import Corpus
from rlm_core.events import Event
from rlm_core.lm.router import Models
from rlm_core.run import run_task
from rlm_core.task import Limits, Task

QUESTION = "How many rooms leak again?"
LIMITS = Limits(max_turns=6, call_timeout_s=0.6, cell_timeout_s=3.0, concurrency=4)


@dataclass(frozen=True)
class Way:
    """A strategy, and what its models say: the root frame's replies in order, those of a child frame, and a cell that fails."""

    strategy: str
    options: dict[str, Any]
    root: tuple[str, ...]
    child: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.strategy} {self.options}"


def cell(code: str) -> str:
    return f"```repl\n{code}\n```"


LOOK = cell("print(len(context))")
HELPERS = cell("replies = llm_query_batched(['one', 'two', 'three'])\nprint([bool(each) for each in replies])")
CHILDREN = cell("found = rlm_query_batched(['child a', 'child b'], ['first', 'second'])\nprint(found)")
DONE = cell("FINAL('two')")
CHILD = (cell("print(context, llm_query('a child asks'))"), cell("FINAL('child')"))
WAYS = (
    Way("base", {}, ("Two rooms.",)),
    Way("rlm", {"depth": 0}, (LOOK, cell("x = 1\nprint(x)"), DONE)),
    Way("rlm", {"depth": 1}, (LOOK, HELPERS, DONE)),
    Way("rlm", {"depth": 1, "prompt": "paper"}, (LOOK, HELPERS, "FINAL(two)")),
    Way("rlm", {"depth": 2}, (LOOK, CHILDREN, DONE), CHILD),
    Way("rlm", {"depth": 3}, (LOOK, CHILDREN, DONE), CHILD),
    Way("codeact", {}, ("```python\nprint(1)\n```", "ANSWER: two")),
    Way("codeact_bm25", {}, ("SEARCH(dripped)", "```python\nprint(search('rain'))\n```", "ANSWER: two")),
    Way("codeact_subcalls", {}, ("```python\nprint(llm_query_batched(['one', 'two']))\n```", "ANSWER: two")),
    Way("compaction", {"window_tokens": 8_000}, ("Two rooms.",)),
)
FAULTS: dict[str, Callable[[], Canned]] = {
    "refused": lambda: failure(400, "no"),
    "auth": lambda: failure(401, "no"),
    "broken": lambda: Canned(200, raw=b"<html>busy</html>"),
    "empty": lambda: completion("", usage=(10, 5)),
    "no usage": lambda: completion("I say nothing of use", usage=None),
    "hang up": lambda: Canned(200, completion("half").body, hangs_up="midway"),
    "silence": lambda: Canned(200, completion("late").body, delay_s=1.2),
}


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    long = {f"{month}.txt": f"Room {month}: dripped again after rain.\n" * 400 for month in ("march", "may", "june")}
    return corpus_of(tmp_path, long)


class Server:
    """Plays the models of a way, fails at one request, and counts the tokens of every reply that it gave whole."""

    def __init__(self, way: Way, failing: int | None = None, fault: str = "refused") -> None:
        self.way, self.failing, self.fault = way, failing, fault
        self.tokens = 0
        self.requests = 0
        self._lock = threading.Lock()

    def answer(self, body: dict[str, Any], number: int) -> Canned:
        canned = self._canned(body) if number != self.failing else FAULTS[self.fault]()
        with self._lock:
            self.requests += 1
            whole = canned.raw is None and not canned.hangs_up and not canned.delay_s and isinstance(canned.body, dict)
            usage = canned.body.get("usage") if whole else None
            self.tokens += usage["total_tokens"] if usage else 0
        return canned

    def _canned(self, body: dict[str, Any]) -> Canned:
        messages = body["messages"]
        said = sum(each["role"] == "assistant" for each in messages)
        first = "\n".join(each["content"] for each in messages[:2])
        if body["model"] == "root":
            script = self.way.root
        elif len(messages) > 1 and any(f"child {letter}" in first for letter in "ab"):
            script = self.way.child
        else:
            script = ("yes",)
        return completion(script[min(said, len(script) - 1)], usage=(len(first) // 4, 7))


def run_with(server: Server, corpus: Corpus, spoil: Callable[[str], str] = lambda reply: reply) -> Ran:
    events: list[Event] = []
    lock = threading.Lock()

    def emit(span: str, parent: str | None, body: ev.Body) -> Event:
        with lock:
            events.append(Event("r", len(events), float(len(events)), span, parent, body))
            return events[-1]

    way = server.way
    server.way = replace(way, root=tuple(map(spoil, way.root)), child=tuple(map(spoil, way.child)))
    with serving(server.answer) as served:
        task = Task(
            QUESTION, corpus.id, way.strategy, way.options, "openai/root", "openai/helper", served.url, limits=LIMITS
        )
        finished = threading.Thread(target=run_task, args=(task, corpus, Models(served.url), emit), daemon=True)
        finished.start()
        finished.join(60)
        assert not finished.is_alive(), "the run waits for ever"
    return Ran(events)


def assert_whole(ran: Ran, server: Server) -> None:
    """The run ended, said how, left nothing open, and its count is the server's."""
    ran.assert_balanced()
    assert ran.outcome in ("answered", "forced", "failed")
    assert ran.outcome == "answered" or ran.reason
    totals = ran.view.totals()
    assert totals.input_tokens + totals.output_tokens == server.tokens


@pytest.fixture(params=WAYS, ids=str)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Way:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    chosen: Way = request.param
    return chosen


def test_each_call_fails_in_turn(way: Way, corpus: Corpus) -> None:
    clean = Server(way)
    ran = run_with(clean, corpus)
    assert_whole(ran, clean)
    assert ran.outcome == "answered", ran.reason
    assert clean.requests >= len(way.root)
    faults = list(FAULTS)
    for number in range(clean.requests):
        server = Server(way, number, faults[number % len(faults)])
        assert_whole(run_with(server, corpus), server)


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_of_the_first_call_and_of_the_last(
    corpus: Corpus, fault: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    way = WAYS[2]
    for number in (0, 2, 5):
        server = Server(way, number, fault)
        assert_whole(run_with(server, corpus), server)


@pytest.mark.parametrize("spoiled", ["1 / 0", "import os\nos._exit(1)", "while True: pass", "def broken(:"])
def test_each_cell_fails_in_turn(way: Way, corpus: Corpus, spoiled: str) -> None:
    codes = [each for each in (*way.root, *way.child) if "```" in each]
    if not codes:
        return
    for target in codes if "while" not in spoiled else codes[:1]:
        fence = target.split("\n", 1)[0]
        server = Server(way)
        ran = run_with(server, corpus, lambda reply, t=target, f=fence: f"{f}\n{spoiled}\n```" if reply == t else reply)
        assert_whole(ran, server)
