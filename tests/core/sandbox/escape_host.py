"""Runs every escape probe in real sandboxes and prints what became of each, as JSON. Started by `test_sandbox_escapes.py`, as
this user or another, with bubblewrap in its PATH or without."""

import json
import os
import socket
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[2]), str(HERE.parent), str(HERE)]

from escape_probes import HELD, IN_A_ROOM, PRELUDE, REFUSED  # noqa: E402
from sandboxes import Echo, write_context  # noqa: E402

from rlm_core.errors import SandboxError  # noqa: E402
from rlm_core.sandbox.contract import CellLimits  # noqa: E402
from rlm_core.sandbox.host import Sandbox  # noqa: E402

MANY_THREADS = """
import threading
end, started = threading.Event(), 0
try:
    while started < 999:
        threading.Thread(target=end.wait, daemon=True).start()
        started += 1
except RuntimeError as error:
    print(error)
"""


def main(outside: str) -> None:
    name = f"escape-{os.getpid()}"
    with (
        tempfile.TemporaryDirectory() as folder,
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.socket(socket.AF_UNIX) as abstract,
        Path(outside, "canary.txt").open() as left_open,
    ):
        abstract.bind(f"\0{name}")
        abstract.listen()
        os.set_inheritable(left_open.fileno(), True)
        filled = {"OUTSIDE": outside, "PORT": str(server.getsockname()[1]), "NAME": name, "HOST": str(os.getpid())}
        files = write_context(Path(folder), [("a.txt", "x" * 10_000), ("b.txt", "y")])
        found, became = run_all(lambda: Sandbox(files, Echo(), CellLimits(timeout_s=10)), filled)
        with Sandbox(files, Echo(), CellLimits()) as one, Sandbox(files, Echo(), CellLimits()) as other:
            threads = [each.execute(MANY_THREADS).output for each in (one, other)]
        server.settimeout(0)
        reached = False
        try:
            server.accept()
            reached = True
        except BlockingIOError:
            pass
    result = {
        "became": became,
        "threads": threads,
        "layers": found.layers,
        "missing": found.missing,
        "jailed": found.jailed,
    }
    print(json.dumps({**result, "user": os.geteuid(), "reached": reached}))


def run_all(make, filled):
    became, child = {}, make()
    found = child.start()
    child.execute(PRELUDE)
    for probe, code in {**HELD, **REFUSED, **IN_A_ROOM}.items():
        for word, value in filled.items():
            code = code.replace(word, value)
        try:
            result = child.execute(code)
            alive = child.execute("1 + 1").output == "2\n"
        except SandboxError:
            alive = False
        became[probe] = [result.status, result.output, result.error, alive]
        if not alive:
            child.close()
            child = make()
            child.start()
            child.execute(PRELUDE)
    child.close()
    return found, became


if __name__ == "__main__":
    main(sys.argv[1])
