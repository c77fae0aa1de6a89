"""How a call or a cell ended, as the event that closes it: from a reply, a result, or whatever was raised."""

from __future__ import annotations

import asyncio

from rlm_core import events as ev
from rlm_core.errors import CallError, RunCancelled
from rlm_core.lm.client import Reply
from rlm_core.lm.scrub import scrub
from rlm_core.sandbox.contract import CellResult


def empty_reply(reply: Reply) -> str:
    """What is wrong with a reply without words, for a person."""
    cut = "length" in (reply.finish_reason or "") or "reason" in (reply.finish_reason or "")
    why = "It may have used up its output limit on reasoning before it wrote anything." if cut else "It gave no reason."
    return f"{reply.model} sent an empty reply (finish reason: {reply.finish_reason}). {why}"


def call_finished(reply: Reply) -> ev.CallFinished:
    """A reply that came. One without words is a failure that was paid for."""
    said_something = bool(reply.text.strip())
    return ev.CallFinished(
        status="ok" if said_something else "failed",
        text=reply.text,
        usage=reply.usage,
        cost_usd=reply.cost_usd,
        cost_source=reply.cost_source,
        error=None if said_something else empty_reply(reply),
        error_kind=None if said_something else "bad_reply",
        attempts=reply.attempts,
        maybe_paid=not said_something,
        finish_reason=reply.finish_reason,
        retries=reply.retries,
    )


def call_failed(error: BaseException) -> ev.CallFinished:
    """A call without a reply: failed, or cancelled in flight."""
    if isinstance(error, CallError):
        return ev.CallFinished(
            "failed",
            error=str(error),
            error_kind=error.kind,
            attempts=error.attempts,
            maybe_paid=error.maybe_paid,
            retries=error.retries,
        )
    if isinstance(error, asyncio.CancelledError | RunCancelled):
        return ev.CallFinished("cancelled", error="The run was cancelled.", error_kind="cancelled", maybe_paid=True)
    return ev.CallFinished("failed", error=f"{type(error).__name__}: {scrub(str(error))}", maybe_paid=True)


def calls_refused(refused: int, asked: int, why: str) -> ev.Noted:
    """Calls of a cell that were never made: no event of their own tells of them."""
    text = f"{refused:,} of {asked:,} calls were refused: {why}"
    return ev.Noted(ev.CALLS_REFUSED, text, {"refused": refused, "asked": asked})


def cell_finished(result: CellResult) -> ev.CellFinished:
    """A cell that the sandbox answered for."""
    return ev.CellFinished(
        result.status, result.output, result.output_chars, result.error, result.variables, result.replaced
    )


def cell_failed(error: BaseException) -> ev.CellFinished:
    """A cell whose sandbox raised instead of answering."""
    cancelled = isinstance(error, RunCancelled)
    return ev.CellFinished("cancelled" if cancelled else "killed", error=str(error))


def result_of(finished: ev.CellFinished) -> CellResult:
    """A recorded end of a cell, as what the sandbox had said, as far as it is recorded."""
    return CellResult(
        finished.status,
        finished.output,
        finished.output_chars,
        finished.error,
        finished.variables,
        replaced=finished.replaced,
    )
