"""The slot in the benchmark runs the whole product and says what came of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from openai_server import Canned, completion, failure, serving

from rlm_core.bench.run_ours import main
from rlm_core.store.store import Store

COUNT = "Next step.\n```repl\nn = len(context)\nprint('cell', n)\n```\n"
ASK = "Next step.\n```repl\nR = llm_query_batched(['classify %d' % i for i in range(3)])\n```\n"
END = 'Next step.\n```repl\nanswer["content"] = str(n) + R[2]\nanswer["ready"] = True\n```\n'


def arguments(folder: Path, url: str, *more: str) -> list[str]:
    context = folder / "context.txt"
    context.write_text("record 1\nrecord 2\n", encoding="utf-8")
    named = {
        "scenario": "smoke",
        "base-url": url,
        "root-model": "root-official.smoke.0.run1",
        "sub-model": "sub.0.run1",
        "context-file": str(context),
        "question": "Answer the question about the context.",
        "log-dir": str(folder / "log"),
        "out": str(folder / "out.json"),
    }
    return [part for name, value in named.items() for part in (f"--{name}", value)] + list(more)


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-a-benchmark-1234")


def said(folder: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((folder / "out.json").read_text(encoding="utf-8"))
    return found


def test_a_scenario_is_run_as_users_run_it_and_its_answer_comes_back_unchanged(tmp_path: Path) -> None:
    roots = iter([COUNT, ASK, END])

    def answer(body: dict[str, str], number: int) -> Canned:
        return completion(" yes" if body["model"] == "sub.0.run1" else next(roots))

    with serving(answer) as served:
        assert main(arguments(tmp_path, served.url, "--opts", '{"concurrency": 2}')) == 0
    out = said(tmp_path)
    assert (out["answer"], out["outcome"], out["ctx_len"]) == ("18 yes", "answered", 18)
    assert {"ready_s", "load_s", "run_s"} <= set(out)
    store = Store.open(tmp_path / "log" / "data")
    (run,) = store.runs()
    assert (run.calls, run.cells, run.outcome) == (6, 3, "answered")
    store.close()


def test_a_run_that_fails_says_why(tmp_path: Path) -> None:
    with serving(lambda body, number: failure(401, "no")) as served:
        assert main(arguments(tmp_path, served.url)) == 0
    out = said(tmp_path)
    assert "answer" not in out
    assert "failed" in str(out["error"])


def test_only_importing_makes_no_run(tmp_path: Path) -> None:
    assert main(arguments(tmp_path, "http://127.0.0.1:9/v1", "--import-only")) == 0
    assert set(said(tmp_path)) == {"ready_s"}
