"""Which packages beside the standard library a cell may import, and where they lie.

Runs in the host and looks only for what is named here: numpy, pandas, and what these two cannot do without. Everything else
that is installed stays out of reach: `importing.py` does not find it, and the jail does not let it be opened.
"""

from __future__ import annotations

import importlib.machinery
from functools import cache
from pathlib import Path

OFFERED = ("numpy", "pandas")
_NEEDED = ("dateutil", "pytz", "six", "tzdata")
"""Not needed by every version; those that are there are offered."""


@cache
def find() -> dict[str, str]:
    """Paths by name: of a package its folder, of a module its file. Shared libraries that wheels keep beside a package are
    in there as `numpy.libs` and the like."""
    found: dict[str, str] = {}
    for name in OFFERED:
        found |= _place(name)
    for name in _NEEDED if found else ():
        found |= _place(name)
    return found


def _place(name: str) -> dict[str, str]:
    spec = importlib.machinery.PathFinder.find_spec(name)
    if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
        return {}
    if not spec.submodule_search_locations:
        return {name: str(Path(spec.origin).resolve())}
    folder = Path(spec.origin).resolve().parent
    libraries = folder.with_name(f"{name}.libs")
    return {name: str(folder)} | ({libraries.name: str(libraries)} if libraries.is_dir() else {})
