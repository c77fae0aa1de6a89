"""The Python session of one frame: cells run in it one after the other, and a session that dies is made again.

What earlier cells made is rebuilt by running them once more, with the same answers from the host as they had then; nothing
is recorded and nothing is paid. It knows the sandbox and what the host answered; it refuses to know models and events.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from rlm_core.errors import SandboxError
from rlm_core.sandbox.contract import CellResult, Services
from rlm_core.sandbox.host import Sandbox
from rlm_core.task import Json

MakeSandbox = Callable[[Services], Sandbox]
"""A started sandbox for these services. Raises `SandboxError`."""

_ADDRESS = re.compile(r"\b0x[0-9a-f]{6,16}\b")


@dataclass(slots=True)
class _Past:
    """A cell that was run, and what the host answered it, by request in the order in which it came."""

    code: str
    answers: dict[str, list[tuple[bool, Any]]] = field(default_factory=dict)
    """By what was asked: whether it was answered, and the answer, or else why not."""
    result: CellResult | None = None


class _Remembering:
    """`Services` that keep what they answered, and answer the same again while the session is rebuilt."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._lock = threading.Lock()
        self._now: _Past | None = None
        self._again: dict[str, list[tuple[bool, Any]]] | None = None

    def watch(self, past: _Past) -> None:
        """From now on keep the answers in `past`."""
        with self._lock:
            self._now, self._again = past, None

    def repeat(self, past: _Past) -> None:
        """From now on answer as in `past`."""
        with self._lock:
            self._again = {key: list(answers) for key, answers in past.answers.items()}

    def serve(self, service: str, arguments: Json) -> Any:
        key = _key(service, arguments)
        with self._lock:
            past, again = self._now, self._again
            if again is not None:
                waiting = again.get(key)
                if not waiting:
                    raise SandboxError("This was not asked when the cell ran before, so there is no answer to it.")
                answered, answer = waiting.pop(0)
                if not answered:
                    raise SandboxError(answer)
                return answer
        try:
            answer = self._services.serve(service, arguments)
        except BaseException as error:
            self._keep(past, key, (False, str(error)))
            raise
        self._keep(past, key, (True, answer))
        return answer

    def _keep(self, past: _Past | None, key: str, answer: tuple[bool, Any]) -> None:
        if past is not None:
            with self._lock:
                past.answers.setdefault(key, []).append(answer)


class Session:
    """Runs the cells of one frame. `on_rebuilt` is told in words what became of the variables after a session had died."""

    def __init__(self, make: MakeSandbox, services: Services, on_rebuilt: Callable[[str], None]) -> None:
        self._make = make
        self._services = _Remembering(services)
        self._on_rebuilt = on_rebuilt
        self._sandbox: Sandbox | None = None
        self._past: list[_Past] = []

    def execute(self, code: str) -> CellResult:
        """Run one cell. After `killed` the session is there again as it was before the cell, as the result's error says;
        raises `SandboxError` if that cannot be done."""
        sandbox = self._sandbox = self._sandbox or self._make(self._services)
        if sandbox.is_gone:  # a thread that an earlier cell has left behind took the process with it
            self._on_rebuilt(self._rebuild())
            sandbox = self._sandbox or sandbox
        past = _Past(code)
        self._services.watch(past)
        result = past.result = sandbox.execute(code)
        if result.status != "killed":
            self._past.append(past)
            return result
        said = self._rebuild()
        self._on_rebuilt(said)
        return replace(result, error=f"{(result.error or 'The session died.').rstrip()}\n{said}")

    def close(self) -> None:
        """End the session. Idempotent, and quiet while a cell waits."""
        if self._sandbox is not None:
            self._sandbox.close()

    def _rebuild(self) -> str:
        """A new session in which the earlier cells were run again, in words."""
        self.close()
        sandbox = self._sandbox = self._make(self._services)
        differing = []
        for number, past in enumerate(self._past, 1):
            self._services.repeat(past)
            result = sandbox.execute(past.code)
            if result.status in ("killed", "cancelled"):
                raise SandboxError(
                    f"The Python session was lost, and so was the one that was to replace it: {result.error or ''}".strip()
                )
            if past.result is not None and not same_result(past.result, result):
                differing.append(str(number))
        if not self._past:
            return "This was the first cell: the session was started again, with no variables."
        cells = f"your {len(self._past)} earlier cell{'s were' if len(self._past) > 1 else ' was'} run again"
        if differing:
            return (
                f"The session was started again and {cells}; cell {', '.join(differing)} printed something else than "
                "before, so check your variables before you go on."
            )
        return f"The session was started again and {cells}: the variables from before this cell are there."


def same_result(before: CellResult, now: CellResult) -> bool:
    """Whether a cell did what it had done. What a cell printed before its time was up is a matter of speed."""
    return before.status == now.status and (
        before.status not in ("ok", "failed") or comparable(before.output) == comparable(now.output)
    )


def apart(before: str, now: str, chars: int = 400) -> tuple[str, str]:
    """Two outputs from where they part, each with as much of what follows as can be shown."""
    before, now = comparable(before), comparable(now)
    at = next((at for at, (a, b) in enumerate(zip(before, now, strict=False)) if a != b), min(len(before), len(now)))
    start = max(0, at - 40)
    return before[start : start + chars], now[start : start + chars]


def comparable(output: str) -> str:
    """Without addresses in memory, which differ from one process to the next."""
    return _ADDRESS.sub("0x", output)


def _key(service: str, arguments: Json) -> str:
    asked = json.dumps([service, arguments], sort_keys=True, default=str)
    return hashlib.sha256(asked.encode("utf-8", "replace")).hexdigest()
