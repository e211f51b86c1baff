"""The server: rounds over a real network, on a real database, with decks anybody can check, through any kill."""

from __future__ import annotations

import asyncio
import json
import signal
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from letitride.chance.proof import verify
from letitride.engine.events import RoundEnded
from letitride.ledger.transfers import balances_of
from letitride.storage.codec import decode
from letitride.storage.urls import open_store
from letitride.storage.verify import verify as verify_store
from tests.server.conftest import Server
from tests.server.guest import COOKIE, PATIENCE, Guest
from tests.server.with_key import open_with_key

HOUSES = ("nsw-1", "washington-1", "shufflemaster-1", "hand-dealt-1")


async def rounds_of(guest: Guest, rounds: int) -> None:
    await guest.arrive()
    socket = await guest.connect()
    try:
        await asyncio.wait_for(guest.play(socket, rounds), 120)
    finally:
        await socket.close()


def test_a_guest_plays_rounds_at_every_house_table_and_checks_the_decks(server: Server) -> None:
    async def play() -> list[Guest]:
        guests = [Guest(server.base, table) for table in HOUSES]
        await asyncio.gather(*(rounds_of(guest, 2) for guest in guests))
        return guests

    guests = asyncio.run(play())
    for guest in guests:
        assert all(answer["accepted"] for answer in guest.answers), guest.answers
        told = [frame for frame in guest.frames if frame["type"] == "proof"]
        assert told
        for one in told:
            path = f"/api/tables/{guest.table}/proofs/{one['round']}/{one['shuffle']}"
            assert verify(httpx.get(f"{server.base}{path}", timeout=PATIENCE, verify=False).json()) == []
        roots = {(f["round"], f["shuffle"]): f["root"] for f in guest.frames if f["type"] == "commitment"}
        assert roots
    assert server.stop() == 0
    store = open_with_key(str(server.database), server.folder)
    try:
        assert verify_store(store).good
        assert store.wallets.total() == 0
        for table in HOUSES:
            happened = [event for row in store.journal.rows(table) for event in decode(row.events)]
            assert sum(isinstance(event, RoundEnded) for event in happened) >= 2
            assert sum(balances_of(event.chips for event in happened).values()) == 0
    finally:
        store.close()


def test_no_one_sees_a_neighbours_cards(server: Server) -> None:
    async def play() -> tuple[Guest, Guest]:
        one, two = (Guest(server.base, "washington-1") for _ in range(2))
        await asyncio.gather(rounds_of(one, 2), rounds_of(two, 2))
        return one, two

    for guest in asyncio.run(play()):
        for frame in guest.frames:
            if frame["type"] == "view" and frame["view"]["phase"] in {"dealing", "choice_1", "choice_2"}:
                for number, seat in frame["view"]["seats"].items():
                    if seat["player"] != guest.name:
                        assert all(card.startswith("[") for card in seat["cards"]), (guest.seat, number)


def test_a_command_sent_again_is_carried_out_once(server: Server) -> None:
    async def twice() -> list[dict[str, Any]]:
        guest = Guest(server.base, "nsw-1")
        await guest.arrive()
        socket = await guest.connect()
        answers = []
        for _ in range(3):
            await guest.send(socket, {"type": "Sit", "seat": 3, "player": "", "cents": 20_000}, "the same")
        while len(answers) < 3:
            message = json.loads(await asyncio.wait_for(socket.recv(), 60))
            answers += [message] if message["type"] in {"answer", "error"} else []
        await socket.close()
        return answers

    first, second, third = asyncio.run(twice())
    assert first["type"] == "answer"
    assert first["accepted"]
    # A player who sends it once more after sitting down is told so, or gets the first answer: they pay once.
    assert all(one == first or one["type"] == "error" for one in (second, third))
    me = open_store(str(server.database), read_only=True)
    try:
        wallets = {
            account: cents for account, cents in me.wallets.balances(None).items() if account.startswith("wallet:")
        }
        assert list(wallets.values()) == [80_000]
    finally:
        me.close()


