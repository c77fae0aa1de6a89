"""The nouns of a question: what was asked, within which limits, and what came back.

Plain frozen values with `to_dict` / `from_dict`; they know no model, no storage and no screen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal

from rlm_core.errors import TaskError

Json = dict[str, Any]

DEMO_MODEL = "demo"
"""The built-in stand-in: rule-based, no language model."""

Outcome = Literal["answered", "forced", "failed", "cancelled", "interrupted"]
"""How a run ended. `forced`: a limit was hit, or the model stopped working, and this is the best answer so far.
`interrupted`: its process died."""

Verdict = Literal["exact", "normalised", "fuzzy", "conflict", "ambiguous", "not found", "not looked for", "no quote"]
"""What became of looking for a quote in the corpus. `normalised`: equal but for spacing, case and typography.
`not looked for`: the search was given up, it would have been too much work."""

PROVEN: frozenset[str] = frozenset({"exact", "normalised"})
"""Verdicts that prove a quote."""
UNLIKE: frozenset[str] = frozenset({"not found", "conflict", "fuzzy"})
"""Verdicts of quotes whose words stand nowhere as they are quoted."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How far a run may go. `None` means no limit. All are checked by the frame, none by a strategy."""

    max_usd: float | None = None
    """Spending of the whole run, in US dollars, as far as prices are known. Near it calls wait for each other, so that a reply
    which is longer than expected is at most one (`lm/budget.py`)."""
    max_tokens: int | None = None
    """Input plus output tokens of the whole run, as far as providers report them."""
    max_calls: int = 1000
    """Model requests of the whole run."""
    max_turns: int = 25
    """Turns of one frame."""
    timeout_s: float = 900.0
    """Wall clock of the whole run, in seconds."""
    call_timeout_s: float = 120.0
    """One model request, in seconds."""
    concurrency: int = 64
    """Model requests in flight at once."""
    cell_timeout_s: float = 60.0
    """One cell, in seconds; the clock stops while the cell waits for a model."""
    cell_memory_mb: int = 2048
    """Memory of the sandbox beyond the mapped corpus, in MiB."""
    shown_chars: int = 20_000
    """Characters of a cell's output that the model is shown (head and tail)."""
    ask_above_calls: int | None = None
    """A batch of more helper calls than this waits until a person has approved it."""
    ask_above_usd: float | None = None
    """So does one that may cost more than this, in US dollars, by list prices."""

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if value is not None and not value > 0:
                raise TaskError(f"The limit {each.name} is {value}; it must be greater than 0.")


@dataclass(frozen=True, slots=True)
class Task:
    """A question, what it is asked of, and how it is to be answered. Holds no keys."""

    question: str
    corpus: str
    """Id of an ingested corpus (`Corpus.id`)."""
    strategy: str = "rlm"
    options: Json = field(default_factory=dict)
    """Options of the strategy, for example `{"depth": 1}`; see `rlm_core.strategies`."""
    root_model: str = DEMO_MODEL
    helper_model: str = DEMO_MODEL
    api_base: str | None = None
    """Base URL of an OpenAI-compatible server for both models; `None`: the provider's own."""
    limits: Limits = field(default_factory=Limits)
    reuse_replies: bool = False
    """Whether a prompt that a helper has answered in this run is answered with the same words again, for nothing."""

    def to_dict(self) -> Json:
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Json) -> Task:
        return cls(**{**data, "limits": Limits(**data.get("limits", {}))})


@dataclass(frozen=True, slots=True)
class Fork:
    """Where a run leaves the one before it, and what is different from there on. `None` or empty is no difference."""

    turn: int
    """Turn of the root frame, from 1: everything before it is replayed."""
    code: str | None = None
    """Code to run in that turn in place of what the model wrote. Without it the model is asked again."""
    instruction: str | None = None
    """Words for the model, added to what it is told before that turn; with `code`, after it."""

    def __post_init__(self) -> None:
        if self.turn < 1:
            raise TaskError(f"There is no turn {self.turn}; turns are counted from 1.")


@dataclass(frozen=True, slots=True)
class Origin:
    """The run that a run goes on from: its prefix is replayed from there and paid for nothing."""

    run: str
    fork: Fork | None = None
    """`None`: it is taken up again where it broke off."""
    accept_divergence: bool = False
    """Whether a replayed cell may print something else than it did; else the run stops there."""

    def to_dict(self) -> Json:
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Json) -> Origin:
        return cls(**{**data, "fork": Fork(**data["fork"]) if data.get("fork") else None})


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call as the provider reported them. `None` is unknown, and unknown is never zero."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_input_tokens: int | None = None
    reasoning_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation with a model."""

    role: Literal["system", "user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One decided item: what it is, what it was found to be, and the words that decide it."""

    item: str
    label: str
    quote: str | None = None
    source: str | None = None
    """Where the quote is said to stand: a document's path, or `path:line`."""
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a run hands over."""

    text: str
    how: str = "text"
    """How it was given: `answer`, `FINAL`, `FINAL_VAR`, `SUBMIT`, `ANSWER`, `text` (a plain reply), `forced`."""
    reason: str = ""
    """Of a forced answer: why it is not one that the model was done with."""


def standing(found: Sequence[tuple[Finding, Verdict | None]]) -> list[bool]:
    """Which findings stand, in their order. An item that is recorded again was corrected: with another label, the last one
    stands; with the same label, a quote that was found takes the place of one that was not, and one that says which place is
    meant that of the same words which do not. The same twice stands once.

    Items and quotes may be references to texts that were not read: they are compared as they are written.
    """
    last = {str(finding.item): str(finding.label) for finding, _ in found}
    sure = [finding for finding, verdict in found if verdict in PROVEN and _is_last(finding, last)]
    proven, placed = {str(each.item) for each in sure}, {(str(each.item), str(each.quote)) for each in sure}
    stand, seen = [False] * len(found), set[tuple[str, ...]]()
    for at in range(len(found) - 1, -1, -1):
        finding, verdict = found[at]
        words = (str(finding.item), str(finding.quote), str(finding.source), str(finding.note))
        replaced = (verdict in UNLIKE and words[0] in proven) or (verdict == "ambiguous" and words[:2] in placed)
        stand[at] = _is_last(finding, last) and not replaced and words not in seen
        seen |= {words} if stand[at] else set()
    return stand


def _is_last(finding: Finding, last: dict[str, str]) -> bool:
    return str(finding.label) == last[str(finding.item)]


def earlier_labels(findings: Iterable[Finding]) -> dict[str, tuple[str, ...]]:
    """For each item that was recorded with several labels, those that do not stand, in order."""
    given: dict[str, list[str]] = {}
    for finding in findings:
        given.setdefault(str(finding.item), []).append(str(finding.label))
    earlier = {
        item: tuple(dict.fromkeys(each for each in labels if each != labels[-1])) for item, labels in given.items()
    }
    return {item: labels for item, labels in earlier.items() if labels}


def standing_labels(findings: Iterable[Finding]) -> dict[str, str]:
    """The label that stands for each item: an item that is recorded again with another label was corrected."""
    return {finding.item: finding.label for finding in findings}
