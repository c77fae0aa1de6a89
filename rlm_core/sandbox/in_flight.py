"""How much a child has asked of the host and not been answered yet, and the bound of it.

Counts the requests of a whole sandbox: those of a cell that has ended still hold a thread and their arguments until they are
answered. Bytes are estimated by `wire.py` before the request is read. Not safe for threads: its owner locks.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class InFlight:
    max_requests: int = 1_024
    """Each has a thread of the host."""
    max_bytes: int = 256 * 1024 * 1024
    requests: int = 0
    bytes: int = 0

    def refusal(self, size_bytes: int) -> str | None:
        """Why a request of this size cannot be taken now, in words for the cell; `None` if it can."""
        if self.requests >= self.max_requests:
            return (
                f"More than {self.max_requests:,} requests at once. "
                "llm_query_batched(prompts) makes many calls in one request."
            )
        if self.bytes + size_bytes > self.max_bytes:
            return (
                f"This request has {size_bytes:,} bytes, and {self.bytes:,} bytes of other requests are not answered yet; "
                f"together at most {self.max_bytes:,} are allowed. Wait for replies before asking more, or send less."
            )
        return None

    def begin(self, size_bytes: int) -> None:
        self.requests += 1
        self.bytes += size_bytes

    def end(self, size_bytes: int) -> None:
        self.requests -= 1
        self.bytes -= size_bytes
