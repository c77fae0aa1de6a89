"""The page of compared runs: none, one, two and three of them, in each state a run can be in."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
import written_runs
from shown import markdown, texts
from streamlit.testing.v1 import AppTest
from written_runs import FINDINGS, HOSTILE, QUESTION, TASK, Writer

from app.components import compare_head, item_pairs
from rlm_core import events as ev
from rlm_core.corpus.ingest import Source
from rlm_core.jobs.asking import load_archive
from rlm_core.store.store import Store
from rlm_core.task import Finding

BASE = replace(TASK, strategy="base", options={"overflow": "cut"})
MATRIX = "All questions by all strategies"
LISTED = '1 room.\n\nA12 | yes | "Dripped again." | 05.txt\nB07 | yes\nM31 | yes | "Wet." | 13.txt'


def base(
    home: Any,
    run: str = "base-1",
    answer: str = LISTED,
    unseen: tuple[dict[str, Any], ...] = (),
    corpus: str = BASE.corpus,
) -> str:
    """A run without findings: what it has to say is in its answer."""
    with Writer(home, run, replace(BASE, corpus=corpus)) as life:
        if unseen:
            life.emit("f1", ev.RUN_SPAN, ev.Noted("context_cut", "cut", {"unseen": list(unseen)}))
        life.finish(answer=answer)
    return run


def components(page: AppTest) -> dict[str, dict[str, Any]]:
    """The data of the head and of the items, which write text only."""
    found = [json.loads(each.proto.json) for each in page.get("bidi_component")]
    return {"head" if "headline" in each else "items": each for each in found if "address" not in each}


def links_of(page: AppTest) -> list[str]:
    return [each.proto.label for each in page.get("page_link")]


def test_without_runs_the_page_says_how_two_are_made(opened):
    page = opened("compare")
    assert "No question has been asked yet." in texts(page)
    assert links_of(page) == ["Ask with two strategies"]
    assert page.get("page_link")[0].proto.query_string == "strategies=rlm-1%2Cbase"


def test_one_run_of_a_question_is_not_enough_to_choose_from(opened, home):
    written_runs.answered(home)
    assert "No question has been asked in two ways yet." in texts(opened("compare"))


def test_without_runs_in_the_address_those_of_one_question_can_be_picked(opened, home):
    base(home)
    written_runs.answered(home, "rlm-1")
    written_runs.answered(home, "rlm-2")
    written_runs.ended(home, "failed", "No key.", "failed-1")
    page = opened("compare")
    assert QUESTION in texts(page)
    assert page.pills[0].value == ["base-1", "rlm-2"]
    assert links_of(page) == [MATRIX, "Compare 2"]
    assert page.get("page_link")[1].proto.query_string == "runs=base-1%2Crlm-2"
    page.pills[0].set_value(["rlm-1", "base-1", "rlm-2"]).run()
    assert links_of(page) == [MATRIX, "Compare 3"]
    page.pills[0].set_value(["rlm-1"]).run()
    assert page.get("page_link")[1].proto.disabled


def test_one_run_in_the_address_offers_the_others_of_its_archive(opened, home):
    written_runs.answered(home, "rlm-1")
    page = opened("compare", runs="rlm-1")
    assert components(page)["head"]["headline"] == "One run is chosen"
    assert links_of(page) == ["Runs", "Matrix", "Ask it again in another way"]
    base(home)
    page = opened("compare", runs="rlm-1")
    assert [each.proto.query_string for each in page.get("page_link")][2:] == ["runs=rlm-1%2Cbase-1"]


def test_of_runs_that_agree_it_is_said_what_differs_then_and_what_the_demo_is(opened, home):
    base(home, "base-1", '1 room.\n\nA12 | yes | "Dripped again." | 05.txt')
    base(home, "base-2", '1 room.\n\nA12 | yes | "Dripped again." | 05.txt')
    lead = components(opened("compare", runs="base-1,base-2"))["head"]["lead"]
    assert lead[-2].startswith("What differs is the work: A made 0 calls in ")
    assert lead[-1].startswith("The demo is a list of rules without a window")
    base(home, "base-3", '1 room.\n\nA12 | no | "Dripped again." | 05.txt')
    lead = components(opened("compare", runs="base-1,base-3"))["head"]["lead"]
    assert not any("What differs" in each for each in lead)


def test_two_runs_are_shown_item_by_item_with_quotes_that_link_to_their_evidence(opened, home):
    base(home)
    written_runs.answered(home, "rlm-1")
    page = opened("compare", runs="base-1,rlm-1")
    shown = components(page)
    assert shown["head"]["headline"] == "Same total, different rooms"
    one, other = shown["head"]["runs"]
    assert (one["letter"], one["name"], one["answer"]) == ("A", "base, cut", "1 room.")
    assert one["figures"] == ["not checked", "0", "$0.00", one["figures"][3], "–"]
    assert (other["href"], other["figures"][:3]) == ("run?run=rlm-1", ["1 of 3", "12", "$0.14 + ?"])
    assert [(row["item"], row["status"]) for row in shown["items"]["rows"]] == [
        ("B07", "differ"),
        ("M31", "only A"),
        ("C02", "only B"),
        ("A12", "agree"),
    ]
    listed, recorded = shown["items"]["rows"][-1]["said"]
    assert (listed["how"], listed["told"], listed["place"]) == ("listed", True, "not checked")
    assert (recorded["how"], recorded["mark"], recorded["place"]) == ("recorded", "✓", "05.txt:131")
    assert recorded["query"] == {"run": "rlm-1", "finding": "f1.t2.c1.r1", "runs": "base-1,rlm-1"}
    assert shown["items"]["rows"][1]["said"][1]["words"] == "no finding"
    remark = "A recorded nothing by code: its labels and quotes are read from its answer; the quotes have not been looked up."
    assert remark in markdown(page)
    assert LISTED in texts(page)


@pytest.mark.parametrize(("listed", "exact"), [(True, "1 of 3"), (False, "not checked")])
def test_quotes_of_an_answer_are_looked_for_in_archives_of_the_list_and_nowhere_else(opened, home, listed, exact):
    store = Store.open(home)
    document = Source("05.txt", b"Room A12\nDripped again.\n")
    corpus, _ = load_archive(store, [document], name="reports")
    if not listed:
        store.delete_corpus(corpus.id)
    store.close()
    base(home, corpus=corpus.id)
    written_runs.answered(home, "rlm-1")
    assert components(opened("compare", runs="base-1,rlm-1"))["head"]["runs"][0]["figures"][0] == exact


def test_the_filter_and_the_table_are_in_the_address(opened, home):
    base(home)
    written_runs.answered(home, "rlm-1")
    page = opened("compare", runs="base-1,rlm-1", show="only-A")
    assert [row["item"] for row in components(page)["items"]["rows"]] == ["M31"]
    page.segmented_control(key=item_pairs.KEY).set_value("differ").run()
    assert page.query_params["show"] == "differ"
    page.button(key="compare-as").click().run()
    assert page.query_params["as"] == "table"
    assert list(page.dataframe[0].value["Item"]) == ["B07"]
    assert list(page.dataframe[0].value["B label"]) == ["no"]
    page.button(key="swap").click().run()
    assert page.query_params["runs"] == "rlm-1,base-1"
    assert opened("compare", runs="base-1,rlm-1", show="nonsense").segmented_control(key=item_pairs.KEY).value == "all"


def test_b_is_presented_beside_a(opened, home):
    base(home)
    written_runs.answered(home, "rlm-1")
    page = opened("compare", runs="base-1,rlm-1")
    (link,) = [each.proto for each in page.get("page_link") if each.proto.label == "Present"]
    assert (link.page, link.query_string) == ("present", "run=rlm-1&base=base-1")
    queued = Store.open(home).add_job(TASK)
    assert "Present" not in links_of(opened("compare", runs=f"base-1,{queued}"))


def test_swapping_turns_the_filter_of_one_run_round(opened, home):
    base(home)
    written_runs.answered(home, "rlm-1")
    page = opened("compare", runs="base-1,rlm-1", show="only-A")
    page.button(key="swap").click().run()
    assert (page.query_params["runs"], page.query_params["show"]) == ("rlm-1,base-1", "only-B")


def test_what_a_run_noted_that_it_cut_is_said_as_an_estimate_where_its_archive_is_gone(opened, home):
    base(home, answer="None.", unseen=({"document": "reports/05.txt", "start": 0, "end": 900},))
    written_runs.answered(home, "rlm-1")
    shown = components(opened("compare", runs="base-1,rlm-1"))
    cell = next(row for row in shown["items"]["rows"] if row["item"] == "A12")["said"][0]
    assert (cell["how"], cell["label"], cell["words"]) == ("not-seen", "not seen", "the passage at ")
    assert (cell["place"], cell["behind"]) == ("05.txt:131", " lay outside its window (~, as it noted)")
    assert cell["query"]["document"] == "reports/05.txt"
    assert "~900 of 1,200 characters lay outside the window of A, as it noted." in shown["head"]["lead"]


def test_of_an_item_that_an_answer_only_names_it_is_said_that_what_decides_it_was_not_seen(opened, home):
    unseen = ({"document": "reports/05.txt", "start": 0, "end": 900},)
    base(home, answer="1 room.\n\nB07 | yes\n\nNot counted: A12.", unseen=unseen)
    written_runs.answered(home, "rlm-1")
    shown = components(opened("compare", runs="base-1,rlm-1"))
    row = next(row for row in shown["items"]["rows"] if row["item"] == "A12")
    cell = row["said"][0]
    assert (row["status"], cell["label"]) == ("named", "named")
    assert cell["words"] + cell["place"] + cell["behind"] == (
        "in its answer, without a label; the passage at 05.txt:131 lay outside its window (~, as it noted)"
    )


def test_why_a_run_labels_an_item_otherwise_is_said_on_its_side(opened, home):
    unseen = ({"document": "reports/05.txt", "start": 0, "end": 900},)
    base(home, answer='0: none.\n\nA12 | no | "Dry."\nB07 | unknown | "Stain is old and dry."', unseen=unseen)
    written_runs.answered(home, "rlm-1")
    page = opened("compare", runs="rlm-1,base-1")
    shown = components(page)
    assert "1 room that A counts and B does not: A12." in shown["head"]["lead"]
    never = "The passage that decides A12 was never shown to B: it lay outside its window, as it noted."
    assert never in shown["head"]["lead"]
    assert shown["items"]["rows"][0]["item"] == "A12"
    more = {row["item"]: [cell.get("more") for cell in row["said"]] for row in shown["items"]["rows"]}
    assert more["A12"] == ["", "A’s quote lay outside its window (~, as it noted)"]
    assert more["B07"] == ["", "same quote as A, other label"]
    assert "differences first · dashed: listed in the answer, not recorded by code" in markdown(page)


def test_base_is_shown_with_the_one_model_that_it_asks_and_a_run_by_its_title(opened, home):
    task = replace(BASE, root_model="large", helper_model="small")
    with Writer(home, "base-1", task) as life:
        life.finish()
    written_runs.answered(home, "rlm-1", replace(TASK, root_model="large", helper_model="small"))
    store = Store.open(home)
    store.rename("rlm-1", "Second try")
    store.close()
    page = opened("compare", runs="base-1,rlm-1")
    one, other = components(page)["head"]["runs"]
    assert (one["name"], one["models"]) == ("base, cut", "large")
    assert (other["name"], other["models"]) == ("Second try", "rlm depth 1 · large, helpers small")
    assert "Second try · rlm depth 1" in str(opened("compare").pills[0].options)


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("Short.", "Short."),
        ("one two three", "one two…"),
        ("one two, three", "one two…"),
        ("L20, L21. three", "L20, L21…"),
        ("x" * 30, "x" * 9 + "…"),
    ],
)
def test_an_answer_is_cut_at_a_word_with_one_ellipsis(line, shown):
    assert compare_head.shortened(line, 10) == shown


def test_files_are_told_with_the_folders_that_tell_them_apart():
    files = item_pairs.Files("a.zip!/", frozenset({"05.txt"}))
    assert files.short("a.zip!/reports/05.txt", 3) == "reports/05.txt:3"
    assert files.short("a.zip!/reports/06.txt", None) == "06.txt"


def test_three_runs_have_three_columns_and_one_can_be_taken_out(opened, home):
    base(home)
    written_runs.answered(home, "rlm-1")
    written_runs.answered(home, "rlm-2")
    shown = components(opened("compare", runs="base-1,rlm-1,rlm-2"))
    assert [(each["letter"], each["shade"], each["removable"]) for each in shown["head"]["runs"]] == [
        ("A", "a", True),
        ("B", "b", True),
        ("C", "other", True),
    ]
    assert [len(row["said"]) for row in shown["items"]["rows"]] == [3, 3, 3, 3]


def test_a_run_under_way_and_a_queued_one_are_shown_as_they_are(opened, home):
    written_runs.answered(home, "rlm-1")
    store = Store.open(home)
    queued = store.add_job(TASK)
    store.close()
    with written_runs.running(home):
        page = opened("compare", runs=f"running-1,rlm-1,{queued}")
        shown = components(page)
        assert shown["head"]["headline"] == "A and C are still under way"
        assert [each["outcome"] for each in shown["head"]["runs"]] == ["▷ running", "✓ answered", "◷ queued"]
        assert shown["head"]["runs"][2]["figures"] == ["–"] * 5
        assert shown["items"]["rows"][0]["said"][0]["words"] == "not yet"


@pytest.mark.parametrize(
    ("outcome", "said"),
    [("failed", "A failed."), ("cancelled", "A was cancelled."), ("interrupted", "A was interrupted.")],
)
def test_a_run_that_ended_badly_is_compared_and_says_why(opened, home, outcome, said):
    written_runs.ended(home, outcome, "The key is missing.", "bad-1")
    written_runs.answered(home, "rlm-1")
    page = opened("compare", runs="bad-1,rlm-1")
    head = components(page)["head"]
    assert (head["headline"], head["lead"][0]) == ("Only B answered", said)
    assert head["runs"][0]["answer"] == "The key is missing."
    assert components(page)["items"]["rows"][0]["said"][0]["words"] == f"{outcome}, no answer"
    assert "The key is missing." in texts(page)


def test_runs_without_items_are_compared_by_their_answers_alone(opened, home):
    base(home, "base-1", "It leaked.")
    base(home, "base-2", "It did not.")
    page = opened("compare", runs="base-1,base-2")
    assert components(page)["head"]["headline"] == "Only the answers can be compared"
    assert "items" not in components(page)
    assert page.expander[0].proto.expanded
    assert "It leaked." in texts(page)
    assert "It did not." in texts(page)


def test_what_cannot_be_compared_as_asked_is_named(opened, home):
    base(home)
    with Writer(home, "other-1", replace(TASK, question="What else?", corpus="c-2")) as life:
        life.finish()
    page = opened("compare", runs="base-1,other-1,gone-1")
    said = texts(page)
    assert "There is no run “gone-1” in the data folder." in said
    assert "These runs were asked different questions: A “In which rooms did the leak come back?”" in said
    assert "These runs read different archives" in said
    nothing = opened("compare", runs="gone-1,gone-2")
    assert "There is no run “gone-2” in the data folder." in texts(nothing)
    assert nothing.header[0].value == "Compare"


def test_only_so_many_runs_are_compared_and_the_rest_is_counted(opened, home):
    for number in range(8):
        written_runs.answered(home, f"rlm-{number}")
    page = opened("compare", runs=",".join(f"rlm-{number}" for number in range(8)))
    assert "The first 6 of 8 runs are compared." in texts(page)
    assert len(components(page)["head"]["runs"]) == 6


def test_hostile_text_is_shown_as_text_and_nowhere_read_as_markdown(opened, home):
    written_runs.hostile(home)
    written_runs.answered(home, "rlm-1", replace(TASK, question=HOSTILE))
    page = opened("compare", runs="hostile-1,rlm-1,<b>gone")
    shown = json.dumps(components(page), ensure_ascii=False)
    assert "<script>alert(1)</script>" in shown
    for each in ("\x1b", "\u202e", "\x00"):
        assert each not in shown
        assert each not in texts(page)
    assert "There is no run “<b>gone”" in texts(page)
    for each in (page, opened("compare"), opened("compare", runs="hostile-1,rlm-1", **{"as": "table"})):
        written = markdown(each) + "\n".join(links_of(each)) + "\n".join(str(pill.options) for pill in each.pills)
        assert "<script" not in written
        assert "![x](http" not in written


def test_an_item_whose_name_is_too_long_for_an_event_is_shown_by_its_head(opened, home):
    for run in ("rlm-1", "rlm-2"):
        with Writer(home, run) as life:
            life.turn(findings=((Finding("x" * 3_000, "y" * 3_000, "z" * 3_000), None),))
            life.finish()
    (row,) = components(opened("compare", runs="rlm-1,rlm-2"))["items"]["rows"]
    assert row["status"] == "agree"
    assert row["item"] == "x" * 79 + "…"


def test_items_that_are_many_are_cut_side_by_side_and_whole_in_the_table(opened, home):
    findings = tuple((Finding(f"R{number}", "no"), None) for number in range(600))
    for run in ("rlm-1", "rlm-2"):
        with Writer(home, run) as life:
            life.turn(findings=findings)
            life.finish()
    page = opened("compare", runs="rlm-1,rlm-2")
    assert len(components(page)["items"]["rows"]) == item_pairs.MOST_ITEMS
    assert "500 of 600 can be shown side by side" in markdown(page)
    assert len(opened("compare", runs="rlm-1,rlm-2", **{"as": "table"}).dataframe[0].value) == 600


def test_every_finding_of_the_written_runs_has_a_column(opened, home):
    written_runs.answered(home, "rlm-1")
    written_runs.answered(home, "rlm-2")
    shown = components(opened("compare", runs="rlm-1,rlm-2"))
    assert len(shown["items"]["rows"]) == len(FINDINGS)
    assert shown["head"]["headline"] == "Same answer, same rooms"
