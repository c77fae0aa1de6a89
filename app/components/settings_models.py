"""Settings, models: which ones new questions start with, whether their keys are there, and one request to try them."""

from __future__ import annotations

import streamlit as st

from app import backend, links
from app.backend import KeyStatus, Tried
from app.components.kinds import icon
from app.components.model_words import model_label, price_in_words
from app.components.settings_sections import attempt, line, named, outcome, title
from app.components.text import escaped
from app.components.trouble import say
from rlm_core import wording
from rlm_core.looks.marks import Kind
from rlm_core.plain import plain
from rlm_core.task import DEMO_MODEL

ROLES: dict[str, tuple[str, str, Kind]] = {
    "root": ("Root model", "writes the code that looks at the archive", "root"),
    "helper": ("Helper model", "is asked about the pieces", "call"),
}
WIDTHS = [1.2, 2.7, 2.1]
_TRIED = "settings-tried"


def show() -> None:
    title("models", "What a new question starts with. Each question can choose others.")
    now = backend.settings()
    for role, model in (("root", now.root_model), ("helper", now.helper_model)):
        with line(f"model-{role}"):
            what, choice, key = st.columns(WIDTHS, gap="medium")
            with what, st.container(gap=None):
                name, says, kind = ROLES[role]
                st.markdown(f"{icon(kind)} **{name}**")
                st.caption(says)
            with choice, st.container(gap="xsmall"):
                _choose(role, model)
            with key, st.container(gap="xsmall"):
                _key(role, model, now.api_base)
    with line("api-base"):
        what, choice, where = st.columns(WIDTHS, gap="medium")
        with what:
            named("API base", "only for a server of your own")
        with choice:
            _api_base(now.api_base)
        where.text(where_in_words(now.api_base))


def _choose(role: str, model: str) -> None:
    key = f"settings-{role}"
    names = backend.known_models()
    picked = st.selectbox(
        ROLES[role][0],
        names,
        index=names.index(model),
        format_func=model_label,
        key=key,
        accept_new_options=True,
        placeholder="provider/name",
        label_visibility="collapsed",
        on_change=lambda: _save(role, (st.session_state[key] or "").strip()),
    )
    outcome(key, (picked or "").strip())
    if model != DEMO_MODEL:
        st.caption(escaped(price_in_words(backend.model_facts(model, backend.settings().api_base))))


def _save(role: str, model: str) -> None:
    st.session_state.pop(_TRIED, None)
    if model:
        attempt(f"settings-{role}", lambda: backend.save_models(**{role: model}), model)


def _api_base(address: str | None) -> None:
    key = "settings-api-base"
    given = st.text_input(
        "API base",
        value=address or "",
        key=key,
        placeholder="none; such as http://127.0.0.1:8000/v1",
        label_visibility="collapsed",
        on_change=lambda: _save_api_base(st.session_state[key]),
    )
    outcome(key, given)


def _save_api_base(address: str) -> None:
    st.session_state.pop(_TRIED, None)
    attempt("settings-api-base", lambda: backend.save_api_base(address), address)


def _key(role: str, model: str, api_base: str | None) -> None:
    """Whether the key is there, and the button that tries it."""
    status = backend.key_status(model, api_base)
    st.markdown(key_in_words(status))
    if status.ok is False:
        st.button(
            "Go to the keys",
            key=f"keys-for-{role}",
            type="tertiary",
            icon=":material/arrow_forward:",
            on_click=links.open_section,
            args=("keys",),
        )
    elif backend.can_be_tried(model) and not backend.model_problem(model, api_base):
        _try(role, model, api_base)


@st.fragment
def _try(role: str, model: str, api_base: str | None) -> None:
    clicked = st.button(
        escaped(f"Try it, {cost_of_a_try(backend.likely_usd_of_a_try(model, api_base))}"),
        key=f"try-{role}",
        icon=":material/bolt:",
        help=escaped(f"One request of a few tokens to {model}."),
    )
    tried: dict[tuple[str, str | None], Tried] = st.session_state.setdefault(_TRIED, {})
    if clicked:
        waiting = st.empty()
        # Told every moment, which is also when Streamlit may leave for something else that was clicked.
        tried[model, api_base] = backend.try_model(
            model, api_base, lambda waited_s: waiting.caption(f"Asking for one word … {waited_s:.0f} s")
        )
        waiting.empty()
    result = tried.get((model, api_base))
    if result is None:
        return
    if result.problem:
        say(plain(result.problem), f"try-{role}")
    else:
        st.markdown(f":green[:material/check:] {escaped(tried_in_words(result))}")


def where_in_words(api_base: str | None) -> str:
    """Who is asked."""
    return "Both models are asked there." if api_base else "None: models are asked at their providers."


def key_in_words(status: KeyStatus) -> str:
    """The state of a key as Markdown, with a symbol that says it without colour."""
    symbol = {True: "key", False: "key_off", None: "question_mark"}[status.ok]
    colour = {True: "green", False: "red", None: "gray"}[status.ok]
    return f":{colour}[:material/{symbol}:] {escaped(status.says)}"


def cost_of_a_try(usd: float | None) -> str:
    """`~$0.0001`, `less than $0.0001`, `price unknown`."""
    if usd is None:
        return "price unknown"
    return "less than $0.0001" if usd < 0.0001 else wording.money(usd, estimate=True)


def tried_in_words(tried: Tried) -> str:
    """`It works: a reply in 0.8 s, 15 tokens in, 3 out, $0.0001`."""
    said = f"It works: a reply in {wording.seconds(tried.latency_s)}"
    if tried.input_tokens is None:
        return f"{said}; the server reports no tokens, so costs stay unknown"
    cost = "" if tried.cost_usd is None else f", {cost_of_a_try(tried.cost_usd).removeprefix('~')}"
    return f"{said}, {tried.input_tokens:,} tokens in, {wording.count(tried.output_tokens)} out{cost}"
