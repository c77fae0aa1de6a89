"""A key that is kept in the data folder: it reaches the server of the model, and nothing else that anybody could read."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from console import rlm_studio
from openai_server import completion, failure, serving
from processes import ANSWER, new_task

from rlm_core.exporters.jsonl import to_lines
from rlm_core.exporters.result import result_of
from rlm_core.jobs.asking import answer_now
from rlm_core.keys import keep_key
from rlm_core.store.store import Store
from rlm_core.task import Task

KEY = "sk-kept-and-never-told-0123456789"
SPY = """```repl
import os
print(len(context), sorted(os.environ))
for path in (%r, '/proc/self/environ', f'/proc/{os.getppid()}/environ', f'/proc/{os.getppid()}/mem'):
    try:
        print(open(path, 'rb').read(2000))
    except OSError as error:
        print(type(error).__name__)
```"""


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    return Store.open(tmp_path / "home")


def files_with(text: str, folder: Path) -> list[str]:
    return [path.name for path in folder.rglob("*") if path.is_file() and text.encode() in path.read_bytes()]


def live_task(store: Store, url: str) -> Task:
    task = new_task(store, "openai/some-model")
    return Task(task.question, task.corpus, root_model="openai/some-model", helper_model="demo", api_base=url)


@pytest.mark.skipif(sys.platform != "linux", reason="looks where only Linux has something to see")
def test_a_kept_key_reaches_the_server_and_is_nowhere_else(store: Store) -> None:
    keep_key(store.home, "OPENAI_API_KEY", KEY)
    long_echo = "x" * 3_000 + f"your key is {KEY}" + f"\n{ANSWER}"
    replies = [SPY % str(store.home / "keys.json"), long_echo]
    with serving(lambda body, number: completion(replies[number])) as served:
        view = answer_now(store, live_task(store, served.url))
    assert [each["headers"]["authorization"] for each in served.requests] == [f"Bearer {KEY}"] * 2
    assert view.outcome == "answered"
    printed = str(served.requests[1]["messages"])
    assert "['PYTHONHASHSEED']" in printed
    assert printed.count("PermissionError") + printed.count("FileNotFoundError") == 4  # not there in a room of its own
    assert KEY not in printed
    exported = "\n".join([*to_lines(view.run, store.events(view.run)), json.dumps(result_of(view)), repr(view)])
    assert "[key removed]" in exported
    assert KEY not in exported
    store.close()
    assert files_with(KEY, store.home) == ["keys.json"]


def test_the_environment_of_the_starting_process_never_holds_a_kept_key(
    store: Store, capfd: pytest.CaptureFixture[str]
) -> None:
    keep_key(store.home, "OPENAI_API_KEY", KEY)

    def echo(body: dict[str, dict[str, str]], number: int) -> object:
        return failure(401, f"Incorrect API key provided: {body['headers']['authorization']}")

    with serving(echo) as served:  # type: ignore[arg-type]
        view = answer_now(store, live_task(store, served.url))
    assert served.requests[0]["headers"]["authorization"] == f"Bearer {KEY}"
    assert view.finished
    assert view.finished.error_kind == "auth"
    assert KEY not in view.finished.reason
    store.close()
    assert files_with(KEY, store.home) == ["keys.json"]
    assert KEY not in "".join(capfd.readouterr())
    own = Path("/proc/self/environ")
    assert not own.exists() or KEY.encode() not in own.read_bytes()


def test_a_run_that_needs_a_key_says_why_the_file_of_keys_was_not_used(store: Store) -> None:
    keep_key(store.home, "OPENAI_API_KEY", KEY)
    (store.home / "keys.json").chmod(0o644)
    task = new_task(store, "openai/gpt-5-mini")
    view = answer_now(store, task)
    assert view.finished
    assert view.outcome == "failed"
    assert "others on this machine can read or change them (mode 0644)" in view.finished.reason
    assert answer_now(store, new_task(store, "demo")).outcome != "failed"


def test_a_question_on_the_command_line_uses_a_kept_key(store: Store) -> None:
    keep_key(store.home, "OPENAI_API_KEY", KEY)
    archive = store.home.parent / "rooms.txt"
    archive.write_text("Room A12: wet.\n")
    replies = ["```repl\nprint(context)\n```", ANSWER]
    with serving(lambda body, number: completion(replies[number])) as served:
        result = rlm_studio(store.home, "ask", archive, "Which?", "--model", "ours", "--api-base", served.url)
    assert (result.returncode, result.stdout.strip()) == (0, "done")
    assert served.requests[0]["headers"]["authorization"] == f"Bearer {KEY}"
    assert KEY not in result.stdout + result.stderr


def test_check_names_the_keys_of_the_file_and_says_when_it_cannot_be_used(store: Store) -> None:
    keep_key(store.home, "OPENAI_API_KEY", KEY)
    result = rlm_studio(store.home, "check", GROQ_API_KEY="sk-outside-0123456789")
    assert "set: GROQ_API_KEY; kept in the data folder: OPENAI_API_KEY" in result.stdout
    assert KEY not in result.stdout
    (store.home / "keys.json").chmod(0o640)
    result = rlm_studio(store.home, "check")
    assert result.returncode == 1
    assert "PROBLEM  keys" in result.stdout
    assert "chmod 600" in result.stdout
