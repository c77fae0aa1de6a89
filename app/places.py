"""Where the files of the app lie, in a clone and in an installed package, and its own addresses. Knows paths only."""

from __future__ import annotations

from pathlib import Path

APP = Path(__file__).resolve().parent
STATIC = APP / "static" if (APP / "static").is_dir() else APP.parent / "static"
"""Inside an installed package; beside it in a clone."""
ASSETS = "/assets"
"""Where `STATIC` is served."""
UPLOAD = "/upload"
"""Where uploads are sent (`upload_route.py`)."""
FILES = "/files"
"""Where runs and findings are fetched as files (`file_route.py`)."""
