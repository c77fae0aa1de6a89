"""RLM Studio's core: ask a question of an archive that is too big for any model, and check every piece of evidence.

    from rlm_core import ask
    run = ask("reports.zip", "Which pumps failed twice?", model="openai/gpt-5-mini")
    print(run.answer.text, run.findings(), run.totals())

The names below are the public ones. Each is imported when it is first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # as in `typing`, whose import would be most of this one
if TYPE_CHECKING:
    from rlm_core.corpus.corpus import Corpus
    from rlm_core.errors import StudioError
    from rlm_core.exporters.result import result_of
    from rlm_core.jobs.asking import ask
    from rlm_core.settings import Settings, load_settings
    from rlm_core.store.store import Store
    from rlm_core.task import Answer, Finding, Limits, Task
    from rlm_core.view import RunView, fold

__all__ = [
    "Answer",
    "Corpus",
    "Finding",
    "Limits",
    "RunView",
    "Settings",
    "Store",
    "StudioError",
    "Task",
    "ask",
    "fold",
    "load_settings",
    "result_of",
]

_HOMES = {
    "rlm_core.corpus.corpus": ("Corpus",),
    "rlm_core.errors": ("StudioError",),
    "rlm_core.exporters.result": ("result_of",),
    "rlm_core.jobs.asking": ("ask",),
    "rlm_core.settings": ("Settings", "load_settings"),
    "rlm_core.store.store": ("Store",),
    "rlm_core.task": ("Answer", "Finding", "Limits", "Task"),
    "rlm_core.view": ("RunView", "fold"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME_OF[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
