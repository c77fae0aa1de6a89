import asyncio
import json
import re
import subprocess
import sys
import time
from functools import cache
from pathlib import Path

import pytest
from demo_play import archive, opening, play

from rlm_core.lm.client import Request
from rlm_core.lm.demo import DEMO_NOTICE, DemoLM
from rlm_core.lm.demo_reading import documents_of
from rlm_core.task import Message

ROOT = Path(__file__).parents[3]
SAMPLE = ROOT / "sample_data"
DUMPS = ROOT.parent / "shared" / "dumps"
QUESTION = json.loads((SAMPLE / "truth" / "maintenance.json").read_text(encoding="utf-8"))["question"]
THREE_ROOMS = {"three_rooms.txt": (SAMPLE / "three_rooms.txt").read_text(encoding="utf-8")}


def truth(folder: Path) -> dict[str, str]:
    rooms = json.loads((folder / "truth" / "maintenance.json").read_text(encoding="utf-8"))["rooms"]
    return {room: entry["label"] for room, entry in rooms.items()}


@cache
def sample(depth: int = 1):
    return play(archive(SAMPLE / "maintenance.zip"), QUESTION, depth=depth)


def generated(out: Path, seed: int, wording: str) -> Path:
    command = [sys.executable, SAMPLE / "generate.py", "--seed", str(seed), "--out", out, "--wording", wording]
    subprocess.run(command, check=True, capture_output=True)
    return out


def test_the_sample_is_answered_as_the_truth_says():
    right = truth(SAMPLE)
    found = sample()
    assert found.labelled("yes") == sorted(room for room, label in right.items() if label == "yes")
    wrong = {room for room, label in right.items() if found.findings[room]["label"] not in (label, "unknown")}
    assert not wrong
    assert not [item for item in found.labelled("no") if right.get(item, "no") != "no"]
    assert found.answer.startswith(f"{len(found.labelled('yes'))} rooms: A05, A09, A12,")


def test_every_quote_of_the_sample_stands_word_for_word_where_the_finding_says():
    texts = archive(SAMPLE / "maintenance.zip")
    for item, finding in sample().findings.items():
        path, line = finding["source"].rsplit(":", 1)
        assert finding["quote"] in texts[path].split("\n")[int(line) - 1], item


def test_three_rooms_are_one_yes_one_no_and_one_unknown():
    for depth in (0, 1):
        found = play(THREE_ROOMS, QUESTION, depth=depth)
        assert {item: finding["label"] for item, finding in found.findings.items()} == {
            "A12": "yes",
            "B07": "no",
            "C02": "unknown",
        }
        assert found.findings["A12"]["quote"] == "Dripped again after heavy rain, same beam."
        assert found.answer.startswith("1 room: A12.")
        assert "Unknown: 1 (C02)" in found.answer


def test_the_plan_looks_first_asks_one_batch_and_answers_in_a_cell_that_prints_nothing():
    found = sample()
    assert len(found.cells) == 4
    assert "answer[" not in found.cells[0]
    assert "documents" in found.outputs[0] or "document(s)" in found.outputs[0]
    assert found.batches == [len(found.findings)]
    assert found.outputs[-1] == ""


def test_without_helpers_the_same_rules_decide_in_code():
    assert sample(depth=0).findings.keys() == sample().findings.keys()
    assert sample(depth=0).labelled("yes") == sample().labelled("yes")
    assert not sample(depth=0).prompts
    assert not any("llm_query" in cell for cell in sample(depth=0).cells)


def test_it_says_that_it_is_no_language_model_wherever_it_answers():
    assert "rule-based, not a language model" in DEMO_NOTICE
    assert DEMO_NOTICE in sample().answer
    assert DEMO_NOTICE in play(THREE_ROOMS, "Who is M. Ortiz?").answer
    assert DEMO_NOTICE in play(THREE_ROOMS, "How many lines are there?").answer


@pytest.mark.parametrize("seed", [11, 12])
def test_on_another_year_in_known_words_it_errs_nowhere(tmp_path: Path, seed: int):
    folder = generated(tmp_path, seed, "known")
    right, found = truth(folder), play(archive(folder / "maintenance.zip"), QUESTION)
    for item, finding in found.findings.items():
        assert finding["label"] in (right.get(item, "no"), "unknown"), (item, finding)
    yes = [room for room, label in right.items() if label == "yes"]
    assert len(found.labelled("yes")) >= 0.9 * len(yes)


