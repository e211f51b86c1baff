"""House: a person at a house of letitride: a guest or an account, the tables to sit at, the proofs of shuffles."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

import msgspec

from letitride.chance.live import Live
from letitride.chance.proof import Document, verify
from letitride.client.table import TableConnection, connected
from letitride.errors import InvalidData, LetItRideError

PATIENCE: Final = 30.0
"""How many seconds an answer may take."""
_COOKIE: Final = re.compile(r"([!-:<>-~]+=[^;\s]+)")


class HouseRefused(LetItRideError):
    """The house answered no, in a sentence; `status` is that of HTTP, `code` names the refusal where it has a name."""

    def __init__(self, sentence: str, status: int, code: str = "") -> None:
        super().__init__(sentence)
        self.status, self.code = status, code


class Listed(msgspec.Struct, frozen=True):
    """A table in the lobby."""

    id: str
    rulebook: str
    state: str
    seats: int
    seated: int


class Known(msgspec.Struct, frozen=True):
    """Who one is known as."""

    name: str


class House:
    """One person's connection to a house; the session lasts as long as this object and the house keep it."""

    def __init__(self, address: str, *, patience: float = PATIENCE) -> None:
        if urlsplit(address).scheme not in {"http", "https"}:
            raise InvalidData(f"expected an address such as 'http://127.0.0.1:8000', got {address!r}")
        self.address = address.rstrip("/")
        self.name = ""
        """Who one is known as; empty before one has come in."""
        self._patience = patience
        self._cookie = ""

    async def guest(self) -> str:
        """Come in as a guest with play chips, and return the name one is given."""
        return await self._known(await self._ask("POST", "/api/guest"))

    async def register(self, name: str, password: str) -> str:
        """Create an account and sign in."""
        await self._ask("POST", "/api/accounts", {"name": name, "password": password})
        return await self.sign_in(name, password)

    async def sign_in(self, name: str, password: str, code: str = "") -> str:
        """Sign in to an account; one with a second factor needs the code of its app, too."""
        try:
            return await self._known(await self._ask("POST", "/api/login", {"name": name, "password": password}))
        except HouseRefused as refused:
            if refused.code != "second_factor" or not code:
                raise
        return await self._known(await self._ask("POST", "/api/login/code", {"code": code}))

    async def _known(self, found: Any) -> str:
        self.name = msgspec.convert(found, Known).name
        return self.name

    async def tables(self) -> list[Listed]:
        """Return the tables one may see."""
        return msgspec.convert(await self._ask("GET", "/api/tables"), list[Listed])

    async def proof(self, table: str, round_number: int, shuffle: int) -> Document:
        """Return the proof of a deck that was opened."""
        found = await self._ask("GET", f"/api/tables/{quote(table, safe='')}/proofs/{round_number}/{shuffle}")
        return msgspec.convert(found, Document)

    async def verify(self, table: str, round_number: int, shuffle: int, root: str | None = None) -> list[str]:
        """Return what is wrong with the proof of a deck; nothing where it holds. `root` is that of before the deal."""
        return verify(await self.proof(table, round_number, shuffle), root)

    @asynccontextmanager
    async def table(self, table: str) -> AsyncIterator[TableConnection]:
        """Open the socket of a table, and close it at the end."""
        address = f"{self.address.replace('http', 'ws', 1)}/api/tables/{quote(table, safe='')}/socket"
        async with connected(address, self._cookie, self.name, Live().secret, self._patience) as connection:
            yield connection

    async def _ask(self, method: str, path: str, body: Mapping[str, str] | None = None) -> Any:
        return await asyncio.to_thread(self._asked, method, path, body)

    def _asked(self, method: str, path: str, body: Mapping[str, str] | None) -> Any:
        headers = {"Cookie": self._cookie} if self._cookie else {}
        data = None if body is None else msgspec.json.encode(body)
        if body is not None:
            headers["Content-Type"] = "application/json"
        asked = Request(self.address + path, data=data, headers=headers, method=method)  # noqa: S310 - http or https alone
        try:
            with urlopen(asked, timeout=self._patience) as answer:  # noqa: S310 - as above
                self._keep_cookies(answer.headers.get_all("Set-Cookie") or [])
                return msgspec.json.decode(answer.read() or b"null")
        except HTTPError as refused:
            self._keep_cookies(refused.headers.get_all("Set-Cookie") or [])
            raise _refusal(refused) from None
        except (URLError, TimeoutError) as error:
            raise HouseRefused(f"expected a house at {self.address}, got no answer: {error}", 0) from None

    def _keep_cookies(self, said: list[str]) -> None:
        if kept := [found[1] for one in said if (found := _COOKIE.match(one))]:
            self._cookie = "; ".join(kept)


def _refusal(refused: HTTPError) -> HouseRefused:
    try:
        found = msgspec.json.decode(refused.read(), type=Document)
    except msgspec.MsgspecError:
        found = {}
    said, code = found.get("sentence") or found.get("detail"), found.get("code")
    sentence = said if isinstance(said, str) else f"The house answered {refused.code}."
    return HouseRefused(sentence, refused.code, code if isinstance(code, str) else "")
