"""Promise 18: who may do what. 29 commands by 10 kinds of people, over the wire; tokens, origins, roles, lock-out."""

from __future__ import annotations

import asyncio
import base64
from contextlib import AsyncExitStack
from typing import Any, get_args

import httpx
import pytest

from letitride.engine import commands
from letitride.server.app import create
from letitride.server.people.accounts import LoginRefused, Origin
from letitride.server.people.password_attempts import TryLater
from letitride.server.tables.house import House, Pace
from letitride.storage.memory.opening import memory_stores
from tests.server.virtual import Closed, Socket, VirtualLoop, connect, run, virtual

TABLE = "nsw-1"
STAFF = ("dealer", "floor", "casino_supervisor", "inspector")
NAMED_BY_THE_BOOK = {"games_supervisor": "floor", "operator": "administrator"}
"""Roles that no account is called after, and whose account has them at a table whose book knows them."""
OFF_SHIFT = "dealer off shift"
PEOPLE = ("spectator", "player", "neighbour", *STAFF, *NAMED_BY_THE_BOOK, OFF_SHIFT)
"""A neighbour is a player who names another's seat; the dealer has the shift, and another one has not."""
OF_THE_PLAYER = {"player"}
OF_STAFF = {*STAFF, *NAMED_BY_THE_BOOK}
MATRIX: list[tuple[dict[str, Any], set[str]]] = [
    ({"type": "Sit", "seat": 3, "player": "", "cents": 1_000}, {"spectator"}),
    ({"type": "BuyChips", "seat": 1, "cents": 100}, OF_THE_PLAYER),
    ({"type": "ExchangeVoucher", "seat": 1, "cents": 100}, OF_THE_PLAYER),
    ({"type": "PlaceWagers", "seat": 1, "wagers": {"base-1": 1_000}}, OF_THE_PLAYER),
    ({"type": "LookOver", "seat": 1}, OF_THE_PLAYER),
    ({"type": "Look", "seat": 1}, OF_THE_PLAYER),
    ({"type": "Choose", "seat": 1, "bet": 1, "choice": "ride"}, OF_THE_PLAYER),
    ({"type": "TakeBack", "seat": 1, "wager": "bonus"}, OF_THE_PLAYER),
    ({"type": "Tuck", "seat": 1}, OF_THE_PLAYER),
    ({"type": "Claim", "seat": 1, "shown": True}, OF_THE_PLAYER),
    ({"type": "TakeBank", "seat": 1, "cents": 100}, OF_THE_PLAYER),
    ({"type": "DeclineBank", "seat": 1}, OF_THE_PLAYER),
    ({"type": "Correct", "seat": 1, "cents": 100}, OF_THE_PLAYER),
    ({"type": "Fold", "seat": 1}, OF_THE_PLAYER),
    ({"type": "RefuseCorrection", "seat": 1}, OF_THE_PLAYER),
    ({"type": "RaiseDispute", "seat": 1, "about": "My bet"}, OF_THE_PLAYER),
    ({"type": "AppealDispute", "seat": 1}, OF_THE_PLAYER),
    ({"type": "AskAdvice", "seat": 1}, OF_THE_PLAYER),
    ({"type": "Advise", "seat": 1, "words": "Ride"}, OF_THE_PLAYER),
    ({"type": "SitOut", "seat": 1}, OF_THE_PLAYER),
    ({"type": "Leave", "seat": 1}, OF_THE_PLAYER),
    ({"type": "WentAway", "seat": 1}, {"dealer", "floor"}),
    ({"type": "CameBack", "seat": 1}, {"dealer", "floor"}),
    ({"type": "Do", "kind": "no_such_step"}, {"dealer", "floor"}),
    ({"type": "Report", "kind": "deck"}, {"player", "neighbour", *OF_STAFF}),  # a deck is at no seat
    ({"type": "Report", "kind": "device_jam"}, OF_STAFF),
    ({"type": "Order", "kind": "count"}, {"games_supervisor", "casino_supervisor", "operator", "inspector"}),
    ({"type": "Order", "kind": "recut"}, {"casino_supervisor", "operator"}),
    ({"type": "DecideDispute", "number": 1, "upheld": False}, {"games_supervisor"}),
    ({"type": "DecideDispute", "number": 1, "upheld": False, "absent": ["games_supervisor"]}, {"casino_supervisor"}),
    ({"type": "Mishap", "kind": "exposed", "seat": 1}, set()),
]
"""Each command by the rules of the book, with those whom it is not refused for who they are; written by hand."""
FOR_WHO_THEY_ARE = {"not_your_role", "not_your_seat", "not_your_shift", "seated", "no_advice"}


