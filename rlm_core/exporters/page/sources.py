"""The texts of which nothing may be left in a page that is redacted: documents, what stands for them where an archive is not at
hand, and prompts. A run's own question is told in any case.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rlm_core import events as ev
from rlm_core.exporters.page.redaction import Redaction, shared
from rlm_core.exporters.page.run_part import PageRun
from rlm_core.passages import passage
from rlm_core.view import Node

INSTRUCTION_CHARS = 20_000
"""Of a prompt, so much may be what it begins with in common with others."""


def sources_of(runs: Iterable[PageRun], redaction: Redaction, documents: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """`documents`: the texts of the archives that are at hand, by their ids."""
    for texts in documents.values() if redaction.documents else ():
        yield from texts
    for run in runs:
        if redaction.documents:
            at_hand = run.view.task is not None and run.view.task.corpus in documents
            yield from _without_question(run, _of_documents(run, at_hand))
        if redaction.prompts:
            yield from _without_question(run, _of_prompts(run))


def _without_question(run: PageRun, texts: Iterable[str]) -> Iterator[str]:
    question = run.whole(passage(run.view.task.question)) if run.view.task else ""
    for text in texts:
        yield text.replace(question, " ") if question else text


def _of_documents(run: PageRun, at_hand: bool) -> Iterator[str]:
    """Quotes; of an archive that is not at hand also whatever was printed of it, sent to models, and replied by helpers."""
    for node in run.view.nodes.values():
        if isinstance(node.started, ev.FindingRecorded) and node.started.finding.quote:
            yield run.whole(passage(node.started.finding.quote))
        for text in () if at_hand else (*_asked(node), *_came_of(node)):
            yield run.whole(passage(text))


def _asked(node: Node) -> Iterator[Any]:
    """What was sent, as events hold it: to a helper, or to open the conversation of a frame."""
    match node.started:
        case ev.CallStarted(role="root", continues=str()):
            return
        case ev.CallStarted():
            for message in node.started.messages:
                if message.role == "assistant":
                    return
                if message.role != "system":
                    yield message.text
        case ev.FrameStarted() if node.parent != ev.RUN_SPAN:
            yield node.started.question


def _came_of(node: Node) -> Iterator[Any]:
    match node.started, node.finished:
        case _, ev.CellFinished(output=output):
            yield output
        case ev.CallStarted(role=role), ev.CallFinished(text=text) if role != "root" and text:
            yield text
        case _, ev.FrameFinished(answer=answer) if answer and node.parent != ev.RUN_SPAN:
            yield answer.text


def _of_prompts(run: PageRun) -> Iterator[str]:
    """Instructions: what child frames were asked, what the prompts of a cell begin with in common (of a single prompt its first
    line), and what of a prompt stands in code. What else prompts hold may be of documents, which may be told."""
    nodes = run.view.nodes.values()
    for node in nodes:
        if isinstance(node.started, ev.FrameStarted) and node.parent != ev.RUN_SPAN:
            yield run.whole(passage(node.started.question))
    beginnings = defaultdict[str | None, list[str]](list)
    for parent, prompt in _prompts(run):
        beginnings[parent].append(prompt[:INSTRUCTION_CHARS])
    for begun in beginnings.values():
        yield os.path.commonprefix(begun) if len(begun) > 1 else begun[0].partition("\n")[0]  # noqa: RUF071
    codes = [run.whole(passage(node.started.code)) for node in nodes if isinstance(node.started, ev.CellStarted)]
    yield from shared(codes, _without_question(run, (prompt for _, prompt in _prompts(run))))


def _prompts(run: PageRun) -> Iterator[tuple[str | None, str]]:
    """Of all helpers, each with what asked it."""
    for node in run.view.nodes.values():
        if isinstance(node.started, ev.CallStarted) and node.started.role != "root" and node.started.messages:
            yield node.parent, run.whole(passage(node.started.messages[-1].text))
