"""Two or more runs side by side: what each came to, and what each says of every item.

Pure functions of views. An item is one thing in all runs if its name is spelled the same but for case, spaces and what it
ends with. A run says something of an item by a finding that it recorded; a run that recorded none may list items in its
answer, or only name them there, and that is kept apart from a finding. What lay outside the window of a run is brought with it
(`evidence/reach.py`), and without that taken from its own notes. Refuses to judge who is right, and knows no store: `whole`
and `look_up` bring what is kept elsewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from rlm_core import events as ev
from rlm_core.evidence.reach import Reach, Unseen, noted
from rlm_core.listed import Names, listed, name_key, natural, told_number
from rlm_core.passages import Passage, passage, short
from rlm_core.task import Finding, Task, standing_labels
from rlm_core.view import RunView, Totals

How = Literal["recorded", "listed", "named", "not named", "not looked for", "not seen", "notes only", "nothing"]
"""Where a run says something of an item: a finding; a line of its answer; its name in the answer, or not there. `not seen`:
another run quotes it from what lay outside the window of this one; `notes only`: from what only its compressor saw.
`nothing`: it recorded findings, and none of this item."""
Status = Literal["agree", "differ", "only", "named"]
"""Of the labels of an item. `only`: one run has it. `named`: one run has it, and answers of others name it without a label."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
YES = "yes"
UNTOLD = ("no", "unknown")
"""Labels that an answer does not count, whatever their number."""
_RANKS: dict[Status, int] = {"differ": 0, "only": 1, "named": 2, "agree": 3}
OTHER_RANK = 1
_LABEL_RANKS = {YES: 0, "unknown": 2, "no": 3}


@dataclass(frozen=True, slots=True)
class Quoted:
    """The words that decide an item, and what became of looking for them; `None`: nobody did."""

    quote: str
    source: str
    checked: ev.QuoteChecked | None
    span: str | None = None
    """Of the finding; a line of an answer has none."""

    @property
    def at(self) -> tuple[str, ...] | tuple[str, int]:
        """Where the words stand; of words that were not found, the words."""
        found = self.checked
        if found and found.document is not None and found.start is not None:
            return found.document, found.start
        return (name_key(self.quote),)


@dataclass(frozen=True, slots=True)
class Missed:
    """A place that decides an item in another run, and that the model which answered in this one was not shown."""

    place: ev.QuoteChecked
    part: Unseen
    """What it lies in."""
    compressed: bool
    """The compressor of the run saw it: then there were notes."""

    @property
    def whole(self) -> bool:
        return self.place.start is not None and self.part.start <= self.place.start


@dataclass(frozen=True, slots=True)
class Said:
    """What one run says of one item."""

    how: How
    label: str = ""
    quotes: tuple[Quoted, ...] = ()
    """Those that other runs have too come first."""
    missed: Missed | None = None
    """Where another run's quote lies, if this run missed it."""
    means: str = ""
    """The label by which it is laid beside others: the run's own, or the one that stands for it (`Comparison.taken`)."""

    @property
    def labelled(self) -> bool:
        return self.how in ("recorded", "listed")


@dataclass(frozen=True, slots=True)
class Item:
    name: str
    status: Status
    said: tuple[Said, ...]
    """One for each run, in their order."""

    @property
    def having(self) -> tuple[int, ...]:
        """The runs that have a label for it."""
        return tuple(number for number, each in enumerate(self.said) if each.labelled)


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """What one run came to."""

    id: str
    task: Task
    question: Passage
    state: str
    """`queued`, `running`, or the outcome."""
    reason: str
    answer: str | None
    totals: Totals
    free: bool
    """No call costs anything."""
    started_at: float | None
    finished_at: float | None
    items_from: Literal["findings", "answer", "nowhere"]
    """Where the items of this run are read."""
    decided: int
    """Findings that stand, or such lines of the answer."""
    exact: int | None
    """Of `decided`, those whose quote stands in the archive word for word; `None` where nobody has looked."""
    reach: Reach
    chars: int | None
    """Of the archive."""

    @property
    def active(self) -> bool:
        return self.state in ("queued", "running")

    @property
    def told(self) -> int | None:
        """The number that the answer begins with."""
        return told_number(self.answer or "")

    def elapsed_s(self, now: float) -> float | None:
        return None if self.started_at is None else (self.finished_at or now) - self.started_at


@dataclass(frozen=True, slots=True)
class Comparison:
    runs: tuple[ComparedRun, ...]
    items: tuple[Item, ...]
    """Those on which the runs part come first."""
    told_label: str | None
    """The label whose items the answers count, such as `yes`."""
    taken: Mapping[int, str] = field(default_factory=dict)
    """Runs that have another word for it, as `leak` for `yes`: the label whose items their answers count, by the run's number."""
    letters: str = LETTERS
    """What each run is called, in their order."""

    @property
    def same_question(self) -> bool:
        return len({run.question.sha or " ".join(run.question.head.split()) for run in self.runs}) < 2

    @property
    def same_corpus(self) -> bool:
        return len({run.task.corpus for run in self.runs}) < 2

    def told(self, number: int) -> set[str]:
        """The names of the items to which the run gives the label that the answers count."""
        return {item.name for item in self.items if self._is_told(item.said[number])}

    def _is_told(self, said: Said) -> bool:
        return said.labelled and said.means == self.told_label


