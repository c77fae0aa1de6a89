"""A group read as a whole: how it spreads, who stands out, what failed, and a page of its members in any order."""

from __future__ import annotations

import json
import re

import pytest
import written_runs
from shown import everything, markdown, texts
from written_runs import HOSTILE, Writer

from app.components import group_chart, prompt_template
from app.components.group_view import failure_in_words, outlier_in_words
from app.group_facts import BINS, SINGLY, failures_of, opening, ordered, outliers_of, page_of, spread_of
from app.group_prompts import READ_CHARS, prompts_of, varies
from app.group_replies import replies_of
from rlm_core import events as ev
from rlm_core.looks.node_shapes import Member
from rlm_core.passages import Passage, passage
from rlm_core.task import Message, Usage
from rlm_core.template import Template, template_of
from rlm_core.view import Totals

CELL = "f1.t1.c1"


def member(
    number: int, reply: str | None = "Room: no.", elapsed_s: float | None = 1.0, cost_usd: float | None = 0.01, **more
) -> Member:
    status = more.pop("status", "ok")
    totals = Totals(calls=1, cost_usd=cost_usd or 0.0, calls_without_cost=int(cost_usd is None))
    asked = passage(f"Was room {number} wet again?")
    return Member(f"k{number}", f"call {number}", status, totals, elapsed_s, asked, number, passage(reply), **more)


def test_few_members_have_a_dot_each_and_many_a_bar_for_all_that_are_alike():
    few = spread_of([member(number, elapsed_s=float(number)) for number in range(SINGLY)], "time")
    assert few
    assert (len(few.dots), few.p50, few.p95, few.least, few.most) == (SINGLY, 60.0, 114.0, 0.0, 119.0)
    many = spread_of([member(number, elapsed_s=number % 1000 / 10) for number in range(10_000)], "time")
    assert many
    assert len(many.dots) <= BINS
    assert sum(each.count for each in many.dots) == 10_000
    assert all(each.least <= each.most for each in many.dots)


def test_equal_values_are_piled_up_and_what_is_not_known_is_counted():
    spread = spread_of([member(1), member(2), member(3, cost_usd=None)], "cost")
    assert spread
    assert [each.level for each in spread.dots] == [0, 1]
    assert (spread.known, spread.unknown) == (2, 1)
    assert spread_of([member(1, cost_usd=None)], "cost") is None


def test_three_measures_of_any_group_are_no_more_than_four_hundred_marks():
    for size in (SINGLY, SINGLY + 1, 10_000):
        members = [member(each, "x" * (each % 97), each / 7, each / 1e5) for each in range(size)]
        spreads = [spread_of(members, each) for each in ("time", "cost", "reply")]
        figure = group_chart.figure([each for each in spreads if each], [None, 0.001, None], "call")
        assert sum(len(trace.x) for trace in figure.data) <= 400
        assert len(figure.layout.shapes) == 7


def replies(*said: str) -> list[tuple[str, int, str]]:
    members = [member(number, text) for number, text in enumerate(said, 1)]
    return [(each.says, each.count, each.member.span) for each in replies_of(members)]


def test_equal_replies_are_counted_and_empty_and_refusing_ones_stand_apart():
    assert replies("no", "No.", "yes", " no ", "", "I'm sorry, but I cannot help with that.", "") == [
        ("“no”", 3, "k1"),
        ("“yes”", 1, "k3"),
        ("refuses", 1, "k6"),
        ("empty", 2, "k5"),
    ]


def test_replies_that_differ_in_their_numbers_are_alike_and_longer_ones_by_how_they_begin():
    rooms = [f"Room {number}: {'no' if number % 3 else 'yes'}." for number in range(30)]
    assert replies(*rooms) == [("like “Room 1: no.”", 20, "k2"), ("like “Room 0: yes.”", 10, "k1")]
    lines = [f"{'No' if number % 3 else 'yes'} | {chr(97 + number) * 9} dripped" for number in range(26)]
    assert replies(*lines) == [("begins “No”", 17, "k2"), ("begins “yes”", 9, "k1")]


