import pytest

from rlm_core.corpus.handed_over import corpus_of, parts_of
from rlm_core.corpus.units import Unit, Units, claimed

GOOD = ["page", ["1", 0, 4], ["2", 5, 9]]


def test_units_that_code_hands_over_become_those_of_the_new_corpus(tmp_path):
    given = [{"$type": "document", "path": "a.pdf", "kind": "pdf", "value": "one\ntwo\nthree", "units": GOOD}]
    corpus = corpus_of(parts_of(given), tmp_path)
    assert corpus.documents[0].units == Units("page", (Unit("1", 0, 4), Unit("2", 5, 9)))


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        "page",
        [],
        ["page"],
        ["secret", ["1", 0, 4]],
        [["page"], ["1", 0, 4]],
        ["page", ["1", 0]],
        ["page", "1"],
        ["page", [1, 0, 4]],
        ["page", ["1", 0, 400]],
        ["page", ["1", -1, 4]],
        ["page", ["1", 4, 0]],
        ["page", ["1", 0, 4], ["2", 3, 9]],
        ["page", ["1", 0.0, 4]],
        ["page", ["1", True, 4]],
    ],
)
def test_units_that_cannot_be_are_left_out(wrong):
    assert claimed(wrong, chars=20) is None
    assert claimed(GOOD, chars=20) is not None
