import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

SAMPLE = Path(__file__).parents[3] / "sample_data"
TRUTH = json.loads((SAMPLE / "truth" / "maintenance.json").read_text(encoding="utf-8"))
ROOMS = TRUTH["rooms"]


@pytest.fixture(scope="module")
def documents() -> dict[str, str]:
    with zipfile.ZipFile(SAMPLE / "maintenance.zip") as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def generate(out: Path, *options: str) -> None:
    subprocess.run([sys.executable, SAMPLE / "generate.py", "--out", out, *options], check=True, capture_output=True)


def test_the_shipped_archive_and_its_truth_are_what_the_shipped_seed_gives(tmp_path: Path):
    generate(tmp_path, "--seed", str(TRUTH["seed"]))
    for name in ("maintenance.zip", "truth/maintenance.json"):
        assert (tmp_path / name).read_bytes() == (SAMPLE / name).read_bytes(), name


def test_another_seed_gives_another_year(tmp_path: Path):
    generate(tmp_path, "--seed", "8")
    assert (tmp_path / "maintenance.zip").read_bytes() != (SAMPLE / "maintenance.zip").read_bytes()


def test_the_archive_has_the_size_and_the_variety_that_the_readme_promises(documents: dict[str, str]):
    text = "\n".join(documents.values())
    assert len(documents) == 28
    assert {Path(name).suffix for name in documents} == {".txt", ".csv", ".md", ".jsonl", ".log", ".html"}
    assert 700_000 < len(text) < 1_000_000
    assert len({match.replace("-", "") for match in re.findall(r"\b[A-M]-?(?:0[1-9]|1\d|2[0-4])\b", text)}) == 312


def test_every_deciding_sentence_stands_on_the_line_that_the_truth_names(documents: dict[str, str]):
    for room, truth in ROOMS.items():
        path, line = truth["source"].rsplit(":", 1)
        assert truth["quote"] in documents[path].splitlines()[int(line) - 1], room


def test_no_yes_is_decided_by_a_sentence_with_the_word_leak():
    yes = [truth["quote"] for truth in ROOMS.values() if truth["label"] == "yes"]
    assert len(yes) >= 15
    assert not [quote for quote in yes if "leak" in quote.lower()]


def test_the_word_leak_stands_in_many_places_that_decide_nothing(documents: dict[str, str]):
    text = "\n".join(documents.values())
    for trap in ("air leak", "Light leak", "leaked memo", "memo that leaked", "no leak"):
        assert trap.lower() in text.lower(), trap


def test_the_counts_of_the_truth_add_up_and_the_readme_states_the_answer():
    labels = [truth["label"] for truth in ROOMS.values()]
    assert TRUTH["counts"] == {label: labels.count(label) for label in ("yes", "no", "unknown")}
    assert TRUTH["answer"] == labels.count("yes")
    readme = (SAMPLE / "README.md").read_text(encoding="utf-8")
    assert f"**{TRUTH['answer']} rooms**" in readme
    assert TRUTH["question"] in " ".join(readme.replace(">", "").split())


def test_the_three_rooms_of_the_small_example_have_their_known_labels():
    assert [ROOMS[room]["label"] for room in ("A12", "B07", "C02")] == ["yes", "no", "unknown"]
    small = (SAMPLE / "three_rooms.txt").read_text(encoding="utf-8")
    assert ROOMS["A12"]["quote"] in small
    assert ROOMS["B07"]["quote"] in small


def test_rooms_are_told_in_several_files_and_neighbours_are_named(documents: dict[str, str]):
    quotes = [truth["quote"] for truth in ROOMS.values() if truth["label"] == "yes"]
    assert any("next to" in quote or "towards" in quote for quote in quotes)
    folders = {truth["source"].split("/")[0] for truth in ROOMS.values() if truth["label"] == "yes"}
    assert len(folders) >= 4


def test_the_truth_is_not_inside_the_archive(documents: dict[str, str]):
    assert not [name for name in documents if "truth" in name]
