"""Has files read by a process of its own: where a parser hangs or crashes, it costs the file and nothing else.

One process serves many files; it is started for the first, killed and started anew after a file that was too much for it.

Covered: time and memory of a conversion; answers that are none; a process that dies; a parent that dies (the process ends
with its input, and with its processor time while it works). Not covered: what the process may read on this machine.

Refuses to know formats: `formats/` does.
"""

from __future__ import annotations

import json
import signal
import subprocess
import threading
from contextlib import suppress
from typing import IO, Any, cast

from rlm_core.corpus.encoding import Bytes
from rlm_core.corpus.limits import Refused
from rlm_core.corpus.processes import start
from rlm_core.corpus.reading import Inside, Reading
from rlm_core.corpus.report import ItemStatus

MIB = 1024 * 1024
_MODULE = "rlm_core.corpus.convert_process"
_PATIENCE_S = {"eml": 10.0, "html": 10.0}
"""How long a small file may take. A page of HTML or a mail is read at once or never; others may hold thousands of pages."""
_MORE_PATIENCE_S = 60.0
_BYTES_PER_S = MIB // 2
"""Large files take longer: the slowest machine that we wait for."""
_MAX_END_S = 0.5
_MAX_HEAD_BYTES = 100
_MAX_ANSWER_BYTES = 1024 * MIB


class Converter:
    """A process that converts one file after the other. For one thread; to be closed."""

    def __init__(self, timeout_s: float | None = None, memory_mb: int = 2048) -> None:
        """`timeout_s`: for a small file, by its kind if not given; large ones get more."""
        self._timeout_s = timeout_s
        self._memory_mb = memory_mb
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """Process id, while there is a process."""
        return self._process.pid if self._process else None

    def read(self, kind: str, data: Bytes) -> Reading:
        """What a file holds. Raises `Refused`, also where the process took too long or crashed."""
        small_s = _PATIENCE_S.get(kind, _MORE_PATIENCE_S) if self._timeout_s is None else self._timeout_s
        timeout_s = small_s + len(data) / _BYTES_PER_S
        process = self._running()
        over_time = threading.Event()

        def give_up() -> None:
            over_time.set()
            process.kill()

        timer = threading.Timer(timeout_s, give_up)
        timer.start()
        try:
            return _exchange(process, kind, data, timeout_s)
        except (OSError, ValueError, TypeError, LookupError) as error:
            aborted = self._has_aborted()
            self.close()
            if aborted and not over_time.is_set():
                raise Refused(
                    "too-large", f"Reading it takes more memory than the {self._memory_mb:,} MB that it may have."
                ) from error
            if over_time.is_set():
                raise Refused("timeout", f"Reading it took longer than {timeout_s:.0f} s and was given up.") from error
            raise Refused("malformed", "The file is damaged: the program that reads it crashed over it.") from error
        finally:
            timer.cancel()
            timer.join()

    def close(self) -> None:
        """End the process. As often as you like."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            with suppress(BrokenPipeError):  # the rest of a file that it will not read
                cast(IO[bytes], process.stdin).close()
            cast(IO[bytes], process.stdout).close()
            process.wait()

    def _has_aborted(self) -> bool:
        """Whether the process has ended itself, which libraries that are not written in Python do for want of memory."""
        try:
            return self._process is not None and self._process.wait(_MAX_END_S) == -signal.SIGABRT
        except subprocess.TimeoutExpired:
            return False

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is not None:
            self.close()
        if self._process is None:
            try:
                self._process = start(_MODULE, str(self._memory_mb))
            except OSError as error:
                raise Refused("malformed", f"The program that reads it could not be started: {error}.") from error
        return self._process


def _exchange(process: subprocess.Popen[bytes], kind: str, data: Bytes, timeout_s: float) -> Reading:
    """Raises `Refused`; `OSError`, `ValueError`, `TypeError` or `LookupError` if there is no proper answer."""
    requests, answers = cast(IO[bytes], process.stdin), cast(IO[bytes], process.stdout)
    requests.write(f"{kind} {len(data)} {timeout_s:.0f}\n".encode())
    for at in range(0, len(data), MIB):
        requests.write(data[at : at + MIB])
    requests.flush()
    status, facts_size, text_size = answers.readline(_MAX_HEAD_BYTES).decode("ascii").split()
    facts = json.loads(_exactly(answers, int(facts_size)))
    if status != "read":
        raise _refusal(status, *facts)
    text = _exactly(answers, int(text_size)).decode("utf-8")
    return Reading.of(text, facts, tuple(Inside(str(name), _exactly(answers, size)) for name, size in facts["inside"]))


def _exactly(answers: IO[bytes], size: int) -> bytes:
    if not 0 <= size <= _MAX_ANSWER_BYTES:
        raise ValueError("An answer of absurd length.")
    answer = answers.read(size)
    if len(answer) != size:
        raise ValueError("An answer that is cut off.")
    return answer


def _refusal(status: str, kind: ItemStatus, reason: Any) -> Refused:
    return Refused(kind, str(reason) if status == "refused" else f"The file could not be read ({reason}).")
