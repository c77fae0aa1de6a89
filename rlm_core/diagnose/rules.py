"""All rules, and what they find in a run, the gravest first.

A rule is a small pure function from a run to symptoms. What each detects, on what evidence, and how it errs stands in its
docstring. Rules see only what was recorded; in doubt they say nothing: a false alarm above "good to know" costs more than a
miss. Where two speak of one node, what causes stands before what came of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from rlm_core.diagnose.answers import (
    answered_before_looking,
    answered_beside_unseen_output,
    name_for_value,
    no_answer_at_all,
)
from rlm_core.diagnose.asking import (
    asked_again_and_again,
    one_call_per_line,
    same_prompt_many_times,
    same_text_in_every_prompt,
)
from rlm_core.diagnose.coding import (
    errors_in_a_row,
    failed_work_not_done_again,
    same_cell_again,
    words_in_place_of_reading,
)
from rlm_core.diagnose.counts import (
    count_unlike_its_own_list,
    count_unlike_the_findings,
    list_unlike_the_findings,
    number_unlike_the_result,
)
from rlm_core.diagnose.ending import (
    broke_off,
    decided_twice,
    findings_without_proof,
    lost_children,
    quotes_that_do_not_stand,
    stopped_by_a_limit,
)
from rlm_core.diagnose.lists import another_list_than_before, guess_kept_for_output, list_from_cut_output
from rlm_core.diagnose.material import Material
from rlm_core.diagnose.replies import lost_replies, refused_by_helpers, unread_replies
from rlm_core.diagnose.shown import (
    answered_from_cut_output,
    beyond_the_window,
    entries_read_apart,
    much_was_never_shown,
    printed_too_much,
    records_read_apart,
)
from rlm_core.diagnose.sums import wrong_sum_in_words
from rlm_core.diagnose.symptoms import Symptom

Rule = Callable[[Material], Iterable[Symptom]]
RULES: tuple[Rule, ...] = (
    answered_before_looking,
    answered_beside_unseen_output,
    no_answer_at_all,
    name_for_value,
    another_list_than_before,
    guess_kept_for_output,
    failed_work_not_done_again,
    words_in_place_of_reading,
    records_read_apart,
    entries_read_apart,
    answered_from_cut_output,
    list_from_cut_output,
    printed_too_much,
    beyond_the_window,
    wrong_sum_in_words,
    number_unlike_the_result,
    count_unlike_its_own_list,
    count_unlike_the_findings,
    list_unlike_the_findings,
    quotes_that_do_not_stand,
    lost_replies,
    lost_children,
    refused_by_helpers,
    one_call_per_line,
    same_text_in_every_prompt,
    same_prompt_many_times,
    asked_again_and_again,
    stopped_by_a_limit,
    broke_off,
    unread_replies,
    errors_in_a_row,
    same_cell_again,
    findings_without_proof,
    decided_twice,
    much_was_never_shown,
)


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
