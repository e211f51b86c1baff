"""App: HTTP and WebSockets over the house; a thin layer that knows cookies, origins and status codes, and no game."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse

from letitride import __version__
from letitride.errors import InvalidData, LetItRideError, MissingData, StoreDown
from letitride.server.backups import Backups
from letitride.server.digests import code_digest
from letitride.server.doors import Doors, DoorsMiddleware
from letitride.server.host import TableHalted
from letitride.server.house import House
from letitride.server.opening import TableBusy
from letitride.server.people import LoginRefused
from letitride.server.readiness import Readiness
from letitride.server.routes import accounts, backups, health, lobby, operator, socket, staff
from letitride.server.settings import Settings
from letitride.server.setup import Setup

ROUTERS: Final = (
    lobby.router,
    accounts.router,
    operator.router,
    staff.router,
    backups.router,
    health.router,
    socket.router,
)
STATUS: Final[dict[type[LetItRideError], int]] = {
    MissingData: 404,
    LoginRefused: 403,
    TableBusy: 409,
    InvalidData: 422,
    TableHalted: 409,
    StoreDown: 503,
}


def create(house: House, *, demo: bool = True, settings: Settings | None = None) -> FastAPI:
    """Return the application of a house; without settings it has no folder for backups."""
    readiness = Readiness(house)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await house.start(demo=demo)
        always = [asyncio.create_task(work) for work in (house.keep_leases(), house.metrics.watch_loop())]
        readiness.started = True
        try:
            yield
        finally:
            readiness.stopping = True
            app.state.setup.done()
            for task in always:
                task.cancel()
            await house.close()

    app = FastAPI(title="letitride", version=__version__, lifespan=lifespan)
    app.state.house = house
    app.state.readiness = readiness
    app.state.settings = settings or Settings()
    app.state.backups = Backups(Path(settings.data_dir) / "backups") if settings and settings.data_dir else None
    app.state.making_backup = asyncio.Lock()
    app.state.code_at_start = code_digest()
    app.state.setup = Setup()
    app.state.doors = Doors(house.metrics)
    app.add_middleware(DoorsMiddleware, doors=app.state.doors)
    for kind in STATUS:
        app.add_exception_handler(kind, _refuse)
    for router in ROUTERS:
        app.include_router(router)
    return app


async def _refuse(_: Request, error: Exception) -> JSONResponse:
    status = next((STATUS[kind] for kind in type(error).__mro__ if kind in STATUS), 422)
    return JSONResponse({"detail": str(error)}, status)
