"""The models of a question: a named pair or two of one's own, what they charge, and whether their keys are there.

A preset fills both names in; a name that is changed by hand leaves the preset. Which key is missing is said here, before
anything is started. Until somebody chooses, the archive does: the sample is asked of the demo, whatever the settings say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from app import backend, links
from app.backend import KeyStatus, ModelFacts, Models
from app.components import archive_choice
from app.components.kinds import icon
from app.components.model_words import model_label, price_in_words
from app.components.presets import DEMO, PRESETS, SERVER, preset, preset_of
from app.components.text import escaped
from app.components.trouble import say
from rlm_core.plain import plain
from rlm_core.task import DEMO_MODEL

PRESET, ROOT, HELPER, API_BASE = "ask-preset", "ask-root-model", "ask-helper-model", "ask-api-base"
FILLED_IN = "ask-models-of-sample"
"""Whether the models that nobody has chosen are the sample's; `None` once somebody has chosen them."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The models, what is known of them, and why they cannot be used."""

    models: Models
    root_facts: ModelFacts
    helper_facts: ModelFacts
    obstacle: str = ""


def choose() -> Chosen:
    """Preset, root and helper model, and the server that they are on. The obstacle, if any, is shown here as well."""
    _begin()
    _presets()
    api_base = st.session_state.get(API_BASE) or None
    grid = st.grid(2, min_column_width=190)
    with grid.cell(), st.container(gap="xsmall"):
        root, root_facts = _model(f"{icon('root')} Root model", ROOT, api_base)
    with grid.cell(), st.container(gap="xsmall"):
        helper, helper_facts = _model(f"{icon('call')} Helper model", HELPER, api_base)
    _problems({root: root_facts, helper: helper_facts})
    if st.session_state.get(PRESET) == SERVER or api_base or root_facts.problem or helper_facts.problem:
        st.text_input(
            "API base",
            key=API_BASE,
            persist_state="session",
            placeholder="address of an OpenAI-compatible server, such as http://127.0.0.1:8000/v1",
            on_change=_leave_preset,
        )
    unusable = bool(root_facts.problem or helper_facts.problem)
    missing = not unusable and _keys_missing(root, helper, api_base)
    if DEMO_MODEL in (root, helper):
        _demo_rules()
    obstacle = "A model cannot be used as named, see above." if unusable else ""
    if missing:
        obstacle = "Add what is missing, or choose other models; the demo needs no key."
    return Chosen(Models(root, helper, api_base), root_facts, helper_facts, obstacle)


def fill_in(root: str, helper: str, api_base: str | None) -> None:
    """Set the models, before they are drawn."""
    st.session_state[ROOT], st.session_state[HELPER] = root or None, helper or None
    st.session_state[API_BASE] = api_base or ""
    st.session_state[PRESET] = preset_of(root, helper, api_base)
    st.session_state[FILLED_IN] = None


def fill_in_preset(name: str) -> None:
    """Set the models of a preset. Of a server of one's own only the address may be known, from the settings."""
    found = preset(name)
    if found:
        fill_in(found.root, found.helper, backend.settings().api_base if name == SERVER else None)
        st.session_state[PRESET] = name


def _begin() -> None:
    of_sample = archive_choice.is_sample()
    if ROOT in st.session_state and st.session_state.get(FILLED_IN) in (None, of_sample):
        return
    if of_sample:
        fill_in_preset(DEMO)
    else:
        chosen = backend.settings()
        fill_in(chosen.root_model, chosen.helper_model, chosen.api_base)
    st.session_state[FILLED_IN] = of_sample


def _presets() -> None:
    st.pills(
        "Models",
        [each.name for each in PRESETS],
        format_func=_label,
        key=PRESET,
        persist_state="session",
        on_change=_fill_in_chosen,
        help="\n".join(f"- {escaped(each.label)}: {escaped(_status_in_words(each.name))}" for each in PRESETS),
    )


