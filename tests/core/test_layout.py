"""The tidy tree: columns line up, nothing overlaps, a parent stands in the middle of its children."""

from __future__ import annotations

import random

from rlm_core.layout import CHIP_GAP, GAP_X, GAP_Y, UNDER_GAP, Box, Layout, tidy


def box(name: str, parent: str | None = None, width: float = 100, height: float = 40, chip: bool = False) -> Box:
    return Box(name, parent, width, height, chip)


def middle(layout: Layout, of: Box) -> float:
    return layout.spots[of.id].y + of.height / 2


def overlapping(boxes: list[Box], layout: Layout) -> list[tuple[str, str]]:
    def apart(a: Box, b: Box) -> bool:
        at, other = layout.spots[a.id], layout.spots[b.id]
        beside = at.x + a.width <= other.x or other.x + b.width <= at.x
        return beside or at.y + a.height <= other.y or other.y + b.height <= at.y

    return [(a.id, b.id) for i, a in enumerate(boxes) for b in boxes[:i] if not apart(a, b)]


def random_tree(seed: int) -> list[Box]:
    rng = random.Random(seed)
    boxes = [box("0")]
    groups: set[str] = set()
    for number in range(1, 60):
        parent = rng.choice([None, *boxes[-8:]])
        chip = parent is not None and not parent.chip and parent.id in groups
        if parent is not None and not chip and not parent.chip and rng.random() < 0.2:
            groups.add(str(number))
        width = rng.choice((82, 127, 262)) if chip else 262 if str(number) in groups else rng.choice((140, 262))
        boxes.append(box(str(number), parent.id if parent else None, width, rng.choice((26, 58, 78)), chip))
    return boxes


def test_nothing_is_nothing():
    assert tidy([]) == Layout({}, ())


def test_roots_stand_below_each_other_and_children_in_the_next_column():
    roots = [box("a"), box("b")]
    child = box("c", "b", 60)
    spots = tidy([*roots, child]).spots
    assert (spots["a"].x, spots["a"].y) == (0, 0)
    assert (spots["b"].x, spots["b"].y) == (0, 40 + GAP_Y)
    assert (spots["c"].x, spots["c"].column) == (100 + GAP_X, 1)


def test_a_parent_stands_in_the_middle_of_its_children():
    parent, children = box("p"), [box("a", "p"), box("b", "p", height=90), box("c", "p")]
    layout = tidy([parent, *children])
    assert middle(layout, parent) == (middle(layout, children[0]) + middle(layout, children[-1])) / 2


def test_a_small_only_child_stands_in_the_middle_of_its_parent():
    parent, child = box("p", height=58), box("c", "p", height=32)
    layout = tidy([parent, child])
    assert layout.spots["p"].y == 0
    assert middle(layout, child) == middle(layout, parent)


def test_everything_that_hangs_from_a_small_child_moves_down_with_it():
    boxes = [box("p", height=90), box("c", "p", height=30), box("g", "c", height=20), box("next", height=30)]
    layout = tidy(boxes)
    assert [middle(layout, each) for each in boxes[:3]] == [45, 45, 45]
    assert layout.spots["next"].y == 90 + GAP_Y


def test_members_stand_in_rows_below_their_group_and_no_wider_than_it():
    group = box("g", width=200)
    chips = [box(str(number), "g", 96, 26, chip=True) for number in range(3)]
    spots = tidy([group, *chips]).spots
    assert [(spots[each.id].x, spots[each.id].y) for each in chips] == [
        (0, 40 + UNDER_GAP),
        (96 + CHIP_GAP, 40 + UNDER_GAP),
        (0, 40 + UNDER_GAP + 26 + CHIP_GAP),
    ]
    assert {spots[each.id].column for each in chips} == {0}


def test_what_is_inside_a_member_of_a_group_stands_beside_it():
    boxes = [
        box("g", width=200),
        box("chip", "g", 96, 26, chip=True),
        box("frame", "g", 200, 58, chip=True),
        box("turn", "frame"),
        box("last", "g", 96, 26, chip=True),
    ]
    layout = tidy(boxes)
    spots = layout.spots
    assert spots["turn"].column == spots["frame"].column + 1
    assert spots["chip"].y < spots["frame"].y < spots["last"].y
    assert overlapping(boxes, layout) == []


def test_more_members_of_a_group_move_nothing_that_stands_above():
    def tree(members: int) -> list[Box]:
        chips = [box(f"k{number}", "g", 96, 26, chip=True) for number in range(members)]
        return [box("t1"), box("c1", "t1"), box("g", "c1", width=200), *chips, box("t2")]

    few, many = tidy(tree(2)).spots, tidy(tree(60)).spots
    assert all(few[each] == many[each] for each in ("t1", "c1", "g", "k0", "k1"))
    assert many["t2"].y > few["t2"].y


def test_columns_have_a_width_before_anything_is_in_them():
    early = tidy([box("a")], (140, 140, 262))
    late = tidy([box("a"), box("b", "a", 140), box("c", "b", 262)], (140, 140, 262))
    assert early.columns == late.columns
    assert [each.width for each in early.columns] == [140, 140, 262]


def test_a_parent_that_is_not_drawn_is_no_parent():
    assert tidy([box("a", "gone"), box("chip", "gone", chip=True)]).spots["a"].column == 0


def test_no_boxes_overlap_whatever_the_tree():
    for seed in range(40):
        boxes = random_tree(seed)
        layout = tidy(boxes)
        assert set(layout.spots) == {each.id for each in boxes}
        assert overlapping(boxes, layout) == [], seed


def test_two_thousand_boxes_in_a_deep_tree_are_placed_at_once():
    boxes = [box("0")] + [box(str(number), str(number // 3)) for number in range(1, 2000)]
    assert len(tidy(boxes).spots) == 2000
