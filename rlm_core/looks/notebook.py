"""A run as a notebook: what is read one below the other, in the order in which it happened.

A `RunView` and its folded tree go in, frozen blocks come out: turns with the words of the model, cells with code and output,
groups of calls in one row, findings, notes, and the answer. Knows what belongs together and which mark of the tree each block
stands for; refuses to know how it looks, and loads no long text.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rlm_core import events as ev
from rlm_core.compare import label_rank
from rlm_core.folding import ANSWER, Folding, Mark, Tree
from rlm_core.likeness import STOPPED, WENT_WELL
from rlm_core.looks.node_shapes import FindingFacts
from rlm_core.looks.remarks import PROTECTION, remark_in_words
from rlm_core.looks.sheet import texts_of
from rlm_core.naming import Name, Namer, cell_numbers
from rlm_core.outline import is_reply
from rlm_core.passages import NOTHING, Passage, passage
from rlm_core.task import Json
from rlm_core.view import Node, RunView, Totals, own_totals

BLOCK_FINDINGS = 40
"""Of those that a cell recorded, so many are read here; the inspector has all."""
PAGE_BLOCKS = 300
PAGE_CHARS = 600_000
BLOCK_CHARS = 20_000
"""A page of the notebook ends after so many blocks, or so many characters of which no block counts for more than this."""


@dataclass(frozen=True, slots=True)
class Block:
    """What all blocks have. `elapsed_s` is `None` while it runs; `depth` is that of the frame it is in."""

    id: str
    mark: str
    """The mark of the tree that it stands for; several blocks may stand for one."""
    depth: int
    status: str
    started_at: float
    elapsed_s: float | None

    @property
    def failed(self) -> bool:
        return self.status not in WENT_WELL and self.status not in STOPPED

    @property
    def texts(self) -> tuple[Passage, ...]:
        """What makes it long."""
        return ()


@dataclass(frozen=True, slots=True)
class FrameBlock(Block):
    """A child frame begins. The root frame is no block: it is the run."""

    strategy: str
    question: Passage

    @property
    def texts(self) -> tuple[Passage, ...]:
        return (self.question,)


@dataclass(frozen=True, slots=True)
class TurnBlock(Block):
    """One reply of a frame's model; `cells` are the codes that it holds, which follow as blocks of their own. A call that is
    no part of a turn, as the last word of a model that is out of turns, has no number."""

    number: int | None
    reply: Passage
    error: Passage
    cells: tuple[Passage, ...]
    refused: Passage
    totals: Totals

    @property
    def texts(self) -> tuple[Passage, ...]:
        return self.reply, self.error, self.refused


@dataclass(frozen=True, slots=True)
class CellBlock(Block):
    number: int
    code: Passage
    output: Passage
    output_chars: int
    """True length of the output, of which no more may be kept than its head and tail."""
    error: Passage
    variables: tuple[Json, ...] = ()
    """Those that are new or changed after it, as the event has them."""

    @property
    def texts(self) -> tuple[Passage, ...]:
        return self.code, self.output, self.error


@dataclass(frozen=True, slots=True)
class RowBlock(Block):
    """One line for a group of calls, a single call or search, or what is not drawn of a group of child frames."""

    drawn: Mark
    name: Name


@dataclass(frozen=True, slots=True)
class FindingsBlock(Block):
    """Findings that a cell recorded, counted by label, the most telling first; the first of them in that order."""

    labels: tuple[tuple[str, int], ...]
    findings: tuple[FindingFacts, ...] = ()


@dataclass(frozen=True, slots=True)
class RemarkBlock(Block):
    """A note or a limit. `topic` is `limit`, `approval`, `history compacted`, or the note's own."""

    topic: str
    text: Passage

    @property
    def texts(self) -> tuple[Passage, ...]:
        return (self.text,)


@dataclass(frozen=True, slots=True)
class AnswerBlock(Block):
    text: Passage

    @property
    def texts(self) -> tuple[Passage, ...]:
        return (self.text,)


def blocks_of(
    view: RunView, tree: Tree, names: Mapping[str, Name], namer: Namer, folding: Folding
) -> tuple[Block, ...]:
    """Every block of the run, in the order of reading. Turns that the tree keeps closed are read all the same."""
    if not tree.marks:
        return ()
    if any(mark.kind == "turn" and mark.hidden for mark in tree.marks):
        tree = folding.nothing_closed
        names = namer.names(tree)
    return tuple(_Notebook(view, tree, names).run())


