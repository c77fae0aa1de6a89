"""What the reader sends to the browser."""

from __future__ import annotations

import pytest
import written_runs
from event_streams import random_run, stamped
from shown import component, everything
from written_runs import HOSTILE, Writer

from app.components import run_reader
from rlm_core import events as ev
from rlm_core.evidence.citations import head
from rlm_core.looks import notebook
from rlm_core.looks.look import look_at, reading_of
from rlm_core.looks.place import Place
from rlm_core.store.store import Store
from rlm_core.task import Finding, Limits, Message, Task, Usage
from rlm_core.view import fold


def sent(view, node=None, now=0.0, **opened):
    look = look_at(reading_of(view, head), Place(view.run, node, opened))
    blocks = notebook.blocks_of(view, look.tree, look.names, look.reading.namer, look.reading.folding)
    return run_reader.data(look, blocks, now)


def data(home, run, node=None, **opened):
    store = Store.open(home)
    view = fold(store.events(run))
    store.close()
    return sent(view, node, **opened)


def blocks(home, run, node=None, **opened):
    return {block["id"]: block for block in data(home, run, node, **opened)["blocks"]}


def part(block, kind):
    return next(each for each in block["parts"] if each["type"] == kind)


def test_a_turn_says_its_words_without_the_code_and_what_it_took(home):
    found = blocks(home, written_runs.answered(home))
    first = found["f1.t1"]
    assert (first["title"], first["shape"], first["mark"]) == ("Turn 1", "root", "f1.t1")
    assert first["parts"] == [{"type": "words", "pieces": ("I look at the rooms.",)}]
    assert first["facts"].startswith("1,500 in, 200 out · $0.013 · ")


def test_a_cell_has_lines_of_code_its_output_and_what_it_took(home):
    cell = blocks(home, written_runs.answered(home))["f1.t1.c1"]
    code = part(cell, "code")
    assert code["lines"][1] == (("k", "for"), ("", " room "), ("k", "in"), ("", " rooms:"))
    assert (code["shown"], code["failed"]) == (3, None)
    assert part(cell, "output")["pieces"] == ("A12\nB07",)
    assert cell["facts"].startswith("3 lines · ")


def test_calls_of_a_cell_are_rows_and_findings_are_counted(home):
    found = blocks(home, written_runs.answered(home))
    group, failed, findings = found["f1.t2.c1.g1"], found["f1.t2.c1.k10"], found["f1.t2.c1/findings"]
    assert (group["title"], group["state"], group["failed"]) == ("×9 Was room … wet again?…", "ok", False)
    assert group["facts"].startswith("$0.112 · p50 ")
    assert (failed["shape"], failed["state"], failed["beside"]) == ("failed", "failed", "No reply in 60 s.")
    assert failed["facts"].startswith("cost unknown · ")
    assert (findings["title"], findings["labels"], findings["mark"]) == (
        "3 findings",
        [["1", "yes"], ["1", "unknown"], ["1", "no"]],
        "f1.t2.c1",
    )
    assert found["answer"]["parts"][0]["pieces"] == ("1 room: A12.",)


def test_what_a_cell_left_behind_stands_below_its_output(home):
    many = [
        {"name": f"x{number}", "type": "int", "size": number, "preview": "1", "change": "changed"}
        for number in range(50)
    ]
    first = {"name": "rooms", "type": "list", "size": "2", "preview": "['A12', 'B07']", "change": "new"}
    with Writer(home, "r1") as life:
        life.turn(variables=(first, *many))
        life.turn()
    found = blocks(home, "r1")
    left = part(found["f1.t1.c1"], "variables")
    assert left["rows"][0] == ["rooms", "list", "2", "new", "['A12', 'B07']"]
    assert (len(left["rows"]), left["more"]) == (40, 11)
    assert not any(each["type"] == "variables" for each in found["f1.t2.c1"]["parts"])


def test_findings_are_rows_that_select_and_the_most_telling_come_first(home):
    recorded = part(blocks(home, written_runs.answered(home))["f1.t2.c1/findings"], "findings")
    assert [(row["span"], row["item"], row["label"], row["verdict"]) for row in recorded["rows"]] == [
        ("f1.t2.c1.r1", "A12", "yes", "✓ exact"),
        ("f1.t2.c1.r3", "C02", "unknown", "– no quote"),
        ("f1.t2.c1.r2", "B07", "no", "✕ not found"),
    ]
    assert recorded["more"] == 0
    many = tuple((Finding(f"R{number}", "yes"), None) for number in range(100))
    with Writer(home, "many") as life:
        life.turn(findings=many)
    recorded = part(blocks(home, "many")["f1.t1.c1/findings"], "findings")
    assert (len(recorded["rows"]), recorded["more"]) == (40, 60)


