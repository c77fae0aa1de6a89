"""`rlm-studio` without a command: this process becomes the app.

It is replaced, not wrapped: Ctrl-C and every other signal reach the app itself, and nothing is left behind when it ends.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

from rlm_core.errors import TaskError
from rlm_core.settings import load_settings


def become_app(port: int, address: str, home: Path | None, *, open_browser: bool) -> NoReturn:
    """Turn this process into the app, which prints its address. Raises `TaskError` if it could not listen there."""
    _refuse_if_taken(address, port)
    data = load_settings(home).home.resolve()
    if open_browser:
        subprocess.Popen([sys.executable, "-m", "rlm_core.cli.browser", f"http://{_in_url(address)}:{port}"])
    sys.stdout.flush()
    sys.stderr.flush()
    options = ["--port", str(port), "--address", address, "--home", str(data)]
    os.execv(sys.executable, [sys.executable, "-m", "app", *options])


def _refuse_if_taken(address: str, port: int) -> None:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((address, port))
        except OSError as error:
            raise TaskError(
                f"The app cannot listen on {address} port {port}: {error.strerror}. "
                f"It may be open already, at http://{_in_url(address)}:{port}; else choose another --port."
            ) from error


def _in_url(address: str) -> str:
    return f"[{address}]" if ":" in address else address
