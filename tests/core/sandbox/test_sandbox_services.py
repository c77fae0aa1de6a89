import threading
import time

import pytest
from sandboxes import Echo

from rlm_core.errors import SandboxError
from rlm_core.sandbox.in_flight import InFlight


def test_a_failed_call_is_false_and_no_text(sandbox):
    child = sandbox()
    result = child.execute("r = llm_query('fail')\n(bool(r), r.error, str(r), isinstance(r, str))")
    assert result.output == "(False, 'no reply to fail', '<call failed: no reply to fail>', False)\n"
    assert child.execute("type(llm_query('x')) is str").output == "True\n"


def test_a_batch_comes_back_in_order_with_failures_in_their_place(sandbox):
    services = Echo()
    child = sandbox(services=services)
    result = child.execute("llm_query_batched([context[1], 'fail', 'c'], model='m')")
    assert result.output == "['re: Nothing of interest. 💡\\n', <call failed: no reply to fail>, 're: c']\n"
    assert services.asked == [
        ("llm_query", {"prompts": ["Nothing of interest. 💡\n", "fail", "c"], "model": "m"}),
    ]
    assert child.execute("llm_query_batched([]), llm_query_batched(str(n) for n in range(2))").output == (
        "([], ['re: 0', 're: 1'])\n"
    )


def document(path: str, text: str) -> dict[str, str]:
    return {"$type": "document", "path": path, "kind": "text", "value": text}


def test_children_are_asked_with_their_context(sandbox):
    two, three = ("mail/two.txt", "Nothing of interest. 💡\n"), ("notes/three.md", "The ship came back.")
    services = Echo()
    child = sandbox(services=services)
    child.execute(
        "rlm_query('sum up', context[0])\nrlm_query_batched(['a', 'b', 'c'], [context[1:], {'k': 1}, context])"
    )
    assert [arguments["prompts"] for _, arguments in services.asked] == [
        [{"prompt": "sum up", "context": document("mail/one.txt", "Anna met Béla.\nThe ship left on Friday.\n")}],
        [
            {"prompt": "a", "context": [document(*two), document(*three)]},
            {"prompt": "b", "context": {"k": 1}},
            {"prompt": "c", "context": {"$type": "context"}},
        ],
    ]


def test_findings_searches_and_the_budget_reach_the_host(sandbox):
    services = Echo()
    child = sandbox(services=services)
    result = child.execute(
        "record(1, 'yes', context[0][:4], context[0], note=2.5)\nbudget()['calls'], search('ship', 2)[1]['text']"
    )
    assert result.output == "({'used': 1, 'left': 9}, 'ship')\n"
    finding = {"item": "1", "label": "yes", "quote": "Anna", "source": "mail/one.txt", "note": "2.5"}
    assert services.asked == [("record", finding), ("budget", {}), ("search", {"query": "ship", "k": 2})]


def test_only_what_is_offered_is_there(sandbox):
    child = sandbox(functions=frozenset({"llm_query"}))
    result = child.execute("search('x')")
    assert "There are: llm_query, llm_query_batched, SHOW_VARS, FINAL, FINAL_VAR, SUBMIT." in result.error
    forged = "import gc\nask = llm_query.__closure__[0].cell_contents\nask('record', {})"
    assert "record is not available here" in child.execute(forged).error


def test_an_error_of_the_host_is_an_error_in_the_cell_with_its_text(sandbox):
    child = sandbox()
    result = child.execute(
        "try:\n    llm_query('burst')\nexcept RuntimeError as error:\n    print(error)\nllm_query('burst')"
    )
    assert result.output == "the budget of this run is used up\n"
    assert result.error.endswith("RuntimeError: the budget of this run is used up")


def test_a_reply_that_json_cannot_hold_is_an_error_in_the_cell(sandbox):
    class Odd(Echo):
        def serve(self, service, arguments):
            return object()

    assert "The reply could not be handed over" in sandbox(services=Odd()).execute("budget()").error


