import json
from collections import Counter, namedtuple
from datetime import date, datetime
from decimal import Decimal

import pytest

from rlm_core.sandbox.decoding import decode
from rlm_core.sandbox.values import as_text, encode

Point = namedtuple("Point", "x y")


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        3,
        1.5,
        "text",
        [1, [2, "x"]],
        {"a": {"b": [1]}},
        (1, (2, 3)),
        {1, 2},
        frozenset({"x"}),
        b"\x00\xff",
        {(1, 2): "pair", 3: "three"},
        {"$type": "tuple", "value": [1]},
        Decimal("1.10"),
        date(2026, 1, 2),
        datetime(2026, 1, 2, 3, 4, 5),
        pytest.param(10**5000, id="large int"),
        float("inf"),
    ],
)
def test_a_value_comes_back_as_itself(value):
    crossed = decode(json.loads(json.dumps(encode(value), allow_nan=False)))
    assert crossed == value
    assert type(crossed) is type(value)


def test_not_a_number_crosses_without_breaking_json():
    crossed = decode(json.loads(json.dumps(encode([float("nan")]), allow_nan=False)))
    assert crossed[0] != crossed[0]


def test_relatives_of_plain_types_cross_as_the_plain_type():
    assert decode(encode(Counter("aab"))) == {"a": 2, "b": 1}
    assert decode(encode(Point(1, 2))) == (1, 2)


def test_anything_else_crosses_marked_with_its_type_and_text():
    class Thing:
        def __init__(self):
            self.a = 1

    assert decode(encode([Thing()])) == [{"$type": "repr", "type": "Thing", "value": "Thing(a=1)"}]


def test_a_value_that_holds_itself_ends():
    loop = [1]
    loop.append(loop)
    assert encode(loop) == [1, {"$type": "repr", "type": "list", "value": "[1, [...]]"}]


def test_a_tag_that_cannot_be_read_stays_as_it_is():
    for tagged in ({"$type": "date", "value": "no date"}, {"$type": "set", "value": [[1]]}, {"$type": "os.system"}):
        assert decode(tagged) == tagged


def test_an_answer_reads_well():
    assert as_text("as it is") == "as it is"
    assert as_text({"ships": ["Béla"]}) == '{\n "ships": [\n  "Béla"\n ]\n}'
    assert as_text({1: {2}}) == "{1: {2}}"
    assert as_text(Decimal("1.10")) == "1.10"
