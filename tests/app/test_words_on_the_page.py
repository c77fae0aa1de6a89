"""Words, numbers and cuts: what components say, without a page."""

from __future__ import annotations

import time
from dataclasses import replace

from app.backend import Archive, CoverageRow, ModelFacts, ShownShare, choices, cutting, strategy_label
from app.components import (
    archive_report,
    model_words,
    models_choice,
    text,
)
from app.components.findings import labels_in_words, telling_first
from app.components.runs_table import started
from app.components.tables import height
from app.links import run_query
from rlm_core.corpus.report import IngestReport, Item
from rlm_core.looks import run_words
from rlm_core.looks.sheet import FindingRow, Sheet, queued_sheet
from rlm_core.passages import passage
from rlm_core.task import Task
from rlm_core.view import Totals

PAID = Task("Q", "c", root_model="openai/gpt-4o", helper_model="openai/gpt-4o")
SHEET = Sheet("r1", "answered", PAID, passage("Q"), started_at=100.0, finished_at=161.0)


def figures(sheet, now=200.0, shown=run_words.NOT_LOOKED_AT):
    return {each.label: (each.value, each.note) for each in run_words.figures(sheet, now, shown)}


def test_an_unknown_cost_is_never_zero():
    unknown = replace(SHEET, totals=Totals(calls=2, calls_without_cost=2, calls_without_usage=2))
    assert figures(unknown)["Cost"] == ("unknown", "of 2 calls")
    assert figures(unknown)["Tokens in | out"] == ("unknown", "not reported by the model")
    stopped = replace(unknown, totals=Totals(1, 1, calls_without_cost=1, calls_without_usage=1), cancelled_calls=1)
    assert figures(stopped)["Tokens in | out"] == ("unknown", "no reply came")
    part = replace(SHEET, totals=Totals(calls=3, cost_usd=0.41, calls_without_cost=1))
    assert figures(part)["Cost"] == ("$0.41", "+ 1 call unknown")


def test_calls_under_way_are_no_unknowns_yet():
    going = replace(SHEET, state="running", finished_at=None, open_calls=2, totals=Totals(2, 0, 0, 0, 0, 2, 0.0, 2))
    assert figures(going)["Cost"] == ("unknown", "so far")
    assert figures(going)["Tokens in | out"] == ("unknown", "so far")
    assert figures(going)["Calls"] == ("2", "2 under way")
    assert figures(going)["Time"] == ("1 min 40 s", "no call has ended yet")
    paid = replace(going, totals=Totals(3, 0, 0, 10, 2, 2, 0.41, 2))
    assert figures(paid)["Cost"] == ("$0.41", "so far")
    assert figures(paid)["Tokens in | out"] == ("10 | 2", "so far")
    assert figures(replace(going, task=Task("Q", "c")))["Cost"] == ("$0.00", "nothing is charged")


def test_a_run_without_a_call_has_cost_nothing_only_once_it_has_ended():
    begun = replace(SHEET, state="running", finished_at=None)
    assert figures(begun)["Cost"] == figures(begun)["Calls"] == figures(begun)["Tokens in | out"] == ("none yet", "")
    assert figures(SHEET)["Cost"] == ("$0.00", "")
    assert figures(SHEET)["Calls"] == ("0", "")
    assert figures(SHEET)["Time"] == ("61 s", "no call was made")


def test_what_nobody_has_looked_for_is_never_zero_and_a_part_says_that_it_is_one():
    def said(row=None, state="answered", **more):
        return figures(replace(SHEET, state=state), shown=ShownShare(row, **more))["Coverage"]

    assert said() == ("not yet", "not looked at yet")
    assert said(looking=True) == ("not yet", "being looked for")
    assert said(CoverageRow(0, 4000, True)) == ("0 %", "of the archive shown")
    assert said(CoverageRow(480, 4000, True)) == ("12 %", "of the archive shown")
    assert said(CoverageRow(480, 4000, False)) == ("~12 %", "of the archive shown so far")
    assert said(CoverageRow(480, 4000, False), "running") == ("12 %", "of the archive shown so far")
    assert said(CoverageRow(480, None, True)) == ("unknown", "the archive is not here")
    assert said(CoverageRow(0, 0, True)) == ("–", "the archive has no text")
    assert said(problem="It has been deleted.") == ("unknown", "cannot be looked for")
    assert figures(queued_sheet("r", PAID))["Coverage"] == ("–", "")


def test_the_list_of_runs_says_costs_by_the_rule_of_the_page():
    def cost(usd, unknown, calls, active=False):
        return run_words.cost(usd, unknown, calls=calls, active=active)

    assert [cost(None, 0, 0), cost(None, 0, 3), cost(None, 2, 2)] == ["$0.00", "$0.00", "unknown"]
    assert [cost(None, 0, 0, True), cost(None, 1, 1, True), cost(0.4, 1, 2, True)] == [
        "none yet",
        "unknown",
        "$0.40 + ?",
    ]


def test_cancelled_calls_are_not_counted_as_failed():
    stopped = replace(SHEET, state="cancelled", totals=Totals(3, failed_calls=2), cancelled_calls=1)
    assert figures(stopped)["Calls"] == ("3", "1 failed, 1 cancelled")
    assert figures(replace(stopped, totals=Totals(1, failed_calls=1)))["Calls"] == ("1", "1 cancelled")


