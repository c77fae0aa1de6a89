"""What can be asked: strategies, models, limits; and giving a question to the worker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from app.backend.archives import Archive
from app.backend.folder import current_store, settings
from rlm_core.jobs import asking
from rlm_core.task import DEMO_MODEL, Json, Limits, Task

ModelFacts = asking.ModelFacts


@dataclass(frozen=True, slots=True)
class Choice:
    """One strategy as it can be ticked. `may_cut`: it can be told to cut what its window does not take."""

    name: str
    options: Json
    label: str
    says: str
    may_cut: bool = False


DEPTHS = {0: "code only, no sub-calls", 1: "code, helpers are plain calls", 2: "a helper may itself be an RLM"}


def choices() -> list[Choice]:
    """Every strategy, one row for each of its depths."""
    found = []
    for name, options, says in asking.strategies_in_words():
        may_cut = "cut" in options.get("overflow", ())
        for depth in options.get("depth", (None,)):
            chosen = {} if depth is None else {"depth": depth}
            label = name if depth is None else f"{name} depth {depth}"
            found.append(Choice(name, chosen, label, DEPTHS.get(depth, says), may_cut))
    return found


def cutting(choice: Choice) -> Choice:
    """The same strategy, told to cut what does not fit."""
    return replace(choice, options={**choice.options, "overflow": "cut"})


def limits(**given: float | int | None) -> Limits:
    """The settings' limits with what was given for this question."""
    return replace(settings().limits, **given)  # type: ignore[arg-type]


def strategy_label(strategy: str, options: Json) -> str:
    """`rlm depth 1`, `base, cut`. A depth that was not chosen is the strategy's own."""
    allowed = next((options for name, options, _ in asking.strategies_in_words() if name == strategy), {})
    depths = (options["depth"],) if "depth" in options else allowed.get("depth", ())
    depth = f" depth {depths[0]}" if depths else ""
    return f"{strategy}{depth}{', cut' if options.get('overflow') == 'cut' else ''}"


def known_models() -> list[str]:
    """Models to choose from: the demo, the settings' own, and those of earlier runs."""
    chosen, names = settings(), [DEMO_MODEL]
    names += [chosen.root_model, chosen.helper_model]
    for row in current_store().runs(50):
        names += [row.root_model, row.helper_model]
    return list(dict.fromkeys(names))


@st.cache_data(max_entries=500, show_spinner=False)
def model_facts(model: str, api_base: str | None) -> ModelFacts:
    return asking.model_facts(model, api_base)


def demo_rules() -> Json:
    return asking.demo_lexicon()


def fits(archive: Archive, window_tokens: int | None) -> bool | None:
    """Whether the whole archive fits one prompt; `None` where the window is not known."""
    return asking.fits_base(current_store(), archive.id, window_tokens)


def start(tasks: Sequence[Task]) -> list[str]:
    """Give the tasks to the worker, all or none. Returns the id of each one's first run."""
    for task in tasks:
        asking.check(task)
    return [asking.start(current_store(), task) for task in tasks]


def cancel(run: str) -> bool:
    return asking.cancel(current_store(), run)