@dataclass(frozen=True, slots=True)
class Reading:
    """What one run has to say of items, before it is laid beside others. Items by the key of their names."""

    run: ComparedRun
    said: Mapping[str, Said]
    names: Mapping[str, str]
    answer: Names | None
    """Of a run that recorded no findings."""


Whole = Callable[[Passage], str]
LookUp = Callable[[str, Sequence[Finding]], Sequence[ev.QuoteChecked | None]]
"""Looks in a corpus, given by its id, for the quotes of an answer's lines, for which the run has not looked."""


def _nobody_looks(corpus: str, lines: Sequence[Finding]) -> Sequence[ev.QuoteChecked | None]:
    return [None] * len(lines)


def compare(views: Sequence[RunView], whole: Whole = short, look_up: LookUp = _nobody_looks) -> Comparison:
    """Lay runs side by side. A run that has not begun is a view with nothing but `run` and `task`.

    `whole` brings the text of a long answer, where views were read without their long texts.
    """
    return align([reading_of(view, whole, look_up) for view in views])


def align(readings: Sequence[Reading], letters: str = LETTERS) -> Comparison:
    """Lay side by side what was read of each run. `letters`: what each is called."""
    names: dict[str, str] = {}
    for reading in readings:
        names = {**reading.names, **names}
    told = _told_label(readings)
    taken = _other_words(readings, told)
    meant = [_meant(reading, taken.get(number), told) for number, reading in enumerate(readings)]
    items = [_item(key, name, meant) for key, name in names.items()]
    items.sort(key=lambda item: (*_rank(item, told), item.having, _label_rank(item), natural(item.name)))
    return Comparison(tuple(reading.run for reading in readings), tuple(items), told, taken, letters)


def _rank(item: Item, told: str | None) -> tuple[bool, bool, int]:
    """Those on which the runs part first, and of them those that the answer of a run counts."""
    counted = any(each.labelled and each.means == told for each in item.said)
    return item.status == "agree", item.status != "agree" and not counted, _RANKS[item.status]


# ---------------------------------------------------------------------- one run


def reading_of(
    view: RunView, whole: Whole = short, look_up: LookUp = _nobody_looks, reach: Reach | None = None
) -> Reading:
    """What the run comes to and what it says of each item; keeps nothing of the view. `reach` is what is known of its window."""
    answer = whole(passage(view.answer.text)) if view.answer else None
    found: list[tuple[Finding, ev.QuoteChecked | None, str | None]] = [
        (_short(finding), checked, span) for span, finding, checked in view.findings()
    ]
    recorded = bool(found)
    if lines := listed_lines(view, whole):
        found += [
            (line, checked, None) for line, checked in zip(lines, look_up(_task(view).corpus, lines), strict=True)
        ]
    last = standing_labels(Finding(name_key(each.item), name_key(each.label)) for each, _, _ in found)
    quotes: dict[str, list[Quoted]] = {}
    names: dict[str, str] = {}
    labels: dict[str, str] = {}
    for finding, checked, span in found:
        key = name_key(finding.item)
        names.setdefault(key, finding.item)
        if name_key(finding.label) == last[key]:
            labels[key] = finding.label
            quotes.setdefault(key, []).append(Quoted(finding.quote or "", finding.source or "", checked, span))
    how: How = "recorded" if recorded else "listed"
    said = {key: Said(how, labels[key], tuple(quotes[key]), means=name_key(labels[key])) for key in names}
    run = _facts(view, answer, how, [each for of_item in quotes.values() for each in of_item], reach or noted(view))
    return Reading(run, said, names, Names(answer) if answer and not recorded else None)


def listed_lines(view: RunView, whole: Whole = short) -> list[Finding]:
    """The lines of the answer of a run that recorded no findings: nobody has looked for their quotes yet."""
    return listed(whole(passage(view.answer.text))) if view.answer and not view.findings() else []


def _short(finding: Finding) -> Finding:
    """The finding with the heads of texts that are too long to stand in an event."""
    item, label, quote, source = (
        short(passage(each)) for each in (finding.item, finding.label, finding.quote, finding.source)
    )
    return Finding(item.strip(), label.strip(), quote, source)


def _facts(view: RunView, answer: str | None, how: How, decided: Sequence[Quoted], reach: Reach) -> ComparedRun:
    assert view.run is not None
    node, task = view.nodes.get(ev.RUN_SPAN), _task(view)
    checks = [each.checked for each in decided]
    ended = [each.finished for each in view.nodes.values() if isinstance(each.finished, ev.CallFinished)]
    return ComparedRun(
        id=view.run,
        task=task,
        question=passage(task.question),
        state=view.outcome or ("running" if node else "queued"),
        reason=short(passage(view.finished.reason)) if view.finished else "",
        answer=answer,
        totals=view.totals(),
        free=bool(ended) and all(each.cost_source == "free" for each in ended),
        started_at=node.started_at if node else None,
        finished_at=node.finished_at if node else None,
        items_from="nowhere" if not decided else "findings" if how == "recorded" else "answer",
        decided=len(decided),
        exact=sum(each.verdict == "exact" for each in checks if each) if any(checks) else None,
        reach=reach,
        chars=_chars(view),
    )


