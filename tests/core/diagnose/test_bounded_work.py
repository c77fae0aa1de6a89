"""Rules on runs that are very large, cut off anywhere, or written to break them."""

from __future__ import annotations

import json

import pytest
from event_streams import random_run, stamped

from rlm_core import events as ev
from rlm_core.diagnose.lists import guess_kept_for_output
from rlm_core.diagnose.material import Material
from rlm_core.diagnose.rules import RULES, diagnose
from rlm_core.diagnose.sums import wrong_sum_in_words
from rlm_core.evidence.coverage import Coverage
from rlm_core.task import Answer, Task
from rlm_core.view import RunView, fold


@pytest.mark.parametrize("seed", range(12))
def test_any_beginning_of_any_run_is_looked_at_and_what_is_said_can_be_written(seed: int) -> None:
    events = stamped(random_run(seed, 300, hostile=seed % 2 == 1))
    for end in (1, 2, 7, len(events) // 2, len(events)):
        said = diagnose(Material(fold(events[:end]), coverage=Coverage([1_000], []), numbers={"a.txt": 0}))
        assert json.loads(json.dumps([each.to_dict() for each in said])) is not None
        assert [each.rank for each in said] == sorted(each.rank for each in said)


def one_turn(reply: str, *cells: tuple[str, str]) -> RunView:
    """A run of one turn, with code and output of its cells."""
    steps: list[tuple[str, str | None, ev.Body]] = [
        ("run", None, ev.RunStarted(Task("?", "c"))),
        ("f1", "run", ev.FrameStarted(0, "rlm", "?", {"chars": 99})),
        ("f1.t1", "f1", ev.TurnStarted(1)),
        ("f1.t1.k1", "f1.t1", ev.CallStarted("root", "m", ())),
        ("f1.t1.k1", None, ev.CallFinished("ok", reply)),
    ]
    for number, (code, output) in enumerate(cells, 1):
        span = f"f1.t1.c{number}"
        steps += [(span, "f1.t1", ev.CellStarted(code)), (span, None, ev.CellFinished("ok", output, len(output)))]
    steps += [("f1", None, ev.FrameFinished("answered")), ("run", None, ev.RunFinished("answered", Answer("7")))]
    return fold(stamped(steps))


SPACES, PLUSES, LISTS = " " * 200_000, "1+" * 100_000, "['a', 'b', 'c', 'd', 'e', " * 8_000


@pytest.mark.parametrize(
    ("reply", "output"),
    [
        (SPACES, f"['a', 'b', 'c', 'd', 'e'{SPACES}"),
        (PLUSES, LISTS),
        ("1 + " * 50_000, f"[{SPACES}"),
        ("9" * 200_000, "," * 200_000),
        ("1,111" * 40_000, "['" + "a" * 200_000),
        ("```" * 60_000, "\n" * 200_000),
        ("(" * 200_000, "FINAL " * 30_000),
    ],
    ids=range(7),
)
def test_texts_that_make_careless_patterns_slow_are_let_pass(reply: str, output: str) -> None:
    code = "to_ask = ['a', 'b', 'c', 'd', 'x']"
    view = one_turn(reply, ("print(1)", output), (code, output), (output, reply))
    diagnose(Material(view, coverage=Coverage([1_000], [])))


def test_what_is_too_much_to_load_is_seen_by_its_beginning_and_said_so() -> None:
    class Reference(dict[str, object]):
        """What the store gives in the place of a long text."""

    view = one_turn("look", ("print(1)", "1"))
    reference = Reference({"$text": "0" * 64, "head": "the beginning", "chars": 10**12})
    material = Material(view, whole=lambda text: pytest.fail("it would be loaded"))
    assert (material.text(reference), material.incomplete) == ("the beginning", True)
    assert len(RULES) > 12
    assert list(guess_kept_for_output(material)) == list(wrong_sum_in_words(material)) == []
