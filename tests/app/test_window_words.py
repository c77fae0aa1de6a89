"""What lay outside the window of runs that read the archive in order, on the pages of a run and of a comparison."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import covered_runs
import pytest
from shown import markdown
from streamlit.testing.v1 import AppTest
from written_runs import TASK, Writer

from rlm_core import events as ev
from rlm_core.corpus.corpus import Corpus
from rlm_core.evidence.fingerprints import FOLDER
from rlm_core.jobs.paging import page
from rlm_core.store.store import Store
from rlm_core.task import Finding, Message

RANDOM = random.Random(3)
LINES = [f"{number:03} " + "".join(RANDOM.choices("abcdefghijklmnopqrstuvwxyz ", k=90)) + ".\n" for number in range(60)]
FILES = {"1.txt": "".join(LINES[:30]), "2.txt": "".join(LINES[30:]), "3.txt": "Ok.\n"}
CHARS = sum(map(len, FILES.values()))
CUT = len("".join(LINES[30:40])) + 50
"""Of the second document, what a prompt held."""


@pytest.fixture
def corpus(home: Path) -> Corpus:
    return covered_runs.archive(home, FILES)


def asked(home: Path, corpus: Corpus, run: str, strategy: str, *prompts: tuple[ev.CallRole, str]) -> str:
    with Writer(home, run, replace(TASK, corpus=corpus.id, strategy=strategy, options={})) as life:
        for number, (role, prompt) in enumerate(prompts, 1):
            life.emit(f"f1.k{number}", "f1", ev.CallStarted(role, "m", (Message("user", prompt),)))
            life.emit(f"f1.k{number}", "f1", ev.CallFinished("ok", "0 rooms."))
        life.finish(answer="0 rooms.")
    return run


def base(home: Path, corpus: Corpus, held: int = CUT) -> str:
    return asked(
        home,
        corpus,
        f"base-{held}",
        "base",
        ("root", f"### 1.txt\n{FILES['1.txt']}\n\n### 2.txt\n{FILES['2.txt'][:held]}"),
    )


def compaction(home: Path, corpus: Corpus) -> str:
    first, second = f"Part 1\n{FILES['1.txt']}\n{FILES['2.txt'][:CUT]}", f"Notes: none\n{FILES['2.txt'][CUT:]}"
    return asked(home, corpus, "compaction-1", "compaction", ("compact", first), ("root", second))


def finding(home: Path, corpus: Corpus, line: int) -> str:
    quote = LINES[30 + line].strip()
    start = FILES["2.txt"].index(quote)
    found = ev.QuoteChecked("exact", "2.txt", start, start + len(quote), line + 1)
    with Writer(home, f"rlm-{line}", replace(TASK, corpus=corpus.id)) as life:
        life.turn(findings=((Finding("A12", "yes", quote, "2.txt"), found),))
        life.finish()
    return f"rlm-{line}"


def comparison(page: AppTest) -> tuple[list[str], dict[str, Any]]:
    """The sentences at the top, and what the second run says of the only item."""
    found = [json.loads(each.proto.json) for each in page.get("bidi_component")]
    head, items = (next(each for each in found if key in each) for key in ("headline", "rows"))
    return head["lead"], items["rows"][0]["said"][1]


def test_the_coverage_of_a_cut_base_run_says_how_much_was_outside_and_from_where_on(opened, home, corpus):
    said = markdown(opened("run", run=base(home, corpus), view="Coverage")).replace("\\", "")
    left = CHARS - len(FILES["1.txt"]) - CUT
    assert "**Fell outside the window**" in said
    assert f"{left:,} of {CHARS:,} characters ({round(100 * left / CHARS)} %), from 2.txt line 11 on" in said


def test_a_base_run_that_held_all_has_nothing_outside_though_a_document_is_too_short_to_be_found(opened, home, corpus):
    said = markdown(opened("run", run=base(home, corpus, 10_000), view="Coverage"))
    assert "Nothing. 4 characters are in pieces too short to be looked for in a prompt." in said


def test_the_coverage_of_a_compaction_says_what_only_the_compressor_saw(opened, home, corpus):
    page = opened("run", run=compaction(home, corpus), view="Coverage")
    said = markdown(page)
    assert f"Only the compressor saw {len(FILES['1.txt']) + CUT:,} of {CHARS:,} characters" in said
    assert "the model that answered had only its notes." in said
    assert "sent to the compressor" in str([each.proto.json for each in page.get("bidi_component")])


def test_of_a_refused_archive_all_is_outside(opened, home, corpus):
    with Writer(home, "refused-1", replace(TASK, corpus=corpus.id, strategy="base", options={})) as life:
        life.emit(ev.RUN_SPAN, None, ev.RunFinished("failed", None, "Too large.", "TaskError"))
    said = markdown(opened("run", run="refused-1", view="Coverage"))
    assert f"all {CHARS:,} characters" in said
    assert "The archive is larger than the window and was refused: no model was shown any of it." in said


def test_a_comparison_says_that_the_passage_lay_outside_the_window_and_links_its_place(opened, home, corpus):
    lead, said = comparison(opened("compare", runs=f"{finding(home, corpus, 20)},{base(home, corpus)}"))
    left = CHARS - len(FILES["1.txt"]) - CUT
    assert lead[-2:] == [
        "The passage that decides A12 was never shown to B: it lay outside its window.",
        f"{left:,} of 1,200 characters lay outside the window of B.",
    ]
    assert (said["label"], said["words"], said["behind"]) == ("not seen", "the passage at ", " lay outside its window")
    assert (said["place"], said["query"]["document"], said["query"]["line"]) == ("2.txt:21", "2.txt", "21")


@pytest.mark.parametrize(
    ("line", "label", "behind"), [(9, "–", None), (10, "not seen", " lay partly outside its window")]
)
def test_the_cut_is_known_to_the_character(opened, home, corpus, line, label, behind):
    lead, said = comparison(opened("compare", runs=f"{finding(home, corpus, line)},{base(home, corpus)}"))
    assert (said["label"], said.get("behind")) == (label, behind)
    assert ("The passage that decides A12 was never shown whole to B: it lay partly outside its window." in lead) == (
        line == 10
    )


def test_a_comparison_says_that_only_the_compressor_saw_the_passage(opened, home, corpus):
    lead, said = comparison(opened("compare", runs=f"{finding(home, corpus, 3)},{compaction(home, corpus)}"))
    assert (
        lead[-1]
        == "Only the compressor of B saw the passage that decides A12: the model that answered had only its notes."
    )
    assert said["label"] == "notes only"
    assert said["words"] + said["place"] + said["behind"] == (
        "only its compressor saw the passage at 2.txt:4; the model that answered had only its notes"
    )
    _, said = comparison(opened("compare", runs=f"{finding(home, corpus, 20)},compaction-1"))
    assert said["label"] == "–", "the model that answered was shown the last part itself"


def test_a_saved_comparison_gives_the_same_reason(home, corpus):
    made = unescape(page(Store.open(home), [finding(home, corpus, 3), compaction(home, corpus)]))
    assert "only its compressor saw the passage at 2.txt line 4; the model that answered had only its notes" in made


def test_runs_are_saved_all_the_same_where_what_they_were_shown_cannot_be_looked_for(home, corpus):
    (corpus.folder / f"{FOLDER}.lock").mkdir()
    made = unescape(page(Store.open(home), [base(home, corpus), finding(home, corpus, 20)]))
    assert "How much of the archive was shown to a model is unknown." in made
    assert "outside its window" not in made
