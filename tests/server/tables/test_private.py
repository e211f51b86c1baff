"""Private tables: for others there is no such table, by any door; a link lets in as many as it says, for as long."""

from __future__ import annotations

import asyncio
import json
from typing import Any
from unittest.mock import patch

import httpx
import pytest
from starlette.types import Message

from letitride.engine import commands
from letitride.errors import InvalidData, StoreDown
from letitride.server.ops.opening import TableRequest, table_id
from letitride.server.people.invitations import PREFIX, TABLES_MAX
from letitride.server.runtime.rates import Rate, Rates
from letitride.server.tables.table_owner import TableHalted
from tests.server.guest import COOKIE
from tests.server.inside import HOUR_MS, Inside, inside

TABLE = {"rulebook": "hand-dealt-1", "name": "Friday night"}


async def opened(client: httpx.AsyncClient) -> str:
    found = await client.post("/api/private-tables", json=TABLE)
    assert found.status_code == 201, found.text
    return str(found.json()["id"])


async def invited(client: httpx.AsyncClient, table: str, **wish: int) -> str:
    found = await client.post(f"/api/tables/{table}/invitations", json=wish)
    assert found.status_code == 201, found.text
    assert found.json()["link"].endswith(found.json()["token"])
    return str(found.json()["token"])


async def lobby(client: httpx.AsyncClient) -> set[str]:
    return {one["id"] for one in (await client.get("/api/tables")).json()}


async def socket_opens(here: Inside, client: httpx.AsyncClient, table: str) -> bool:
    """Whether a WebSocket is accepted: the application is asked as a server would."""
    cookie = client.cookies.get(COOKIE, "")
    scope = {
        "type": "websocket",
        "path": f"/api/tables/{table}/socket",
        "headers": [(b"host", b"house"), (b"cookie", f"{COOKIE}={cookie}".encode())],
        "query_string": b"",
        "client": ("192.0.2.1", 1),
        "server": ("house", 80),
        "scheme": "ws",
        "subprotocols": [],
    }
    incoming: list[Message] = [{"type": "websocket.connect"}, {"type": "websocket.disconnect", "code": 1000}]
    sent: list[Message] = []

    async def receive() -> Message:
        return incoming.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    await asyncio.wait_for(here.app(scope, receive, send), 60)
    if sent[0]["type"] == "websocket.close":
        assert sent[0]["code"] == 1008
        return False
    return True


def test_a_guest_who_creates_an_account_keeps_their_table_and_those_they_were_invited_to() -> None:
    async def check() -> None:
        async with inside("t1") as here:
            host, _ = await here.account("Ann")
            theirs = await opened(host)
            guest, _ = await here.guest()
            own = await opened(guest)
            assert (await guest.post("/api/me/settings", json={})).status_code == 405
            assert (await guest.put("/api/me/settings", json={"when_absent": "coach"})).status_code == 204
            token = await invited(host, theirs)
            assert (await guest.post(f"/api/invitations/{token}")).is_success
            assert {"t1", own, theirs} == await lobby(guest)
            login = {"name": "Bea", "password": "a long password for Bea"}
            assert (await guest.post("/api/accounts", json=login)).status_code == 201
            bea = here.client()
            assert (await bea.post("/api/login", json=login)).status_code == 200
            assert {"t1", own, theirs} == await lobby(bea)
            assert "coach" == (await bea.get("/api/me")).json()["when_absent"]
            assert await invited(bea, own)  # it is hers to invite to, and to close
            assert (await bea.delete(f"/api/private-tables/{own}")).is_success
            assert (await bea.delete(f"/api/private-tables/{theirs}")).status_code in {403, 404}

    asyncio.run(check())


def test_for_others_there_is_no_such_table() -> None:
    async def check() -> None:
        async with inside("t1") as here:
            host, owner = await here.account("Ann")
            table = await opened(host)
            stranger, _ = await here.guest()
            nobody = here.client()
            assert {"t1", table} == await lobby(host)
            for client in (stranger, nobody):
                assert {"t1"} == await lobby(client)
                assert not await socket_opens(here, client, table)
                unknown = await client.get(f"/api/tables/{PREFIX}unknown/proofs/1/1")
                hidden = await client.get(f"/api/tables/{table}/proofs/1/1")
                assert 404 == unknown.status_code == hidden.status_code
                assert unknown.text.replace(f"{PREFIX}unknown", table) == hidden.text
            assert 404 == (await stranger.post(f"/api/tables/{table}/invitations", json={})).status_code
            assert "Friday night" not in (await nobody.get("/")).text
            assert await socket_opens(here, host, table)
            assert await socket_opens(here, stranger, "t1")
            assert not await socket_opens(here, stranger, f"{PREFIX}unknown")
            assert here.house.room(table).record.about["private_of"] == owner.name
            inspector, _ = await here.account("Ivy", "inspector")
            assert table in await lobby(inspector)

    asyncio.run(check())


