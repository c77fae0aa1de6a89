"""The ways to answer a task. A strategy is a plain function of a frame and a task; it may touch nothing else.

`STRATEGIES` is the one table: adding a system of comparison is adding a function and a row.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rlm_core.errors import TaskError
from rlm_core.frame import Frame
from rlm_core.strategies.base_lm import base
from rlm_core.strategies.codeact import codeact, codeact_bm25, codeact_subcalls
from rlm_core.strategies.compaction import compaction
from rlm_core.strategies.rlm import rlm
from rlm_core.task import Answer, Json, Task


@dataclass(frozen=True, slots=True)
class Strategy:
    """A strategy and what a person is told of it. `options` maps each option to its allowed values, the default first."""

    run: Callable[..., Answer]
    says: str
    options: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    offers: frozenset[str] = frozenset()
    """What its cells may call, whatever the options."""

    def functions(self, options: Json) -> frozenset[str]:
        """What the cells of a frame may call, by the options."""
        depth = options.get("depth", 0)
        return self.offers | frozenset(["llm_query"] * (depth >= 1) + ["rlm_query"] * (depth >= 2))

    def checked_options(self, given: Json) -> Json:
        """The options with their defaults. Raises `TaskError` for one that does not exist or is out of range."""
        for name, value in given.items():
            if name not in self.options:
                allowed = ", ".join(self.options) or "none"
                raise TaskError(f"There is no option {name!r} here; the options are: {allowed}.")
            if value not in self.options[name]:
                raise TaskError(f"{name} is {value!r}; it must be one of {', '.join(map(str, self.options[name]))}.")
        return {name: given.get(name, values[0]) for name, values in self.options.items()}


STRATEGIES: dict[str, Strategy] = {
    "rlm": Strategy(
        rlm,
        "writes code that looks at the archive and asks helpers about pieces of it",
        {"depth": (1, 0, 2, 3), "prompt": ("studio", "paper")},
    ),
    "base": Strategy(base, "reads the whole archive in one prompt", {"overflow": ("refuse", "cut")}),
    "codeact": Strategy(
        codeact, "has the whole archive in its prompt, thinks, and runs code", {"overflow": ("refuse", "cut")}
    ),
    "codeact_bm25": Strategy(
        codeact_bm25, "searches the archive for passages, thinks, and runs code", offers=frozenset({"search"})
    ),
    "codeact_subcalls": Strategy(
        codeact_subcalls,
        "has the whole archive in its prompt, runs code, and may ask helpers",
        {"overflow": ("refuse", "cut")},
        offers=frozenset({"llm_query"}),
    ),
    "compaction": Strategy(
        compaction,
        "reads the archive part by part, and keeps notes that take the place of what was read",
        {
            "threshold": (0.85, 0.5, 0.7, 0.95),
            "window_tokens": (0, 8_000, 32_000, 128_000, 272_000, 1_000_000),
            "compressor": ("helper", "root"),
        },
    ),
}


def strategy_of(task: Task) -> Strategy:
    """The strategy a task names. Raises `TaskError` with the known ones."""
    if task.strategy not in STRATEGIES:
        raise TaskError(f"There is no strategy {task.strategy!r}; choose one of {', '.join(STRATEGIES)}.")
    return STRATEGIES[task.strategy]


def run_strategy(frame: Frame, task: Task) -> Answer:
    """Answer the task in the frame."""
    chosen = strategy_of(task)
    return chosen.run(frame, task, **chosen.checked_options(task.options))
