"""The host's end of a sandbox: starts the child, hands it cells, answers its requests, keeps the clock, and ends it.

Covered: the child is hostile. What it sends is checked and bounded; a child that breaks the line, does not read, does not
stop or dies is killed and reaped, and whoever waits is told in plain words. What the child may do to the machine is held
back by `jail.py`, which every child applies to itself; around it by `bubblewrap.py`, where this machine has it and lets it
work; and behind both by `usage.py`. Each says for itself what is covered and what is not.
Not covered: the truth of what a cell says about itself (its output, variables, findings and answer are its own claims);
processor time of threads that a cell leaves behind, until the sandbox is closed, and of a cell's other threads while one
of them waits for a model.

Refuses to know models and strategies: requests go to the frame's `Services`, each on a thread of its own.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Any

from rlm_core.errors import SandboxError
from rlm_core.events import Status
from rlm_core.sandbox import bubblewrap, claims, packages, usage, wire
from rlm_core.sandbox.capture import HeadAndTail
from rlm_core.sandbox.child import Child
from rlm_core.sandbox.contract import CellLimits, CellResult, ContextFiles, Protection, Services
from rlm_core.sandbox.in_flight import InFlight
from rlm_core.sandbox.running_cell import RunningCell
from rlm_core.task import Json

DEFAULT_FUNCTIONS = frozenset({"llm_query", "record", "budget"})
_START_TIMEOUT_S = 30.0
_SAID_CHARS = 2_000
_OUT_OF_SIGHT_PID = 0
"""What a child in a room sees as its parent."""
_OFF_THE_CLOCK = frozenset({"llm_query", "rlm_query", "search"})
"""Services that take no time of the cell: models answer when they do, and a first search builds the index."""


@dataclass(frozen=True, slots=True)
class _Request:
    """Something that a cell wants of the host."""

    number: int
    service: str
    arguments: Json
    size_bytes: int


class Sandbox:
    """One child process with the state of one frame's cells. A context manager that starts and closes it."""

    def __init__(
        self,
        context: ContextFiles,
        services: Services,
        limits: CellLimits,
        *,
        question: str = "",
        functions: frozenset[str] = DEFAULT_FUNCTIONS,
        run_left_s: Callable[[], float] = lambda: threading.TIMEOUT_MAX,
        unsafe: bool = False,
    ) -> None:
        """`run_left_s`: seconds that the whole run has left. While there are some, a cell may wait for models."""
        self._context = context
        self._services = services
        self._limits = limits
        self._question = question
        self._functions = functions
        self._run_left_s = run_left_s
        self._unsafe = unsafe
        self._changed = threading.Condition()
        self._child: Child | None = None
        self._protection: Protection | None = None
        self._ended: str | None = None
        """Why there is no child any more, in words."""
        self._ending: str | None = None
        """Why the child is about to be killed."""
        self._said_at_start = HeadAndTail(_SAID_CHARS)
        self._gone = threading.Event()
        self._stopped = False
        self._cell: RunningCell | None = None
        self._cells = 0
        self._in_flight = InFlight()

    def __enter__(self) -> Sandbox:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def pid(self) -> int | None:
        """Process id of the child."""
        return self._child.pid if self._child else None

    @property
    def is_gone(self) -> bool:
        """The child was there and is not any more, for another reason than that the run was cancelled."""
        return self._protection is not None and not self._stopped and bool(self._ended or self._ending)

    def start(self) -> Protection:
        """Start the child and lock it in. Raises `SandboxError` if it cannot be started or nothing would hold it."""
        if self._child is not None or self._stopped:
            raise SandboxError("This sandbox was started before. Make a new one.")
        offered = packages.find()
        lacking = bubblewrap.reason_against()
        if lacking is None and not self._begins(offered, room=list(offered.values())) and self._never_spoke():
            bubblewrap.refused(self._said_at_start.text())
            lacking = bubblewrap.reason_against()
            self._forget_the_child()
        if lacking is not None:
            self._begins(offered, room=None)
        found, child = self._protection, self._child
        if found is None or child is None or self._stopped:
            reason = self._ended or self._ending or f"it did not answer within {_START_TIMEOUT_S:g} s"
            self.close()
            raise SandboxError(f"The process for code cells could not be started: {reason}")
        if not found.jailed and not self._unsafe:
            self.close()
            raise SandboxError(_no_jail(found))
        self._watch(child)
        if lacking is None:
            return replace(found, layers=(bubblewrap.LAYER, *found.layers))
        return replace(found, missing=(*found.missing, lacking))

    def _begins(self, offered: dict[str, str], room: list[str] | None) -> bool:
        """Start a child and wait until it is locked in; whether it says so. Raises `SandboxError`."""
        try:
            child = self._child = Child(self._context, self, room)
            self._send_start(child, offered, in_room=room is not None)
        except (OSError, RuntimeError) as error:
            self.close()
            raise SandboxError(f"The process for code cells could not be started: {error}.") from error
        with self._changed:
            self._changed.wait_for(lambda: self._protection or self._ended or self._stopped, _START_TIMEOUT_S)
            return self._protection is not None

    def _send_start(self, child: Child, offered: dict[str, str], *, in_room: bool) -> None:
        message = {
            "parent_pid": _OUT_OF_SIGHT_PID if in_room else os.getpid(),
            "user_number": child.user_number,
            "own_users": in_room and os.geteuid() != 0,
            "packages": offered,
            "functions": sorted(self._functions),
            "question": self._question,
            "memory_mb": self._limits.memory_mb,
            "max_text_bytes": self._limits.max_text_bytes,
            "captured_chars": self._limits.captured_chars,
        }
        try:
            child.send({"start": message})
        except OSError:
            child.kill()  # if it is not gone already; `on_end` says why

    def _never_spoke(self) -> bool:
        """Whether not a word came from the Python inside: then it is bubblewrap that does not work."""
        return not self._stopped and self._child is not None and not self._child.spoke

    def _forget_the_child(self) -> None:
        """After a start that failed, as if there had been none."""
        self._end("It did not work in bubblewrap.")
        if self._child is not None:
            self._child.join()
        with self._changed:
            self._child = self._ended = self._ending = None
            self._said_at_start = HeadAndTail(_SAID_CHARS)
            self._gone = threading.Event()

    def execute(self, code: str) -> CellResult:
        """Run one cell and wait for its end. Raises `SandboxError` if there is no child to run it."""
        with self._changed:
            if self._stopped:
                return CellResult("cancelled", "", 0, error="The run was cancelled before this cell began.")
            child = self._living_child()
            self._cells += 1
            cell = self._cell = RunningCell(self._cells, HeadAndTail(self._limits.captured_chars))
        try:
            cell.replaced = child.send({"execute": code, "cell": cell.number})
        except wire.FrameTooLarge as error:
            self._cell = None
            return CellResult("failed", "", 0, error=f"The code was not run. {error}")
        except OSError:
            child.kill()
        with self._changed:
            while cell.result is None and self._ended is None:
                self._changed.wait(cell.time_left(self._limits, time.monotonic(), self._run_left_s()))
                self._press(child, cell)
            self._cell = None
            return cell.result or self._lost(cell)

    def stop(self) -> None:
        """Cancel: kill the child at once. From any thread, at any moment."""
        self._stopped = True
        self._end("The run was cancelled.")

    def close(self) -> None:
        """End the child and reap it. As often as you like."""
        self._end("The sandbox was closed.")
        if self._child is not None:
            self._child.join()

    # What the child does, told on its listening thread.

    def on_message(self, message: Json, size_bytes: int) -> None:
        if "ask" in message:
            self._take_request(message, size_bytes)
        elif "done" in message:
            self._take_result(message["done"], message.get("cell"))
        elif "ready" in message and self._protection is None:
            with self._changed:
                self._protection = claims.protection(message["ready"])
                self._changed.notify_all()
        elif "failed" in message and self._protection is None:
            self._ending = str(message["failed"])
        else:
            raise wire.BrokenFrame("a message that has no place here")

    def on_output(self, text: str) -> None:
        if (cell := self._cell) is not None:
            cell.output.add(text)
        elif self._protection is None:
            self._said_at_start.add(text)

    def on_end(self, exit_code: int, error: Exception | None) -> None:
        self._gone.set()
        with self._changed:
            if error is not None:
                self._ended = claims.broke_the_line(error)
            elif self._protection is None:
                self._ended = self._ending or claims.died_at_start(exit_code, self._said_at_start.text())
            else:
                self._ended = self._ending or claims.how_it_died(exit_code)
            self._changed.notify_all()

    def _take_result(self, done: Any, number: Any) -> None:
        with self._changed:
            cell = self._cell
            if cell is None or cell.result is not None or number != cell.number or not isinstance(done, dict):
                raise wire.BrokenFrame("the end of a cell that is not running")
            result = claims.cell_result(done, cell.output, self._limits, over_time=cell.interrupted_at is not None)
            cell.result = replace(result, replaced=result.replaced + cell.replaced)
            self._changed.notify_all()

    def _take_request(self, message: Json, size_bytes: int) -> None:
        number, service, arguments = message["ask"], message.get("service"), message.get("arguments")
        if not (claims.is_number(number) and isinstance(service, str) and isinstance(arguments, dict)):
            raise wire.BrokenFrame("a request of an unknown form")
        request = _Request(number, service, arguments, size_bytes)
        with self._changed:
            cell = self._cell
            refusal = self._refusal(cell, request)
            if cell is not None and refusal is None:
                self._begin(cell, request)
        if cell is None or refusal is not None:
            self._reply({"reply": number, "error": refusal})
            return
        try:
            threading.Thread(target=self._serve, args=(request, cell), name=f"sandbox-{service}", daemon=True).start()
        except RuntimeError as error:
            self._finish(cell, request)
            words = f"The program has no thread left for this request ({error}). Ask for fewer things at once."
            self._reply({"reply": number, "error": words})

    def _refusal(self, cell: RunningCell | None, request: _Request) -> str | None:
        if cell is None or cell.result is not None:
            return "The cell that asked has ended; nothing is done for its threads any more."
        if request.service not in self._functions:
            return f"{request.service} is not available here."
        if cell.interrupted_at is not None:
            return "The cell is over its time limit."
        return self._in_flight.refusal(request.size_bytes)

    def _begin(self, cell: RunningCell, request: _Request) -> None:
        """`self._changed` is held."""
        self._in_flight.begin(request.size_bytes)
        if request.service in _OFF_THE_CLOCK:
            cell.begin_waiting()

    def _finish(self, cell: RunningCell, request: _Request) -> None:
        with self._changed:
            self._in_flight.end(request.size_bytes)
            if request.service in _OFF_THE_CLOCK:
                cell.end_waiting()
                if not cell.awaited:
                    self._changed.notify_all()

    def _serve(self, request: _Request, cell: RunningCell) -> None:
        reply: Json = {"reply": request.number}
        try:
            reply["value"] = self._services.serve(request.service, request.arguments)
        except BaseException as error:  # whatever it is, the cell waits for a reply
            reply["error"] = str(error) or type(error).__name__
        self._finish(cell, request)
        self._reply(reply)

    def _reply(self, reply: Json) -> None:
        child = self._child
        if child is None:
            return
        try:
            child.send(reply)
        except OSError:
            return  # the child is gone; `on_end` tells whoever waits
        except (TypeError, ValueError) as error:
            self._reply({"reply": reply["reply"], "error": f"The reply could not be handed over: {error}"})

    # The clock and the end. `self._changed` is held.

    def _press(self, child: Child, cell: RunningCell) -> None:
        """Interrupt a cell that is over its time, end one that does not yield."""
        left = cell.time_left(self._limits, time.monotonic(), self._run_left_s())
        if cell.result is not None or left > 0:
            return
        if cell.interrupted_at is None:
            cell.interrupted_at = time.monotonic()
            child.interrupt()
        else:
            self._ending = self._ending or claims.did_not_stop(self._limits)
            child.kill()
            self._changed.wait_for(lambda: self._ended is not None)

    def _lost(self, cell: RunningCell) -> CellResult:
        """The result of a cell whose child died."""
        status: Status = "cancelled" if self._stopped else "killed"
        return CellResult(status, cell.output.text(), cell.output.total, error=self._ended, replaced=cell.replaced)

    def _watch(self, child: Child) -> None:
        """End the child if it takes too much of the machine, for as long as it lives. Raises `SandboxError`."""
        watched = (
            child.pid,
            self._limits.memory_mb,
            self._gone,
            lambda reason: self._end(claims.took_too_much(reason)),
        )
        try:
            threading.Thread(target=usage.watch, args=watched, name=f"sandbox-watch-{child.pid}", daemon=True).start()
        except RuntimeError as error:
            self.close()
            raise SandboxError(f"The process for code cells could not be watched: {error}.") from error

    def _living_child(self) -> Child:
        if self._child is None or self._protection is None:
            raise SandboxError("The sandbox was not started.")
        if self._ended is not None or self._ending is not None:
            raise SandboxError(f"The sandbox is gone: {self._ended or self._ending} Start a new one.")
        if self._cell is not None:
            raise SandboxError("A cell is running in this sandbox; it runs one at a time.")
        return self._child

    def _end(self, reason: str) -> None:
        with self._changed:
            self._ending = self._ending or reason
            self._changed.notify_all()
        if self._child is not None:
            self._child.kill()


def _no_jail(found: Protection) -> str:
    return (
        f"Code cells cannot be held in on this machine: {'; '.join(found.missing)}. Use Linux 5.13 or later on x86_64 or "
        "aarch64. If you trust every document and every model of this run: --unsafe-sandbox, or Settings, Sandbox."
    )
