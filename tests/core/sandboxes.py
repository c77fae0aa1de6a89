"""Contexts on disk and services for tests that start real sandboxes."""

from __future__ import annotations

import json
import textwrap
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from rlm_core.sandbox.contract import ContextFiles


def write_context(folder: Path, documents: Iterable[tuple[Any, ...]]) -> ContextFiles:
    """A context of (path, text) or (path, text, units), laid out as a corpus does it: one after the other."""
    rows, position = [], 0
    files = ContextFiles(folder / "context.txt", folder / "context.json")
    with files.text.open("wb") as out:
        for path, text, *units in documents:
            data = text.encode("utf-8")
            place = {"path": path, "kind": "text", "start": position, "bytes": len(data)}
            rows.append({**place, "chars": len(text), "lines": text.count("\n") + 1})
            rows[-1] |= {"units": units[0]} if units else {}
            out.write(data)
            position += len(data)
    files.index.write_text(json.dumps({"documents": rows}), encoding="utf-8")
    return files


class Echo:
    """Answers every request at once and remembers it. A prompt with `fail` in it fails, one with `slow` takes a while."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.most_at_once = 0
        self._now = 0
        self._lock = threading.Lock()

    def serve(self, service: str, arguments: dict[str, Any]) -> Any:
        with self._lock:
            self.asked.append((service, arguments))
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
        try:
            return self._answers[service](self, arguments)
        finally:
            with self._lock:
                self._now -= 1

    def _replies(self, arguments: dict[str, Any]) -> list[dict[str, str]]:
        prompts = [each if isinstance(each, str) else each["prompt"] for each in arguments["prompts"]]
        if any("slow" in prompt for prompt in prompts):
            time.sleep(0.3)
        if "burst" in prompts[0]:
            raise ValueError("the budget of this run is used up")
        return [{"error": f"no reply to {each}"} if "fail" in each else {"text": f"re: {each}"} for each in prompts]

    _answers: dict[str, Callable[[Echo, dict[str, Any]], Any]] = {  # noqa: RUF012
        "llm_query": _replies,
        "rlm_query": _replies,
        "search": lambda self, arguments: [{"path": "a.txt", "text": arguments["query"]}] * arguments["k"],
        "record": lambda self, arguments: None,
        "budget": lambda self, arguments: {"calls": {"used": 1, "left": 9}},
    }


def without(system_call: str) -> str:
    """Code that makes a process and its children live in a kernel that lacks a system call, told by its number's place."""
    return textwrap.dedent(f"""
        import ctypes, os, struct
        from rlm_core.sandbox import seccomp
        numbers = {{"landlock": (444, 444), "prctl": (157, 167), "setresuid": (117, 147), "mount": (165, 40)}}[{system_call!r}]
        number = numbers[os.uname().machine == "aarch64"]
        checks = [(0x20, 0, 0, 0), (0x15, 1, 0, number), (0x06, 0, 0, 0x7FFF0000)]
        if {system_call!r} == "prctl":  # only its part that sets a filter
            checks += [(0x20, 0, 0, 16), (0x15, 1, 0, 22), (0x06, 0, 0, 0x7FFF0000)]
        program = b"".join(struct.pack("=HBBI", *each) for each in [*checks, (0x06, 0, 0, 0x00050016)])
        code = ctypes.create_string_buffer(program, len(program))
        libc = ctypes.CDLL(None)
        libc.prctl(38, 1, 0, 0, 0)
        assert libc.prctl(22, 2, struct.pack("@HP", len(program) // 8, ctypes.addressof(code)), 0, 0) == 0
    """)
