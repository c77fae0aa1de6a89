"""The contract between a frame and its sandbox: what goes in, what comes out, and who may ask whom.

The host (`host.py`) and the child (`worker.py`) speak length-framed JSON with request ids over a socketpair. The frame sees
only this file: it hands over code and gets a `CellResult`; while a cell runs, the child may ask the host for a service, and
the host answers through the frame's `Services`. Every question is answered, with a failure if need be.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from rlm_core.events import Status
from rlm_core.task import Json
from rlm_core.tokens import MAX_TEXT_BYTES


@dataclass(frozen=True, slots=True)
class CellLimits:
    """Bounds of one cell; the clock stops while the cell waits for models or a search."""

    timeout_s: float = 60.0
    grace_s: float = 2.0
    """How long an interrupted cell may take to yield before the child is killed."""
    memory_mb: int = 2048
    max_text_bytes: int = MAX_TEXT_BYTES
    """A document with more comes to the code in parts."""
    captured_chars: int = 1_000_000
    """Output kept of a cell: whole up to this, else head and tail with the number of characters between them."""


@dataclass(frozen=True, slots=True)
class CellResult:
    """What became of a cell. After `killed` the sandbox is gone and every later `execute` raises `SandboxError`."""

    status: Status
    output: str
    output_chars: int
    error: str | None = None
    """Traceback with line numbers of the cell, ending with advice where the mistake is a known one."""
    variables: tuple[Json, ...] = ()
    """New or changed variables: `{"name", "type", "size", "preview", "change"}`."""
    answer: Json | None = None
    """`{"value": JSON value, "text": str, "how": "answer" | "FINAL" | "FINAL_VAR" | "SUBMIT"}` once the code gave one."""
    touched_context: bool = False
    """The cell read `context` in some way."""
    replaced: int = 0
    """Lone surrogates that became U+FFFD."""


class Services(Protocol):
    """What the host does for a running cell. Called on a thread of its own per request; must be safe to call at once."""

    def serve(self, service: str, arguments: Json) -> Any:
        """Answer one request of the child with a JSON value.

        `service` is one of
            `llm_query`    `{"prompts": [str], "model": str | None}` -> list, one a prompt: `{"text": str}` or `{"error": str}`
            `rlm_query`    `{"prompts": [{"prompt": str, "context": any}], "model": str | None}` -> the same
            `search`       `{"query": str, "k": int}` -> list of hits
            `record`       `{"item", "label", "quote", "source", "note"}` -> None
            `budget`       `{}` -> dict
        An exception becomes an error in the cell that asked; its text is shown to the model.
        """
        ...


@dataclass(frozen=True, slots=True)
class Protection:
    """What keeps a cell in on this machine, in plain words: one line for each layer, and whether there is a jail at all."""

    layers: tuple[str, ...]
    missing: tuple[str, ...]
    jailed: bool

    def in_words(self) -> str:
        """One sentence for the run's header and for Settings."""
        held = "; ".join(self.layers) if self.layers else "nothing"
        lacks = f" Not on this machine: {'; '.join(self.missing)}." if self.missing else ""
        return f"Cells are held by: {held}.{lacks}"


@dataclass(frozen=True, slots=True)
class ContextFiles:
    """The frame's context on disk: UTF-8 text, and the table of documents that says where each one lies in it.

    `index` is JSON: `{"documents": [{"path": str, "kind": str, "start": int, "bytes": int, "chars": int, "lines": int,
    "units": [kind, [label, start, end], ...]}]}`; `start` and `bytes` are offsets in `text`, those of units characters of the
    document, which may have none. One document is shown to the code as a `Document(str)`, several, or the parts of one that
    is too large, as a list-like of them.
    """

    text: Path
    index: Path
