"""The route that takes in an upload: `PUT /upload`, its body as `app.backend.arrival` describes it.

It is guarded as the pages are (`guards.py`) and by a ticket, which a page gives to its own component and which is good once.
Answers 202 when everything is on the disk and is being read; any other answer is a sentence, and nothing is left.
"""

from __future__ import annotations

from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, Response

from app import backend, guards

TICKET_HEADER = "X-Upload-Ticket"


async def take_in(request: Request) -> Response:
    if refusal := guards.refusal(request):
        return PlainTextResponse(refusal, 403)
    upload = backend.claim_upload(request.headers.get(TICKET_HEADER, ""), guards.browser_of(request))
    if upload is None or not guards.is_open(upload.session):
        return PlainTextResponse("This page may not upload any more: it is old, or has done so. Reload it.", 403)
    try:
        await backend.receive(upload, request.stream())
    except backend.TooLarge as problem:
        return PlainTextResponse(backend.in_words(problem), 413)
    except backend.NoRoom as problem:
        return PlainTextResponse(backend.in_words(problem), 507)
    except backend.Problem as problem:
        return PlainTextResponse(backend.in_words(problem), 400)
    except ClientDisconnect:
        return Response(status_code=400)  # nobody reads it
    return Response(status_code=202)
