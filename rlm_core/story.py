"""A run as a story of a few steps, to be presented: one sentence each, a few lines, and what in the run they rest on.

Steps are drafted from the record; a person may word and order them otherwise (`story_edits.py`). Pure: titles are one line each
with controls made visible, bodies are plain text. It knows no screen and no store; a step of which nothing is recorded is left
out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rlm_core import events as ev
from rlm_core.compare import ComparedRun, Comparison, Item, label_rank
from rlm_core.evidence.citations import Whole
from rlm_core.folding import ANSWER
from rlm_core.headlines import headline
from rlm_core.listed import natural
from rlm_core.looks.look import Reading
from rlm_core.looks.node_shapes import FindingFacts
from rlm_core.looks.run_words import (
    NOT_LOOKED_AT,
    Figure,
    ShownShare,
    asked_with,
    figures,
    question_in_words,
    settled,
)
from rlm_core.looks.sheet import Sheet
from rlm_core.looks.verdicts import doubts, doubts_counted, told, verdict_of
from rlm_core.outline import is_reply
from rlm_core.passages import passage, spoken
from rlm_core.plain import plain, plain_line
from rlm_core.story_edits import StepEdit
from rlm_core.task import PROVEN
from rlm_core.view import Node, RunView
from rlm_core.wording import EXACT_MEANS, UNKNOWN, exact, m_of_n, place

SENTENCE_CHARS, BODY_CHARS = 140, 600
QUOTE_CHARS, ITEM_CHARS, LABEL_CHARS = 200, 40, 24
COMPARED = "compared"
"""The step that sets the run beside another one."""
SHOWN_QUOTES, SHOWN_CHIPS = 3, 40
_SENTENCE_END = re.compile(r"(?<=[.!?:])\s|\n")


@dataclass(frozen=True, slots=True)
class Link:
    """A node of the run that a step speaks of; `run` of another run, whose node it is then."""

    words: str
    span: str
    run: str = ""


@dataclass(frozen=True, slots=True)
class Quote:
    """The words that decide an item, and what became of looking for them."""

    item: str
    label: str
    words: str
    place: str
    verdict: str


@dataclass(frozen=True, slots=True)
class Chip:
    """An item that one or both of two runs count; `unseen`: its deciding passage was not shown to the first."""

    name: str
    in_a: bool
    in_b: bool
    unseen: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    id: str
    name: str
    """What the step is called where another one leads to it."""
    title: str
    body: str = ""
    links: tuple[Link, ...] = ()
    figures: tuple[Figure, ...] = ()
    quotes: tuple[Quote, ...] = ()
    sides: tuple[str, ...] = ()
    """What each of two compared runs is, in a few words."""
    letters: str = ""
    """What the two are called."""
    chips: tuple[Chip, ...] = ()


def draft(
    view: RunView,
    reading: Reading,
    whole: Whole,
    shown: ShownShare = NOT_LOOKED_AT,
    comparison: Comparison | None = None,
) -> tuple[Step, ...]:
    """The story of a run, as its record tells it. `comparison`: of another run with this one, in this order."""
    story = _Draft(view, reading, whole, shown)
    steps = [story.question(), story.plan(), story.calls(), story.evidence(), story.answer(), story.cost()]
    steps += [_compared(comparison)] if comparison and len(comparison.runs) > 1 else []
    return tuple(step for step in [*steps, story.unread()] if step)


def edited(drafted: Sequence[Step], edits: Sequence[StepEdit], *, every: bool = False) -> list[Step]:
    """The steps in a person's words and order. A step that nobody has edited stays behind the one it is drafted behind. With
    `every`, those that are left out are given too."""
    order = [edit.step for edit in edits if any(step.id == edit.step for step in drafted)]
    for number, step in enumerate(drafted):
        if step.id not in order:
            order.insert(order.index(drafted[number - 1].id) + 1 if number else 0, step.id)
    by_id, said = {step.id: step for step in drafted}, {edit.step: edit for edit in edits}
    return [_said(by_id[id], said.get(id)) for id in order if every or id not in said or not said[id].left_out]


def _said(step: Step, edit: StepEdit | None) -> Step:
    if edit is None:
        return step
    title = step.title if edit.title is None else plain_line(edit.title)
    return replace(step, title=title, body=step.body if edit.body is None else plain(edit.body))


class _Draft:
    """What each step says, or that there is nothing to be said."""

    def __init__(self, view: RunView, reading: Reading, whole: Whole, shown: ShownShare) -> None:
        self.view, self.reading, self.whole, self.shown = view, reading, whole, shown
        self.sheet: Sheet = reading.sheet

    def question(self) -> Step:
        sheet = self.sheet
        title = plain_line(question_in_words(self.whole(sheet.question)), 300)
        archive = "an archive whose size was not recorded"
        if sheet.documents is not None and sheet.chars is not None:
            archive = f"{exact(sheet.documents, 'document')}, {exact(sheet.chars, 'character')}"
        return Step("question", "The question", title, f"Asked of {archive}.\n{asked_with(sheet.task)}")

    def plan(self) -> Step | None:
        """The first words of the root model."""
        for turn in self._root_turns():
            children = [self.view.nodes[each] for each in turn.children]
            reply = next((each.finished for each in children if is_reply(each)), None)
            if not isinstance(reply, ev.CallFinished):
                continue
            codes = [
                self.whole(passage(each.started.code)) for each in children if isinstance(each.started, ev.CellStarted)
            ]
            words = spoken(self.whole(passage(reply.text)), codes)
            if words and isinstance(turn.started, ev.TurnStarted):
                first, rest = _first_sentence(words)
                return Step("plan", "The plan", first, rest, (Link(f"Turn {turn.started.number}", turn.id),))
        return None

    def _root_turns(self) -> Iterator[Node]:
        for node in self.view.nodes.values():
            if node.kind == "turn" and self.view.nodes[self.view.frame_of(node.id)].parent == ev.RUN_SPAN:
                yield node

    def calls(self) -> Step | None:
        """The cell that asked most, and what."""
        outline = self.reading.folding.outline
        helpers = {
            span: [each for each in outline.children.get(span, ()) if outline.nodes[each].kind in ("call", "frame")]
            for span, node in outline.nodes.items()
            if node.kind == "cell"
        }
        cell = max(helpers, key=lambda span: len(helpers[span]), default=None)
        if cell is None or len(helpers[cell]) < 2:
            return None
        nodes = [outline.nodes[each] for each in helpers[cell]]
        frames = any(node.kind == "frame" for node in nodes)
        title = f"One cell asks {len(nodes):,} {'helpers, with cells of their own' if frames else 'helpers'}"
        failed = sum(node.failed for node in nodes)
        ended = f"{failed:,} of them failed." if failed else "None of them failed."
        number = self.reading.namer.of_node(outline.nodes[cell]).title
        link = Link(number[0].upper() + number[1:], cell)
        return Step("calls", "The helpers", title, f"{self._what_was_asked(cell)}{ended}", (link,))

    def _what_was_asked(self, cell: str) -> str:
        """What most of what a cell asked has in common, on a line of its own."""
        tree = self.reading.folding.tree()
        groups = [mark for mark in tree.children.get(cell, ()) if mark.is_group]
        if not groups:
            return ""
        widest = max(groups, key=lambda mark: len(mark.members))
        return f"{plain_line(self.reading.namer.names(tree)[widest.id].title)}\n"

    def evidence(self) -> Step | None:
        found = self.reading.findings
        if not found:
            return None
        looked = [each for each in found if each.verdict]
        proven = sum(verdict_of(each) in PROVEN for each in found)
        title = f"{exact(len(found), 'finding')} recorded"
        if looked:
            all_of = exact(proven, "quote") if proven == len(found) else f"{m_of_n(proven, len(found))} quotes"
            title = f"{all_of} found in the archive"
        labels = Counter(plain_line(each.label, LABEL_CHARS) for each in found)
        body = " · ".join(
            f"{many:,} {label}" for label, many in sorted(labels.items(), key=lambda each: label_rank(each[0]))
        )
        doubted = doubts_counted(found)
        body += f"\n{doubted}" if doubted else f"\n{EXACT_MEANS[0].upper()}{EXACT_MEANS[1:]}." if looked else ""
        chosen = self._deciding()
        links = tuple(Link(plain_line(each.item, ITEM_CHARS), each.span) for each in chosen)
        return Step("evidence", "The evidence", title, body, links, quotes=tuple(map(_quote, chosen)))

    def _deciding(self) -> list[FindingFacts]:
        """The findings to be quoted: those that the answer rests on, in its order, before all others."""
        cited = {each.finding: each.number for each in self.reading.citations}
        quoted = [each for each in self.reading.findings if each.quote]
        quoted.sort(key=lambda each: (cited.get(each.span, len(cited) + 1), label_rank(each.label), len(doubts(each))))
        return quoted[:SHOWN_QUOTES]

    def answer(self) -> Step | None:
        text = self.whole(self.sheet.answer).strip()
        if not text:
            return None
        first, _, rest = text.partition("\n")
        head, colon, body = first.partition(": ")
        if not colon or len(head) > 60:
            head, body = _first_sentence(first)
        more = f"\n… and {exact(rest.strip().count(chr(10)) + 1, 'more line')}" if rest.strip() else ""
        reason = "" if self.sheet.state == "answered" else f"\n{self.sheet.state}: {plain_line(self.sheet.reason, 200)}"
        return Step(
            "answer",
            "The answer",
            plain_line(head, SENTENCE_CHARS),
            _cut(body) + more + reason,
            (Link("The answer", ANSWER),),
        )

    def cost(self) -> Step:
        row = tuple(settled(figures(self.sheet, self.view.last_at or 0.0, self.shown)))
        cost, time = row[0], row[1]
        charged = (
            "Nothing was charged"
            if cost.note == "nothing is charged"
            else "Cost unknown"
            if cost.value == UNKNOWN
            else cost.value
        )
        return Step("cost", "What it cost", f"{charged}, {time.value}", figures=row)

    def unread(self) -> Step | None:
        row = self.shown.row
        if row is None or not row.chars or row.shown_chars >= row.chars:
            return None
        left = exact(row.chars - row.shown_chars, "character")
        searched = (
            "\nThe code could search all of it, and show a model what it found." if self.sheet.totals.cells else ""
        )
        known = "" if row.complete else "\nNot all of the run has been looked at: it may be less."
        return Step(
            "unread",
            "Shown to no model",
            f"{left} were never shown to a model",
            f"Of {exact(row.chars, 'character')}.{searched}{known}",
        )


def _quote(finding: FindingFacts) -> Quote:
    found = finding.verdict
    where = place(found.document, found.line) if found and found.document else finding.source
    said = told(verdict_of(finding))
    return Quote(
        plain_line(finding.item, ITEM_CHARS),
        plain_line(finding.label, LABEL_CHARS),
        plain_line(finding.quote, QUOTE_CHARS),
        plain_line(where, 120),
        f"{said.mark} {said.words}",
    )


def _compared(comparison: Comparison) -> Step:
    said = headline(comparison)
    first, second = comparison.runs[:2]
    chips = _chips(comparison)
    body = "\n".join(plain_line(each) for each in said.lead)
    more = f"\n{m_of_n(SHOWN_CHIPS, len(chips))} items are drawn." if len(chips) > SHOWN_CHIPS else ""
    links = tuple(
        Link(f"The answer of {letter}", ANSWER, run.id)
        for letter, run in zip(comparison.letters, (first, second), strict=False)
    )
    sides = (_side(comparison, 0), _side(comparison, 1))
    return Step(
        COMPARED,
        "Beside another run",
        plain_line(said.text),
        body + more,
        links,
        sides=sides,
        letters=comparison.letters[:2],
        chips=chips[:SHOWN_CHIPS],
    )


def _side(comparison: Comparison, number: int) -> str:
    run: ComparedRun = comparison.runs[number]
    figure = "" if run.told is None else f": {run.told:,}"
    return f"{asked_with(run.task)}, {exact(run.totals.calls, 'call')}{figure}"


def _chips(comparison: Comparison) -> tuple[Chip, ...]:
    """What only the first counts, then both, then only the second."""
    counted = [comparison.told(number) for number in (0, 1)]

    def chip(item: Item) -> Chip:
        unseen = item.name not in counted[0] and item.said[0].missed is not None
        return Chip(plain_line(item.name, ITEM_CHARS), item.name in counted[0], item.name in counted[1], unseen)

    items = [item for item in comparison.items if item.name in counted[0] | counted[1]]
    items.sort(key=lambda item: (item.name in counted[1], item.name not in counted[0], natural(item.name)))
    return tuple(map(chip, items))


def _first_sentence(text: str) -> tuple[str, str]:
    """The first sentence as a title, and what follows it, cut."""
    text = text.strip()
    end = _SENTENCE_END.search(text)
    first, rest = (text[: end.start()], text[end.end() :]) if end else (text, "")
    title = plain_line(first, SENTENCE_CHARS)
    return title.removesuffix(":"), _cut(rest) if len(" ".join(first.split())) <= SENTENCE_CHARS else _cut(text)


def _cut(text: str) -> str:
    text = text.strip()
    missing = len(text) - BODY_CHARS
    return plain(text) if missing <= 0 else f"{plain(text[:BODY_CHARS].rstrip())} … ({missing:,} more characters)"
