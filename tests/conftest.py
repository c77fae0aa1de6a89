"""Makes the tests' own generators (`event_streams`) importable from every folder of tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "core"))
