"""What models write about `context` out of habit, each in a real sandbox: the answer is right, or says what to do instead."""

import pytest

MANY = [
    ("mail/one.txt", "Anna met Béla.\nThe ship left.\n"),
    ("mail/two.txt", "Nothing. 💡\n"),
    ("prices.csv", "item,price\nship,5\n"),
]
ONE = MANY[:1]
LARGE = [("big.log", "".join(f"line {number} ship\n" for number in range(400)))]
ON_EACH = "Use it on each: `for document in context"
NO_FILES = "a text is one as io.StringIO(text)"


@pytest.fixture
def said(sandbox):
    def run(documents, code):
        child = sandbox(documents, limits={"max_text_bytes": 2_000})
        result = child.execute(code)
        return result.output + (result.error or "")

    return run


@pytest.mark.parametrize(
    ("code", "answer"),
    [
        # taken for one text
        ("print(context[:1000])", "a slice of the list of documents, 3 of them, not of characters"),
        ("print(context[:1000])", "context[0][:1000]; of all as one text: str(context)[:1000]"),
        ("context[5000:6000]", "a slice of the list of documents, 0 of them"),
        ("print(f'{context[:20000]}')", "The ship left."),
        ('text = "\\n".join(context); len(text)', "61"),
        ("len(context), len(str(context)), context.chars", "(3, 61, 59)"),
        ("'ship' in context, 'zebra' in context, 'prices.csv' in context", "(True, False, True)"),
        ("import re; re.findall('ship', context)", ON_EACH),
        ("import re; re.search('ship', context[:2])", ON_EACH),
        ("import re; list(re.finditer('ship', context))", ON_EACH),
        ("context.split()", "[document.split(...) for document in context]"),
        ("context.strip().splitlines()", "str(context).strip(...)"),
        ("context.lower()", "[document.lower(...) for document in context]"),
        ("context.count('ship')", "2"),
        ("context.find('ship')", "[document.find(...) for document in context]"),
        ("context.index('ship')", "if text in document"),
        ("context + 'x'", "for one text use str(context)"),
        ("'Context: ' + context", "for one text use str(context)"),
        ("import json; json.loads(context)", ON_EACH),
        ("import io; io.StringIO(context)", ON_EACH),
        ("import io; [len(io.StringIO(d).readlines()) for d in context]", "[2, 1, 2]"),
        ("context.text", "All of it as one text is str(context)"),
        ("isinstance(context, str)", "False"),
        ("context == 'x', context[0] == 'Anna met Béla.\\nThe ship left.\\n'", "(False, True)"),
        ("llm_query(context)", "Put one document's text into it"),
        ("llm_query(f'Read: {context[:2]}')", "re: Read: Anna met"),
        # taken for a list or a dict of something else
        ("context['nope.txt']", "There are, for example: 'mail/one.txt'"),
        ("for path in context: context[path]", "its path is document.path"),
        ("for path, text in context.items(): print(path, len(text))", "prices.csv 18"),
        ("context[0]['text']", "the text is the document itself"),
        ("context[0].text", "its text is the document itself"),
        ("context[0][:4].path", "only the whole document knows its path"),
        ("context.documents", "context is a list of 3 documents"),
        ("context.append('x')", "a list of your own list(context)"),
        ("context[0] = 'x'", "A list of your own is list(context)"),
        ("context[99]", "context[0] to context[2], not [99]"),
        ("context[1.5]", "a number, a slice or a path, not float"),
        ("5 in context", "int is none"),
        ("import json; json.dumps(context)", "A list of your own is list(context)"),
        ("import json; len(json.loads(json.dumps(list(context))))", "3"),
        ("context[::2].paths, context[-1]", "(['mail/one.txt', 'prices.csv'], 'item,price"),
        ("sorted(context)[0], max(context, key=len).path", "mail/one.txt"),
        ("import random; len(random.sample(context, 2))", "2"),
        ("[d.path for d in context if 'ship' in d]", "['mail/one.txt', 'prices.csv']"),
        # taken for files
        ("open('mail/one.txt').read()", NO_FILES),
        ("from pathlib import Path; Path('mail/one.txt').read_text()", NO_FILES),
        ("open(context[0] * 500)", NO_FILES),
        ("import os; os.listdir('.')", NO_FILES),
    ],
)
def test_many_documents(said, code, answer):
    assert answer in said(MANY, code)