def test_the_next_failure_is_named_with_its_number_over_all_pages(home):
    with Writer(home, "long-2") as life:
        for number in range(200):
            failed = number in (3, 190)
            life.turn(code="nowhere()" if failed else written_runs.CODE, error="NameError: x" if failed else None)
        life.finish()
    first = data(home, "long-2")["failures"]
    assert (first["next"], first["words"], first["before"]) == ("f1.t4.c1", "next failure (1 of 2)", None)
    second = data(home, "long-2", "f1.t4.c1")["failures"]
    assert (second["next"], second["words"], second["last"]) == ("f1.t191.c1", "next failure (2 of 2)", False)
    last = data(home, "long-2", "f1.t191.c1")["failures"]
    assert (last["next"], last["words"], last["last"]) == ("f1.t4.c1", "first failure again (1 of 2)", True)
    assert last["before"] == "f1.t4.c1"
    assert data(home, written_runs.answered(home), "f1.t1")["failures"]["next"] == "f1.t2.c1.k10"
    with Writer(home, "fine") as life:
        life.turn()
    assert data(home, "fine")["failures"] is None


def test_a_text_of_which_not_all_is_in_sight_can_be_read_in_pages(home):
    with Writer(home, "r1") as life:
        life.turn(output="A12\n" * 10_000)
        life.turn()
    found = blocks(home, "r1")
    long, short = part(found["f1.t1.c1"], "output"), part(found["f1.t2.c1"], "output")
    assert (long["text"], long["whole"]) == ("output", "search in all 40,000 characters, or save them")
    assert "whole" not in short


def test_the_line_that_failed_is_marked_and_shown_however_far_down_it_is(home):
    code = "\n".join(f"x{number} = {number}" for number in range(1, 121))
    with Writer(home, "r1") as life:
        life.turn(code=code, error="Traceback (most recent call last):\n  cell 1, line 90\n    x90\nNameError: x")
        life.turn(code=code)
    found = blocks(home, "r1")
    failed, fine = part(found["f1.t1.c1"], "code"), part(found["f1.t2.c1"], "code")
    assert (failed["failed"], failed["shown"]) == (90, 120)
    assert (fine["failed"], fine["shown"], len(fine["lines"])) == (None, 40, 120)
    assert found["f1.t1.c1"]["ended"] == "ended in an error"
    assert part(found["f1.t1.c1"], "traceback")["pieces"][0].endswith("NameError: x")


def test_what_the_model_was_not_shown_is_counted_in_its_place(home):
    with Writer(home, "r1", Task("Q", "no-corpus", limits=Limits(shown_chars=900))) as life:
        life.turn(output="a" * 600 + "b" * 18_204 + "c" * 300)
    pieces = part(blocks(home, "r1")["f1.t1.c1"], "output")["pieces"]
    assert pieces[0], pieces[2] == ("a" * 600, "c" * 300)
    assert (pieces[1]["words"], pieces[1]["button"]) == ("18,204 characters not shown to the model", "open all 19,104")


def test_a_megabyte_is_never_sent_whole(home):
    found = data(home, written_runs.hostile(home))
    by_id = {block["id"]: block for block in found["blocks"]}
    assert len(everything(found)) < 120_000
    output = part(by_id["f1.t1.c1"], "output")["pieces"]
    assert "not shown to the model" in output[1]["words"]
    answer = part(by_id["answer"], "words")["pieces"]
    assert answer[1]["words"].endswith("more characters")


def test_refused_answers_and_failed_replies_are_said(home):
    with Writer(home, "r1") as life:
        life.emit("f1.t1", "f1", ev.TurnStarted(1))
        life.emit("f1.t1.k1", "f1.t1", ev.CallStarted("root", "demo", (Message("user", "Go."),)))
        life.emit("f1.t1.k1", "f1.t1", ev.CallFinished("failed", error="The key is missing."))
        life.emit("f1.t1", "f1", ev.TurnFinished("Its output had not been seen."))
        life.emit("f1.k1", "f1", ev.CallStarted("root", "demo", (Message("user", "Say it."),)))
        life.emit("f1.k1", "f1", ev.CallFinished("ok", "Two rooms.", Usage(10, 2), 0.5))
    found = blocks(home, "r1")
    assert found["f1.t1"]["failed"]
    assert part(found["f1.t1"], "error")["pieces"] == ("The key is missing.",)
    assert "".join(part(found["f1.t1"], "note")["pieces"]).endswith(
        "sent back to the model: Its output had not been seen."
    )
    assert (found["f1.k1"]["title"], found["f1.k1"]["beside"]) == ("Last word", "a call outside any turn")


