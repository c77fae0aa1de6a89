"""Going on from a run: which others have, what a fork would replay, and starting one; and a word for a run that waits for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import streamlit as st

from app.backend.folder import current_store, store_of
from app.backend.run_list import LISTED_RUNS
from app.backend.runs import read, whole
from rlm_core import events as ev
from rlm_core.jobs import going_on
from rlm_core.lineage import (
    Prefix,
    asked_in,
    cells_of,
    root_turn_of,
    turn_at,
    twin_of,
    was_answered,
    what_is_kept,
    what_is_left,
    what_is_replayed,
)
from rlm_core.looks.sheet import Sheet
from rlm_core.passages import Passage, passage
from rlm_core.task import Fork
from rlm_core.view import RunView

KIN_S = 2.0
"""So long the runs that go on from another one are not looked up again."""


@dataclass(frozen=True, slots=True)
class Later:
    """A run that goes on from another one; `turn`: it left it there, else it took it up where it broke off."""

    run: str
    turn: int | None = None


@dataclass(frozen=True, slots=True)
class ForkPoint:
    """A turn of a run at which it can be left."""

    turn: int
    turns: int
    code: str
    """Of all cells of the turn, one after the other."""
    cells: int
    answered: bool
    """Whether the model replied, so that code can take the place of what it wrote."""
    prefix: Prefix
    rest: Prefix
    """What the run took from this turn on."""


def later_runs(run: str) -> list[Later]:
    """The runs, begun or queued, that go on from this one, oldest first."""
    return _later_runs(current_store().home, run)


@st.cache_data(max_entries=50, ttl=KIN_S, show_spinner=False)
def _later_runs(home: Path, run: str) -> list[Later]:
    store = store_of(home)
    begun = [row.id for row in store.runs(LISTED_RUNS) if row.parent_run == run]
    queued = [job.id for job in store.jobs("queued") if job.origin and job.origin.run == run]
    found = []
    for each in dict.fromkeys([*reversed(begun), *queued]):
        origin = going_on.origin_in(store, each)
        found.append(Later(each, origin.fork.turn if origin and origin.fork else None))
    return found


def can_be_forked(sheet: Sheet) -> bool:
    """Whether a run has ended and has turns at which it can be left."""
    return not sheet.active and bool(sheet.turns) and sheet.task.strategy not in going_on.WITHOUT_TURNS


def can_be_resumed(sheet: Sheet) -> bool:
    """Whether a run broke off, and nobody has taken it up yet."""
    return sheet.state in going_on.BROKEN_OFF and all(each.turn is not None for each in later_runs(sheet.id))


def lacks_archive(sheet: Sheet) -> str:
    """Why a run cannot be gone on from for want of its archive, in sentences; empty where it can."""
    return going_on.lacks_archive(current_store(), sheet.id, sheet.task.corpus)


def in_root_turn(run: str, span: str) -> bool:
    """Whether a span is a turn of the root frame, or lies in one."""
    turn = root_turn_of(span)
    return turn is not None and read(run, turn_at, turn) is not None


def fork_point(run: str, span: str) -> ForkPoint | None:
    """The turn of the root frame that a span is, or lies in."""
    turn = root_turn_of(span)
    found = read(run, _fork_point, turn) if turn is not None else None
    if found is None:
        return None
    (number, turns, answered, prefix, rest), codes = found
    code = "\n\n".join(whole(each).strip("\n") for each in codes)
    return ForkPoint(number, turns, code, len(codes), answered, prefix, rest)


def _fork_point(view: RunView, number: int) -> tuple[tuple[int, int, bool, Prefix, Prefix], list[Passage]] | None:
    turn = turn_at(view, number)
    if turn is None:
        return None
    codes = [passage(cell.started.code) for cell in cells_of(view, turn) if isinstance(cell.started, ev.CellStarted)]
    turns = sum(node.kind == "turn" and node.parent == turn.parent for node in view.nodes.values())
    taken = (what_is_replayed(view, number), what_is_left(view, number))
    return (number, turns, was_answered(view, turn), *taken), codes


def kept_of(run: str) -> Prefix:
    """What a run that takes this one up has for nothing."""
    return read(run, what_is_kept) or Prefix(0, 0, 0.0)


def fork(
    run: str,
    turn: int,
    *,
    code: str | None = None,
    instruction: str = "",
    root: str | None = None,
    helper: str | None = None,
    limits: Mapping[str, float | None] = MappingProxyType({}),
) -> str:
    """Give the worker a run that leaves `run` at a turn, with such limits in the place of its own. Returns its id. Raises
    `Problem` if it cannot be."""
    named = {"root_model": root, "helper_model": helper}
    changes = {name: value for name, value in named.items() if value}
    at = Fork(turn, code, instruction.strip() or None)
    started = going_on.fork(current_store(), run, at, **changes, limits=dict(limits))
    _later_runs.clear()
    return started


def resume(run: str, *, accept_divergence: bool = False) -> str:
    """Give the worker a run that takes `run` up. Returns its id. Raises `Problem` if it cannot be."""
    started = going_on.resume(current_store(), run, accept_divergence)
    _later_runs.clear()
    return started


def approve(run: str, granted: bool) -> None:
    """A person's word for a run that waits for it. Raises `Problem` if it waits for none."""
    going_on.approve(current_store(), run, granted)


def twin(run: str, span: str, made_in: str) -> str | None:
    """The node of an earlier run in which a replayed call was made; `None` where that run is no longer here."""
    asked = read(run, _asked, span)
    return read(made_in, twin_of, span, asked or ())


def _asked(view: RunView, span: str) -> tuple[object, ...] | None:
    return asked_in(view.nodes[span]) if span in view.nodes else None
