"""Players over real WebSockets, many in one process: they decide, wait for the answer, and note how long it took.

They cost as little as possible: of what comes in, only offers are read as JSON; an answer is known by its first bytes.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Iterable
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any

import httpx
import msgspec
from picows import WSCloseCode, WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

COOKIE = "letitride_session"
SEATS = 7


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
    code: str = ""
    view: Seen | None = None


_read = msgspec.json.Decoder(Message).decode
_encode = msgspec.json.Encoder().encode
_ANSWER = b'{"type":"answer"'
_ACCEPTED = b'"accepted":true'
_ERROR = b'{"type":"error"'
_OFFERS = b'"offers":'


class Tally:
    """What all players together saw since the last reset."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Begin to count anew."""
        self.closed = ""
        """Why a connection was closed that should not have been."""
        self.messages = self.accepted = 0
        self.refused = Counter[str]()
        """Refusals by their codes: a player who acts on a view that is a moment old may come too late."""
        self.seconds: list[float] = []
        self.late: list[float] = []
        """By how much players acted after their time, which is not the server's doing."""
        self.skipped = 0
        """How often it was a player's time while they still waited for an answer."""


class Bot(WSListener):
    """A player: bets, rides, or buys chips, whatever is offered."""

    def __init__(self, tally: Tally, table: int, seat: int) -> None:
        self.tally, self.table, self.seat = tally, table, seat
        self.then: Bot | None = None
        """Who acts after this player was answered: the same one, or the neighbor; none where all act by the clock."""
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
        tally = self.tally
        tally.messages += 1
        if frame.msg_type == WSMsgType.CLOSE:
            self.waits = False
            if not self.last:
                tally.closed = f"{frame.get_close_code()} {frame.get_close_message()}"
            return
        payload = frame.get_payload_as_bytes()
        if payload.startswith(_ANSWER):
            self.answered(payload, accepted=_ACCEPTED in payload[:120])
        elif payload.startswith(_ERROR):
            self.answered(payload, accepted=False)
        elif _OFFERS in payload:
            message = _read(payload)
            if message.view is not None and message.view.offers is not None:
                self.offers = message.view.offers

    def answered(self, payload: bytes, *, accepted: bool) -> None:
        """Note how long it took, and act again where there is no waiting for anyone."""
        self.tally.seconds.append(time.perf_counter() - self.sent_at)
        if accepted:
            self.tally.accepted += 1
        else:
            self.tally.refused[_read(payload).code] += 1
        self.waits = False
        if self.then is not None and not self.last:
            self.then.decide()

    def decide(self) -> None:
        """Send one command, if the last one is answered."""
        if self.waits:
            self.tally.skipped += 1
            return
        choices, bets = [], []
        for offer in self.offers:
            if offer.type == "Choose" and offer.choice == "ride":
                choices.append(offer)
            elif offer.type == "PlaceWagers" and offer.wagers:
                bets.append(offer)
        if choices:
            self.send({"type": "Choose", "seat": self.seat, "bet": choices[0].bet, "choice": "ride"})
        elif bets:
            self.send({"type": "PlaceWagers", "seat": self.seat, "wagers": bets[self.count % len(bets)].wagers})
        else:
            self.send({"type": "BuyChips", "seat": self.seat, "cents": 1})

    def send(self, command: dict[str, Any]) -> None:
        self.count += 1
        self.waits = True
        self.sent_at = time.perf_counter()
        body = _encode({"type": "command", "id": f"{self.seat}-{self.count}", "command": command})
        if self.transport is not None:
            self.transport.send(WSMsgType.TEXT, body)


class Echo(WSListener):
    """Sends again what comes back."""

    def __init__(self, tally: Tally, payload: bytes) -> None:
        self.tally, self.payload = tally, payload

    def on_ws_connected(self, transport: WSTransport) -> None:
        transport.send(WSMsgType.TEXT, self.payload)

    def on_ws_frame(self, transport: WSTransport, _: WSFrame) -> None:
        self.tally.messages += 1
        transport.send(WSMsgType.TEXT, self.payload)


async def seat_bots(base: str, tables: Iterable[int], tally: Tally) -> list[Bot]:
    """Seat seven players at each table; none plays while others still come in."""
    bots: list[Bot] = []
    limits = asyncio.Semaphore(50)
    no_cookies = CookieJar(DefaultCookiePolicy(allowed_domains=[]))  # each player is another person
    kept = httpx.Limits(keepalive_expiry=2.0)  # sooner than the server closes one
    async with httpx.AsyncClient(base_url=base, timeout=60, cookies=no_cookies, limits=kept) as client:

        async def one(table: int, seat: int) -> None:
            async with limits:
                token = (await client.post("/api/guest")).headers["set-cookie"].partition("=")[2].partition(";")[0]
                address = f"{base.replace('http', 'ws', 1)}/api/tables/t{table:04}/socket?changes=true"
                _, bot = await ws_connect(
                    lambda: Bot(tally, table, seat),
                    address,
                    extra_headers={"Cookie": f"{COOKIE}={token}"},
                    websocket_handshake_timeout=60,
                )
                bots.append(bot)

        await asyncio.gather(*(one(table, seat) for table in tables for seat in range(1, SEATS + 1)))
    while any(bot.waits for bot in bots):
        await asyncio.sleep(0.1)
    if tally.closed or tally.refused:
        raise RuntimeError(f"not everybody could sit down: {tally.closed} {dict(tally.refused)}")
    return sorted(bots, key=lambda bot: (bot.table, bot.seat))


def all_at_once(bots: list[Bot]) -> None:
    """Let players act again as soon as they are answered."""
    for bot in bots:
        bot.then = bot
        bot.decide()


def in_turn(bots: list[Bot]) -> None:
    """Let one player of each table act at a time, and the next as soon as that is answered; all see it."""
    for first in range(0, len(bots), SEATS):
        around = bots[first : first + SEATS]
        for bot, neighbour in zip(around, (*around[1:], around[0]), strict=True):
            bot.then = neighbour
        around[0].decide()


def in_any_order(bots: list[Bot], seed: int, *, apart: bool) -> list[Bot]:
    """Return players in an order of chance: table after table, or each apart from those beside them.

    A worker may have tables whose numbers follow one another. In the order of numbers its players would decide all at
    one moment of each second, ten times as many as it has a share of, and the figure told of that and nothing else.
    """
    chance = random.Random(seed)  # noqa: S311 - no card depends on it
    if apart:
        return chance.sample(bots, len(bots))
    tables = [bots[first : first + SEATS] for first in range(0, len(bots), SEATS)]
    return [bot for table in chance.sample(tables, len(tables)) for bot in table]


async def decide_every(bots: list[Bot], seconds: float, every: float = 1.0) -> None:
    """Let each player decide once in so many seconds, one of them after the other."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds

    def act(bot: Bot, due: float) -> None:
        if bot.last:
            return
        bot.tally.late.append(loop.time() - due)
        bot.decide()
        if due + every < end:
            loop.call_at(due + every, act, bot, due + every)

    begun = loop.time()
    for place, bot in enumerate(bots):
        loop.call_at(begun + every * place / len(bots), act, bot, begun + every * place / len(bots))
    await asyncio.sleep(seconds)


async def leave(bots: list[Bot]) -> None:
    """Close all connections."""
    for bot in bots:
        bot.last = True
        if bot.transport is not None:
            bot.transport.send_close(WSCloseCode.OK)
            bot.transport.disconnect()
    await asyncio.sleep(0.2)
