"""Guest: a scripted client of the server: sits down, bets, lets everything ride, takes its part in every shuffle."""

from __future__ import annotations

import json
import secrets
from dataclasses import dataclass, field
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from tests.server.shares import Nonces

COOKIE = "letitride_session"
IN = (0, "in")
"""That the guest takes part again."""
PATIENCE = 120.0
"""How many seconds a guest waits for an answer: a busy machine takes its time."""


@dataclass
class Guest:
    """One person at one table."""

    base: str
    table: str
    cookie: str = ""
    name: str = ""
    seat: int = 0
    sent: int = 0
    view: dict[str, Any] = field(default_factory=dict)
    frames: list[dict[str, Any]] = field(default_factory=list)
    answers: list[dict[str, Any]] = field(default_factory=list)
    acted: set[tuple[int, str]] = field(default_factory=set)
    nonces: Nonces = field(default_factory=lambda: Nonces(secrets.token_bytes))

    async def arrive(self) -> None:
        """Begin a session."""
        async with httpx.AsyncClient(base_url=self.base, timeout=PATIENCE, verify=False) as client:
            found = await client.post("/api/guest")
        self.cookie, self.name = found.cookies[COOKIE], found.json()["name"]

    async def connect(self, **headers: str) -> ClientConnection:
        """Open the WebSocket."""
        address = f"{self.base.replace('http', 'ws', 1)}/api/tables/{self.table}/socket"
        told = {"Cookie": f"{COOKIE}={self.cookie}", **headers}
        return await connect(address, additional_headers=told, open_timeout=PATIENCE)

    async def send(self, socket: ClientConnection, command: dict[str, Any], command_id: str = "") -> str:
        """Send a command under an id."""
        self.sent += 1
        name = command_id or f"{self.name}-{self.sent}"
        plain = {key: value for key, value in command.items() if key != "by"}
        await socket.send(json.dumps({"type": "command", "id": name, "command": plain}))
        return name

    async def play(self, socket: ClientConnection, rounds: int) -> None:
        """Play until so many rounds are over."""
        async for frame in socket:
            message = json.loads(frame)
            self.frames.append(message)
            await self.react(socket, message)
            if message["type"] == "view" and message["view"]["round"] > rounds:
                return

    async def react(self, socket: ClientConnection, message: dict[str, Any]) -> None:
        """Do what a willing player does."""
        match message["type"]:
            case "view":
                self.view = message["view"]
                await self._act(socket)
            case "answer":
                self.answers.append(message)
        mine = self.view.get("seats", {}).get(str(self.seat), {})
        for share in self.nonces.replies(message, self.seat if mine.get("player") == self.name else 0):
            await socket.send(json.dumps(share))

    async def _act(self, socket: ClientConnection) -> None:
        seats = self.view["seats"]
        mine = next((int(number) for number, seat in seats.items() if seat["player"] == self.name), 0)
        if not mine:
            if not self.seat:
                self.seat = next(int(number) for number, seat in seats.items() if not seat["player"])
                await self.send(socket, {"type": "Sit", "seat": self.seat, "player": "", "cents": 50_000})
            return
        self.seat = mine
        if seats[str(mine)]["sitting_out"]:  # away for too long
            if IN not in self.acted:
                self.acted.add(IN)
                await self.send(socket, {"type": "SitOut", "seat": mine, "out": False})
            return
        self.acted.discard(IN)
        bet = any(offer["type"] == "PlaceWagers" and offer["wagers"] for offer in self.view["offers"])
        broke = self.view["betting_open"] and not bet and not seats[str(mine)]["wagers"]
        for offer in self.view["offers"]:
            wanted = (
                (offer["type"] == "PlaceWagers" and offer["wagers"] and not seats[str(mine)]["wagers"])
                or (offer["type"] == "BuyChips" and broke)
                or offer["type"] == "LookOver"
                or (offer["type"] == "DeclineBank" and not seats[str(mine)]["wagers"])
                or (offer["type"] == "Choose" and offer["choice"] == "ride")
            )
            key = (self.view["round"], f"{offer['type']}{offer.get('bet', '')}")
            if wanted and key not in self.acted:
                self.acted.add(key)
                await self.send(socket, offer)
                return