def pages_of(blocks: Sequence[Block]) -> list[range]:
    """Which blocks are read together. What is added at the end moves no page before the last."""
    pages, start, chars = [], 0, 0
    for number, block in enumerate(blocks):
        size = min(BLOCK_CHARS, sum(each.chars for each in block.texts))
        if number > start and (number - start >= PAGE_BLOCKS or chars + size > PAGE_CHARS):
            pages.append(range(start, number))
            start, chars = number, 0
        chars += size
    return [*pages, range(start, len(blocks))]


class _Notebook:
    """Walks the marks of a tree, and reads each from the view."""

    def __init__(self, view: RunView, tree: Tree, names: Mapping[str, Name]) -> None:
        self.view, self.tree, self.names = view, tree, names
        self.cells = cell_numbers(view)
        self.befell = _befell(view)

    def run(self) -> Iterator[Block]:
        root = self.tree.marks[0]
        frames = [node for node in self.view.nodes.values() if node.kind == "frame" and node.parent == ev.RUN_SPAN]
        for frame in frames:
            yield from self._what_befell(frame.id, root, 0)
        yield from self._inside(root, 0)
        yield from _remarks(self.view.nodes[ev.RUN_SPAN], root, 0)
        mark = self.tree.by_id.get(ANSWER)  # a run may have answered since its tree was drawn; the next tree has it
        if mark is not None and self.view.answer is not None:
            yield AnswerBlock(*_head(mark, 0), passage(self.view.answer.text))

    def _inside(self, mark: Mark, depth: int) -> Iterator[Block]:
        for child in self.tree.children.get(mark.id, ()):
            yield from self._block(child, depth)

    def _block(self, mark: Mark, depth: int) -> Iterator[Block]:
        """A mark and what is read below it."""
        if mark.is_group or mark.kind == "more":
            yield RowBlock(*_head(mark, depth), mark, self.names[mark.id])
            yield from self._frames_of(mark, depth)
            for member in mark.members:
                yield from self._what_befell(member, mark, depth)
            return
        node = self.view.nodes.get(mark.id)
        match mark.kind:
            case "frame":
                yield from self._frame(mark, self.view.nodes[mark.id])
            case "turn":
                yield from self._turn(mark, self.view.nodes[mark.id], depth)
            case "cell":
                yield from self._cell(mark, self.view.nodes[mark.id], depth)
            case "call" if node is not None and is_reply(node):
                yield TurnBlock(*_head(mark, depth), None, *_said(node), (), NOTHING, own_totals(node))
                yield from self._what_befell(node.id, mark, depth)
            case "call" | "search":
                yield RowBlock(*_head(mark, depth), mark, self.names[mark.id])

    def _frames_of(self, group: Mark, depth: int) -> Iterator[Block]:
        """The child frames of a group that the tree draws, and how many more there are. Its calls are for the inspector."""
        if any(self.view.nodes[member].kind == "frame" for member in group.members):
            for child in self.tree.children.get(group.id, ()):
                if child.kind in ("frame", "more"):
                    yield from self._block(child, depth)

    def _frame(self, mark: Mark, node: Node) -> Iterator[Block]:
        started = node.started
        assert isinstance(started, ev.FrameStarted)
        yield FrameBlock(*_head(mark, started.depth), started.strategy, passage(started.question))
        yield from self._what_befell(node.id, mark, started.depth)
        yield from self._inside(mark, started.depth)

    def _turn(self, mark: Mark, node: Node, depth: int) -> Iterator[Block]:
        assert isinstance(node.started, ev.TurnStarted)
        children = [self.view.nodes[child] for child in node.children]
        reply = next((each for each in children if is_reply(each)), None)
        cells = tuple(passage(each.started.code) for each in children if isinstance(each.started, ev.CellStarted))
        refused = node.finished.refused if isinstance(node.finished, ev.TurnFinished) else None
        head = _head(mark, depth)
        if reply is not None and reply.failed:
            head = (*head[:3], reply.status, *head[4:])
        said = _said(reply) if reply else (NOTHING, NOTHING)
        yield TurnBlock(*head, node.started.number, *said, cells, passage(refused), mark.own)
        if reply is not None:
            yield from _remarks(reply, mark, depth)
            yield from self._what_befell(reply.id, mark, depth)
        yield from self._inside(mark, depth)
        yield from self._what_befell(node.id, mark, depth)
        yield from _remarks(node, mark, depth)

    def _cell(self, mark: Mark, node: Node, depth: int) -> Iterator[Block]:
        assert isinstance(node.started, ev.CellStarted)
        done = node.finished if isinstance(node.finished, ev.CellFinished) else None
        yield CellBlock(
            *_head(mark, depth),
            self.cells[node.id],
            passage(node.started.code),
            passage(done.output) if done else NOTHING,
            done.output_chars if done else 0,
            passage(done.error) if done else NOTHING,
            done.variables if done else (),
        )
        yield from self._inside(mark, depth)
        yield from self._what_befell(node.id, mark, depth)
        yield from self._findings(mark, node, depth)
        yield from _remarks(node, mark, depth)

    def _what_befell(self, span: str, mark: Mark, depth: int) -> Iterator[RemarkBlock]:
        for frame, number in self.befell.get(span, ()):
            yield from _remark(frame, number, mark, depth)

    def _findings(self, mark: Mark, node: Node, depth: int) -> Iterator[Block]:
        recorded = [
            (each, each.started.finding)
            for child in node.children
            if isinstance((each := self.view.nodes[child]).started, ev.FindingRecorded)
        ]
        labels = Counter(passage(finding.label).head for _, finding in recorded)
        if labels:
            telling = sorted(labels.most_common(), key=lambda each: label_rank(each[0]))
            recorded.sort(key=lambda each: label_rank(passage(each[1].label).head))
            first = [
                FindingFacts(*texts_of(finding), self.view.verdicts.get(each.id), span=each.id)
                for each, finding in recorded[:BLOCK_FINDINGS]
            ]
            head = (f"{node.id}/findings", mark.id, depth, "ok", node.started_at, 0.0)
            yield FindingsBlock(*head, tuple(telling), tuple(first))


