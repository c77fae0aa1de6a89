"""`rlm-studio ask`: one question, answered in the foreground or handed to the worker.

The answer goes to standard output, everything else to standard error, so that both can be used in a pipe.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

import click

from rlm_core.cli.exits import EXIT_CODES
from rlm_core.cli.foreground import answer_here, hand_over, or_no_run, warn_of_demo
from rlm_core.cli.options import (
    allow_unsafe,
    ingest_limits_of,
    ingest_option,
    model_options,
    run_options,
    settings_of,
    task_of,
)
from rlm_core.cli.streams import tell
from rlm_core.cli.uploads import SAMPLE, sources_and_name
from rlm_core.errors import TaskError
from rlm_core.jobs import asking
from rlm_core.plain import plain_line
from rlm_core.settings import Settings
from rlm_core.task import DEMO_MODEL, Json, Task


@click.command("ask", epilog=EXIT_CODES)
@click.argument("words", nargs=-1, required=True, metavar="ARCHIVE... QUESTION")
@click.option(
    "--question-file", type=click.File("rb"), metavar="FILE", help="Read the question from a file; - is stdin."
)
@click.option(
    "--strategy",
    default="rlm",
    show_default=True,
    metavar="NAME",
    help=f"How to answer: {', '.join(name for name, _, _ in asking.strategies_in_words())}.",
)
@click.option(
    "--depth", type=int, help="Of rlm: 0 without helpers, 1 with helper models, 2 and 3 with helpers that write code."
)
@click.option(
    "--option",
    metavar="NAME=VALUE",
    multiple=True,
    help="Any option of a strategy: prompt=paper of rlm; threshold, window_tokens and compressor of compaction.",
)
@click.option(
    "--overflow",
    metavar="cut|refuse",
    help="Of strategies with one prompt (base, codeact): what to do with an archive larger than the window.",
)
@model_options
@run_options
@ingest_option
def command(
    words: tuple[str, ...], question_file: BinaryIO | None, home: Path | None, as_json: bool, **options: Any
) -> int:
    """Ask QUESTION of ARCHIVE, and print the answer with the findings that support it.

    ARCHIVE is a file, a folder, or several of both; `sample` is the shipped sample archive. What happens meanwhile is
    told on standard error. Ctrl-C cancels the run; what it has done stays, see `rlm-studio runs`.

    \b
    rlm-studio ask sample "In which rooms did the leak come back?"
    rlm-studio ask reports.zip "Which pumps failed twice?" --model openai/gpt-5-mini --max-usd 1
    """
    archive, question = _archive_and_question(words, question_file)
    return or_no_run(lambda: _ask(archive, question, settings_of(home), as_json, options), as_json)


def _archive_and_question(words: Sequence[str], file: BinaryIO | None) -> tuple[Sequence[str], str]:
    if file is not None:
        try:
            return words, file.read().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise click.UsageError(
                f"The question in {file.name} is no UTF-8 text ({error}). Save it as UTF-8."
            ) from error
    if len(words) < 2 and words[0] != SAMPLE and not os.path.exists(words[0]):  # noqa: PTH110 - may be no path at all
        raise click.UsageError(
            f"The archive is missing: there is no file or folder {plain_line(words[0], 60)!r}, so it is the question. "
            'Write: rlm-studio ask ARCHIVE "QUESTION". To try it: rlm-studio ask sample "QUESTION".'
        )
    if len(words) < 2:
        raise click.UsageError('A question is missing. Write: rlm-studio ask ARCHIVE "QUESTION".')
    if words[-1].strip() and os.path.exists(words[-1]):  # noqa: PTH110 - a long question must not raise
        raise click.UsageError(
            f"A question is missing: the last argument, {words[-1]!r}, is a file. Write the question after the archive, "
            "or give it with --question-file."
        )
    return words[:-1], words[-1]


def _ask(archive: Sequence[str], question: str, settings: Settings, as_json: bool, options: Json) -> int:
    allow_unsafe(options)
    task = task_of(question, settings, options)
    _refuse_server_without_model(task, options)
    asking.check(task)  # before the archive is read, which may take long
    store = asking.open_store(settings)
    sources, name = sources_and_name(archive)
    corpus, report = asking.load_archive(
        store, sources, name=name, limits=ingest_limits_of(options["ingest_limits"], settings)
    )
    if report.already_here:
        tell("The same files were read before; they are not read again.")
    if report.upload_status == "partial":
        tell("Some files could not be read: rlm-studio inspect says which and why.")
    task = replace(task, corpus=corpus.id)
    warn_of_demo(task)
    if options["background"]:
        return hand_over(asking.start(store, task), store.home, as_json)
    return answer_here(store, task, as_json)


def _refuse_server_without_model(task: Task, options: Json) -> None:
    """Whoever names a server wants it asked: an answer by the demo model would be taken for its."""
    if options["api_base"] is not None and task.root_model == task.helper_model == DEMO_MODEL:
        raise TaskError(
            f"The server {plain_line(options['api_base'], 200)} would not be asked: the model is `demo`, which is built in. "
            "Name a model of that server: --model openai/NAME."
        )
