import pytest

from rlm_core.errors import SandboxError
from rlm_core.sandbox.contract import ContextFiles
from rlm_core.sandbox.host import Sandbox


def by_name(result):
    return {row["name"]: row for row in result.variables}


def test_variables_stay_from_cell_to_cell_and_the_last_value_is_echoed(sandbox):
    child = sandbox()
    assert child.execute("a = 20\ndef double(x): return 2 * x").status == "ok"
    result = child.execute("print('first')\ndouble(a) + 2")
    assert (result.status, result.output, result.output_chars, result.error) == ("ok", "first\n42\n", 9, None)
    assert child.execute("None").output == ""
    assert child.execute("'just text'").output == "'just text'\n"
    assert child.execute("").status == "ok"


def test_output_and_errors_are_one_text_in_order_with_unicode(sandbox):
    code = (
        "import sys, os\nprint('é💡')\nprint('err', file=sys.stderr)\nsys.stdout.buffer.write(b'raw\\n')\nprint('end')"
    )
    assert sandbox().execute(code).output == "é💡\nerr\nraw\nend\n"


def test_output_written_below_python_is_captured_too(sandbox):
    child = sandbox()
    assert child.execute(
        "import os\nprint('before', flush=True)\n_ = os.write(1, b'low\\n'), os.write(2, b'err\\n')"
    ).output == ("before\nlow\nerr\n")
    flood = child.execute("block = b'x' * 65536\nfor _ in range(300):\n    _ = os.write(1, block)\nprint('end')")
    assert flood.output_chars == 300 * 65536 + 4
    assert flood.output.endswith("xxend\n")
    assert len(flood.output) < 1_000_100
    assert child.execute("os.close(1); os.close(2)\nprint('x')").status == "failed"


def test_a_traceback_shows_the_lines_of_the_cell(sandbox):
    child = sandbox()
    child.execute("import json\n\ndef parse(text):\n    return json.loads(text)")
    result = child.execute("rows = []\nparse('{oops')")
    assert result.status == "failed"
    assert result.error.splitlines()[:6] == [
        "Traceback (most recent call last):",
        "  cell 2, line 2",
        "    parse('{oops')",
        "  cell 1, line 4, in parse",
        "    return json.loads(text)",
        "  json/decoder.py, line 353, in raw_decode",
    ]
    assert result.error.splitlines()[-1].startswith("json.decoder.JSONDecodeError: Expecting property name")


def test_variables_assigned_before_an_error_are_kept(sandbox):
    child = sandbox()
    result = child.execute("kept = 7\n1 / 0\nnever = 8")
    assert result.error.endswith("ZeroDivisionError: division by zero")
    assert list(by_name(result)) == ["kept"]
    assert child.execute("kept").output == "7\n"


def test_causes_and_notes_and_deep_recursion_are_shown_shortly(sandbox):
    child = sandbox()
    cause = child.execute(
        "try:\n    {}['k']\nexcept KeyError as error:\n    raise ValueError('bad row') from error"
    ).error
    assert (
        cause.index("KeyError: 'k'") < cause.index("This was the direct cause of:") < cause.index("ValueError: bad row")
    )
    deep = child.execute("def f(n): return f(n + 1)\nf(0)").error
    assert "more steps not shown" in deep
    assert len(deep) < 3_000
    assert "two\n" in child.execute("e = ValueError('one')\ne.add_note('two')\nraise e").error + "\n"


def test_a_syntax_error_shows_the_line_and_where(sandbox):
    result = sandbox().execute("x = 1\nif True:\n    y = = 2")
    assert result.error == "  cell 1, line 3\n    y = = 2\n        ^\nSyntaxError: invalid syntax"


@pytest.mark.parametrize(
    "code", ["x = '\0'", "return 5", "x = '" + "(" * 300, "(" * 300 + ")" * 300, "1 if" * 3, "\tx = 1\n  y"]
)
def test_code_that_cannot_be_compiled_is_an_error_of_the_cell(sandbox, code):
    child = sandbox()
    result = child.execute(code)
    assert result.status == "failed"
    assert "Error" in result.error
    assert child.execute("1").output == "1\n"