def _head(mark: Mark, depth: int) -> tuple[str, str, int, str, float, float | None]:
    return mark.id, mark.id, depth, mark.status, mark.started_at, mark.elapsed_s


def _said(call: Node) -> tuple[Passage, Passage]:
    """The reply of a call, and why there is none."""
    done = call.finished
    return (passage(done.text), passage(done.error)) if isinstance(done, ev.CallFinished) else (NOTHING, NOTHING)


def _befell(view: RunView) -> Mapping[str, Sequence[tuple[Node, int]]]:
    """What was remarked of frames, by the span where it is read: before all that a frame did, or after what it was doing then.
    How cells are held is said where a frame begins, and not again of frames whose cells are held alike."""
    found: dict[str, list[tuple[Node, int]]] = defaultdict(list)
    steps: dict[str | None, list[Node]] = defaultdict(list)
    for node in view.nodes.values():
        if node.kind in ("turn", "cell") or is_reply(node):
            steps[node.parent].append(node)
    held = set[Passage]()
    for frame in view.nodes.values():
        if frame.kind != "frame":
            continue
        for number, (body, seq) in enumerate(zip(frame.remarks, frame.remark_seqs, strict=True)):
            if not (isinstance(body, ev.Noted) and body.topic == PROTECTION):
                found[_doing(steps, frame, seq)].append((frame, number))
            elif (text := passage(body.text)) not in held:
                held.add(text)
                found[frame.id].append((frame, number))
    return found


def _doing(steps: Mapping[str | None, Sequence[Node]], frame: Node, seq: int) -> str:
    """What a frame was doing at an event, or had just done: a cell, a reply or a turn; itself, before its first. `steps` are
    these, by what they lie in."""
    node = frame
    while node.kind in ("frame", "turn") and node.id in steps:
        begun = bisect_left(steps[node.id], seq, key=lambda each: each.started_seq)
        if not begun:
            break
        node = steps[node.id][begun - 1]
        if node.finished_seq is not None and node.finished_seq < seq:
            break
    return node.id


def _remarks(node: Node, mark: Mark, depth: int) -> Iterator[RemarkBlock]:
    """What was noted of a node."""
    for number in range(len(node.remarks)):
        yield from _remark(node, number, mark, depth)


def _remark(node: Node, number: int, mark: Mark, depth: int) -> Iterator[RemarkBlock]:
    said = remark_in_words(node.remarks[number])
    if said:
        yield RemarkBlock(f"{node.id}/remark{number}", mark.id, depth, "ok", node.started_at, 0.0, *said)