@pytest.mark.parametrize("text", ["{0} {0}{0} it is", "The room of {0} is dry, says {0}"])
def test_replies_of_which_each_is_another_one_are_not_counted(text):
    assert replies(*(text.format(chr(97 + number) * 3) for number in range(26))) == []


def test_a_low_bar_is_drawn_so_high_that_it_is_seen_and_can_be_clicked_anywhere_above_it():
    spread = spread_of(
        [member(number, elapsed_s=9.0 if number == 7 else number / 1e4) for number in range(500)], "time"
    )
    drawn, hit = group_chart.figure([spread], [None], "call").data
    assert max(drawn.y) > 400
    assert min(drawn.y) > 20
    assert len({*hit.y}) == 1
    assert min(hit.y) > max(drawn.y)
    assert drawn.x == hit.x
    assert hit.customdata[-1][0] == "k7"
    assert (drawn.hoverinfo, drawn.customdata) == ("skip", None)


def test_what_is_short_is_no_tag_in_a_chart():
    spread = spread_of([member(1, elapsed_s=0.01), member(2, elapsed_s=0.02)], "time")
    assert spread
    figure = group_chart.figure([spread], [None], "call", dark=True)
    assert figure.data[0].hovertext == ("&lt;0.1 s", "&lt;0.1 s")


def test_the_slowest_the_dearest_and_odd_replies_stand_out():
    members = [member(each, f"Room {each}: no, it was dry.") for each in range(30)]
    members += [
        member(30, "Room 30: no.", elapsed_s=9.0),
        member(31, "Room 31: no, it was dry again.", cost_usd=0.5),
        member(32, ""),
        member(33, "I cannot say that."),
    ]
    found = {each.why: each for each in outliers_of(members)}
    assert {why: each.member.number for why, each in found.items()} == {
        "slowest": 30,
        "dearest": 31,
        "longest": 31,
        "shortest": 30,
        "empty": 32,
        "odd": 33,
    }
    assert outlier_in_words(found["slowest"]) == "slowest: call 30, 9.0 s"
    assert outlier_in_words(found["empty"]) == "1 empty reply: call 32"
    assert outlier_in_words(found["odd"]) == "begins as no other: call 33, “I cannot say that.”"


def test_nobody_stands_out_where_all_are_the_same_or_nothing_is_known():
    assert outliers_of([member(each) for each in range(9)]) == []
    assert outliers_of([member(each, None, None, None, status="running") for each in range(9)]) == []
    assert outliers_of([member(each, f"{'abcdefghi'[each]}: no.") for each in range(9)]) == []


@pytest.mark.parametrize(
    ("reply", "begins"), [('  {"a": 1}', "{"), ("Room12: no", "room#"), ("```json", "`"), ("", ""), ("**No**", "*")]
)
def test_replies_are_alike_that_begin_with_the_same_word_or_sign(reply, begins):
    assert opening(reply) == begins


def test_failures_are_counted_by_their_kind_and_stopped_calls_are_none():
    failed = [
        member(1, None, status="failed", error=passage("No reply in 60 s."), error_kind="timeout"),
        member(2, None, status="failed", error=passage("503"), error_kind="server"),
        member(3, None, status="failed", error=passage("No reply in 60 s."), error_kind="timeout"),
        member(4, None, status="cancelled", error_kind="cancelled"),
    ]
    assert list(map(failure_in_words, failures_of(failed))) == [
        "2 × timeout: call 1, No reply in 60 s.",
        "server: call 2, 503",
    ]


def test_members_come_in_any_order_with_what_is_not_known_last():
    members = [member(1, "ab", 2.0, None), member(2, "abc", None, 0.2), member(3, "a", 5.0, 0.1, status="failed")]
    numbers = {order: [each.number for each in ordered(members, order)] for order in ("slowest first", "dearest first")}
    assert numbers == {"slowest first": [3, 1, 2], "dearest first": [2, 3, 1]}
    assert [each.number for each in ordered(members, "longest reply first")] == [2, 1, 3]
    assert [each.number for each in ordered(members, "failed first")] == [3, 1, 2]
    assert [page_of(members, span, 2) for span in ("k1", "k3", "gone", None)] == [1, 2, 1, 1]
    assert page_of(members, "gone", 2, otherwise=7) == 7


