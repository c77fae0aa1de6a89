"""What a frame does for its running cell: the host's side of `llm_query`, `record` and `budget`.

A cell is hostile: the arguments that it sends are checked here before anything else sees them. Whatever a request raises
reaches the cell as text; what is no business of the cell (a store that cannot be written, an error of ours) is kept, so
that the run ends on it however the cell takes it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from rlm_core.errors import CallError, RunCancelled, SandboxError
from rlm_core.task import Finding, Json

MAX_PROMPTS = 100_000
MAX_PROMPTS_WAITING = 200_000
"""Of all requests that are not answered yet: each prompt takes a thousand bytes here, whatever is in it."""
MAX_PROMPT_CHARS = 20_000_000
"""Several times what any model takes. Prompts are recorded, also those that are refused."""
MAX_CHILDREN = 1_000
MAX_QUESTION_CHARS = 10_000_000
MAX_QUERY_CHARS = 10_000
MAX_HITS = 10
"""Of one search from code: twice what the paper's retriever brings. Each passage is kept in the journal."""
MAX_FINDINGS = 100_000
MAX_FINDINGS_CHARS = 20_000_000
MAX_NOTES = 100_000
"""Hits that searches may bring, and looks at the budget: each is recorded."""
MAX_CHARS = {"item": 1_000, "label": 200, "quote": 50_000, "source": 2_000, "note": 10_000}
"""Of each part of a finding."""


class Reply(Protocol):
    """What is needed of a helper's reply."""

    @property
    def text(self) -> str: ...


class ForCells(Protocol):
    """What a frame does for its cells."""

    def ask_many(self, prompts: Sequence[str], model: str | None = None) -> Sequence[Reply | CallError]: ...

    def ask_children(self, requests: Sequence[Json], model: str | None = None) -> Sequence[str | CallError]: ...

    def search(self, query: str, k: int = 5) -> list[Json]: ...

    def record(self, finding: Finding) -> None: ...

    def budget_left(self) -> Json: ...


class CellServices:
    """`Services` of the sandbox, for one frame. Called on a thread of its own for each request."""

    def __init__(self, frame: ForCells) -> None:
        self._frame = frame
        self._findings = 0
        self._findings_chars = 0
        self._notes = 0
        self._prompts_waiting = 0
        self._idle = threading.Condition()
        self._running = 0
        self._broke: BaseException | None = None

    def serve(self, service: str, arguments: Json) -> Any:
        """Answer a request of the running cell. What it raises is shown to the cell."""
        with self._idle:
            self._running += 1
        try:
            return self._answer(service, arguments)
        except (SandboxError, RunCancelled):
            raise
        except BaseException as error:
            self._broke = self._broke or error
            raise
        finally:
            with self._idle:
                self._running -= 1
                self._idle.notify_all()

    def wait_until_idle(self) -> None:
        """Wait for requests under way. Each ends by itself: calls have a time limit and can be cancelled."""
        with self._idle:
            self._idle.wait_for(lambda: not self._running)

    def raise_what_broke(self) -> None:
        """Raise what went wrong in a request and was not the cell's fault."""
        if self._broke is not None:
            raise self._broke

    def _answer(self, service: str, arguments: Json) -> Any:
        if service == "llm_query":
            prompts = _prompts(arguments)
            with self._waiting(len(prompts)):
                replies = self._frame.ask_many(prompts, _text(arguments, "model", 1_000))
            return [{"error": str(each)} if isinstance(each, CallError) else {"text": each.text} for each in replies]
        if service == "rlm_query":
            answers = self._frame.ask_children(_children(arguments), _text(arguments, "model", 1_000))
            return [{"error": str(each)} if isinstance(each, CallError) else {"text": each} for each in answers]
        if service == "search":
            query, k = _text(arguments, "query", MAX_QUERY_CHARS) or "", arguments.get("k")
            if not isinstance(k, int) or isinstance(k, bool) or not 1 <= k <= MAX_HITS:
                raise SandboxError(f"k is how many passages are wanted: a whole number from 1 to {MAX_HITS}.")
            self._count_notes(k)
            return self._frame.search(query, k)
        if service == "record":
            finding = _finding(arguments)
            self._count_finding(finding)
            self._frame.record(finding)
            return None
        if service == "budget":
            self._count_notes(1)
            return self._frame.budget_left()
        raise SandboxError(f"{service} is not offered in this run.")

    @contextmanager
    def _waiting(self, prompts: int) -> Iterator[None]:
        with self._idle:
            if self._prompts_waiting + prompts > MAX_PROMPTS_WAITING:
                raise SandboxError(
                    f"{self._prompts_waiting:,} prompts are not answered yet; together at most {MAX_PROMPTS_WAITING:,} are "
                    "taken. Wait for replies before asking more."
                )
            self._prompts_waiting += prompts
        try:
            yield
        finally:
            with self._idle:
                self._prompts_waiting -= prompts

    def _count_finding(self, finding: Finding) -> None:
        chars = sum(
            len(part or "") for part in (finding.item, finding.label, finding.quote, finding.source, finding.note)
        )
        with self._idle:
            if self._findings >= MAX_FINDINGS:
                raise SandboxError(f"No more than {MAX_FINDINGS:,} findings are kept. Record what decides the answer.")
            if self._findings_chars + chars > MAX_FINDINGS_CHARS:
                raise SandboxError(
                    f"Findings of more than {MAX_FINDINGS_CHARS:,} characters are not kept. Quote the words that decide."
                )
            self._findings += 1
            self._findings_chars += chars

    def _count_notes(self, notes: int) -> None:
        with self._idle:
            self._notes += notes
            if self._notes > MAX_NOTES:
                raise SandboxError(
                    "There were too many searches and looks at the budget; there are no more answers to them."
                )


