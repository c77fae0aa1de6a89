import pickle

import pytest

from rlm_core.sandbox.document import Document

TEXT = "Heading\nfirst page\nsecond page\n"
UNITS = ["page", ["1", 8, 18], ["2", 19, 30]]


@pytest.fixture
def document():
    return Document(TEXT, "a.pdf", "pdf", UNITS)


def test_pages_are_texts_with_labels(document):
    assert document.unit_kind == "page"
    assert document.pages == ["first page", "second page"]
    assert [(page.label, page.start) for page in document.pages] == [("1", 8), ("2", 19)]
    assert document.pages["2"] == document.pages[1] == "second page"


def test_a_place_in_the_text_has_a_page_or_lies_between_two(document):
    assert [document.page_of(char) for char in (0, 8, 17, 18, 19, 29, 30, 99)] == [
        None, "1", "1", None, "2", "2", None, None,
    ]  # fmt: skip
    assert document.page_of(document.find("second")) == "2"


def test_a_document_without_pages_says_so():
    document = Document("text", "a.txt", "text")
    assert (document.unit_kind, document.pages, document.page_of(0)) == (None, [], None)
    with pytest.raises(IndexError, match=r"there is no pages\[0\]. This document is not made of pages"):
        document.pages[0]


def test_wrong_pages_are_answered_with_those_that_there_are(document):
    with pytest.raises(IndexError, match=r"pages\[0\] to pages\[1\], with the labels '1' to '2'"):
        document.pages[2]
    with pytest.raises(KeyError, match="no page has the label 'Prices'"):
        document.pages["Prices"]
    with pytest.raises(AttributeError, match=r"no .sheets: document.pages holds"):
        _ = document.sheets


def test_a_document_can_be_pickled_with_its_pages(document):
    again = pickle.loads(pickle.dumps(document))
    assert (again, again.path, again.pages["2"].start) == (TEXT, "a.pdf", 19)


class Keeping:
    """Keeps the contexts that helpers are given."""

    def __init__(self):
        self.contexts = []

    def serve(self, service, arguments):
        self.contexts += [each["context"] for each in arguments["prompts"]]
        return [{"text": "done"} for _ in arguments["prompts"]]


def test_cells_see_pages_and_hand_them_over_to_helpers(sandbox):
    services = Keeping()
    child = sandbox([("a.pdf", TEXT, UNITS), ("b.txt", "plain")], services)
    shown = child.execute("[page[:6] for page in context[0].pages], context['b.txt'].pages").output
    assert shown == "(['first ', 'second'], Pages([]))\n"
    child.execute("rlm_query('Which page?', context[:1])")
    assert services.contexts == [
        [{"$type": "document", "path": "a.pdf", "kind": "text", "value": TEXT, "units": UNITS}]
    ]


def test_one_document_with_pages_is_handed_over_by_name_only(sandbox):
    services = Keeping()
    child = sandbox([("a.pdf", TEXT, UNITS)], services)
    assert child.execute("context.pages['2'], context.page_of(9)").output == "('second page', '1')\n"
    child.execute("rlm_query('Which page?', context)")
    assert services.contexts == [{"$type": "context"}]
