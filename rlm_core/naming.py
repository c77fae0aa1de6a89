"""What each mark of a tree is called: a short title, and one line that says what it did.

Pure, and of one line each: a title is what fits a small box. Texts of models and documents are in it as they are; who shows
them must show them as text.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from rlm_core import events as ev
from rlm_core.folding import ANSWER, EARLIER, Mark, Tree
from rlm_core.likeness import template_of
from rlm_core.outline import is_reply
from rlm_core.passages import NOTHING, passage, spoken
from rlm_core.plain import plain_line
from rlm_core.view import Node, RunView
from rlm_core.wording import exact, seconds

TITLE_CHARS = 48
SAYS_CHARS = 80
WORTH_LEAVING_OUT = 12
"""Characters that prompts must begin with in common to give their group a name."""
PLACE_CHARS = 24
PLURALS = {"call": "calls", "frame": "child frames", "search": "searches"}
APART_WORDS = 5
COMPARED_PROMPTS, READ_SIBLINGS = 50, 500
_ANSWERS = re.compile(r"""\banswer\s*\[\s*["']|\b(?:FINAL|FINAL_VAR|SUBMIT)\s*\(""")


@dataclass(frozen=True, slots=True)
class Name:
    """`title`: `turn 3`, `cell 3`, `×309 Classify this room…`, `A12`, `17 rooms`. `says`: what it did, in a few words."""

    title: str
    says: str = ""


def names_of(view: RunView, tree: Tree, items: Mapping[str, str]) -> dict[str, Name]:
    """A name for each mark. `items` has, for calls that decided an item, its name."""
    return Namer(view, items).names(tree)


def titles_of(view: RunView, spans: Iterable[str], items: Mapping[str, str]) -> dict[str, str]:
    """Titles of nodes, whether a tree draws them or not. The call that wrote a turn has no name of its own: ask for the turn."""
    namer = Namer(view, items)
    return {span: namer.of_node(view.nodes[span]).title for span in spans}


class Namer:
    """Names of a run in one state, for whatever trees are drawn of it: what they have in common is found out once. Unless it
    `tells`, no name holds anything of what helpers were asked and replied, or of an error."""

    def __init__(self, view: RunView, items: Mapping[str, str], *, tells: bool = True) -> None:
        self.view, self.items, self.tells = view, items, tells
        self.cells = cell_numbers(view)
        self.prompts: dict[tuple[str | None, str | None], list[str]] = {}
        self.known: dict[str, Name] = {}
        self.shared: dict[tuple[str, ...], str] = {}
        """What these were asked, as far as they share it."""
        self.findings = Counter(
            node.parent for node in view.nodes.values() if isinstance(node.started, ev.FindingRecorded)
        )

    def names(self, *trees: Tree) -> dict[str, Name]:
        """Of all marks; groups that would have the same name say in which turn they are."""
        marks = {mark.id: mark for tree in trees for mark in tree.marks}
        names = {id: self._name(mark) for id, mark in marks.items() if not _is_asked(mark)}
        groups = {id: (_fate(mark), self._what(mark)) for id, mark in marks.items() if _is_asked(mark)}
        often = Counter(groups.values())
        for id, (fate, what) in groups.items():
            place = _place(marks[id], marks, names) if often[fate, what] > 1 else ""
            said = ", ".join(filter(None, (fate, place)))
            names[id] = self._group(marks[id], f"{said}: {what}" if said else what)
        return names

    def _name(self, mark: Mark) -> Name:
        if mark.kind == "more":
            return Name(f"{len(mark.members):,} {'earlier' if mark.id.endswith(EARLIER) else 'more'}")
        if mark.is_group:
            return self._turns(mark)
        if mark.kind == "answer":
            return self._answer()
        span = mark.members[0]
        if span not in self.known:
            self.known[span] = self.of_node(self.view.nodes[span])
        return self.known[span]

    def title_of(self, span: str) -> str:
        """Of any node wherever it is named alone: with the child frame that it lies in. The call that wrote a turn is the turn, a
        finding its item."""
        node = self.view.nodes.get(span)
        if node is None:
            return "answer" if span == ANSWER else span
        if isinstance(node.started, ev.FindingRecorded):
            return _line(node.started.finding.item, TITLE_CHARS)
        if isinstance(node.started, ev.FrameStarted) and node.parent == ev.RUN_SPAN:
            return "root frame"
        above = self.view.nodes.get(node.parent or "")
        title = self.of_node(above if is_reply(node) and above and above.kind == "turn" else node).title
        while above and above.kind != "frame":
            above = self.view.nodes.get(above.parent or "")
        return f"{title} of {self.of_node(above).title}" if above and above.parent != ev.RUN_SPAN else title

    def of_node(self, node: Node) -> Name:
        named: dict[str, Callable[[Node], Name]] = {
            "run": self._run,
            "frame": self._frame,
            "turn": self._turn,
            "cell": self._cell,
            "call": self._call,
            "search": self._search,
        }
        return named[node.kind](node)

    def _run(self, node: Node) -> Name:
        return Name("run", self.view.task.strategy if self.view.task else "")

    def _frame(self, node: Node) -> Name:
        assert isinstance(node.started, ev.FrameStarted)
        apart = self._apart(node)
        title = f"child: {apart}" if apart else f"child frame, depth {node.started.depth}"
        done = (
            node.finished.answer.text if isinstance(node.finished, ev.FrameFinished) and node.finished.answer else None
        )
        return Name(title, (_line(done) or _line(node.started.question)) if self.tells else "")

    def _turn(self, node: Node) -> Name:
        assert isinstance(node.started, ev.TurnStarted)
        return Name(f"turn {node.started.number}", self._said(node))

    def _said(self, turn: Node) -> str:
        """The first line of what the model said around its code."""
        if not self.tells and self.view.nodes[self.view.frame_of(turn.id)].parent != ev.RUN_SPAN:
            return ""
        children = [self.view.nodes[each] for each in turn.children]
        codes = [passage(each.started.code).head for each in children if isinstance(each.started, ev.CellStarted)]
        for each in children:
            if isinstance(each.finished, ev.CallFinished):
                if each.finished.status != "ok":
                    return _line(each.finished.error)
                said = spoken(passage(each.finished.text).head, codes).partition("```")[0].strip()
                return _line(said.partition("\n")[0])
        return "is being asked" if turn.finished is None else ""

    def _cell(self, node: Node) -> Name:
        return Name(f"cell {self.cells[node.id]}", self._did(node))

    def _did(self, cell: Node) -> str:
        """What matters most about a cell: its error, what it recorded, what it printed."""
        done = cell.finished
        if not isinstance(done, ev.CellFinished):
            return "is running"
        if done.error and not self.tells:
            return "ended in an error"
        if done.error:
            return _line(passage(done.error).head.strip().rpartition("\n")[2])
        calls = sum(self.view.nodes[each].kind == "call" for each in cell.children)
        findings = self.findings.get(cell.id, 0)
        if calls or findings:
            made = [exact(calls, "call")] if calls else []
            return ", ".join([*made, exact(findings, "finding")] if findings else made)
        assert isinstance(cell.started, ev.CellStarted)
        code = passage(cell.started.code).head
        if _ANSWERS.search(code):
            return "answers"
        first = code.strip().partition("\n")[0]
        if first.startswith("#"):
            return _line(first.lstrip("# "))
        return f"prints {exact(done.output_chars, 'character')}" if done.output_chars else _line(first)

    def _call(self, node: Node) -> Name:
        assert isinstance(node.started, ev.CallStarted)
        if node.started.role == "root":
            title = "last word"
        elif node.id in self.items:
            title = _line(self.items[node.id], TITLE_CHARS)
        else:
            title = self._apart(node) or f"call {_number(node)}"
        if not isinstance(node.finished, ev.CallFinished):
            return Name(title, "is being asked")
        if not self.tells:
            return Name(title)
        return Name(title, _line(node.finished.text if node.finished.status == "ok" else node.finished.error))

    def _apart(self, node: Node) -> str:
        """What tells a prompt from those of its siblings that are made alike, or else from all: its first words after what they
        all begin with, as far as they vary. Nothing where prompts part further on than is known of them here."""
        siblings = next((each for each in self._siblings(node) if len(each) > 1), []) if self.tells else []
        if not siblings or os.path.commonprefix(siblings) in siblings:  # noqa: RUF071  # of characters, as meant
            return ""
        shared = _shared_words(siblings)
        rests = [each[shared:].split() for each in siblings]
        varying = [len(set(words)) > 1 for words in zip(*(each[:APART_WORDS] for each in rests), strict=False)]
        until = varying.index(False) if False in varying else APART_WORDS
        asked = _asked(node)[shared:].split()
        number = not any(map(str.isalpha, "".join(asked[:until])))
        words = asked if number and node.kind == "call" else asked[:until]  # of a call, a number alone says little
        return _line(" ".join(words[:APART_WORDS]).strip(" .,:;?!-–\"'"), TITLE_CHARS)

    def _siblings(self, node: Node) -> tuple[list[str], list[str]]:
        """What those of its siblings were asked whose prompts are made alike, and what all were; of very many the first ones."""
        parent = self.view.nodes.get(node.parent or "")
        alike, every = (node.parent, template_of(node)), (node.parent, None)
        if parent and every not in self.prompts:
            self.prompts[every] = []
            for each in map(self.view.nodes.__getitem__, parent.children[:READ_SIBLINGS]):
                if each.kind in ("call", "frame"):
                    for key in ((node.parent, template_of(each)), every):
                        self.prompts.setdefault(key, []).append(_asked(each))
        return (self.prompts.get(alike, [])[:COMPARED_PROMPTS], self.prompts.get(every, [])[:COMPARED_PROMPTS])

    def _search(self, node: Node) -> Name:
        assert isinstance(node.started, ev.Searched)
        return Name(_line(node.started.query, TITLE_CHARS) or "search", exact(len(node.started.hits), "hit"))

    def _answer(self) -> Name:
        answer = passage(self.view.answer.text if self.view.answer else None)
        first = answer.head.strip().partition("\n")[0]
        return Name(_line(first, TITLE_CHARS) or "empty answer", "")

    def _turns(self, mark: Mark) -> Name:
        """A row of closed turns."""
        first, last = (self.view.nodes[mark.members[place]].started for place in (0, -1))
        assert isinstance(first, ev.TurnStarted)
        assert isinstance(last, ev.TurnStarted)
        return Name(f"turns {first.number:,}–{last.number:,}", exact(mark.hidden, "node"))

    def _what(self, group: Mark) -> str:
        """What its members were asked, as far as they share it."""
        if not self.tells:
            return PLURALS[group.kind]
        compared = group.members[:COMPARED_PROMPTS]
        if compared not in self.shared:
            self.shared[compared] = _shared([_asked(self.view.nodes[each]) for each in compared])
        shared = self.shared[compared]
        return f"{shared[:TITLE_CHARS].rstrip(' …')}…" if shared else PLURALS[group.kind]

    def _group(self, mark: Mark, what: str) -> Name:
        members = len(mark.members)
        facts = [f"{members - mark.running:,} of {members:,} done"] if mark.running else []
        facts += [f"p50 {seconds(mark.p50_s)}, p95 {seconds(mark.p95_s)}"] if mark.p50_s is not None else []
        facts += [f"{mark.cited:,} cited"] if 0 < mark.cited < members else []
        return Name(plain_line(f"×{members:,} {what}"), " · ".join(facts))


def _is_asked(mark: Mark) -> bool:
    """Whether it is a group of what was asked: of calls, child frames or searches."""
    return mark.is_group and mark.kind in PLURALS


def _fate(group: Mark) -> str:
    """What became of its members, if that is the same."""
    if group.cited == len(group.members):
        return "cited"
    return "failed" if group.failed else "cancelled" if group.status == "cancelled" else ""


def _place(mark: Mark, marks: Mapping[str, Mark], names: Mapping[str, Name]) -> str:
    """`turn 5`; in a child frame `child: north, turn 2`."""
    above: dict[str, str] = {}
    inside = marks.get(mark.parent or "")
    while inside is not None:
        if not inside.is_group:
            above.setdefault(inside.kind, plain_line(names[inside.id].title, PLACE_CHARS))
        inside = marks.get(inside.parent or "")
    return ", ".join(above[kind] for kind in ("frame", "turn") if kind in above)


def cell_numbers(view: RunView) -> dict[str, int]:
    """The number of each cell, counted from 1 through its frame, as a person counts them."""
    numbers, counted = dict[str, int](), Counter[str | None]()
    for node in view.nodes.values():
        if node.kind == "cell":
            turn = view.nodes.get(node.parent or "")
            frame = turn.parent if turn else None
            counted[frame] += 1
            numbers[node.id] = counted[frame]
    return numbers


def _asked(node: Node) -> str:
    """What a call or a child frame was asked, as far as it is known here: up to the last whole word."""
    match node.started:
        case ev.CallStarted():
            asked = passage(node.started.messages[-1].text) if node.started.messages else NOTHING
        case ev.FrameStarted():
            asked = passage(node.started.question)
        case _:
            return ""
    whole, space, _ = asked.head.rpartition(" ")
    return whole if space and asked.chars > len(asked.head) else asked.head


def _shared(prompts: Sequence[str]) -> str:
    """What all prompts begin with; or else their words that stand in the same places, `…` for those that vary; nothing where
    that is too little to tell what was asked."""
    begun = " ".join(prompts[0][: _shared_words(prompts)].split())
    if len(begun) >= WORTH_LEAVING_OUT:
        return begun
    columns = [set(words) for words in zip(*(each.split() for each in prompts), strict=False)]
    words = [words.pop() if len(words) == 1 else "…" for words in columns]
    said = " ".join(word for word, _ in groupby(words)).strip(" …")
    return said if len(said) - said.count("…") >= WORTH_LEAVING_OUT else ""


def _shared_words(prompts: Sequence[str]) -> int:
    """How many characters all prompts begin with, back to the start of a word."""
    shared = os.path.commonprefix(list(prompts))  # noqa: RUF071  # of characters, as meant
    return len(shared) if len(set(prompts)) == 1 else max(shared.rfind(" "), shared.rfind("\n")) + 1


def _number(call: Node) -> str:
    """As a person counts: its place in its batch, else in its cell."""
    assert isinstance(call.started, ev.CallStarted)
    index = call.started.index
    return str(index + 1) if index is not None else call.id.rpartition(".")[2].lstrip("k")


def _line(text: object, chars: int = SAYS_CHARS) -> str:
    return plain_line((passage(text) if text else NOTHING).head.strip(), chars)
