"""Players over real WebSockets, many in one process: they decide, wait for the answer, and note how long it took."""

from __future__ import annotations

import asyncio
import time
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any

import httpx
import msgspec
from picows import WSCloseCode, WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

COOKIE = "letitride_session"


class Offer(msgspec.Struct):
    type: str
    bet: int = 0
    choice: str = ""
    wagers: dict[str, int] = {}


class Seen(msgspec.Struct):
    offers: list[Offer] | None = None
    sign: dict[str, Any] | None = None


class Message(msgspec.Struct):
    type: str
    command: str = ""
    accepted: bool = False
    view: Seen | None = None


_read = msgspec.json.Decoder(Message).decode


class Tally:
    """What all players together saw since the last reset."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Begin to count anew."""
        self.closed = ""
        """Why a connection was closed that should not have been."""
        self.messages = self.sent = self.accepted = self.refused = self.bytes = 0
        self.seconds: list[float] = []


class Bot(WSListener):  # type: ignore[misc]
    """A player: bets, rides, or buys chips, whatever he is offered; at once after an answer, or once a second."""

    def __init__(self, tally: Tally, seat: int) -> None:
        self.tally, self.seat, self.at_once = tally, seat, False
        self.transport: WSTransport | None = None
        self.offers: list[Offer] = []
        self.count = 0
        self.sent_at = 0.0
        self.waits = False
        self.last = False

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport
        self.send({"type": "Sit", "seat": self.seat, "player": "", "cents": 90_000})

    def on_ws_frame(self, _: WSTransport, frame: WSFrame) -> None:
        payload = frame.get_payload_as_memoryview()
        self.tally.messages += 1
        self.tally.bytes += len(payload)
        if frame.msg_type == WSMsgType.CLOSE:
            if not self.last:
                self.tally.closed = f"{frame.get_close_code()} {frame.get_close_message()}"
            return
        message = _read(payload)
        if message.view is not None and message.view.offers is not None:
            self.offers = message.view.offers
        elif message.type == "answer":
            self.tally.seconds.append(time.perf_counter() - self.sent_at)
            if message.accepted:
                self.tally.accepted += 1
            else:
                self.tally.refused += 1
            self.waits = False
            if self.at_once and not self.last:
                self.decide()

    def decide(self) -> None:
        """Send one command, if the last one is answered."""
        if self.waits:
            return
        choices = [offer for offer in self.offers if offer.type == "Choose" and offer.choice == "ride"]
        bets = [offer for offer in self.offers if offer.type == "PlaceWagers" and offer.wagers]
        if choices:
            self.send({"type": "Choose", "seat": self.seat, "bet": choices[0].bet, "choice": "ride"})
        elif bets:
            self.send({"type": "PlaceWagers", "seat": self.seat, "wagers": bets[self.count % len(bets)].wagers})
        else:
            self.send({"type": "BuyChips", "seat": self.seat, "cents": 1})

    def send(self, command: dict[str, Any]) -> None:
        self.count += 1
        self.waits = True
        self.tally.sent += 1
        self.sent_at = time.perf_counter()
        body = msgspec.json.encode({"type": "command", "id": f"{self.seat}-{self.count}", "command": command})
        if self.transport is not None:
            self.transport.send(WSMsgType.TEXT, body)


class Echo(WSListener):  # type: ignore[misc]
    """Sends again what comes back."""

    def __init__(self, tally: Tally, payload: bytes) -> None:
        self.tally, self.payload = tally, payload

    def on_ws_connected(self, transport: WSTransport) -> None:
        transport.send(WSMsgType.TEXT, self.payload)

    def on_ws_frame(self, transport: WSTransport, _: WSFrame) -> None:
        self.tally.messages += 1
        transport.send(WSMsgType.TEXT, self.payload)


async def seat_bots(base: str, tables: int, tally: Tally, *, at_once: bool) -> list[Bot]:
    """Seat seven players at each table."""
    bots: list[Bot] = []
    limits = asyncio.Semaphore(50)
    nobody = CookieJar(DefaultCookiePolicy(allowed_domains=[]))  # each player is somebody else
    async with httpx.AsyncClient(base_url=base, timeout=60, cookies=nobody) as client:

        async def one(table: int, seat: int) -> None:
            async with limits:
                token = (await client.post("/api/guest")).headers["set-cookie"].partition("=")[2].partition(";")[0]
                address = f"{base.replace('http', 'ws', 1)}/api/tables/t{table:04}/socket?changes=true"
                _, bot = await ws_connect(
                    lambda: Bot(tally, seat),
                    address,
                    extra_headers={"Cookie": f"{COOKIE}={token}"},
                    websocket_handshake_timeout=60,
                )
                bots.append(bot)

        await asyncio.gather(*(one(table, seat) for table in range(tables) for seat in range(1, 8)))
    while any(bot.waits for bot in bots):
        await asyncio.sleep(0.1)
    for bot in bots if at_once else ():  # nobody plays while others still come in
        bot.at_once = True
        bot.decide()
    return bots


async def once_a_second(bots: list[Bot], seconds: float) -> None:
    """Let each player decide once a second, each at his own moment of it."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds

    async def one(bot: Bot, offset: float) -> None:
        due = loop.time() + offset
        while due < end:
            await asyncio.sleep(due - loop.time())
            bot.decide()
            due += 1.0

    await asyncio.gather(*(one(bot, place / len(bots)) for place, bot in enumerate(bots)))


async def leave(bots: list[Bot]) -> None:
    """Close all connections."""
    for bot in bots:
        bot.last = True
        if bot.transport is not None:
            bot.transport.send_close(WSCloseCode.OK)
            bot.transport.disconnect()
    await asyncio.sleep(0.2)
