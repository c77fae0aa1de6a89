"""`rlm-studio check`: what is installed and what is missing; with `--live`, what your own model makes of three questions."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from rlm_core.checks.installation import installation
from rlm_core.checks.live import Question, Trial, questions, try_model
from rlm_core.cli.exits import FAILED, OF_OUTCOME
from rlm_core.cli.narration import summary
from rlm_core.cli.options import home_option, model_options, settings_of, task_of
from rlm_core.cli.progress import Progress
from rlm_core.cli.streams import tell
from rlm_core.errors import TaskError
from rlm_core.jobs.asking import open_store
from rlm_core.plain import plain, plain_line
from rlm_core.settings import Settings
from rlm_core.task import DEMO_MODEL, Task
from rlm_core.view import RunView
from rlm_core.wording import exact, money

DEFAULT_MAX_USD = 0.50


@click.command("check")
@click.option("--live", is_flag=True, help="Ask your model three small questions with known answers.")
@model_options
@click.option(
    "--max-usd", type=float, default=DEFAULT_MAX_USD, show_default=True, help="Of --live: spend at most this."
)
@home_option
def command(live: bool, max_usd: float, home: Path | None, **options: Any) -> int:
    """Say whether this installation works: packages, data folder, protection of code cells, models, keys (by name only).

    With --live, the model of your choice is asked three small questions whose answers are known: does the set-up work, and
    can this model write the code that an RLM needs? This spends money, at most --max-usd as far as prices are known.

    \b
    rlm-studio check
    rlm-studio check --live --model openai/gpt-5-mini
    """
    settings = settings_of(home)
    if live:
        return _live(settings, task_of("", settings, options), max_usd)
    facts = installation(settings)
    width = max(len(fact.topic) for fact in facts)
    for fact in facts:
        click.echo(f"{'ok     ' if fact.works else 'PROBLEM'}  {fact.topic.ljust(width)}  {plain(fact.says)}")
    return 0 if all(fact.works for fact in facts) else FAILED


def _live(settings: Settings, task: Task, max_usd: float) -> int:
    if DEMO_MODEL in (task.root_model, task.helper_model):
        raise TaskError(
            "The demo model needs no check. Name the model that you want to use: --model openai/gpt-5-mini."
        )
    tell(f"Asking {task.root_model}, helpers {task.helper_model}; at most {money(max_usd)}.")
    current: list[Progress] = []

    def on_question(question: Question) -> Callable[[RunView], None]:
        _end(current)
        tell(f"{question.name}: {question.text}")
        current.append(Progress(sys.stderr))
        return current[-1]

    try:
        trials = try_model(open_store(settings), task, max_usd, on_question)
    finally:
        _end(current)
    click.echo("\n\n".join(_in_words(trial) for trial in trials))
    click.echo(f"\n{_verdict(trials)}")
    return _code(trials)


def _end(current: list[Progress]) -> None:
    while current:
        current.pop().end()


def _in_words(trial: Trial) -> str:
    head = f"{'ok     ' if trial.passed else 'PROBLEM'}  {trial.question.name}  ({summary(trial.view)})"
    answer = plain_line(trial.view.answer.text, 200) if trial.view.answer else "none"
    lines = [head, f"  asked: {trial.question.text}", f"  answer: {answer}"]
    return plain("\n".join([*lines, *(f"  - {each}" for each in (*trial.problems, *trial.remarks))]))


def _verdict(trials: list[Trial]) -> str:
    passed, asked = sum(trial.passed for trial in trials), len(questions())
    spent = sum(trial.view.totals().cost_usd for trial in trials)
    unknown = sum(trial.view.totals().calls_without_cost for trial in trials)
    cost = f"{exact(sum(trial.view.totals().calls for trial in trials), 'call')}, cost {money(spent, unknown)}"
    if passed == asked:
        return f"All {asked} questions were answered rightly: this set-up works, and this model can be an RLM. ({cost})"
    rest = f", {asked - len(trials)} not asked" if len(trials) < asked else ""
    return f"{passed} of {asked} questions were answered rightly{rest}. ({cost})"


def _code(trials: list[Trial]) -> int:
    if any(trial.view.outcome == "cancelled" for trial in trials):
        return OF_OUTCOME["cancelled"]
    return 0 if len(trials) == len(questions()) and all(trial.passed for trial in trials) else FAILED
