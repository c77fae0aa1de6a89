"""The child: one Python process that holds the state of one frame's cells and runs them one after another.

Started by `spawn.py`. The main thread runs cells; a second thread reads the line to the host and hands each reply to the
thread that asked. Refuses to know models, corpora and stores: whatever a cell wants, it asks the host for.

Messages from the host: `{"start": ...}`, `{"execute": code, "cell": n}`, `{"reply": id, "value" | "error": ...}`.
Messages to the host: `{"ready": ...}` or `{"failed": text}`, `{"ask": id, "service": ..., "arguments": ...}`,
`{"done": ..., "cell": n}`.
"""

from __future__ import annotations

import builtins
import gc
import os
import sys
from _signal import SIG_UNBLOCK, SIGINT, pthread_sigmask, signal  # type: ignore[import-not-found]  # what `signal` wraps in enumerations
from _socket import socket
from _thread import LockType, allocate_lock, get_ident, stack_size, start_new_thread

from rlm_core.sandbox import context, importing, jail, namespace, wire
from rlm_core.sandbox.cell import compile_cell, names_in, run_cell
from rlm_core.sandbox.streams import Output, TextStream
from rlm_core.sandbox.trouble import explain
from rlm_core.sandbox.variables import Watch

TYPE_CHECKING = False  # as in `typing`, whose import would be a tenth of the child's start
if TYPE_CHECKING:
    from typing import Any, NoReturn

_THREAD_STACK_BYTES = 2 * 1024 * 1024
_RESERVE_BYTES = 16 * 1024 * 1024
_INTERRUPT = frozenset({SIGINT})
_INPUT_ADVICE = (
    "nobody can type here: input() does not work. Everything there is to know is in `question` and `context`"
)
_EXIT_ADVICE = "exit() does not end anything here: the variables stay. To finish, give an answer with FINAL(...)"


class Interrupts:
    """Turns the host's signal into KeyboardInterrupt, but only inside a cell and never in the middle of a message."""

    def __init__(self) -> None:
        self.armed = False
        self.fired = False
        self._shielded = False
        self._waiting = False
        self._main = get_ident()

    def handle(self, *_: object) -> None:
        if not self.armed:
            return
        if self._shielded:
            self._waiting = True
            return
        self.fired = True
        raise KeyboardInterrupt

    def shielded_send(self, channel: wire.Channel, message: dict[str, Any]) -> int:
        if get_ident() != self._main:  # signals are handled by the main thread only
            return channel.send(message)
        self._shielded = True
        try:
            return channel.send(message)
        finally:
            self._shielded = False
            if self._waiting:
                self._waiting = False
                self.handle()


class Line:
    """Requests to the host and their replies. Any thread may ask."""

    def __init__(self, channel: wire.Channel, interrupts: Interrupts) -> None:
        self.channel = channel
        self.replaced = 0
        self._interrupts = interrupts
        self._guard = allocate_lock()
        self._last = 0
        self._waiting: dict[int, LockType] = {}
        self._replies: dict[int, dict[str, Any]] = {}
        self._cells: list[dict[str, Any]] = []
        self._cell_there = allocate_lock()
        self._cell_there.acquire()

    def ask(self, service: str, arguments: dict[str, Any]) -> Any:
        """The host's answer. Raises `RuntimeError` with the host's text, and `ValueError` for what cannot be sent."""
        arrived = allocate_lock()
        arrived.acquire()
        with self._guard:
            self._last += 1
            number = self._last
            self._waiting[number] = arrived
        try:
            message = {"ask": number, "service": service, "arguments": arguments}
            self.replaced += self._interrupts.shielded_send(self.channel, message)
            arrived.acquire()
            reply = self._replies[number]
        finally:
            self._waiting.pop(number, None)
            self._replies.pop(number, None)
        if "error" in reply:
            raise RuntimeError(reply["error"])
        return reply.get("value")

    def read(self) -> NoReturn:
        """The reading thread: for as long as the host is there."""
        try:
            while (messages := self.channel.receive()) is not None:
                for message, _ in messages:
                    self._take(message)
            os._exit(0)
        except BaseException:  # out of step with the host: nothing can be said any more
            os._exit(wire.LINE_BROKE)

    def next_cell(self) -> dict[str, Any]:
        self._cell_there.acquire()
        return self._cells.pop()

    def _take(self, message: dict[str, Any]) -> None:
        if "execute" in message:
            self._cells.append(message)
            self._cell_there.release()
            return
        number = message["reply"]
        arrived = self._waiting.get(number)
        if arrived is not None:  # else whoever asked was interrupted
            self._replies[number] = message
            arrived.release()