def role_of(who: str) -> str:
    """In which role someone comes to the table."""
    return "dealer" if who == OFF_SHIFT else who if who in OF_STAFF else ""


class At:
    """A table with two players, and everybody else at hand."""

    def __init__(self, stack: AsyncExitStack) -> None:
        self._stack = stack
        self.sockets: dict[str, Socket] = {}
        self.tokens: dict[str, str] = {"anonymous": ""}

    async def open(self) -> None:
        self.house = House(memory_stores(), node="node", pace=Pace(step=10_000, bets=10_000, choice=10_000))
        self.app = create(self.house, demo=False)
        await self._stack.enter_async_context(self.app.router.lifespan_context(self.app))
        await self.house.open(TABLE, "Table", TABLE)
        for name in ("spectator", "player", "neighbour"):
            _, self.tokens[name] = await self.house.people.guest()
        for who in (*STAFF, *NAMED_BY_THE_BOOK, OFF_SHIFT, "administrator"):
            role = NAMED_BY_THE_BOOK.get(who) or role_of(who) or who
            await self.house.people.register(f"The {who}", "a long password", (role,))
            _, self.tokens[who] = await self.house.people.login(f"The {who}", "a long password")

    async def sit(self) -> None:
        for seat, name in ((1, "player"), (2, "neighbour")):
            told = await self.send(name, {"type": "Sit", "seat": seat, "player": "", "cents": 5_000}, "sit")
            assert told["accepted"]
        told = await self.send("player", {"type": "RaiseDispute", "seat": 1, "about": "A bet"}, "raise")
        assert told["accepted"]
        dealer = await self.socket("dealer")
        dealer.send({"type": "take_shift"})
        while (await dealer.message()).get("dealer") != "The dealer":
            pass  # it is told to everybody when it is so

    async def socket(self, who: str) -> Socket:
        if who not in self.sockets:
            self.sockets[who] = await connect(self.app, TABLE, self.tokens[who], role=role_of(who))
        return self.sockets[who]

    async def send(self, who: str, command: dict[str, Any], command_id: str = "matrix") -> dict[str, Any]:
        socket = await self.socket(who)
        socket.send({"type": "command", "id": command_id, "command": command})
        return await socket.answer()


def in_a_house(loop: VirtualLoop, what: Any) -> Any:
    async def inside() -> Any:
        async with AsyncExitStack() as stack:
            at = At(stack)
            await at.open()
            return await what(at)

    return run(loop, inside())


def test_the_matrix_has_every_command_there_is() -> None:
    kinds = {kind.__name__ for kind in get_args(commands.AnyCommand)}
    assert kinds == {command["type"] for command, _ in MATRIX}


@pytest.mark.parametrize(
    ("command", "may"), MATRIX, ids=lambda cell: cell.get("type") if isinstance(cell, dict) else ""
)
def test_a_command_is_for_those_whom_the_book_names_and_refused_to_all_others(
    command: dict[str, Any], may: set[str]
) -> None:
    async def all_try(at: At) -> dict[str, dict[str, Any]]:
        await at.sit()
        # Who may not tries first, so that no one is refused because it is done already.
        return {who: await at.send(who, command) for who in sorted(PEOPLE, key=lambda who: who in may)}

    with virtual("matrix") as (loop, _):
        told = in_a_house(loop, all_try)
    for who, answer in told.items():
        refused = answer["type"] == "error" or answer["code"] in FOR_WHO_THEY_ARE
        assert refused == (who not in may), f"{who}: {answer}"
        assert not (refused and answer.get("accepted"))


