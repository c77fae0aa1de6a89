"""Options that several commands share, and the settings that they start from."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, TypeVar

import click

from rlm_core.ingest_limits import IngestLimits
from rlm_core.plain import plain_line
from rlm_core.settings import HOME_VARIABLE, UNSAFE_VARIABLE, Settings, load_settings
from rlm_core.task import Json, Task

LIMITS = ("max_usd", "max_calls", "max_turns", "timeout_s", "ask_above_calls", "ask_above_usd")
INGEST_LIMITS: dict[str, type[int] | type[float]] = {
    each.name: type(each.default) for each in fields(IngestLimits) if isinstance(each.default, int | float)
}
STRATEGY_OPTIONS = ("depth", "overflow")

MAX_USD = (
    "Stop at this spending, as far as prices are known; what was replayed counts. "
    "Default: as in your settings, which are shipped with 5, or as in the run that is gone on from."
)

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

home_option = click.option(
    "--home",
    type=click.Path(file_okay=False, path_type=Path),
    help=f"Data folder, for runs and corpora. Default: ${HOME_VARIABLE}, else this user's folder for data.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")


def form_options(forms: Mapping[str, tuple[object, str]]) -> Callable[[Decorated], Decorated]:
    """A flag for each form, all for the parameter `form`. `forms`: by name how it is made, and what the help says of it."""

    def decorated(command: Decorated) -> Decorated:
        for name, (_, says) in reversed(list(forms.items())):
            command = click.option(f"--{name}", "form", flag_value=name, help=says)(command)
        return command

    return decorated


def model_options(command: Decorated) -> Decorated:
    """`--model`, `--root-model`, `--helper-model` and `--api-base`."""
    for option in (
        click.option("--api-base", metavar="URL", help="An OpenAI-compatible server of your own, for both models."),
        click.option("--helper-model", metavar="NAME", help="Model that reads pieces of the archive."),
        click.option("--root-model", metavar="NAME", help="Model that writes the code."),
        click.option(
            "--model", metavar="NAME", help="Both models: openai/gpt-5-mini, ... Default: your settings, else demo."
        ),
    ):
        command = option(command)
    return command


def limit_options(command: Decorated) -> Decorated:
    """How far a run may go, and what it asks a person before it does it."""
    for option in (
        click.option(
            "--reuse-replies",
            is_flag=True,
            help="A prompt that a helper has answered in this run is answered with the same words again, for nothing.",
        ),
        click.option(
            "--ask-above-usd",
            type=float,
            metavar="USD",
            help="Ask before a batch of helper calls that may cost more than this, by list prices.",
        ),
        click.option(
            "--ask-above-calls", type=int, metavar="N", help="Ask before a batch of more than so many helper calls."
        ),
        click.option("--timeout", "timeout_s", type=float, metavar="SECONDS", help="Stop after so long."),
        click.option("--max-turns", type=int, metavar="N", help="Stop after so many turns of the root model."),
        click.option("--max-calls", type=int, metavar="N", help="Stop after so many model calls."),
        click.option("--max-usd", type=float, metavar="USD", help=MAX_USD),
    ):
        command = option(command)
    return command


ingest_option = click.option(
    "--archive-limit",
    "ingest_limits",
    multiple=True,
    metavar="NAME=NUMBER",
    help=f"How much the archive may cost, this time: {', '.join(INGEST_LIMITS)}. Several can be given. "
    "Default: as in your settings.",
)


def ingest_limits_of(given: Sequence[str], settings: Settings) -> IngestLimits:
    """The limits of the settings with those that the option changes. Raises `click.UsageError` for what is none."""
    changed: dict[str, float] = {}
    for each in given:
        name, _, number = each.partition("=")
        kind = INGEST_LIMITS.get(name.strip())
        try:
            changed[name.strip()] = (kind or float)(number)
        except ValueError:
            kind = None
        if kind is None:
            raise click.UsageError(
                f"--archive-limit {plain_line(each, 60)} is no limit. Write NAME=NUMBER with one of {', '.join(INGEST_LIMITS)}."
            )
    return replace(settings.ingest_limits, **changed)  # type: ignore[arg-type]


def unsafe_option(command: Decorated) -> Decorated:
    return click.option(
        "--unsafe-sandbox",
        is_flag=True,
        help="Run code cells even where this machine has nothing that holds them in: they can then read your files and keys.",
    )(command)


def run_options(command: Decorated) -> Decorated:
    """What every command that makes a run takes: limits, and where and how it runs and reports."""
    for option in (home_option, json_option, unsafe_option, background_option, limit_options):
        command = option(command)
    return command


def allow_unsafe(options: Json) -> None:
    """Hand `--unsafe-sandbox` on to the process of the run, which this one starts."""
    if options["unsafe_sandbox"] and options["background"]:
        raise click.UsageError("--unsafe-sandbox is for a run in the foreground. For the worker: Settings, Sandbox.")
    if options["unsafe_sandbox"]:
        os.environ[UNSAFE_VARIABLE] = "1"


def background_option(command: Decorated) -> Decorated:
    return click.option(
        "--background", is_flag=True, help="Hand it to the worker of the app, and print the id of the run."
    )(command)


def changes_of(options: Json) -> Json:
    """What the options change of the task of an earlier run (`going_on.fork`); what they leave open stays as it was there."""
    model = options.get("model")
    named = {"root_model": options.get("root_model") or model, "helper_model": options.get("helper_model") or model}
    others = {**named, "api_base": options.get("api_base"), "reuse_replies": options["reuse_replies"] or None}
    return {**{name: value for name, value in others.items() if value is not None}, "limits": _given(options, LIMITS)}


def settings_of(home: Path | None) -> Settings:
    """The settings of the data folder that was named with the command or before it."""
    return load_settings(home or click.get_current_context().find_root().params.get("home"))


def task_of(question: str, settings: Settings, options: Json) -> Task:
    """The task that the options ask for; what they leave open is as in the settings. Its corpus is still to be named."""
    model = options["model"]
    return Task(
        question,
        corpus="",
        strategy=options.get("strategy") or "rlm",
        options=_given(options, STRATEGY_OPTIONS) | dict(map(_option, options.get("option") or ())),
        root_model=options["root_model"] or model or settings.root_model,
        helper_model=options["helper_model"] or model or settings.helper_model,
        api_base=options["api_base"] or settings.api_base,
        limits=replace(settings.limits, **_given(options, LIMITS)),
        reuse_replies=bool(options.get("reuse_replies")),
    )


def _option(given: str) -> tuple[str, Any]:
    """`NAME=VALUE` of `--option`: numbers are numbers. Which names and values there are is the strategy's business."""
    name, separator, value = given.partition("=")
    if not separator:
        raise click.UsageError(f"--option takes NAME=VALUE, such as prompt=paper, not {given!r}.")
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            return name, kind(value)
    return name, value


def _given(options: Json, names: Sequence[str]) -> Json:
    return {name: options[name] for name in names if options.get(name) is not None}
