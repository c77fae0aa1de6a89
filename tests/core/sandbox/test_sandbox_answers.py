import pytest


@pytest.mark.parametrize(
    ("code", "value", "text", "how"),
    [
        ("answer['content'] = 'x'\nanswer['ready'] = True", "x", "x", "answer"),
        ("answer = {'content': 5, 'ready': True}", 5, "5", "answer"),
        ("FINAL('Béla 💡')", "Béla 💡", "Béla 💡", "FINAL"),
        ("FINAL({'a': [1, 'é']})", {"a": [1, "é"]}, '{\n "a": [\n  1,\n  "é"\n ]\n}', "FINAL"),
        ("r = (1, {2})\nFINAL(r)", (1, {2}), "(1, {2})", "FINAL"),
        ("r = 'found'\nFINAL_VAR('r')", "found", "found", "FINAL_VAR"),
        ("r = 'found'\nFINAL_VAR(r)", "found", "found", "FINAL_VAR"),
        ("FINAL_VAR(42)", 42, "42", "FINAL_VAR"),
        ("FINAL_VAR('two words')", "two words", "two words", "FINAL_VAR"),
        ("SUBMIT('x')", "x", "x", "SUBMIT"),
        ("SUBMIT(answer='x')", "x", "x", "SUBMIT"),
        ("SUBMIT(a=1, b=2)", {"a": 1, "b": 2}, '{\n "a": 1,\n "b": 2\n}', "SUBMIT"),
        ("FINAL(context[2])", "The ship came back.", "The ship came back.", "FINAL"),
        ("FINAL('x')\n1 / 0", "x", "x", "FINAL"),
    ],
)  # fmt: skip
def test_an_answer_is_taken_in_every_dialect(sandbox, code, value, text, how):
    child = sandbox()
    assert child.execute(code).answer == {"value": value, "text": text, "how": how}
    assert child.execute("1").answer is None


def test_a_long_answer_arrives_whole(sandbox):
    answer = sandbox().execute("FINAL('0123456789' * 7000)").answer
    assert answer["text"] == "0123456789" * 7000


def test_what_json_cannot_hold_is_marked(sandbox):
    answer = sandbox().execute("class Ship:\n    pass\nFINAL({'ship': Ship(), 'tonnage': float('nan')})").answer
    assert answer["value"]["ship"] == {"$type": "repr", "type": "Ship", "value": "<Ship>"}
    assert answer["value"]["tonnage"] != answer["value"]["tonnage"]


def test_content_alone_is_no_answer_and_stays_until_it_is_ready(sandbox):
    child = sandbox()
    assert child.execute("answer['content'] = 'draft'").answer is None
    assert child.execute("answer['ready'] = True").answer["text"] == "draft"
    assert child.execute("x = 1").answer is None


def test_a_text_in_place_of_the_answer_box_is_no_answer_and_gets_advice(sandbox):
    child = sandbox()
    result = child.execute("answer = 'the ship'")
    assert result.answer is None
    assert 'to finish: answer["content"] = ...; answer["ready"] = True' in result.output
    assert child.execute("answer['content']").output == "''\n"


def test_a_failed_call_is_no_answer(sandbox):
    result = sandbox().execute("FINAL(llm_query('fail'))")
    assert result.answer is None
    assert "a failed call is no answer" in result.error


def test_an_answer_whose_text_cannot_be_made_is_an_error_of_the_cell(sandbox):
    code = "class Bad:\n    def __str__(self): return 1 / 0\nanswer['content'] = Bad()\nanswer['ready'] = True"
    result = sandbox().execute(code)
    assert (result.status, result.answer) == ("failed", None)
    assert "ZeroDivisionError" in result.error


def test_an_answer_of_more_items_than_can_pass_is_an_error_of_the_cell(sandbox):
    child = sandbox()
    result = child.execute("rows = [0] * 2_000_001\nFINAL(rows)")
    assert (result.status, result.answer) == ("failed", None)
    assert "The answer is too large to hand over. This holds 2,000," in result.error
    assert child.execute("len(rows)").output == "2000001\n"


def test_a_message_of_many_small_things_ends_the_child_before_they_fill_the_host(sandbox):
    code = (
        "import gc, struct\nline = next(o for o in gc.get_objects() if type(o).__name__ == 'Line')\n"
        'body = b\'{"ask":1,"service":"budget","arguments":{"x":[\' + b\'[],\' * 5_000_000 + b\'1]}}\'\n'
        "line.channel._end.sendall(struct.pack('>I', len(body)) + body)\nwhile True: pass"
    )
    result = sandbox().execute(code)
    assert result.status == "killed"
    assert "broke the line to the program around it (a frame of 10,000,0" in result.error


FORGED = """
import gc, json, struct
line = next(o for o in gc.get_objects() if type(o).__name__ == "Line")
done = {"status": "ok", "interrupted": False, "error": None, "answer": None, "variables": [], "touched_context": True,
        "skipped": 0, "tail": "", "replaced": 0, **change}
body = json.dumps({"done": done, "cell": 1}).encode()
line.channel._end.sendall(struct.pack(">I", len(body)) + body)
while True: pass
"""


def test_an_answer_of_a_form_that_nobody_knows_ends_the_child_in_words(sandbox):
    code = f"change = {{'answer': {{'value': 1, 'text': '1', 'how': []}}}}{FORGED}"
    result = sandbox().execute(code)
    assert result.status == "killed"
    assert "broke the line" in result.error


def test_what_a_cell_says_of_its_variables_and_errors_is_cut_to_size(sandbox):
    row = "{'name': 'n' * 1_100, 'type': 't' * 1_100, 'size': None, 'preview': 'p' * 1_100, 'change': 'new'}"
    result = sandbox().execute(f"change = {{'error': 'e' * 1_000_000, 'variables': [{row}] * 10_050}}{FORGED}")
    assert len(result.variables) == 10_000
    assert {len(result.variables[0][part]) for part in ("name", "type", "preview")} == {1_000}
    assert "characters not kept" in result.error
    assert len(result.error) < 101_000


def test_an_answer_that_nobody_could_read_is_an_error_of_the_cell(sandbox):
    result = sandbox().execute("FINAL('x' * 10_000_001)")
    assert (result.status, result.answer) == ("failed", None)
    assert "The answer has 10,000,001 characters" in result.error
