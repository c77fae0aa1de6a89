"""The inspector: all there is to say of what is selected on the run's page; where nothing is, of the run."""

from __future__ import annotations

from functools import singledispatch

import streamlit as st

from app import backend
from app.components import facts as figures
from app.components import fork_form, inspector_copy, inspector_note, inspector_pin, inspector_place
from app.components import inspector_words as words
from app.components.inspector_call import call, turn
from app.components.inspector_cell import cell
from app.components.inspector_figures import figures_of
from app.components.inspector_finding import finding
from app.components.inspector_group import group
from app.components.inspector_parts import Badge, head, way
from app.components.inspector_run import answer, frame, run, search
from app.components.inspector_titles import in_full, title_of
from rlm_core.events import RUN_SPAN
from rlm_core.folding import Mark
from rlm_core.looks.look import Look
from rlm_core.looks.marks import Kind, kind_of
from rlm_core.looks.node_facts import facts_of
from rlm_core.looks.node_places import next_to
from rlm_core.looks.node_shapes import (
    AnswerFacts,
    CallFacts,
    CellFacts,
    Facts,
    FindingFacts,
    FrameFacts,
    RunFacts,
    SearchFacts,
    TurnFacts,
)
from rlm_core.plain import plain_line


def show(look: Look) -> None:
    if look.place.document:
        inspector_place.place(look)
        return
    node, mark = look.place.node or RUN_SPAN, look.selected
    if mark is not None and mark.id == node and (mark.is_group or mark.kind == "more"):
        _group(mark, look)
        return
    facts = backend.read(look.sheet.id, facts_of, node, look.reading.deciding)
    if facts is None:
        st.text(f"There is no {plain_line(node, 60)} in this run. The address may be of another one.")
        node, facts = RUN_SPAN, backend.read(look.sheet.id, facts_of, RUN_SPAN)
    if facts is None:  # the run was deleted a moment ago
        return
    title, told = title_of(facts, look), figures_of(facts, free=look.sheet.free)
    head(_kind(facts, look), title, words.where(facts), _badges(facts, look), words.explained(facts))
    if not isinstance(facts, RunFacts):
        _way(node, facts, look)
    with st.container(horizontal=True, gap="small", key="node-tools"):
        inspector_pin.pin_button(node, facts, look)
        inspector_note.offer(node, look)
        inspector_copy.offer(node, in_full(facts, look), told, facts, look)
    inspector_note.show(node, look)
    other = inspector_pin.pinned(look)
    inspector_pin.bar(node, other, look, comparable=not isinstance(facts, RunFacts))
    if other and look.place.beside and look.place.pin != node and not isinstance(facts, RunFacts):
        inspector_pin.compare(other, facts, look)
        return
    if told:
        figures.show(told, "node-figures")
    draw(facts, look)


def _group(mark: Mark, look: Look) -> None:
    name = look.names[mark.id]
    kind = kind_of(mark, look.tree, look.reading.mended)
    badges = [words.state(mark.status)]
    if mark.cited:
        badges.append((f"{mark.cited:,} cited", "yellow"))
    head(kind, name.title, "", badges, words.explained_group(mark))
    up = mark.parent or RUN_SPAN
    way([("arrow_upward", _name_of(up, look), up)])
    inspector_pin.bar(mark.id, inspector_pin.pinned(look), look, comparable=False)
    group(mark, look)


def _kind(facts: Facts, look: Look) -> Kind:
    mark = look.selected
    if isinstance(facts, FindingFacts | AnswerFacts):
        return "answer"
    if isinstance(facts, RunFacts) or mark is None:
        return "root"
    return kind_of(mark, look.tree, look.reading.mended)


def _badges(facts: Facts, look: Look) -> list[Badge]:
    """How it ended; and its mark in the answer, where it has one."""
    match facts:
        case RunFacts():
            return [words.state(look.sheet.state)]
        case AnswerFacts():
            return [words.state(facts.outcome)]
        case FindingFacts():
            numbers = [each.number for each in look.reading.citations if each.finding == facts.span]
            return [(f"cited as {numbers[0]}", "yellow")] if numbers else []
        case SearchFacts():
            return []
    good = look.reading.mended.get(facts.span)
    badges = words.made_good(facts.status, good) if good else [words.state(facts.status)]
    replayed = facts.call.replayed if isinstance(facts, TurnFacts) and facts.call else getattr(facts, "replayed", None)
    badges += [words.from_before(replayed)] if replayed else []
    match facts:
        case TurnFacts() | CellFacts() | FrameFacts() if facts.span in look.reading.remarked:
            badges.append((f"△ {look.reading.remarked[facts.span]}", "orange"))
        case CallFacts() if facts.span in look.reading.cited:
            badges.append((f"cited as {look.reading.cited[facts.span]}", "yellow"))
        case CellFacts() if facts.parted:
            badges.append(("≠ not as before", "orange"))
        case CellFacts() if facts.failed_calls:
            failed = "call" if facts.failed_calls == 1 else "calls"
            badges.append((f"△ {facts.failed_calls:,} {failed} failed", "orange"))
    return badges


def _way(node: str, facts: Facts, look: Look) -> None:
    """To the previous and the next of its kind, and to what it lies in."""
    before, after = (backend.read(look.sheet.id, next_to, node, step) for step in (-1, 1))
    mark = look.selected
    inside = (mark.parent if mark is not None and mark.id == node else mark.id if mark else None) or RUN_SPAN
    if isinstance(facts, TurnFacts):
        inside = (mark.parent if mark else None) or RUN_SPAN
    steps: list[tuple[str, str, str | None]] = [("arrow_upward", _name_of(inside, look), inside)]
    if before or after:
        steps = [("chevron_left", "Previous", before), ("chevron_right", "Next", after), *steps]
    if good := look.reading.mended.get(node):
        steps.append(("arrow_forward", f"{good.says[0].upper()}{good.says[1:]}", good.by))
    way(
        steps, (lambda: fork_form.offer(look, facts.span)) if isinstance(facts, TurnFacts | CellFacts) else lambda: None
    )


def _name_of(span: str, look: Look) -> str:
    name = look.names.get(span)
    title = plain_line(name.title, 24) if name else "run"
    return f"{title[0].upper()}{title[1:]}" if title else span


@singledispatch
def draw(facts: Facts, look: Look) -> None:
    raise TypeError(f"There is nothing to draw for {type(facts).__name__}.")


draw.register(RunFacts, run)
draw.register(FrameFacts, frame)
draw.register(TurnFacts, turn)
draw.register(CellFacts, cell)
draw.register(CallFacts, call)
draw.register(SearchFacts, search)
draw.register(AnswerFacts, answer)
draw.register(FindingFacts, finding)
