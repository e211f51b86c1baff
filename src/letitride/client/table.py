"""Table: one table's socket as its player sees it: views that keep up, commands that wait for their answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Literal, TypeVar
from uuid import uuid4

import msgspec

from letitride.client.protocol import Raw, changed, read_message, view_of, write_message
from letitride.client.shares import Nonces
from letitride.engine import commands
from letitride.engine.state import Choice
from letitride.engine.view_types import AnyOffer, View
from letitride.errors import InvalidData, LetItRideError
from letitride.extras import explained
from letitride.rules.settlement import Spot
from letitride.rules.wager_table import BASE_SPOTS
from letitride.server.net.wire import Act
from letitride.server.runtime.requests import Answer
from letitride.server.tables.messages import ChangeSent, ErrorSent, HaltedSent, Outgoing, ProofSent, TableSent, ViewSent

try:
    from websockets.asyncio.client import ClientConnection, connect
    from websockets.exceptions import ConnectionClosed, InvalidHandshake
except ImportError as error:
    raise explained("letitride.client", error) from None

T = TypeVar("T")


class TableClosed(LetItRideError):
    """The socket of a table was closed, or the table is halted."""


class TableConnection:
    """A table as one person sees it. A command waits for its answer; what comes meanwhile keeps the view up to date.

    The seat takes its part in every shuffle by itself.
    """

    def __init__(self, socket: ClientConnection, name: str, draw: Callable[[int], bytes]) -> None:
        self._socket = socket
        self._name = name
        self._nonces = Nonces(draw)
        self._raw: Raw | None = None
        self._players: dict[int, str | None] = {}
        self._answers: dict[str, asyncio.Future[Answer]] = {}
        self._news = asyncio.Condition()
        self._seen = 0
        self._over = ""
        self.table: TableSent | None = None
        """How the table stands besides the game; None before the first word of it."""
        self.proofs: list[ProofSent] = []
        """The decks whose proofs can be had since the socket was opened."""

    @property
    def view(self) -> View:
        """What one sees now."""
        if self._raw is None:
            raise InvalidData("expected a view, got none yet: wait for `views()`")
        return view_of(self._raw)

    @property
    def seat(self) -> int:
        """Where one sits; 0: nowhere."""
        return next((number for number, player in self._players.items() if player == self._name), 0)

    def offer(self, kind: type[AnyOffer]) -> AnyOffer | None:
        """Return the first command of a kind that is offered at the seat."""
        return self.view.offer(kind, self.seat)

    async def views(self) -> AsyncIterator[View]:
        """Yield the view, now and whenever it has changed; a slow reader is given the newest alone."""
        seen = 0
        while True:
            async with self._news:
                await self._news.wait_for(lambda: self._seen > seen or self._over)  # noqa: B023 - it is asked at once
                seen = self._seen
            if self._over:
                raise TableClosed(self._over)
            yield self.view

    async def do(self, command: commands.AnyCommand, *, command_id: str = "", version: int | None = None) -> Answer:
        """Send a command and return its answer; under the same id it is carried out once, however often it is sent."""
        name = command_id or uuid4().hex
        waiting = self._answers.setdefault(name, asyncio.get_running_loop().create_future())
        if self._over:
            raise TableClosed(self._over)
        await self._socket.send(write_message(Act(id=name, command=command, version=version)))
        try:
            return await waiting
        finally:
            self._answers.pop(name, None)

    async def sit(self, seat: int, cents: int) -> Answer:
        """Take a seat with chips."""
        return await self.do(commands.Sit(seat=seat, player="", cents=cents))

    async def bet(self, bets: int | Mapping[Spot, int]) -> Answer:
        """Bet cents on each of the three base spots, or cents by spot."""
        wagers = dict(bets) if isinstance(bets, Mapping) else dict.fromkeys(BASE_SPOTS, bets)
        return await self.do(commands.PlaceWagers(seat=self.seat, wagers=wagers))

    async def decide(self, bet: Literal[1, 2], choice: Choice) -> Answer:
        """Let a bet ride or take it back."""
        return await self.do(commands.Choose(seat=self.seat, bet=bet, choice=choice))

    async def leave(self) -> Answer:
        """Cash out and leave."""
        return await self.do(commands.Leave(seat=self.seat))

    async def _follow(self) -> None:
        """Read what comes, until the socket is closed."""
        over = "The connection was closed."
        try:
            async for frame in self._socket:
                await self._take(read_message(frame))
        except ConnectionClosed as closed:
            over = f"The connection was closed: {closed}."
        except InvalidData as odd:
            over = str(odd)
        await self._end(over)

    async def _end(self, over: str) -> None:
        self._over = over
        for waiting in self._answers.values():
            if not waiting.done():
                waiting.set_exception(TableClosed(over))
        async with self._news:
            self._news.notify_all()

    async def _take(self, message: Outgoing) -> None:
        match message:
            case ViewSent():
                self._raw = msgspec.to_builtins(message.view, str_keys=True)
                self._players = {number: seat.player for number, seat in message.view.seats.items()}
                await self._tell()
            case ChangeSent() if self._raw is not None:
                self._raw = changed(self._raw, message)
                self._players |= {number: seat.player for number, seat in message.seats.items()}
                await self._tell()
            case Answer():
                self._answer(message)
            case ErrorSent() if message.command:
                refused = Answer(
                    command=message.command, accepted=False, version=0, code=message.code, sentence=message.sentence
                )
                self._answer(refused)
            case TableSent():
                self.table = message
            case ProofSent():
                self.proofs.append(message)
            case HaltedSent():
                await self._end(message.why)
            case _:
                pass
        for share in self._nonces.replies(message, self.seat):
            await self._socket.send(write_message(share))

    def _answer(self, answer: Answer) -> None:
        waiting = self._answers.get(answer.command)
        if waiting is not None and not waiting.done():
            waiting.set_result(answer)

    async def _tell(self) -> None:
        async with self._news:
            self._seen += 1
            self._news.notify_all()


@asynccontextmanager
async def connected(
    address: str, cookie: str, name: str, draw: Callable[[int], bytes], patience: float
) -> AsyncIterator[TableConnection]:
    """Open a table's socket at an address."""
    headers = {"Cookie": cookie} if cookie else {}
    try:
        socket = await connect(address, additional_headers=headers, open_timeout=patience)
    except (OSError, TimeoutError, InvalidHandshake) as error:
        raise TableClosed(f"expected a table at {address}, got no connection: {error}") from None
    connection = TableConnection(socket, name, draw)
    following = asyncio.create_task(connection._follow())  # noqa: SLF001 - the two are one
    try:
        yield connection
    finally:
        await socket.close()
        await following