@pytest.mark.parametrize("seed", [7, 21, 22])
def test_wording_that_the_lexicon_does_not_know_is_unknown_and_never_guessed(tmp_path: Path, seed: int):
    folder = generated(tmp_path, seed, "unseen")
    right, found = truth(folder), play(archive(folder / "maintenance.zip"), QUESTION)
    for item, finding in found.findings.items():
        assert finding["label"] in (right.get(item, "no"), "unknown"), (item, finding)
    assert found.labelled("yes") == []
    assert found.answer.startswith("Unknown")


def test_a_helper_call_that_fails_is_asked_again_once_and_then_left_unknown():
    found = play(THREE_ROOMS, QUESTION, fails=lambda prompt, attempt: "Item: A12" in prompt)
    assert found.batches == [3, 1]
    assert found.findings["A12"]["label"] == "unknown"
    assert found.findings["A12"]["note"] == "the helper's call failed"
    assert found.findings["B07"]["label"] == "no"
    once = play(THREE_ROOMS, QUESTION, fails=lambda prompt, attempt: attempt == 1)
    assert once.findings["A12"]["label"] == "yes"


def test_many_items_share_prompts_and_what_is_left_out_is_said():
    entry = "\n\nRoom {room} - roof\n02 Feb 2021   Leak at the beam.\n05 Feb 2021   Joint sealed at the beam.\n"
    rooms = [f"{letter}{number}" for letter in "ABCDEFGH" for number in range(100, 700)]
    found = play({"rooms.txt": "".join(entry.format(room=room) for room in rooms)}, QUESTION)
    assert found.batches == [400]
    assert found.prompts[0].count("Item: ") == 10
    assert len(found.findings) == 4000
    assert "800 further rooms were not looked at." in found.answer


def test_an_item_with_too_many_lines_for_a_prompt_is_never_a_no():
    lines = "".join("08 Feb 2021   Lamp changed.\n" for _ in range(150))
    before = "".join(f"Room C{number} - door\n02 Feb 2021   Door stuck.\n\n" for number in range(10, 20))
    story = f"{before}Room A12 - roof\n02 Feb 2021   Leak at the beam.\n05 Feb 2021   Joint sealed at the beam.\n"
    end = "10 Mar 2021   Dry at the beam.\n\nRoom B07 - door\n02 Feb 2021   Door stuck.\n"
    for depth in (0, 1):
        found = play({"rooms.txt": story + lines + end}, QUESTION, depth=depth)
        assert found.findings["A12"]["label"] == "unknown"
        assert max(map(len, found.prompts), default=0) < 5_000


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many documents are there?", "2 documents."),
        ("How many lines are in the archive?", "5 lines."),
        ('How many lines mention "Lamp"?', '3 lines with "Lamp".'),
        ("How many lines hold “documents”?", '1 line with "documents".'),
    ],
)
def test_plain_counts_are_counted_by_code(question: str, answer: str):
    found = play({"a.txt": "lamp one\n\nno light\nLAMPS\n", "b.txt": "a lamp\ndocuments"}, question)
    assert found.answer.startswith(answer)


@pytest.mark.parametrize(
    "question", ["Which pumps failed?", "How many lines mention a pump in May?", "", "?", "why?", "``` {x} $y ${z} \\"]
)
def test_a_question_without_a_rule_is_answered_with_unknown_and_passages(question: str):
    found = play({"a.txt": "The pumps failed twice.\n", "b.txt": "All well.\n"}, question)
    assert found.answer.startswith("Unknown.")
    assert not [finding for finding in found.findings.values() if finding["label"] != "unknown"]
    if "pump" in question:
        assert found.findings["a.txt:1"]["quote"] == "The pumps failed twice."


@pytest.mark.parametrize(
    "text", ["", "\n\n\n", "x" * 50_000, '{"a": "A12 leak"}' * 3000, "A12\x00B07 leak\n" * 3, "# \n#\n"]
)
def test_odd_documents_are_no_trouble(text: str):
    for depth in (0, 1):
        assert DEMO_NOTICE in play({"odd.txt": text}, QUESTION, depth=depth).answer
        assert DEMO_NOTICE in play({"odd.txt": text, "other.md": text}, "Which pumps failed?", depth=depth).answer


def test_a_cell_that_failed_ends_the_plan_with_an_honest_answer():
    history = opening(THREE_ROOMS, QUESTION, 1)
    looked = DemoLM().say(Request("demo", tuple(history), "root"))
    history += [Message("assistant", looked), Message("user", "Output of cell:\nMemoryError\n\nUsed: turn 1.")]
    reply = DemoLM().say(Request("demo", tuple(history), "root"))
    assert "did not get to its end" in reply
    assert 'answer["ready"] = True' in reply


