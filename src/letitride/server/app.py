"""App: HTTP and WebSockets over the house; a thin layer that knows cookies, origins and status codes, and no game."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse

from letitride import __version__
from letitride.errors import InvalidData, LetItRideError, MissingData, StoreDown
from letitride.server.history import History
from letitride.server.host import TableHalted
from letitride.server.house import House
from letitride.server.people import LoginRefused
from letitride.server.routes import accounts, history, lobby, par, reports, socket

ROUTERS: Final = (lobby.router, accounts.router, socket.router, history.router, par.router, reports.router)
STATUS: Final[dict[type[LetItRideError], int]] = {
    MissingData: 404,
    LoginRefused: 403,
    InvalidData: 422,
    TableHalted: 409,
    StoreDown: 503,
}


def create(house: House, *, demo: bool = True) -> FastAPI:
    """Return the application of a house."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await house.start(demo=demo)
        leases = asyncio.create_task(house.keep_leases())
        marks = asyncio.create_task(app.state.history.keep_marks())
        try:
            yield
        finally:
            leases.cancel()
            marks.cancel()
            await house.close()

    app = FastAPI(title="letitride", version=__version__, lifespan=lifespan)
    app.state.house = house
    app.state.history = History(house)
    for kind in STATUS:
        app.add_exception_handler(kind, _refuse)
    for router in ROUTERS:
        app.include_router(router)
    return app


async def _refuse(_: Request, error: Exception) -> JSONResponse:
    status = next((STATUS[kind] for kind in type(error).__mro__ if kind in STATUS), 422)
    return JSONResponse({"detail": str(error)}, status)
