"""A long text in pages, and the words that are looked for in it."""

from __future__ import annotations

import json

import pytest
import written_runs
from shown import markdown

from app.components.text_view import OPEN, Opened
from app.long_texts import WHATS, text_of
from app.text_pages import MOST_HITS, PAGE_CHARS, PAGE_LINES, hits_of, page_with, pages_of, pieces
from rlm_core.store.store import Store
from rlm_core.view import fold

CELL = "f1.t1.c1"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a",
        "a\n",
        "x" * (PAGE_CHARS * 2 + 7),
        "line\n" * (PAGE_LINES * 3 + 1),
        ("y" * 999 + "\n") * 100,
        "\n" * 5000,
    ],
)
def test_pages_are_the_whole_text_and_none_is_too_large(text):
    pages = pages_of(text)
    assert "".join(text[page.start : page.end] for page in pages) == text
    for page in pages:
        part = text[page.start : page.end]
        assert len(part) <= PAGE_CHARS
        assert part.count("\n") <= PAGE_LINES
        assert page.line == text[: page.start].count("\n") + 1


def test_a_page_ends_with_a_line_unless_that_is_longer_than_a_page():
    text = ("y" * 999 + "\n") * 100
    assert all(text[page.end - 1] == "\n" for page in pages_of(text))
    assert [page.end for page in pages_of("x" * (PAGE_CHARS + 5))] == [PAGE_CHARS, PAGE_CHARS + 5]


def test_words_are_found_however_they_are_written_and_mean_nothing_but_themselves():
    assert hits_of("Leak, LEAK; no l.ak", "leak") == [(0, 4), (6, 10)]
    assert hits_of("a.b axb", "a.b") == [(0, 3)]
    assert hits_of("Straße", "stra") == [(0, 4)]
    assert hits_of("anything", "") == []
    assert len(hits_of("a" * (MOST_HITS + 5), "a")) == MOST_HITS


def test_the_pieces_of_a_page_are_its_text_with_what_was_found():
    text = "one leak\ntwo leaks\n"
    (page,) = pages_of(text)
    hits = hits_of(text, "leak")
    assert pieces(text, page, hits, 1) == [
        ("", "one "),
        ("hit", "leak"),
        ("", "\ntwo "),
        ("chosen", "leak"),
        ("", "s\n"),
    ]
    long = "x" * (PAGE_CHARS - 2) + "leak" + "y" * 10
    first, second = pages_of(long)
    hits = hits_of(long, "leak")
    assert (page_with([first, second], hits[0][0]), page_with([first, second], PAGE_CHARS)) == (0, 1)
    assert pieces(long, first, hits, 0)[-1] == ("chosen", "le")
    assert pieces(long, second, hits, 0)[0] == ("chosen", "ak")


def test_every_long_text_of_a_node_has_a_name(home):
    with written_runs.Writer(home, "r1") as life:
        life.turn("I look.", "print(1)", "1\n", error="NameError: x", calls=1, failed_calls=1)
        life.finish()
    store = Store.open(home)
    view = fold(store.events("r1", resolve=False))
    store.close()
    named = {what: found.head for what in WHATS if (found := text_of(view, CELL, what))}
    assert named == {"code": "print(1)", "output": "1\n", "error": "NameError: x"}
    assert text_of(view, "f1.t1", "reply").head.startswith("I look.")
    assert text_of(view, f"{CELL}.k1", "reply").head == "Room 1: no."
    assert text_of(view, f"{CELL}.k2", "error").head == "No reply in 60 s."
    assert text_of(view, "answer", "answer").head == "1 room: A12."
    assert text_of(view, "f1.t1", "output") is text_of(view, "nobody", "reply") is None


@pytest.fixture
def reading(opened, home):
    """The page of a run with the output of its cell open: two thousand lines, of which twenty say what is looked for."""
    with written_runs.Writer(home, "r1") as life:
        life.turn(output="".join(f"line {at}: {'wet' if at % 100 == 7 else 'dry'}\n" for at in range(2000)))
        life.finish()
    page = opened("run", run="r1", view="Reader", node=CELL)
    page.session_state[OPEN] = Opened("r1", CELL, "output")
    return page.run()


def shown(page):
    return "".join(text for _, text in component_with(page, "pieces")["pieces"])


def component_with(page, part):
    found = [json.loads(each.proto.json) for each in page.get("bidi_component")]
    return next(each for each in found if part in each)


def test_an_open_text_is_sent_page_by_page(reading):
    assert shown(reading).startswith("line 0: dry\n")
    assert shown(reading).endswith("line 499: dry\n")
    assert "from line 1 on" in markdown(reading)


def test_what_is_looked_for_is_counted_and_its_page_is_turned_to(reading):
    reading.text_input(key="text-find").set_value("WET").run()
    assert "1 of 20" in markdown(reading)
    for _ in range(6):
        reading.button(key="text-1").click().run()
    assert "7 of 20" in markdown(reading)
    assert "from line 501 on" in markdown(reading)
    chosen = [text for kind, text in component_with(reading, "pieces")["pieces"] if kind == "chosen"]
    assert chosen == ["wet"]
    reading.button(key="text--1").click().run()
    assert "6 of 20" in markdown(reading)
    reading.text_input(key="text-find").set_value("dragon").run()
    assert "not found" in markdown(reading)


def test_to_go_back_or_to_select_something_else_closes_it(reading):
    reading.button(key="text-back").click().run()
    assert component_with(reading, "blocks")
    reading.session_state[OPEN] = Opened("r1", "f1.t1", "reply")
    reading.run()
    assert component_with(reading, "blocks")


def test_words_that_are_given_when_a_text_opens_are_turned_to(opened, home):
    with written_runs.Writer(home, "r1") as life:
        life.turn(output="".join(f"line {at}: {'wet' if at == 1707 else 'dry'}\n" for at in range(2000)))
        life.finish()
    page = opened("run", run="r1", view="Reader", node=CELL, find="wet")
    page.session_state[OPEN] = Opened("r1", CELL, "output")
    page.session_state["text-find"], page.session_state["text-asked"] = "wet", True
    page.run()
    assert "1 of 1" in markdown(page)
    assert "from line 1,501 on" in markdown(page)
