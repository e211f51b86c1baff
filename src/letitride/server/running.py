"""Running: a house on a port, from the first connection to the last; stops cleanly at a signal, or at once at two."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Final

import uvicorn
from fastapi import FastAPI

from letitride.errors import InvalidData, LetItRideError, StoreDown
from letitride.ledger.chips import DEFAULT_RACK, rack
from letitride.reports.pit.gaming_day import GamingDays
from letitride.rules.roles import STAFF_ACCOUNTS
from letitride.rules.words import one_of
from letitride.server.app import UVICORN, create
from letitride.server.net.bounded_http import BoundedHttp
from letitride.server.net.connection_handoff import ConnectionHandoff
from letitride.server.net.internal_listener import InternalListener
from letitride.server.ops import durability
from letitride.server.ops.house_key import house_key
from letitride.server.ops.settings import Resolved, Settings
from letitride.server.people.bounds import NAMES, Bounds
from letitride.server.people.ceilings import Ceilings
from letitride.server.people.sessions import MINUTE_MS
from letitride.server.runtime.budgets import changed_budgets, within_files
from letitride.server.runtime.files import files_allowed
from letitride.server.runtime.garbage import collect_rarely, expect_connections
from letitride.server.runtime.heaps import limit_heaps
from letitride.server.runtime.hosts import Hosts
from letitride.server.runtime.machines import host_and_port, is_loopback
from letitride.server.runtime.pace import Pace
from letitride.server.runtime.rates import changed
from letitride.server.runtime.worker_slot import WorkerSlot
from letitride.server.tables.house import House
from letitride.storage.patience import Patience, wait_for
from letitride.storage.roles.stores import Stores
from letitride.storage.urls import start_seconds
from letitride.storage.vault import Vault

GRACE_SECONDS: Final = 4
"""How long connections are waited for when the server stops."""
INTERRUPTED: Final = 130
SITS_OUT_SECONDS: Final = 20.0
"""How long others wait for a player whose connection is gone."""
BANKERS: Final = 2
"""Two take turns where no one may bank for ever."""


class Running(uvicorn.Server):
    """A server that says when it can be reached, tells people when it goes, and stops at once when told twice."""

    def __init__(
        self,
        config: uvicorn.Config,
        app: FastAPI,
        told: Callable[[], None],
        inner: socket.socket | None = None,
        place: WorkerSlot | None = None,
    ) -> None:
        limit_heaps()  # before the event loop and its threads begin
        super().__init__(config)
        self._app, self._told, self._inner, self._place = app, told, inner, place
        self._handoff = ConnectionHandoff(place) if place is not None else None
        self._burying: set[asyncio.Task[None]] = set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Find the tables, listen, and say so."""
        await super().startup(sockets)
        if self._inner is not None:
            listener = partial(InternalListener, self._app.state.forwarder.read, self._begin, {})
            self.servers.append(await asyncio.get_running_loop().create_server(listener, sock=self._inner))
        if self._handoff is not None:
            self._handoff.listen(self._begin)
            self._app.state.socket_forwarder.hand = self._handoff.hand
        collect_rarely()
        if self.started:
            self._told()
        if self._place is not None:
            asyncio.get_running_loop().add_reader(self._place.line.fileno(), self._follow_pool, self._place)
            self._place.line.send(b"ready")

    def _begin(self) -> BoundedHttp:
        return BoundedHttp(self.config, self.server_state, self.lifespan.state)

    async def on_tick(self, counter: int) -> bool:
        """Look after the server, ten times a second."""
        if counter % 10 == 0:
            expect_connections(len(self._app.state.connections))
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Tell everybody, stop listening, park the rounds and let the leases go."""
        self._app.state.readiness.stopping = True
        if self._handoff is not None:
            self._handoff.close()
        await self._app.state.open_sockets.close()
        await super().shutdown(sockets)

    def _follow_pool(self, place: WorkerSlot) -> None:
        """Take the tables of a worker that died, and stop once the process that looks after the worker pool is gone."""
        said = place.line.recv(4096)
        if not said:
            asyncio.get_running_loop().remove_reader(place.line.fileno())
            self.should_exit = True
        for line in said.decode().splitlines():
            task = asyncio.create_task(self._take_tables_of(line.removeprefix("dead ")))
            self._burying.add(task)
            task.add_done_callback(self._burying.discard)

    async def _take_tables_of(self, node: str) -> None:
        with suppress(StoreDown):  # then the lease ends by itself
            await self._app.state.house.nodes.free_tables_of(node)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop cleanly at a signal; a second Ctrl-C is a kill, after which nothing acknowledged is lost either."""
        if self.should_exit and sig == signal.SIGINT:
            os._exit(INTERRUPTED)
        super().handle_exit(sig, frame)


