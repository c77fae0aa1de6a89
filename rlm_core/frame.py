"""All that a strategy may do: take turns, ask models, run cells, record findings.

A frame is one level of recursion: a model with a question, a context and a Python session of its own. It alone emits
Started/Finished pairs, through one context manager, and it alone checks limits; so no strategy can forget either. A call
or a cell that fails never leaves a pair open, and never leaves the sandbox waiting.

It knows nothing of prompts and of what a reply means (`strategies/`), nor of how a run begins and ends (`run.py`).
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from rlm_core import events as ev
from rlm_core.closings import call_failed, call_finished, cell_failed, cell_finished, empty_reply
from rlm_core.corpus.corpus import Corpus
from rlm_core.errors import CallError, LimitHit, RunCancelled, SandboxError
from rlm_core.evidence.quotes import locate
from rlm_core.lm.budget import Budget, Spent
from rlm_core.lm.client import LM, Reply, Request
from rlm_core.lm.loop import ModelLoop
from rlm_core.sandbox.contract import CellLimits, CellResult, ContextFiles
from rlm_core.sandbox.host import Sandbox
from rlm_core.services import CellServices
from rlm_core.task import Finding, Json, Limits, Message, Task, Verdict
from rlm_core.tokens import chars_that_fit, estimated_tokens

HELPER_FUNCTIONS = frozenset({"llm_query"})
OWN_FUNCTIONS = frozenset({"record", "budget"})
CALLS_AT_ONCE = 1_000
"""Calls of one batch that are handed over together; after a limit was hit, later ones are not even tried."""


@dataclass(slots=True)
class Shared:
    """What all frames of one run share."""

    task: Task
    emit: Callable[[str, str | None, ev.Body], ev.Event]
    """Records a fact: span, parent, body. When it returns, the fact is on disk (`store/recorder.py`)."""
    lm: LM
    loop: ModelLoop
    budget: Budget
    corpus: Corpus
    unsafe_sandbox: bool = False
    cancelled: threading.Event = field(default_factory=threading.Event)
    sandboxes: list[Sandbox] = field(default_factory=list)

    def cancel(self) -> None:
        """Stop everything that is under way, when a door has asked for it (`jobs/run_process.py`): model calls are cancelled,
        sandboxes killed, so that a cell which spins ends too. From any thread."""
        self.cancelled.set()
        self.loop.cancel()
        for sandbox in list(self.sandboxes):
            sandbox.stop()


@dataclass(frozen=True, slots=True)
class Ran:
    """A cell that was run: its result, and the calls that it asked for, also those that a limit refused."""

    result: CellResult
    calls: int
    failed: tuple[tuple[int, str], ...]
    """Calls that failed: place among the cell's calls from 0, and why."""


@dataclass(slots=True)
class _Pair:
    """An open span that waits for the body which closes it."""

    finished: ev.Body | None = None


