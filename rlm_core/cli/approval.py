"""A run in the foreground that waits for a person's word before it sends a large batch: on a terminal the question is put, and
answered with y or n; elsewhere it is said how to answer.

The terminal is read beside the run, so that Ctrl-C still cancels it, and so that a word from elsewhere is taken as well.
"""

from __future__ import annotations

import os
import select
import sys
import termios
import threading

from rlm_core import events as ev
from rlm_core.cli.progress import Progress
from rlm_core.cli.streams import tell
from rlm_core.errors import StudioError
from rlm_core.jobs import going_on
from rlm_core.store.store import Store
from rlm_core.view import RunView
from rlm_core.waiting import open_approval
from rlm_core.wording import batch

POLL_S = 0.1
ANSWERS = {"y": True, "yes": True, "n": False, "no": False}


class Approval:
    """Call it with the view whenever that has changed, and `end` it."""

    def __init__(self, store: Store, progress: Progress) -> None:
        self._store = store
        self._progress = progress
        self._by_hand = sys.stdin.isatty() and sys.stderr.isatty()
        self._open: tuple[str, int] | None = None
        self._over = threading.Event()
        self._reader: threading.Thread | None = None

    def __call__(self, view: RunView) -> None:
        asks = open_approval(view)
        number = (asks[0], _asked(view, asks[0])) if asks else None
        if number == self._open:
            return
        self.end()
        self._open = number
        if asks and view.run:
            self._put(view.run, f"The code wants to make {batch(asks[1].calls, asks[1].estimated_usd)}.")

    def end(self) -> None:
        """Put no more questions: the last one was answered, or the run has ended."""
        self._over.set()
        if self._reader is not None:
            self._reader.join()
            self._reader = None
            self._progress.go_on()
        self._open = None

    def _put(self, run: str, question: str) -> None:
        if not self._by_hand:
            tell(
                f"{question} The run waits. To let it: rlm-studio approve {run}. To refuse: rlm-studio approve {run} --refuse."
            )
            return
        self._over = threading.Event()
        termios.tcflush(sys.stdin, termios.TCIFLUSH)  # what was typed before the question is no answer to it
        self._progress.hold(f"{question} Send them? [y/n] ")
        self._reader = threading.Thread(target=self._read, args=(run, self._over), name="approval", daemon=True)
        self._reader.start()

    def _read(self, run: str, over: threading.Event) -> None:
        """Take the first line that is an answer. Ends when the question is over."""
        while not over.is_set():
            ready, _, _ = select.select([sys.stdin], [], [], POLL_S)
            if not ready:
                continue
            line = os.read(sys.stdin.fileno(), 1024)
            if not line:  # the terminal was closed: somebody else may still answer
                return
            granted = ANSWERS.get(line.decode("utf-8", "replace").strip().lower())
            if granted is None:
                self._progress.hold("Please answer y or n: ")
                continue
            try:
                going_on.approve(self._store, run, granted)
            except StudioError as error:
                tell(str(error))
            return


def _asked(view: RunView, span: str) -> int:
    """How many questions this cell has put so far."""
    return sum(isinstance(each, ev.ApprovalAsked) for each in view.nodes[span].remarks)
