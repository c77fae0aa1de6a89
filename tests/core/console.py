"""The console script as a real process, for tests of the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
SCRIPT = Path(sys.executable).with_name("rlm-studio")
THREE_ROOMS = ROOT / "sample_data" / "three_rooms.txt"
QUESTION = "In which rooms did the leak come back after it had been repaired?"

LOOK = "```repl\nprint(len(context))\n```"
ANSWER = '```repl\nanswer["content"] = "done"\nanswer["ready"] = True\n```'


def environment(home: Path, **more: str) -> dict[str, str]:
    """That of the tests, without their keys, and with a data folder of its own."""
    kept = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    return {**kept, "RLM_STUDIO_HOME": str(home), **more}


def rlm_studio(
    home: Path, *arguments: str | Path, cwd: Path | None = None, stdin: str = "", **more: str
) -> subprocess.CompletedProcess[str]:
    """Run the command to its end. `more` are variables of its environment."""
    return subprocess.run(
        [SCRIPT, *map(str, arguments)],
        env=environment(home, **more),
        cwd=cwd,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
    )


@contextmanager
def started(home: Path, *arguments: str | Path) -> Iterator[Any]:
    """The command as a process under way, with its outputs as pipes. It has ended when the block is left."""
    process = subprocess.Popen(
        [SCRIPT, *map(str, arguments)],
        env=environment(home),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            yield process
            process.wait(30)
        finally:
            process.kill()


def script(folder: Path, root: object, sub: object = None, latency_s: float = 0.0) -> str:
    """The name of a scripted model. `root`: a list of replies, one a turn, or rules."""
    file = folder / f"script-{len(list(folder.glob('script-*')))}.json"
    file.write_text(json.dumps({"root": root, "sub": sub or {"default": "yes"}, "latency_s": latency_s}))
    return f"scripted:{file}"


def run_process(home: Path) -> int:
    """The process that runs the question which was asked in `home`."""
    until = time.monotonic() + 10
    while time.monotonic() < until:
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                command = (folder / "cmdline").read_bytes()
            except OSError:
                continue  # it ended while we looked
            if b"rlm_core.jobs.run_process" in command and str(home).encode() in command:
                return int(folder.name)
        time.sleep(0.02)
    raise AssertionError("no run process")
