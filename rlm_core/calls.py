"""Model calls of a run: admitted, recorded, sent, settled; or served from the journal, which costs nothing.

What all frames of a run share is here too. It knows nothing of prompts, cells and turns (`frame.py`), nor of providers (`lm/`).
"""

from __future__ import annotations

import asyncio
import threading
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import get_args

from rlm_core import events as ev
from rlm_core.approvals import Approvals
from rlm_core.closings import call_failed, call_finished, empty_reply
from rlm_core.corpus.corpus import Corpus
from rlm_core.errors import CallError, CallErrorKind, RunCancelled
from rlm_core.journal import Known
from rlm_core.lm.budget import ASSUMED_OUTPUT_TOKENS, Budget
from rlm_core.lm.client import LM, Reply, Request
from rlm_core.lm.loop import ModelLoop
from rlm_core.sandbox.host import Sandbox
from rlm_core.spans import Emit, EmitAll, Fact, Gathered, gathered_pair
from rlm_core.task import Task
from rlm_core.tokens import chars_that_fit, estimated_tokens

MAX_SAID_AGAIN = 100_000
"""Replies that are used again in one run; after that every call is made and counts."""
QUOTES_AT_ONCE = 4
QUOTES_WAIT_S = 5.0
"""How long a finding waits until its quote is looked for, where code records very many at once."""
CHILDREN_AT_ONCE = 4
"""Child frames under way at once, on each level of recursion: a child that waits for its own must not take their places."""


@dataclass(slots=True)
class Shared:
    """What all frames of one run share."""

    run: str
    task: Task
    emit: Emit
    emit_all: EmitAll
    lm: LM
    loop: ModelLoop
    budget: Budget
    corpus: Corpus
    unsafe_sandbox: bool = False
    instructions: dict[int, str] = field(default_factory=dict)
    """What people have added to what the root model is told, by turn (`journal.instructions_of`)."""
    approvals: Approvals = field(default_factory=Approvals)
    said: dict[tuple[str, str], Known] = field(default_factory=dict)
    """Where replies may be used again: what helpers have said in this run."""
    said_again: int = 0
    """How often they were."""
    looking: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(QUOTES_AT_ONCE))
    """Held while a quote is looked for, which takes memory where documents are large."""
    waiting: set[asyncio.Event] = field(default_factory=set)
    """Calls that wait for one in flight to be settled, before they may be sent. Of the models' loop."""
    cancelled: threading.Event = field(default_factory=threading.Event)
    sandboxes: set[Sandbox] = field(default_factory=set)
    child_gates: dict[int, threading.Semaphore] = field(
        default_factory=lambda: defaultdict(lambda: threading.Semaphore(CHILDREN_AT_ONCE))
    )

    def cancel(self) -> None:
        """Stop everything that is under way, when a door has asked for it (`jobs/run_process.py`): model calls are cancelled,
        sandboxes killed, so that a cell which spins ends too. From any thread."""
        self.cancelled.set()
        self.approvals.cancel()
        self.loop.cancel()
        for sandbox in list(self.sandboxes):
            sandbox.stop()

    def estimated_usd(self, request: Request) -> float | None:
        """What a call may cost by its prompt, or `None` where no price is known."""
        tokens = sum(estimated_tokens(message.text) for message in request.messages)
        return self.lm.estimated_usd(request.model, tokens, ASSUMED_OUTPUT_TOKENS)

    def check(self) -> None:
        """Raise `RunCancelled` once the run was cancelled."""
        if self.cancelled.is_set():
            raise RunCancelled("The run was cancelled.")


@dataclass(frozen=True, slots=True)
class Wanted:
    """One call that a frame wants made."""

    span: str
    parent: str
    request: Request
    started: ev.CallStarted
    in_child: bool = False
    known: Known | None = None
    """The same call as an earlier life made it."""


