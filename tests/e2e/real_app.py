"""The app as a user starts it: a process of its own with its worker, on a free port."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
START_TIMEOUT_S = 60.0


@dataclass
class App:
    url: str
    home: Path
    process: subprocess.Popen[str]
    said: list[str] = field(default_factory=list)

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(20)


def start_app(home: Path, cwd: Path = ROOT) -> App:
    """The app on a free port, once it says where it is."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "app", "--port", str(port), "--home", str(home)]
    process = subprocess.Popen(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    app = App(f"http://127.0.0.1:{port}", home, process)
    ready = threading.Event()

    def listen() -> None:
        assert process.stdout
        with process.stdout:
            for line in process.stdout:
                app.said.append(line)
                if line.startswith("RLM Studio is at"):
                    ready.set()

    threading.Thread(target=listen, daemon=True).start()
    if not ready.wait(START_TIMEOUT_S):
        app.stop()
        raise AssertionError(f"The app did not start: {''.join(app.said)}")
    return app
