import json
import os
import re
from pathlib import Path

import pytest
from sandboxes import write_context

from rlm_core.sandbox.context import Context, Document, Touched, load


def loaded(tmp_path, documents):
    files = write_context(tmp_path, documents)
    touched = Touched()
    descriptors = [os.open(path, os.O_RDONLY) for path in (files.text, files.index)]
    return load(*descriptors, touched), touched


@pytest.fixture
def context(tmp_path):
    documents = [("mail/one.txt", "Anna met Béla.\n"), ("mail/two.txt", "Lamp 💡 off"), ("b/one.txt", "ship")]
    return loaded(tmp_path, documents)[0]


def test_one_document_is_a_plain_text(tmp_path):
    context, _ = loaded(tmp_path, [("a.txt", "Béla 💡")])
    assert type(context) is str
    assert context == "Béla 💡"


def test_an_empty_document_and_no_document_can_be_held(tmp_path):
    assert loaded(tmp_path, [("a.txt", "")])[0] == ""
    nothing, _ = loaded(tmp_path, [])
    assert (len(nothing), list(nothing), str(nothing)) == (0, [], "")


def test_many_documents_are_a_list_of_texts_that_know_where_they_are_from(context):
    assert isinstance(context, Context)
    assert len(context) == 3
    assert [type(each) for each in context] == [Document] * 3
    assert context[1] == "Lamp 💡 off"
    assert context[-1].path == "b/one.txt"
    assert (context[0].kind, context[0].pages) == ("text", None)
    assert context.paths == ["mail/one.txt", "mail/two.txt", "b/one.txt"]
    assert context[0].split() == ["Anna", "met", "Béla."]
    assert json.dumps(list(context[2:])) == '["ship"]'


def test_slices_are_contexts_of_their_own(context):
    part = context[1:]
    assert (len(part), part.paths, part[0].path) == (2, ["mail/two.txt", "b/one.txt"], "mail/two.txt")
    assert "Anna" not in part
    assert "ship" in part


def test_documents_are_found_by_path_and_by_the_end_of_a_path_if_it_is_only_one(context):
    assert context["mail/one.txt"] == "Anna met Béla.\n"
    assert context["two.txt"].path == "mail/two.txt"
    with pytest.raises(KeyError, match=r"2 documents end in 'one\.txt'"):
        context["one.txt"]
    with pytest.raises(KeyError, match=r"no document has the path 'ONE.TX'. There are, for example: 'mail/one.txt'"):
        context["ONE.TX"]


def test_in_searches_the_text_of_documents_and_never_across_two(context):
    assert "Béla" in context
    assert "💡" in context
    assert "mail/one.txt" in context
    assert "Carl" not in context
    assert "Béla.\nLamp" not in context


def test_the_whole_is_one_text(context):
    assert str(context) == "Anna met Béla.\n\nLamp 💡 off\nship"
    assert "".join(context) == "Anna met Béla.\nLamp 💡 offship"
    assert repr(context) == "<context: 3 documents, 29 characters; context[0].path = 'mail/one.txt'>"


def test_the_whole_of_a_large_context_is_refused_with_advice(tmp_path):
    context, _ = loaded(tmp_path, [(str(number), "x" * 26_000_000) for number in range(2)])
    with pytest.raises(ValueError, match=r"52,000,000 bytes .* for document in context"):
        str(context)


@pytest.mark.parametrize(
    ("mistake", "advice"),
    [
        (lambda c: c.split("\n"), r"str\(context\)\.split"),
        (lambda c: c.find("x"), r"\[document\.find\(\.\.\.\) for document in context\]"),
        (lambda c: c.items(), r"context\.paths"),
        (lambda c: c.text, r"\.paths and \.chars"),
        (lambda c: c + "x", r"str\(context\)"),
        (lambda c: c[1.5], r"a number, a slice or a path, not float"),
        (lambda c: c[99], r"context\[0\] to context\[2\], not \[99\]"),
        (lambda c: 5 in c, r"int is none"),
        (lambda c: re.findall("x", c), r"got 'Context'"),
    ],
)
def test_usual_mistakes_get_advice(context, mistake, advice):
    with pytest.raises((AttributeError, TypeError, IndexError), match=advice):
        mistake(context)


def test_every_way_to_read_is_noticed(tmp_path):
    context, touched = loaded(tmp_path, [("a", "x"), ("b", "y")])
    for read in (len, list, str, repr, lambda c: c[0], lambda c: c[:1], lambda c: "x" in c, lambda c: c.paths):
        touched.yes = False
        read(context)
        assert touched.yes


WIDTHS = {
    "ascii": "plain text 1\n",
    "latin": "Käfer über Straße\n",
    "wide": "Съешь ещё 天地\n",
    "emoji": "lamp 💡 off\n",
}


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("many", [False, True])
def test_a_large_document_is_the_same_text_wherever_its_pieces_are_cut(tmp_path, width, many):
    text = "ab" * 3_000_001 + WIDTHS[width] * 500_000 + "c"
    documents = [("a.txt", text), ("b.txt", "é")] if many else [("a.txt", text)]
    context, _ = loaded(tmp_path, documents)
    document = context[0] if many else context
    assert document == text
    assert hash(document) == hash(text)
    assert document.isascii() == text.isascii()
    assert not many or context[1] == "é"


def test_a_large_text_is_never_held_twice(sandbox):
    size = 60_000_000
    child = sandbox([("a.txt", "Käfer 12\n" * (size // 10))])
    assert child.execute("len(context)").output == f"{size // 10 * 9}\n"
    status = Path(f"/proc/{child.pid}/status").read_text()
    assert int(re.search(r"VmHWM:\s+(\d+)", status).group(1)) * 1024 < 1.6 * size


def test_a_file_that_is_shorter_than_its_table_says_is_an_error(tmp_path):
    files = write_context(tmp_path, [("a.txt", "x" * 100)])
    os.truncate(files.text, 50)
    with pytest.raises(ValueError, match="ends at byte 50, before its document does"):
        load(os.open(files.text, os.O_RDONLY), os.open(files.index, os.O_RDONLY), Touched())
