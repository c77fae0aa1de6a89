import time
from collections import Counter, OrderedDict, defaultdict, deque
from dataclasses import dataclass, field
from datetime import date

import pytest

from rlm_core.sandbox.preview import echo, preview, size


@dataclass
class Row:
    name: str
    values: list = field(default_factory=list)


class Hostile:
    def __repr__(self):
        raise AssertionError("its code was run")

    __len__ = __iter__ = __str__ = __repr__


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ([1, "a", None], "[1, 'a', None]"),
        ((1,), "(1,)"),
        ((), "()"),
        (set(), "set()"),
        ({"a": [1, 2]}, "{'a': [1, 2]}"),
        (Counter("aab"), "Counter({'a': 2, 'b': 1})"),
        (defaultdict(list, {"a": [1]}), "defaultdict({'a': [1]})"),
        (OrderedDict(a=1), "OrderedDict({'a': 1})"),
        (deque([1]), "<deque>"),
        (date(2026, 1, 2), "datetime.date(2026, 1, 2)"),
        (Row("x", [1]), "Row(name='x', values=[1])"),
        (Hostile(), "<Hostile>"),
        (Row, "<class Row>"),
        (lambda a, b=1: a, "def <lambda>(a, b)"),
        (1 << 5000, "<int of 5,001 bits>"),
    ],
)
def test_values_are_shown_without_running_their_code(value, shown):
    assert preview(value) == shown


def test_a_preview_is_one_short_line_and_cheap_for_values_of_any_size():
    huge = {"list": list(range(1_000_000)), "text": "x" * 10_000_000, "nested": [[["deep"] * 1000] * 1000] * 1000}
    for value in (huge, *huge.values()):
        started = time.process_time()
        shown = preview(value)
        assert time.process_time() - started < 0.01
        assert len(shown) <= 80
        assert "\n" not in shown


def test_sizes_are_told_where_telling_runs_no_code():
    assert [size(each) for each in ("abc", [1], {"a": 1}, deque([1, 2]), range(5))] == [3, 1, 1, 2, 5]
    assert [size(each) for each in (Hostile(), 5, None)] == [None, None, None]


def test_an_echo_is_the_repr_as_long_as_it_is_short():
    for value in (5, "text", [1, {"a": (2,)}], {"k": {1}}, Row("x"), Counter("ab"), frozenset({1}), b"x", 1.5):
        assert echo(value) == repr(value)


def test_a_long_echo_says_how_long_the_value_is():
    assert echo("x" * 70_000).startswith("str of 70,000 characters: 'xxx")
    shown = echo(list(range(1_000_000)))
    assert len(shown) < 25_000
    assert shown.endswith("... 1,000,000 items]")
