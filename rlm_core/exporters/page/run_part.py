"""One run as the page shows it: head, graph, notebook, evidence, costs, and what is not known. Plain data, all of it text.

What must not be told is replaced here where a text is a document or a prompt as a whole (`redaction.py` has the rest).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from rlm_core import events as ev
from rlm_core import wording
from rlm_core.evidence.citations import Whole
from rlm_core.exporters.page.graph import graph_of
from rlm_core.exporters.page.redaction import Redaction, redacted
from rlm_core.exporters.page.shortening import LEAST_CHARS, cut, shortened
from rlm_core.looks import marks, run_words
from rlm_core.looks.blocks import drawn
from rlm_core.looks.look import Look, look_at, reading_of
from rlm_core.looks.node_places import members_of
from rlm_core.looks.node_shapes import FindingFacts, Member
from rlm_core.looks.notebook import Block, FrameBlock, RowBlock, TurnBlock, blocks_of
from rlm_core.looks.place import Place
from rlm_core.looks.verdicts import counts_in_words, in_short, told, verdict_of
from rlm_core.naming import Namer
from rlm_core.passages import Passage
from rlm_core.plain import plain, plain_line
from rlm_core.story_edits import StepEdit
from rlm_core.task import Json
from rlm_core.view import RunView, Totals, own_totals, sum_of

BLOCKS_CHARS, MEMBERS_CHARS = 8_000_000, 5_000_000
"""Of the texts of all steps, and of what all calls were sent and replied."""
MOST_MEMBER_CHARS, MOST_BLOCK_CHARS = 3_000, 60_000
"""Of one of them."""
SHOWN_FINDINGS = 2_000
SHOWN_CHARS_UNKNOWN = 10**9
ANSWER_CHARS, QUESTION_CHARS, QUOTE_CHARS = 40_000, 8_000, 400
OF_DOCUMENTS = ("output", "traceback", "error")
"""Parts of a block that hold what was in documents."""


@dataclass(frozen=True)
class PageRun:
    """A run that has begun, and what is known of it beside its events."""

    view: RunView
    whole: Whole
    """Loads a long text."""
    archive: str = ""
    """Its name."""
    title: str = ""
    """That a person gave the run."""
    shown: run_words.ShownShare = run_words.NOT_LOOKED_AT
    edits: Sequence[StepEdit] = field(default=())

    @property
    def id(self) -> str:
        return str(self.view.run)


class RunPart:
    """What a page holds of one run. `share`: of the room for texts, the part that this run may take."""

    def __init__(self, run: PageRun, redaction: Redaction, share: float = 1.0) -> None:
        self.run, self.redaction, self.share = run, redaction, share
        self.reading = reading_of(run.view, run.whole)
        if redaction:
            self.reading = replace(self.reading, namer=Namer(run.view, self.reading.items, tells=False))
        self.look: Look = look_at(self.reading, Place(run.id))

    def data(self) -> Json:
        blocks = blocks_of(self.run.view, self.look.tree, self.look.names, self.reading.namer, self.reading.folding)
        return {
            "id": self.run.id,
            "head": self._head(),
            "graph": graph_of(self.look),
            "blocks": self._blocks(blocks),
            "members": dict(self._members(blocks)),
            "evidence": self._evidence(),
            "costs": {"models": list(self._by_model()), "nodes": list(self._by_node())},
            "unknown": list(self._unknown()),
        }

    # ------------------------------------------------------------------ head

    def _head(self) -> Json:
        sheet, whole = self.reading.sheet, self.run.whole
        figures = run_words.settled(run_words.figures(sheet, self.run.view.last_at or 0.0, self.run.shown))
        return {
            "title": plain_line(self.run.title),
            "archive": plain_line(self.run.archive),
            "how": run_words.asked_with(sheet.task),
            "question": plain(run_words.question_in_words(whole(sheet.question))[:QUESTION_CHARS]),
            "state": sheet.state,
            "reason": plain(run_words.reason_in_words(sheet)),
            "notices": run_words.notices(sheet, recorded=False),
            "answer": cut(whole(sheet.answer), ANSWER_CHARS),
            "figures": [asdict(each) for each in figures],
        }

    # ------------------------------------------------------------------ the notebook

    def _blocks(self, blocks: Sequence[Block]) -> list[Json]:
        """Each as `looks.blocks.drawn` has it, its texts cut to what there is room for."""
        most = min(MOST_BLOCK_CHARS, int(BLOCKS_CHARS * self.share) // max(1, 2 * len(blocks)))
        limits = self.reading.sheet.task.limits
        shown_chars = limits.shown_chars if self.reading.sheet.knows_limit("shown_chars") else SHOWN_CHARS_UNKNOWN
        found = []
        for block in blocks:
            said = drawn(
                block,
                shown_chars=shown_chars,
                free=self.reading.sheet.free,
                now=None,
                whole=self.run.whole,
                replayed=self.reading.replayed,
                mended=self.reading.mended,
            )
            hidden = self._hidden_in(block)
            found.append({**said, "parts": [self._part(part, most, hidden) for part in said.get("parts", ())]})
        return found

    def _hidden_in(self, block: Block) -> tuple[str, ...]:
        """The parts of a block that are not told: of a child frame also what it was asked, and what it said."""
        hides = self.redaction
        asked = isinstance(block, FrameBlock) and bool(hides)
        said = isinstance(block, TurnBlock) and block.depth > 0 and hides.documents
        return (*(OF_DOCUMENTS if hides.documents else ()), *(("words",) if asked or said else ()))

    def _part(self, part: Json, most: int, hidden: Collection[str]) -> Json:
        hides = self.redaction.documents
        if part["type"] == "code":
            chars, lines = 0, []
            for line in part["lines"]:
                chars += sum(len(text) for _, text in line) + 1
                if chars > max(LEAST_CHARS, most):
                    break
                lines.append(line)
            return {**part, "lines": lines, "cut": len(part["lines"]) - len(lines)}
        if part["type"] == "variables":
            return {**part, "rows": [[*row[:4], _hidden(row[4], hides)] for row in part["rows"]]}
        if part["type"] == "findings":
            rows = [{**row, "quote": _hidden(row["quote"], hides)} for row in part["rows"]]
            return {**part, "rows": rows}
        if part["type"] in hidden and (chars := _chars(part["pieces"])):
            return {"type": part["type"], "pieces": [redacted(chars)]}
        return {"type": part["type"], "pieces": shortened(part["pieces"], most)}

    # ------------------------------------------------------------------ calls

    def _members(self, blocks: Sequence[Block]) -> Iterator[tuple[str, list[list[str]]]]:
        """By block, the calls that it stands for: span, name, state, facts, prompt, what of it that is, reply, what of it."""
        rows = [
            block for block in blocks if isinstance(block, RowBlock) and block.drawn.kind in ("call", "frame", "more")
        ]
        many = sum(len(block.drawn.members) for block in rows)
        most = min(MOST_MEMBER_CHARS, max(LEAST_CHARS, int(MEMBERS_CHARS * self.share) // max(1, 2 * many)))
        for block in rows:
            members = members_of(self.run.view, block.drawn.members, self.reading.items)
            yield block.id, [self._member(member, most) for member in members]

    def _member(self, member: Member, most: int) -> list[str]:
        whole, hides = self.run.whole, self.redaction
        reply = member.reply if member.reply.chars else member.error
        asked = _hidden_cut(whole, member.asked, most, hides.documents or hides.prompts)
        said = _hidden_cut(whole, reply, most, hides.documents)
        cost = "" if self.reading.sheet.free else marks.spent(member.totals)
        cost = f"cost {cost}" if cost == wording.UNKNOWN else cost
        facts = " · ".join(each for each in (cost, wording.seconds(member.elapsed_s)) if each)
        state = "not finished" if member.status == "running" else member.status
        return [member.span, plain_line(member.name, 80), state, facts, *asked, *said]

    # ------------------------------------------------------------------ evidence

    def _evidence(self) -> Json:
        found = self.reading.findings
        return {
            "total": len(found),
            "counts": [words for words, _ in counts_in_words(found)] if found else [],
            "rows": [self._finding(each) for each in found[:SHOWN_FINDINGS]],
        }

    def _finding(self, finding: FindingFacts) -> Json:
        checked = finding.verdict
        where = wording.place(checked.document, checked.line) if checked and checked.document else finding.source
        quote = cut(finding.quote, QUOTE_CHARS)
        return {
            "span": finding.span,
            "item": plain_line(finding.item, 80),
            "label": plain_line(finding.label, 40),
            "quote": {"text": redacted(len(finding.quote)), "note": ""}
            if self.redaction.documents and finding.quote
            else quote,
            "place": plain_line(where, 200),
            "verdict": in_short(finding),
            "tone": told(verdict_of(finding)).tone,
            "means": told(verdict_of(finding)).means,
            "earlier": ", ".join(plain_line(each, 40) for each in finding.earlier),
            "cell": finding.cell.span if finding.cell else "",
            "node": finding.call or (finding.cell.span if finding.cell else ""),
        }

    # ------------------------------------------------------------------ costs

    def _by_model(self) -> Iterator[list[str]]:
        """Model, what it was, calls, tokens in, tokens out, cost."""
        by: dict[tuple[str, str], list[Totals]] = defaultdict(list)
        for node in self.run.view.nodes.values():
            if isinstance(node.started, ev.CallStarted):
                by[plain_line(node.started.model, 80), node.started.role].append(own_totals(node))
        for (model, role), totals in sorted(by.items(), key=lambda each: -sum(part.cost_usd for part in each[1])):
            yield [model, role, *_spent(sum_of(totals), self.reading.sheet.free)]

    def _by_node(self) -> Iterator[Json]:
        """Of each mark of the tree: its name, and what it took with all that is in it."""
        depth = {mark.id: 0 for mark in self.look.tree.marks[:1]}
        for mark in self.look.tree.marks:
            depth[mark.id] = depth.get(mark.parent or "", -1) + 1
            if mark.kind in ("answer", "more"):
                continue
            yield {
                "id": mark.id,
                "depth": min(depth[mark.id], 8),
                "kind": marks.kind_of(mark, self.look.tree, self.reading.mended),
                "name": plain_line(self.look.names[mark.id].title, 80),
                "cells": [*_spent(mark.subtree, self.reading.sheet.free), wording.seconds(mark.elapsed_s)],
            }

    # ------------------------------------------------------------------ what is not known

    def _unknown(self) -> Iterator[str]:
        sheet, totals = self.reading.sheet, self.reading.sheet.totals
        if sheet.active:
            yield "The run was not finished when this file was made."
        if totals.calls_without_cost:
            yield f"The cost of {wording.exact(totals.calls_without_cost, 'call')} is unknown."
        if totals.calls_without_usage:
            yield f"The tokens of {wording.exact(totals.calls_without_usage, 'call')} are unknown."
        unchecked = sum(each.verdict is None for each in sheet.findings)
        if unchecked:
            yield f"{wording.exact(unchecked, 'finding')} whose quote nobody has looked for."
        row = self.run.shown.row
        if row is None or row.chars is None:
            yield "How much of the archive was shown to a model is unknown."
        elif not row.complete:
            yield "Not all of the run was looked at for what it was shown of the archive."
        if sheet.by_other_tool:
            yield "The run was recorded by another tool: what its log does not say is unknown here."


def _spent(totals: Totals, free: bool) -> list[str]:
    """Calls, tokens in, tokens out, cost: unknown is said as unknown."""
    if not totals.calls:
        return [wording.DOES_NOT_APPLY] * 4
    unknown = totals.calls_without_usage == totals.calls
    more = " + ?" if totals.calls_without_usage else ""
    tokens = [wording.UNKNOWN] * 2
    if not unknown:
        tokens = [f"{wording.count(each)}{more}" for each in (totals.input_tokens, totals.output_tokens)]
    cost = "nothing" if free and not totals.cost_usd else marks.spent(totals)
    return [f"{totals.calls:,}", *tokens, cost]


def _hidden(text: str, hides: bool) -> str:
    return redacted(len(text)) if hides and text else text


def _hidden_cut(whole: Whole, text: Passage, most: int, hides: bool) -> tuple[str, str]:
    """A text, and what of it that is."""
    if hides and text.chars:
        return redacted(text.chars), ""
    known = text.head if len(text.head) >= most else whole(text)
    return plain(known[:most]), f"first {most:,} of {text.chars:,} characters" if text.chars > most else ""


def _chars(pieces: Sequence[Any]) -> int:
    """Of all that stands in these pieces."""
    return sum(len(each) if isinstance(each, str) else _chars(each["inside"]) for each in pieces)