def listen(settings: Settings) -> socket.socket:
    """Return a socket at the address of the settings, or say in a sentence why there is none."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        return socket.create_server((settings.host, settings.port), family=family, backlog=2048)
    except (OSError, OverflowError, TypeError, ValueError) as error:  # a name that is none is no OSError
        where = f"{settings.host} port {settings.port}"
        said = error.strerror if isinstance(error, OSError) else error
        raise InvalidData(f"expected an address that is free, got {where}: {said}") from None


def listen_inside(settings: Settings) -> tuple[socket.socket, str]:
    """Return a socket for other servers of the house, and where they reach it: by default those of this machine."""
    host, port = host_and_port(settings.internal_address or "127.0.0.1")
    try:
        if is_loopback(host):
            listening = socket.create_server((host, port), backlog=2048)
        elif socket.has_dualstack_ipv6():
            listening = socket.create_server(("", port), family=socket.AF_INET6, dualstack_ipv6=True, backlog=2048)
        else:
            listening = socket.create_server(("", port), backlog=2048)
    except OSError as error:
        asked = f"internal_address = {settings.internal_address or host}"
        raise InvalidData(f"expected a port for other servers that is free, got {asked}: {error.strerror}") from None
    named = f"[{host}]" if ":" in host else host
    return listening, f"{named}:{listening.getsockname()[1]}"


def address_of(listening: socket.socket, settings: Settings) -> str:
    """Return where people reach a server that listens."""
    if settings.address:
        return settings.address.rstrip("/")
    port = listening.getsockname()[1]
    host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(settings.host, settings.host)  # noqa: S104 - it is compared
    return f"http://{f'[{host}]' if ':' in host and not host.startswith('[') else host}:{port}"


def make_house(settings: Settings, stores: Stores, address: str, node: str = "") -> House:
    """Return a house as the settings want it."""
    pace = Pace(
        step=settings.pace,
        bets=settings.pace_bets,
        choice=settings.pace_decision,
        sits_out=SITS_OUT_SECONDS,
        leaves=60.0 * settings.seat_minutes,
    )
    house = House(
        stores,
        node=node or secrets.token_hex(8),
        pace=pace,
        address=address,
        bots=settings.bots,
        lease_ms=settings.lease_ms,
        vault=Vault(house_key(Path(settings.deck_key))) if settings.deck_key else None,
    )
    house.start_seconds = start_seconds(settings.db)
    house.origins, house.trusted_proxies = frozenset(settings.origins), frozenset(settings.trusted_proxies)
    house.secure_cookies = settings.secure_cookies
    house.hosts = Hosts.of(settings.host, (address, *settings.origins), settings.host_names)
    house.admission.players = settings.players
    house.people.idle_ms, house.people.staff_idle_ms = (
        minutes * MINUTE_MS for minutes in (settings.idle_minutes, settings.staff_idle_minutes)
    )
    house.people.factors.roles = frozenset(
        role for named in settings.second_factor_roles for role in (STAFF_ACCOUNTS if named == "staff" else (named,))
    )
    house.people.session_addresses = settings.session_addresses
    house.people.staff_passwords = settings.staff_passwords
    house.approvals.ceilings, house.approvals.minutes = Ceilings(settings.ceilings), settings.approval_minutes
    house.admission.staff_play = settings.staff_play
    house.rack = rack(settings.chips_cents) if settings.chips_cents else DEFAULT_RACK
    house.days = GamingDays(settings.time_zone, settings.gaming_day_hour)
    house.people.proof_ms = settings.password_again_minutes * MINUTE_MS
    house.rates = changed(house.rates, settings.rates)
    house.budgets = within_files(changed_budgets(house.budgets, settings.budgets), files_allowed())
    if unknown := set(settings.limits) - set(NAMES):
        raise InvalidData(f"expected limits of {one_of(NAMES)}, got {', '.join(sorted(unknown))}")
    house.limits.house = Bounds(**settings.limits)
    if settings.cashier and settings.bots:  # their chips are of no value, and a player who banks could win them
        raise InvalidData(f"expected no bots in a house with a cashier, got bots = {settings.bots}")
    house.bankers = 0 if settings.cashier else BANKERS
    house.names_in_lobby = settings.names_in_lobby
    if settings.cashier:
        house.bots_asked_max = 0
        house.wallets.use_cashier(settings.cashier)
    return house


def run(
    resolved: Resolved,
    stores: Stores,
    listening: socket.socket,
    told: Callable[[FastAPI, str], None],
    place: WorkerSlot | None = None,
) -> None:
    """Serve a store until a signal comes, alone or as a worker; `told` is called when people can come."""
    settings, address = resolved.settings, address_of(listening, resolved.settings)
    try:
        wait_for(
            lambda: durability.check(stores.journal, unsafe_database=settings.unsafe_database),
            Patience(start_seconds(settings.db)),
        )
    except LetItRideError:
        stores.close()
        raise
    house = make_house(settings, stores, address, place.node if place is not None else "")
    if place is not None:
        house.nodes.pool = place.folder.name
    inner: socket.socket | None = None
    if not stores.leases.alone():  # others may come
        inner, house.nodes.inner = listen_inside(settings)
    app = create(house, demo=settings.demo, settings=settings)
    failed = _ShortStartError()
    config = uvicorn.Config(
        app,
        log_level=settings.log_level,
        access_log=settings.log_level in {"debug", "info"},
        forwarded_allow_ips=list(settings.trusted_proxies),
        timeout_graceful_shutdown=GRACE_SECONDS,
        **UVICORN,
    )
    logging.getLogger("uvicorn.error").addFilter(failed)
    server = Running(config, app, partial(told, app, address), inner, place)
    # The server closes cleanly at a signal, and then sends it to us once more.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with suppress(KeyboardInterrupt):
        try:
            server.run(sockets=[listening])
        except SystemExit as ended:
            if ended.code:
                raise LetItRideError(failed.sentence or "the server could not start") from None
            raise


class _ShortStartError(logging.Filter):
    """Turns the traceback of a start that failed into its last line, and lets real failures through."""

    sentence = ""

    def filter(self, record: logging.LogRecord) -> bool:
        text = record.getMessage()
        if text.startswith("Traceback"):
            self.sentence = text.strip().splitlines()[-1].partition(": ")[2]
            return False
        # A client that does not read is cut off in the end; that is meant, and no error.
        return not text.startswith(("Application startup failed", "Cancel "))
