"""What a rule says: one symptom of one node of a run, the words that show it, and what can be done about it.

Severity is a consequence, and not a level. A remedy is something that the app or the command line can carry out. Knows no rule.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal, get_args

from rlm_core.task import Json

Severity = Literal["may change the answer", "wasted time or money", "good to know"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
"""The gravest first."""
EVIDENCE_CHARS = 300
"""So much of a text is quoted."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Words of the run that show the symptom, and the node that holds them."""

    span: str
    text: str


@dataclass(frozen=True, slots=True)
class ForkWith:
    """Go another way from this turn of the root frame on, with a word to the model."""

    turn: int
    instruction: str


@dataclass(frozen=True, slots=True)
class RaiseLimit:
    """Ask with a higher limit: the field of `Limits`. `turn`: where a fork has not yet used it up; `None`: from the beginning."""

    name: str
    value: float
    turn: int | None = None


@dataclass(frozen=True, slots=True)
class ChangeModel:
    """Ask with another model in this role."""

    role: Literal["root", "helper"]
    turn: int | None = None


@dataclass(frozen=True, slots=True)
class LookAt:
    """Nothing to carry out: a person has to look at this node."""

    span: str


Remedy = ForkWith | RaiseLimit | ChangeModel | LookAt


@dataclass(frozen=True, slots=True)
class Symptom:
    """`says` is one sentence for a person. `rule` is filled in by `diagnose`, and so is `also`: the nodes of others like it that
    were folded into this one."""

    severity: Severity
    span: str
    says: str
    evidence: tuple[Evidence, ...]
    remedy: Remedy
    rule: str = ""
    also: tuple[str, ...] = ()

    @property
    def rank(self) -> int:
        return SEVERITIES.index(self.severity)

    def to_dict(self) -> Json:
        """As JSON-ready values; a remedy with its kind under `do`."""
        return {**asdict(self), "remedy": {"do": type(self.remedy).__name__, **asdict(self.remedy)}}


def quoted(span: str, text: str) -> Evidence:
    """Words of a node as evidence, cut to what one reads."""
    text = text.strip()
    return Evidence(span, text if len(text) <= EVIDENCE_CHARS else f"{text[:EVIDENCE_CHARS]} …")
