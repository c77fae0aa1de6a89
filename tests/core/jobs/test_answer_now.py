"""A question answered in the foreground, through the run's own process, against a real server."""

from __future__ import annotations

from pathlib import Path

import pytest
from openai_server import completion, failure, serving
from processes import ANSWER, LOOK, new_task, script_file

from rlm_core import events as ev
from rlm_core.errors import CorpusError, TaskError
from rlm_core.jobs.asking import answer_now, ask, load_archive, start
from rlm_core.store.store import Store
from rlm_core.task import Task

KEY = "sk-a-key-that-must-not-be-anywhere-1234"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(tmp_path / "home")


def files_with(text: str, folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and text.encode() in path.read_bytes()]


def live_task(store: Store, url: str, model: str = "openai/some-model") -> Task:
    task = new_task(store, model)
    return Task(task.question, task.corpus, root_model=model, helper_model=model, api_base=url)


def test_a_key_is_nowhere_in_the_store_or_the_logs(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    spy = "```repl\nimport os\nprint(len(context), dict(os.environ), os.environ.get('OPENAI_API_KEY'))\n```"
    replies = [spy, ANSWER]
    with serving(lambda body, number: completion(replies[number])) as served:
        view = answer_now(store, live_task(store, served.url))
    assert served.requests[0]["headers"]["authorization"] == f"Bearer {KEY}"
    assert view.outcome == "answered"
    store.close()
    assert files_with(KEY, store.home) == []


def test_a_server_that_echoes_a_rejected_key_fails_the_run_without_it(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)

    def echo(body: dict[str, dict[str, str]], number: int) -> object:
        return failure(401, f"Incorrect API key provided: {body['headers']['authorization']}")

    with serving(echo) as served:  # type: ignore[arg-type]
        view = answer_now(store, live_task(store, served.url))
    assert view.outcome == "failed"
    assert view.finished
    assert "missing or was rejected" in view.finished.reason
    assert view.finished.error_kind == "auth"
    store.close()
    assert files_with(KEY, store.home) == []


def test_an_unreachable_server_fails_the_run_in_plain_words(store: Store) -> None:
    view = answer_now(store, live_task(store, "http://127.0.0.1:9/v1"))
    assert view.finished
    assert (view.outcome, view.finished.error_kind) == ("failed", "unreachable")
    assert "Is the server running?" in view.finished.reason


def test_an_unknown_model_is_refused_before_anything_is_stored(store: Store) -> None:
    task = new_task(store, "gpt5-mini-typo")
    with pytest.raises(TaskError, match="Similar names"):
        start(store, task)
    assert store.jobs() == []


def test_a_corpus_that_is_gone_fails_the_run(store: Store, tmp_path: Path) -> None:
    task = Task("Which?", "c-000000000000", root_model=script_file(tmp_path, [LOOK]), helper_model="demo")
    view = answer_now(store, task)
    assert view.outcome == "failed"


def test_an_archive_without_text_says_why_file_by_file(store: Store, tmp_path: Path) -> None:
    (tmp_path / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    with pytest.raises(CorpusError, match=r"photo\.png: unsupported"):
        load_archive(store, tmp_path / "photo.png")


def test_the_conversation_survives_the_way_through_the_store(store: Store, tmp_path: Path) -> None:
    view = answer_now(store, new_task(store, script_file(tmp_path, [LOOK, ANSWER])))
    last = [node.id for node in view.nodes.values() if isinstance(node.started, ev.CallStarted)][-1]
    assert [message.role for message in view.prompt(last)] == ["system", "user", "assistant", "user"]


def test_ask_answers_in_a_notebook(tmp_path: Path) -> None:
    (tmp_path / "rooms.txt").write_text("Room A12: wet.\n")
    model = script_file(tmp_path, [LOOK.replace("[doc.path for doc in context]", "context"), ANSWER])
    run = ask(tmp_path / "rooms.txt", "Which rooms are wet?", model=model, home=tmp_path / "home")
    assert run.answer
    assert (run.outcome, run.answer.text) == ("answered", "done")
