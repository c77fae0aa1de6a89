"""What lay outside the window of runs of `base` and `compaction`, to the character, found from what their prompts held."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from runs import Ran, corpus_of, run_scripted

from rlm_core import events as ev
from rlm_core.compare import align, reading_of
from rlm_core.corpus.corpus import Corpus
from rlm_core.errors import CallError
from rlm_core.evidence.reach import Reach, Unseen, noted, reach_of
from rlm_core.headlines import headline
from rlm_core.jobs.reading import coverage
from rlm_core.lm.client import Request
from rlm_core.lm.scripted import ScriptedLM
from rlm_core.store.recorder import Recorder
from rlm_core.store.store import Store
from rlm_core.strategies.base_lm import CUT_BYTES
from rlm_core.task import Limits

RANDOM = random.Random(5)


def prose(lines: int) -> str:
    words = ("".join(RANDOM.choices("abcdefghijklmnopqrstuvwxyz", k=RANDOM.randint(3, 9))) for _ in range(lines * 8))
    return "".join(f"{' '.join(next(words) for _ in range(8))}.\n" for _ in range(lines))


FILES = {"1.txt": prose(60), "2.txt": "Too short.\n", "3.txt": prose(60), "4.txt": "Ok.\n", "5.txt": prose(60)}
QUOTE = FILES["5.txt"].splitlines()[40]
FINDS = f"```repl\nlen(context)\nrecord('A12', 'yes', {QUOTE!r}, '5.txt')\nanswer['content'] = '1'; answer['ready'] = True\n```"


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return corpus_of(tmp_path, FILES)


def reach(corpus: Corpus, ran: Ran) -> Reach | None:
    """From the run as it is stored."""
    store = Store.open(corpus.folder.parent.parent)
    run = f"r-{len(store.runs())}"
    recorder = Recorder.open(store.home, run)
    for event in ran.events:
        recorder.emit(event.span, event.parent, event.body)
    recorder.close()
    found = reach_of(ran.view, corpus, coverage(store, corpus, run))
    store.close()
    return found


def base(corpus: Corpus, window_tokens: int, overflow: str = "cut", says: str = "none") -> Ran:
    lm = ScriptedLM(lambda request: says, window_tokens=window_tokens)
    return run_scripted(corpus, lm, strategy="base", options={"overflow": overflow})


def compacted(corpus: Corpus, window_tokens: int, limits: Limits | None = None) -> Ran:
    lm = ScriptedLM(lambda request: "notes" if request.role == "compact" else "none", window_tokens=window_tokens)
    return run_scripted(corpus, lm, strategy="compaction", limits=limits or Limits())


@pytest.mark.parametrize("window_tokens", [600, 1_000, 1_500, 2_000, 2_400, 2_900])
def test_outside_is_to_the_character_what_base_has_cut(corpus, window_tokens):
    ran = base(corpus, window_tokens)
    found, by_note = reach(corpus, ran), noted(ran.view)
    assert by_note.estimated
    assert found == Reach(by_note.outside)
    assert found.chars_outside == by_note.chars_outside > 0


def test_nothing_is_outside_where_all_fits_though_documents_are_too_short_to_be_found(corpus):
    assert reach(corpus, base(corpus, 100_000)) == Reach()
    short = corpus_of(corpus.folder.parent.parent, {"a.txt": prose(20), "b.txt": "Short.", "c.txt": "Ok.\n"})
    assert reach(short, base(short, 100_000)) == Reach()


@pytest.mark.parametrize("left_out", [1, 7, 39, 400])
def test_the_end_of_the_last_document_is_outside_however_short_it_is(tmp_path, left_out):
    corpus = corpus_of(tmp_path, {"a.txt": prose(60).strip(". \n")})
    lm = ScriptedLM(lambda request: "none")
    run_scripted(corpus, lm, strategy="base")
    room = len(lm.requests[0].messages[0].text) - left_out
    ran = base(corpus, room * 10 // 36)
    found, (by_note,) = reach(corpus, ran), noted(ran.view).outside
    assert found == Reach((by_note,))
    assert left_out <= by_note.end - by_note.start - CUT_BYTES < left_out + 4


def test_what_stands_elsewhere_too_was_shown_though_it_lies_behind_the_cut(tmp_path):
    text = prose(40)
    corpus = corpus_of(tmp_path, {"1.txt": text, "2.txt": prose(40), "3.txt": text})
    found = reach(corpus, base(corpus, len(text) // 2))
    assert {each.document for each in found.outside} == {"2.txt"}


def test_an_archive_that_is_refused_lies_outside_as_a_whole(corpus):
    every = tuple(Unseen(name, 0, len(text)) for name, text in FILES.items())
    ran = base(corpus, 900, "refuse")
    assert ran.outcome == "failed"
    assert reach(corpus, ran) == Reach(every, refused=True)


@pytest.mark.parametrize(("kind", "refused"), [("overflow", True), ("auth", False)])
def test_who_was_asked_may_refuse_it_too_and_another_failure_says_nothing_of_the_window(corpus, kind, refused):
    def reply(request: Request) -> str:
        raise CallError("No.", kind)

    found = reach(corpus, run_scripted(corpus, ScriptedLM(reply), strategy="base"))
    assert (found is not None and found.refused) == refused
    assert (found is None) == (not refused)


def test_the_compressor_saw_all_but_what_the_model_that_answered_was_shown_itself(corpus):
    ran = compacted(corpus, 1_300)
    found = reach(corpus, ran)
    last = ran.view.prompt(next(span for span, node in ran.view.nodes.items() if _is_last(node)))[0].text
    shown = last.split("### 5.txt\n")[1]
    assert FILES["5.txt"].endswith(shown)
    assert found.outside == ()
    assert [each for each in found.compressed if each.document in ("1.txt", "3.txt", "5.txt")] == [
        Unseen("1.txt", 0, len(FILES["1.txt"])),
        Unseen("3.txt", 0, len(FILES["3.txt"])),
        Unseen("5.txt", 0, len(FILES["5.txt"]) - len("\n" + shown)),
    ], "the line feed that ends the heading is taken for the one that stands before the part"


def _is_last(node) -> bool:
    return node.kind == "call" and node.started.role == "root"


def test_what_a_limit_kept_compaction_from_reading_is_outside_to_the_character(corpus):
    ran = compacted(corpus, 1_300, Limits(max_calls=2))
    assert ran.outcome == "forced"
    found = reach(corpus, ran)
    assert found.outside == noted(ran.view).outside
    assert found.compressed


def test_what_codeact_cut_from_its_first_prompt_is_not_called_outside_for_it_may_be_printed_later(corpus):
    lm = ScriptedLM(lambda request: "none", window_tokens=3_000)
    ran = run_scripted(corpus, lm, strategy="codeact", options={"overflow": "cut"})
    assert any(body.topic == "context_cut" for body in ran.bodies(ev.Noted))
    assert noted(ran.view) == Reach()
    assert reach(corpus, ran) is None


def test_other_strategies_and_runs_under_way_have_no_such_window(corpus):
    ran = run_scripted(corpus, ScriptedLM([FINDS]), strategy="rlm")
    assert reach(corpus, ran) is None
    under_way = base(corpus, 1_000)
    under_way.view.nodes["run"].finished = None
    assert reach(corpus, under_way) is None


# ---------------------------------------------------------------------- beside another run


def test_the_passage_that_decides_an_item_lay_outside_the_window_of_base_or_only_its_compressor_saw_it(corpus):
    rlm = run_scripted(corpus, ScriptedLM(["```repl\nprint(len(context))\n```", FINDS]))
    assert [said.item for _, said, _ in rlm.view.findings()] == ["A12"]
    cut, notes = base(corpus, 1_500), compacted(corpus, 500)
    comparison = align(
        [reading_of(rlm.view), *(reading_of(each.view, reach=reach(corpus, each)) for each in (cut, notes))]
    )
    (item,) = comparison.items
    assert [said.how for said in item.said] == ["recorded", "not seen", "notes only"]
    lead = headline(comparison).lead
    outside = sum(each.end - each.start for each in noted(cut.view).outside)
    assert lead[-3:] == (
        "The passage that decides A12 was never shown to B: it lay outside its window.",
        f"{outside:,} of {corpus.chars:,} characters lay outside the window of B.",
        "Only the compressor of C saw the passage that decides A12: the model that answered had only its notes.",
    )


def test_a_passage_that_base_was_shown_is_not_called_missed(corpus):
    rlm = run_scripted(corpus, ScriptedLM(["```repl\nprint(len(context))\n```", FINDS]))
    whole = base(corpus, 100_000)
    comparison = align([reading_of(rlm.view), reading_of(whole.view, reach=reach(corpus, whole))])
    assert [said.how for said in comparison.items[0].said] == ["recorded", "not named"]
    assert not any("window" in each for each in headline(comparison).lead)
