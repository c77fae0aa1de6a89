"""The whole page: data made of runs, what must not be told taken out, and all of it written into one file.

Every text passes through jinja's escaping, or is data that the page's script draws as text. What may run and how it looks is
named by hash in the page's own security policy, which allows nothing else, and no address at all.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from rlm_core.compare import LETTERS, Comparison
from rlm_core.exporters.page.comparison_part import comparison_of
from rlm_core.exporters.page.redaction import TELL_ALL, Redaction, redacted, scrubbed
from rlm_core.exporters.page.run_part import PageRun, RunPart
from rlm_core.exporters.page.sources import sources_of
from rlm_core.plain import plain_line
from rlm_core.story import Step, draft, edited
from rlm_core.task import Json

HERE = Path(__file__).resolve().parent
NO_DOCUMENTS: Mapping[str, Iterable[str]] = {}
STYLES, SCRIPTS = ("page.css", "story.css"), ("story.js", "page.js")


def page_of(
    runs: Sequence[PageRun],
    comparison: Comparison | None = None,
    told: Comparison | None = None,
    redaction: Redaction = TELL_ALL,
    documents: Mapping[str, Iterable[str]] = NO_DOCUMENTS,
) -> str:
    """One HTML file of a run, or of runs and their comparison, in the same order. Its story is that of the last one, and tells
    the comparison `told`, of one of the others with it, by their letters on the page. `documents`: the texts of the archives
    that are at hand, by their ids, for what a redaction takes out."""
    parts = [RunPart(run, redaction, 1 / len(runs)) for run in runs]
    now = max((run.view.last_at or 0.0 for run in runs), default=0.0)
    data: Json = {
        "runs": [{"letter": LETTERS[number], **part.data()} for number, part in enumerate(parts)],
        "comparison": comparison_of(comparison, redaction, now) if comparison else None,
        "story": [_step(step, parts, redaction) for step in _story(parts[-1], told)],
        "redacted": redaction.sentences(),
    }
    if redaction:
        data = scrubbed(data, sources_of(runs, redaction, documents))
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
