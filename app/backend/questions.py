"""What can be asked: strategies, models, limits; and giving a question to the worker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version

import streamlit as st

from app.backend.archives import Archive, archives, only_the_sample
from app.backend.folder import current_store, settings
from rlm_core.estimates import EarlierRun, Estimate, Plan, Rate, estimate
from rlm_core.jobs import asking, recorded
from rlm_core.store.rows import RunRow
from rlm_core.task import DEMO_MODEL, Json, Limits, Task
from rlm_core.tokens import BYTES_PER_TOKEN

ModelFacts = asking.ModelFacts


@dataclass(frozen=True, slots=True)
class Choice:
    """One strategy as it can be ticked. `may_cut`: it can be told to cut what its window does not take."""

    name: str
    options: Json
    label: str
    says: str
    may_cut: bool = False

    @property
    def id(self) -> str:
        """As in the address: `rlm-1`, `base`, `base-cut`."""
        return "-".join([self.name, *map(str, self.options.values())])


@dataclass(frozen=True, slots=True)
class Models:
    """The models that a question is to be answered with."""

    root: str
    helper: str
    api_base: str | None = None


LOOKED_AT_RUNS = 300
"""Earlier runs that estimates rest on, the newest."""
DEPTHS = {
    0: "code only, no sub-calls",
    1: "code, helpers are plain calls",
    2: "a helper may itself be an RLM",
    3: "helpers of helpers may be RLMs, too",
}
"""What each depth of `rlm` means."""


def choices() -> list[Choice]:
    """Every strategy, one row for each of its depths."""
    found = []
    for name, options, says in asking.strategies_in_words():
        may_cut = name == "base" and "cut" in options.get("overflow", ())  # the page speaks of base alone
        for depth in options.get("depth", (None,)):
            chosen = {} if depth is None else {"depth": depth}
            label = name if depth is None else f"{name} depth {depth}"
            found.append(Choice(name, chosen, label, DEPTHS.get(depth, says), may_cut))
    return found


def cutting(choice: Choice) -> Choice:
    """The same strategy, told to cut what does not fit."""
    return replace(choice, options={**choice.options, "overflow": "cut"})


def strategy_id(strategy: str, options: Json) -> str:
    """The id of the choice that these options are; empty if there is none such."""
    wanted = strategy, with_defaults(strategy, options)
    for choice in choices():
        for each in (choice, cutting(choice)) if choice.may_cut else (choice,):
            if (each.name, with_defaults(each.name, each.options)) == wanted:
                return each.id
    return ""


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
    """What is known of a model. At a server of one's own the price is the owner's, so it is not known."""
    facts = asking.model_facts(model, api_base)
    return replace(facts, input_usd=None, output_usd=None) if api_base and model != DEMO_MODEL else facts


def price_list() -> str:
    """Where prices are from, as it stands beside them."""
    return f"LiteLLM {version('litellm')}"


def estimates(chosen: Sequence[Choice], archive: Archive, models: Models, limits: Limits) -> list[Estimate]:
    """What a run of each strategy may cost and how long it may take."""
    sizes = {row.id: row.chars // BYTES_PER_TOKEN for row in current_store().corpora()}
    runs = [
        run
        for run in current_store().runs(LOOKED_AT_RUNS)
        if run.id not in recorded.RECORDED  # they were recorded on other machines
        and (run.root_model, run.helper_model) == (models.root, models.helper)
        and run.outcome == "answered"
        and run.corpus in sizes
    ]
    root, helper = (_rate(model, models.api_base) for model in (models.root, models.helper))
    return [
        estimate(
            Plan(choice.name, with_defaults(choice.name, choice.options), archive.tokens, root, helper, limits),
            [
                EarlierRun(sizes[run.corpus], None if run.unknown_cost_calls else run.cost_usd, _elapsed_s(run))
                for run in runs
                if run.strategy == choice.name
                and with_defaults(run.strategy, run.options) == with_defaults(choice.name, choice.options)
            ],
        )
        for choice in chosen
    ]


def with_defaults(strategy: str, given: Json) -> Json:
    """The options with the defaults of the strategy, so that they can be compared."""
    allowed = next((options for name, options, _ in asking.strategies_in_words() if name == strategy), {})
    return {**{name: values[0] for name, values in allowed.items()}, **given}


def _rate(model: str, api_base: str | None) -> Rate:
    facts = model_facts(model, api_base)
    return Rate(facts.input_usd, facts.output_usd, facts.window_tokens)


def _elapsed_s(run: RunRow) -> float:
    return max(0.0, (run.finished_at or run.started_at) - run.started_at)


def nothing_asked() -> bool:
    """Whether this is a first visit: no archive but the sample, and no run but the recorded one."""
    store = current_store()
    asked = any(row.id not in recorded.RECORDED for row in store.runs(len(recorded.RECORDED) + 1))
    return not asked and not store.jobs() and only_the_sample(archives())


def demo_rules() -> Json:
    return asking.demo_lexicon()


def fits(archive: Archive, window_tokens: int | None) -> bool | None:
    """Whether the whole archive fits one prompt; `None` where the window is not known."""
    return asking.fits_base(current_store(), archive.id, window_tokens)


def ask(
    question: str,
    archive: Archive,
    chosen: Sequence[Choice],
    models: Models,
    limits: Limits,
    *,
    reuse_replies: bool = False,
) -> list[str]:
    """Give the question to the worker, once for each strategy. Returns the id of each one's first run. Raises `Problem` before
    anything is given if one of them cannot be asked."""
    tasks = [
        Task(
            question,
            archive.id,
            each.name,
            each.options,
            models.root,
            models.helper,
            models.api_base,
            limits,
            reuse_replies,
        )
        for each in chosen
    ]
    for task in tasks:
        asking.check(task)
    return [asking.start(current_store(), task) for task in tasks]


def cancel(run: str) -> bool:
    return asking.cancel(current_store(), run)
