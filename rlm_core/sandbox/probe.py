"""What keeps cells in on this machine, tried out for Settings and for `rlm-studio check`.

Starts a sandbox without a cell and asks it. Refuses to know how a layer works.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from rlm_core.errors import SandboxError
from rlm_core.sandbox.contract import CellLimits, ContextFiles, Protection
from rlm_core.sandbox.host import Sandbox
from rlm_core.task import Json


def protection(unsafe: bool = False) -> Protection:
    """What holds cells in on this machine, tried out in a child that lives for a moment. Where there is no jail, `missing`
    says so, and whether cells run all the same (`unsafe`)."""
    with tempfile.TemporaryDirectory(prefix="rlm-probe-") as folder:
        context = ContextFiles(Path(folder, "text"), Path(folder, "index"))
        context.text.write_bytes(b"")
        context.index.write_text('{"documents": []}', encoding="utf-8")
        sandbox = Sandbox(context, _NoServices(), CellLimits(), unsafe=True)
        try:
            found = sandbox.start()
        except SandboxError as error:
            return Protection((), (str(error),), jailed=False)
        finally:
            sandbox.close()
    if found.jailed:
        return found
    consequence = "cells run all the same, because Settings allow it" if unsafe else "so no cell is run"
    return Protection(found.layers, (*found.missing, consequence), jailed=False)


class _NoServices:
    def serve(self, service: str, arguments: Json) -> Any:
        raise SandboxError(f"{service} is not available in a probe.")
