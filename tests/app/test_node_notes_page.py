"""Notes on nodes: written in the inspector, marked in the tree and in the table of a group, listed for the run."""

from __future__ import annotations

import re

import written_runs
from shown import component, everything, markdown, texts
from written_runs import HOSTILE

from app.components.inspector_note import note_in_short
from rlm_core.notes import Note
from rlm_core.store.store import Store

CELL = "f1.t2.c1"


def say(home, run, /, **notes):
    store = Store.open(home)
    for span, note in notes.items():
        store.set_note(run, span.replace("_", "."), note)
    store.close()


def kept(home, run):
    store = Store.open(home)
    notes = store.notes(run)
    store.close()
    return notes


def test_a_note_is_written_changed_and_removed_in_the_inspector(opened, home):
    run = written_runs.answered(home)
    page = opened("run", run=run, node=CELL)
    page.session_state[f"note-open-{CELL}"] = True
    page.run()
    page.text_input(key=f"note-label-{CELL}").set_value("Too early")
    page.text_area(key=f"note-text-{CELL}").set_value("It has seen one file only.")
    page.button_group(key=f"note-judged-{CELL}").select("wrong")
    next(each for each in page.button if each.label == "Save").click().run()
    assert kept(home, run) == {CELL: Note("Too early", "It has seen one file only.", "wrong")}
    assert "**Too early** :red-badge[✕ wrong]" in markdown(page)
    assert "It has seen one file only." in texts(page)
    assert "✎ wrong" in next(each for each in component(page, "rows")["rows"] if each["id"] == CELL)["why"]
    page.session_state[f"note-open-{CELL}"] = True
    next(each for each in page.run().button if each.label == "Remove").click().run()
    assert kept(home, run) == {}
    assert "Too early" not in markdown(page)


def test_the_notes_of_a_run_are_listed_narrowed_and_lead_to_their_nodes(opened, home):
    run = written_runs.answered(home)
    say(home, run, f1_t1=Note("First", judged="right"), f1_t2_c1_k3=Note(text="Why?"), f9=Note("Gone", judged="wrong"))
    page = opened("run", run=run)
    page.session_state["tabs-run-What you see-Task-Notes 3-Raw"] = "Notes 3"
    page.run()
    table = page.dataframe[0].value
    assert list(table["Node"]) == ["Turn 1, of 2", "call 3 of 10 in cell 2", "f9"]
    assert list(table[""]) == ["✓ right", "", "✕ wrong"]
    page.button_group(key="notes-only").set_value(["wrong"]).run()
    assert list(page.dataframe[0].value["Label"]) == ["Gone"]
    assert "1 of 3 notes" in markdown(page)


def test_members_with_a_note_say_so_in_the_table_of_their_group_and_in_the_tree(opened, home):
    run = written_runs.answered(home)
    say(home, run, f1_t2_c1_k3=Note("Odd", judged="wrong"), f1_t2_c1_k4=Note("Fine"))
    page = opened("run", run=run, node=f"{CELL}.g1", view="Group")
    notes = next(each.value for each in page.dataframe if "Note" in each.value)["Note"]
    assert list(notes[:4]) == ["", "", "✕ wrong, Odd", "Fine"]
    rows = {each["id"]: each.get("why", []) for each in component(page, "rows")["rows"]}
    assert "✎ 2 noted" in rows[f"{CELL}.g1"]


def test_a_note_in_short_has_what_is_said():
    assert note_in_short(None) == ""
    assert note_in_short(Note(judged="right")) == "✓ right"
    assert note_in_short(Note(text="Only one file.")) == "Only one file."


def test_hostile_notes_are_text(opened, home):
    run = written_runs.answered(home)
    say(home, run, run=Note(HOSTILE[:60], HOSTILE), f1_t2_c1=Note(HOSTILE[-60:], HOSTILE, "wrong"))
    for node in ("run", CELL):
        page = opened("run", run=run, node=node)
        said = re.sub(r"\\.", "", markdown(page))
        for danger in ("<script", "](http", "**bold", "\x1b", "\u202e"):
            assert danger not in said
        assert HOSTILE not in texts(page)
        assert "\x1b" not in everything(component(page, "rows"))
