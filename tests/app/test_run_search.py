"""The search of a run: what is found, what is said of it, and the way from hit to hit."""

from __future__ import annotations

import json

import written_runs
from shown import component, everything
from test_folded_tree import look as look_of
from written_runs import HOSTILE, Writer

from app.components import folded_tree, run_search
from rlm_core.evidence.citations import head
from rlm_core.looks.look import look_at, reading_of
from rlm_core.looks.place import Place
from rlm_core.search import find
from rlm_core.store.store import Store
from rlm_core.view import fold


def sought(home, run, words, node=None, hit=0):
    store = Store.open(home)
    view = fold(store.events(run))
    store.close()
    place = Place(run, node, find=words, hit=hit)
    return look_at(reading_of(view, head), place, find(view, words, lambda shas: set()))


def search(page):
    found = [json.loads(each.proto.json) for each in page.get("bidi_component")]
    return next(each for each in found if "hits" in each and "words" in each)


def many(home, calls=300):
    with Writer(home, "many-1") as life:
        life.turn(calls=calls)
        life.finish()
    return "many-1"


def test_without_words_nothing_is_said(home):
    data = run_search.data(look_of(home, written_runs.answered(home)))
    assert (data["words"], data["count"], data["where"], data["hits"]) == ("", "", "", 0)


def test_how_many_nodes_have_the_words_and_which_of_them_is_selected_and_where(home):
    run = written_runs.answered(home)
    assert run_search.count(sought(home, run, "wet AGAIN")) == "10 nodes"
    third = sought(home, run, "wet again", "f1.t2.c1.k3")
    assert (run_search.count(third), run_search.where(third)) == ("3 of 10", "in prompt")
    assert run_search.count(sought(home, run, "aardvark")) == "not in this run"
    assert run_search.where(sought(home, run, "no reply", "f1.t2.c1.k10")) == "in error"


def test_rows_say_where_in_them_the_words_stand_and_groups_in_how_many_of_theirs(home):
    found = {row.id: row.found for row in folded_tree.rows(sought(home, many(home), "wet again"))}
    assert found["f1.t1.c1.k1"] == found["f1.t1.c1.k40"] == "in prompt"
    assert found["f1.t1.c1.g1"] == "300 found"
    assert found["f1.t1.c1.g1.more"] in ("259 found", "260 found")
    assert found["f1.t1"] == ""


def test_hits_round_the_one_that_is_shown_are_never_folded_away_and_no_more(home):
    run = many(home)
    drawn = {row.id for row in folded_tree.rows(sought(home, run, "wet again", "f1.t1.c1.k200", 200))}
    assert {f"f1.t1.c1.k{number}" for number in range(185, 215)} <= drawn
    assert len(drawn) < 60


def test_a_finding_that_is_found_is_shown_in_its_cell(home):
    look = sought(home, written_runs.answered(home), "stain is old", "f1.t2.c1.r2")
    assert run_search.count(look) == "1 of 1"
    assert folded_tree.data(look)["selected"] == "f1.t2.c1"


def test_the_address_finds_words_and_a_long_text_too(opened, home):
    with Writer(home, "long-1") as life:
        life.turn(output=f"{'dry ' * 2000} Schimmel {'dry ' * 2000}")
        life.finish()
    page = opened("run", run="long-1", find="SCHIMMEL", node="f1.t1.c1")
    assert (search(page)["count"], search(page)["where"]) == ("1 of 1", "in output")
    assert [row["id"] for row in component(page, "rows")["rows"] if row.get("found")] == ["f1.t1.c1"]


def test_hostile_words_and_texts_stay_text(opened, home):
    page = opened("run", run=written_runs.hostile(home), find=HOSTILE)
    assert "<script>alert(1)</script>" in everything(component(page, "rows"))
    assert search(page)["words"].startswith("<script>alert(1)</script>")