def test_no_one_takes_a_role_that_is_not_theirs() -> None:
    async def try_all(at: At) -> set[tuple[str, str]]:
        taken = set()
        for who in (*PEOPLE, "administrator", "anonymous"):
            for role in ("", *STAFF, *NAMED_BY_THE_BOOK, "administrator", "player", "table", "house", "seat:1"):
                try:
                    socket = await connect(at.app, TABLE, at.tokens[who], role=role)
                except Closed:
                    continue
                taken.add((who, role))
                await socket.close()
        return taken

    with virtual("roles") as (loop, _):
        taken = in_a_house(loop, try_all)
    everybody = {(who, "") for who in (*PEOPLE, "administrator")}
    by_account = {(who, role) for role, account in NAMED_BY_THE_BOOK.items() for who in (account, role)}
    own = {(role, role) for role in STAFF} | {(OFF_SHIFT, "dealer"), ("games_supervisor", "floor")}
    assert taken == everybody | own | by_account


def test_a_socket_is_opened_for_our_own_pages_alone() -> None:
    async def try_all(at: At) -> list[str]:
        opened = []
        for origin in (
            "http://house",
            "https://elsewhere.example",
            "http://house.elsewhere.example",
            "null",
            "http://",
        ):
            try:
                await connect(at.app, TABLE, at.tokens["spectator"], origin=origin)
            except Closed:
                continue
            opened.append(origin)
        return opened

    with virtual("origins") as (loop, _):
        assert in_a_house(loop, try_all) == ["http://house"]


def test_session_tokens_have_256_bits_and_are_new_at_every_login() -> None:
    async def log_in(at: At) -> list[str]:
        tokens = []
        for _ in range(20):
            tokens.append((await at.house.people.login("The floor", "a long password"))[1])
            tokens.append((await at.house.people.guest())[1])
        return tokens

    with virtual("tokens") as (loop, _):
        tokens = in_a_house(loop, log_in)
    assert len(set(tokens)) == 40
    assert all(len(base64.urlsafe_b64decode(token + "=")) == 32 for token in tokens)


def test_wrong_passwords_make_their_source_wait_and_keep_no_one_else_out() -> None:
    async def fail(at: At) -> list[str]:
        async def try_(password: str, network: str = "192.0.2.1") -> str:
            try:
                await at.house.people.login("The floor", password, origin=Origin(network=network))
            except (LoginRefused, TryLater) as error:
                return type(error).__name__
            return "in"

        tried = [await try_("another password") for _ in range(5)]
        tried += [await try_("a long password"), await try_("a long password", "192.0.2.2")]
        await asyncio.sleep(2)
        return [*tried, await try_("a long password")]

    with virtual("wrong passwords") as (loop, _):
        assert in_a_house(loop, fail) == [*["LoginRefused"] * 5, "TryLater", "in", "in"]


SUMS = {"/api/par", "/api/par/live", "/api/par/file", "/api/payout"}
PUBLIC_WRITES = {
    "/api/guest",
    "/api/accounts",
    "/api/login",
    "/api/login/code",
    "/api/login/passkey",
    "/api/login/passkey/options",
    "/api/logout",
    "/api/oidc/start",
    "/api/setup",
    *SUMS,
}
"""What no one in particular may ask for: to become someone, and a sum."""


def test_a_stranger_changes_nothing_by_http() -> None:
    async def try_all(at: At) -> dict[str, int]:
        transport = httpx.ASGITransport(at.app)
        told = {}
        async with httpx.AsyncClient(transport=transport, base_url="http://house") as client:
            for path, does in at.app.openapi()["paths"].items():
                for method in set(does) - {"get", "head", "options"}:
                    words = [
                        TABLE if word == "{table_id}" else "1" if word[:1] == "{" else word for word in path.split("/")
                    ]
                    if path not in PUBLIC_WRITES:
                        told[f"{method} {path}"] = (await client.request(method, "/".join(words), json={})).status_code
        return told

    with virtual("http") as (loop, _):
        told = in_a_house(loop, try_all)
    assert {name for name, status in told.items() if status not in {401, 403}} == set()
