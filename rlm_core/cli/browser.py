"""Open the app in a browser as soon as it answers: `python -m rlm_core.cli.browser URL`."""

from __future__ import annotations

import sys
import time
import urllib.request
import webbrowser

PATIENCE_S = 60.0


def main(url: str) -> int:
    """Exit code 1 if nothing answers in time."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return 0 if webbrowser.open(url) else 1
        except OSError:
            time.sleep(0.2)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