def test_a_run_of_the_demo_says_that_no_language_model_answered():
    assert run_words.notices(SHEET, recorded=False) == []
    assert run_words.notices(replace(SHEET, task=Task("Q", "c")), recorded=True) == [
        "recorded run, shipped with RLM Studio",
        "demo: rule-based, not a language model",
    ]
    mixed = replace(PAID, helper_model="demo")
    assert run_words.notices(replace(SHEET, task=mixed), recorded=False)[0].startswith("helper model is the demo")


def test_findings_that_tell_something_stand_first_in_the_order_of_recording():
    rows = [
        FindingRow(item, label, "", "", "", None)
        for item, label in enumerate(("no", "unknown", "leak", "Yes", "no", "yes"))
    ]
    assert [row.item for row in telling_first(rows)] == [3, 5, 2, 1, 0, 4]


def test_documents_are_counted_as_the_report_counts_them():
    report = IngestReport((Item("a.txt", "ok", chars=5, kind="text"), Item("b.txt", "empty"), Item("c", "duplicate")))
    shown = archive_report.archive_figures(Archive("c", "a", report.documents, 5, 1, 0.0, report))
    assert [(each.value, each.note) for each in shown[:2]] == [("3", "1 duplicate"), ("2", "1 of them empty")]


def test_an_unknown_model_is_explained_in_the_words_of_the_page():
    said = models_choice.problem_in_words("openai/gpt-4oo", ModelFacts(False, similar=("gpt-4o",), problem="not known"))
    assert "address of your server under API base" in said
    assert "--" not in said
    assert "`" not in said


def test_a_run_that_costs_nothing_says_so():
    free = replace(SHEET, free=True, task=Task("Q", "c"), totals=Totals(calls=1))
    assert figures(free)["Cost"] == ("$0.00", "nothing is charged")


def test_every_state_has_a_symbol_and_every_bad_end_a_reason():
    for state in ("queued", "running", "answered", "forced", "failed", "cancelled", "interrupted"):
        assert run_words.SYMBOLS[state]
    assert run_words.reason_in_words(replace(SHEET, state="interrupted")) == "The process of the run died."
    assert run_words.reason_in_words(replace(SHEET, state="failed", reason="No key.")) == "No key."


def test_a_text_is_cut_in_lines_and_in_characters_and_says_what_is_missing():
    assert text.cut("short") == ("short", 0, "")
    head, missing, tail = text.cut("x" * 10_000)
    assert (len(head), missing, len(tail)) == (4_000, 5_000, 1_000)
    head, missing, tail = text.cut("\n".join(str(each) for each in range(500)))
    assert head.endswith("\n59")
    assert tail.startswith("485\n")
    assert len(head) + missing + len(tail) == len("\n".join(str(each) for each in range(500)))


def test_names_pass_through_markdown_as_they_are():
    assert text.escaped("a*b_c [x](y) $1 :red[z]\n\x1b") == r"a\*b\_c \[x\]\(y\) \$1 \:red\[z\] ␛"


def test_kinds_are_counted_by_their_characters():
    items = (
        Item("a.zip!/x.txt", "ok", chars=300, kind="text"),
        Item("a.zip!/y.csv", "ok", chars=100, kind="csv"),
        Item("a.zip!/z.png", "unsupported", "Pictures are not read."),
    )
    rows = archive_report.kinds_table(IngestReport(items))
    assert [(row["Kind"], row["Files"], row["Share"]) for row in rows] == [
        ("Text", ".txt", "75 %"),
        ("Tables", ".csv", "25 %"),
    ]


def test_a_price_is_said_a_million_tokens_and_an_unknown_one_as_unknown():
    assert (
        model_words.price_in_words(ModelFacts(True, 272_000, 1.25e-6, 1e-5))
        == "$1.25 in, $10.00 out a million tokens · window 272 k"
    )
    assert model_words.price_in_words(ModelFacts(False)) == "price unknown · window unknown"


def test_each_depth_of_a_strategy_is_a_row_of_its_own():
    labels = [each.label for each in choices()]
    assert labels[:2] == ["rlm depth 1", "rlm depth 0"]
    (base,) = (each for each in choices() if each.name == "base")
    assert base.may_cut
    assert strategy_label("rlm", {}) == strategy_label("rlm", {"depth": 1}) == "rlm depth 1"
    assert strategy_label("base", cutting(base).options) == "base, cut"


def test_a_container_that_everything_lies_in_is_left_out():
    paths = ["dump.zip!/a.txt", "", "dump.zip!/b/c.txt"]
    assert text.common_container(paths) == "dump.zip!/"
    assert text.common_container([*paths, "other.txt"]) == ""


def test_many_labels_are_cut_with_a_count():
    assert labels_in_words([("yes", 17), ("no", 271)]) == "17 yes · 271 no"
    assert labels_in_words([(str(each), 1) for each in range(9)]).endswith(" · 3 more labels")


def test_a_start_is_told_as_a_person_would():
    now = time.mktime((2026, 11, 29, 18, 0, 0, 0, 0, -1))
    assert started(now - 3600, now) == "17:00"
    assert started(now - 5 * 86_400, now) == "24 Nov 18:00"
    assert started(now - 400 * 86_400, now) == "25 Oct 2025 18:00"


def test_the_address_of_a_run_names_the_others_only_where_there_are_some():
    assert run_query("r1", ["r1"]) == {"run": "r1"}
    assert run_query("r1", ["r1", "r2", "r3"]) == {"run": "r1", "with": "r2,r3"}


def test_a_table_is_as_high_as_its_rows_up_to_a_limit():
    assert height(3, 30, 10) < height(10, 30, 10) == height(99, 30, 10)
