import pytest
from event_streams import random_run, stamped

from rlm_core import events as ev
from rlm_core.cli.narration import Narrator, spelled, summary
from rlm_core.cli.report import answer_in_words, steps_in_words
from rlm_core.cli.tables import table
from rlm_core.task import Answer, Finding, Task, Verdict
from rlm_core.view import RunView, fold


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("step", [1, 7, 1_000])
def test_however_often_it_is_told_the_narrator_ends_with_the_sums_of_the_view(seed, step):
    events = list(stamped(random_run(seed, hostile=True), run="r1"))
    view, narrator, used = RunView(), Narrator(), ""
    for number, event in enumerate(events):
        view.apply(event)
        if number % step == 0 or event is events[-1]:
            narrator.news(view)
            used = narrator.used(1.0)
    totals = view.totals()
    assert narrator.in_flight == 0
    assert used.startswith(f"{totals.calls} call")
    assert used.split(" · ")[1] == summary(view).split(" · ")[1]


def test_a_batch_is_announced_once_its_first_failure_told_and_the_rest_counted():
    said = [text for text, _ in Narrator().news(a_batch(calls=50, failed=10))]
    assert said == [
        "turn 1: the model is asked",
        "turn 1, cell 1: runs 2 lines of code",
        "turn 1, cell 1: makes 50 helper calls of small",
        "turn 1, cell 1, call 1: failed. slow down",
        "turn 1, cell 1: ok, 50 helper calls, 10 of them failed, printed 4 characters",
    ]


def test_calls_on_their_way_are_counted_and_their_cost_is_unknown():
    narrator = Narrator()
    narrator.news(a_batch(calls=3, failed=0, finished=1))
    assert narrator.in_flight == 2
    assert narrator.used(61) == "3 calls (2 in flight) · $0.02 + ? · 61 s"
    nothing_back = Narrator()
    nothing_back.news(a_batch(calls=1, failed=0, finished=0))
    assert nothing_back.used(61) == "1 call (1 in flight) · cost unknown · 61 s"


def test_a_call_that_was_stopped_with_its_run_has_not_failed():
    events = [
        ("run", None, ev.RunStarted(Task("?", "c"))),
        *[(f"f1.k{number}", "run", ev.CallStarted("root", "big", ())) for number in range(3)],
        ("f1.k0", None, ev.CallFinished("failed", error_kind="auth")),
        ("f1.k1", None, ev.CallFinished("cancelled", maybe_paid=True)),
    ]
    view = fold(ev.Event("r1", seq, 100.0, *step) for seq, step in enumerate(events))
    assert summary(view).startswith("3 calls (1 failed, 1 cancelled) · cost unknown · ")


def test_unknown_costs_and_tokens_are_said_to_be_unknown():
    view = a_batch(calls=2, failed=0, cost_usd=None)
    assert "2 calls · cost unknown · tokens unknown · " in summary(view)


def test_the_text_of_any_run_holds_nothing_that_acts_on_a_terminal():
    for seed in range(5):
        view = fold(stamped(random_run(seed, hostile=True), run="r1"))
        for text in (steps_in_words(view), answer_in_words(view), *(said for said, _ in Narrator().news(view))):
            assert not set(text) & set("\x00\x07\x1b\r\u202e\u2028")


def test_findings_that_say_something_come_before_unknown_and_no_and_the_rest_is_said_to_be_elsewhere():
    labels = ["no"] * 20 + ["Unknown", "yes", "no", "3 times"]
    view = a_run_with_findings(labels, "exact")
    head, *lines = answer_in_words(view).split("\n")[2:]
    assert head == "Findings, 20 of 24 (quotes: 24 exact):"
    assert [line.partition(" (")[0] for line in lines[:4]] == [
        "- i21: yes.",
        "- i23: 3 times.",
        "- i20: Unknown.",
        "- i0: no.",
    ]
    assert lines[-2:] == ["(exact: stands in the archive word for word)", "All of them: rlm-studio show r1"]
    assert steps_in_words(view).endswith("\nThe other findings stand above.")


def test_a_finding_that_was_not_checked_is_told_from_one_whose_search_was_given_up():
    assert "(quotes: 1 not checked):\n- i0: yes. (not checked)" in answer_in_words(a_run_with_findings(["yes"], None))
    given_up = answer_in_words(a_run_with_findings(["yes"], "not looked for"))
    assert "(quotes: 1 search given up):\n- i0: yes. (search given up)" in given_up
    assert "word for word" not in given_up


def test_a_recorded_run_and_the_name_of_its_archive_are_in_the_head():
    said = steps_in_words(a_run_with_findings(["yes"], None), "rooms.zip", recorded=True)
    assert said.startswith("Run r1: answered (recorded)\nQuestion: ?\nAsked of rooms.zip (c) with rlm; model demo\n")


def test_spans_are_spelled_out():
    assert spelled("f1.t2.c1.k7") == "turn 2, cell 1, call 7"
    assert spelled("f1") == "root frame"
    assert spelled("run") == "the run"


def test_columns_fit_wide_characters_and_numbers_stand_right():
    assert table(("name", "n"), [("季度", "1"), ("abcde", "1,000")], right={1}).split("\n") == [
        "name       n",
        "季度       1",
        "abcde  1,000",
    ]


def a_run_with_findings(labels: list[str], verdict: Verdict | None) -> RunView:
    """An answered run that recorded the items `i0`, `i1`, ..., their quotes checked unless `verdict` is `None`."""
    steps: list[tuple[str, str | None, ev.Body]] = [("run", None, ev.RunStarted(Task("?", "c")))]
    for number, label in enumerate(labels):
        steps.append((f"f1.t1.c1.r{number}", "run", ev.FindingRecorded(Finding(f"i{number}", label))))
        steps += [(f"f1.t1.c1.r{number}", None, ev.QuoteChecked(verdict))] if verdict else []
    steps.append(("run", None, ev.RunFinished("answered", Answer("yes"))))
    return fold(ev.Event("r1", seq, 100.0 + seq, *step) for seq, step in enumerate(steps))


def a_batch(*, calls: int, failed: int, finished: int | None = None, cost_usd: float | None = 0.02) -> RunView:
    """A run with one turn, whose cell makes a batch of calls; after `finished` of them it stops there."""
    steps: list[tuple[str, str | None, ev.Body]] = [
        ("run", None, ev.RunStarted(Task("?", "c"))),
        ("f1", "run", ev.FrameStarted(0, "rlm", "?")),
        ("f1.t1", "f1", ev.TurnStarted(1)),
        ("f1.t1.c1", "f1.t1", ev.CellStarted("a = 1\nprint(a)\n")),
    ]
    spans = [f"f1.t1.c1.k{number + 1}" for number in range(calls)]
    steps += [
        (span, "f1.t1.c1", ev.CallStarted("sub", "small", (), batch=calls, index=n)) for n, span in enumerate(spans)
    ]
    for number, span in enumerate(spans[:finished]):
        bad = ev.CallFinished("failed", error="slow down", error_kind="rate_limit")
        steps.append((span, None, bad if number < failed else ev.CallFinished("ok", "yes", cost_usd=cost_usd)))
    if finished is None:
        steps += [
            ("f1.t1.c1", None, ev.CellFinished("ok", "yes\n", 4)),
            ("f1.t1", None, ev.TurnFinished()),
            ("f1", None, ev.FrameFinished("answered")),
            ("run", None, ev.RunFinished("answered", Answer("yes"))),
        ]
    return fold(ev.Event("r1", seq, 100.0 + seq, *step) for seq, step in enumerate(steps))
