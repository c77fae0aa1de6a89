"""Folding: everything of a run is drawn, or is in exactly one group, turn or cell that says so."""

from __future__ import annotations

import pytest
from event_streams import random_run, stamped

from rlm_core import events as ev
from rlm_core.folding import ANSWER, RUN, Folding, Mark, Tree, tree_of
from rlm_core.likeness import FOLD_ABOVE
from rlm_core.outline import Outline
from rlm_core.task import Answer, Finding, Limits, Message, Task, Usage
from rlm_core.view import RunView, Totals, fold

Fact = tuple[str, str | None, ev.Body]
SEEDS = range(12)


def asked(span: str, parent: str, prompt: str, *, model: str = "demo") -> Fact:
    return span, parent, ev.CallStarted("sub", model, (Message("user", prompt),))


def replied(span: str, parent: str, *, cost_usd: float = 0.001) -> Fact:
    return span, parent, ev.CallFinished("ok", "no", Usage(10, 1), cost_usd, "list")


def failed(span: str, parent: str, status: ev.Status = "failed") -> Fact:
    return span, parent, ev.CallFinished(status, error="No reply.")


def begun() -> list[Fact]:
    task = Task("Which rooms?", "corpus-1", "rlm", {}, "demo", "demo", limits=Limits())
    return [
        (RUN, None, ev.RunStarted(task)),
        ("f1", RUN, ev.FrameStarted(0, "rlm", task.question)),
        ("f1.t1", "f1", ev.TurnStarted(1)),
        ("f1.t1.k1", "f1.t1", ev.CallStarted("root", "demo", (Message("user", "Look."),))),
        replied("f1.t1.k1", "f1.t1", cost_usd=0.5),
        ("f1.t1.c1", "f1.t1", ev.CellStarted("ask()")),
    ]


def with_calls(count: int, *, bad: tuple[int, ...] = (), stopped: tuple[int, ...] = (), ended: bool = True) -> RunView:
    """A cell that asks `count` helpers the same of different rooms."""
    facts = begun()
    for number in range(1, count + 1):
        span = f"f1.t1.c1.k{number}"
        facts.append(asked(span, "f1.t1.c1", f"Classify the records of room {number}, please."))
        if number in bad:
            facts.append(failed(span, "f1.t1.c1"))
        elif number in stopped:
            facts.append(failed(span, "f1.t1.c1", "cancelled"))
        else:
            facts.append(replied(span, "f1.t1.c1", cost_usd=0.001 * number))
    if ended:
        facts += [
            ("f1.t1.c1", "f1.t1", ev.CellFinished("ok")),
            ("f1.t1", "f1", ev.TurnFinished()),
            ("f1", RUN, ev.FrameFinished("answered")),
            (RUN, None, ev.RunFinished("answered", Answer("2 rooms."))),
        ]
    return fold(stamped(facts))


def marks(tree: Tree, parent: str) -> list[Mark]:
    return list(tree.children.get(parent, ()))


def hidden(tree: Tree) -> int:
    return sum(mark.hidden for mark in tree.marks if mark.kind != "more")


def prefixes(seed: int) -> list[RunView]:
    events = stamped(random_run(seed, 160))
    return [fold(events[:cut]) for cut in range(1, len(events) + 1, 7)] + [fold(events)]


def test_an_empty_view_has_no_marks():
    assert tree_of(RunView()) == Tree((), 0)


@pytest.mark.parametrize("seed", SEEDS)
def test_at_every_moment_each_node_is_drawn_or_counted_once(seed):
    for view in prefixes(seed):
        tree = tree_of(view)
        assert tree.drawn + hidden(tree) == tree.nodes


@pytest.mark.parametrize("seed", SEEDS)
def test_parents_come_first_and_no_mark_comes_twice(seed):
    for view in prefixes(seed):
        tree = tree_of(view, opened={"f1.t1.c1.g1": range(3)})
        seen: set[str | None] = {None}
        for mark in tree.marks:
            assert mark.parent in seen
            assert mark.id not in seen
            seen.add(mark.id)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_span_is_found_in_a_mark(seed):
    for view in prefixes(seed):
        for max_marks in (300, 5):
            tree = tree_of(view, max_marks=max_marks)
            assert [span for span in view.nodes if tree.mark_of(span) is None] == []


