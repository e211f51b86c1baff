"""Player: a client that plays, takes part in every shuffle, sends twice and sends nonsense; it forgets no answer."""

from __future__ import annotations

import asyncio
import json
import random
import secrets
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import httpx
from benchmarks.torture.decks import Decks
from benchmarks.torture.history import Asked, History
from benchmarks.torture.ledger import OURS
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

COOKIE = "letitride_session"
GONE = (WebSocketException, OSError, TimeoutError, httpx.HTTPError, asyncio.IncompleteReadError)
PATIENCE_SECONDS = 8.0
AGAIN_SECONDS = 3.0
"""A command without an answer is sent again after so long."""
SILENT_SECONDS = 12.0
"""A connection on which nothing comes for so long, while an answer is due, is given up."""
BUY_CENTS = 20_000


class Player:
    """One guest at one table."""

    def __init__(
        self,
        number: int,
        table: str,
        *,
        servers: Callable[[], list[str]],
        client: httpx.AsyncClient,
        history: History,
        decks: Decks,
        chance: random.Random,
    ) -> None:
        self.number, self.table = number, table
        self._servers, self._client, self._history, self._decks, self._chance = servers, client, history, decks, chance
        self.name = self._cookie = ""
        self.heard = time.monotonic()
        self.still = 0.0
        """The longest time without a word from the table."""
        self._run = secrets.token_hex(4)
        self._sent = 0
        self._view: dict[str, Any] = {}
        self._waiting: dict[str, Asked] = {}
        self._done: deque[Asked] = deque(maxlen=40)
        self._acted: set[tuple[int, str]] = set()
        self._socket: ClientConnection | None = None
        self._announced: dict[tuple[int, int], dict[str, Any]] = {}
        """Shuffles that one may pledge to, by round and number."""
        self._pledged: set[tuple[tuple[int, int], int]] = set()
        """Those that this connection has pledged to, each with the seat."""
        self.leaving = False
        """Whether to leave the table and ask for nothing else."""

    @property
    def waits(self) -> bool:
        """Whether an answer is due."""
        return bool(self._waiting)

    @property
    def seat(self) -> int:
        """Where this player sits, by the last view; 0: nowhere."""
        seats = self._view.get("seats", {})
        return next((int(number) for number, one in seats.items() if one["player"] == self.name), 0)

    @property
    def round(self) -> int:
        """The round of the last view."""
        return int(self._view.get("round", 0))

    def stands(self) -> str:
        """Return what this player waits for, in few words."""
        waiting = [asked.command["type"] for asked in self._waiting.values()]
        return f"round {self.round}, {self._view.get('phase')}, seat {self.seat}, waits for {waiting or 'nothing'}"

    def any_server(self) -> str:
        """Return the address of some server that runs."""
        return self._chance.choice(self._servers())

    def hang_up(self) -> None:
        """Drop the connection without a word."""
        if self._socket is not None:
            self._socket.transport.abort()

    async def play(self) -> None:
        """Play until canceled, at whichever server answers."""
        while True:
            with suppress(*GONE):
                await self._visit()
            await asyncio.sleep(self._chance.uniform(0.02, 0.15))

    async def _visit(self) -> None:
        base = self.any_server()
        if not self._cookie:
            await self._arrive(base)
        known = self._history.known[self.table]
        joined = await self._post(base, f"/api/tables/{self.table}/join")
        if joined.status_code == 401:
            self._lost_session()
        if joined.status_code != 200:
            return
        told = joined.json()
        address = (told["address"] or base).replace("http", "ws", 1)
        url = f"{address}{told['path']}?ticket={told['ticket']}&changes=true"
        async with connect(
            url, open_timeout=PATIENCE_SECONDS, close_timeout=1, ping_interval=None, max_size=2**24, compression=None
        ) as socket:
            self._socket = socket
            try:
                await self._stay(socket, known)
            finally:
                self._socket = None

    async def _stay(self, socket: ClientConnection, known: int) -> None:
        self._acted.clear()
        self._announced.clear()
        self._pledged.clear()
        for asked in list(self._waiting.values()):
            await self._say(socket, asked)
        first: int | None = known
        while True:
            try:
                async with asyncio.timeout(AGAIN_SECONDS):
                    frame = await socket.recv()
            except TimeoutError:
                if self._waiting and time.monotonic() > self.heard + SILENT_SECONDS:
                    return
                for asked in list(self._waiting.values()):
                    await self._say(socket, asked)
                continue
            now = time.monotonic()
            self.still, self.heard = max(self.still, now - self.heard), now
            message = json.loads(frame)
            if message["type"] in {"view", "change"}:
                self._merge(message)
                self._history.saw(self.table, self._view, first)
                first = None
            await self._react(socket, message)

    def _merge(self, message: dict[str, Any]) -> None:
        if message["type"] == "view":
            self._view = message["view"]
            return
        if self._view.get("version") != message["since"]:
            self._history.lose(
                f"{self.table}: a change since {message['since']} came after {self._view.get('version')}"
            )
        seats = {**self._view["seats"], **message["seats"]}
        self._view = {**self._view, **message["view"], "seats": seats}

    async def _react(self, socket: ClientConnection, message: dict[str, Any]) -> None:
        match message["type"]:
            case "view" | "change":
                await self._pledge(socket)
                await self._act(socket)
            case "answer":
                await self._answered(socket, message)
            case "error":
                self._history.counts[f"error {message['code']}"] += 1
                if message["code"] == "not_allowed":  # a no for good, as to leave a seat that was left a moment ago
                    self._history.deny(message)
                    self._waiting.pop(message.get("command", ""), None)
                await asyncio.sleep(0.2)
                for asked in list(self._waiting.values()):
                    await self._say(socket, asked)
            case "pledges":
                self._announced[message["round"], message["shuffle"]] = message
                await self._pledge(socket)
            case "commitment" | "share" | "proof":
                if message["type"] != "share":
                    self._announced.pop((message["round"], message["shuffle"]), None)
                if said := self._decks.hear(self.seat, message):
                    await socket.send(json.dumps(said))
            case "halted":
                self._history.counts["halted"] += 1

    async def _pledge(self, socket: ClientConnection) -> None:
        """Take part in every shuffle that is announced, from the moment this player has a seat."""
        for shuffle, message in self._announced.items():
            said = self._decks.hear(self.seat, message)
            if said and (shuffle, self.seat) not in self._pledged:
                self._pledged.add((shuffle, self.seat))
                await socket.send(json.dumps(said))

    async def _answered(self, socket: ClientConnection, message: dict[str, Any]) -> None:
        asked = self._history.answer(message)
        if asked is None:
            return
        if self._waiting.pop(asked.id, None) is None:
            return
        if asked.version:
            self._done.append(asked)
        elif message["code"] in {"not_enough_money", "too_poor", "not_enough_chips"}:
            await self._more_chips()
        if self._chance.random() < 0.03 and self._done:  # what was answered once is answered so for ever
            await self._say(socket, self._chance.choice(self._done))
        if self._chance.random() < 0.01 and self._done:
            await self._reuse(socket, self._chance.choice(self._done))
        await self._act(socket)

    async def _reuse(self, socket: ClientConnection, old: Asked) -> None:
        """Send another command under an id that was used: it must be refused, and change nothing."""
        other = {"type": "SitOut", "seat": old.command.get("seat", 1), "out": True}
        if other == old.command or old.id not in self._history.settled:
            return
        self._history.reused[old.id] += 1
        await socket.send(json.dumps({"type": "command", "id": old.id, "command": other}))

    async def _act(self, socket: ClientConnection) -> None:
        if self._waiting or not self._view:
            return
        seats, mine = self._view["seats"], self.seat
        if self.leaving:
            if mine and not seats[str(mine)]["wagers"]:
                await self._once(socket, "leave", {"type": "Leave", "seat": mine})
            return
        if not mine:
            free = [int(number) for number, one in seats.items() if not one["player"]]
            if free:
                sit = {"type": "Sit", "seat": self._chance.choice(free), "player": "", "cents": BUY_CENTS}
                await self._send(socket, sit)
            return
        if seats[str(mine)]["sitting_out"]:
            await self._once(socket, "in", {"type": "SitOut", "seat": mine, "out": False})
            return
        if self._chance.random() < 0.02:
            await self._nonsense(socket, mine)
            return
        wanted = [offer for offer in self._view["offers"] if self._wants(offer, seats[str(mine)])]
        if wanted:
            offer = self._chance.choice(wanted)
            plain = {key: value for key, value in offer.items() if key != "by"}
            await self._once(socket, f"{offer['type']}{offer.get('bet', '')}", plain)
        elif self._view["betting_open"] and not seats[str(mine)]["wagers"]:
            await self._once(socket, "buy", {"type": "BuyChips", "seat": mine, "cents": BUY_CENTS})

    def _wants(self, offer: dict[str, Any], seat: dict[str, Any]) -> bool:
        match offer["type"]:
            case "PlaceWagers":
                return bool(offer["wagers"]) and not seat["wagers"]
            case "DeclineBank":
                return not seat["wagers"]
            case "TakeBank":  # no round is dealt until a player does
                return bool((self._view["bank"] or {}).get("sentence"))
            case "Choose" | "LookOver" | "Look" | "Claim":
                return True
            case _:
                return False

    async def _nonsense(self, socket: ClientConnection, seat: int) -> None:
        """Send what cannot be, or can only be by luck: whatever comes of it must be true."""
        await self._send(
            socket,
            self._chance.choice(
                (
                    {"type": "PlaceWagers", "seat": seat, "wagers": {"base-1": 1, "base-2": 10**12, "base-$": 0}},
                    {"type": "BuyChips", "seat": seat, "cents": 10**14},
                    {"type": "Choose", "seat": seat, "bet": 2, "choice": "withdraw"},
                    {"type": "Sit", "seat": seat, "player": "", "cents": BUY_CENTS},
                    {"type": "TakeBank", "seat": seat, "cents": 10**9},
                )
            ),
        )

    async def _once(self, socket: ClientConnection, what: str, command: dict[str, Any]) -> None:
        """Send a command once for each round and thing, so that a refusal is not asked for again at once."""
        key = (self.round, what)
        if key not in self._acted:
            self._acted.add(key)
            await self._send(socket, command)

    async def _send(self, socket: ClientConnection, command: dict[str, Any]) -> None:
        self._sent += 1
        name = f"{OURS}{self.number}-{self._run}-{self._sent}"
        asked = Asked(name, self.table, self.name, command, self._history.known[self.table])
        self._waiting[name] = asked
        await self._say(socket, asked)
        if self._chance.random() < 0.05:  # twice at once: it is carried out once
            await self._say(socket, asked)

    async def _say(self, socket: ClientConnection, asked: Asked) -> None:
        self._history.send(asked)
        await socket.send(json.dumps({"type": "command", "id": asked.id, "command": asked.command}))

    async def _arrive(self, base: str) -> None:
        found = await self._client.post(f"{base}/api/guest", timeout=PATIENCE_SECONDS)
        if found.status_code == 200:
            self._cookie, self.name = found.cookies[COOKIE], found.json()["name"]
            self._client.cookies.clear()
            self._history.counts["guests"] += 1

    async def _more_chips(self) -> None:
        with suppress(*GONE):
            await self._post(self.any_server(), "/api/me/chips")
        self._acted.clear()

    async def wallet(self, base: str) -> int:
        """Return what this player has outside the tables, as a server says."""
        found = await self._client.get(
            f"{base}/api/me/wallet", headers={"Cookie": f"{COOKIE}={self._cookie}"}, timeout=PATIENCE_SECONDS
        )
        return int(found.json()["cents"])

    async def _post(self, base: str, path: str) -> httpx.Response:
        headers = {"Cookie": f"{COOKIE}={self._cookie}"}
        return await self._client.post(f"{base}{path}", headers=headers, timeout=PATIENCE_SECONDS)

    def _lost_session(self) -> None:
        """Come as another guest where the house has forgotten this one, which it must not."""
        self._history.lose(f"{self.table}: the session of {self.name} ended by itself")
        self._cookie, self._view, self._waiting = "", {}, {}
