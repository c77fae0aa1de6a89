"""All that a strategy may do: take turns, ask models, run cells, search, record findings, hand work to child frames.

A frame is one level of recursion: a model with a question, a context and a Python session of its own. It alone emits
Started/Finished pairs, and it alone checks limits; so no strategy can forget either. A call, a cell or a child that fails
never leaves a pair open, and never leaves the sandbox waiting. A run that goes on from another one is the same to a strategy:
its frame answers from the journal for as long as there is an answer there.

It knows nothing of prompts and of what a reply means (`strategies/`), nor of how a run begins and ends (`run.py`). How a call
is made is in `calls.py`, how a session is kept alive in `session.py`, how a child is run in `children.py`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from typing import Any

from rlm_core import events as ev
from rlm_core.approvals import Unasked
from rlm_core.calls import QUOTES_WAIT_S, Calls, Shared, Wanted
from rlm_core.closings import calls_refused, cell_failed, cell_finished, result_of
from rlm_core.corpus.corpus import Corpus
from rlm_core.corpus.search import search
from rlm_core.errors import CallError, LimitHit, ReplayDiverged
from rlm_core.evidence.quotes import Place, locate
from rlm_core.journal import FrameJournal
from rlm_core.lm.budget import Spent, used_and_allowed
from rlm_core.lm.client import Reply, Request
from rlm_core.sandbox.contract import CellLimits, CellResult, ContextFiles, Services
from rlm_core.sandbox.host import Sandbox
from rlm_core.services import CellServices
from rlm_core.session import Session, apart, same_result
from rlm_core.spans import Numbering, pair
from rlm_core.task import Finding, Json, Limits, Message, Task, Verdict

OWN_FUNCTIONS = frozenset({"record", "budget"})
INSTRUCTION = "Added by the person who asked:"
CALLS_AT_ONCE = 5_000
"""Calls of one batch that are handed over together; after a limit was hit, later ones are not even tried."""
MAX_FAILED = 10_000
"""Failed calls of a cell that are kept with their reasons: code may go on asking after a limit was hit."""


@dataclass(frozen=True, slots=True)
class Ran:
    """A cell that was run: its result, and the calls that it asked for, also those that a limit refused."""

    result: CellResult
    calls: int
    failed: tuple[tuple[int, str], ...]
    """Calls that failed: place among the cell's calls from 0, and why. Of very many the first that did."""
    failures: int = 0
    """How many failed."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What a frame stands on."""

    span: str
    depth: int
    """Level of nesting, 0 for the root frame."""
    task: Task
    """The run's; of a child, with its own question, model and options."""
    corpus: Corpus
    functions: frozenset[str]
    """What its cells may call besides `record`, `budget` and what every session has (`SHOW_VARS`, `answer`, `FINAL`,
    `FINAL_VAR`, `SUBMIT`)."""


AskChildren = Callable[["Frame", str, Sequence[Json], str | None], list[str | CallError]]
"""Frame, its running cell, `{"prompt", "context"}` of each child, model: an answer or a failure for each (`children.py`)."""


