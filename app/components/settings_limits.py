"""Settings, limits: how far a run may go that says nothing else, and how much an archive may cost. Each is kept on its own, and
a value that is none is refused beside its field."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from app import backend
from app.components.settings_sections import attempt, line, named, outcome, title
from app.components.text import escaped
from rlm_core.ingest_limits import IngestLimits
from rlm_core.settings import Settings
from rlm_core.task import Limits


@dataclass(frozen=True, slots=True)
class Field:
    """One limit as it is asked for: `factor` of its own units make one of the unit shown. `of`: where in the settings it is."""

    limit: str
    name: str
    unit: str
    says: str
    step: float
    factor: float = 1.0
    whole: bool = True
    optional: bool = False
    of: backend.LimitsOf = "limits"


FIELDS = (
    Field(
        "max_usd", "Money", "dollars", "A run stops at this spending, as far as prices are known.", 0.5, 1, False, True
    ),
    Field(
        "max_tokens", "Tokens", "tokens", "In and out together, as far as servers report them.", 100_000, optional=True
    ),
    Field("max_calls", "Calls", "calls", "Requests to models in one run.", 100),
    Field("max_turns", "Turns", "turns", "Replies of one root model; then it must answer.", 5),
    Field("timeout_s", "Time of a run", "minutes", "Then the best answer until then is taken.", 5, 60, False),
    Field(
        "call_timeout_s",
        "Time of a call",
        "seconds",
        "A call without a reply by then has failed; it may be paid.",
        30,
        1,
        False,
    ),
    Field("concurrency", "At once", "calls", "Calls that one run has under way at the same time.", 8),
    Field(
        "cell_timeout_s", "Time of a cell", "seconds", "The clock stops while the code waits for models.", 30, 1, False
    ),
    Field("cell_memory_mb", "Memory of a cell", "MB", "Beyond the archive itself, which is not copied.", 512),
    Field("shown_chars", "Output shown", "characters", "What the model sees of a cell's output, head and tail.", 5_000),
    Field(
        "ask_above_calls",
        "Large batch",
        "calls",
        "A batch of more helper calls than this waits until a person has approved it.",
        50,
        optional=True,
    ),
    Field(
        "ask_above_usd",
        "Dear batch",
        "dollars",
        "So does one that may cost more than this, by list prices.",
        0.1,
        1,
        False,
        True,
    ),
)


ARCHIVE_FIELDS = tuple(
    Field(limit, name, unit, says, step, factor, whole, of="ingest_limits")
    for limit, name, unit, says, step, factor, whole in (
        ("max_upload_mb", "Upload", "MB", "All files of one archive as they come.", 256, 1, True),
        ("max_expanded_mb", "Unpacked", "MB", "Everything that its archives hold.", 1024, 1, True),
        ("max_member_mb", "One text", "MB", "Text of any kind is read piece by piece.", 512, 1, True),
        ("max_parsed_mb", "One document", "MB", "PDFs, pages and office files are read as a whole.", 128, 1, True),
        ("max_entries", "Files", "files", "In all its archives together.", 10_000, 1, True),
        ("max_nesting", "Nesting", "levels", "Archives in archives, mails in mails.", 1, 1, True),
        ("max_ratio", "Ratio of a file", "times", "What unpacks to more of its size is taken for a bomb.", 50, 1, True),
        ("max_total_ratio", "Ratio in all", "times", "The same of all files together.", 50, 1, True),
        ("timeout_s", "Time to read", "minutes", "What was not reached by then is listed as not read.", 5, 60, False),
    )
)
CRASH = "settings-resume-after-crash"


def show() -> None:
    title("limits", "How far a run of a new question may go. Each question can set others.")
    for field in FIELDS:
        _line(field)
    _after_a_crash()
    with line("archives"):
        named(
            "Archives",
            "How much one archive may cost. What is over a limit is not read, and is listed with the reason.",
        )
    for field in ARCHIVE_FIELDS:
        _line(field)
    if changed(backend.settings()):
        with line("limits-shipped"):
            st.button("Back to the shipped limits", key="limits-shipped", on_click=_as_shipped, icon=":material/undo:")


def _line(field: Field) -> None:
    with line(_name(field)):
        name, given, unit, says = st.columns([1.3, 1.3, 0.9, 3.8], vertical_alignment="center")
        name.markdown(f"**{escaped(field.name)}**")
        with given:
            value = _input(field)
        unit.text(field.unit)
        with says, st.container(gap="xsmall"):
            st.caption(escaped(explained(field)))
            outcome(_name(field), value)


def _after_a_crash() -> None:
    if CRASH not in st.session_state:
        st.session_state[CRASH] = backend.settings().resume_after_crash
    with line("limit-crash"):
        name, given, says = st.columns([1.3, 2.2, 3.8], vertical_alignment="center")
        name.markdown("**After a crash**")
        given.toggle("Take a run up again", key=CRASH, on_change=_save_after_a_crash)
        with says, st.container(gap="xsmall"):
            st.caption("Once, where its process died: what had finished is replayed, and not paid again. Shipped: on.")
            outcome("crash", st.session_state[CRASH])


def _save_after_a_crash() -> None:
    wanted = bool(st.session_state[CRASH])
    attempt("crash", lambda: backend.save_resume_after_crash(wanted), wanted)


def _input(field: Field) -> float | int | None:
    key = _key(field)
    if key not in st.session_state:
        st.session_state[key] = shown(field, getattr(backend.settings(), field.of))
    return st.number_input(
        f"{field.name}, {field.unit}",
        value=None,
        step=int(field.step) if field.whole else float(field.step),
        format="%d" if field.whole else "%g",
        key=key,
        placeholder=_without(field) if field.optional else "a number",
        required=not field.optional,
        label_visibility="collapsed",
        on_change=_save,
        args=(field,),
    )


def _save(field: Field) -> None:
    value = st.session_state[_key(field)]
    attempt(_name(field), lambda: backend.save_limit(field.limit, kept(field, value), field.of), value)


def _as_shipped() -> None:
    attempt("limits", backend.save_shipped_limits)
    for field in (*FIELDS, *ARCHIVE_FIELDS):
        st.session_state[_key(field)] = shown(field, backend.shipped_limits(field.of))


def _name(field: Field) -> str:
    return f"limit-{field.limit}" if field.of == "limits" else f"limit-archive-{field.limit}"


def _key(field: Field) -> str:
    return f"settings-{_name(field)}"


def shown(field: Field, limits: Limits | IngestLimits) -> float | int | None:
    """The limit in the unit of the page."""
    value = getattr(limits, field.limit)
    return None if value is None else int(value) if field.whole else value / field.factor


def kept(field: Field, value: float | int | None) -> float | int | None:
    """The value of the page in the unit of the limit."""
    return None if value is None else int(value) if field.whole else float(value * field.factor)


def explained(field: Field) -> str:
    """What it means, and what it is when nobody changes it."""
    shipped = shown(field, backend.shipped_limits(field.of))
    return f"{field.says} Shipped: {_without(field) if shipped is None else f'{shipped:,.10g}'}."


def _without(field: Field) -> str:
    return "never" if field.limit.startswith("ask_") else "no limit"


def changed(settings: Settings) -> int:
    """How many limits are not as shipped."""
    return sum(
        getattr(getattr(settings, field.of), field.limit) != getattr(backend.shipped_limits(field.of), field.limit)
        for field in (*FIELDS, *ARCHIVE_FIELDS)
    )
