"""Child frames: helpers that are Recursive Language Models themselves (paper, appendix C, recursion depth 2 and 3).

A child has a question, a context and a Python session of its own, and shares the run's budget, journal and clock. Each runs
in a thread of its own, for a child that waits for its children must not keep them from running; how many run at once is
capped on each level. Whatever happens in a child, its frame is closed, and its parent's cell is told in words.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from rlm_core import events as ev
from rlm_core.corpus.corpus import Corpus
from rlm_core.corpus.handed_over import corpus_of, folder_for_it, parts_of
from rlm_core.errors import CallError, CorpusError, LimitHit, ReplayDiverged, RunCancelled, StoreError, StudioError
from rlm_core.frame import Frame, Ground
from rlm_core.journal import Life, child_key
from rlm_core.lm.scrub import scrub
from rlm_core.task import Answer, Json, Outcome, Task
from rlm_core.view import Node

Play = Callable[[Frame, Task], Answer]
"""A strategy with the options of its task (`strategies.run_strategy`)."""

WHOLE = "context"
"""Tag of a context that is the parent's own, which is not sent through the pipe."""


class Children:
    """Runs child frames for any frame of a run."""

    def __init__(self, play: Play, functions_of: Callable[[Task], frozenset[str]]) -> None:
        self._play = play
        self._functions_of = functions_of

    def ask(self, parent: Frame, cell: str, requests: Sequence[Json], model: str | None) -> list[str | CallError]:
        """An answer or a failure for each request. Raises what ends the whole run."""
        answers: list[str | CallError | BaseException] = [RunCancelled("nothing came back")] * len(requests)
        gate = parent.shared.child_gates[parent.depth]

        def one(at: int) -> None:
            try:
                answers[at] = self._one(parent, cell, spans[at], requests[at], model)
            except BaseException as error:
                answers[at] = error
            finally:
                gate.release()

        spans = [parent.numbers.new(cell, "f") for _ in requests]
        threads = []
        for at in range(len(requests)):
            gate.acquire()  # before there is a thread: code may ask for a million children
            thread = threading.Thread(target=one, args=(at,), name=spans[at], daemon=True)
            try:
                thread.start()
            except RuntimeError as error:
                gate.release()
                answers[at] = CallError(f"The program has no thread left for this helper ({error}).", "refused")
            else:
                threads.append(thread)
        for thread in threads:
            thread.join()
        for each in answers:
            if isinstance(each, BaseException) and not isinstance(each, CallError):
                raise each
        return [each for each in answers if isinstance(each, str | CallError)]

    def _one(self, parent: Frame, cell: str, span: str, request: Json, model: str | None) -> str:
        shared, prompt = parent.shared, str(request["prompt"])
        shared.check()
        task = replace(
            shared.task,
            question=prompt,
            root_model=self._model(shared.task, model),
            options={**parent.ground.task.options, "depth": int(parent.ground.task.options.get("depth", 1)) - 1},
        )
        given = request.get("context")
        own = isinstance(given, dict) and given.get("$type") == WHOLE
        try:
            parts = [] if own else parts_of(prompt if given is None else given)
        except CorpusError as error:
            raise CallError(str(error), "refused") from None
        key = child_key(prompt, parent.corpus.id if own else repr(parts))
        if before := parent.journal.child(cell, key):
            return _take_over(parent, cell, span, *before)
        try:
            shared.budget.check_helper()  # a child that could ask nobody would cost nothing, and could be had without end
        except LimitHit as limit:
            parent.reached(limit)
            raise CallError(f"{limit} No more helpers: answer from what you have.", "limit") from None
        with folder_for_it() as folder:
            corpus = parent.corpus if own else corpus_of(parts, folder)
            ground = Ground(span, parent.depth + 1, task, corpus, self._functions_of(task))
            child = Frame(shared, ground, parent.journal.of_child(cell, key, span), self.ask)
            return self._run(parent, child, cell, key)

    def _run(self, parent: Frame, child: Frame, cell: str, key: str) -> str:
        """The child's answer. Emits its Started and its Finished; raises `CallError` for what is the child's own failure."""
        emit, ground = child.shared.emit, child.ground
        started = ev.FrameStarted(
            ground.depth, ground.task.strategy, ground.task.question, facts_of(ground.corpus), ground.task.options, key
        )
        emit(child.span, cell, started)
        try:
            answer = self._play(child, ground.task)
        except (StoreError, RunCancelled, ReplayDiverged) as error:
            outcome: Outcome = "cancelled" if isinstance(error, RunCancelled) else "failed"
            if not isinstance(error, StoreError):
                emit(child.span, cell, ev.FrameFinished(outcome, str(error)))
            raise
        except BaseException as error:
            cancelled = child.shared.cancelled.is_set()
            reason = "Cancelled on request." if cancelled else _in_words(error)
            emit(child.span, cell, ev.FrameFinished("cancelled" if cancelled else "failed", reason))
            raise CallError(f"The helper did not finish: {reason}", "bad_reply", maybe_paid=True) from error
        finally:
            child.close()
            parent.join(child.findings)
        forced = answer.how == "forced"
        emit(child.span, cell, ev.FrameFinished("forced" if forced else "answered", answer.reason, answer))
        return answer.text

    def _model(self, task: Task, model: str | None) -> str:
        if model not in (None, task.helper_model, task.root_model):
            known = f"The models of this run are {task.helper_model} (the default) and {task.root_model}."
            raise CallError(f"There is no model {model!r} here. {known}", "unknown_model")
        return model or task.helper_model


def facts_of(corpus: Corpus) -> Json:
    """What a frame's context is, as its first event says it."""
    kind = "text" if len(corpus.documents) == 1 else "documents"
    return {"kind": kind, "chars": corpus.chars, "documents": len(corpus.documents)}


def _take_over(parent: Frame, cell: str, span: str, life: Life, node: Node) -> str:
    """Record what an earlier life's child did, as it was, and give its answer again."""
    shared = parent.shared
    for event in life.subtree(node.id):
        body: Any = event.body
        if isinstance(body, ev.CallFinished) and (known := life.known(life.view.nodes[event.span])):
            body = known.replayed()
            shared.budget.take_over(known.paid.usage, known.paid.cost_usd, helper=True)
        if isinstance(body, ev.CallStarted) and body.continues:
            body = replace(body, continues=span + body.continues[len(node.id) :])
        below = span + event.span[len(node.id) :]
        above = event.parent and (cell if event.span == node.id else span + event.parent[len(node.id) :])
        shared.emit(below, above, body)
    parent.join(
        [
            (each.started.finding, checked.verdict)
            for each, _ in life.view.walk(node.id)
            if isinstance(each.started, ev.FindingRecorded) and (checked := life.view.verdicts.get(each.id))
        ]
    )
    finished = node.finished
    if isinstance(finished, ev.FrameFinished) and finished.answer:
        return finished.answer.text
    reason = finished.reason if isinstance(finished, ev.FrameFinished) else ""
    raise CallError(f"The helper did not finish: {reason}", "bad_reply")


def _in_words(error: BaseException) -> str:
    if isinstance(error, StudioError):
        return str(error)
    return f"An error in RLM Studio itself: {type(error).__name__}: {scrub(str(error))}"
