"""The one door to `rlm_core`: what pages may ask for, as plain frozen values.

Knows no widget. Whatever goes wrong on purpose leaves as a `Problem`, and `in_words` has its text for a person. One file for
each subject; pages say `backend.name`.
"""

from app.backend.archives import (
    UNLISTED,
    Archive,
    archive,
    archives,
    only_the_sample,
    read_upload,
    report_of,
    sample,
    sample_question,
)
from app.backend.configuration import KeyStatus, key_status
from app.backend.folder import Problem, in_words, settings
from app.backend.questions import (
    Choice,
    ModelFacts,
    cancel,
    choices,
    cutting,
    demo_rules,
    fits,
    known_models,
    limits,
    model_facts,
    start,
    strategy_label,
)
from app.backend.run_list import (
    LISTED_RUNS,
    RECORDED_RUN,
    RunLine,
    models_label,
    newest_run,
    recorded_run,
    run_lines,
)
from app.backend.runs import look, prompt, read, sheet, whole
from rlm_core.corpus.report import HARMLESS, IngestReport, Item
from rlm_core.store.rows import RunRow

__all__ = [
    "HARMLESS",
    "LISTED_RUNS",
    "RECORDED_RUN",
    "UNLISTED",
    "Archive",
    "Choice",
    "IngestReport",
    "Item",
    "KeyStatus",
    "ModelFacts",
    "Problem",
    "RunLine",
    "RunRow",
    "archive",
    "archives",
    "cancel",
    "choices",
    "cutting",
    "demo_rules",
    "fits",
    "in_words",
    "key_status",
    "known_models",
    "limits",
    "look",
    "model_facts",
    "models_label",
    "newest_run",
    "only_the_sample",
    "prompt",
    "read",
    "read_upload",
    "recorded_run",
    "report_of",
    "run_lines",
    "sample",
    "sample_question",
    "settings",
    "sheet",
    "start",
    "strategy_label",
    "whole",
]
