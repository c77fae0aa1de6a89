"""What a run is doing, on standard error while it does it.

On a terminal one line that is written over; elsewhere a line for each turn, batch of helpers and cell. What is said comes
from `narration.py`. It refuses to end a run because nobody reads its progress.
"""

from __future__ import annotations

import shutil
import threading
import time
from typing import TextIO

from rlm_core import events as ev
from rlm_core.cli.narration import Narrator
from rlm_core.cli.streams import abandon
from rlm_core.plain import plain_line
from rlm_core.view import RunView

TICK_S = 1.0
QUIET_S = 10.0
"""Without a terminal, a long batch says every so often how far it is."""


class Progress:
    """Call it with the view whenever that has changed, and `end` it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._live = stream.isatty()
        self._narrator = Narrator()
        self._doing = "starting"
        self._started_at: float | None = None
        self._said_at = 0.0
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._held = False
        if self._live:
            threading.Thread(target=self._tick, name="progress", daemon=True).start()

    def __call__(self, view: RunView) -> None:
        with self._lock:
            news = self._narrator.news(view)
            if self._started_at is None and ev.RUN_SPAN in view.nodes:
                self._started_at = view.nodes[ev.RUN_SPAN].started_at
            self._doing = news[-1][0] if news else self._doing
            if self._live:
                self._redraw()
                return
            if not news and self._narrator.in_flight and time.monotonic() - self._said_at > QUIET_S:
                news = [(self._doing, self._narrator.used(view.elapsed_s(view.last_at)))]
            for said, used in news:
                self._write(f"{said}  [{used}]\n")
                self._said_at = time.monotonic()

    def hold(self, question: str) -> None:
        """Put a question in the place of the line, which is written over no more until it may `go_on`."""
        with self._lock:
            self._held = True
            self._write(f"\r\x1b[K{plain_line(question)} ")

    def go_on(self) -> None:
        with self._lock:
            self._held = False

    def end(self) -> None:
        """Leave the terminal as it was: nothing is written after this."""
        self._over.set()
        with self._lock:
            if self._live:
                self._write("\r\x1b[K")

    def _redraw(self) -> None:
        if self._held:
            return
        used = self._narrator.used(None if self._started_at is None else time.time() - self._started_at)
        room = max(20, shutil.get_terminal_size().columns - len(used) - 3)
        self._write(f"\r\x1b[K{plain_line(self._doing, room)}  {used}")

    def _tick(self) -> None:
        while not self._over.wait(TICK_S):
            with self._lock:
                if not self._over.is_set():
                    self._redraw()

    def _write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except BrokenPipeError:
            abandon(self._stream)  # the run goes on: what it has paid for is worth its answer