@pytest.mark.parametrize(
    ("code", "advice"),
    [
        (
            "rlm_query_batch(['x'])",
            "there is no function rlm_query_batch here. There are: llm_query, llm_query_batched",
        ),
        ("import requests", "only Python's standard library"),
        ("open('/etc/passwd')", "Everything to work on is in `context`"),
        ("import re\nre.findall('x', context)", "for document in context: re.findall(pattern, document)"),
        ("context.split()", "str(context).split(...)"),
        ("input('?')", "nobody can type here"),
        ("await llm_query('x')", "call them without await"),
        ("llm_query_batched('x')", "Use llm_query(prompt)"),
        ("llm_query(['x'])", "llm_query_batched"),
        ("llm_query('fail').strip()", "check `if reply:`"),
        ("import json\njson.loads(llm_query('fail'))", "check `if reply:`"),
        ("llm_query('x' + llm_query('fail'))", "check `if reply:`"),
        ("record('a', llm_query('fail'))", "Check `if reply:`"),
        ("FINAL_VAR('nothing')", "Your variables: none yet"),
        ("async def main(): pass\nimport asyncio\nawait asyncio.sleep(0)\nasyncio.run(main())", "write `await main()`"),
    ],
)
def test_known_mistakes_get_advice(sandbox, code, advice):
    result = sandbox().execute(code)
    assert result.status == "failed"
    assert advice in result.error


@pytest.mark.parametrize(
    "code", ["exit()", "quit(3)", "import sys\nsys.exit(1)", "raise SystemExit", "raise KeyboardInterrupt"]
)
def test_a_cell_cannot_end_the_child_by_leaving(sandbox, code):
    child = sandbox()
    result = child.execute("kept = 1\n" + code)
    assert result.status == "failed"
    assert "KeyboardInterrupt" in result.error or "the variables stay" in result.error
    assert child.execute("kept").output == "1\n"


def test_await_works_at_top_level_and_inside_asyncio_run(sandbox):
    child = sandbox()
    code = (
        "import asyncio\n"
        "replies = await asyncio.gather(*[asyncio.to_thread(llm_query, str(n)) for n in range(5)])\n"
        "await asyncio.sleep(0.01)\n"
        "replies[4]"
    )
    assert child.execute(code).output == "'re: 4'\n"
    assert child.execute("async def main():\n    return 5\nasyncio.run(main())").output == "5\n"


def test_new_and_changed_variables_are_listed_with_type_size_and_preview(sandbox):
    child = sandbox()
    first = child.execute(
        "import re\nrows = [1, 2]\nname = 'Anna'\n_hidden = 1\ndef f(a): return a\nnested = {'a': []}\nn = 5"
    )
    assert by_name(first) == {
        "rows": {"name": "rows", "type": "list", "size": 2, "preview": "[1, 2]", "change": "new"},
        "name": {"name": "name", "type": "str", "size": 4, "preview": "'Anna'", "change": "new"},
        "f": {"name": "f", "type": "function", "size": None, "preview": "def f(a)", "change": "new"},
        "nested": {"name": "nested", "type": "dict", "size": 1, "preview": "{'a': []}", "change": "new"},
        "n": {"name": "n", "type": "int", "size": None, "preview": "5", "change": "new"},
    }
    second = child.execute("rows.append(3)\nnested['a'].append(1)\nname = 'Anna'\nn += 1")
    assert {name: row["change"] for name, row in by_name(second).items()} == {
        "rows": "changed",
        "nested": "changed",
        "n": "changed",
    }
    assert child.execute("rows[0]").variables == ()