class Calls:
    """Makes calls for one run."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self._facts = Gathered(shared.emit_all)

    def make(self, wanted: Sequence[Wanted]) -> list[Reply | BaseException]:
        """Replies in order; a call that failed is its exception. Raises `RunCancelled`.

        Where the task allows it, a helper is asked the same words once: who asks them again gets the same reply. One whose
        twin failed is asked after all.
        """
        if not self._shared.task.reuse_replies:
            return self._make(wanted)
        first = {_words(each): at for at, each in reversed(list(enumerate(wanted))) if each.request.role == "sub"}
        twins = [at for at, each in enumerate(wanted) if each.request.role == "sub" and first[_words(each)] != at]
        results: dict[int, Reply | BaseException] = {}
        again = frozenset(twins)
        for places in ([at for at in range(len(wanted)) if at not in again], twins):
            chosen = [self._with_reply(wanted[at]) for at in places]
            for at, each, reply in zip(places, chosen, self._make(chosen), strict=True):
                results[at] = reply
                if isinstance(reply, Reply) and each.known is None and each.request.role == "sub":
                    request, end = each.request, call_finished(reply)
                    self._shared.said[_words(each)] = Known(self._shared.run, each.started, request.messages, end)
        return [results[at] for at in range(len(wanted))]

    def _with_reply(self, wanted: Wanted) -> Wanted:
        """The same with the reply that this run was given to the same words, if it was; not without end, for it costs nothing
        and is recorded each time."""
        if wanted.known or self._shared.said_again >= MAX_SAID_AGAIN or wanted.request.role != "sub":
            return wanted
        known = self._shared.said.get(_words(wanted))
        self._shared.said_again += known is not None
        return replace(wanted, known=known)

    def _make(self, wanted: Sequence[Wanted]) -> list[Reply | BaseException]:
        shared = self._shared
        shared.check()
        live = [each for each in wanted if each.known is None]
        made = iter(shared.loop.run_all([self._complete(each) for each in live], self._facts.settled) if live else [])
        replayed = iter(self._replay([(each, each.known) for each in wanted if each.known]))
        results = [next(replayed) if each.known else next(made) for each in wanted]
        shared.check()
        return results

    def _replay(self, wanted: Sequence[tuple[Wanted, Known]]) -> list[Reply | CallError]:
        """Replies of earlier lives, recorded here as what they are."""
        shared = self._shared
        ends = [known.replayed() for _, known in wanted]
        begun: list[Fact] = [(each.span, each.parent, each.started) for each, _ in wanted]
        ended: list[Fact] = [(each.span, each.parent, end) for (each, _), end in zip(wanted, ends, strict=True)]
        if wanted:
            shared.emit_all(begun + ended)
        for each, known in wanted:
            if known.run == shared.run or (known.finished.replayed and known.paid.run == known.run):
                continue  # the same words again within one run: counted when they were said first
            shared.budget.take_over(
                known.paid.usage, known.paid.cost_usd, helper=each.request.role != "root" or each.in_child
            )
        return [reply_of(end, each.started.model) for (each, _), end in zip(wanted, ends, strict=True)]

    async def _complete(self, wanted: Wanted) -> Reply:
        """One model call: admitted, recorded, settled. On the run's event loop."""
        shared, request = self._shared, wanted.request
        while (reservation := shared.budget.admit(request, in_child=wanted.in_child)) is None:
            await self._one_settled()
        timeout_s = min(shared.task.limits.call_timeout_s, shared.budget.remaining_s)
        if request.timeout_s != timeout_s:
            request = replace(request, timeout_s=timeout_s)
        reply: Reply | None = None
        sent = True
        try:
            async with gathered_pair(self._facts, wanted.span, wanted.parent, wanted.started, call_failed) as opened:
                self._check_size(request)
                reply = await self._in_time(request)
                opened.finished = call_finished(reply)
                if not reply.text.strip():
                    raise CallError(empty_reply(reply), "bad_reply", maybe_paid=True, attempts=reply.attempts)
                return reply
        except CallError as error:
            sent = error.maybe_paid
            raise
        finally:
            usage, cost_usd = (reply.usage, reply.cost_usd) if reply else (None, None)
            shared.budget.settle(reservation, usage, cost_usd, sent=sent)
            for each in shared.waiting:
                each.set()

    async def _one_settled(self) -> None:
        """Wait until a call in flight, of whichever frame, is settled."""
        settled = asyncio.Event()
        self._shared.waiting.add(settled)
        try:
            await settled.wait()
        finally:
            self._shared.waiting.discard(settled)

    async def _in_time(self, request: Request) -> Reply:
        """The reply, if it comes within the time of the run: retries and waiting for a server count too."""
        try:
            async with asyncio.timeout(self._shared.budget.remaining_s):
                return await self._shared.lm.complete(request)
        except TimeoutError:
            raise CallError(
                "The time of the run was used up while a reply was awaited.", "timeout", maybe_paid=True
            ) from None

    def _check_size(self, request: Request) -> None:
        """Refuse what cannot fit before it is sent: it would be rejected, or worse, cut in silence."""
        window = self._shared.lm.window_tokens(request.model)
        tokens = sum(estimated_tokens(message.text) for message in request.messages)
        if window is not None and tokens > window:
            raise CallError(
                f"The prompt has {request.chars:,} characters, ~{tokens:,} tokens; {request.model} takes {window:,}. "
                f"Send it in parts of at most {chars_that_fit(window):,} characters.",
                "overflow",
            )


def _words(wanted: Wanted) -> tuple[str, str]:
    """Model and prompt, by which a reply is known again."""
    return wanted.request.model, "\0".join(message.text for message in wanted.request.messages)


def reply_of(finished: ev.CallFinished, model: str) -> Reply | CallError:
    """A recorded end of a call, as what the caller was given."""
    if finished.status == "ok":
        return Reply(finished.text or "", model, finished.usage, finished.cost_usd, finished.cost_source)
    known: tuple[CallErrorKind, ...] = get_args(CallErrorKind)
    kind: CallErrorKind = next((each for each in known if each == finished.error_kind), "bad_reply")
    return CallError(finished.error or "The call failed.", kind, attempts=finished.attempts)