@pytest.mark.parametrize("seed", SEEDS)
def test_sums_hold_at_every_level_and_members_of_a_group_are_part_of_its_sum(seed):
    view = prefixes(seed)[-1]
    tree = tree_of(view)
    assert same(tree.by_id[RUN].subtree, view.totals())
    for mark in tree.marks:
        if mark.is_group or mark.kind == "more":
            continue
        below = Totals()
        for child in marks(tree, mark.id):
            below += child.subtree
        assert same(mark.subtree, mark.own + below)


def same(one: Totals, other: Totals) -> bool:
    return one.cost_usd == pytest.approx(other.cost_usd) and one.calls == other.calls and one.cells == other.cells


@pytest.mark.parametrize("seed", SEEDS)
def test_no_failure_is_hidden_among_what_went_well(seed):
    for view in prefixes(seed):
        for mark in tree_of(view).marks:
            if mark.is_group and not mark.failed:
                assert not any(view.nodes[each].status in ("failed", "timeout", "killed") for each in mark.members)


def test_a_turn_has_the_call_that_wrote_it_and_a_cell_its_findings():
    facts = [*begun(), ("f1.t1.c1.r1", "f1.t1.c1", ev.FindingRecorded(Finding("A12", "yes")))]
    tree = tree_of(fold(stamped(facts)))
    assert [mark.id for mark in tree.marks] == [RUN, "f1.t1", "f1.t1.c1"]
    assert tree.by_id["f1.t1"].own.cost_usd == 0.5
    assert [tree.mark_of(span).id for span in ("f1", "f1.t1.k1", "f1.t1.c1.r1")] == [RUN, "f1.t1", "f1.t1.c1"]
    assert tree.mark_of("gone") is None


def test_eight_alike_are_drawn_singly_and_nine_are_a_group():
    assert [each.kind for each in marks(tree_of(with_calls(FOLD_ABOVE)), "f1.t1.c1")] == ["call"] * 8 + ["answer"]
    group, answer = marks(tree_of(with_calls(FOLD_ABOVE + 1)), "f1.t1.c1")
    assert (group.id, len(group.members), answer.id) == ("f1.t1.c1.g1", 9, ANSWER)
    assert group.is_group
    assert group.subtree.calls == 9


def test_the_dearest_and_the_slowest_stay_in_sight_under_their_group():
    events = stamped([*begun(), *(asked(f"f1.t1.c1.k{n}", "f1.t1.c1", f"Classify room {n}.") for n in range(1, 21))])
    slow_last = [*range(1, 12), *range(13, 21), 12]
    ends = [
        ev.Event(
            "run-1", len(events) + place, events[-1].at + place**2, *replied(f"f1.t1.c1.k{n}", "f1.t1.c1", cost_usd=n)
        )
        for place, n in enumerate(slow_last)
    ]
    tree = tree_of(fold([*events, *ends]))
    slowest, dearest, more = marks(tree, "f1.t1.c1.g1")
    assert (slowest.id, slowest.why) == ("f1.t1.c1.k12", ("slowest",))
    assert (dearest.id, dearest.why) == ("f1.t1.c1.k20", ("dearest",))
    assert (more.kind, len(more.members), more.hidden) == ("more", 18, 18)


def test_up_to_eight_failures_stand_singly_and_more_are_a_group_of_failures():
    few = tree_of(with_calls(40, bad=(3, 7)))
    assert [each.id for each in marks(few, "f1.t1.c1") if each.failed] == ["f1.t1.c1.k3", "f1.t1.c1.k7"]
    many = tree_of(with_calls(40, bad=tuple(range(1, 21))))
    group = many.by_id["f1.t1.c1.g1x"]
    assert (group.failed, len(group.members)) == (True, 20)


def test_calls_that_were_stopped_with_the_run_are_a_group_apart_and_did_not_fail():
    group = tree_of(with_calls(40, stopped=tuple(range(21, 41)))).by_id["f1.t1.c1.g1s"]
    assert (group.status, group.failed, len(group.members)) == ("cancelled", False, 20)


