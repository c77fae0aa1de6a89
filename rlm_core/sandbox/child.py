"""One child process as the host holds it: its line, its output, its death.

Knows descriptors and processes. Refuses to know cells: messages and output are handed on.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import struct
import threading
import time
from codecs import getincrementaldecoder
from collections.abc import Sequence
from typing import Protocol

from rlm_core.sandbox import spawn, wire
from rlm_core.sandbox.contract import ContextFiles
from rlm_core.task import Json

_SEND_TIMEOUT_S = 60.0
"""A child that has not read its line for so long will not read it again."""
_EXIT_WAIT_S = 1.0
_READ_BYTES = 1 << 16
_MAX_DRAINED_BYTES = 64 * 1024 * 1024
_CREDENTIALS = struct.Struct("3i")
"""Process, user and group, as the kernel vouches for them."""


class Listener(Protocol):
    """Who is told what a child does, on the child's listening thread."""

    def on_message(self, message: Json, size_bytes: int) -> None:
        """May raise `BrokenFrame`, which ends the child. All output sent before the message was handed over before it."""

    def on_output(self, text: str) -> None: ...

    def on_end(self, exit_code: int, error: Exception | None) -> None:
        """The child is dead and reaped. `error` is set if it was ended because it broke the line."""


class Child:
    """A running child. Every method may be called from any thread, at any time, also after its death."""

    def __init__(self, context: ContextFiles, listener: Listener, room: Sequence[str] | None = None) -> None:
        """Start the process, with `room` in bubblewrap and with these paths in sight. Raises `OSError`, and `RuntimeError`
        if no thread can be started to listen to it."""
        self._listener = listener
        self._in_room = room is not None
        self._inner: int | None = None
        """In a room, the descriptor of Python's own process, which is the child of bubblewrap's."""
        self._life = threading.Lock()
        self._decoder = getincrementaldecoder("utf-8")("replace")
        with contextlib.ExitStack() as ours:
            text = ours.enter_context(context.text.open("rb"))
            index = ours.enter_context(context.index.open("rb"))
            near, far = socket.socketpair()
            ours.enter_context(far)
            self._output, output_end = os.pipe()
            ours.callback(os.close, output_end)
            self._channel = wire.Channel(near)
            if self._in_room:
                near.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
            try:
                self._process = spawn.spawn(far.fileno(), text.fileno(), index.fileno(), output_end, room)
            except OSError:
                near.close()
                os.close(self._output)
                raise
        self.pid = self._process.pid
        """Of Python's own process; in a room that of bubblewrap, until Python has said its first word."""
        self.spoke = False
        """Python has sent its first message."""
        self._near = near
        near.settimeout(_SEND_TIMEOUT_S)
        os.set_blocking(self._output, False)
        self._thread = threading.Thread(target=self._listen, name=f"sandbox-{self._process.pid}", daemon=True)
        try:
            self._thread.start()
        except RuntimeError:
            self._process.kill()
            self._process.wait()
            self._channel.close()
            os.close(self._output)
            raise

    @property
    def user_number(self) -> int:
        """A number that no other living child has."""
        return self._process.pid

    def send(self, message: Json) -> int:
        """Returns how many lone surrogates were replaced. Raises `FrameTooLarge`, `TypeError` or `ValueError` for what
        cannot be sent, `OSError` if the child is gone; a child that does not read is ended."""
        try:
            return self._channel.send(message)
        except TimeoutError:
            self.kill()
            raise

    def interrupt(self) -> None:
        self._signal(signal.SIGINT)

    def kill(self) -> None:
        self._signal(signal.SIGKILL)

    def join(self) -> None:
        """Wait until a killed child is reaped and `on_end` has returned."""
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _signal(self, number: int) -> None:
        # Under the lock that reaping holds, or the number could belong to another process by now.
        with self._life:
            if self._process.returncode is not None:
                return
            if self._inner is None:
                # Before Python runs, a room is ended as a whole; there is nothing to interrupt in it.
                if not self._in_room or number == signal.SIGKILL:
                    os.kill(self._process.pid, number)
                return
            try:
                signal.pidfd_send_signal(self._inner, number)
            except ProcessLookupError:
                return  # it has ended, and its room is ending

    def _listen(self) -> None:
        error: Exception | None = None
        try:
            self._read_until_the_end()
        except Exception as broken:  # whatever reading a hostile message has led to: the child is ended
            error = broken
            self.kill()
        finally:
            exit_code = self._reap()
            self._drain()
            os.close(self._output)
            self._channel.close()
            if self._inner is not None:
                os.close(self._inner)
            self._listener.on_end(exit_code, error)

    def _find_inner(self) -> None:
        """In a room: learn from the kernel which process has sent the first message. Raises `OSError`."""
        _, ancillary, _, _ = self._near.recvmsg(1, socket.CMSG_SPACE(_CREDENTIALS.size), socket.MSG_PEEK)
        for level, kind, data in ancillary:
            if (level, kind) == (socket.SOL_SOCKET, socket.SCM_CREDENTIALS):
                pid = _CREDENTIALS.unpack_from(data)[0]
                with self._life:
                    self._inner, self.pid = os.pidfd_open(pid), pid
        self._near.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 0)

    def _read_until_the_end(self) -> None:
        poll = select.poll()
        poll.register(self._channel, select.POLLIN)
        poll.register(self._output, select.POLLIN)
        while True:
            ready = {descriptor for descriptor, _ in poll.poll()}
            if self._output in ready and not self._drain():
                poll.unregister(self._output)
            if self._channel.fileno() in ready:
                if self._in_room and self._inner is None:
                    self._find_inner()
                messages = self._channel.receive()
                if messages is None:
                    return
                # What was written before a message was sent is in the pipe by now.
                self._drain()
                for message, size_bytes in messages:
                    self.spoke = True
                    self._listener.on_message(message, size_bytes)

    def _drain(self) -> bool:
        """Hand on what is in the pipe; false at its end. Bounded, because a thread of a cell may write for ever."""
        drained = 0
        while drained < _MAX_DRAINED_BYTES:
            try:
                data = os.read(self._output, _READ_BYTES)
            except BlockingIOError:
                return True
            if not data:
                return False
            drained += len(data)
            self._listener.on_output(self._decoder.decode(data))
        return True

    def _reap(self) -> int:
        """Take the exit code; a child that closed its end of the line and lives on is ended."""
        patience_until = time.monotonic() + _EXIT_WAIT_S
        while True:
            with self._life:
                exit_code = self._process.poll()
            if exit_code is not None:
                # bubblewrap passes on the death of what it ran as a shell does.
                return 128 - exit_code if self._in_room and exit_code > 128 else exit_code
            if time.monotonic() > patience_until:
                self._process.kill()
            time.sleep(0.001)