class Frame:
    """One level of recursion. `functions` names what its cells may call besides `record`, `budget` and what every session
    has (`SHOW_VARS`, `answer`, `FINAL`, `FINAL_VAR`, `SUBMIT`)."""

    def __init__(self, shared: Shared, span: str, depth: int, functions: frozenset[str]) -> None:
        self.shared = shared
        self.span = span
        self.depth = depth
        self.functions = functions | OWN_FUNCTIONS
        self.turns = 0
        self.findings: list[tuple[Finding, Verdict]] = []
        self._sandbox: Sandbox | None = None
        self._services = CellServices(self)
        self._numbers: Counter[str] = Counter()
        self._lock = threading.Lock()
        self._turn: str | None = None
        self._refused: str | None = None
        self._cell: str | None = None
        self._failed: list[tuple[int, str]] = []
        self._limits_reached: set[str] = set()
        self._conversation: tuple[str, tuple[Message, ...]] | None = None

    @property
    def limits(self) -> Limits:
        return self.shared.task.limits

    @property
    def corpus(self) -> Corpus:
        return self.shared.corpus

    @property
    def spent(self) -> Spent:
        """What the whole run has used so far."""
        return self.shared.budget.spent()

    @property
    def window_tokens(self) -> int | None:
        """Input tokens that the frame's own model takes, if known."""
        return self.shared.lm.window_tokens(self.shared.task.root_model)

    @property
    def helper_window_tokens(self) -> int | None:
        """Input tokens that a helper takes, if known."""
        return self.shared.lm.window_tokens(self.shared.task.helper_model)

    # -- turns ---------------------------------------------------------------------------------------------------------

    @contextmanager
    def turn(self) -> Iterator[None]:
        """One reply of the model and the cells it holds. Raises `LimitHit` when there is no turn left."""
        self._check()
        self._check_time()
        if self.turns >= self.limits.max_turns:
            raise self._reached(LimitHit("max_turns", self.turns, self.limits.max_turns))
        self.turns += 1
        self._turn = self._new_span(self.span, "t")
        self._refused = None
        turn = self._turn

        def finished(_: BaseException | None = None) -> ev.Body:
            return ev.TurnFinished(self._refused)

        try:
            with self._pair(turn, self.span, ev.TurnStarted(self.turns), finished) as pair:
                yield
                pair.finished = finished()
        finally:
            self._turn = None

    def refuse(self, reason: str) -> None:
        """Remember that the answer of this turn was sent back, and why."""
        self._refused = reason

    # -- models --------------------------------------------------------------------------------------------------------

    def ask(self, messages: Sequence[Message], **params: Any) -> Reply:
        """The frame's own model on a conversation. Raises `CallError`, or `LimitHit` when it may not be asked any more.

        Helpers are stopped a little before each limit of the run and the root at the limit itself (`lm/budget.py`): so it can
        still act on the advice that its cell's calls failed with.
        """
        request = Request(self.shared.task.root_model, tuple(messages), "root", params)
        span = self._new_span(self._turn or self.span, "k")
        started = self._started(request)
        (reply,) = self._complete_all([(span, request, started)], self._turn or self.span)
        if isinstance(reply, LimitHit):
            raise self._reached(reply)
        if isinstance(reply, BaseException):
            self._check_time()
            raise reply
        self._conversation = (span, (*request.messages, Message("assistant", reply.text)))
        return reply

    def ask_many(self, prompts: Sequence[str], model: str | None = None) -> list[Reply | CallError]:
        """Helpers on many prompts at once: replies in order; a failed one is its `CallError`.

        `model` may be one of the task's two and no other: what code in a cell names must not reach other keys or files.
        """
        task, parent = self.shared.task, self._cell or self._turn or self.span
        no_more: CallError | None = None
        if model not in (None, task.helper_model, task.root_model):
            known = f"The models of this run are {task.helper_model} (the default) and {task.root_model}."
            no_more = CallError(f"There is no model {model!r} here. {known}", "unknown_model")
        batch = len(prompts) if len(prompts) > 1 else None
        calls = []
        for index, prompt in enumerate(prompts):
            request = Request(model or task.helper_model, (Message("user", prompt),), "sub")
            started = replace(self._started(request), batch=batch, index=index if batch else None)
            calls.append((self._new_span(parent, "k"), request, started))
        results: list[Reply | CallError] = []
        while len(results) < len(calls) and not no_more:
            for reply in self._complete_all(calls[len(results) : len(results) + CALLS_AT_ONCE], parent):
                if isinstance(reply, LimitHit):
                    self._reached(reply)
                    reply = no_more = CallError(f"{reply} No more helpers: answer from what you have.", "limit")
                if isinstance(reply, BaseException) and not isinstance(reply, CallError):
                    raise reply
                results.append(reply)
        if no_more:
            results += [no_more] * (len(calls) - len(results))
        failed = [
            (span, str(each)) for (span, _, _), each in zip(calls, results, strict=True) if isinstance(each, CallError)
        ]
        with self._lock:
            self._failed += [(int(span.rpartition("k")[2]) - 1, error) for span, error in failed]
        return results

    def _started(self, request: Request) -> ev.CallStarted:
        messages, continues = request.messages, None
        if request.role == "root" and self._conversation:
            earlier, known = self._conversation
            if messages[: len(known)] == known:
                messages, continues = messages[len(known) :], earlier
        return ev.CallStarted(request.role, request.model, messages, continues, request.params)

    def _complete_all(
        self, calls: list[tuple[str, Request, ev.CallStarted]], parent: str
    ) -> list[Reply | BaseException]:
        self._check()
        replies = self.shared.loop.run_all([self._complete(*call, parent) for call in calls])
        self._check()
        return replies

    async def _complete(self, span: str, request: Request, started: ev.CallStarted, parent: str) -> Reply:
        """One model call: admitted, recorded, settled. On the run's event loop."""
        budget = self.shared.budget
        reservation = budget.admit(request)
        request = replace(request, timeout_s=min(self.limits.call_timeout_s, budget.remaining_s))
        reply: Reply | None = None
        sent = True
        try:
            with self._pair(span, parent, started, call_failed) as pair:
                self._check_size(request)
                reply = await self._in_time(request)
                pair.finished = call_finished(reply)
                if not reply.text.strip():
                    raise CallError(empty_reply(reply), "bad_reply", maybe_paid=True, attempts=reply.attempts)
                return reply
        except CallError as error:
            sent = error.maybe_paid
            raise
        finally:
            usage, cost_usd = (reply.usage, reply.cost_usd) if reply else (None, None)
            budget.settle(reservation, usage, cost_usd, sent=sent)

    async def _in_time(self, request: Request) -> Reply:
        """The reply, if it comes within the time of the run: retries and waiting for a server count too."""
        try:
            async with asyncio.timeout(self.shared.budget.remaining_s):
                return await self.shared.lm.complete(request)
        except TimeoutError:
            raise CallError(
                "The time of the run was used up while a reply was awaited.", "timeout", maybe_paid=True
            ) from None

    def _check_size(self, request: Request) -> None:
        """Refuse what cannot fit before it is sent: it would be rejected, or worse, cut in silence."""
        window = self.shared.lm.window_tokens(request.model)
        tokens = sum(estimated_tokens(message.text) for message in request.messages)
        if window is not None and tokens > window:
            raise CallError(
                f"The prompt has {request.chars:,} characters, ~{tokens:,} tokens; {request.model} takes {window:,}. "
                f"Send it in parts of at most {chars_that_fit(window):,} characters.",
                "overflow",
            )

    # -- cells ---------------------------------------------------------------------------------------------------------

    def execute(self, code: str) -> Ran:
        """Run a cell in the frame's Python session. Raises `SandboxError` if the session is lost, and with it its variables:
        no strategy catches that, and the run fails with the reason."""
        self._check()
        self._check_time()
        sandbox = self._session()
        turn = self._turn or self.span
        cell = self._cell = self._new_span(turn, "c")
        self._failed = []
        try:
            with self._pair(cell, turn, ev.CellStarted(code), cell_failed) as pair:
                result = sandbox.execute(code)
                self._services.wait_until_idle()  # threads that the cell left waiting: their calls end within their cell
                pair.finished = cell_finished(result)
        finally:
            self._cell = None
        self._services.raise_what_broke()
        self._check()
        if result.status == "killed":
            raise SandboxError(
                f"The Python session was lost in a cell, and its variables with it. {result.error or ''}".strip()
            )
        return Ran(result, self._numbers[f"{cell}.k"], tuple(sorted(self._failed)))

    def _session(self) -> Sandbox:
        """The frame's sandbox, started when the first cell needs it."""
        if self._sandbox is None:
            corpus, limits = self.corpus, self.limits
            self._sandbox = Sandbox(
                ContextFiles(corpus.text_path, corpus.index_path),
                self._services,
                CellLimits(timeout_s=limits.cell_timeout_s, memory_mb=limits.cell_memory_mb),
                question=self.shared.task.question,
                functions=self.functions,
                unsafe=self.shared.unsafe_sandbox,
            )
            self.shared.sandboxes.append(self._sandbox)
            self._check()
            self.note("protection", self._sandbox.start().in_words())
        return self._sandbox

    def record(self, finding: Finding) -> None:
        """Keep a finding, and look for its quote in the corpus."""
        parent = self._cell or self._turn or self.span
        span = self._new_span(parent, "r")
        self.shared.emit(span, parent, ev.FindingRecorded(finding))
        place = locate(finding.quote, self.corpus, finding.source)
        checked = ev.QuoteChecked(place.verdict, place.document, place.start, place.end, place.line)
        self.shared.emit(span, parent, checked)
        with self._lock:
            self.findings.append((finding, place.verdict))

    def budget_left(self) -> Json:
        """What `budget()` tells a cell: used and allowed, `None` where there is no limit."""
        spent, limits = self.spent, self.limits
        return {
            "turns": {"used": self.turns, "allowed": limits.max_turns},
            "calls": {"used": spent.calls, "allowed": limits.max_calls},
            "tokens": {
                "used": spent.tokens,
                "allowed": limits.max_tokens,
                "calls_without_count": spent.unmeasured_calls,
            },
            "usd": {
                "used": round(spent.usd, 6),
                "allowed": limits.max_usd,
                "calls_of_unknown_price": spent.unpriced_calls,
            },
            "seconds": {"used": round(spent.elapsed_s, 1), "allowed": limits.timeout_s},
        }

    # -- facts ---------------------------------------------------------------------------------------------------------

    def note(self, topic: str, text: str, **data: Any) -> None:
        """Record something worth saying that has no event of its own."""
        self.shared.emit(self.span, None, ev.Noted(topic, text, data))

    def close(self) -> None:
        """End the Python session. Idempotent, and quiet while a cell waits."""
        if self._sandbox is not None:
            self._sandbox.close()

    @contextmanager
    def _pair(
        self, span: str, parent: str, started: ev.Body, failed: Callable[[BaseException], ev.Body]
    ) -> Iterator[_Pair]:
        """Emit `started`, and whatever happens inside, emit what closes it."""
        pair = _Pair()
        self.shared.emit(span, parent, started)
        try:
            yield pair
        except BaseException as error:
            self.shared.emit(span, parent, pair.finished or failed(error))
            raise
        self.shared.emit(span, parent, pair.finished or failed(RunCancelled("nothing came back")))

    def _new_span(self, parent: str, letter: str) -> str:
        with self._lock:
            self._numbers[f"{parent}.{letter}"] += 1
            return f"{parent}.{letter}{self._numbers[f'{parent}.{letter}']}"

    def _reached(self, limit: LimitHit) -> LimitHit:
        """Record a limit once in this frame."""
        with self._lock:
            first = limit.limit not in self._limits_reached
            self._limits_reached.add(limit.limit)
        if first:
            self.shared.emit(self.span, None, ev.LimitReached(limit.limit, limit.used, limit.allowed))
        return limit

    def _check(self) -> None:
        if self.shared.cancelled.is_set():
            raise RunCancelled("The run was cancelled.")

    def _check_time(self) -> None:
        try:
            self.shared.budget.check_time()
        except LimitHit as limit:
            raise self._reached(limit) from None