def test_many_threads_ask_at_once_and_each_gets_its_own_reply(sandbox):
    services = Echo()
    code = (
        "from concurrent.futures import ThreadPoolExecutor\n"
        "with ThreadPoolExecutor(40) as pool:\n"
        "    replies = list(pool.map(llm_query, [f'slow {n}' for n in range(80)]))\n"
        "all(reply == f're: slow {n}' for n, reply in enumerate(replies))"
    )
    started = time.monotonic()
    assert sandbox(services=services).execute(code).output == "True\n"
    assert services.most_at_once >= 30
    assert time.monotonic() - started < 5


def test_a_child_of_a_child_can_ask_while_its_parent_waits(sandbox):
    inner = sandbox()

    class Nested(Echo):
        def serve(self, service, arguments):
            result = inner.execute(f"llm_query({arguments['prompts'][0]!r})")
            return [{"text": result.output.strip()}]

    assert sandbox(services=Nested()).execute("llm_query('deep')").output == "\"'re: deep'\"\n"


def test_a_reply_that_comes_after_the_cell_is_dropped_quietly(sandbox):
    child = sandbox()
    code = "import threading, time\nthreading.Thread(target=llm_query, args=('slow',), daemon=True).start()\ntime.sleep(0.05)"
    assert child.execute(code).status == "ok"
    assert child.execute("import time\ntime.sleep(0.5)\nllm_query('next')").output == "'re: next'\n"


def test_threads_of_an_ended_cell_are_refused_while_no_cell_runs(sandbox):
    services = Echo()
    child = sandbox(services=services)
    code = (
        "import threading, time\nseen = []\n"
        "def later():\n    time.sleep(0.2)\n    try:\n        llm_query('late')\n    except RuntimeError as error:\n"
        "        seen.append(str(error))\n"
        "threading.Thread(target=later, daemon=True).start()"
    )
    child.execute(code)
    time.sleep(0.4)
    assert child.execute("seen").output.startswith("['The cell that asked has ended")
    assert services.asked == []


@pytest.mark.parametrize("request_", ["llm_query('x')", "rlm_query('x')", "search('x')[0]"])
def test_the_clock_stops_while_the_cell_waits_for_models_or_a_search(sandbox, request_):
    class Slow(Echo):
        def serve(self, service, arguments):
            time.sleep(1.0)
            return [{"text": "done"}]

    child = sandbox(services=Slow(), limits={"timeout_s": 0.5})
    assert "done" in child.execute(request_).output
    assert child.execute(f"{request_}\nwhile True: pass").status == "timeout"


@pytest.mark.parametrize("request_", ["budget()", "record('ship', 'left')"])
def test_waiting_for_anything_else_is_time_of_the_cell(sandbox, request_):
    class Slow(Echo):
        def serve(self, service, arguments):
            time.sleep(0.3)
            return super().serve(service, arguments)

    child = sandbox(services=Slow(), limits={"timeout_s": 0.5})
    assert child.execute(f"llm_query('x')\n{request_}").status == "ok"
    result = child.execute(f"while True: {request_}")
    assert result.status == "timeout"
    assert "waiting for models does not count" in result.error


def test_a_request_for_which_no_thread_can_be_started_is_refused_in_words(sandbox):
    child = sandbox()
    usual = threading.stack_size(1 << 47)  # no address space has room for such a stack
    try:
        result = child.execute("try:\n    llm_query('x')\nexcept RuntimeError as error:\n    print(error)")
    finally:
        threading.stack_size(usual)
    assert result.output == (
        "The program has no thread left for this request (can't start new thread). Ask for fewer things at once.\n"
    )
    assert child.execute("llm_query('x')").output == "'re: x'\n"


def test_the_bytes_of_requests_in_flight_are_bounded_together():
    in_flight = InFlight(max_bytes=100)
    assert in_flight.refusal(100) is None
    in_flight.begin(60)
    in_flight.begin(30)
    assert in_flight.refusal(10) is None
    assert in_flight.refusal(11) == (
        "This request has 11 bytes, and 90 bytes of other requests are not answered yet; together at most 100 are "
        "allowed. Wait for replies before asking more, or send less."
    )
    in_flight.end(60)
    assert in_flight.refusal(11) is None


