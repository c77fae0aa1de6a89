"""The route that gives a run, its findings or one of its texts as a file: `GET /files?run=R&as=jsonl`, `html`, of several
runs too (`run=R,R2`), `findings.csv`, `findings.json`, or `GET /files?run=R&node=SPAN&as=output`, `reply`, and whatever else
`long_texts.py` knows by name.

An address of its own outlives every redraw of the page that links to it, and a large run is written as it is read. Guarded as
the pages are (`guards.py`); what it gives is always saved and never shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from urllib.parse import quote, urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from app import backend, guards
from app.long_texts import WHATS
from app.places import FILES


@dataclass(frozen=True, slots=True)
class Form:
    """One form in which a run can be had."""

    name: str
    """Of the file, with `{run}` in it."""
    mime: str
    made: Callable[[str], str | Iterator[str] | None]


FORMS = {
    "jsonl": Form("run {run}.jsonl", "application/jsonl", backend.run_as_lines),
    "findings.csv": Form("findings of {run}.csv", "text/csv", partial(backend.findings_as, "csv")),
    "html": Form("run {run}.html", "text/html", partial(backend.as_page, "")),
    "html.redacted": Form("run {run} without documents.html", "text/html", partial(backend.as_page, "documents")),
    "findings.json": Form("findings of {run}.json", "application/json", partial(backend.findings_as, "json")),
}


def _form(name: str, node: str) -> Form | None:
    """Of a run as a whole, or of the text of a node, whose name is part of the file's."""
    if node and name in WHATS:
        return Form(f"{name} of {node} of {{run}}.txt", "text/plain", partial(backend.text_of_node, node, name))
    return FORMS.get(name)


def address(run: str, form: str, node: str | None = None) -> str:
    return f"{FILES}?{urlencode({'run': run, 'as': form, **({'node': node} if node else {})})}"


async def give(request: Request) -> Response:
    if refusal := guards.reading_refusal(request):
        return PlainTextResponse(refusal, 403)
    asked = request.query_params.get
    run, form = asked("run", ""), _form(asked("as", ""), asked("node", ""))
    if form is None:
        return PlainTextResponse(f"A run can be had as {', '.join(FORMS)}.", 404)
    try:
        made = await run_in_threadpool(form.made, run)
    except backend.Problem as problem:
        return PlainTextResponse(backend.in_words(problem), 404)
    if made is None:
        return PlainTextResponse("There is nothing such in the data folder. The run may have been deleted.", 404)
    headers = {
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(form.name.replace('{run}', run), safe='')}",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store",
    }
    parts = iter([made]) if isinstance(made, str) else made
    return StreamingResponse(parts, headers=headers, media_type=form.mime)