def test_long_prompts_are_read_up_to_a_bound_and_others_say_what_is_at_hand():
    members = [
        Member(
            f"k{each}", "call", "ok", Totals(), 1.0, Passage(f"Decide about room {each}", READ_CHARS // 2, f"s{each}")
        )
        for each in range(3)
    ]
    prompts = prompts_of(members, lambda text: f"{text.head} and so on, once and for all")
    assert list(prompts) == ["k0", "k1"]
    template = template_of(list(prompts.values()))
    assert [varies(each, template, prompts) for each in members] == ["0", "1", "2"]


def test_the_template_is_sent_in_pieces_and_a_long_part_says_how_much_is_missing():
    sent = prompt_template.data(Template(("Room ", f" {'x' * 5000}")), ["A12"])["pieces"]
    assert [kind for kind, _ in sent] == ["same", "varies", "same", "gap", "same"]
    assert sent[1] == ["varies", "A12"]
    assert sent[3][1] == "… 4,051 characters …"


def grouped(home, run="grouped-1", *, hostile: str = "") -> str:
    """Twelve calls that went well, of which two are odd, and one that failed beside them."""
    with Writer(home, run) as life:
        cell = life.turn()
        for number in range(1, 14):
            asked = Message("user", f"{hostile}Report {number} of May: was the room wet again? Say yes or no.")
            life.emit(f"{cell}.k{number}", cell, ev.CallStarted("sub", "demo", (asked,)))
            said = f"{hostile}Room {number}: no." if number != 7 else f"{hostile}Sorry, I can not tell."
            done = ev.CallFinished("ok", said, Usage(100 + number, 10), 0.001 * number, "list")
            failed = ev.CallFinished(
                "failed", error=f"{hostile}No reply in 60 s.", error_kind="timeout", maybe_paid=True
            )
            life.emit(f"{cell}.k{number}", cell, failed if number == 13 else done)
        life.finish()
    return run


def test_the_view_has_the_shared_prompt_the_table_and_a_way_to_who_stands_out(opened, home):
    page = opened("run", run=grouped(home), view="Group", node=f"{CELL}.g1")
    sent = component_of(page, "pieces")
    assert sent["pieces"] == [
        ["same", "Report "],
        ["varies", "1"],
        ["same", " of May: was the room wet again? Say yes or no."],
    ]
    table = page.dataframe[0].value
    assert list(table["#"]) == list(range(1, 13))
    assert list(table["Varies in"][:3]) == ["1", "2", "3"]
    assert table["Reply begins"][6] == "Sorry, I can not tell."
    assert list(table["In"])[:2] == [101, 102]
    assert "timeout: call 13, No reply in 60 s" in markdown(page).replace("\\", "")
    page.button(key="outlier-dearest").click().run()
    assert page.query_params["node"] == f"{CELL}.k12"
    assert component_of(page, "pieces")["pieces"][1] == ["varies", "12"]
    page.selectbox(key="group-order").select("dearest first").run()
    assert list(page.dataframe[0].value["#"])[:2] == [12, 11]
    page.button(key="failure-group-0").click().run()
    assert page.query_params["node"] == f"{CELL}.k13"


def test_without_a_group_the_view_says_what_to_select_and_lists_the_groups(opened, home):
    page = opened("run", run=grouped(home), view="Group")
    assert "**No group is selected**" in markdown(page)
    assert list(page.dataframe[0].value["Members"]) == ["12"]
    none = opened("run", run=written_runs.ended(home, "failed", "No."), view="Group")
    assert "This run has no group" in markdown(none)


def test_hostile_prompts_replies_and_errors_are_text_in_the_view(opened, home):
    page = opened("run", run=grouped(home, "hostile-group", hostile=HOSTILE), view="Group", node=f"{CELL}.g1")
    said = re.sub(r"\\.", "", markdown(page))
    for danger in ("<script", "](http", "**bold"):
        assert danger not in said
    assert HOSTILE not in texts(page)
    assert "\x1b" not in everything(component_of(page, "pieces"))


def component_of(page, part):
    """The data of the component that is sent `part`."""
    (data,) = (each for each in (json.loads(one.proto.json) for one in page.get("bidi_component")) if part in each)
    return data
