import copy
import json
import os
import re
from pathlib import Path

import pytest
from sandboxes import write_context

from rlm_core.sandbox.context import Context, Use, load
from rlm_core.sandbox.document import Document


def loaded(tmp_path, documents, max_text_bytes=50_000_000):
    files = write_context(tmp_path, documents)
    use = Use()
    descriptors = [os.open(path, os.O_RDONLY) for path in (files.text, files.index)]
    return load(*descriptors, use, max_text_bytes), use


@pytest.fixture
def context(tmp_path):
    documents = [("mail/one.txt", "Anna met Béla.\n"), ("mail/two.txt", "Lamp 💡 off"), ("b/one.txt", "ship")]
    return loaded(tmp_path, documents)[0]


def test_one_document_is_a_text_that_knows_where_it_is_from(tmp_path):
    context, _ = loaded(tmp_path, [("a.txt", "Béla 💡")])
    assert isinstance(context, str)
    assert (context, hash(context), context.path, context.kind) == ("Béla 💡", hash("Béla 💡"), "a.txt", "text")
    assert (context + "!", json.dumps(context), {context: 1}["Béla 💡"]) == (
        "Béla 💡!",
        '"B\\u00e9la \\ud83d\\udca1"',
        1,
    )
    assert copy.deepcopy(context).path == "a.txt"


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
    assert context[0].kind == "text"
    assert context.paths == ["mail/one.txt", "mail/two.txt", "b/one.txt"]
    assert context[0].split() == ["Anna", "met", "Béla."]
    assert json.dumps(list(context[2:])) == '["ship"]'


def test_slices_are_contexts_of_their_own(context):
    assert context[:2] == context[:2] != context[1:]
    assert context[1:] == ["Lamp 💡 off", "ship"]
    assert (context[::2].paths, context[-1:].paths) == (["mail/one.txt", "b/one.txt"], ["b/one.txt"])
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
    with pytest.raises(ValueError, match=r"52,000,000 bytes; at most 50,000,000 .* for document in context"):
        str(context)


def test_every_way_to_read_is_noticed(tmp_path):
    context, use = loaded(tmp_path, [("a", "x"), ("b", "y")])
    for read in (len, list, str, repr, lambda c: c[0], lambda c: c[:1], lambda c: "x" in c, lambda c: c.paths):
        use.touched = False
        read(context)
        assert use.touched


def test_it_is_a_dict_from_paths_to_documents_for_code_that_takes_it_for_one(context):
    assert list(context.keys()) == context.paths
    assert {path: len(text) for path, text in context.items()} == {
        "mail/one.txt": 15,
        "mail/two.txt": 10,
        "b/one.txt": 4,
    }
    assert dict(context)["b/one.txt"] == "ship"
    assert (context.get("two.txt"), context.get("three.txt", "none")) == ("Lamp 💡 off", "none")


def test_a_text_is_counted_in_all_documents_and_a_document_is_found_by_its_text(context):
    assert (context.count("o"), context.count("absent"), context.index("ship")) == (1, 0, 2)
    with pytest.raises(ValueError, match=r"enumerate\(context\) if text in document"):
        context.index("Lamp")


def test_thousands_of_documents_are_found_by_path_one_after_the_other(tmp_path):
    context, _ = loaded(tmp_path, [(f"{number}.txt", str(number)) for number in range(20_000)])
    assert all(context[path] == path.removesuffix(".txt") for path in context.paths)


WIDTHS = ["plain text 1\n", "Käfer über Straße\n", "Съешь ещё 天地\n", "lamp 💡 off\n", "天" * 500]


@pytest.mark.parametrize("line", WIDTHS)
@pytest.mark.parametrize("others", [[], [("b.txt", "é")]])
def test_a_document_that_is_too_large_for_one_text_comes_in_parts(tmp_path, line, others):
    text = "ab" * 3_001 + line * 500 + "c"
    context, _ = loaded(tmp_path, [("a/large.txt", text), *others], max_text_bytes=5_000)
    parts = context["large.txt"]
    assert isinstance(parts, Context)
    assert "".join(parts) == text
    assert {part.path for part in parts} == {"a/large.txt"}
    assert all(isinstance(part, Document) and len(part.encode()) <= 500 for part in parts)
    assert context.paths == ["a/large.txt", *(path for path, _ in others)]
    assert list(context) == [*parts, *(text for _, text in others)]
    assert (context.chars, parts.chars) == (len(text) + len(others), len(text))
    assert str(parts[2:5]) == "".join(parts[2:5])
    assert str(parts[2:5:2]) == "\n".join(parts[2:5:2])


def test_parts_end_at_line_ends_where_there_are_some(tmp_path):
    context, _ = loaded(tmp_path, [("a.txt", "one line of text\n" * 1_000)], max_text_bytes=5_000)
    assert len(context) == 35
    assert all(part.endswith("text\n") for part in context)


def test_a_large_text_is_held_once(sandbox):
    size = 45_000_000
    child = sandbox([("a.txt", "Kafer 12\n" * (size // 9))])
    assert child.execute("len(context)").output == f"{size}\n"
    status = Path(f"/proc/{child.pid}/status").read_text()
    assert int(re.search(r"RssAnon:\s+(\d+)", status).group(1)) * 1024 < 1.5 * size


def test_a_text_that_is_too_large_takes_no_more_memory_than_its_parts(sandbox):
    size = 60_000_000
    child = sandbox([("a.txt", "Käfer 12\n" * (size // 10))])
    assert child.execute("sum(map(len, context))").output == f"{size // 10 * 9}\n"
    status = Path(f"/proc/{child.pid}/status").read_text()
    assert int(re.search(r"RssAnon:\s+(\d+)", status).group(1)) * 1024 < 0.6 * size


def test_a_file_that_is_shorter_than_its_table_says_is_an_error(tmp_path):
    files = write_context(tmp_path, [("a.txt", "x" * 100)])
    os.truncate(files.text, 50)
    with pytest.raises(ValueError, match="ends at byte 50, before its last document does"):
        load(os.open(files.text, os.O_RDONLY), os.open(files.index, os.O_RDONLY), Use(), 1_000)
