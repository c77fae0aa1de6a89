"""Start the app: `python -m app [--port 8501] [--address 127.0.0.1] [--home FOLDER]`.

Look and rules of the server are in `.streamlit/config.toml` beside this file, which Streamlit finds wherever it is started.
"""

from __future__ import annotations

import argparse
import os
import socket
import sys
import threading
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path

from rlm_core.settings import HOME_VARIABLE

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m app", description="RLM Studio in the browser.")
    parser.add_argument("--port", type=int, default=8501, help="default: %(default)s")
    parser.add_argument("--address", default="127.0.0.1", help="default: %(default)s, this machine only")
    parser.add_argument("--home", type=Path, help="data folder; default: the platform's folder for user data")
    options = parser.parse_args(arguments)
    if options.home:
        os.environ[HOME_VARIABLE] = str(options.home.resolve())

    if not _is_free(options.address, options.port):
        sys.exit(f"Port {options.port} of {options.address} is taken or not allowed. Choose another one with --port.")

    from app.asgi import app  # the data folder must be set before the app is made

    config = {"server.port": options.port, "server.address": options.address}
    if options.address in LOOPBACK:
        config["server.allowedHosts"] = list(
            LOOPBACK
        )  # against pages elsewhere whose name is made to mean this machine
    host = f"[{options.address}]" if ":" in options.address else options.address
    threading.Thread(target=_announce, args=(f"http://{host}:{options.port}",), daemon=True).start()
    app.run(config=config)


def _is_free(address: str, port: int) -> bool:
    try:
        with socket.create_server((address, port), family=socket.AF_INET6 if ":" in address else socket.AF_INET):
            return True
    except OSError:
        return False


def _announce(url: str) -> None:
    """Say where the app is as soon as it answers."""
    while True:
        try:
            with urllib.request.urlopen(f"{url}/_stcore/health", timeout=5):
                break
        except OSError:
            time.sleep(0.05)
    print(f"RLM Studio is at {url}", flush=True)


if __name__ == "__main__":
    main()
