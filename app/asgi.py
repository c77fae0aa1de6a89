"""The web application: Streamlit, our static files under `/assets`, and a worker for as long as it runs.

For `python -m app`, `streamlit run app/asgi.py`, or any ASGI server (`app.asgi:app`). One process, one worker.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from app.places import APP, ASSETS, FILES, STATIC, UPLOAD
from app.worker_process import worker_beside
from rlm_core.settings import load_settings


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[None]:
    from app import backend  # its caches are made when it is imported, and Streamlit wants to run by then

    home = load_settings().home
    with backend.tidy_uploads(home):
        async with worker_beside(home):
            yield


async def ask(request: Request) -> RedirectResponse:
    """The first page has the address of the app itself; whoever types its name is led there."""
    return RedirectResponse(f"./?{request.url.query}")


async def upload(request: Request) -> Response:
    from app.upload_route import take_in  # as above

    return await take_in(request)


async def give_file(request: Request) -> Response:
    from app.file_route import give  # as above

    return await give(request)


app = st.App(
    APP / "main.py",
    lifespan=lifespan,
    routes=[
        Mount(ASSETS, StaticFiles(directory=STATIC)),
        Route("/ask", ask),
        Route(UPLOAD, upload, methods=["PUT"]),
        Route(FILES, give_file, methods=["GET"]),
    ],
)
