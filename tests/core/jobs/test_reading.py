"""What the models of a run were shown, found from its events: printed, sent, cited, and brought up to date as the run goes on."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from processes import new_task, wait_until

from rlm_core import events as ev
from rlm_core.corpus.corpus import Corpus
from rlm_core.corpus.ingest import Source
from rlm_core.errors import CorpusError, StoreError
from rlm_core.evidence.coverage import Coverage
from rlm_core.evidence.mapping import VERSION
from rlm_core.jobs.asking import answer_now, load_archive
from rlm_core.jobs.reading import bring_up_to_date, corpus_of, coverage, main
from rlm_core.store.recorder import Recorder
from rlm_core.store.store import Store
from rlm_core.task import Answer, Finding, Limits, Message, Task

RANDOM = random.Random(2)
WORDS = ["".join(RANDOM.choices("abcdefghijklmnopqrstuvwxyz", k=RANDOM.randint(3, 9))) for _ in range(900)]
TEXTS = [" ".join(RANDOM.choices(WORDS, k=900)) + "\n" for _ in range(4)]


@pytest.fixture
def store(tmp_path):
    opened = Store.open(tmp_path / "home")
    yield opened
    opened.close()


@pytest.fixture
def corpus(store) -> Corpus:
    return load_archive(store, [Source(f"{n}.txt", text.encode()) for n, text in enumerate(TEXTS)], name="four")[0]


class Written:
    """A run that is written event by event."""

    def __init__(self, store: Store, corpus: Corpus, **limits: int) -> None:
        self.recorder = Recorder.open(store.home, "r-1")
        self.emit("run", None, ev.RunStarted(Task("Why?", corpus.id, limits=Limits(**limits))))
        self.emit("f1", "run", ev.FrameStarted(0, "rlm", "Why?"))

    def emit(self, span: str, parent: str | None, body: ev.Body) -> None:
        self.recorder.emit(span, parent, body)

    def asked(self, turn: int, *texts: str, status: ev.Status = "ok") -> None:
        """A turn in which the root model is told this; the first text opens the conversation."""
        span = f"f1.t{turn}.k1"
        self.emit(f"f1.t{turn}", "f1", ev.TurnStarted(turn))
        messages = tuple(Message("user", text) for text in texts)
        self.emit(
            span, f"f1.t{turn}", ev.CallStarted("root", "m", messages, f"f1.t{turn - 1}.k1" if turn > 1 else None)
        )
        self.emit(span, f"f1.t{turn}", ev.CallFinished(status, "code"))

    def printed(self, turn: int, output: str) -> None:
        cell = f"f1.t{turn}.c1"
        self.emit(cell, f"f1.t{turn}", ev.CellStarted("print(x)"))
        self.emit(cell, f"f1.t{turn}", ev.CellFinished("ok", output, len(output)))

    def helped(self, turn: int, number: int, prompt: str, status: ev.Status = "ok", reply: str = "yes") -> None:
        span, cell = f"f1.t{turn}.c1.k{number}", f"f1.t{turn}.c1"
        self.emit(span, cell, ev.CallStarted("sub", "m", (Message("user", prompt),)))
        self.emit(span, cell, ev.CallFinished(status, reply))

    def ended(self) -> None:
        self.emit("f1", "run", ev.FrameFinished("answered"))
        self.emit("run", None, ev.RunFinished("answered", Answer("Because.")))
        self.recorder.close()


def found(store: Store) -> list[tuple[str, str, int, int, int]]:
    return [(each.span, each.how, each.document, each.start, each.end) for each in store.reads("r-1")]


def part(document: int, start: int, end: int) -> str:
    return TEXTS[document][start:end]


def test_printed_sent_and_cited_parts_are_found_in_the_order_of_the_run(store, corpus):
    run = Written(store, corpus)
    run.asked(1, f"The first document begins: <{part(0, 0, 300)}>")
    run.printed(1, part(1, 500, 1_500))
    run.asked(2, f"Output: {part(1, 500, 1_500)}")
    run.helped(2, 1, f"Was it wet?\n\n{part(2, 100, 900)}|")
    run.printed(2, part(3, 0, 400))
    quote = part(2, 300, 380)
    run.emit("f1.t2.c1.r1", "f1.t2.c1", ev.FindingRecorded(Finding("A12", "yes", quote)))
    run.emit("f1.t2.c1.r1", "f1.t2.c1", ev.QuoteChecked("exact", "2.txt", 300, 380, 1))
    run.ended()
    bring_up_to_date(store, corpus, "r-1")
    got = [(span, how, document) for span, how, document, _, _ in found(store)]
    assert got == [
        ("f1.t1.k1", "sent", 0),
        ("f1.t1.c1", "printed", 1),
        ("f1.t2.c1.k1", "sent", 2),
        ("f1.t2.c1.r1", "cited", 2),
    ], "what is told of outputs is the cell's; the last cell's output was told to nobody"
    for (_, _, _, start, end), wanted in zip(
        found(store), [(0, 300), (500, 1_500), (100, 900), (300, 380)], strict=True
    ):
        assert abs(start - wanted[0]) + abs(end - wanted[1]) <= 4
    share = store.coverage_of(["r-1"])["r-1"]
    assert share.complete
    assert share.shown_chars == coverage(store, corpus, "r-1").chars_shown


def test_quotes_within_replies_and_the_answer_are_looked_for(store, corpus):
    run = Written(store, corpus)
    run.asked(1, "Go on.")
    said, lost = part(1, 1_000, 1_060).strip(), "nothing of the kind stands in any of these documents"
    run.helped(1, 1, "Was it wet?", reply=f'Yes: "{said}" proves it.')
    run.emit("run", None, ev.RunFinished("answered", Answer(f'It was wet, as "{said}" and "{lost}" say.')))
    run.recorder.close()
    bring_up_to_date(store, corpus, "r-1")
    at = TEXTS[1].index(said)
    assert [(each.span, each.quote, each.verdict, each.start) for each in store.quotes("r-1")] == [
        ("f1.t1.c1.k1", said, "exact", at),
        ("run", said, "exact", at),
        ("run", lost, "not found", None),
    ]
    cited = (1, at, at + len(said))
    assert found(store) == [("f1.t1.c1.k1", "cited", *cited), ("run", "cited", *cited)]


def test_of_a_long_output_only_what_the_model_was_shown_counts(store, corpus):
    run = Written(store, corpus, shown_chars=900)
    run.asked(1, "Go on.")
    run.printed(1, TEXTS[0])
    run.asked(2, "Output: ...")
    run.ended()
    bring_up_to_date(store, corpus, "r-1")
    chars = len(TEXTS[0])
    (head, tail) = found(store)
    assert abs(head[4] - 600) <= 3
    assert abs(tail[3] - (chars - 300)) <= 3
    assert tail[4] == chars


def test_a_prompt_that_no_model_answered_was_shown_to_nobody(store, corpus):
    run = Written(store, corpus)
    run.asked(1, "Go on.")
    run.helped(1, 1, TEXTS[0], status="failed")
    run.printed(1, TEXTS[1])
    run.asked(2, "Output: ...", status="failed")
    run.ended()
    bring_up_to_date(store, corpus, "r-1")
    assert found(store) == []
    assert coverage(store, corpus, "r-1").never_read == (0, 1, 2, 3)


def test_a_running_run_is_read_as_far_as_it_is_decided(store, corpus):
    run = Written(store, corpus)
    run.asked(1, "Go on.")
    run.emit("f1.t1.c1", "f1.t1", ev.CellStarted("print(x)"))
    run.helped(1, 1, TEXTS[0])
    bring_up_to_date(store, corpus, "r-1")
    assert [(span, how) for span, how, *_ in found(store)] == [("f1.t1.c1.k1", "sent")]
    run.emit("f1.t1.c1", "f1.t1", ev.CellFinished("ok", TEXTS[1], len(TEXTS[1])))
    bring_up_to_date(store, corpus, "r-1")
    assert len(found(store)) == 1, "whether the model is told of the cell is not known yet"
    assert not store.coverage_of(["r-1"])["r-1"].complete
    run.asked(2, "Output: ...")
    bring_up_to_date(store, corpus, "r-1")
    assert [(span, how) for span, how, *_ in found(store)] == [("f1.t1.c1.k1", "sent"), ("f1.t1.c1", "printed")]
    run.ended()
    before = found(store)
    bring_up_to_date(store, corpus, "r-1")
    assert found(store) == before
    assert store.read_so_far("r-1", VERSION) == store.run("r-1").last_seq


def test_a_search_of_the_strategy_was_shown_and_one_of_a_cell_was_not(store, corpus):
    run = Written(store, corpus)
    run.asked(1, "Go on.")
    hit = {"path": "2.txt", "start": 100, "end": 700, "text": part(2, 100, 700), "score": 1.0}
    run.emit("f1.t1.s1", "f1.t1", ev.Searched("rain", (hit,)))
    run.emit("f1.t1.c1.s1", "f1.t1.c1", ev.Searched("rain", ({**hit, "text": TEXTS[3]},)))
    run.asked(2, "SEARCH found ...")
    run.ended()
    bring_up_to_date(store, corpus, "r-1")
    assert [(span, how, document) for span, how, document, _, _ in found(store)] == [("f1.t1.s1", "printed", 2)]


def test_a_rebuild_throws_readings_away_and_they_come_back_the_same(store, corpus):
    run = Written(store, corpus)
    run.asked(1, TEXTS[0])
    run.ended()
    bring_up_to_date(store, corpus, "r-1")
    before = found(store)
    store.rebuild_projections()
    assert found(store) == []
    bring_up_to_date(store, corpus, "r-1")
    assert found(store) == before != []


def test_two_that_read_the_same_run_at_once_leave_it_read_once(store, corpus, tmp_path):
    run = Written(store, corpus)
    run.asked(1, TEXTS[0])
    for number in range(500):
        run.helped(1, number, f"{number}: {part(number % 4, number, number + 400)}")
    run.ended()
    other = Store.open(store.home)
    bring_up_to_date(other, corpus, "r-1")
    expected = found(store)
    store.rebuild_projections()

    first = store.read_so_far("r-1", VERSION)
    assert store.add_readings("r-1", VERSION, first, 200, [], [])
    assert not other.add_readings("r-1", VERSION, first, 200, [], [])
    bring_up_to_date(other, corpus, "r-1")
    other.close()
    assert found(store) == [row for row in expected if row in found(store)]
    assert store.coverage_of(["r-1"])["r-1"].complete


def test_a_process_of_its_own_reads_a_run(store, corpus, capsys):
    run = Written(store, corpus)
    run.asked(1, TEXTS[0])
    run.ended()
    assert main(store.home, "r-1") == 0
    assert [how for _, how, *_ in found(store)] == ["sent"]
    assert main(store.home, "r-2") == 1
    assert "There is no run r-2" in capsys.readouterr().err


def test_a_run_that_has_ended_is_read_without_anybody_looking_at_it(store):
    view = answer_now(store, new_task(store, "demo"))

    def is_read() -> bool:
        row = store.coverage_of([view.run]).get(view.run)
        return row is not None and row.complete

    wait_until(is_read, what="what was shown")


def test_without_its_archive_a_run_says_so(store, corpus, tmp_path: Path):
    run = Written(store, corpus)
    run.ended()
    assert corpus_of(store, "r-1").id == corpus.id
    corpus.folder.rename(tmp_path / "gone")
    with pytest.raises(CorpusError, match="is not here any more"):
        corpus_of(store, "r-1")
    with pytest.raises(StoreError, match="There is no run r-9"):
        corpus_of(store, "r-9")


def test_nothing_is_told_of_a_run_that_has_not_begun(store, corpus):
    bring_up_to_date(store, corpus, "r-1")
    assert isinstance(coverage(store, corpus, "r-1"), Coverage)
