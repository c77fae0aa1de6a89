"""The words of a quote are found in what models were told, also where the quote begins or ends within a word."""

from __future__ import annotations

import pytest

from rlm_core import events as ev
from rlm_core.events import Event
from rlm_core.evidence.told import Told
from rlm_core.evidence.told_texts import ToldTexts
from rlm_core.passages import short
from rlm_core.task import Task
from rlm_core.view import RunView, fold


def told(output: str) -> RunView:
    """A run whose model was shown an output and was asked again after it."""
    bodies: list[tuple[str, str | None, ev.Body]] = [
        ("run", None, ev.RunStarted(Task("q", "c", root_model="m", helper_model="m"))),
        ("f1", "run", ev.FrameStarted(0, "rlm", "q")),
        ("f1.t1", "f1", ev.TurnStarted(1)),
        ("f1.t1.c1", "f1.t1", ev.CellStarted("print(context)")),
        ("f1.t1.c1", "f1.t1", ev.CellFinished("ok", output, len(output))),
        ("f1.t1", "f1", ev.TurnFinished()),
        ("f1.t2", "f1", ev.TurnStarted(2)),
        ("f1.t2.k1", "f1.t2", ev.CallStarted("root", "m", ())),
        ("f1.t2.k1", "f1.t2", ev.CallFinished("ok", "I see.")),
    ]
    return fold([Event("r", seq, float(seq), *each) for seq, each in enumerate(bodies)])


def nodes_that_hold(output: str, quote: str) -> list[str] | None:
    view = told(output)
    return ToldTexts(view, Told(view), [quote], short).holding(quote)


@pytest.mark.parametrize(
    ("output", "quote"),
    [
        ("the pump was replaced on Monday", "pump was replaced"),
        ("der Ölwechsel an Pumpe B204 erfolgte", "wechsel an Pumpe B204"),
        ("the pump was re-\nplaced on Monday", "pump was replaced on"),
        ("会议于星期一取消了因为下雨", "星期一取消"),
        ("the pump was replaced", "pump"),
    ],
    ids=["whole words", "within a word", "a word in two lines", "no words", "one word"],
)
def test_words_that_were_told_are_found(output: str, quote: str) -> None:
    assert nodes_that_hold(output, quote) == ["f1.t1.c1"]


def test_words_that_were_not_told_are_not_found() -> None:
    assert nodes_that_hold("the pump was replaced on Monday", "pump was not replaced on") == []
    assert nodes_that_hold("会议于星期一取消了", "星期二取消") == []


def test_of_a_quote_without_letters_nothing_is_known() -> None:
    assert nodes_that_hold("a ***** b", "*****") is None


def test_short_quotes_are_looked_for_as_long_as_it_does_not_take_too_much() -> None:
    view = told("the pump was replaced")
    texts = ToldTexts(view, Told(view), ["pump"], short, max_searched_chars=3 * len("the pump was replaced"))
    assert [texts.holding("pump") for _ in range(4)] == [["f1.t1.c1"]] * 3 + [None]
