"""A run as somebody looks at it: the sheet, the folded tree with its names, what the answer rests on, and what is selected.

Pure values, made of a `RunView` and a place; all parts of the run's page are drawn from one `Look`, so that they agree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

from rlm_core import events as ev
from rlm_core.evidence.citations import Citation, Whole, calls_of_findings, citations
from rlm_core.folding import Folding, Mark, Tree
from rlm_core.lineage import replayed_calls
from rlm_core.looks.node_facts import findings_of
from rlm_core.looks.node_shapes import FindingFacts
from rlm_core.looks.place import Place
from rlm_core.looks.sheet import Sheet, sheet_of
from rlm_core.mending import Mending, mended
from rlm_core.naming import Name, Namer
from rlm_core.narrowing import Facets, facets_of, matching
from rlm_core.notes import Note
from rlm_core.outline import Outline, is_reply
from rlm_core.search import Found, Hit
from rlm_core.unread import read_nothing
from rlm_core.view import RunView, refused_calls

KEPT_HITS = 40
"""Of the nodes that have the words looked for, so many are never folded away: those round the one that is shown."""


SENT_BACK, REPAIRED, READ_NOTHING = "answer sent back", "repaired", "read nothing"


@dataclass(frozen=True)
class Reading:
    """What a run has to say wherever one looks: made once for each state of the run."""

    sheet: Sheet
    citations: tuple[Citation, ...] = ()
    """The marks of the answer, in its order."""
    items: Mapping[str, str] = field(default_factory=dict)
    """Calls that decided an item, and its name."""
    deciding: Mapping[str, str] = field(default_factory=dict)
    """Findings whose quote stands in the reply of a call, and that call."""
    findings: tuple[FindingFacts, ...] = ()
    """Those that stand, in order."""
    replayed: Mapping[str, ev.Replayed] = field(default_factory=dict)
    """Calls that were not made in this run, by their span; the call that wrote a turn also by that of the turn. Child frames too
    that were taken over whole."""
    parted: frozenset[str] = frozenset()
    """Replayed cells that did something else than before."""
    mended: Mapping[str, Mending] = field(default_factory=dict)
    """Failures that were made good later; of the call that should have written a turn also by the span of the turn."""
    remarked: Mapping[str, str] = field(default_factory=dict)
    """In a word or two: turns that were not taken as the model wrote them, cells whose calls were refused, child frames that read
    nothing of their context."""
    facets: Facets = field(default_factory=dict)
    """What the tree can be narrowed to."""
    folding: Folding = field(default_factory=lambda: Folding(Outline(RunView())), repr=False, compare=False)
    namer: Namer = field(default_factory=lambda: Namer(RunView(), {}), repr=False, compare=False)

    @property
    def cited(self) -> dict[str, int]:
        """Calls that the answer rests on, and the first mark of each."""
        return cited_calls(self.citations)


@dataclass(frozen=True)
class Look:
    place: Place
    reading: Reading
    tree: Tree
    names: Mapping[str, Name]
    narrowed: Tree | None = None
    """The tree as the place narrows it."""
    found: Found | None = None
    """Where the words stand that the place looks for."""
    notes: Mapping[str, Note] = field(default_factory=dict)
    """What a person says of nodes, by their spans."""

    @property
    def sheet(self) -> Sheet:
        return self.reading.sheet

    @property
    def listed(self) -> Tree:
        """The tree as it is listed beside the views, which show all of it: narrowed where the place says so."""
        return self.narrowed or self.tree

    @cached_property
    def hits(self) -> Mapping[str, Hit]:
        """By node, in the order of the tree."""
        return {hit.span: hit for hit in self.found.hits} if self.found else {}

    @property
    def at_hit(self) -> int:
        """Which of the hits is selected, from 1; 0: none."""
        return _at_hit(self.place, self.found)

    @property
    def selected(self) -> Mark | None:
        """The mark that shows what is selected: itself, or what it is drawn in."""
        return self.tree.mark_of(self.place.node)


def cited_calls(marks: Sequence[Citation]) -> dict[str, int]:
    return {each.call: each.number for each in reversed(marks) if each.call}


def reading_of(view: RunView, whole: Whole) -> Reading:
    items, deciding = {}, calls_of_findings(view, whole)
    for finding, call in deciding.items():
        started = view.nodes[finding].started
        assert isinstance(started, ev.FindingRecorded)
        items[call] = str(started.finding.item)
    marks, outline = citations(view, deciding, whole), Outline(view)
    cited = cited_calls(marks)
    good = mended(view)
    good |= {outline.home[span]: each for span, each in good.items() if span in outline.home}
    return Reading(
        sheet_of(view, outline.subtree[ev.RUN_SPAN]),
        marks,
        items,
        deciding,
        tuple(findings_of(view, deciding)),
        _replayed(view),
        frozenset(
            node.id for node in view.nodes.values() if any(isinstance(each, ev.ReplayDiverged) for each in node.remarks)
        ),
        good,
        _remarked(view),
        facets_of(view, cited, outline, good),
        Folding(outline, cited),
        Namer(view, items),
    )


def _remarked(view: RunView) -> dict[str, str]:
    found = dict.fromkeys(read_nothing(view), READ_NOTHING)
    for node in view.nodes.values():
        if isinstance(node.finished, ev.TurnFinished) and node.finished.refused:
            found[node.id] = SENT_BACK
        elif any(isinstance(each, ev.Noted) and each.topic == "repaired" for each in node.remarks):
            found[node.id] = REPAIRED
        elif refused := refused_calls(node):
            found[node.id] = f"{refused:,} refused"
    return found


def _replayed(view: RunView) -> dict[str, ev.Replayed]:
    calls = replayed_calls(view)
    if not calls:
        return calls
    turns = {view.nodes[span].parent or "": each for span, each in calls.items() if is_reply(view.nodes[span])}
    frames: dict[str, ev.Replayed] = {}
    for node in view.nodes.values():
        if node.kind == "frame" and node.parent != ev.RUN_SPAN:
            below = [calls.get(each.id) for each, _ in view.walk(node.id) if each.kind == "call"]
            made = [each for each in below if each]
            if made and len(made) == len(below):
                frames[node.id] = made[0]
    return {**calls, **turns, **frames}


def _at_hit(place: Place, found: Found | None) -> int:
    return next((number for number, hit in enumerate(found.hits if found else (), 1) if hit.span == place.node), 0)


def look_at(reading: Reading, place: Place, found: Found | None = None) -> Look:
    first = max(0, (_at_hit(place, found) or place.hit) - KEPT_HITS // 2)
    kept = [hit.span for hit in found.hits[first : first + KEPT_HITS]] if found else []
    drawn = partial(reading.folding.tree, selected=place.node, kept=kept, opened=place.opened)
    tree, only = drawn(), matching(reading.facets, place.only)
    narrowed = drawn(only=only) if only is not None else None
    names = reading.namer.names(*filter(None, (tree, narrowed)))
    return Look(place, reading, tree, names, narrowed, found)