def test_an_answer_that_was_sent_back_is_given_again():
    history = opening(THREE_ROOMS, QUESTION, 1)
    for output in ("look: done", "cut: done", "decide: done", "Your answer was not accepted yet"):
        reply = DemoLM().say(Request("demo", tuple(history), "root"))
        history += [Message("assistant", reply), Message("user", f"Output of cell:\n{output}")]
    assert 'answer["ready"] = True' in DemoLM().say(Request("demo", tuple(history), "root"))


def test_where_no_further_cell_runs_it_answers_in_plain_words():
    last = Message("user", "This was the last turn: no further cell will run (max_turns). Give your best answer now.")
    history = [*opening(THREE_ROOMS, QUESTION, 1), Message("assistant", "```repl\n1\n```"), last]
    reply = DemoLM().say(Request("demo", tuple(history), "root"))
    assert reply.startswith("Unknown.")
    assert "```" not in reply


def test_as_a_baseline_it_answers_in_prose_with_quotes():
    documents = "\n\n### three_rooms.txt\n" + THREE_ROOMS["three_rooms.txt"]
    prompt = (
        f"Question: {QUESTION}\n\nAnswer from the documents below.\n\nThe documents, each under a line `### path`:\n"
    )
    reply = DemoLM().say(Request("demo", (Message("user", prompt + documents),), "root"))
    assert reply.startswith("1: A12.")
    assert 'A12 | yes | "Dripped again after heavy rain, same beam." | three_rooms.txt:8' in reply
    assert "```" not in reply
    assert DEMO_NOTICE in reply


def test_a_helper_asked_in_free_words_abstains_or_quotes_what_stands_there():
    passage = (
        "02 Feb 2021 Leak at the beam.\n05 Feb 2021 Joint sealed at the beam.\n09 Mar 2021 Dripped again, same beam."
    )
    asked = Message("user", f"Question: Did the leak come back after the repair?\n\n{passage}")
    assert DemoLM().say(Request("demo", (asked,), "sub")) == 'yes | "Dripped again, same beam."'
    other = Message("user", "Question: Who painted the wall?\n\nThe wall was painted by Eve.")
    assert DemoLM().say(Request("demo", (other,), "sub")).startswith("unknown |")


def test_the_same_request_gives_the_same_reply_free_of_charge_and_without_made_up_tokens():
    request = Request("demo", tuple(opening(THREE_ROOMS, QUESTION, 1)), "root")
    replies = [asyncio.run(DemoLM().complete(request)) for _ in range(2)]
    assert replies[0] == replies[1]
    assert (replies[0].cost_usd, replies[0].cost_source, replies[0].usage) == (0.0, "free", None)
    assert DemoLM().window_tokens("demo") is None


def test_cells_use_nothing_but_the_session_and_the_standard_library():
    for depth in (0, 1):
        for cell in sample(depth).cells:
            imported = set(re.findall(r"^(?:import|from) (\w+)", cell, re.M))
            assert imported <= {"re", "heapq", "collections", "datetime"}
            assert "open(" not in cell


def test_ten_megabytes_take_a_few_seconds():
    text = "\n".join(archive(SAMPLE / "maintenance.zip").values())
    started = time.monotonic()
    play({"large.txt": text * 13}, QUESTION)
    assert time.monotonic() - started < 20


@pytest.mark.skipif(not DUMPS.is_dir(), reason="needs the public dumps in ../shared/dumps beside the repository")
@pytest.mark.parametrize("question", [QUESTION, "Which of them were never closed?", "How many documents are there?"])
def test_it_runs_on_every_public_dump(question: str):
    for file in sorted(DUMPS.glob("*/*")):
        if file.suffix in (".md", "") or "LICENSE" in file.name:
            continue
        texts = archive(file) if file.suffix == ".zip" else {file.name: file.read_text(errors="replace")}
        found = play(texts, question)
        assert "cells failed" not in found.answer, file
        assert not found.labelled("yes"), file


def test_a_no_rests_on_the_words_that_made_us_look() -> None:
    found = play(archive(SAMPLE / "maintenance.zip"), QUESTION)
    assert "air leak" in found.findings["A04"]["quote"]
    assert "leaked memo" in found.findings["A06"]["quote"]


def test_a_baseline_names_the_true_lines_of_documents_that_begin_with_an_empty_line() -> None:
    documents = documents_of("Question: x\n\n### a.txt\n\nsecond line")
    assert documents == [("a.txt", "\nsecond line")]
