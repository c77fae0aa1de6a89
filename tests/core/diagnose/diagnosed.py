"""What single rules say of small runs, for their tests."""

from __future__ import annotations

from runs import Ran

from rlm_core.diagnose.material import Material
from rlm_core.diagnose.rules import Rule
from rlm_core.diagnose.symptoms import Symptom
from rlm_core.evidence.coverage import Coverage
from rlm_core.view import RunView

NOTHING_SHOWN = Coverage([1_000], [])


def cell(code: str) -> str:
    return f"```repl\n{code.strip()}\n```"


def told(rule: Rule, ran: Ran | RunView, coverage: Coverage | None = None) -> list[Symptom]:
    """All that the rule says of the run."""
    view = ran.view if isinstance(ran, Ran) else ran
    return list(rule(Material(view, coverage=coverage)))


def where(rule: Rule, ran: Ran | RunView, coverage: Coverage | None = None) -> list[tuple[str, str]]:
    """The nodes that it names, each with the severity."""
    return [(each.span, each.severity) for each in told(rule, ran, coverage)]


CHANGES, WASTES, NOTE = "may change the answer", "wasted time or money", "good to know"
