"""The filters of the tree: pills above it, and its rows."""

from __future__ import annotations

import written_runs
from shown import component
from test_folded_tree import many_calls
from written_runs import Writer

from app.components import folded_tree, tree_filter
from rlm_core.evidence.citations import head
from rlm_core.looks.look import look_at, reading_of
from rlm_core.looks.place import Place
from rlm_core.store.store import Store
from rlm_core.view import fold


def narrowed(home, run, *only, node=None):
    store = Store.open(home)
    view = fold(store.events(run))
    store.close()
    return look_at(reading_of(view, head), Place(run, node, only=only))


def pills(page, key):
    return next(each for each in page.pills if each.key == key)


def test_rows_are_those_that_match_and_what_they_lie_in_and_views_show_all(home):
    look = narrowed(home, many_calls(home), "failed")
    assert [row.id for row in folded_tree.rows(look)] == ["run", "f1.t1", "f1.t1.c1", "f1.t1.c1.k21"]
    assert folded_tree.data(look)["count"] == "1 of 24 match"
    assert "f1.t1.c1.g1" in look.tree.by_id
    assert look.listed is not look.tree


def test_many_that_match_are_a_group_and_the_head_says_how_many_are_drawn(home):
    look = narrowed(home, many_calls(home), "call", node="f1.t1")
    shown = folded_tree.data(look)
    assert shown["count"] in ("21 of 24 match, 2 drawn", "21 of 24 match, 3 drawn")
    assert shown["selected"] == "f1.t1"


def test_words_have_their_numbers_and_a_chosen_one_stays_where_nothing_has_it():
    facets = {"failed": frozenset("ab"), "call": frozenset("abc"), "depth1": frozenset("a")}
    assert tree_filter.labels_of(facets, ("cited",)) == {
        "failed": "failed 2",
        "call": "calls 3",
        "depth1": "depth 1 1",
        "cited": "cited 0",
    }


def test_pills_narrow_the_tree_and_the_address_says_so(opened, home):
    page = opened("run", run=written_runs.answered(home))
    assert [each.rpartition(" ")[0] for each in pills(page, tree_filter.STATES).options] == [
        "failed",
        "dear",
        "slow",
        "possibly paid",
    ]
    pills(page, tree_filter.STATES).set_value(["failed", "paid"]).run()
    pills(page, tree_filter.REST).set_value(["call"]).run()
    assert page.query_params["only"] == "failed,paid,call"
    assert [row["id"] for row in component(page, "rows")["rows"]] == ["run", "f1.t2", "f1.t2.c1", "f1.t2.c1.k10"]
    pills(page, tree_filter.STATES).set_value([]).run()
    pills(page, tree_filter.REST).set_value([]).run()
    assert "only" not in page.query_params


def test_an_address_narrows_and_what_matches_nothing_says_so_with_a_way_out(opened, home):
    page = opened("run", run=written_runs.answered(home), only="cited,frame,nonsense,depthx")
    assert pills(page, tree_filter.STATES).value == ["cited"]
    assert [row["id"] for row in component(page, "rows")["rows"]] == ["run"]
    assert "No node of this run is among: cited, child frames." in [each.value for each in page.caption]
    page.button(key="tree-all").click().run()
    assert "only" not in page.query_params
    assert len(component(page, "rows")["rows"]) > 5


def test_a_run_that_has_just_begun_has_nothing_to_narrow(opened, home):
    with Writer(home, "new-1"):
        page = opened("run", run="new-1")
    assert [each.key for each in page.pills if each.key.startswith("tree-only")] == []
