"""The command line: `rlm-studio` starts the app; its commands ask, look and check without one.

This module is what the console script begins with. It imports next to nothing, so that Ctrl-C is answered in words from the
first moment on; what the commands are is known to `door.py`.
"""

from __future__ import annotations

import importlib
import io
import os
import sys
from types import ModuleType

STOPPED = 130
"""Exit code after Ctrl-C, as of a shell."""


def module(name: str) -> ModuleType:
    """A module of this package, imported when it is needed."""
    return importlib.import_module(f"{__name__}.{name}")


def main() -> None:
    """The console script."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal without Unicode still gets the words
    # For every process started from here: what lies in the folder one works in is data, and must not be imported as code.
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        code: int = module("door").run()
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        code = STOPPED
    sys.exit(code)