class Frame:
    """One level of recursion."""

    def __init__(self, shared: Shared, ground: Ground, journal: FrameJournal, ask_children: AskChildren) -> None:
        self.shared = shared
        self.ground = ground
        self.journal = journal
        self.span = ground.span
        self.depth = ground.depth
        self.corpus = ground.corpus
        self.limits: Limits = shared.task.limits
        self.numbers = Numbering()
        self.turns = 0
        self.findings: list[tuple[Finding, Verdict]] = []
        self._calls = Calls(shared)
        self._ask_children = ask_children
        self._services = CellServices(self)
        self._session = Session(self._make_sandbox, self._services, lambda said: self.note("session", said))
        self._sandboxes: list[Sandbox] = []
        self._lock = threading.Lock()
        self._turn: str | None = None
        self._refused: str | None = None
        self._cell: str | None = None
        self._failed: list[tuple[int, str]] = []
        self._failures = self._refused_calls = 0
        self._unasked = Unasked()
        self._limits_reached: set[str] = set()
        self._conversation: tuple[str, tuple[Message, ...]] | None = None

    @property
    def spent(self) -> Spent:
        """What the whole run has used so far."""
        return self.shared.budget.spent()

    @property
    def may_ask_helpers(self) -> bool:
        """Whether its cells may ask anybody."""
        return bool(self.ground.functions & {"llm_query", "rlm_query"})

    @property
    def window_tokens(self) -> int | None:
        """Input tokens that the frame's own model takes, if known."""
        return self.shared.lm.window_tokens(self.ground.task.root_model)

    @property
    def helper_window_tokens(self) -> int | None:
        """Input tokens that a helper takes, if known."""
        return self.shared.lm.window_tokens(self.shared.task.helper_model)

    # -- turns ---------------------------------------------------------------------------------------------------------

    @contextmanager
    def turn(self) -> Iterator[None]:
        """One reply of the model and the cells it holds. Raises `LimitHit` when there is no turn left."""
        self._check()
        if self.turns >= self.limits.max_turns:
            raise self.reached(LimitHit("max_turns", self.turns, self.limits.max_turns))
        self.turns += 1
        self._turn = self.numbers.new(self.span, "t")
        self._refused = None

        def finished(_: BaseException | None = None) -> ev.Body:
            return ev.TurnFinished(self._refused)

        try:
            with pair(self.shared.emit, self._turn, self.span, ev.TurnStarted(self.turns), finished):
                yield
        finally:
            self._turn = None

    def refuse(self, reason: str) -> None:
        """Remember that the answer of this turn was sent back, and why."""
        self._refused = reason

    # -- models --------------------------------------------------------------------------------------------------------

    def ask(
        self, messages: list[Message], *, role: ev.CallRole = "root", model: str | None = None, **params: Any
    ) -> Reply:
        """The frame's own model on a conversation. Raises `CallError`, or `LimitHit` when it may not be asked any more.

        `messages` is the caller's history, and is brought in line with what is really sent: a person may have added an
        instruction, and where an earlier life was told something else, that is what the model has heard.
        Helpers are stopped a little before each limit of the run and the root at the limit itself (`lm/budget.py`): so it can
        still act on the advice that its cell's calls failed with.
        """
        parent = self._turn or self.span
        span = self.numbers.new(parent, "k")
        known = self.journal.reply(span)
        if known:
            messages[:] = known.messages
        elif self._turn and self.depth == 0 and role == "root" and (words := self.shared.instructions.get(self.turns)):
            messages[-1] = replace(messages[-1], text=f"{messages[-1].text}\n\n{INSTRUCTION}\n{words}")
        request = Request(model or self.ground.task.root_model, tuple(messages), role, params)
        started = (
            known.started if known else ev.CallStarted(role, request.model, request.messages, None, request.params)
        )
        wanted = Wanted(span, parent, request, self._continuing(started, request), self.depth > 0, known)
        (reply,) = self._calls.make([wanted])
        if isinstance(reply, LimitHit):
            raise self.reached(reply)
        if isinstance(reply, BaseException):
            self._check()
            raise reply
        self._conversation = (span, (*request.messages, Message("assistant", reply.text)))
        return reply

    def _continuing(self, started: ev.CallStarted, request: Request) -> ev.CallStarted:
        """Only what is new of a conversation that grows, so that it is stored once."""
        messages, continues = request.messages, None
        if self._conversation:
            earlier, said = self._conversation
            if messages[: len(said)] == said:
                messages, continues = messages[len(said) :], earlier
        return replace(started, messages=messages, continues=continues)

    def ask_many(self, prompts: Sequence[str], model: str | None = None) -> list[Reply | CallError]:
        """Helpers on many prompts at once: replies in order; a failed one is its `CallError`.

        `model` may be one of the task's two and no other: what code in a cell names must not reach other keys or files.
        """
        task, parent = self.shared.task, self._cell or self._turn or self.span
        model = model or task.helper_model
        role = "root" if model == task.root_model != task.helper_model else "helper"
        batch = len(prompts) if len(prompts) > 1 else None
        wanted = []
        for index, prompt in enumerate(prompts):
            request = Request(model, (Message("user", prompt),), "sub")
            known = self.journal.helper(self._cell, model, role, prompt) if self._cell else None
            named = known.started.model if known else model
            started = ev.CallStarted("sub", named, request.messages, batch=batch, index=index if batch else None)
            span = self.numbers.new(parent, "k")
            wanted.append(Wanted(span, parent, request, started, self.depth > 0, known))
        no_more = None
        if model not in (task.helper_model, task.root_model) and not all(each.known for each in wanted):
            known_ones = f"The models of this run are {task.helper_model} (the default) and {task.root_model}."
            no_more = CallError(f"There is no model {model!r} here. {known_ones}", "unknown_model")
        costs = [self.shared.estimated_usd(each.request) for each in wanted if not each.known]
        usd = None if None in costs else sum(each or 0.0 for each in costs)
        no_more = no_more or self._disapproved(len(costs), usd, parent)
        results = self._make_all(wanted, no_more)
        failed = [
            (int(each.span.rpartition("k")[2]) - 1, str(result))
            for each, result in zip(wanted, results, strict=True)
            if isinstance(result, CallError)
        ]
        self._keep_failed(failed, sum(isinstance(each, CallError) and each.kind == "limit" for each in results))
        return results

    def _keep_failed(self, failed: list[tuple[int, str]], refused: int = 0) -> None:
        with self._lock:
            self._failures += len(failed)
            self._failed += failed[: MAX_FAILED - len(self._failed)]
            self._refused_calls += refused

    def _make_all(self, wanted: Sequence[Wanted], no_more: CallError | None) -> list[Reply | CallError]:
        """The calls in portions; after one that a limit refused, none."""
        results: list[Reply | CallError] = []
        while len(results) < len(wanted) and not no_more:
            for reply in self._calls.make(wanted[len(results) : len(results) + CALLS_AT_ONCE]):
                if isinstance(reply, LimitHit):
                    self.reached(reply)
                    reply = no_more = CallError(f"{reply} No more helpers: answer from what you have.", "limit")
                if isinstance(reply, BaseException) and not isinstance(reply, CallError):
                    raise reply
                results.append(reply)
        return results + [no_more] * (len(wanted) - len(results)) if no_more else results

    def _disapproved(self, count: int, may_cost: float | None, parent: str) -> CallError | None:
        """Why a batch may not be sent, if it is large enough to ask a person and the answer is no. So are the batches of one
        cell together, since a person was last asked."""
        unasked = self._unasked
        with self._lock:
            if not unasked.add(count, may_cost, self.limits):
                return None
        with self.shared.approvals as question, self.shared.budget.paused():
            with self._lock:
                calls, usd = unasked.take()
            if calls:  # else another thread's question was about these calls too
                self.shared.emit(parent, None, ev.ApprovalAsked(calls, usd))
                unasked.granted = question.wait()
                self.shared.emit(parent, None, ev.ApprovalGiven(unasked.granted))
            granted = unasked.granted
        if granted:
            return None
        return CallError(
            f"A person was asked and did not approve these {calls or count:,} calls. Ask for fewer, or answer from "
            "what you have.",
            "limit",
        )

    # -- cells ---------------------------------------------------------------------------------------------------------

    def execute(self, code: str) -> Ran:
        """Run a cell. No strategy catches `SandboxError` (its session is lost) and `ReplayDiverged` (it did something else)."""
        self._check()
        turn = self._turn or self.span
        cell = self._cell = self.numbers.new(turn, "c")
        self._failed, self._failures, self._refused_calls, self._unasked = [], 0, 0, Unasked()
        before = self.journal.cell(cell, code)
        try:
            with pair(self.shared.emit, cell, turn, ev.CellStarted(code), cell_failed) as opened:
                # a cell that killed the session would do so again, and has left nothing behind
                killed = before is not None and before.status == "killed"
                result = result_of(before) if before and killed else self._session.execute(code)
                self._services.wait_until_idle()  # threads that the cell left waiting: their calls end within their cell
                opened.finished = cell_finished(result)
            self._services.raise_what_broke()
            if before and not same_result(result_of(before), result):
                self._diverged(cell, before, result)
        finally:
            self._cell = None
        self.shared.check()
        calls = self.numbers.used(cell, "k") + self.numbers.used(cell, "f")
        if self._refused_calls:
            self.shared.emit(cell, None, calls_refused(self._refused_calls, calls, self._failed[-1][1]))
        return Ran(result, calls, tuple(sorted(self._failed)), self._failures)

    def _diverged(self, cell: str, before: ev.CellFinished, now: CellResult) -> None:
        expected, got = apart(before.output + (before.error or ""), now.output + (now.error or ""))
        self.shared.emit(cell, None, ev.ReplayDiverged(expected, got))
        if not self.journal.accept_divergence:
            raise ReplayDiverged(cell, expected, got)

    def _make_sandbox(self, services: Services) -> Sandbox:
        """A sandbox for the frame's context, started, and known to whoever cancels the run."""
        limits = self.limits
        sandbox = Sandbox(
            ContextFiles(self.corpus.text_path, self.corpus.index_path),
            services,
            CellLimits(timeout_s=limits.cell_timeout_s, memory_mb=limits.cell_memory_mb),
            question=self.ground.task.question,
            functions=self.ground.functions | OWN_FUNCTIONS,
            run_left_s=lambda: self.shared.budget.left_s,
            unsafe=self.shared.unsafe_sandbox,
        )
        self.shared.sandboxes.add(sandbox)
        self._sandboxes.append(sandbox)
        self.shared.check()
        protection = sandbox.start().in_words()
        if len(self._sandboxes) == 1:
            self.note("protection", protection)
        return sandbox

    # -- what cells and strategies may ask for besides -----------------------------------------------------------------

    def ask_children(self, requests: Sequence[Json], model: str | None = None) -> list[str | CallError]:
        """Child frames, each with a question and a context of its own: their answers in order."""
        cell = self._cell or self._turn or self.span
        no_more = None if self.journal.approved(cell) else self._disapproved(len(requests), None, cell)
        answers: list[str | CallError] = [no_more] * len(requests) if no_more else []
        answers = answers or self._ask_children(self, cell, requests, model)
        self._keep_failed([(at, str(each)) for at, each in enumerate(answers) if isinstance(each, CallError)])
        return answers

    def search(self, query: str, k: int = 5) -> list[Json]:
        """The `k` passages of the context that fit the words of `query` best."""
        parent = self._cell or self._turn or self.span
        hits = [asdict(each) for each in search(self.corpus, query, k)]
        self.shared.emit(self.numbers.new(parent, "s"), parent, ev.Searched(query, tuple(hits)))
        return hits

    def record(self, finding: Finding) -> None:
        """Keep a finding, and look for its quote in the archive."""
        parent = self._cell or self._turn or self.span
        span = self.numbers.new(parent, "r")
        self.shared.emit(span, parent, ev.FindingRecorded(finding))
        place = self._located(finding)
        self.shared.emit(span, parent, place.checked())
        with self._lock:
            self.findings.append((finding, place.verdict))

    def _located(self, finding: Finding) -> Place:
        if not self.shared.looking.acquire(timeout=QUOTES_WAIT_S):
            return Place("not looked for")
        try:
            return locate(finding.quote, self.shared.corpus, finding.source, item=finding.item)
        finally:
            self.shared.looking.release()

    def join(self, findings: Sequence[tuple[Finding, Verdict]]) -> None:
        """Take in what a child has recorded: it counts among the frame's own."""
        with self._lock:
            self.findings += findings

    def budget_left(self) -> Json:
        """What `budget()` tells a cell: used and allowed, `None` where there is no limit."""
        cell = self._cell or self.span
        left = self.journal.budget(cell) or used_and_allowed(self.spent, self.limits, self.turns)
        self.shared.emit(cell, None, ev.BudgetShown(left))
        return left

    def compacted(self, dropped_messages: int, summary: str) -> None:
        """Record that a conversation was shortened."""
        self.shared.emit(self.span, None, ev.HistoryCompacted(dropped_messages, summary))

    def note(self, topic: str, text: str, **data: Any) -> None:
        """Record something worth saying that has no event of its own."""
        self.shared.emit(self.span, None, ev.Noted(topic, text, data))

    def repaired(self, what: str, **data: Any) -> None:
        """Record that a reply was read in spite of a fault."""
        self.shared.emit(self._turn or self.span, None, ev.Noted("repaired", what, data))

    def close(self) -> None:
        """End the Python session. Idempotent, and quiet while a cell waits."""
        self._session.close()
        self.shared.sandboxes.difference_update(self._sandboxes)

    def reached(self, limit: LimitHit) -> LimitHit:
        """Record a limit once in this frame."""
        with self._lock:
            first = limit.limit not in self._limits_reached
            self._limits_reached.add(limit.limit)
        if first:
            self.shared.emit(self.span, None, ev.LimitReached(limit.limit, limit.used, limit.allowed))
        return limit

    def _check(self) -> None:
        self.shared.check()
        try:
            self.shared.budget.check_time()
        except LimitHit as limit:
            raise self.reached(limit) from None