def _task(view: RunView) -> Task:
    assert view.task is not None
    return view.task


def _chars(view: RunView) -> int | None:
    frames = (node.started for node in view.nodes.values() if isinstance(node.started, ev.FrameStarted))
    return next((frame.context.get("chars") for frame in frames), None)


# ---------------------------------------------------------------------- one item


def _item(key: str, name: str, readings: Sequence[Reading]) -> Item:
    having = [reading.said[key] for reading in readings if key in reading.said]
    said = tuple(reading.said.get(key) or _without(key, name, reading, readings) for reading in readings)
    labels = {each.means for each in having}
    status: Status = "differ"
    if len(labels) == 1:
        named = any(each.how == "named" for each in said)
        status = "agree" if len(having) > 1 else "named" if named else "only"
    return Item(name, status, _shared_first(said))


def _shared_first(said: Sequence[Said]) -> tuple[Said, ...]:
    """What several runs quote stands first in each of them, in one order."""
    places = Counter(at for each in said for at in dict.fromkeys(quoted.at for quoted in each.quotes if quoted.quote))
    shared = {at: rank for rank, (at, runs) in enumerate(places.most_common()) if runs > 1}
    return tuple(
        replace(each, quotes=tuple(sorted(each.quotes, key=lambda quoted: shared.get(quoted.at, len(shared)))))
        for each in said
    )


def _without(key: str, name: str, reading: Reading, readings: Sequence[Reading]) -> Said:
    """What a run says of an item that it has no label for."""
    named = reading.answer.has(name) if reading.answer else False
    same_archive = [each for each in readings if each.run.task.corpus == reading.run.task.corpus]
    others = [each.said[key] for each in same_archive if key in each.said]
    found = missed(reading.run.reach, [quoted for said in others for quoted in said.quotes])
    if named:
        return Said("named", missed=found)
    if found:
        return Said("notes only" if found.compressed else "not seen", missed=found)
    if reading.answer is None:
        return Said("nothing")
    return Said("not looked for" if named is None else "not named")


def missed(reach: Reach, quotes: Iterable[Quoted]) -> Missed | None:
    """The first of these places, if the model that answered was shown none of them."""
    places = [each.checked for each in quotes if each.checked and each.checked.end is not None]
    all_missed = [each for place in places if (each := _missed(reach, place))]
    if not all_missed or len(all_missed) < len(places):
        return None
    return next((each for each in all_missed if each.compressed), all_missed[0])


def _missed(reach: Reach, place: ev.QuoteChecked) -> Missed | None:
    if place.document is None or place.start is None or place.end is None or place.verdict == "ambiguous":
        return None  # the words stand elsewhere too
    if part := reach.hiding(place.document, place.start, place.end):
        return Missed(place, part, compressed=False)
    part = reach.notes_of(place.document, place.start, place.end)
    return Missed(place, part, compressed=True) if part else None


def _told_label(readings: Sequence[Reading]) -> str | None:
    """The label that answers count: `yes` where it is used, else one whose number an answer begins with."""
    counts = [Counter(name_key(each.label) for each in reading.said.values()) for reading in readings]
    if any(YES in each for each in counts):
        return YES
    return next(filter(None, map(_fitting, readings, counts)), None)


def _fitting(reading: Reading, counts: Counter[str]) -> str | None:
    """The one label that the run gives to as many items as its answer begins with."""
    fitting = [label for label, number in counts.items() if number == reading.run.told and label not in UNTOLD]
    return fitting[0] if len(fitting) == 1 else None


def _other_words(readings: Sequence[Reading], told: str | None) -> dict[int, str]:
    """The words that runs have for the label `told`, which they do not use. Two that label the same things in other words have
    not come to different ends."""
    found = dict[int, str]()
    for number, reading in enumerate(readings if told else ()):
        counts = Counter(name_key(each.label) for each in reading.said.values())
        if told not in counts and (own := _fitting(reading, counts)):
            found[number] = own
    return found


def _meant(reading: Reading, own: str | None, told: str | None) -> Reading:
    if own is None or told is None:
        return reading
    said = {key: replace(each, means=told) if each.means == own else each for key, each in reading.said.items()}
    return replace(reading, said=said)


def label_rank(label: str) -> int:
    """Yes first, no last, unknown before it, and any other label (`OTHER_RANK`) after yes: what tells most comes first."""
    return _LABEL_RANKS.get(name_key(label), OTHER_RANK)


def _label_rank(item: Item) -> int:
    return min(label_rank(each.label) for each in item.said if each.labelled)