class Session:
    """The state between cells."""

    def __init__(self, line: Line, interrupts: Interrupts, output: Output, start: dict[str, Any], use: context.Use):
        self._line = line
        self._interrupts = interrupts
        self._output = output
        self._use = use
        self._sources: dict[str, list[str]] = {}
        self._module = type(sys)("__main__")
        self.variables: dict[str, Any] = self._module.__dict__
        sys.modules["__main__"] = self._module
        offered = frozenset(start["functions"])
        self._packages = frozenset(start["packages"])
        self._names = namespace.function_names(offered)
        reserved = frozenset({*self._names, "context", "question", "answer"})
        self._answers = namespace.Answers(self.variables, reserved)
        self._watch = Watch(reserved)
        self._reserved: dict[str, Any] = {
            **namespace.functions(offered, line.ask, self._answers, use),
            "question": start["question"],
            "answer": self._answers.box,
        }
        self._named: set[str] = set()
        """The global names that the running cell uses."""
        self._reserve = bytes(_RESERVE_BYTES)

    def hold(self, corpus: Any) -> None:
        """Put the context in its place; the namespace is complete then."""
        self._reserved["context"] = corpus
        self.variables.update(self._reserved)

    def run(self, source: str, number: int) -> dict[str, Any]:
        """One cell; returns what the host is told of it."""
        name = f"cell {number}"
        self._sources[name] = source.splitlines()
        self._output.begin()
        self._line.replaced = 0
        self._use.begin()
        self._interrupts.fired = False
        self._named = set()
        signal(SIGINT, self._interrupts.handle)
        pthread_sigmask(SIG_UNBLOCK, _INTERRUPT)
        sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
        error = None
        try:
            self._interrupts.armed = True
            self._attempt(source, name)
            self._interrupts.armed = False
        except BaseException as problem:
            self._interrupts.armed = False
            error = self._explained(problem)
        try:
            return self._report(error)
        except MemoryError:  # the cell kept all there is, and caught the error itself
            self._reserve = b""
            return self._report(error)

    def _attempt(self, source: str, name: str) -> None:
        code = compile_cell(source, name)
        self._named = names_in(code, self.variables)
        if "context" in self._named:
            self._use.touched = True
        run_cell(code, self.variables)

    def _report(self, error: str | None) -> dict[str, Any]:
        answer = None
        try:
            answer = self._answers.collect()
        except Exception as problem:  # the cell's own classes make the text of the answer
            error = error or self._explained(problem)
        self._restore()
        if self._use.advice:
            self._output.write(f"[{self._use.advice}]\n")
        skipped, tail = self._output.end()
        return {
            "status": "ok" if error is None else "failed",
            "interrupted": self._interrupts.fired,
            "error": error,
            "answer": answer,
            "variables": self._watch.changes(self.variables, self._named),
            "touched_context": self._use.touched,
            "skipped": skipped,
            "tail": tail,
            "replaced": self._output.replaced + self._line.replaced,
        }

    def _explained(self, problem: BaseException) -> str:
        if isinstance(problem, MemoryError):
            self._reserve = b""  # room to say so
        try:
            if isinstance(problem, SystemExit):
                return f"SystemExit: {_EXIT_ADVICE}"
            return explain(problem, self._sources, self._names, self._packages)
        except Exception as trouble:  # the cell's own classes take part in the text
            return f"{type(problem).__name__} (its traceback cannot be shown: {type(trouble).__name__})"

    def _restore(self) -> None:
        """Reserved names get their values back; the reserve of memory is filled up again."""
        for name, original in self._reserved.items():
            if self.variables.get(name) is not original:
                self._note(name)
                self.variables[name] = original
        if not self._reserve:
            try:
                self._reserve = bytes(_RESERVE_BYTES)
            except MemoryError:
                self._output.write("[memory is nearly full: `del` large variables]\n")

    def _note(self, name: str) -> None:
        if name == "answer" and not isinstance(self.variables.get(name), dict):
            hint = '; to finish: answer["content"] = ...; answer["ready"] = True'
        else:
            hint = ""
        self._output.write(f"[{name} was reassigned; it holds the original again{hint}]\n")


