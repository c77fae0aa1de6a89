"""What a redacted page must not hold, wherever names, boxes and cells would tell it."""

from __future__ import annotations

from dataclasses import replace
from html import unescape

import pytest
from written_runs import TASK, Writer

from rlm_core import events as ev
from rlm_core.corpus.ingest import ingest, sources_of
from rlm_core.exporters.page.redaction import Redaction
from rlm_core.jobs.paging import page
from rlm_core.store.store import Store
from rlm_core.task import Answer, Message

ASKED_A_CHILD = "Go through the northern annex and tell every stain."
REPLIED = "Plaster of the corridor has come off in three places."
CHILD_SAYS = "Mould behind the boiler was wiped away by the caretaker."
ANSWERED = "The caretaker saw the boiler leak on Monday morning."
SUFFIX = "Reply with one word only, wet or dry."
LITERAL = f'template = """{{room}}\n{SUFFIX}\n"""'
BOTH = [Redaction(documents=True), Redaction(prompts=True), Redaction(True, True)]


def asked(home) -> str:
    """Two calls that part in their first words, and a child frame with a turn of its own."""
    with Writer(home, "asked-1", TASK) as life:
        cell = life.turn("I ask two helpers.", code=LITERAL, open_cell=True)
        for number, room in enumerate(("Boiler", "Attic"), 1):
            call = f"{cell}.k{number}"
            life.emit(call, cell, ev.CallStarted("sub", "demo", (Message("user", f"{room} chamber\n{SUFFIX}\n"),)))
            life.emit(call, cell, ev.CallFinished("ok", f"{REPLIED} {room}"))
        child, turn = f"{cell}.f1", f"{cell}.f1.t1"
        life.emit(child, cell, ev.FrameStarted(1, "rlm", ASKED_A_CHILD))
        life.emit(turn, child, ev.TurnStarted(1))
        life.emit(f"{turn}.k1", turn, ev.CallStarted("root", "demo", (Message("user", ASKED_A_CHILD),)))
        life.emit(f"{turn}.k1", turn, ev.CallFinished("ok", CHILD_SAYS))
        life.emit(turn, child, ev.TurnFinished())
        life.emit(child, cell, ev.FrameFinished("answered", answer=Answer(ANSWERED)))
        life.emit(cell, "f1.t1", ev.CellFinished("ok", "", 0))
        life.finish()
    return "asked-1"


def told(home, redaction: Redaction) -> str:
    return unescape(page(Store.open(home), [asked(home)], redaction))


def test_without_redaction_all_of_it_is_told(home):
    made = told(home, Redaction())
    assert all(each in made for each in (ASKED_A_CHILD, REPLIED, CHILD_SAYS, ANSWERED, SUFFIX, "Boiler chamber"))


@pytest.mark.parametrize("redaction", BOTH)
def test_what_helpers_were_asked_stands_in_no_step_name_or_tip(home, redaction):
    made = told(home, redaction)
    assert "northern annex" not in made
    assert "Boiler chamber" not in made
    assert "Attic chamber" not in made
    assert "call 1" in made


@pytest.mark.parametrize("redaction", [each for each in BOTH if each.documents])
def test_what_helpers_replied_is_left_out_with_the_documents(home, redaction):
    made = told(home, redaction)
    for said in (REPLIED, CHILD_SAYS, ANSWERED):
        assert said[:20] not in made


@pytest.mark.parametrize("redaction", [each for each in BOTH if each.prompts])
def test_what_of_a_prompt_stands_in_code_is_left_out_wherever_in_the_prompt_it_is(home, redaction):
    assert SUFFIX[:20] not in told(home, redaction)


def test_of_two_runs_the_one_whose_archive_is_gone_is_redacted_by_what_was_shown_of_it(home, tmp_path):
    store = Store.open(home)
    archive = tmp_path / "annex.txt"
    archive.write_text("Nothing that another run has read.")
    here, _ = ingest(sources_of(archive), home / "corpora")
    secret = "Water stood ankle deep in the cellar on the second of May."
    for run, corpus in (("gone-1", "gone"), ("here-1", here.id)):
        with Writer(home, run, replace(TASK, corpus=corpus)) as life:
            life.turn(output=secret if run == "gone-1" else "")
            life.finish(answer=f"1 room: {secret}" if run == "gone-1" else "no room")
    assert secret in unescape(page(store, ["gone-1", "here-1"]))
    assert secret[:20] not in unescape(page(store, ["gone-1", "here-1"], Redaction(documents=True)))