def test_a_link_lets_in_as_many_as_it_says() -> None:
    async def check() -> None:
        async with inside() as here:
            host, _ = await here.account("Ann")
            table = await opened(host)
            token = await invited(host, table, uses=2)
            guests = [await here.guest() for _ in range(6)]
            found = await asyncio.gather(*(client.post(f"/api/invitations/{token}") for client, _ in guests))
            assert [200, 200, 404, 404, 404, 404] == sorted(one.status_code for one in found)
            for (client, person), answer in zip(guests, found, strict=True):
                inside_now = answer.status_code == 200
                assert inside_now == (table in await lobby(client)) == await socket_opens(here, client, table)
                if inside_now:
                    assert {"id": table} == answer.json()
                    assert (await here.sit(person, table, 5_000))["accepted"]
            kept = json.dumps([one.body.decode() + one.id for one in here.house.stores.documents.find("invitation")])
            assert token not in kept

    asyncio.run(check())


def test_a_link_is_good_for_as_long_as_it_says_and_until_it_is_taken_back() -> None:
    async def check() -> None:
        async with inside() as here:
            host, _ = await here.account("Ann")
            table = await opened(host)
            late, early = await here.guest(), await here.guest()
            token = await invited(host, table, hours=2)
            here.now_ms += 2 * HOUR_MS - 1
            assert 200 == (await early[0].post(f"/api/invitations/{token}")).status_code
            assert 200 == (await early[0].post(f"/api/invitations/{token}")).status_code  # in already
            here.now_ms += 1
            assert 404 == (await late[0].post(f"/api/invitations/{token}")).status_code
            token = await invited(host, table)
            assert 404 == (await late[0].delete(f"/api/tables/{table}/invitations")).status_code
            assert (await host.delete(f"/api/tables/{table}/invitations")).json()["invitations"] == 2
            assert 404 == (await late[0].post(f"/api/invitations/{token}")).status_code
            assert table in await lobby(early[0])
            assert 401 == (await here.client().post(f"/api/invitations/{token}")).status_code

    asyncio.run(check())


def test_an_invitation_by_the_staff_is_on_record() -> None:
    async def check() -> None:
        async with inside() as here:
            host, _ = await here.account("Ann")
            table = await opened(host)
            floor, _ = await here.account("Flo", "floor")
            await invited(host, table)
            assert [] == here.audited()
            await invited(floor, table)
            assert [("Flo", f"invite to {table}")] == here.audited()

    asyncio.run(check())


def test_no_one_has_more_than_a_few_private_tables() -> None:
    async def check() -> None:
        async with inside() as here:
            here.house.rates = Rates(private_tables_from=Rate(100, 1))
            host, _ = await here.account("Ann")
            for _ in range(TABLES_MAX):
                await opened(host)
            assert 422 == (await host.post("/api/private-tables", json=TABLE)).status_code
            guest, _ = await here.guest()
            await opened(guest)
            assert 422 == (await guest.post("/api/private-tables", json=TABLE)).status_code
            here.now_ms += 24 * HOUR_MS
            here.house.rates = Rates(private_tables_from=Rate(1, 1))
            others = [(await here.guest())[0] for _ in range(2)]
            found = [(await one.post("/api/private-tables", json=TABLE)).status_code for one in others]
            assert [201, 429] == found  # of one address

    asyncio.run(check())


def test_a_private_table_is_closed_when_no_one_is_there_and_who_sat_there_has_their_chips() -> None:
    async def check() -> None:
        async with inside() as here:
            host, owner = await here.account("Ann", cents=10_000)
            stranger, _ = await here.guest()
            table = await opened(host)
            friend, bob = await here.account("Bob", cents=10_000)
            await friend.post(f"/api/invitations/{await invited(host, table)}")
            assert (await here.sit(owner, table, 5_000))["accepted"]
            assert (await here.sit(bob, table, 5_000))["accepted"]
            room = here.house.room(table)
            room.note_connected(owner.name, "")
            room.note_connected(bob.name, "")
            refused = await host.delete(f"/api/private-tables/{table}")
            assert (422, True) == (refused.status_code, "Bob" in refused.text)
            assert 404 == (await stranger.delete(f"/api/private-tables/{table}")).status_code
            room.note_disconnected(bob.name, "")
            assert [5_000, 5_000] == [await here.house.wallets.balance(name) for name in ("Ann", "Bob")]
            assert 204 == (await host.delete(f"/api/private-tables/{table}")).status_code
            assert [10_000, 10_000] == [await here.house.wallets.balance(name) for name in ("Ann", "Bob")]
            assert 404 == (await host.delete(f"/api/private-tables/{table}")).status_code
            assert set() == await lobby(host)
            assert not await socket_opens(here, host, table)
            with pytest.raises(TableHalted):  # those who were there are told
                await room.submit("x", "y", commands.Sit(by="seat:1", seat=1, player="Ann", cents=100))
            for _ in range(TABLES_MAX):
                await opened(host)

    asyncio.run(check())


async def retired(here: Inside, table: str) -> bool:
    try:
        await here.house.retire(table, "closed")
    except InvalidData:
        return False
    return True


