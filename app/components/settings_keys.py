"""Settings, keys: which variables hold one and where it is from, and keeping one in the data folder. No value is ever shown."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app import backend
from app.backend import KeyLine
from app.components.settings_sections import attempt, line, outcome, title
from app.components.text import escaped
from app.components.trouble import say
from rlm_core.plain import plain

WIDTHS = [1.6, 2.4, 3.2, 1.1]
VALUE = "settings-key-value"
VARIABLE = "settings-key-variable"


def show() -> None:
    title("keys", "The environment of the app comes first; what is not there may be kept in the data folder.")
    problem = backend.key_problem()
    if problem:
        with line("keys-problem"):
            say(plain(problem), "keys")
            if "chmod 600" in problem:
                st.button("Close the file to others", key="mend-keys", on_click=_mend, icon=":material/lock:")
    lines = backend.key_lines()
    if lines:
        _table(lines)
    elif not problem:
        with line("no-keys"):
            st.text("There is no key yet. The demo model needs none.")
    with line("keep-key"):
        _form()
    with line("keys-safety"):
        st.caption(escaped(safety_in_words()))


def _table(lines: Sequence[KeyLine]) -> None:
    with st.container(key="setting-head-keys"):
        for column, name in zip(st.columns(WIDTHS), ("Provider", "Variable", "Where it is from", ""), strict=True):
            column.caption(name)
    for each in lines:
        with line(f"key-{each.variable}"):
            provider, variable, place, action = st.columns(WIDTHS, vertical_alignment="center")
            provider.text(each.provider or "another")
            variable.markdown(f":material/{'key' if each.place else 'key_off'}: {escaped(each.variable)}")
            place.text(place_in_words(each))
            if each.kept:
                action.button(
                    "Remove",
                    key=f"forget-{each.variable}",
                    type="tertiary",
                    icon=":material/delete:",
                    help=escaped(f"Remove {each.variable} from the data folder."),
                    on_click=_forget,
                    args=(each.variable,),
                )


def place_in_words(each: KeyLine) -> str:
    """Where a key is from, or that it is missing."""
    if each.place == "environment":
        return "the environment, before the one kept here" if each.kept else "the environment"
    return "kept in the data folder" if each.place == "file" else "missing; a chosen model needs it"


def _form() -> None:
    with st.form("settings-keep-key", border=False):
        name, value, button = st.columns([2.6, 3.2, 1.1], vertical_alignment="bottom")
        name.selectbox(
            "Variable",
            backend.key_names(),
            format_func=name_in_words,
            key=VARIABLE,
            accept_new_options=True,
            help="Choose one, or type the name of a provider, or another variable that ends in \\_API\\_KEY.",
        )
        value.text_input(
            "Key",
            key=VALUE,
            type="password",
            autocomplete="new-password",
            placeholder="paste it; it is not shown again",
        )
        button.form_submit_button("Keep it", on_click=_keep, icon=":material/lock:", width="stretch")
    outcome("keys")


def name_in_words(variable: str) -> str:
    """`OPENAI_API_KEY · OpenAI`."""
    provider = backend.provider_of(variable)
    return plain(f"{variable} · {provider}" if provider else variable)


def _keep() -> None:
    """What was pasted leaves the session once it is in the file; until then it stays in its field, to be tried again."""
    variable, value = backend.key_name(st.session_state[VARIABLE] or ""), st.session_state[VALUE]
    if attempt("keys", lambda: backend.keep_key(variable, value), done=f"Saved as {variable}"):
        st.session_state[VALUE] = ""


def _forget(variable: str) -> None:
    attempt("keys", lambda: backend.forget_key(variable), done=f"Removed {variable} from the data folder")


def _mend() -> None:
    attempt("keys", backend.close_keys_to_others)


def safety_in_words() -> str:
    home = backend.settings().home
    return (
        f"Kept keys are in {home / 'keys.json'}, readable by your user alone. They are handed to the processes that ask models; "
        "the store, logs, exports and code cells never hold them. Whoever can open this page can use them."
    )
