"""App: HTTP and WebSockets over the house; a thin layer that knows cookies, origins and status codes, and no game."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse

from letitride import __version__
from letitride.errors import InvalidData, LetItRideError, MissingData, StoreDown
from letitride.server.asking import refusals
from letitride.server.door import NotNow
from letitride.server.gate import Gate
from letitride.server.house import House
from letitride.server.people import LoginRefused
from letitride.server.requests import TableHalted
from letitride.server.routes import accounts, audit, floor, invitations, limits, lobby, socket, wallet
from letitride.server.shift import NotYours

ROUTERS: Final = (
    lobby.router,
    accounts.router,
    floor.router,
    socket.router,
    limits.router,
    wallet.router,
    invitations.router,
    audit.router,
)
STATUS: Final[dict[type[LetItRideError], int]] = {
    MissingData: 404,
    LoginRefused: 403,
    InvalidData: 422,
    NotYours: 403,
    NotNow: 409,
    TableHalted: 409,
    StoreDown: 503,
}


UVICORN: Final[dict[str, Any]] = {
    "ws": "websockets-sansio",
    "ws_max_size": 65_536,
    "ws_per_message_deflate": False,  # messages are small, and to compress one takes longer than to send it
    "log_level": "warning",
}
"""How the application is served, everywhere."""


def create(house: House, *, demo: bool = True) -> FastAPI:
    """Return the application of a house."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await house.start(demo=demo)
        leases = asyncio.create_task(house.nodes.keep(house))
        tidying = asyncio.create_task(house.people.sessions.tidy())
        try:
            yield
        finally:
            leases.cancel()
            tidying.cancel()
            await house.close()

    app = FastAPI(title="letitride", version=__version__, lifespan=lifespan)
    app.state.house = house
    app.add_middleware(Gate)
    for kind in STATUS:
        app.add_exception_handler(kind, _refuse)
    for router in ROUTERS:
        app.include_router(router, responses=refusals(403, 429))
    return app


async def _refuse(_: Request, error: Exception) -> JSONResponse:
    status = next((STATUS[kind] for kind in type(error).__mro__ if kind in STATUS), 422)
    return JSONResponse({"detail": str(error)}, status)
