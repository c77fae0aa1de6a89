"""The commands of `rlm-studio`: their names, what a failure looks like to a person, and which number a script gets.

The commands themselves are modules beside this one, imported only when they are called: help must not wait for a database.
"""

from __future__ import annotations

import sys
from keyword import iskeyword
from pathlib import Path
from typing import Any

import click

from rlm_core.cli import module
from rlm_core.cli.exits import EXIT_CODES, PIPE_CLOSED, exit_code_of
from rlm_core.cli.options import home_option
from rlm_core.cli.streams import abandon, tell
from rlm_core.errors import StudioError

COMMANDS = {
    "ask": "Ask a question of an archive and print the answer with its evidence.",
    "inspect": "Say what can be read in an archive, file by file.",
    "runs": "List the runs of this data folder, newest first.",
    "show": "Show the steps of a run: code, outputs, calls and costs.",
    "compare": "Say where two or more runs part, item by item, and by which quotes.",
    "export": "Write a run as a report, a table, one JSON document, or one HTML file.",
    "diagnose": "Say what went wrong in a run, and where.",
    "cancel": "Stop a run.",
    "import": "Take over runs that another tool has recorded.",
    "archives": "List the archives that were read, or delete one.",
    "approve": "Let a run send the calls that it asks about, or refuse them.",
    "resume": "Take a run up where it broke off; what had finished is replayed for nothing.",
    "fork": "Go another way from a turn of a run on; what was before is replayed for nothing.",
    "check": "Say whether this installation works; with --live, whether your model does.",
}
"""The line of each command in the help. A command has the name of its module, with a line behind it where Python wants that."""


class Door(click.Group):
    """Finds commands when they are called, and turns what they raise into a message and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = module(f"{cmd_name}_" if iskeyword(cmd_name) else cmd_name).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        try:
            code = super().invoke(ctx)
        except StudioError as error:
            tell(f"Error: {error}")
            code = exit_code_of(error)
        except BrokenPipeError:
            abandon(sys.stdout)  # whoever read it has seen enough
            code = PIPE_CLOSED
        ctx.exit(code or 0)


@click.group(
    cls=Door,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=EXIT_CODES,
)
@click.version_option(package_name="rlm-studio", prog_name="RLM Studio")
@click.option("--port", type=click.IntRange(1, 65535), default=8501, show_default=True, help="Port of the app.")
@click.option(
    "--address",
    default="127.0.0.1",
    show_default=True,
    help="Address the app listens on. There is no login: keep it local.",
)
@click.option("--open", "open_browser", is_flag=True, help="Open the app in a browser once it is there.")
@home_option
@click.pass_context
def door(ctx: click.Context, port: int, address: str, open_browser: bool, home: Path | None) -> int:
    """Ask a question of an archive that is too big for any model, watch how the answer is found, and check every piece
    of evidence.

    Without a command, the app and its worker are started, and the address to open is printed.
    """
    if ctx.invoked_subcommand is not None:
        return 0
    code: int = module("studio").become_app(port, address, home, open_browser=open_browser)
    return code


def run() -> int:
    """Do what the command line says. Raises `KeyboardInterrupt` whenever Ctrl-C comes, also while words are still read."""
    try:
        code: int = door.main(prog_name="rlm-studio", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        code = error.exit_code
    except click.Abort as stopped:
        raise KeyboardInterrupt from stopped
    return code
