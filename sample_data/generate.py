"""Makes the sample archive `maintenance.zip` and its right answer: a year of maintenance papers of a made-up campus.

    python sample_data/generate.py --seed 7 --out DIR [--wording known|unseen]

The same seed gives the same bytes anywhere: members are stored, not compressed, and all carry one date. All of it is
invented. The phrases are in `wording.py`, the stories in `story.py`, the papers in `documents.py`.
"""

from __future__ import annotations

import argparse
import json
import zipfile
from pathlib import Path
from typing import Any

import wording
from documents import Page, documents
from story import YEAR, Campus

QUESTION = (
    "In which rooms did the leak come back after it had been repaired? "
    "Count them, and quote the deciding sentence for each."
)


def truth(campus: Campus, pages: list[Page], seed: int) -> dict[str, Any]:
    places = {entry: f"{page.path}:{line}" for page in pages for entry, line in page.places.items()}
    rooms = {
        room: {"label": label, "quote": entry.sentence, "source": places[id(entry)]}
        for room, (label, entry) in sorted(campus.truth.items())
    }
    counts = {label: sum(each["label"] == label for each in rooms.values()) for label in ("yes", "no", "unknown")}
    return {"question": QUESTION, "seed": seed, "answer": counts["yes"], "counts": counts, "rooms": rooms}


def generate(seed: int, half: str = "known") -> tuple[dict[str, str], dict[str, Any]]:
    """Path -> text of each document, and the truth about the rooms."""
    campus = Campus(seed, half)
    campus.stories()
    campus.fillers()
    pages = documents(campus)
    return {page.path: "\n".join(page.lines) + "\n" for page in pages}, truth(campus, pages, seed)


def save(out: Path, texts: dict[str, str], answer: dict[str, Any]) -> None:
    (out / "truth").mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(out / "maintenance.zip", "w", zipfile.ZIP_STORED) as archive:
        for path, text in texts.items():
            archive.writestr(zipfile.ZipInfo(path, (YEAR, 12, 31, 0, 0, 0)), text.encode())
    (out / "truth" / "maintenance.json").write_text(json.dumps(answer, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--wording", choices=sorted(wording.FOLLOW_UPS), default="known")
    choice = parser.parse_args()
    texts, answer = generate(choice.seed, choice.wording)
    save(choice.out, texts, answer)
    print(f"{len(texts)} documents, {sum(map(len, texts.values())):,} characters, {answer['counts']}")


if __name__ == "__main__":
    main()
