"""Hand-made light runs for the matrix: a question, a strategy, and what came of it."""

from __future__ import annotations

from typing import Any

from rlm_core.matrix import LightRun, Matrix, matrix
from rlm_core.scoring import RightAnswer

WAYS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("base", {"overflow": "cut"}),
    ("rlm", {"depth": 0}),
    ("rlm", {"depth": 1}),
    ("rlm", {"depth": 2}),
    ("codeact", {}),
    ("codeact_bm25", {}),
    ("codeact_subcalls", {}),
    ("compaction", {}),
)


def light(id: str, question: str = "How many?", strategy: str = "rlm", **more: Any) -> LightRun:
    known: dict[str, Any] = {
        "corpus": "c1",
        "archive": "rooms.zip",
        "options": {},
        "root_model": "big",
        "helper_model": "small",
        "state": "answered",
        "answer": "17 rooms",
        "asked_at": float(id.lstrip("r") or 0) if id.lstrip("r").isdigit() else 0.0,
        "elapsed_s": 2.0,
        "cost_usd": 0.25,
    }
    return LightRun(id=id, question=question, strategy=strategy, **{**known, **more})


def laid_out(*runs: LightRun, **rights: RightAnswer) -> Matrix:
    """`rights` by question."""
    return matrix(runs, {("c1", name): right for name, right in rights.items()}, lambda run: run.answer)


def hundred_by_eight() -> list[LightRun]:
    """100 questions by 8 ways; some failed, some are under way, each tenth question was asked three times of the first."""
    runs = []
    for question in range(100):
        for number, (strategy, options) in enumerate(WAYS):
            for repeat in range(3 if question % 10 == 0 and number == 0 else 1):
                at = float(question * 100 + number * 10 + repeat)
                state = "failed" if (question + number) % 17 == 0 else "running" if question == 99 else "answered"
                answer = f"{40 + (question * number) % 3} items of question {question}" if state == "answered" else None
                runs.append(
                    light(
                        f"q{question}-{number}-{repeat}",
                        f"Question {question}: how many items of sort {question} stand in the minutes of that year?",
                        strategy,
                        options=options,
                        state=state,
                        answer=answer,
                        asked_at=at,
                        elapsed_s=None if state == "running" else 1.0 + number,
                        cost_usd=0.01 * number,
                        unknown_cost_calls=int(number == 3),
                    )
                )
    return runs