def test_up_to_eight_cited_calls_stand_under_their_group_and_more_are_a_group_beside_it():
    few = tree_of(with_calls(40), cited={"f1.t1.c1.k5": 1, "f1.t1.c1.k9": 2})
    assert [each.id for each in marks(few, "f1.t1.c1.g1") if "cited" in each.why] == ["f1.t1.c1.k5", "f1.t1.c1.k9"]
    assert few.by_id["f1.t1.c1.g1"].cited == 2
    many = tree_of(with_calls(40), cited={f"f1.t1.c1.k{number}": number for number in range(1, 18)})
    assert len(many.by_id["f1.t1.c1.g1q"].members) == 17
    assert len(many.by_id["f1.t1.c1.g1"].members) == 23


def test_what_is_selected_is_drawn_wherever_it_lies():
    tree = tree_of(with_calls(40), selected="f1.t1.c1.k12")
    assert tree.mark_of("f1.t1.c1.k12").id == "f1.t1.c1.k12"
    assert "selected" in tree.by_id["f1.t1.c1.k12"].why


def test_an_opened_group_shows_so_many_members_and_counts_the_rest():
    tree = tree_of(with_calls(40), opened={"f1.t1.c1.g1": range(10)})
    shown = marks(tree, "f1.t1.c1.g1")
    assert [each.id for each in shown[:10]] == [f"f1.t1.c1.k{number}" for number in range(1, 11)]
    assert tree.by_id["f1.t1.c1.g1.more"].hidden == 40 - len(shown) + 1
    whole = tree_of(with_calls(40), opened={"f1.t1.c1.g1": range(500), "gone": range(50)})
    assert len(marks(whole, "f1.t1.c1.g1")) == 40
    assert "f1.t1.c1.g1.more" not in whole.by_id


def test_a_window_of_a_group_counts_what_lies_before_and_after_it():
    tree = tree_of(with_calls(40), opened={"f1.t1.c1.g1": range(10, 20)}, selected="f1.t1.c1.k5")
    earlier, slowest, selected, *window, dearest, more = marks(tree, "f1.t1.c1.g1")
    assert (earlier.id, earlier.kind, len(earlier.members)) == ("f1.t1.c1.g1.earlier", "more", 8)
    assert [each.id for each in (slowest, selected, dearest)] == [f"f1.t1.c1.k{number}" for number in (1, 5, 40)]
    assert [each.id for each in window] == [f"f1.t1.c1.k{number}" for number in range(11, 21)]
    assert (more.id, len(more.members)) == ("f1.t1.c1.g1.more", 19)
    assert tree.by_id["f1.t1.c1.g1"].hidden == 27
    assert tree.drawn + hidden(tree) == tree.nodes
    beyond = tree_of(with_calls(40), opened={"f1.t1.c1.g1": range(900, 950)})
    assert len(beyond.by_id["f1.t1.c1.g1.earlier"].members) == 38
    assert "f1.t1.c1.g1.more" not in beyond.by_id


def test_what_is_kept_is_drawn_wherever_it_lies_and_says_that_it_was_found():
    tree = tree_of(fold(stamped(child_frames(20))), kept=("f1.t1.c1.f9.t1.c1.k1", "f1.t1.c1.f12", "gone"))
    assert {"f1.t1.c1.f9.t1.c1.k1", "f1.t1.c1.f12"} <= {mark.id for mark in tree.marks}
    assert tree.by_id["f1.t1.c1.f12"].why == ("found",)
    assert tree.drawn + hidden(tree) == tree.nodes


def test_a_narrowed_tree_draws_what_matches_and_what_that_lies_in():
    view = with_calls(40, bad=(3, 7))
    tree = tree_of(view, only={"f1.t1.c1.k3", "f1.t1.c1.k7", "gone"})
    assert [mark.id for mark in tree.marks] == [RUN, "f1.t1", "f1.t1.c1", "f1.t1.c1.k3", "f1.t1.c1.k7"]
    assert tree.nodes == 43
    assert same(tree.by_id[RUN].subtree, view.totals())
    assert [mark.id for mark in tree_of(view, only=()).marks] == [RUN]


