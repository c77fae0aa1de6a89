"""What holds cells in, in words, and what happens where nothing does."""

import subprocess
import sys
import textwrap

import pytest
from sandboxes import without, write_context

from rlm_core.sandbox import bubblewrap
from rlm_core.sandbox.probe import protection


def test_what_holds_cells_in_is_told_in_plain_words():
    found = protection()
    assert found.jailed
    assert found.missing == ((lacking,) if (lacking := bubblewrap.reason_against()) else ())
    words = found.in_words()
    for part in ("no file can be written", "no network", "no other programs", "2,048 MB", "1,000 threads"):
        assert part in words


@pytest.mark.parametrize(
    ("system_call", "words"),
    [("landlock", "cells could read and write files"), ("prctl", "cells could use the network and start programs")],
)
def test_without_a_jail_no_cell_runs_unless_it_is_wished(tmp_path, system_call, words):
    files = write_context(tmp_path, [("a", "x")])
    code = without(system_call) + textwrap.dedent(f"""
        from pathlib import Path
        from rlm_core.errors import SandboxError
        from rlm_core.sandbox.contract import CellLimits, ContextFiles
        from rlm_core.sandbox.host import Sandbox
        from rlm_core.sandbox.probe import protection
        files = ContextFiles(Path({str(files.text)!r}), Path({str(files.index)!r}))
        found = protection()
        assert not found.jailed
        print(found.in_words())
        try:
            Sandbox(files, None, CellLimits()).start()
        except SandboxError as error:
            print(error)
        with Sandbox(files, None, CellLimits(), unsafe=True) as child:
            print(child.execute("'it ran'").output)
    """)
    said = subprocess.run([sys.executable, "-c", code], check=True, timeout=20, capture_output=True, text=True).stdout
    lines = said.splitlines()
    assert words in lines[0]
    assert "so no cell is run" in lines[0]
    assert lines[1].startswith("Code cells cannot be held in on this machine: ")
    assert "--unsafe-sandbox" in lines[1]
    assert lines[2] == "'it ran'"