def test_the_table_of_variables_is_shown_as_it_is(sandbox):
    child = sandbox()
    assert child.execute("SHOW_VARS()").output == "no variables yet\n"
    child.execute("rows = [1, 2]\nname = 'Anna'")
    assert child.execute("print(SHOW_VARS())").output == "rows  list  2  [1, 2]\nname  str   4  'Anna'\n"
    assert child.execute("SHOW_VARS()").output == "rows  list  2  [1, 2]\nname  str   4  'Anna'\n"


def test_reserved_names_are_restored_and_the_cell_is_told(sandbox):
    child = sandbox()
    result = child.execute("context = 'mine'\ndel question\nllm_query = None\nfor record in range(2): pass")
    assert result.output.splitlines() == [
        "[llm_query was reassigned; it holds the original again]",
        "[record was reassigned; it holds the original again]",
        "[question was reassigned; it holds the original again]",
        "[context was reassigned; it holds the original again]",
    ]
    assert child.execute("len(context), question, llm_query('x')").output == "(3, 'Which ship?', 're: x')\n"


def test_reading_the_context_is_noticed(sandbox):
    child = sandbox()
    assert not child.execute("x = 1").touched_context
    assert child.execute("def reader(): return context[0]").touched_context
    assert not child.execute("x = 2").touched_context
    assert child.execute("reader()").touched_context
    assert child.execute("search('ship')").touched_context
    single = sandbox([("a.txt", "only one")])
    assert single.execute("[c for c in context][:2]").output == "['o', 'n']\n"
    assert single.execute("len(context)").touched_context


def test_lone_surrogates_are_replaced_and_counted_wherever_they_go_out(sandbox):
    child = sandbox()
    assert child.execute("print('a\\ud800b')").output == "a\ufffdb\n"
    result = child.execute("print('\\ud800')\nx = 'y\\udfff'\nllm_query('z\\ud800')\nFINAL('\\ud800')")
    assert result.answer["text"] == "\ufffd"
    assert result.replaced >= 4
    assert result.status == "ok"


def test_hashes_and_random_numbers_are_the_same_in_every_child(sandbox):
    code = "import random\n(random.random(), hash('a'), list({'x', 'y', 'z'}))"
    assert sandbox().execute(code).output == sandbox().execute(code).output


def test_much_of_the_standard_library_works(sandbox):
    code = (
        "import sqlite3, csv, statistics, datetime, difflib, collections, decimal, zoneinfo, hashlib, threading, ssl, uuid\n"
        "import email, html, xml.etree.ElementTree, textwrap, unicodedata, dataclasses, pickle, logging, zlib, lzma, bz2\n"
        "from concurrent.futures import ThreadPoolExecutor\n"
        "db = sqlite3.connect(':memory:')\n"
        "with ThreadPoolExecutor(20) as pool: squares = list(pool.map(lambda n: n * n, range(50)))\n"
        "@dataclasses.dataclass\nclass Row:\n    a: int\n"
        "(db.execute('select 1 + 1').fetchone(), squares[-1], pickle.loads(pickle.dumps(Row(1))), "
        "str(zoneinfo.ZoneInfo('Europe/Vienna')), open('/dev/null', 'w').write('x'))"
    )
    assert sandbox().execute(code).output == "((2,), 2401, Row(a=1), 'Europe/Vienna', 1)\n"


def test_a_context_that_is_not_there_is_said_in_plain_words(tmp_path, sandbox):
    missing = ContextFiles(tmp_path / "no", tmp_path / "no.json")
    with pytest.raises(SandboxError, match=r"could not be started: .*No such file"):
        Sandbox(missing, None, sandbox()._limits).start()


def test_a_context_that_is_no_utf8_is_said_in_plain_words(tmp_path, sandbox):
    limits = sandbox([("a", "xyz")])._limits
    files = ContextFiles(tmp_path / "context.txt", tmp_path / "context.json")
    files.text.write_bytes(b"\xff\xfe\xfd")
    with pytest.raises(SandboxError, match="UnicodeDecodeError"):
        Sandbox(files, None, limits).start()
