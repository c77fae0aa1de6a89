"""The whole page: data made of runs, what must not be told taken out, and all of it written into one file.

Every text passes through jinja's escaping, or is data that the page's script draws as text. What may run and how it looks is
named by hash in the page's own security policy, which allows nothing else, and no address at all.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from rlm_core import events as ev
from rlm_core.compare import LETTERS, Comparison
from rlm_core.exporters.page.comparison_part import comparison_of
from rlm_core.exporters.page.redaction import TELL_ALL, Redaction, redacted, scrubbed
from rlm_core.exporters.page.run_part import PageRun, RunPart
from rlm_core.passages import passage
from rlm_core.plain import plain_line
from rlm_core.story import Step, draft, edited
from rlm_core.task import Json
from rlm_core.view import Node

HERE = Path(__file__).resolve().parent
INSTRUCTION_CHARS = 20_000
"""Of a prompt, so much may be what it begins with in common with others."""
STYLES, SCRIPTS = ("page.css", "story.css"), ("story.js", "page.js")


def page_of(
    runs: Sequence[PageRun],
    comparison: Comparison | None = None,
    redaction: Redaction = TELL_ALL,
    documents: Iterable[str] = (),
) -> str:
    """One HTML file of a run, or of runs and their comparison, in the same order. Its story is that of the last one, beside the
    first. `documents`: the texts of their archives, for what a redaction takes out; without them it knows what runs printed."""
    parts = [RunPart(run, redaction, 1 / len(runs)) for run in runs]
    now = max((run.view.last_at or 0.0 for run in runs), default=0.0)
    data: Json = {
        "runs": [{"letter": LETTERS[number], **part.data()} for number, part in enumerate(parts)],
        "comparison": comparison_of(comparison, redaction, now) if comparison else None,
        "story": [_step(step, parts, redaction) for step in _story(parts[-1], comparison)],
        "redacted": redaction.sentences(),
    }
    if redaction:
        data = scrubbed(data, _sources(runs, redaction, documents))
    return _written(data, plain_line(str(data["runs"][-1]["head"]["question"]), 120))


def _story(part: RunPart, comparison: Comparison | None) -> list[Step]:
    run = part.run
    return edited(draft(run.view, part.reading, run.whole, run.shown, comparison), run.edits)


def _step(step: Step, parts: Sequence[RunPart], redaction: Redaction) -> Json:
    """A step as the script draws it; its links lead to places of the page."""
    said = asdict(step)
    letters = {part.run.id: LETTERS[number] for number, part in enumerate(parts)}
    last = LETTERS[len(parts) - 1]
    for link in said["links"]:
        link["href"] = f"#{letters.get(link['run'], last)}-{quote(link.pop('span'), safe='')}"
    for each in said["quotes"] if redaction.documents else ():
        each["words"] = redacted(len(each["words"]))
    return said


def _sources(runs: Sequence[PageRun], redaction: Redaction, documents: Iterable[str]) -> Iterator[str]:
    """What nothing of may be left: documents, or where they are not at hand what cells printed; and what helpers were sent."""
    at_hand = False
    for text in documents if redaction.documents else ():
        at_hand = True
        yield text
    for run in runs:
        for node in run.view.nodes.values() if redaction.documents else ():
            yield from (run.whole(passage(text)) for text in _shown_of_documents(node, at_hand))
        yield from _instructions(run) if redaction.prompts else ()


def _shown_of_documents(node: Node, at_hand: bool) -> Iterator[Any]:
    """Of one node, as its events hold them."""
    if isinstance(node.started, ev.FindingRecorded) and node.started.finding.quote:
        yield node.started.finding.quote
    if isinstance(node.finished, ev.CellFinished) and not at_hand:
        yield node.finished.output


def _instructions(run: PageRun) -> Iterator[str]:
    """What the prompts of a cell begin with in common, without the question; of a single prompt its first line."""
    question = run.whole(passage(run.view.task.question)) if run.view.task else ""
    prompts = defaultdict[str | None, list[str]](list)
    for node in run.view.nodes.values():
        if isinstance(node.started, ev.CallStarted) and node.started.role != "root" and node.started.messages:
            prompts[node.parent].append(run.whole(passage(node.started.messages[-1].text))[:INSTRUCTION_CHARS])
    for asked in prompts.values():
        shared = os.path.commonprefix(asked) if len(asked) > 1 else asked[0].partition("\n")[0]  # noqa: RUF071
        yield shared.replace(question, " ") if question else shared


def _written(data: Json, title: str) -> str:
    styles, scripts = (_joined(names) for names in (STYLES, SCRIPTS))
    sent = {"story": data["story"], "members": {run["letter"]: run.pop("members") for run in data["runs"]}}
    policy = (
        f"default-src 'none'; style-src {_hash(styles)}; script-src {_hash(scripts)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    page: str = _template().render(
        **data, title=title, policy=policy, styles=Markup(styles), scripts=Markup(scripts), sent=Markup(_as_data(sent))
    )
    return page


def _as_data(value: Any) -> str:
    """JSON that ends no script and begins no comment, whatever its texts say."""
    said = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    said = said.encode("utf-8", "replace").decode("utf-8")
    for letter in "<>&\u2028\u2029":
        said = said.replace(letter, f"\\u{ord(letter):04x}")
    return said


@cache
def _joined(names: Sequence[str]) -> str:
    return "\n".join((HERE / name).read_text(encoding="utf-8") for name in names)


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@cache
def _template() -> Any:
    environment = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["fragment"] = lambda text: quote(str(text), safe="")
    return environment.get_template("page.html")
