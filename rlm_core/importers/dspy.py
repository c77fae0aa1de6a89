"""Predictions of `dspy.RLM` as JSON: its trajectory, one step a turn, beside the fields that it came to.

The object has neither the question nor the models, and of the calls that cells made nothing at all. Refuses to know files and
stores.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from rlm_core.events import NOT_RECORDED, Event
from rlm_core.importers.lines import document_of
from rlm_core.importers.numbering import WHEN, Numbered, as_json, id_of, text_of
from rlm_core.importers.steps import FRAME, Step, begin, end, in_words, step_events
from rlm_core.task import Answer, Json, Task

TOOL = "dspy"
LEFT_OUT = (
    "the question",
    "the models",
    "the prompts",
    "the tokens and costs of calls",
    "the calls that cells made",
    "the archive",
    WHEN,
)
FORCED = "Extract forced final output"
OUT_OF_ITERATIONS = (
    "The model was out of iterations; the answer was made of what it had seen, by a call that is not recorded."
)
_FAILED = re.compile(r"\[(?:\w+ )?Error\]")
_OWN = ("trajectory", "final_reasoning")


def is_log(first: Json) -> bool:
    """Whether an object is such a prediction."""
    steps = first.get("trajectory")
    return (
        "final_reasoning" in first
        and isinstance(steps, list)
        and all(isinstance(each, dict) and {"code", "output"} <= each.keys() for each in steps)
    )


def read_log(log: BinaryIO, modified_at: float) -> Iterator[Event]:
    """The events of the run. `modified_at`, of the file, is when it began."""
    data, content = document_of(log)
    numbered = Numbered(id_of(content), modified_at)
    task = Task(NOT_RECORDED, "", options={"depth": 1}, root_model=NOT_RECORDED, helper_model=NOT_RECORDED)
    yield from begin(numbered, task, TOOL, LEFT_OUT)
    for number, each in enumerate(data["trajectory"], 1):
        code, output = text_of(each["code"]), text_of(each["output"])
        reply = in_words(text_of(each.get("reasoning")), code=code)
        step = Step(reply, code, output, bool(_FAILED.match(output)))
        yield from step_events(numbered, FRAME, number, step, NOT_RECORDED)
    fields = {name: value for name, value in data.items() if name not in _OWN}
    text = as_json(next(iter(fields.values())) if len(fields) == 1 else fields)
    if not fields:
        yield from end(numbered, "interrupted", None, "The log holds no answer.")
    elif data["final_reasoning"] == FORCED:
        yield from end(numbered, "forced", Answer(text, "forced", OUT_OF_ITERATIONS), OUT_OF_ITERATIONS)
    else:
        yield from end(numbered, "answered", Answer(text, "SUBMIT"))
