"""What a child says about a cell, checked and put into the contract's words.

The child is hostile: every field is looked at before it is believed to have its type. `BrokenFrame` means that it lies
about the shape of its own messages. Also the words for how a child died.
"""

from __future__ import annotations

import signal
from typing import Any, TypeGuard

from rlm_core.events import Status
from rlm_core.sandbox.capture import HeadAndTail
from rlm_core.sandbox.contract import CellLimits, CellResult, Protection
from rlm_core.sandbox.decoding import decode
from rlm_core.sandbox.wire import LINE_BROKE, BrokenFrame
from rlm_core.task import Json

_WAYS = frozenset({"answer", "FINAL", "FINAL_VAR", "SUBMIT"})
MAX_NUMBER = 2**53 - 1
"""What JSON numbers hold exactly everywhere; a count beyond it is no count."""
_LOST = "All variables are lost."
_MAX_VARIABLES = 10_000
_MAX_VARIABLE_CHARS = 1_000
"""Of its name, type and preview; the child's own are far shorter."""
_MAX_ERROR_CHARS = 100_000
_MAX_ANSWER_CHARS = 10_000_000


def cell_result(done: Json, output: HeadAndTail, limits: CellLimits, *, over_time: bool) -> CellResult:
    """The result of a cell that ended by itself or was interrupted: by the host if it is `over_time`, else by somebody at
    the keyboard, which is an error like others. Raises `BrokenFrame`."""
    output.skip(_number(done, "skipped"))
    output.add(_text(done, "tail"))
    error: str | None = None if done.get("error") is None else _cut(_text(done, "error"))
    status: Status = "ok" if done.get("status") == "ok" else "failed"
    if over_time and done.get("interrupted") is True:
        status, error = "timeout", _with_time_limit(error, limits)
    answer = _answer(done.get("answer"))
    if answer is not None and len(answer["text"]) > _MAX_ANSWER_CHARS:
        status, error = "failed", _too_long(answer["text"])
        answer = None
    return CellResult(
        status=status,
        output=output.text(),
        output_chars=output.total,
        error=error,
        variables=tuple(_variable(each) for each in _list(done, "variables")[:_MAX_VARIABLES]),
        answer=answer,
        touched_context=done.get("touched_context") is True,
        replaced=_number(done, "replaced"),
    )


def protection(ready: Json) -> Protection:
    """What the child found to hold it. Sent before any cell, so it is true. Raises `BrokenFrame`."""
    layers, missing = _list(ready, "layers"), _list(ready, "missing")
    return Protection(tuple(map(str, layers)), tuple(map(str, missing)), ready.get("jailed") is True)


def did_not_stop(limits: CellLimits) -> str:
    return (
        f"The cell did not stop: it ran into its time limit of {limits.timeout_s:g} s, was interrupted, went on for "
        f"another {limits.grace_s:g} s, and its process was ended. {_LOST}"
    )


def took_too_much(reason: str) -> str:
    return f"{reason} Its process was ended. {_LOST}"


def broke_the_line(error: Exception) -> str:
    return f"The cell broke the line to the program around it ({error}), so its process was ended. {_LOST}"


def died_at_start(exit_code: int, output: str) -> str:
    said = f" It said: {output.strip()}" if output.strip() else ""
    return f"it ended at once (exit code {exit_code}).{said}"


def how_it_died(exit_code: int) -> str:
    """Words for the exit code of a child that nobody here ended; negative codes are signals."""
    if exit_code == LINE_BROKE:
        return f"The cell broke the line to the program around it, and its process ended. {_LOST}"
    if exit_code >= 0:
        return f"The cell ended its own process (exit code {exit_code}). {_LOST}"
    if -exit_code == signal.SIGKILL:
        return f"The cell's process was killed from outside, perhaps because the machine ran out of memory. {_LOST}"
    try:
        name = signal.Signals(-exit_code).name
    except ValueError:
        name = f"signal {-exit_code}"
    return f"The cell crashed Python itself ({name}). {_LOST}"


def _with_time_limit(error: str | None, limits: CellLimits) -> str:
    text = (
        f"The cell was interrupted at its time limit of {limits.timeout_s:g} s (waiting for models does not count). "
        "Variables assigned before that are kept. Do less in one cell."
    )
    return f"{error}\n{text}" if error else text


def _cut(error: str) -> str:
    """Head and tail of an error that is longer than any traceback."""
    kept = HeadAndTail(_MAX_ERROR_CHARS)
    kept.add(error)
    return kept.text()


def _too_long(answer: str) -> str:
    return (
        f"The answer has {len(answer):,} characters; at most {_MAX_ANSWER_CHARS:,} are taken. Answer with what decides the "
        "question."
    )


def _answer(answer: Any) -> Json | None:
    if answer is None:
        return None
    if not isinstance(answer, dict) or _text(answer, "how") not in _WAYS:
        raise BrokenFrame("an answer of an unknown form")
    return {"value": decode(answer.get("value")), "text": _text(answer, "text"), "how": answer["how"]}


def _variable(row: Any) -> Json:
    if not isinstance(row, dict):
        raise BrokenFrame("a variable that is no object")
    size = row.get("size")
    return {
        "name": _text(row, "name")[:_MAX_VARIABLE_CHARS],
        "type": _text(row, "type")[:_MAX_VARIABLE_CHARS],
        "size": size if is_number(size) else None,  # a `range` may be longer than any number that is believed
        "preview": _text(row, "preview")[:_MAX_VARIABLE_CHARS],
        "change": "changed" if row.get("change") == "changed" else "new",
    }


def _text(fields: Json, name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str):
        raise BrokenFrame(f"{name} is no text")
    return value


def _number(fields: Json, name: str) -> int:
    value = fields.get(name)
    if not is_number(value):
        raise BrokenFrame(f"{name} is no number that can be true")
    return value


def is_number(value: Any) -> TypeGuard[int]:
    """Whether it is a whole number that a count or an id can have."""
    return type(value) is int and 0 <= value <= MAX_NUMBER


def _list(fields: Json, name: str) -> list[Any]:
    value = fields.get(name)
    if not isinstance(value, list):
        raise BrokenFrame(f"{name} is no list")
    return value