def _prompts(arguments: Json) -> list[str]:
    prompts = arguments.get("prompts")
    if not isinstance(prompts, list) or not all(isinstance(each, str) for each in prompts):
        raise SandboxError("Prompts must be a list of strings.")
    if len(prompts) > MAX_PROMPTS:
        raise SandboxError(f"{len(prompts):,} prompts are too many; at most {MAX_PROMPTS:,} at once.")
    if (longest := max(map(len, prompts), default=0)) > MAX_PROMPT_CHARS:
        raise SandboxError(
            f"A prompt has {longest:,} characters; at most {MAX_PROMPT_CHARS:,} are taken. Send parts of it."
        )
    return prompts


def _children(arguments: Json) -> list[Json]:
    """The questions and contexts of child frames. A context is whatever JSON the cell has sent."""
    requests = arguments.get("prompts")
    if not isinstance(requests, list) or not all(isinstance(each, dict) for each in requests):
        raise SandboxError("Children must be a list of questions with their contexts.")
    if len(requests) > MAX_CHILDREN:
        raise SandboxError(f"{len(requests):,} children are too many; at most {MAX_CHILDREN:,} at once.")
    for each in requests:
        if not (_text(each, "prompt", MAX_QUESTION_CHARS) or "").strip():
            raise SandboxError("A child needs a question: rlm_query('Which pumps failed?', context=pages).")
    return [{"prompt": each["prompt"], "context": each.get("context")} for each in requests]


def _finding(arguments: Json) -> Finding:
    parts = {name: _text(arguments, name, max_chars) for name, max_chars in MAX_CHARS.items()}
    item, label = parts["item"], parts["label"]
    if not item or not label:
        raise SandboxError("A finding needs an item and a label: record('B-204', 'yes', quote=..., source=...).")
    return Finding(item, label, parts["quote"], parts["source"], parts["note"])


def _text(arguments: Json, name: str, max_chars: int) -> str | None:
    value = arguments.get(name)
    if value is not None and not isinstance(value, str):
        raise SandboxError(f"{name} must be a string.")
    if value is not None and len(value) > max_chars:
        raise SandboxError(f"{name} has {len(value):,} characters; at most {max_chars:,} are kept. Shorten it.")
    return value
