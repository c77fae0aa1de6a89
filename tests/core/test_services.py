"""What a cell may ask of its frame, and how much of it: the cell is hostile, and everything that is asked is recorded."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pytest

from rlm_core import services
from rlm_core.errors import CallError, SandboxError
from rlm_core.lm.client import Reply
from rlm_core.services import CellServices
from rlm_core.task import Finding, Json


class Frame:
    """Answers at once, but for prompts while `held`."""

    def __init__(self) -> None:
        self.held = threading.Event()
        self.asked = threading.Event()
        self.recorded = 0

    def ask_many(self, prompts: Sequence[str], model: str | None = None) -> list[Reply | CallError]:
        self.asked.set()
        self.held.wait(10)
        return []

    def ask_children(self, requests: Sequence[Json], model: str | None = None) -> list[str | CallError]:
        return []

    def search(self, query: str, k: int = 5) -> list[Json]:
        return []

    def record(self, finding: Finding) -> None:
        self.recorded += 1

    def budget_left(self) -> Json:
        return {}


def test_prompts_that_wait_for_replies_are_bounded_over_all_requests() -> None:
    frame = Frame()
    cell = CellServices(frame)
    many = {"prompts": ["x"] * services.MAX_PROMPTS}
    waiting = [
        threading.Thread(target=cell.serve, args=("llm_query", many))
        for _ in range(services.MAX_PROMPTS_WAITING // services.MAX_PROMPTS)
    ]
    for thread in waiting:
        thread.start()
        frame.asked.wait(10)
        frame.asked.clear()
    with pytest.raises(SandboxError, match="200,000 prompts are not answered yet"):
        cell.serve("llm_query", {"prompts": ["one more"]})
    frame.held.set()
    for thread in waiting:
        thread.join()
    assert cell.serve("llm_query", {"prompts": ["one more"]}) == []


def test_a_prompt_that_no_model_takes_is_not_recorded() -> None:
    with pytest.raises(SandboxError, match="A prompt has 20,000,001 characters"):
        CellServices(Frame()).serve("llm_query", {"prompts": ["x", "x" * (services.MAX_PROMPT_CHARS + 1)]})


def test_findings_are_bounded_by_all_that_they_say() -> None:
    frame = Frame()
    cell = CellServices(frame)
    finding = {"item": "B-204", "label": "yes", "quote": "x" * services.MAX_CHARS["quote"]}
    kept = services.MAX_FINDINGS_CHARS // (services.MAX_CHARS["quote"] + len("B-204yes"))
    for _ in range(kept):
        cell.serve("record", finding)
    with pytest.raises(SandboxError, match="Quote the words that decide"):
        cell.serve("record", finding)
    assert frame.recorded == kept


def test_what_costs_nothing_is_not_told_for_ever() -> None:
    cell = CellServices(Frame())
    for _ in range(services.MAX_NOTES // services.MAX_HITS):
        cell.serve("search", {"query": "pumps", "k": services.MAX_HITS})
    for service, arguments in (("search", {"query": "pumps", "k": 1}), ("budget", {})):
        with pytest.raises(SandboxError, match="too many searches"):
            cell.serve(service, arguments)
