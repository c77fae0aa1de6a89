"""What can be done about a symptom, as far as it follows from the place: a fork of the root at the turn that holds it.

Runs of strategies without turns, and logs of others that name their steps otherwise, cannot be forked: then one has to look.
"""

from __future__ import annotations

from rlm_core.diagnose.material import Material, Steps
from rlm_core.diagnose.symptoms import ForkWith, LookAt, Remedy


def ask_again(run: Material, steps: Steps, span: str, instruction: str) -> Remedy:
    """A fork at the turn of a node, with these words; of a child's node, at the root's turn that holds the child."""
    number = run.turn_of(span)
    if number is None:
        return LookAt(span)
    return ForkWith(number, instruction if steps.is_root else f"Tell each helper that has a session: {instruction}")
