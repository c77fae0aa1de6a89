"""Compaction: what fits is read whole, what does not is read part by part with notes in between, and nothing is skipped."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from runs import corpus_of, run_scripted

from rlm_core import events as ev
from rlm_core.corpus.corpus import Corpus
from rlm_core.errors import CallError
from rlm_core.lm.client import Request
from rlm_core.lm.scripted import ScriptedLM
from rlm_core.task import Limits

LONG = {f"{n}.txt": "".join(f"Room {n}-{line} is dry ä.\n" for line in range(150)) for n in range(8)}


def reading(window_tokens: int = 2_000, failing_at: int | None = None) -> ScriptedLM:
    steps = iter(range(1, 1000))

    def reply(request: Request) -> str:
        if request.role == "compact":
            number = next(steps)
            if number == failing_at:
                raise CallError("broken", "server")
            return f"<think>FINAL(x)</think>notes {number}"
        return "none is wet"

    return ScriptedLM(reply, window_tokens=window_tokens)


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return corpus_of(tmp_path, LONG)


def test_what_fits_is_read_whole_in_one_prompt(corpus: Corpus) -> None:
    lm = reading(100_000)
    ran = run_scripted(corpus, lm, strategy="compaction")
    assert (ran.outcome, ran.answer, len(lm.requests)) == ("answered", "none is wet", 1)
    assert ran.bodies(ev.HistoryCompacted) == []


def test_a_long_archive_is_read_to_its_end_with_notes_in_between(corpus: Corpus) -> None:
    lm = reading()
    ran = run_scripted(corpus, lm, strategy="compaction", helper_model="small", root_model="large")
    assert (ran.outcome, ran.answer) == ("answered", "none is wet")
    ran.assert_balanced()
    compacting, (last,) = lm.requests[:-1], lm.requests[-1:]
    assert {(request.role, request.model) for request in compacting} == {("compact", "small")}
    assert (last.role, last.model) == ("root", "large")
    prompts = [request.messages[0].text for request in lm.requests]
    for number, (before, after) in enumerate(pairwise(prompts), 1):
        assert f"notes {number}\n" in after
        assert f"notes {number}\n" not in before
    assert [body.summary for body in ran.bodies(ev.HistoryCompacted)] == [f"notes {n}" for n in range(1, len(prompts))]
    lines = [line for prompt in prompts for line in prompt.splitlines() if line.startswith("Room ")]
    assert sorted(lines) == sorted(line for text in LONG.values() for line in text.splitlines())
    assert all(len(prompt.encode()) < 2_000 * 4 for prompt in prompts)


def test_the_root_may_compact_itself_and_a_threshold_makes_smaller_parts(corpus: Corpus) -> None:
    half = reading()
    run_scripted(
        corpus, half, strategy="compaction", root_model="large", options={"threshold": 0.5, "compressor": "root"}
    )
    whole = reading()
    run_scripted(corpus, whole, strategy="compaction")
    assert {request.model for request in half.requests} == {"large"}
    assert len(half.requests) > len(whole.requests)


@pytest.mark.parametrize("limits", [Limits(max_calls=4), Limits(max_tokens=7_000)])
def test_a_limit_in_the_midst_ends_in_a_forced_answer_from_the_notes(corpus: Corpus, limits: Limits) -> None:
    ran = run_scripted(corpus, reading(), strategy="compaction", limits=limits)
    assert (ran.outcome, ran.answer) == ("forced", "none is wet")
    ran.assert_balanced()
    forced = ran.bodies(ev.CallStarted)[-1]
    assert (forced.role, "could not be read to its end" in forced.messages[0].text) == ("root", True)
    (cut,) = [body for body in ran.bodies(ev.Noted) if body.topic == "context_cut"]
    read = sum(message.text.count(" is dry") for body in ran.bodies(ev.CallStarted) for message in body.messages)
    assert sum(each["end"] - each["start"] for each in cut.data["unseen"]) > 0
    assert read < 8 * 150


def test_a_call_that_fails_ends_in_a_forced_answer_once_there_are_notes(corpus: Corpus) -> None:
    assert run_scripted(corpus, reading(failing_at=1), strategy="compaction").outcome == "failed"
    ran = run_scripted(corpus, reading(failing_at=3), strategy="compaction")
    assert (ran.outcome, ran.answer, ran.reason) == ("forced", "none is wet", "broken")


def test_notes_that_grow_too_long_are_cut_and_it_is_said(corpus: Corpus) -> None:
    lm = ScriptedLM(lambda request: "n" * 9_000 if request.role == "compact" else "done", window_tokens=2_000)
    ran = run_scripted(corpus, lm, strategy="compaction")
    assert ran.outcome == "answered"
    assert any(body.topic == "notes_cut" for body in ran.bodies(ev.Noted))
    assert all(len(body.summary) == 2_000 for body in ran.bodies(ev.HistoryCompacted))


def test_an_unknown_window_is_assumed_and_said_or_given(corpus: Corpus) -> None:
    unknown = ScriptedLM(lambda request: "done")
    ran = run_scripted(corpus, unknown, strategy="compaction")
    assert [body.data["window_tokens"] for body in ran.bodies(ev.Noted) if body.topic == "window_assumed"] == [128_000]
    given = ScriptedLM(lambda request: "done")
    run_scripted(corpus, given, strategy="compaction", options={"window_tokens": 8_000})
    assert len(given.requests) > 1


def test_one_document_longer_than_many_windows_is_read_to_its_end(tmp_path: Path) -> None:
    text = "".join(f"é{n:06d}" for n in range(6_000))
    lm = reading()
    ran = run_scripted(corpus_of(tmp_path, {"one.txt": text}), lm, strategy="compaction")
    assert ran.outcome == "answered"
    shown = "".join(request.messages[0].text.split("### one.txt\n", 1)[1] for request in lm.requests)
    assert shown == text