@pytest.mark.parametrize(
    "frame",
    [
        "",
        "no json",
        "[]",
        '{"type": "command"}',
        '{"type": "command", "id": "", "command": {"type": "Leave", "seat": 1}}',
        '{"type": "command", "id": "x", "command": {"type": "Explode"}}',
        '{"type": "command", "id": "x", "command": {"type": "Do", "kind": "shuffle_deck"}}',
        '{"type": "command", "id": "x", "command": {"type": "Leave", "seat": 1}}',
        '{"type": "command", "id": "x", "command": {"type": "Mishap", "kind": "exposed"}}',
        '{"type": "pledge", "round": 1, "shuffle": 1, "digest": "zz"}',
        '{"type": "reveal", "round": 1, "shuffle": 1, "nonce": "' + "0" * 64 + '"}',
        '{"type": "command", "id": "' + "x" * 20_000 + '"}',
    ],
)
def test_a_frame_that_makes_no_sense_gets_a_sentence_and_changes_nothing(house: Server, frame: str) -> None:
    async def send() -> dict[str, Any]:
        guest = Guest(house.base, "hand-dealt-1")
        await guest.arrive()
        socket = await guest.connect()
        await socket.send(frame)
        while True:
            message = json.loads(await asyncio.wait_for(socket.recv(), 60))
            if message["type"] in {"error", "answer"}:
                await socket.close()
                return dict(message)

    def tables() -> list[tuple[Any, ...]]:  # a table may still be setting up
        return [(one["id"], one["seated"], one["round"], one["state"] == "halted") for one in house.tables()]

    before = tables()
    answer = asyncio.run(send())
    assert answer["type"] == "error"
    assert answer["sentence"].startswith(("Expected", "expected"))
    assert tables() == before


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Any:
    one = Server(tmp_path_factory.mktemp("house"))
    one.start()
    yield one
    one.stop(signal.SIGKILL)


def test_a_socket_needs_a_session_and_its_own_page(house: Server) -> None:
    async def refused(guest: Guest, **headers: str) -> int:
        with pytest.raises(InvalidStatus) as error:
            await guest.connect(**headers)
        return int(error.value.response.status_code)

    async def try_all() -> None:
        stranger = Guest(house.base, "nsw-1", cookie="made up")
        assert await refused(stranger) == 403
        guest = Guest(house.base, "nsw-1")
        await guest.arrive()
        assert await refused(guest, Origin="https://elsewhere.example") == 403
        assert await refused(Guest(house.base, "nowhere", cookie=guest.cookie)) == 403
        ours = await guest.connect(Origin=house.base)
        await ours.close()

    asyncio.run(try_all())


def test_accounts_log_in_make_their_source_wait_and_keep_no_secret_in_the_open(house: Server) -> None:
    with httpx.Client(base_url=house.base, timeout=PATIENCE, verify=False) as client:
        assert client.post("/api/accounts", json={"name": "Ann", "password": "short"}).status_code == 422
        assert client.post("/api/accounts", json={"name": "Ann", "password": "long enough now"}).status_code == 201
        assert client.post("/api/accounts", json={"name": "Ann", "password": "long enough now"}).status_code == 422
        assert client.post("/api/login", json={"name": "Ann", "password": "long enough now"}).status_code == 200
        cookie = client.cookies[COOKIE]
        assert client.get("/api/me").json()["name"] == "Ann"
        wrong, answers = {"name": "Ann", "password": "wrong password"}, [403]
        while (
            answers[-1] == 403 and len(answers) < 100
        ):  # the slower the machine, the more tries it gives back meanwhile
            answers.append(client.post("/api/login", json=wrong).status_code)
        assert len(answers) > 6
        assert answers[-1] == 429
        assert client.post("/api/login", json={"name": "Ann", "password": "long enough now"}).status_code == 429
        assert client.post("/api/logout").status_code == 204
        client.cookies.set(COOKIE, cookie)
        assert client.get("/api/me").status_code == 401
        assert client.post("/api/login", json={"name": "Ann"}).status_code == 422
        assert client.get("/api/tables/nsw-1/proofs/999/1").status_code == 404
        assert client.get("/").status_code == 200
    kept = house.database.read_bytes() + house.database.with_name("house.db-wal").read_bytes()
    assert cookie.encode() not in kept
    assert b"long enough now" not in kept