def test_a_failure_that_was_made_good_is_said_so_and_is_none_to_look_for(home):
    with Writer(home, "r1") as life:
        life.turn(error="NameError: x")
        life.turn(calls=1, failed_calls=1)
        cell = life.turn(code="ask_again()", open_cell=True)
        life.emit(f"{cell}.k1", cell, ev.CallStarted("sub", "demo", (Message("user", "Was room 2 wet again?"),)))
        life.emit(f"{cell}.k1", cell, ev.CallFinished("ok", "No."))
        life.turn(code="nowhere()", error="NameError: nowhere")
    found, failures = blocks(home, "r1"), data(home, "r1")["failures"]
    fates = {
        span: (block["failed"], block["good"], block["shape"]) for span, block in found.items() if "shape" in block
    }
    assert fates["f1.t1.c1"] == (False, "repaired in turn 2", "mended")
    assert fates["f1.t2.c1.k2"] == (False, "asked again in turn 3", "mended")
    assert fates["f1.t4.c1"] == (True, "", "failed")
    assert fates["f1.t2.c1"] == (False, "", "code")
    assert (failures["next"], failures["words"]) == ("f1.t4.c1", "next failure (1 of 1)")


def test_what_is_under_way_says_for_how_long(home):
    with written_runs.running(home) as life:
        store = Store.open(home)
        view = fold(store.events("running-1"))
        store.close()
        found = sent(view, now=view.nodes["f1.t2.c1"].started_at + 12)
        assert life.turns == 2
    by_id = {block["id"]: block for block in found["blocks"]}
    assert found["live"]
    assert (by_id["f1.t2.c1"]["running"], by_id["f1.t2.c1"]["facts"]) == (True, "3 lines · running for 12 s")
    assert by_id["f1.t2.c1.k3"]["running"]


def test_what_is_selected_is_the_block_that_shows_it(home):
    run = written_runs.answered(home)
    assert data(home, run)["selected"] is None
    assert data(home, run, "f1.t1.c1")["selected"] == "f1.t1.c1"
    assert data(home, run, "f1.t1.k1")["selected"] == "f1.t1"
    assert data(home, run, "f1.t2.c1.k4")["selected"] == "f1.t2.c1.g1"
    assert data(home, run, "f1.t2.c1.r2")["selected"] == "f1.t2.c1"
    assert data(home, run, "run")["selected"] is None


def test_a_long_run_is_read_in_pages_and_the_page_is_the_one_of_the_selection(home):
    with Writer(home, "long-1") as life:
        for _ in range(200):
            life.turn()
        live = data(home, "long-1")
        life.finish()
    first = data(home, "long-1")
    assert (first["count"], first["before"]) == ("steps 1–300 of 401", None)
    assert first["after"] == {"mark": "f1.t151", "words": "steps 301–401"}
    second = data(home, "long-1", first["after"]["mark"])
    assert (second["selected"], len(second["blocks"]), second["after"]) == ("f1.t151", 101, None)
    assert second["before"]["mark"] == "f1.t1"
    assert live["count"] == "steps 301–400 of 400"


def test_a_child_frame_is_set_in_and_says_what_it_was_asked():
    view = fold(stamped(random_run(3, 200, max_depth=2)))
    found = sent(view)["blocks"]
    frames = [block for block in found if block["kind"] == "frame"]
    assert frames
    for frame in frames:
        following = found[found.index(frame) + 1]
        assert (frame["title"], following["depth"]) == (f"Child frame, depth {frame['depth']}", frame["depth"])


@pytest.mark.parametrize("seed", range(4))
def test_any_prefix_of_any_run_can_be_sent(seed):
    events = stamped(random_run(seed, 120, hostile=True))
    for length in (2, len(events) // 3, len(events) // 2, len(events)):
        found = sent(fold(events[:length]), now=events[length - 1].at)
        assert not {"\x00", "\u202e", "\r"}.intersection(everything(found))


def test_hostile_text_reaches_the_browser_as_plain_text(opened, home):
    page = opened("run", run=written_runs.hostile(home), view="Reader")
    shown = everything(component(page, "blocks"))
    assert "<script>alert(1)</script> ![x](http://evil.example/x.png) **bold**" in shown
    assert HOSTILE not in shown
    assert not {"\x1b", "\u202e", "\x00"}.intersection(shown)