def test_a_group_of_a_narrowed_tree_has_the_members_that_match():
    view = with_calls(40)
    few, many = ([f"f1.t1.c1.k{number}" for number in range(1, last)] for last in (9, 21))
    assert [mark.id for mark in marks(tree_of(view, only=few), "f1.t1.c1")] == few
    tree = tree_of(view, only=many)
    (group,) = marks(tree, "f1.t1.c1")
    assert (group.id, len(group.members)) == ("f1.t1.c1.g1", 20)
    assert sum(mark.id in many for mark in tree.marks) + hidden(tree) == 20


def test_what_is_selected_or_found_is_drawn_also_where_it_does_not_match():
    view = with_calls(40, bad=(3,))
    tree = tree_of(view, only=["f1.t1.c1.k3"], selected="f1.t1.c1.k12", kept=(ANSWER,))
    assert [mark.id for mark in marks(tree, "f1.t1.c1")] == ["f1.t1.c1.k12", "f1.t1.c1.k3", ANSWER]


@pytest.mark.parametrize("seed", SEEDS)
def test_of_any_narrowed_tree_each_matching_node_is_drawn_or_counted(seed):
    view = prefixes(seed)[-1]
    nodes = [span for span in Outline(view).nodes if span != RUN]
    for only in (set(nodes[::3]), set(nodes[::7]), set(nodes)):
        tree = tree_of(view, only=only, opened={"f1.t1.c1.g1": range(2, 5)})
        above = {span for each in only for span in Outline(view).path(each)} - {RUN}
        assert tree.drawn + hidden(tree) == len(above)


def test_prompts_of_two_lines_of_code_are_two_groups_and_prompts_without_anything_in_common_one():
    facts = begun()
    for number in range(1, 31):
        words = (
            ("Classify room", "Summarise report")[number % 2] if number <= 20 else f"{'abcdefghijk'[number % 11]} says"
        )
        facts.append(asked(f"f1.t1.c1.k{number}", "f1.t1.c1", f"{words} {number}"))
    tree = tree_of(fold(stamped(facts)))
    groups = {mark.id: len(mark.members) for mark in marks(tree, "f1.t1.c1")}
    assert groups == {"f1.t1.c1.g1": 10, "f1.t1.c1.g2": 10, "f1.t1.c1.g0": 10}
    assert tree.by_id["f1.t1.c1.g1"].status == "running"
    assert tree.by_id["f1.t1.c1.g1"].running == 10


def test_searches_and_calls_are_never_one_group():
    facts = begun()
    for number in range(1, 7):
        facts.append(asked(f"f1.t1.c1.k{number}", "f1.t1.c1", f"{'abcdefg'[number]} says"))
        facts.append((f"f1.t1.c1.s{number}", "f1.t1.c1", ev.Searched(f"leak {number}")))
    tree = tree_of(fold(stamped(facts)))
    assert [mark.kind for mark in marks(tree, "f1.t1.c1")] == ["call", "search"] * 6


def test_the_id_of_a_group_stays_while_the_run_grows():
    grown = [tree_of(with_calls(count, ended=False)) for count in range(9, 60)]
    assert all("f1.t1.c1.g1" in tree.by_id for tree in grown)


def child_frames(count: int) -> list[Fact]:
    facts = begun()
    for number in range(1, count + 1):
        frame = f"f1.t1.c1.f{number}"
        facts += [
            (frame, "f1.t1.c1", ev.FrameStarted(1, "rlm", f"What says part {number}?")),
            (f"{frame}.t1", frame, ev.TurnStarted(1)),
            (f"{frame}.t1.c1", f"{frame}.t1", ev.CellStarted("ask()")),
            asked(f"{frame}.t1.c1.k1", f"{frame}.t1.c1", "Read this."),
        ]
    return facts


def test_a_deep_link_into_a_folded_child_frame_unfolds_its_path():
    view = fold(stamped(child_frames(20)))
    folded = tree_of(view)
    assert folded.mark_of("f1.t1.c1.f9.t1.c1.k1").id == "f1.t1.c1.g1"
    deep = tree_of(view, selected="f1.t1.c1.f9.t1.c1.k1")
    assert deep.mark_of("f1.t1.c1.f9.t1.c1.k1").id == "f1.t1.c1.f9.t1.c1.k1"
    assert deep.drawn + hidden(deep) == deep.nodes == folded.nodes