def main(line_descriptor: int, text_descriptor: int, index_descriptor: int) -> None:
    """Set up, lock in, and run cells until the host is gone. Standard output must be the pipe to the host."""
    channel = wire.Channel(socket(fileno=line_descriptor))
    try:
        first = _first_message(channel)
        session, line, ready = _set_up(channel, first["start"], text_descriptor, index_descriptor)
    except Exception as error:
        channel.send({"failed": f"{type(error).__name__}: {error}"})
        return
    gc.enable()
    start_new_thread(line.read, ())
    channel.send({"ready": ready})
    try:
        while True:
            message = line.next_cell()
            _send_done(channel, session.run(message["execute"], message["cell"]), message["cell"])
    except BaseException:  # nothing can be said any more, and a traceback would show paths of this machine
        os._exit(wire.LINE_BROKE)


def _first_message(channel: wire.Channel) -> dict[str, Any]:
    while (messages := channel.receive()) is not None:
        if messages:
            return messages[0][0]
    os._exit(0)


def _set_up(
    channel: wire.Channel, start: dict[str, Any], text_descriptor: int, index_descriptor: int
) -> tuple[Session, Line, dict[str, Any]]:
    interrupts = Interrupts()
    signal(SIGINT, interrupts.handle)
    stack_size(_THREAD_STACK_BYTES)  # else a few hundred threads of a cell would use up its memory
    for variable in ("LC_CTYPE", "PWD"):  # set by Python itself, and by bubblewrap
        os.environ.pop(variable, None)
    sys.argv, sys.orig_argv = [""], [""]
    use = context.Use()
    corpus = context.load(text_descriptor, index_descriptor, use, start["max_text_bytes"])
    output = Output(1, start["captured_chars"])
    sys.stdout = sys.__stdout__ = TextStream(output, 1)  # type: ignore[misc, assignment]
    sys.stderr = sys.__stderr__ = TextStream(output, 2)  # type: ignore[misc, assignment]
    builtins.input = _refuse(EOFError, _INPUT_ADVICE)
    builtins.exit = builtins.quit = _refuse(SystemExit, _EXIT_ADVICE)
    line = Line(channel, interrupts)
    session = Session(line, interrupts, output, start, use)
    session.hold(corpus)
    importing.offer(start["packages"])
    return session, line, jail.apply(start)


def _refuse(error: type[BaseException], text: str) -> Any:
    def refuse(*_: object, **__: object) -> NoReturn:
        raise error(text)

    return refuse


def _send_done(channel: wire.Channel, done: dict[str, Any], number: int) -> None:
    try:
        _, replaced = wire.pack({"done": done, "cell": number})
    except wire.FrameTooLarge as error:
        done |= {"answer": None, "status": "failed", "error": f"The answer is too large to hand over. {error}"}
        replaced = 0
    done["replaced"] += replaced
    channel.send({"done": done, "cell": number})