def _fill_in_chosen() -> None:
    st.session_state[FILLED_IN] = None
    name = st.session_state[PRESET]
    if name:
        fill_in_preset(name)


def _leave_preset() -> None:
    """A model was chosen by hand. A server of one's own remains one."""
    st.session_state[FILLED_IN] = None
    if st.session_state.get(PRESET) == SERVER:
        return
    root, helper, api_base = (st.session_state.get(key) or "" for key in (ROOT, HELPER, API_BASE))
    st.session_state[PRESET] = preset_of(root, helper, api_base or None)


def _label(name: str) -> str:
    found = preset(name)
    assert found
    missing = found.root and any(backend.key_status(model, None).ok is False for model in (found.root, found.helper))
    return f"{escaped(found.label)} :material/key_off:" if missing else escaped(found.label)


def _status_in_words(name: str) -> str:
    found = preset(name)
    assert found
    if not found.root:
        return "name the models as your server does, and give its address."
    pair = found.root if found.root == found.helper else f"{found.root} and {found.helper}"
    return f"{pair}. {backend.key_status(found.root, None).says}"


def _model(label: str, key: str, api_base: str | None) -> tuple[str, ModelFacts]:
    names = [name for each in PRESETS for name in (each.root, each.helper) if name]
    picked = st.selectbox(
        label,
        list(dict.fromkeys([*backend.known_models(), *names, st.session_state[key] or DEMO_MODEL])),
        format_func=model_label,
        key=key,
        accept_new_options=True,
        persist_state="session",
        placeholder="provider/name",
        on_change=_leave_preset,
        help="Choose one, or type a LiteLLM name such as openai/gpt\\-5\\-mini.",
    )
    model = (picked or "").strip()
    facts = backend.model_facts(model, api_base)
    if not facts.problem and model != DEMO_MODEL:
        st.caption(escaped(price_in_words(facts)))
    return model, facts


def _problems(models: Mapping[str, ModelFacts]) -> None:
    """Why models cannot be used. That one is yet to be named is no mistake before anything is started."""
    for number, (model, facts) in enumerate(models.items()):
        if facts.problem and model:
            say(problem_in_words(model, facts), f"model-{number}")
        elif facts.problem:
            st.caption(problem_in_words(model, facts))


def problem_in_words(model: str, facts: ModelFacts) -> str:
    """Why a model cannot be used as named, in the words of this page."""
    if not model:
        return "No model is named. Choose one, or demo, the built-in stand-in."
    return plain(
        f"The model {model!r} is not known. Similar names: {', '.join(facts.similar) or 'none'}. Write it as "
        "provider/name, such as openai/gpt-5-mini. For a model on a server of your own, give the address of your "
        "server under API base."
    )


def _keys_missing(root: str, helper: str, api_base: str | None) -> bool:
    """Say of the keys whether they are there, each thing once. True if one is surely missing."""
    statuses: dict[str, KeyStatus] = {}
    for model in (root, helper):
        status = backend.key_status(model, api_base)
        statuses.setdefault(status.says, status)
    missing = [status for status in statuses.values() if status.ok is False]
    for number, status in enumerate(missing):
        say(plain(status.says), f"key-{number}")
    if missing:
        st.page_link(links.SETTINGS, label="Keep a key in Settings", icon=":material/key:")
        return True
    if (root, helper) != (DEMO_MODEL, DEMO_MODEL):
        said = " ".join(status.says for status in statuses.values() if status.needed or status.ok is None)
        if said:
            st.caption(f":material/key: {escaped(said)}")
    return False


def _demo_rules() -> None:
    opened = st.expander("What the demo model knows", key="demo-rules", type="compact", on_change="rerun")
    if opened.open:
        with opened:
            st.text(
                "A list of phrases, and nothing else. It shows how a run works; its answers are no measure of a model."
            )
            st.json(backend.demo_rules(), expanded=1)