@pytest.mark.parametrize(
    ("code", "answer"),
    [
        ("print(context[:8])", "Anna met"),
        ("context.split()[:2], context.lower()[:4], len(context.strip().splitlines())", "(['Anna', 'met'], 'anna', 2)"),
        ("import re; [m.start() for m in re.finditer('[AB]', context)]", "[0, 9]"),
        ("isinstance(context, str), context == str(context), 'ship' in context", "(True, True, True)"),
        ("import io; io.StringIO(context).readline()", "'Anna met Béla.\\n'"),
        ("context + 'x', 'x' + context", "left.\\nx"),
        ("f'{context:.4}'", "'Anna'"),
        ("context.path, context.kind, context.pages, context.unit_kind", "('mail/one.txt', 'text', Pages([]), None)"),
        ("context['mail/one.txt']", "If `context` is one document, it is that text"),
        ("for document in context: document.path", "goes through its characters"),
        ("context.documents", "a document is a str and has no .documents"),
        ("for path, text in context.items(): pass", "a document is a str and has no .items"),
        ("context.pages[0]", "This document is not made of pages"),
        (
            "chunks = [context[i:i+10] for i in range(0, len(context), 10)]; len(chunks), type(chunks[0])",
            "(3, <class 'str'>)",
        ),
        ("import json; json.dumps({'text': context})", "Anna met"),
        ("import pickle; pickle.loads(pickle.dumps(context)).path", "'mail/one.txt'"),
        ("import hashlib; hashlib.md5(context.encode()).hexdigest()[:4]", "'"),
    ],
)
def test_one_document(said, code, answer):
    assert answer in said(ONE, code)


@pytest.mark.parametrize(
    ("code", "answer"),
    [
        ("context[0][:6]", "'line 0'"),
        ("print(context[:1000])", "Characters of one document: context[0][:1000]]"),
        ("str(context)", "Go through the documents instead: for document in context: ..."),
        ("'line 399' in context, 'line 400' in context", "(True, False)"),
        ("import re; sum(len(re.findall('ship', part)) for part in context)", "400"),
        ("len([line for part in context for line in part.splitlines()])", "400"),
        ("context.count('ship'), context.chars", "(400, 5490)"),
        ("context.splitlines()", "[document.splitlines(...) for document in context]"),
        ("context.paths, context['big.log'] == context", "(['big.log'], True)"),
        ("repr(context)[:11]", "'<context: 2"),
    ],
)
def test_one_document_that_is_too_large_for_one_text(said, code, answer):
    assert answer in said(LARGE, code)


def test_advice_on_a_slice_is_given_once_and_only_for_the_cell_that_took_it(sandbox):
    child = sandbox(MANY)
    assert child.execute("print(context[:500]); print(context[:900])").output.count("not of characters") == 1
    assert "not of characters" not in child.execute("print(context[:2])").output


def test_a_part_of_the_list_that_code_walks_through_needs_no_advice(sandbox):
    assert sandbox(MANY).execute("for each in context[:1000]: print(each.path)").output == (
        "mail/one.txt\nmail/two.txt\nprices.csv\n"
    )


def test_tables_of_pandas(sandbox):
    pytest.importorskip("pandas")
    child = sandbox(MANY, limits={"timeout_s": 120.0})
    child.execute("import io\nimport pandas as pd")
    for code, answer in (
        ("pd.read_csv(context)", ON_EACH),
        ("pd.read_csv(context['prices.csv'])", NO_FILES),
        ("pd.read_csv(io.StringIO(context['prices.csv'])).shape", "(1, 2)"),
        ("pd.DataFrame(context)", "a list of your own list(context)"),
        ("pd.DataFrame([{'path': d.path, 'text': d} for d in context]).shape", "(3, 2)"),
    ):
        result = child.execute(code)
        assert answer in result.output + (result.error or "")
