"""A run that died is taken up again: the same answer, and nothing that had come back is asked a second time.

The server counts for itself. With RLM_STUDIO_EVERY_EVENT=1 the run is killed after each of its more than four hundred events
and at fifty random moments, which takes about twenty minutes; else after some.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from openai_server import Canned, Served, completion, serving
from processes import EVERY_EVENT, LOOK, new_task

from rlm_core import events as ev
from rlm_core.jobs.lives import close_abandoned, next_life
from rlm_core.jobs.supervise import kill_group, live, start_run_process
from rlm_core.store.store import Store
from rlm_core.task import Task
from rlm_core.view import RunView, fold

KILLED_RUN = Path(__file__).parent.parent / "killed_run.py"
HELPERS = """```repl
said = llm_query_batched([f'turn {turn}, item {{n}}: wet?' for n in range(50)])
found = found + said.count('yes') if {turn} > 2 else said.count('yes')
record('turn {turn}', str(found), quote='wet again')
print(found, budget()['calls']['used'])
```"""
TURNS = [LOOK, *(HELPERS.format(turn=turn) for turn in range(2, 6)), "```repl\nFINAL(f'{found} are wet')\n```"]
ANSWER = "80 are wet"
EVENTS = 453
"""So many events has a whole run."""


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    return Store.open(tmp_path / "home")


@pytest.fixture
def server() -> Iterator[Served]:
    def answer(body: dict[str, Any], number: int) -> Canned:
        messages = body["messages"]
        if messages[0]["role"] == "system":
            return completion(TURNS[sum(each["role"] == "assistant" for each in messages)])
        item = int(messages[0]["content"].partition("item ")[2].partition(":")[0])
        return completion("yes" if item % 14 < 5 else "no")

    with serving(answer) as served:
        yield served


def task_for(store: Store, server: Served) -> Task:
    task = new_task(store, "openai/served")
    return replace(task, api_base=server.url, limits=replace(task.limits, concurrency=8))


def asked(server: Served) -> Counter[str]:
    """How often each prompt came; a root's by its number of messages."""
    return Counter(
        str(len(each["messages"])) if each["messages"][0]["role"] == "system" else each["messages"][0]["content"]
        for each in server.requests
    )


def finished_prompts(view: RunView) -> set[str]:
    """What had come back."""
    found = set()
    for node in view.nodes.values():
        if isinstance(node.started, ev.CallStarted) and node.status == "ok":
            prompt = view.prompt(node.id)
            found.add(str(len(prompt)) if node.started.role == "root" else prompt[0].text)
    return found


def assert_taken_up(store: Store, server: Served, run: str) -> None:
    close_abandoned(store)
    dead = fold(store.events(run))
    assert dead.outcome in ("interrupted", "answered")
    job = store.job(run)
    assert job
    again = next_life(store, job)
    live(store, job, again)
    lives = store.runs_of(run)
    last = lives[-1]
    assert (last.outcome, last.answer) == ("answered", ANSWER), last.reason
    assert last.parent_run == (run if len(lives) > 1 else None)
    counted = asked(server)
    assert {prompt: counted[prompt] for prompt in finished_prompts(dead) if counted[prompt] != 1} == {}
    resumed = fold(store.events(last.id))
    assert resumed.open_nodes() == []
    if len(lives) > 1:
        replayed = [node for node in resumed.nodes.values() if getattr(node.finished, "replayed", None)]
        assert len(replayed) == len(finished_prompts(dead))
    server.requests.clear()


@pytest.mark.parametrize("part", range(10))
def test_whatever_event_was_the_last_the_answer_is_the_same_and_nothing_is_asked_twice(
    store: Store, server: Served, part: int
) -> None:
    task = task_for(store, server)
    for last in range(part, EVENTS, 10) if EVERY_EVENT else (1 + part * 45,):
        run = store.add_job(task, state="running")
        died = subprocess.run([sys.executable, str(KILLED_RUN), str(store.home), run, str(last)], check=False)
        assert died.returncode == -9
        assert_taken_up(store, server, run)


@pytest.mark.parametrize("part", range(5))
def test_whenever_it_is_killed_the_answer_is_the_same_and_nothing_is_asked_twice(
    store: Store, server: Served, part: int
) -> None:
    task, moments = task_for(store, server), random.Random(part)
    for _ in range(10 if EVERY_EVENT else 1):
        run = store.add_job(task, state="running")
        process = start_run_process(store, run)
        time.sleep(moments.uniform(0.0, 1.5))
        kill_group(process)
        if store.run(run) is None:
            continue  # before its first event there is nothing to take up
        assert_taken_up(store, server, run)