def test_one_who_sits_down_while_a_table_is_closed_sits_or_is_refused() -> None:
    async def check() -> None:
        async with inside() as here:
            host, owner = await here.account("Ann", cents=10_000)
            here.house.rates = Rates(private_tables_from=Rate(100, 100))
            for turn in range(30):
                table = await opened(host)
                sitting = asyncio.create_task(here.sit(owner, table, 1_000))
                for _ in range(turn):  # so that the two meet at many moments
                    await here.house.committer.run(lambda: None)
                closed = await retired(here, table)
                sat = await asyncio.wait_for(sitting, 60)
                if not closed:
                    assert here.house.room(table).seat_of("Ann")
                    assert (await here.leave(owner, table))["accepted"]
                    assert 204 == (await host.delete(f"/api/private-tables/{table}")).status_code
                else:
                    assert not sat.get("accepted", False)
                assert table not in here.house.rooms
            assert 10_000 == here.house.stores.wallets.balance("Ann")

    asyncio.run(check())


@pytest.mark.parametrize(
    "table",
    [
        {"rulebook": "nowhere-1", "name": "x"},
        {"rulebook": "/etc/passwd", "name": "x"},
        {"rulebook": "hand-dealt-1", "name": ""},
        {"rulebook": "hand-dealt-1", "name": "x" * 41},
        {"rulebook": "hand-dealt-1", "name": "<b>"},
        {},
    ],
)
def test_a_private_table_that_cannot_be_is_refused(table: dict[str, Any]) -> None:
    async def check() -> None:
        async with inside() as here:
            client, _ = await here.guest()
            assert 422 == (await client.post("/api/private-tables", json=table)).status_code
            for wish in ({"uses": 0}, {"uses": 51}, {"hours": 0}, {"hours": 10**6}):
                assert 422 == (await client.post("/api/tables/t1/invitations", json=wish)).status_code
            assert 404 == (await client.post("/api/tables/t1/invitations", json={})).status_code

    asyncio.run(check())


def test_a_private_table_that_is_closed_twice_at_once_is_closed_once() -> None:
    async def check() -> None:
        async with inside() as here:
            client, _ = await here.guest()
            wanted = {"rulebook": "nsw-1", "name": "Mine"}
            table = (await client.post("/api/private-tables", json=wanted)).json()["id"]
            asked = asyncio.gather(*(client.delete(f"/api/private-tables/{table}") for _ in range(3)))
            answers = await asyncio.wait_for(asked, 60)
            assert {204} <= {one.status_code for one in answers} <= {204, 404, 409}
            assert "closed" == here.house.stores.tables.get(table).state

    asyncio.run(check())


def test_a_private_table_that_cannot_be_closed_now_goes_on() -> None:
    async def check() -> None:
        async with inside() as here:
            client, person = await here.guest()
            wanted = {"rulebook": "nsw-1", "name": "Mine"}
            table = (await client.post("/api/private-tables", json=wanted)).json()["id"]

            def away(*_: object) -> bool:
                raise StoreDown("the database is away")

            with patch.object(here.house.stores.tables, "set_state", away):
                assert 503 == (await client.delete(f"/api/private-tables/{table}")).status_code
            assert (await here.sit(person, table))["accepted"]

    asyncio.run(check())


@pytest.mark.parametrize(
    "wanted",
    [TableRequest(name="Private salon", rulebook="nsw-1"), TableRequest(name="A", rulebook="nsw-1", id="private-1")],
)
def test_no_other_table_is_named_like_a_private_one(wanted: TableRequest) -> None:
    with pytest.raises(InvalidData, match="private tables"):
        table_id(wanted)  # no one would see it


def test_one_who_asks_whether_a_server_is_ready_learns_of_no_private_table() -> None:
    async def check() -> None:
        async with inside("t1") as here:
            client, _ = await here.guest()
            wanted = {"rulebook": "nsw-1", "name": "Mine"}
            table = (await client.post("/api/private-tables", json=wanted)).json()["id"]
            here.app.state.readiness.started = True
            rooms = [here.house.rooms.pop(name) for name in (table, "t1")]
            for room in rooms:
                await room.close()
                await here.house.nodes.release(room.record.id, room.host.epoch)
            found = await here.client().get("/readyz")
            assert (503, "waiting for tables without an owner: a private one, t1") == (found.status_code, found.text)

    asyncio.run(check())


def test_links_are_taken_back_in_small_steps_and_not_too_often() -> None:
    async def check() -> None:
        async with inside() as here:
            here.house.rates = Rates(invitations_of=Rate(4, 0.1))
            client, _ = await here.guest()
            wanted = {"rulebook": "nsw-1", "name": "Mine"}
            table = (await client.post("/api/private-tables", json=wanted)).json()["id"]
            address = f"/api/tables/{table}/invitations"
            for _ in range(2):
                assert 201 == (await client.post(address, json={})).status_code
            assert {"invitations": 2} == (await client.delete(address)).json()
            assert {"invitations": 0} == (await client.delete(address)).json()
            assert 429 == (await client.delete(address)).status_code

    asyncio.run(check())
