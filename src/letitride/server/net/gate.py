"""Gate: refuses pages of other sites, floods, oversized requests and others' private tables before any route.

It sees HTTP requests and WebSockets alike, so that no route has to remember any of this.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final, cast

from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from letitride.errors import StoreDown
from letitride.rules.roles import MANAGERS
from letitride.server.net.access import address_of, house_of, optional_person, same_origin, token_of, too_many
from letitride.server.net.bodies import BODY_MAX, BOOKS_MAX, limited, too_large
from letitride.server.people.invitations import is_private
from letitride.server.people.sessions import hash_of
from letitride.server.runtime import hosts
from letitride.server.runtime.requests import STORE_AWAY
from letitride.server.runtime.waiting_lines import Turn, WaitingLines

log = logging.getLogger(__name__)
SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
POLICY_VIOLATION: Final = 1008
RETRY_SECONDS: Final = 1
DENIAL: Final = "websocket.http.response"
"""Servers that know it can say why a WebSocket is not opened."""
TABLES: Final = "/api/tables/"


class Gate:
    """Stands before the application."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        most = BODY_MAX
        try:
            connection = HTTPConnection(scope)
            refusal = await _refusal(connection)
            if refusal is None and scope["type"] == "http":
                most = await _body_bytes_max(connection)
                refusal = _too_large(connection, most)
        except StoreDown as error:  # nothing else would turn it into an answer out here
            log.warning("a request could not be checked: %s", error)
            refusal = JSONResponse({"detail": STORE_AWAY}, 503)
        if refusal is not None:
            await _refuse(refusal, scope, receive, send)
        else:
            await self._in_turn(scope, limited(receive, most) if scope["type"] == "http" else receive, send)

    async def _in_turn(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have a request answered when few enough others of the same session, and of the same address, are."""
        connection = HTTPConnection(scope)
        house, waiting = house_of(connection), cast("WaitingLines", scope["app"].state.waiting_lines)
        budgets, token = house.budgets, token_of(connection)
        lines = [(f"from {address_of(connection)}", budgets.requests_from_max)]
        if token:  # its own line first: a wait there holds up no one else
            lines.insert(0, (f"of {hash_of(token)}", budgets.requests_of_max))
        turns: list[Turn] = []

        async def sent(message: Message) -> None:
            if scope["type"] == "websocket":  # from here on its frames are counted, and its turn is over
                for turn in turns:
                    turn.end()
            await send(message)

        try:
            for whose, at_once in lines:
                turn = await waiting.enter(whose, at_once, budgets.requests_waiting_max, budgets.turn_seconds)
                if turn is None:
                    house.metrics.count_cut_off("requests")
                    await _refuse(_too_many(RETRY_SECONDS), scope, receive, send)
                    return
                turns.append(turn)
            await self._app(scope, receive, sent)
        finally:
            for turn in turns:
                turn.end()


async def _refuse(refusal: JSONResponse, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket" and DENIAL not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": POLICY_VIOLATION, "reason": ""})
    else:
        await refusal(scope, receive, send)


async def _refusal(connection: HTTPConnection) -> JSONResponse | None:
    house, asked_for = house_of(connection), connection.headers.get("host", "")
    if house.hosts is not None and not house.hosts.knows(asked_for):
        return JSONResponse({"detail": hosts.refusal(asked_for)}, 403)
    if connection.scope.get("method", "") not in SAFE and not same_origin(connection):
        sentence = "expected a request from a page of this house, got one from another site"
        return JSONResponse({"detail": sentence}, 403)
    token = token_of(connection)
    seconds = house.buckets.take("calls_from", address_of(connection), house.rates.calls_from)
    if not seconds and token:
        seconds = house.buckets.take("calls_of", hash_of(token), house.rates.calls_of)
    if seconds:
        house.metrics.count_cut_off("requests")
        return _too_many(seconds)
    table_id = connection.scope["path"].partition(TABLES)[2].partition("/")[0]
    by_ticket = connection.scope["type"] == "websocket" and "ticket" in connection.query_params  # given by `join`
    if is_private(table_id) and not by_ticket and not await _may_see(connection, table_id):
        # The sentence of a table that does not exist.
        return JSONResponse({"detail": f"expected a table that is open here, got '{table_id}'"}, 404)
    return None


def _too_many(seconds: int) -> JSONResponse:
    return JSONResponse({"detail": too_many(seconds)}, 429, {"Retry-After": str(seconds)})


async def _body_bytes_max(connection: HTTPConnection) -> int:
    """Return how many bytes a request may bring along."""
    if connection.scope["method"] != "POST" or connection.scope["path"] != TABLES.rstrip("/"):
        return BODY_MAX
    person = await asyncio.to_thread(optional_person, connection)
    return BOOKS_MAX if person is not None and set(person.roles) & set(MANAGERS) else BODY_MAX


def _too_large(connection: HTTPConnection, most: int) -> JSONResponse | None:
    said = connection.headers.get("content-length", "0")
    if not (said.isascii() and said.isdigit()) or int(said[:20]) <= most:
        return None
    return JSONResponse({"detail": too_large(most)}, 413)


async def _may_see(connection: HTTPConnection, table_id: str) -> bool:
    private = house_of(connection).private
    return await asyncio.to_thread(lambda: private.may_see(optional_person(connection), table_id))
