"""More than one machine: real servers on one PostgreSQL share the tables, send guests to each other, and may die."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from letitride.server.ops.setup import FILE
from letitride.storage.urls import open_store
from letitride.storage.verify import verify
from tests.server.cluster import LEASE_MS, Cluster, Node, Traveller, among, cluster, until, wait_for
from tests.server.guest import COOKIE, PATIENCE
from tests.server.node_kills import Found, check, kill_under_load
from tests.storage.conftest import postgres, running_postgres, start_again

__all__ = ["postgres"]
pytestmark = pytest.mark.slow
SOON_SECONDS = 60.0


@pytest.fixture
def house(tmp_path: Path, postgres: str) -> Iterator[Cluster]:
    """A house without servers yet."""
    with cluster(tmp_path, postgres) as one:
        yield one


def shared(house: Cluster) -> bool:
    """Whether both servers have their part of the five tables."""
    return sorted(len(house.at(node)) for node in house.living) == [2, 3]


async def refused(guest: Traveller, base: str, path: str, ticket: str, **headers: str) -> int:
    """Return how a server answers someone whom it does not let in."""
    with pytest.raises(InvalidStatus) as no:
        await guest.present(base, path, ticket, **headers)
    return int(no.value.response.status_code)


async def closed_with(socket: Any) -> int:
    """Return with which code a connection ends."""
    try:
        async with asyncio.timeout(SOON_SECONDS):
            while True:
                await socket.recv()
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else 1006


async def asked_anywhere(house: Cluster, here: Node, there: Node, table: str) -> None:
    """Whatever is asked about a table is answered at a server that does not look after it, as at the one that does."""
    boss = {
        "code": (here.folder / FILE).read_text(encoding="utf-8"),
        "name": "Boss",
        "password": "correct battery horse",
    }
    async with httpx.AsyncClient(base_url=here.base, timeout=PATIENCE) as client:
        assert 201 == (await client.post("/api/setup", json=boss)).status_code
        named = {"name": boss["name"], "password": boss["password"]}
        assert 200 == (await client.post("/api/login", json=named)).status_code
        roles = {"name": "Deal", "password": "staple orchid thunder 9", "roles": ["dealer"]}
        assert 201 == (await client.post("/api/staff", json=roles)).status_code
        told = (await client.post(f"/api/tables/{table}/state", json={"state": "closing", "why": "night"})).json()
        assert told["state"] in {"closing", "closed"}, told
        told = (await client.post(f"/api/tables/{table}/state", json={"state": "open", "why": "day"})).json()
        assert told["state"] == "open", told
        assert (await client.post(f"/api/tables/{table}/recover", json={"how": "void", "why": "x"})).status_code == 409
        desk = await client.get(f"/api/tables/{table}/desk", params={"role": "operator"})
        assert (desk.status_code, desk.json()["table"]) == (200, table)
        # While a table was closed the servers may have shared out the others anew: each is somewhere in the end.
        await until(lambda: shared(house), house.told)
        every: list[dict[str, Any]] = []
        async with asyncio.timeout(SOON_SECONDS):
            while not every or not all(one["here"] for one in every):
                every = (await client.get("/api/desk")).json()
        assert len(every) == 5
        rules = [(await client.get(f"{base}/api/tables/{table}/rules")).json() for base in (here.base, there.base)]
        assert rules[0] == rules[1]
        missing = await client.get("/api/tables/none/state")
        assert missing.status_code == 404
    async with httpx.AsyncClient(base_url=here.base, timeout=PATIENCE) as client:
        await client.post("/api/login", json={"name": "Deal", "password": roles["password"]})
        for act, dealer in (("take", "Deal"), ("end", "automatic")):
            told = (await client.post(f"/api/tables/{table}/shift", json={"act": act})).json()
            assert told["dealer"] == dealer, told
            for base in (here.base, there.base):
                assert (await client.get(f"{base}/api/tables/{table}/state")).json()["dealer"] == dealer
    # A socket at the wrong server is served as well, by cookie, and what is told there is of the client's own address.
    guest = Traveller(here.base, table)
    await guest.arrive()
    async with await guest.connect() as socket:
        await guest.play(socket, 0)
        await until(lambda: seated(here, table) == 1, house.told)
        async with httpx.AsyncClient(base_url=here.base, cookies={COOKIE: guest.cookie}, timeout=PATIENCE) as client:
            mine = {one["id"]: one for one in (await client.get("/api/tables")).json()}[table]
            assert mine["your_seat"] == guest.seat
    listener = await internal_listener(house, there)
    reader, writer = await asyncio.open_connection(*listener)
    writer.write(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    assert b"" == await reader.read()  # without an introduction by the house no one is answered there
    writer.close()


async def internal_listener(house: Cluster, node: Node) -> tuple[str, int]:
    """Return where other servers reach a node."""
    with closing(open_store(house.database, read_only=True)) as store:
        every = [json.loads(one.body) for one in store.documents.find("node")]
    host, _, port = next(one["inner"] for one in every if one["address"] == node.base).partition(":")
    return host, int(port)


def seat_of(guest: Traveller, node: Node, table: str) -> int | None:
    """Return where a guest sits by the lobby of a node; others may sit there as well."""
    asked = httpx.get(f"{node.base}/api/tables", cookies={COOKIE: guest.cookie}, timeout=PATIENCE, verify=False)
    seats: dict[str, int | None] = {one["id"]: one["your_seat"] for one in asked.json()}
    return seats[table]


def test_two_servers_that_start_at_once_share_the_tables_and_answer_for_each_other(house: Cluster) -> None:
    here, there = house.start(2)
    wait_for(lambda: shared(house), house.told)
    (table, *_), (own, *_) = sorted(house.at(there) - {"california-1"}), sorted(house.at(here))
    asyncio.run(asked_anywhere(house, here, there, table))

    async def visit() -> None:
        guest = Traveller(here.base, table)
        await guest.arrive()
        told = (await guest.join(here.base)).json()
        assert (there.base, f"/api/tables/{table}/socket") == (told["address"], told["path"])
        # With the ticket alone, from a page of the server that gave it; once.
        async with await guest.present(there.base, told["path"], told["ticket"], Origin=here.base) as socket:
            await guest.play(socket, 0)
            for node in (here, there):  # both lobbies know who sits there
                await until(lambda node=node: seat_of(guest, node, table) == guest.seat, house.told)
            assert await refused(guest, there.base, told["path"], told["ticket"]) == 403
            # Only for its table, only for our pages.
            told = (await guest.join(here.base)).json()
            assert await refused(guest, here.base, f"/api/tables/{own}/socket", told["ticket"]) == 403
            assert await refused(guest, there.base, told["path"], told["ticket"]) == 403  # it was torn up
            told = (await guest.join(here.base)).json()
            assert await refused(guest, there.base, told["path"], told["ticket"], Origin="http://evil.example") == 403
            # Who logs out at one server is out at the other.
            async with httpx.AsyncClient(
                base_url=here.base, cookies={COOKIE: guest.cookie}, timeout=PATIENCE, verify=False
            ) as client:
                told = (await client.post(f"/api/tables/{table}/join")).json()
                assert 204 == (await client.post("/api/logout")).status_code
            assert await closed_with(socket) == 1008
            assert await refused(guest, there.base, told["path"], told["ticket"]) == 403

    asyncio.run(visit())

    async def privately() -> None:
        owner, stranger = Traveller(here.base, ""), Traveller(here.base, "")
        await owner.arrive()
        await stranger.arrive()
        async with httpx.AsyncClient(
            base_url=here.base, cookies={COOKIE: owner.cookie}, timeout=PATIENCE, verify=False
        ) as client:
            wish = {"rulebook": "hand-dealt-1", "name": "Ours"}
            owner.table = stranger.table = (await client.post("/api/private-tables", json=wish)).json()["id"]
        assert (await stranger.join(there.base)).status_code == 404
        async with await owner.enter(there.base):
            pass

    asyncio.run(privately())
    assert {(node.base, len(node.tables())) for node in (here, there)} == {(here.base, 5), (there.base, 5)}


def seated(node: Node, table: str) -> int:
    return next((int(one["seated"]) for one in node.tables() if one["id"] == table), -1)


def test_nodes_killed_under_load_lose_nothing_and_deal_nothing_twice(house: Cluster) -> None:
    house.start(3)
    found = Found()
    end = time.monotonic() + 120.0
    asyncio.run(kill_under_load(house, random.Random(8), found, kills=3, end=end))
    for node in house.living:
        assert node.stop() in {0, -signal.SIGTERM}  # the last one may not even have begun to listen
    check(house, found)
    assert found.kills >= 2
    assert found.taken_over  # rounds that were under way were finished by another
    assert len(found.acknowledged) > 20


def test_a_server_that_stood_still_gives_up_its_tables_and_takes_part_again(house: Cluster) -> None:
    one, other = house.start(2)
    wait_for(lambda: shared(house), house.told)
    table = min(house.at(one) - {"california-1"})
    guest = Traveller("", table, house=house)

    async def stand_still() -> None:
        await until(lambda: len(guest.answers) > 2, house.told)
        one.send(signal.SIGSTOP)
        try:
            await until(lambda: not house.at(one) and len(house.at(other)) == 5, house.told)
            await asyncio.sleep(LEASE_MS / 1000)
        finally:
            one.send(signal.SIGCONT)
        before = len(guest.answers)
        await until(lambda: len(guest.answers) > before + 4, house.told)
        assert 1012 in guest.codes
        assert other.base in guest.been
        await until(lambda: len(house.at(one)) == 2, house.told)  # of those at which no one sits

        # One that is told to stop gives its tables back before it is gone.
        assert table in house.at(other)
        guest.codes.clear()
        assert await asyncio.to_thread(other.stop) == 0
        assert not house.at(other)
        await until(lambda: len(house.at(one)) == 5, house.told, SOON_SECONDS)
        before = len(guest.answers)
        await until(lambda: len(guest.answers) > before, house.told)
        assert 1001 in guest.codes

    asyncio.run(among([guest], stand_still()))
    one.stop()
    judge(house, guest)


def test_servers_come_back_by_themselves_when_their_database_does(tmp_path: Path) -> None:
    with running_postgres() as server, cluster(tmp_path, server.get_uri()) as house:
        nodes = house.start(2)
        wait_for(lambda: shared(house), house.told)
        guests = [Traveller("", min(house.at(node) - {"california-1"}), house=house) for node in nodes]

        async def without() -> None:
            await until(lambda: all(len(one.answers) > 2 for one in guests), house.told)
            await asyncio.to_thread(server.stop)
            await asyncio.sleep(1.5 * LEASE_MS / 1000)  # longer than any lease
            await asyncio.to_thread(start_again, server)
            before = [len(one.answers) for one in guests]
            await until(
                lambda: all(len(one.answers) > many + 3 for one, many in zip(guests, before, strict=True)),
                house.told,
            )

        asyncio.run(among(guests, without()))
        assert all(one["state"] == "open" for one in nodes[0].tables())
        wait_for(lambda: shared(house), house.told)  # the tables are shared as before
        for node in nodes:
            assert node.stop() == 0
        judge(house, *guests)


def judge(house: Cluster, *guests: Traveller) -> None:
    """The journals are good, and have what guests were told."""
    store = open_store(house.database, read_only=True)
    try:
        assert verify(store).good
        for guest in guests:
            carried = [row.command for row in store.journal.rows(guest.table) if row.command]
            assert len(carried) == len(set(carried))
            assert {one["command"] for one in guest.answers if one["accepted"]} <= set(carried)
    finally:
        store.close()
