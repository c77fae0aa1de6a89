"""Going another way from a turn of a run on: the form that says what is different there, what is replayed for nothing, and what
the rest may cost.

Which turn it is open for stands in the session, so that it stays open while the page is drawn again.
"""

from __future__ import annotations

import streamlit as st

from app import backend, links
from app.backend import ForkPoint
from app.components.estimate import money
from app.components.model_words import model_label
from app.components.text import escaped
from app.components.trouble import say, told
from rlm_core import wording
from rlm_core.estimates import SPREAD, Range
from rlm_core.lineage import Prefix
from rlm_core.looks import remarks
from rlm_core.looks.look import Look
from rlm_core.looks.sheet import Sheet
from rlm_core.plain import plain

OPEN = "fork-open"
"""In the session: the run and the span that the form is open for."""
RAISED = "fork-raised"
"""In the session, for each turn: other limits that are to be higher than in this run, by name."""
ASK, RUN_CODE = "Ask the model again", "Run this code instead"


def offer(look: Look, span: str) -> None:
    """The way to the form, where a run has ended and the span lies in one of its root frame's turns."""
    if not backend.can_be_forked(look.sheet) or not backend.in_root_turn(look.sheet.id, span):
        return
    if missing := backend.lacks_archive(look.sheet):
        st.caption(escaped(f"No fork from here. {plain(missing)}"))
        return
    st.button(
        "Fork from here",
        icon=":material/fork_right:",
        type="tertiary",
        key="fork-from-here",
        on_click=open_for,
        args=(look.sheet.id, span),
        help="Go another way from this turn on, as a new run. What came before is replayed for nothing.",
    )


def open_for(run: str, span: str, *, ask_again: bool = False) -> None:
    """Called from callbacks."""
    st.session_state[OPEN] = (run, span, ask_again)


def open_with(run: str, turn: int, *, instruction: str = "", limit: tuple[str, float] | None = None) -> None:
    """Open the form for a turn of the root frame with so much filled in. Called from callbacks."""
    key = f"{run}-{turn}"
    st.session_state[f"fork-instruction-{key}"] = instruction
    name, value = limit or ("", 0.0)
    if name == "max_usd":
        st.session_state[f"fork-usd-{key}"] = value
    st.session_state[f"{RAISED}-{key}"] = {name: value} if name not in ("", "max_usd") else {}
    open_for(run, f"f1.t{turn}", ask_again=True)


def show(look: Look) -> None:
    """Draw the form if it is open for this run."""
    run, span, ask_again = st.session_state.get(OPEN, ("", "", False))
    if run != look.sheet.id:
        return
    point = backend.fork_point(run, span)
    if point is not None and not backend.lacks_archive(look.sheet):
        title = f"Fork at turn {point.turn}"
        st.dialog(title, width="large", on_dismiss=_close)(_in_theme)(look.sheet, span, point, ask_again)


def _in_theme(sheet: Sheet, span: str, point: ForkPoint, ask_again: bool) -> None:
    """A dialog stands outside of the element that has the theme, so what `theme.css` says must be told which one it is."""
    with st.container(key=f"dialog-{st.context.theme.type or 'light'}"):
        _form(sheet, span, point, ask_again)


def _form(sheet: Sheet, span: str, point: ForkPoint, ask_again: bool) -> None:
    st.caption(escaped(said_of(point)))
    key = f"{sheet.id}-{point.turn}"
    what = ASK
    if point.answered:
        first = RUN_CODE if ".c" in span and not ask_again else ASK
        what = st.segmented_control(
            f"Turn {point.turn}", [ASK, RUN_CODE], default=first, required=True, key=f"fork-what-{key}-{first}"
        )
    code = _code(point, key) if what == RUN_CODE else None
    instruction = st.text_area(
        "Tell the model after it" if code is not None else "Tell the model before it",
        key=f"fork-instruction-{key}",
        placeholder="optional: words that are added to what it is told",
        height=68,
    )
    root, helper, max_usd = _models_and_money(sheet, key)
    limits = {"max_usd": max_usd, **_raised(sheet, key)}
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.text(
            may_cost(point.rest, (root, helper) == (sheet.task.root_model, sheet.task.helper_model)), width="stretch"
        )
        with st.container(horizontal=True, gap="small", width="content"):
            if st.button("Leave it", key="fork-leave", on_click=_close):
                st.rerun()
            start = st.button("Start the fork", type="primary", icon=":material/fork_right:", key="fork-start")
    if start:
        with told("fork"):
            run = backend.fork(
                sheet.id, point.turn, code=code, instruction=instruction, root=root, helper=helper, limits=limits
            )
            _close()
            links.open_run(run)


