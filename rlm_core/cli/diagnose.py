"""`rlm-studio diagnose`: what went wrong in a run, found by rules, each with the step, the words that show it, and a remedy."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path

import click

from rlm_core.cli.chosen import chosen_run
from rlm_core.cli.narration import spelled
from rlm_core.cli.options import LIMITS, home_option, json_option, settings_of
from rlm_core.diagnose.material import Material
from rlm_core.diagnose.rules import RULES, diagnose, name_of
from rlm_core.diagnose.symptoms import SEVERITIES, ChangeModel, ForkWith, LookAt, RaiseLimit, Remedy, Symptom
from rlm_core.jobs.asking import open_store
from rlm_core.jobs.diagnosing import material_of
from rlm_core.plain import plain_line
from rlm_core.wording import exact

LISTED = 5


@click.command("diagnose")
@click.argument("run")
@home_option
@json_option
def command(run: str, home: Path | None, as_json: bool) -> None:
    """Say what went wrong in RUN, and where: found by rules over what was recorded. No model is asked.

    RUN is an id, the beginning of one, or `last`.
    """
    store = open_store(settings_of(home))
    id = chosen_run(store, run)
    if store.run(id) is None:
        click.echo("[]" if as_json else f"Run {id}: queued. There is nothing to look at yet.")
        return
    material = material_of(store, id)
    symptoms = diagnose(material)
    if as_json:
        click.echo(json.dumps([each.to_dict() for each in symptoms], indent=1))
    else:
        click.echo(_in_words(id, material, symptoms))


def _in_words(run: str, material: Material, symptoms: Sequence[Symptom]) -> str:
    rules = {each.rule for each in symptoms}
    lines = [f"Run {run}: {exact(len(RULES), 'rule')} looked, {len(rules)} found something. No model was asked."]
    if material.incomplete:
        lines.append("The run has more text than is looked at: of some of it only the beginnings were.")
    for severity in SEVERITIES:
        those = [each for each in symptoms if each.severity == severity]
        lines += ["", f"{severity}:"] if those else []
        for each in those:
            lines += _symptom(run, each)
    silent = [name_of(rule) for rule in RULES if name_of(rule) not in rules]
    return "\n".join([*lines, "", f"Nothing found by: {', '.join(silent)}."])


def _symptom(run: str, symptom: Symptom) -> list[str]:
    more = [spelled(each) for each in symptom.also[:LISTED]]
    rest = f" and {len(symptom.also) - LISTED:,} more" if len(symptom.also) > LISTED else ""
    return [
        f"  {spelled(symptom.span)} ({symptom.rule}): {plain_line(symptom.says)}",
        *[f"      {spelled(each.span)}: {plain_line(each.text)}" for each in symptom.evidence],
        *([f"      the same at: {'; '.join(more)}{rest}"] if more else []),
        f"      what to do: {plain_line(remedy_in_words(run, symptom.remedy))}",
    ]


def remedy_in_words(run: str, remedy: Remedy) -> str:
    """The command that carries it out, where there is one."""
    match remedy:
        case ForkWith(turn, instruction):
            return f"rlm-studio fork {run} --turn {turn} --instruction {shlex.quote(instruction)}"
        case RaiseLimit(name, value, turn):
            number = f"{value:.0f}" if value == int(value) else f"{value:g}"
            option = f"--{name.replace('_', '-')} {number}" if name in LIMITS else f"with {name} = {number}"
            return f"rlm-studio fork {run} --turn {turn} {option}" if turn else f"ask again {option}"
        case ChangeModel(role, turn):
            option = f"--{role}-model NAME"
            return f"rlm-studio fork {run} --turn {turn} {option}" if turn else f"ask again with {option}"
        case LookAt(span):
            return f"look at {spelled(span)}"