def test_of_groups_that_are_unfolded_the_last_one_has_its_window_whole():
    facts = begun()
    for kind in ("Classify", "Summarise"):
        facts += [asked(f"f1.t1.c1.{kind}{n}", "f1.t1.c1", f"{kind} room {n}.") for n in range(200)]
    opened = {"f1.t1.c1.g1": range(100), "f1.t1.c1.g2": range(20, 120)}
    tree = tree_of(fold(stamped(facts)), opened=opened)
    assert [sum(mark.kind == "call" for mark in marks(tree, group)) for group in opened] == [50, 100]


def test_templates_that_are_rare_among_many_are_one_group():
    facts = begun()
    for kind in range(40):
        facts += [asked(f"f1.t1.c1.k{kind}_{n}", "f1.t1.c1", f"{'x' * (kind + 1)} {n}") for n in range(9 + (kind < 3))]
    tree = tree_of(fold(stamped(facts)))
    groups = {mark.id: len(mark.members) for mark in marks(tree, "f1.t1.c1")}
    assert len(groups) == 13
    assert [groups[f"f1.t1.c1.g{number}"] for number in (1, 2, 3)] == [10, 10, 10]
    assert groups["f1.t1.c1.g0"] == 28 * 9


def test_a_call_knows_whose_it_is_and_a_group_only_what_all_its_calls_are():
    last = ("f1.k1", "f1", ev.CallStarted("root", "demo", (Message("user", "Your last word?"),)))
    tree = tree_of(fold(stamped([*begun(), asked("f1.t1.c1.k1", "f1.t1.c1", "One?"), last])))
    assert [tree.by_id[each].role for each in ("f1.k1", "f1.t1.c1.k1", "f1.t1")] == ["root", "sub", None]
    assert tree_of(with_calls(20)).by_id["f1.t1.c1.g1"].role == "sub"
    roles: tuple[ev.CallRole, ...] = ("compact", "judge")
    mixed = [(f"f1.k{n}", "f1", ev.CallStarted(roles[n % 2], "demo", (Message("user", "Sum up."),))) for n in range(12)]
    (group,) = [mark for mark in tree_of(fold(stamped([*begun(), *mixed]))).marks if mark.is_group]
    assert group.role is None


def test_an_outline_keeps_what_a_damaged_log_left_without_a_parent():
    facts = [*begun(), asked("lost.k1", "lost", "Who asked this?")]
    outline = Outline(fold(stamped(facts)))
    assert outline.parent["lost.k1"] == RUN


def test_nodes_that_name_each_other_as_parents_hang_from_the_run():
    view = fold(stamped([*begun(), asked("a", "b", "One?"), asked("b", "a", "Two?"), asked("c", "c", "Three?")]))
    tree = tree_of(view)
    assert [tree.by_id[each].parent for each in ("a", "b", "c")] == [RUN, "a", RUN]
    assert tree.mark_of("b") is tree.by_id["b"]
    assert tree.mark_of("gone") is None


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_folded_once_is_drawn_the_same_from_each_place_as_what_is_folded_anew(seed):
    view = prefixes(seed)[-1]
    folding = Folding(Outline(view))
    spans = list(view.nodes)
    groups = [mark.id for mark in folding.tree().marks if mark.is_group]
    opened = {group: range(3) for group in groups[:2]}
    for selected in (None, *spans[:: len(spans) // 8]):
        for how in ({}, {"opened": opened}, {"max_marks": 20}, {"only": spans[::5]}, {"kept": spans[3:5]}):
            again, anew = folding.tree(selected=selected, **how), tree_of(view, selected=selected, **how)
            assert again.marks == anew.marks
            assert [again.mark_of(span) for span in spans] == [anew.mark_of(span) for span in spans]


def test_a_turn_that_no_reply_came_for_has_failed_as_its_call_has():
    view = fold(
        stamped(
            [
                *begun(),
                ("f1.t2", "f1", ev.TurnStarted(2)),
                ("f1.t2.k1", "f1.t2", ev.CallStarted("root", "demo", (Message("user", "Go on."),))),
                (
                    "f1.t2.k1",
                    "f1.t2",
                    ev.CallFinished("failed", error="The prompt does not fit.", error_kind="overflow"),
                ),
                ("f1.t2", "f1", ev.TurnFinished()),
            ]
        )
    )
    assert tree_of(view).by_id["f1.t2"].failed
