import asyncio
import json
import time
from pathlib import Path

import pytest

from rlm_core.errors import CallError, TaskError
from rlm_core.lm.client import Reply, Request
from rlm_core.lm.scripted import ScriptedLM
from rlm_core.task import Message


def ask(lm: ScriptedLM, text: str = "hello", role: str = "root", turns: int = 0) -> Reply:
    history = tuple(Message("assistant", f"turn {number}") for number in range(turns))
    request = Request("scripted", (*history, Message("user", text)), role=role)  # type: ignore[arg-type]
    return asyncio.run(lm.complete(request))


def test_replies_come_in_order_and_every_request_is_kept():
    lm = ScriptedLM(["one", "two"])
    assert [ask(lm).text, ask(lm, "again").text] == ["one", "two"]
    assert [request.messages[-1].text for request in lm.requests] == ["hello", "again"]


def test_a_script_that_runs_out_says_so_instead_of_making_up_a_reply():
    lm = ScriptedLM(["only"])
    ask(lm)
    with pytest.raises(CallError, match="ran out: it holds 1 replies") as caught:
        ask(lm)
    assert caught.value.kind == "refused"


def test_each_role_has_its_own_script_and_a_function_sees_the_request():
    lm = ScriptedLM({"root": ["plan"], "sub": lambda request: f"{request.chars} characters"})
    assert ask(lm, "four", role="sub").text == "4 characters"
    assert ask(lm).text == "plan"
    with pytest.raises(CallError, match="no replies for the role judge"):
        ask(lm, role="judge")


def test_an_error_in_the_script_is_raised_and_the_retry_gets_the_next_item():
    lm = ScriptedLM(["one", CallError("slow down", "rate_limit"), "two"])
    ask(lm)
    with pytest.raises(CallError, match="slow down"):
        ask(lm, turns=1)
    assert ask(lm, turns=1).text == "two"


def test_a_resumed_conversation_goes_on_where_it_stood():
    lm = ScriptedLM([CallError("slow down", "rate_limit"), "one", "two", "three"])
    assert ask(lm, turns=2).text == "three"


def test_tokens_are_an_estimate_or_unknown_and_the_cost_is_known_to_be_nothing():
    estimated = ask(ScriptedLM(["12345678"]), "1234")
    assert estimated.usage is not None
    assert (estimated.usage.input_tokens, estimated.usage.output_tokens) == (1, 2)
    assert (estimated.cost_usd, estimated.cost_source) == (0.0, "free")
    assert ask(ScriptedLM(["text"], usage="none")).usage is None


def test_a_waiting_reply_is_cancelled_at_once():
    async def cancelled_after() -> float:
        task = asyncio.create_task(ScriptedLM(["late"], latency_s=30).complete(Request("scripted", ())))
        await asyncio.sleep(0.01)
        started = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return time.monotonic() - started

    assert asyncio.run(cancelled_after()) < 1


def test_many_calls_wait_side_by_side():
    async def took() -> float:
        lm = ScriptedLM(["reply"] * 50, latency_s=0.05)
        started = time.monotonic()
        await asyncio.gather(*(lm.complete(Request("scripted", ())) for _ in range(50)))
        return time.monotonic() - started

    assert asyncio.run(took()) < 1


def test_a_script_is_read_from_a_file(tmp_path: Path):
    file = tmp_path / "script.json"
    rules = [{"contains": "A12", "reply": "yes"}, {"contains": "K09", "reply": {"error": "timeout", "message": "60 s"}}]
    script = {
        "root": ["first", {"error": "rate_limit", "message": "later"}],
        "sub": {"default": "unknown", "rules": rules},
    }
    file.write_text(json.dumps(script), encoding="utf-8")
    lm = ScriptedLM.from_file(file)
    assert ask(lm, "Room A12", role="sub").text == "yes"
    assert ask(lm, "Room B07", role="sub").text == "unknown"
    with pytest.raises(CallError, match="60 s") as caught:
        ask(lm, "Room K09", role="sub")
    assert caught.value.maybe_paid
    assert ask(lm).text == "first"
    with pytest.raises(CallError, match="later"):
        ask(lm)


@pytest.mark.parametrize("text", ["no json", "[]", '{"root": [{"error": "nonsense"}]}', '{"root": [7]}'])
def test_a_file_that_is_no_script_is_refused_with_an_example(tmp_path: Path, text: str):
    file = tmp_path / "script.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(TaskError, match="It must be JSON such as"):
        ScriptedLM.from_file(file)
