"""Two runs that come to one count by different items, on the page: a scripted pair, made through the whole pipeline."""

from __future__ import annotations

import json

import scripted_pair


def test_a_scripted_pair_with_one_count_and_different_items_is_told_by_name_with_the_quotes_that_decide(opened, home):
    a, b = scripted_pair.made(home)
    page = opened("compare", runs=f"{a},{b}")
    data = [json.loads(each.proto.json) for each in page.get("bidi_component")]
    shown = {"head" if "headline" in each else "items": each for each in data}
    assert shown["head"]["headline"] == "Same total, different rooms"
    assert shown["head"]["lead"][:4] == [
        "Both answer 1.",
        "They agree on no rooms.",
        "1 room that A counts and B does not: A12.",
        "1 room that B counts and A does not: B07.",
    ]
    rows = {row["item"]: row for row in shown["items"]["rows"]}
    assert [row["status"] for row in rows.values()] == ["differ", "differ", "agree"]
    told = [
        (item, [(said["label"], said["quote"], said["place"]) for said in rows[item]["said"]])
        for item in ("A12", "B07")
    ]
    assert told == [
        ("A12", [("yes", scripted_pair.DRIPPED, "three_rooms.txt:8"), ("no", scripted_pair.DRY, "three_rooms.txt:7")]),
        ("B07", [("no", scripted_pair.OLD, "three_rooms.txt:13"), ("yes", scripted_pair.LEAK, "three_rooms.txt:11")]),
    ]
