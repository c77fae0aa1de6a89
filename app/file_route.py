"""The route that gives a run or its findings as a file: `GET /files?run=R&as=jsonl`, or `findings.csv`, `findings.json`.

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
    "findings.json": Form("findings of {run}.json", "application/json", partial(backend.findings_as, "json")),
}


def address(run: str, form: str) -> str:
    return f"{FILES}?{urlencode({'run': run, 'as': form})}"


async def give(request: Request) -> Response:
    if refusal := guards.reading_refusal(request):
        return PlainTextResponse(refusal, 403)
    run, form = request.query_params.get("run", ""), FORMS.get(request.query_params.get("as", ""))
    if form is None:
        return PlainTextResponse(f"A run can be had as {', '.join(FORMS)}.", 404)
    try:
        made = await run_in_threadpool(form.made, run)
    except backend.Problem as problem:
        return PlainTextResponse(backend.in_words(problem), 404)
    if made is None:
        return PlainTextResponse("There is no such run in the data folder. It may have been deleted.", 404)
    headers = {
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(form.name.format(run=run), safe='')}",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-store",
    }
    parts = iter([made]) if isinstance(made, str) else made
    return StreamingResponse(parts, headers=headers, media_type=form.mime)
