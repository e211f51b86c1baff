"""App: HTTP and WebSockets over the house; a thin layer that knows cookies, origins and status codes, and no game."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse

from letitride import __version__
from letitride.errors import InvalidData, LetItRideError, MissingData, StoreDown
from letitride.server.asking import refused
from letitride.server.host import TableHalted
from letitride.server.house import House
from letitride.server.people import LoginRefused
from letitride.server.routes import accounts, lobby, socket

ROUTERS: Final = (lobby.router, accounts.router, socket.router)
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
        try:
            yield
        finally:
            leases.cancel()
            await house.close()

    app = FastAPI(title="letitride", version=__version__, lifespan=lifespan, responses=refused(422))
    app.state.house = house
    for kind in STATUS:
        app.add_exception_handler(kind, _refuse)
    app.add_exception_handler(RequestValidationError, _unreadable)
    for router in ROUTERS:
        app.include_router(router)
    return app


async def _refuse(_: Request, error: Exception) -> JSONResponse:
    status = next((STATUS[kind] for kind in type(error).__mro__ if kind in STATUS), 422)
    return JSONResponse({"detail": str(error)}, status)


async def _unreadable(_: Request, error: Exception) -> JSONResponse:
    """Say in one sentence what was wrong with a request, and nothing of what it held: that may be a password."""
    first = error.errors()[0] if isinstance(error, RequestValidationError) else {"loc": (), "msg": "something else"}
    where = ".".join(map(str, first["loc"]))
    return JSONResponse({"detail": f"expected a request as /docs describes it, got {where}: {first['msg']}"}, 422)
