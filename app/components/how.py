"""Step 3 of Ask: which strategies, which models, within which limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from app import backend
from app.backend import Archive, Choice, ModelFacts
from app.components.kinds import icon
from app.components.text import escaped
from app.components.trouble import say
from rlm_core import wording
from rlm_core.plain import plain
from rlm_core.task import DEMO_MODEL, Limits

DEMO_LABEL = "demo (rule-based, not a language model)"
TICKED_FIRST = "rlm depth 1"


@dataclass(frozen=True, slots=True)
class Models:
    root: str
    helper: str
    api_base: str | None
    root_facts: ModelFacts
    helper_facts: ModelFacts


def strategies(archive: Archive | None, root: str, facts: ModelFacts) -> list[Choice]:
    """The ticked strategies. What the window of the root model means for `base` stands right under its row."""
    ticked = []
    for choice in backend.choices():
        on = st.checkbox(
            f"**{escaped(choice.label)}** :gray[{escaped(choice.says)}]",
            value=choice.label == TICKED_FIRST,
            key=f"ask-strategy-{choice.label}",
            persist_state="session",
        )
        if choice.may_cut and archive:
            choice = _window_hint(choice, archive, root, facts)
        if on:
            ticked.append(choice)
    return ticked


def _window_hint(choice: Choice, archive: Archive, root: str, facts: ModelFacts) -> Choice:
    fits = backend.fits(archive, facts.window_tokens)
    if fits is None:
        if root != DEMO_MODEL:
            st.caption(f"The window of {escaped(root)} is not known here: it may refuse a prompt of this size.")
        return choice
    sizes = f"{wording.count(archive.tokens, estimate=True)} of {wording.count(facts.window_tokens)} tokens"
    if fits:
        st.info(
            f"**The archive fits the window** of {escaped(root)} ({escaped(sizes)}): a base run beside it is worth having.",
            icon=":material/info:",
        )
        return choice
    st.info(
        f"**The archive does not fit the window** of {escaped(root)} ({escaped(sizes)}): base refuses it, or cuts it.",
        icon=":material/info:",
    )
    cuts = st.checkbox("cut it to what fits; what was not seen is recorded", key="ask-cut", persist_state="session")
    return backend.cutting(choice) if cuts else choice


def models() -> Models:
    """Root and helper model, and the server that they are on."""
    chosen, known = backend.settings(), backend.known_models()
    api_base = st.session_state.get("ask-api-base") or None
    grid = st.grid(2, min_column_width=215)
    with grid.cell():
        root, root_facts = _model(f"{icon('root')} Root model", "root", known, chosen.root_model, api_base)
        _about(root, root_facts, "root-model")
    with grid.cell():
        helper, helper_facts = _model(f"{icon('call')} Helper model", "helper", known, chosen.helper_model, api_base)
        if helper != root or not helper_facts.problem:  # the same error does not stand twice
            _about(helper, helper_facts, "helper-model")
    if DEMO_MODEL in (root, helper):
        _demo_rules()
    st.text_input(
        "API base",
        value=chosen.api_base or "",
        key="ask-api-base",
        persist_state="session",
        placeholder="only for a server of your own, such as http://127.0.0.1:8000/v1",
    )
    return Models(root, helper, api_base, root_facts, helper_facts)


def _model(label: str, role: str, known: Sequence[str], default: str, api_base: str | None) -> tuple[str, ModelFacts]:
    picked = st.selectbox(
        label,
        known,
        index=known.index(default),
        format_func=lambda model: DEMO_LABEL if model == DEMO_MODEL else plain(model),
        key=f"ask-{role}-model",
        accept_new_options=True,
        persist_state="session",
        placeholder="provider/name",
        help="Choose one, or type a LiteLLM name such as openai/gpt\\-5\\-mini.",
    )
    model = (picked or "").strip()
    return model, backend.model_facts(model, api_base)


def _about(model: str, facts: ModelFacts, key: str) -> None:
    """Price and window, or why the model cannot be used."""
    if facts.problem:
        say(problem_in_words(model, facts), key)
    elif model != DEMO_MODEL:
        st.caption(escaped(price_in_words(facts)))


def problem_in_words(model: str, facts: ModelFacts) -> str:
    """Why a model cannot be used as named, in the words of this page."""
    if not model:
        return "No model is named. Choose one, or demo, the built-in stand-in."
    return plain(
        f"The model {model!r} is not known. Similar names: {', '.join(facts.similar) or 'none'}. Write it as "
        "provider/name, such as openai/gpt-5-mini. For a model on a server of your own, give the address of your "
        "server under API base."
    )


def price_in_words(facts: ModelFacts) -> str:
    """`$0.25 in, $2.00 out a million tokens · window 272 k`."""
    if facts.input_usd is None or facts.output_usd is None:
        price = "price unknown"
    else:
        dollars = [wording.money(each * 1e6) for each in (facts.input_usd, facts.output_usd)]
        price = f"{dollars[0]} in, {dollars[1]} out a million tokens"
    return f"{price} · window {wording.count(facts.window_tokens)}"


def _demo_rules() -> None:
    opened = st.expander("What the demo model knows", key="demo-rules", type="compact", on_change="rerun")
    if opened.open:
        with opened:
            st.text(
                "A list of phrases, and nothing else. It shows how a run works; its answers are no measure of a model."
            )
            st.json(backend.demo_rules(), expanded=1)


def limits() -> Limits:
    """How far each run may go."""
    now = backend.settings().limits
    columns = st.columns(5, gap="xsmall")
    usd = columns[0].number_input(
        "Stop at $",
        min_value=0.01,
        value=now.max_usd,
        step=0.5,
        format="%.2f",
        placeholder="none",
        key="ask-usd",
        persist_state="session",
    )
    whole = {
        "turns": ("Turns", now.max_turns, 1),
        "calls": ("Calls", now.max_calls, 100),
        "minutes": ("Minutes", max(1, round(now.timeout_s / 60)), 5),
        "at-once": ("At once", now.concurrency, 8),
    }
    given = {}
    for column, (name, (label, value, step)) in zip(columns[1:], whole.items(), strict=True):
        given[name] = column.number_input(
            label, min_value=1, value=value, step=step, key=f"ask-{name}", persist_state="session"
        )
    return backend.limits(
        max_usd=usd,
        max_turns=given["turns"],
        max_calls=given["calls"],
        timeout_s=given["minutes"] * 60.0,
        concurrency=given["at-once"],
    )


def start_button(runs: int, limits: Limits) -> bool:
    """The one primary button of Ask, with the most that it may cost beside it. True when it was clicked."""
    st.divider()
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        most = "No limit on spending is set."
        if not runs:
            most = "Tick at least one strategy to start."
        elif limits.max_usd is not None:
            most = f"Never more than {wording.money(limits.max_usd)} each, as far as prices are known."
        st.caption(escaped(most), width="content")
        label = f"Start {wording.exact(runs, 'run')}" if runs > 1 else "Start"
        return st.button(
            label,
            type="primary",
            icon=":material/play_arrow:",
            shortcut="Ctrl+Enter",
            key="start",
            disabled=not runs,
        )
