"""App: HTTP and WebSockets over the house; a thin layer that knows cookies, origins and status codes, and no game."""

from __future__ import annotations

import asyncio
import html
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final
from urllib.parse import urlsplit

from fastapi import FastAPI, HTTPException, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse
from pydantic import BaseModel, Field

from letitride import __version__
from letitride.errors import InvalidData, MissingData
from letitride.server.house import House, Room
from letitride.server.people import LoginRefused, Person
from letitride.server.sockets import Viewer

COOKIE: Final = "letitride_session"
POLICY_VIOLATION: Final = 1008


class Login(BaseModel):
    """A name and a password."""

    name: str = Field(max_length=64)
    password: str = Field(max_length=256)


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

    app = FastAPI(title="letitride", version=__version__, lifespan=lifespan)

    @app.exception_handler(MissingData)
    async def missing(_: Request, error: MissingData) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, 404)

    @app.exception_handler(LoginRefused)
    async def refused(_: Request, error: LoginRefused) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, 403)

    @app.exception_handler(InvalidData)
    async def invalid(_: Request, error: InvalidData) -> JSONResponse:
        return JSONResponse({"detail": str(error)}, 422)

    def person_of(request: Request | WebSocket) -> Person:
        person = house.people.by_session(request.cookies.get(COOKIE, ""))
        if person is None:
            raise HTTPException(401, "expected a session, got none that is valid: POST /api/guest begins one")
        return person

    @app.get("/", response_class=HTMLResponse)
    async def home() -> str:
        rows = "".join(
            f"<tr><td>{html.escape(one['name'])}</td><td>{one['seated']} of {one['seats']}</td>"
            f"<td>{html.escape(one['phase'])}</td><td>{one['round']}</td></tr>"
            for one in map(_listed, house.rooms.values())
        )
        return (
            "<!doctype html><html lang='en'><meta charset='utf-8'><title>letitride</title><h1>letitride</h1>"
            "<p>Tables of this house. The interface is at <a href='/docs'>/docs</a>.</p>"
            f"<table><tr><th>table</th><th>seated</th><th>now</th><th>round</th></tr>{rows}</table></html>"
        )

    @app.get("/healthz", response_class=PlainTextResponse)
    async def healthy() -> str:
        return "ok"

    @app.get("/api/tables")
    async def tables() -> list[dict[str, Any]]:
        return [_listed(room) for room in house.rooms.values()]

    @app.get("/api/tables/{table_id}/proofs/{round_number}/{shuffle}")
    async def proof(table_id: str, round_number: int, shuffle: int) -> dict[str, Any]:
        found = house.room(table_id).shuffles.proof(round_number, shuffle)
        if found is None:
            raise MissingData(f"expected a shuffle that is opened, got round {round_number}, shuffle {shuffle}")
        return found

    @app.post("/api/guest")
    async def guest(response: Response) -> dict[str, Any]:
        person, token = await house.people.guest()
        return _welcome(response, person, token)

    @app.post("/api/accounts", status_code=201)
    async def register(login: Login) -> dict[str, Any]:
        person = await house.people.register(login.name, login.password)
        return {"name": person.name}

    @app.post("/api/login")
    async def login(login: Login, response: Response) -> dict[str, Any]:
        person, token = await house.people.login(login.name, login.password)
        return _welcome(response, person, token)

    @app.post("/api/logout", status_code=204)
    async def logout(request: Request, response: Response) -> None:
        await house.people.logout(request.cookies.get(COOKIE, ""))
        response.delete_cookie(COOKIE)

    @app.get("/api/me")
    async def me(request: Request) -> dict[str, Any]:
        person = person_of(request)
        wallet = house.store.balances(None).get(f"wallet:{person.name}", 0)
        return {"name": person.name, "guest": person.guest, "roles": list(person.roles), "wallet_cents": wallet}

    @app.websocket("/api/tables/{table_id}/socket")
    async def socket(websocket: WebSocket, table_id: str, role: str = "") -> None:
        # Everything is checked before the connection is accepted: middleware does not see WebSockets.
        person = house.people.by_session(websocket.cookies.get(COOKIE, ""))
        if person is None or table_id not in house.rooms or not _same_origin(websocket):
            await websocket.close(POLICY_VIOLATION)
            return
        try:
            viewer = Viewer(house.room(table_id), person, role)
        except InvalidData:
            await websocket.close(POLICY_VIOLATION)
            return
        await websocket.accept()
        sending = asyncio.create_task(viewer.send_all(websocket.send_bytes))
        try:
            while not sending.done():
                answer = await viewer.take(await websocket.receive_text(), time.monotonic())
                if answer is not None:
                    await websocket.send_json(answer)
        except WebSocketDisconnect:
            pass
        finally:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)

    return app


def _welcome(response: Response, person: Person, token: str) -> dict[str, Any]:
    response.set_cookie(COOKIE, token, httponly=True, samesite="strict", max_age=12 * 3600)
    return {"name": person.name, "guest": person.guest}


def _same_origin(websocket: WebSocket) -> bool:
    """Whether a WebSocket comes from our own pages, or from no browser at all."""
    origin = websocket.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == websocket.headers.get("host")


def _listed(room: Room) -> dict[str, Any]:
    table = room.table
    return {
        "id": room.record.id,
        "name": room.record.name,
        **room.record.about,
        "seated": sum(bool(seat.player) for seat in table.seats.values()),
        "phase": table.phase,
        "round": table.round,
        "halted": bool(room.host.halted),
    }
