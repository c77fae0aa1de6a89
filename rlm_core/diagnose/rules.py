"""All rules, and what they find in a run, the gravest first.

A rule is a small pure function from a run to symptoms. What each detects, on what evidence, and how it errs stands in its
docstring. Rules see only what was recorded; in doubt they say nothing: a false alarm above "good to know" costs more than a miss.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from rlm_core.diagnose.answers import answered_before_looking, name_for_value
from rlm_core.diagnose.material import Material
from rlm_core.diagnose.symptoms import Symptom

Rule = Callable[[Material], Iterable[Symptom]]
RULES: tuple[Rule, ...] = (answered_before_looking, name_for_value)


def name_of(rule: Rule) -> str:
    """`answered_before_looking` is `answered before looking`."""
    return rule.__name__.replace("_", " ")


def diagnose(run: Material, rules: Sequence[Rule] = RULES) -> list[Symptom]:
    """What the rules find, by severity and then by place. Of one rule, what is equally grave is one symptom: the first, with the
    nodes of the others in `also`."""
    found: dict[tuple[str, str], Symptom] = {}
    place = {span: at for at, span in enumerate(run.view.nodes)}
    for rule in rules:
        name = name_of(rule)
        for each in sorted(rule(run), key=lambda each: place.get(each.span, -1)):
            first = found.setdefault((name, each.severity), replace(each, rule=name))
            if first.says != each.says or first.span != each.span:
                found[name, each.severity] = replace(first, also=(*first.also, each.span))
    return sorted(found.values(), key=lambda each: (each.rank, place.get(each.span, -1)))
