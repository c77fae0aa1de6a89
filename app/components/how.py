"""Step 3 of Ask: which strategies, within which limits, what that may cost, and the button that starts it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from app import backend, keys
from app.backend import Archive, Choice
from app.components import estimate
from app.components.kinds import step_title
from app.components.models_choice import Chosen
from app.components.text import escaped
from rlm_core import wording
from rlm_core.estimates import Estimate
from rlm_core.task import DEMO_MODEL, Limits

TICKED_FIRST = "rlm-1"
HINTED = "base"
"""The strategy whose row always says whether the archive fits the window; others say so once they are ticked."""
SHOWN = 5
"""Strategies above the fold; more than one beyond them are folded."""
REUSE = "ask-reuse"
REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Row:
    """One strategy of the table. `refuses`: it would not take an archive of this size, so it is not started."""

    choice: Choice
    estimate: Estimate
    refuses: bool = False


def title() -> None:
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        step_title(3, "How")
        st.caption("one run for each ticked strategy", width="content")


def strategies(archive: Archive | None, chosen: Chosen, limits: Limits) -> list[Row]:
    """The table of strategies. Returns the ticked ones. What the window of the root model means for `base` stands right
    under its row."""
    rows = _rows(archive, chosen, limits)
    timed = any(row.estimate.time_s for row in rows)
    _line("head", "", ":gray[strategy]", "", ":gray[may cost]", ":gray[time]" if timed else None)
    ticked = []
    first = rows if len(rows) <= SHOWN + 1 else rows[:SHOWN]
    for row in first:
        ticked += _row(row, archive, chosen, timed)
    if len(rows) > len(first):
        rest = rows[len(first) :]
        shown = any(st.session_state.get(_key(row.choice)) for row in rest)
        with st.expander(f"{len(rest)} more strategies", shown, key="ask-more-strategies", type="compact"):
            for row in rest:
                ticked += _row(row, archive, chosen, timed)
    said = estimate.basis([row.estimate for row in rows], backend.price_list()) if archive else ""
    if said:
        st.caption(escaped(said))
    return ticked


def tick(ids: Sequence[str]) -> None:
    """Tick these strategies and no others, before they are drawn."""
    for choice in backend.choices():
        cut = backend.cutting(choice) if choice.may_cut else choice
        if choice.may_cut:
            st.session_state[_cut(choice)] = cut.id in ids
        st.session_state[_key(choice)] = bool({choice.id, cut.id} & set(ids))


def _rows(archive: Archive | None, chosen: Chosen, limits: Limits) -> list[Row]:
    fits = backend.fits(archive, chosen.root_facts.window_tokens) if archive else None
    choices = []
    for choice in backend.choices():
        cuts = choice.may_cut and fits is False and st.session_state.get(_cut(choice), False)
        choices.append(backend.cutting(choice) if cuts else choice)
    if archive is None:
        return [Row(choice, Estimate()) for choice in choices]
    found = backend.estimates(choices, archive, chosen.models, limits)
    return [
        Row(choice, each, choice.may_cut and fits is False and choice.options.get("overflow") != "cut")
        for choice, each in zip(choices, found, strict=True)
    ]


def _row(row: Row, archive: Archive | None, chosen: Chosen, timed: bool) -> list[Row]:
    usd, time = estimate.money(row.estimate.usd), estimate.time(row.estimate.time_s)
    if archive is None or row.refuses:
        usd = REFUSED if row.refuses else wording.DOES_NOT_APPLY
        time = wording.DOES_NOT_APPLY
    key = _key(row.choice)
    st.session_state.setdefault(key, row.choice.id == TICKED_FIRST)
    known = archive is not None and chosen.models.root not in ("", DEMO_MODEL)
    hinted = row.choice.may_cut and known and (row.choice.name == HINTED or st.session_state[key])
    on = _line(
        f"{row.choice.id}-hinted" if hinted else row.choice.id,
        key,
        row.choice.label,
        row.choice.says,
        _figure(usd),
        None if not timed else "" if time == wording.UNKNOWN else _figure(time),
    )
    if hinted and archive:
        _window_hint(row.choice, archive, chosen, refused=on and row.refuses)
    return [row] if on else []


def _line(id: str, key: str, label: str, says: str, usd: str, time: str | None) -> bool:
    """A line of the table: tick, name, what it does, figures at the right. True if it is ticked.

    Without a column for times, `time` is nothing; it is empty where no earlier run tells of it.
    """
    ticked = False
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"strategy-{id}"):
        if key:
            ticked = st.checkbox(f"**{escaped(label)}**", key=key, persist_state="session", width=132)
        else:
            st.markdown(label, width=132)
        with st.container(key=f"strategy-says-{id}"):
            st.caption(escaped(says))
        st.markdown(usd, width=104, text_alignment="right")
        if time is not None:
            st.markdown(time, width=72, text_alignment="right")
    return ticked


def _figure(text: str) -> str:
    return f"*:gray[{text}]*" if text == wording.UNKNOWN else escaped(text)


def _key(choice: Choice) -> str:
    return f"ask-strategy-{choice.label}"


def _cut(choice: Choice) -> str:
    return f"ask-cut-{choice.name}"


def _window_hint(choice: Choice, archive: Archive, chosen: Chosen, *, refused: bool) -> None:
    """What the window means for a strategy with one prompt; a warning once it is ticked as it would be refused."""
    name = escaped(choice.name)
    root, window = escaped(chosen.models.root), chosen.root_facts.window_tokens
    fits = backend.fits(archive, window)
    sizes = escaped(f"{wording.count(archive.tokens, estimate=True)} of {wording.count(window)} tokens")
    said = {
        None: f"The window of {root} is not known here: it may refuse a prompt of this size.",
        True: f"**The archive fits the window** of {root} ({sizes}): a run of {name} is worth having.",
        False: f"**The archive does not fit the window** of {root} ({sizes}): {name} refuses it, or cuts it.",
    }
    with st.container(key=f"ask-window-hint-{choice.name}", gap="xsmall"):
        if refused:
            st.warning(
                f"**{name} will be refused:** the archive does not fit the window of {root} ({sizes}). "
                f"Cut it, or untick {name}.",
                icon=":material/warning:",
            )
        else:
            st.info(said[fits], icon=":material/info:")
        if fits is False:
            st.checkbox("cut it to what fits; what was not seen is recorded", key=_cut(choice), persist_state="session")


def limits() -> Limits:
    """How far each run may go."""
    fill_in_limits(backend.settings().limits, again=False)
    columns = st.columns(5, gap="xsmall")
    usd = columns[0].number_input(
        "Stop at $",
        min_value=0.01,
        value=None,
        step=0.5,
        format="%.2f",
        placeholder="none",
        key="ask-usd",
        persist_state="session",
    )
    whole = {"turns": ("Turns", 1), "calls": ("Calls", 100), "minutes": ("Minutes", 5), "at-once": ("At once", 8)}
    given = {}
    for column, (name, (label, step)) in zip(columns[1:], whole.items(), strict=True):
        given[name] = column.number_input(label, min_value=1, step=step, key=f"ask-{name}", persist_state="session")
    return backend.limits(
        max_usd=usd,
        max_turns=given["turns"],
        max_calls=given["calls"],
        timeout_s=given["minutes"] * 60.0,
        concurrency=given["at-once"],
        **_asked_about(),
    )


def _asked_about() -> dict[str, float | int | None]:
    """Above which size a batch of helper calls waits for a person; and whether replies are used again."""
    calls, usd, reuse = st.columns([1, 1, 3.1], gap="xsmall", vertical_alignment="bottom")
    above_calls = calls.number_input(
        "Ask above calls",
        min_value=1,
        value=None,
        step=50,
        placeholder="never",
        key="ask-above-calls",
        persist_state="session",
        help="A batch of more helper calls than this waits until you have approved it.",
    )
    above_usd = usd.number_input(
        "Ask above $",
        min_value=0.01,
        value=None,
        step=0.1,
        format="%.2f",
        placeholder="never",
        key="ask-above-usd",
        persist_state="session",
        help="So does one that may cost more than this, by list prices.",
    )
    reuse.checkbox(
        "Same prompt, same reply: use replies of this run again",
        key=REUSE,
        persist_state="session",
        help="A prompt that a helper has answered in this run is answered with the same words again, for nothing.",
    )
    return {"ask_above_calls": above_calls, "ask_above_usd": above_usd}


def reuses_replies() -> bool:
    return bool(st.session_state.get(REUSE))


def fill_in_limits(limits: Limits, *, again: bool = True) -> None:
    """Set the limits, before they are drawn; unless `again`, only where nobody has set them."""
    given = {
        "ask-above-calls": limits.ask_above_calls,
        "ask-above-usd": limits.ask_above_usd,
        "ask-usd": limits.max_usd,
        "ask-turns": limits.max_turns,
        "ask-calls": limits.max_calls,
        "ask-minutes": max(1, round(limits.timeout_s / 60)),
        "ask-at-once": limits.concurrency,
    }
    for key, value in given.items():
        if again or key not in st.session_state:
            st.session_state[key] = value


def start_bar(ticked: Sequence[Row], archive: Archive | None, limits: Limits) -> bool:
    """What all of it may cost, and the one primary button. True when it was clicked."""
    st.divider()
    runs = len(running(ticked))
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        with st.container(key="ask-total", gap=None):
            _total(ticked, archive, limits)
        return st.button(
            f"Start {wording.exact(runs, 'run')}" if runs > 1 else "Start",
            type="primary",
            icon=":material/play_arrow:",
            shortcut=keys.START,
            key="start",
            disabled=not ticked,
        )


def running(ticked: Sequence[Row]) -> list[Row]:
    """The ticked strategies without those that would be refused."""
    return [row for row in ticked if not row.refuses]


def obstacle(ticked: Sequence[Row]) -> str:
    """Why nothing can be started as it is ticked."""
    refused = [row.choice.label for row in ticked if row.refuses]
    if not refused:
        return ""
    return f"Nothing was started: {', '.join(refused)} would be refused. Let it cut the archive, or untick it."


def _total(ticked: Sequence[Row], archive: Archive | None, limits: Limits) -> None:
    if not ticked:
        st.caption("Tick at least one strategy to start.")
        return
    counted = running(ticked)
    left_out = [row.choice.label for row in ticked if row.refuses]
    if not counted:
        st.caption(escaped(f"{', '.join(left_out)} would be refused, so there is nothing to start."))
        return
    runs = wording.exact(len(counted), "run")
    without = f", without {', '.join(left_out)}" if left_out else ""
    total = estimate.total([row.estimate for row in counted]) if archive else ""
    if total == estimate.FREE:
        st.caption(escaped(f"{runs}{without}"))
        st.markdown(estimate.FREE)
        st.caption("Nothing is charged.")
        return
    if total:
        st.caption(escaped(f"{runs} may cost{without}"))
        st.markdown(_figure(total))
    warned = ":orange[:material/warning:] " if limits.max_usd is None else ""
    st.caption(f"{warned}{escaped(estimate.most(limits, backend.price_list()))}")
