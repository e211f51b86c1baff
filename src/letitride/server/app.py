"""App: HTTP and WebSockets over the house; a thin layer that knows cookies, origins and status codes, and no game."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, cast

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse

from letitride.errors import InvalidData, LetItRideError, MissingData, StoreDown
from letitride.server.net.access import PasswordRequired, optional_person, record_refusal, set_pending_cookie
from letitride.server.net.api_docs import ApiDescription
from letitride.server.net.bounded_http import BoundedHttp
from letitride.server.net.connections import Connections
from letitride.server.net.forwarding import Forwarder
from letitride.server.net.gate import Gate
from letitride.server.net.headers import Headers, add_missing_headers
from letitride.server.net.pages import Pages
from letitride.server.net.send_batching import SendBatching
from letitride.server.net.shutdown import OpenSockets, ShutdownMiddleware
from letitride.server.net.site import Site
from letitride.server.net.socket_forwarding import SocketForwarder
from letitride.server.ops.approved_acts import know_ways
from letitride.server.ops.backups import Backups
from letitride.server.ops.digests import code_digest
from letitride.server.ops.oidc import Oidc, accounts_of, oidc_of
from letitride.server.ops.readiness import Readiness
from letitride.server.ops.settings import Settings
from letitride.server.ops.setup import Setup
from letitride.server.ops.trays import Trays
from letitride.server.people.accounts import LoginRefused
from letitride.server.people.factor_records import FactorAgain, FactorFirst, FactorWanted, WrongCode, WrongPasskey
from letitride.server.people.factor_sign_in import FactorSignIn
from letitride.server.people.passkey_sign_in import PasskeySignIn
from letitride.server.people.passkeys import Passkeys
from letitride.server.people.password_attempts import TryLater
from letitride.server.people.round_links import RoundLinks
from letitride.server.people.tickets import TICKET_MS
from letitride.server.routes import (
    accounts,
    approvals,
    audit,
    backups,
    bots,
    coach,
    desk,
    edges,
    factors,
    floor,
    health,
    history,
    invitations,
    journal,
    learn,
    learn_assignments,
    learn_dealer,
    learn_player,
    limits,
    live_par,
    lobby,
    oidc,
    operator,
    own_rounds,
    page,
    par,
    payouts,
    pit,
    reports,
    round_links,
    rules,
    sessions,
    socket,
    staff,
    tray,
    vouchers,
    wallet,
)
from letitride.server.routes import (
    passkeys as passkey_routes,
)
from letitride.server.runtime.introductions import KEY
from letitride.server.runtime.logs import LOGGING
from letitride.server.runtime.pricing import Busy
from letitride.server.runtime.requests import STORE_AWAY, NotNow, RoleMissing, TableHalted
from letitride.server.runtime.type_warmup import warm_up_types
from letitride.server.runtime.waiting_lines import WaitingLines
from letitride.server.tables.history import History
from letitride.server.tables.house import House
from letitride.server.tables.node_records import TableElsewhere
from letitride.server.tables.own_rounds import OwnRounds
from letitride.version import __version__

ROUTERS: Final = (
    lobby.router,
    bots.router,
    edges.router,
    accounts.router,
    sessions.router,
    factors.router,
    passkey_routes.router,
    oidc.router,
    floor.router,
    operator.router,
    staff.router,
    backups.router,
    health.router,
    history.router,
    own_rounds.router,
    round_links.router,
    coach.router,
    live_par.router,
    par.router,
    payouts.router,
    pit.router,
    rules.router,
    reports.router,
    tray.router,
    socket.router,
    limits.router,
    wallet.router,
    vouchers.router,
    invitations.router,
    audit.router,
    approvals.router,
    learn.router,
    learn_player.router,
    desk.router,
    journal.router,
    learn_dealer.router,
    learn_assignments.router,
    page.router,  # last: it has what no other has
)
log = logging.getLogger(__name__)
STATUS: Final[dict[type[LetItRideError], int]] = {
    MissingData: 404,
    LoginRefused: 403,
    TryLater: 429,
    PasswordRequired: 403,
    FactorWanted: 403,
    FactorAgain: 403,
    FactorFirst: 403,
    WrongCode: 403,
    WrongPasskey: 403,
    InvalidData: 422,
    RoleMissing: 403,
    NotNow: 409,
    TableHalted: 409,
    Busy: 503,
}


OUR_FAULT: Final = "expected an answer, got an internal error of the server: see its log"
UVICORN: Final[dict[str, Any]] = {  # keyword arguments of uvicorn.Config, each of its own type
    "http": BoundedHttp,
    "ws": SendBatching,
    "ws_max_size": 65_536,
    "ws_per_message_deflate": False,  # messages are small, and to compress one takes longer than to send it
    "log_config": LOGGING,
    "server_header": False,  # no one needs to know which program serves
}
"""How the application is served, everywhere."""


def create(house: House, *, demo: bool = True, settings: Settings | None = None) -> FastAPI:
    """Return the application of a house; without settings it has no folder for backups."""
    readiness = Readiness(house)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await house.start(demo=demo)
        works = (
            house.nodes.run(house),
            _tidy_tickets(house, app.state.oidc, app.state.passkeys),
            house.people.sessions.tidy(),
            house.people.record.tidy(),
            house.approvals.keep(),
            house.metrics.watch_loop(),
            app.state.connections.run_sweeps(),
            app.state.history.keep_marks(),
        )
        always = [asyncio.create_task(work) for work in works]
        readiness.started = True
        try:
            yield
        finally:
            readiness.stopping = True
            app.state.setup.forget_code()
            for task in always:
                task.cancel()
            await house.close()

    _type_warmup()
    app = FastAPI(
        title="letitride",
        version=__version__,
        lifespan=lifespan,
        # Not by `include_router`, which makes every address ready once more for each application.
        routes=[route for router in ROUTERS for route in router.routes],
        docs_url=None,
        redoc_url=None,
        openapi_url=None,  # the page's routes have it, made once
    )
    app.state.house = house
    know_ways(house)
    app.state.history = History(house)
    app.state.trays = Trays(house)
    app.state.own_rounds = OwnRounds(house, app.state.history)
    app.state.round_links = RoundLinks(house.stores.documents, house.committer, lambda: house.clock_ms())  # noqa: PLW0108 - clocks may be set
    clock = lambda: house.clock_ms()  # noqa: E731, PLW0108 - clocks may be set
    app.state.factors = FactorSignIn(house.people, clock)
    passkeys = Passkeys(
        house.people.factors,
        house.stores.documents,
        house.committer,
        clock,
        vault=house.vault,
        address=lambda: house.nodes.address,
    )
    app.state.passkeys = PasskeySignIn(house.people, app.state.factors, passkeys, clock)
    app.state.round_pictures = OrderedDict[tuple[str, int], bytes]()
    app.state.readiness = readiness
    app.state.pages = Pages()
    app.state.site = Site()
    app.state.connections = Connections(house.budgets, house.metrics, lambda: house.trusted_proxies)
    app.state.forwarder = Forwarder(house.nodes, house.vault.derive(KEY), lambda: house.clock_ms())  # noqa: PLW0108 - clocks may be set
    app.state.socket_forwarder = SocketForwarder(app.state.forwarder, app.state.connections, house.is_here)
    app.state.waiting_lines = WaitingLines()
    app.state.interface = ApiDescription(app.openapi)
    app.state.settings = settings or Settings()
    app.state.oidc_accounts = accounts_of(house)
    app.state.oidc = oidc_of(house, app.state.settings, app.state.oidc_accounts)
    app.state.backups = Backups(Path(settings.data_dir) / "backups") if settings and settings.data_dir else None
    app.state.making_backup = asyncio.Lock()
    app.state.code_at_start = _code_at_start()
    app.state.taking_digests = asyncio.Lock()
    app.state.setup = Setup()
    app.state.open_sockets = OpenSockets(house.metrics)
    app.add_middleware(Gate)
    app.add_middleware(ShutdownMiddleware, open_sockets=app.state.open_sockets)
    app.add_middleware(Headers)  # the last is the first to see a request, and the last to see its answer
    for kind in STATUS:
        app.add_exception_handler(kind, _refusal)
    app.add_exception_handler(TableElsewhere, _forward)
    app.add_exception_handler(StoreDown, _store_unavailable)
    app.add_exception_handler(RequestValidationError, _invalid_request)
    app.add_exception_handler(Exception, _internal_error)
    return app


@cache
def _type_warmup() -> None:
    """Have types looked into once, before any thread reads."""
    warm_up_types()


@cache
def _code_at_start() -> str:
    """Return the digest of the code that this process runs: files that change later do not change it."""
    return code_digest()


async def _tidy_tickets(house: House, oidc: Oidc | None, passkeys: PasskeySignIn) -> None:
    """Forget tickets that were never used and sign-ins that wait in vain, for as long as the server runs."""
    while True:
        await asyncio.sleep(TICKET_MS / 1000)
        with suppress(StoreDown):  # they are of no use to anybody
            await house.tickets.tidy()
            await house.people.pending.forget_old()
            await passkeys.forget_old()
            if oidc is not None:
                await oidc.starts.tidy()


async def _store_unavailable(_: Request, error: Exception) -> JSONResponse:
    """Say that something cannot be written or read now, and nothing of where."""
    log.warning("a request could not be answered: %s", error)
    return JSONResponse({"detail": STORE_AWAY}, 503)


async def _forward(request: Request, error: Exception) -> Response:
    """Have a request answered by the server that looks after the table it is about."""
    forwarder: Forwarder = request.app.state.forwarder
    return await forwarder.answer(request, cast("TableElsewhere", error))


async def _refusal(request: Request, error: Exception) -> JSONResponse:
    if isinstance(error, RoleMissing) and (person := await asyncio.to_thread(optional_person, request)) is not None:
        await record_refusal(request, person, f"{request.method} {request.url.path}")
    status = next((STATUS[kind] for kind in type(error).__mro__ if kind in STATUS), 422)
    headers = {"Retry-After": str(error.seconds)} if isinstance(error, TryLater) else None
    code, values = (error.code, error.values) if isinstance(error, InvalidData) else ("", {})
    words = {"code": code, "values": values} if code else {}
    answer = JSONResponse({"detail": str(error), **words}, status, headers)
    if isinstance(error, FactorWanted):
        set_pending_cookie(request, answer, error.token)
    return answer


async def _internal_error(request: Request, _: Exception) -> JSONResponse:
    """Say that something of ours is wrong, and nothing of what; the log has it."""
    answer = JSONResponse({"detail": OUR_FAULT}, 500)
    add_missing_headers(answer.headers, request)  # this answer is made outside of everything that would do so
    return answer


async def _invalid_request(_: Request, error: Exception) -> JSONResponse:
    """Say in one sentence what was wrong with a request, and nothing of what it held: that may be a password."""
    first = error.errors()[0] if isinstance(error, RequestValidationError) else {"loc": (), "msg": "something else"}
    where = ".".join(map(str, first["loc"]))
    return JSONResponse({"detail": f"expected a request as /api/docs describes it, got {where}: {first['msg']}"}, 422)
