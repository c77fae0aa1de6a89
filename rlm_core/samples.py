"""Where the shipped sample data lies: inside an installed package, or beside the package in a clone."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from rlm_core.errors import CorpusError

ARCHIVE = "maintenance.zip"
THREE_ROOMS = "three_rooms.txt"


def sample(name: str = ARCHIVE) -> Path:
    """The path of a shipped sample. Raises `CorpusError` where the samples were not installed."""
    package = Path(str(files("rlm_core")))
    for folder in (package / "sample_data", package.parent / "sample_data"):
        if (folder / name).is_file():
            return folder / name
    raise CorpusError(
        f"The sample {name} is not part of this installation. Install rlm-studio again, or use your own file."
    )