def test_requests_hold_their_bytes_until_they_are_answered(sandbox):
    gate = threading.Event()

    class Waiting(Echo):
        def serve(self, service, arguments):
            gate.wait(20)
            return super().serve(service, arguments)

    child = sandbox(services=Waiting())
    child.execute(
        "import threading, time\nfor n in range(3): threading.Thread(target=llm_query, args=('x' * 1_000_000,), daemon=True)"
        ".start()\ntime.sleep(0.2)"
    )
    assert child._in_flight.requests == 3
    assert 3_000_000 < child._in_flight.bytes < 3_010_000
    gate.set()
    assert child.execute("llm_query('end')").output == "'re: end'\n"
    assert (child._in_flight.requests, child._in_flight.bytes) == (0, 0)


def test_more_requests_than_threads_are_refused_with_advice(sandbox):
    gate = threading.Event()

    class Waiting(Echo):
        def serve(self, service, arguments):
            gate.wait(20)
            return {}

    code = (
        "import socket, json, struct, gc\n"
        "line = next(o for o in gc.get_objects() if type(o).__name__ == 'Line')\n"
        "for n in range(1100):\n    line.channel.send({'ask': 10_000 + n, 'service': 'budget', 'arguments': {}})\n"
        "try:\n    budget()\nexcept RuntimeError as error:\n    print(error)"
    )
    result = sandbox(services=Waiting()).execute(code)
    gate.set()
    assert result.output.startswith("More than 1,024 requests at once")


DONE = "{'status': 'ok', 'variables': [], 'skipped': SKIPPED, 'tail': '', 'replaced': 0}"


@pytest.mark.parametrize(
    "message",
    [
        "{'ask': 'x'}",
        "{'ask': 10**400, 'service': 'budget', 'arguments': {}}",
        "{'ask': 1, 'service': 2, 'arguments': 3}",
        "{'nobody': 1}",
        "{'done': {}}",
        "{'done': {}, 'cell': 1}",
        f"{{'done': {DONE.replace('SKIPPED', '0')}, 'cell': 2}}",
        f"{{'done': {DONE.replace('SKIPPED', '0')}}}",
        f"{{'done': {DONE.replace('SKIPPED', '10**400')}, 'cell': 1}}",
        f"{{'done': {DONE.replace('SKIPPED', '2**53')}, 'cell': 1}}",
        f"{{'done': {DONE.replace('SKIPPED', 'True')}, 'cell': 1}}",
    ],
)
def test_a_cell_that_breaks_the_line_is_ended(sandbox, message):
    code = f"line = next(o for o in gc.get_objects() if type(o).__name__ == 'Line')\nline.channel.send({message})"
    result = sandbox().execute(f"import gc\n{code}\nwhile True: pass")
    assert result.status == "killed"
    assert "broke the line" in result.error


def test_an_end_told_twice_is_not_the_end_of_the_next_cell(sandbox):
    child = sandbox()
    forge = (
        "import gc\nline = next(o for o in gc.get_objects() if type(o).__name__ == 'Line')\n"
        f"line.channel.send({{'done': {DONE.replace('SKIPPED', '0')}, 'cell': 1}})"
    )
    assert child.execute(forge).status == "ok"
    assert "the end of a cell that is not running" in why_it_was_lost(child, "print('the next one')")


def why_it_was_lost(child, code):
    try:
        return child.execute(code).error
    except SandboxError as error:  # the child was gone before the cell began
        return str(error)


def test_a_variable_longer_than_a_number_can_say_has_no_size(sandbox):
    child = sandbox()
    sizes = {row["name"]: row["size"] for row in child.execute("a = range(2**53 - 1)\nb = range(2**53)").variables}
    assert sizes == {"a": 2**53 - 1, "b": None}
