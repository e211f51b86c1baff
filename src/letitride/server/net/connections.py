"""Connections: all connections of a server, counted by address before a byte of them is read; never who anyone is."""

from __future__ import annotations

import asyncio
import sys
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable
from typing import Final, Protocol

import uvicorn

from letitride.server.runtime.budgets import Budgets
from letitride.server.runtime.metrics import Metrics
from letitride.server.runtime.rates import network_of
from letitride.server.runtime.tokens import Tokens
from letitride.server.runtime.waiting_lines import Begin, Busy, WaitingLines

SWEEP_SECONDS: Final = 1.0


class Connection(Protocol):
    """One connection, as all of them are looked after."""

    address: str

    @property
    def idle(self) -> bool:
        """Whether nothing has been asked on it that is not answered."""

    def overdue(self, now: float) -> str:
        """Return what has taken too long, or nothing."""

    def abort(self) -> None:
        """End it at once."""


class Connections:
    """All connections of one server."""

    def __init__(
        self,
        budgets: Budgets,
        metrics: Metrics | None = None,
        trusted: Callable[[], Iterable[str]] = tuple,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.budgets, self.clock = budgets, clock
        self._metrics, self._trusted = metrics, trusted
        self._waiting: OrderedDict[Connection, None] = OrderedDict()
        """Those that are none to a table, the one that did something last at the end."""
        self._sockets: set[Connection] = set()
        self._waiting_from: Counter[str] = Counter()
        self._sockets_from: Counter[str] = Counter()
        self._frames_from: dict[str, Tokens] = {}
        self._lines = WaitingLines(Busy(budgets.busy_seconds_burst, budgets.busy_a_second, clock))
        self._proxied = WaitingLines()

    def __len__(self) -> int:
        """How many are open."""
        return len(self._waiting) + len(self._sockets)

    def counted_address(self, host: str) -> str:
        """Return the address by which a connection is counted: none for a proxy we trust, which speaks for many."""
        return "" if host in self._trusted() else network_of(host)

    def add(self, one: Connection) -> bool:
        """Count a new connection; whether there is room for it, or was made by closing an idle one."""
        budgets, address = self.budgets, one.address
        room = True
        if address and self._waiting_from[address] >= budgets.waiting_from_max:
            room = self._make_room(address)
        elif len(self._waiting) >= budgets.waiting_max:
            room = self._make_room("")
        if not room:
            self.cut_off("connections")
            return False
        self._waiting[one] = None
        self._waiting_from[address] += 1
        return True

    def note_bytes(self, one: Connection) -> None:
        """Note that something came on a connection."""
        if one in self._waiting:
            self._waiting.move_to_end(one)

    def has_room(self, address: str) -> bool:
        """Whether one more connection to a table may be opened; these are never closed to make room."""
        budgets = self.budgets
        many = address and self._sockets_from[address] >= budgets.sockets_from_max
        if many or len(self._sockets) >= budgets.sockets_max:
            self.cut_off("sockets")
            return False
        return True

    def replace(self, before: Connection, after: Connection) -> None:
        """Count a connection as one to a table from now on."""
        if before in self._waiting:
            self.remove(before)
            self._sockets.add(after)
            self._sockets_from[after.address] += 1

    def remove(self, one: Connection) -> None:
        """Forget a connection."""
        if one in self._waiting:
            del self._waiting[one]
            _decrement(self._waiting_from, one.address)
        elif one in self._sockets:
            self._sockets.discard(one)
            _decrement(self._sockets_from, one.address)
            if one.address not in self._sockets_from:
                self._frames_from.pop(one.address, None)

    def begin_request(self, address: str, begin: Begin) -> None:
        """Begin to work on a request when few enough of its address are worked on; a proxy's are told apart later."""
        seconds = self.budgets.turn_seconds
        if address:
            self._lines.ask(address, self.budgets.requests_from_max, seconds, begin)
        else:
            self._proxied.ask(address, sys.maxsize, seconds, begin)

    def note_message(self, address: str) -> None:
        """Note that something came on a WebSocket of an address: others may keep it waiting."""
        self._lines.note(address)

    def frames_from(self, address: str) -> Tokens:
        """Return how many frames may come from an address."""
        found = self._frames_from.get(address)
        if found is None:
            budgets = self.budgets
            found = Tokens(budgets.frames_from_burst, budgets.frames_from_a_second, self.clock())
            self._frames_from[address] = found
        return found

    def cut_off(self, what: str) -> None:
        """Count something that passed a budget."""
        if self._metrics is not None:
            self._metrics.count_cut_off(what)

    async def run_sweeps(self) -> None:
        """End what takes too long, for as long as the server runs."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            self.sweep()

    def sweep(self) -> None:
        """End what has taken too long."""
        now = self.clock()
        for one in (*self._waiting, *self._sockets):
            if what := one.overdue(now):
                self.cut_off(what)
                one.abort()

    def _make_room(self, address: str) -> bool:
        """Close the connection that has been idle for longest, of an address or of the one that has most of them."""
        most = address or max(self._waiting_from, key=self._waiting_from.__getitem__, default="")
        found = next((one for one in self._waiting if one.address == most and one.idle), None)
        if found is None and not address:
            found = next((one for one in self._waiting if one.idle), None)
        if found is None:
            return False
        self.cut_off("idle")
        self.remove(found)
        found.abort()
        return True


def _decrement(counter: Counter[str], address: str) -> None:
    counter[address] -= 1
    if counter[address] <= 0:
        del counter[address]


def connections_of(config: uvicorn.Config) -> Connections:
    """Return what looks after the connections of an application; one that says nothing of it has our budgets."""
    found = getattr(getattr(config.app, "state", None), "connections", None)
    return found if isinstance(found, Connections) else Connections(Budgets())