def _raised(sheet: Sheet, key: str) -> dict[str, float]:
    raised: dict[str, float] = st.session_state.get(f"{RAISED}-{key}", {})
    for name, value in raised.items():
        now, then = remarks.amount(name, value), remarks.amount(name, getattr(sheet.task.limits, name))
        st.caption(escaped(f"The limit on {remarks.LIMITS.get(name, name)} is {now} here; in this run it was {then}."))
    return raised


def said_of(point: ForkPoint) -> str:
    """What happens to the turns before and after: `Turns 1 to 6 with 312 calls cost nothing: …`"""
    last, calls = point.turn - 1, point.prefix.calls
    if not last:
        return "Everything is asked anew. This run stays as it is."
    took = wording.money(point.prefix.usd, point.prefix.unknown_cost_calls)
    took = "an unknown amount" if took == wording.UNKNOWN else took
    turns = "Turn 1" if last == 1 else f"Turns 1 {'and' if last == 2 else 'to'} {last}"
    cost = "costs" if last == 1 else "cost"
    return (
        f"{turns} with {wording.exact(calls, 'call')} {cost} nothing: what came before is replayed, and took {took} then. "
        f"From turn {point.turn} on it is asked anew. This run stays as it is."
    )


def may_cost(rest: Prefix, same_models: bool) -> str:
    """What the part that is asked anew may cost, going by what it took in the run that is left."""
    if not rest.calls or (rest.unknown_cost_calls and not rest.usd):
        return "What that may cost is not known."
    usd, calls = wording.money(rest.usd, rest.unknown_cost_calls), wording.exact(rest.calls, "call")
    took = f"from here on, this run took {usd} for {calls}"
    if not same_models:
        return f"What other models may cost is not known; {took}."
    if rest.unknown_cost_calls:
        return f"What that may cost is not known in full; {took}."
    return (
        f"It may cost {money(Range(rest.usd / SPREAD, rest.usd * SPREAD))}: {took}."
        if rest.usd
        else "It costs nothing."
    )


def _code(point: ForkPoint, key: str) -> str:
    cells = f" The {point.cells} cells of this turn are one here." if point.cells > 1 else ""
    st.caption(f"Python, in the place of everything that the model wrote in this turn.{cells}")
    return st.text_area("Code", value=point.code, key=f"fork-code-{key}", height=320, label_visibility="collapsed")


def _models_and_money(sheet: Sheet, key: str) -> tuple[str, str, float | None]:
    task = sheet.task
    grid = st.grid(3, min_column_width=170)
    with grid.cell():
        root = _model("Root model", f"fork-root-{key}", task.root_model)
    with grid.cell():
        helper = _model("Helper model", f"fork-helper-{key}", task.helper_model)
    with grid.cell():
        usd = st.number_input(
            "Stop at $",
            min_value=0.01,
            value=None if task.limits.max_usd is None else float(task.limits.max_usd),
            step=0.5,
            format="%.2f",
            placeholder="none",
            key=f"fork-usd-{key}",
            help="Counts what the replayed part took: the limits hold for the whole way.",
        )
    missing = {
        status.says for model in (root, helper) if (status := backend.key_status(model, task.api_base)).ok is False
    }
    for number, said in enumerate(sorted(missing)):
        say(plain(said), f"fork-key-{number}")
    return root, helper, usd


def _model(label: str, key: str, now: str) -> str:
    names = list(dict.fromkeys([now, *backend.known_models()]))
    picked = st.selectbox(
        label, names, format_func=model_label, key=key, accept_new_options=True, placeholder="provider/name"
    )
    return (picked or now).strip()


def _close() -> None:
    st.session_state.pop(OPEN, None)
