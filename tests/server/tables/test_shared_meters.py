"""A meter that tables of a house share: seeded once, hit at two tables in one moment, shown at all of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from letitride.engine import commands
from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.server.ops.opening import TableRequest, register_table
from letitride.server.runtime.write_batching import Committer
from letitride.server.tables.house import House
from letitride.server.tables.shared_meters import CLIENT
from letitride.server.tables.table_owner import TableOwner
from letitride.storage import verify
from letitride.storage.past import Past, rebuilt
from letitride.storage.roles.stores import Stores
from letitride.storage.urls import open_store
from tests.records.test_meters import BOOK, NOTHING, SEED, played
from tests.records.test_shared_meters import METER, ROYAL, SHARED, room_of
from tests.server.inside import Inside
from tests.server.staffed import PATIENT, asking, base, betting, open_house, seated, until
from tests.storage.conftest import address, postgres

__all__ = ["address", "postgres"]

TABLES = ("t1", "t2")


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return room_of(tmp_path_factory.mktemp("shared") / "room", SHARED)


@pytest.fixture(scope="module")
def acts(room: Path) -> list[commands.AnyCommand]:
    """What is done at a table for a round that wins nothing and one with a royal flush, command by command."""
    return [step.command for step in played(room, NOTHING, ROYAL).steps if step.command is not None]


class Player:
    """Carries commands out at a table, through its owner."""

    def __init__(self, store: Stores, table: str, acts: list[commands.AnyCommand]) -> None:
        self.store, self.table, self.acts = store, table, acts
        self._own()

    def _own(self) -> None:
        """Own the table as its journal has it."""
        store, table = self.store, self.table
        self.committer = Committer(store.journal)
        state, head = Past(store.journal, store.documents, table).present()
        self.host = TableOwner(
            table,
            state,
            head,
            epoch=store.tables.get(table).epoch,
            journal=store.journal,
            committer=self.committer,
            clock_ms=lambda: 1,
            rest=lambda *_: pytest.fail("nobody leaves"),
        )
        self.host.meter = store.wallets.meter

    async def die(self) -> None:
        """Own the table no longer, and let another who knows the journal alone go on with it."""
        await self.close()
        self._own()

    async def play(self, readings: int) -> None:
        """Go on until meters were read so often, and stop before the next reading."""
        while self.acts:
            act = self.acts[0]
            if isinstance(act, commands.Do) and act.kind == "read_meters":
                if not readings:
                    return
                readings -= 1
                act = commands.with_readings(act, await self.host.read_meters(self.host.table))
            await self.do(act)

    async def do(self, act: commands.AnyCommand) -> None:
        answer = await self.host.submit("dealer", "", act)
        assert answer.accepted, answer
        del self.acts[0]

    async def close(self) -> None:
        await self.host.close()
        self.committer.close()


@contextmanager
def two_stores(url: str) -> Iterator[tuple[Stores, Stores]]:
    """The stores of two servers of one house; in memory and in a file there is one for both."""
    one = open_store(url)
    other = open_store(url) if url.startswith("postgres") else one
    try:
        yield one, other
    finally:
        for store in {id(one): one, id(other): other}.values():
            store.close()


@pytest.mark.parametrize("kind", ["memory", "sqlite", "postgres"])
def test_two_tables_that_hit_in_one_moment_never_pay_the_same_money(
    address: Callable[[str], str], kind: str, room: Path, acts: list[commands.AnyCommand]
) -> None:
    async def go(stores: tuple[Stores, Stores]) -> None:
        for store, table in zip(stores, TABLES, strict=True):
            register_table(
                store, TableRequest(name=table, rulebook="room.toml", texts=texts_of(room)), at=1, who="Boss"
            )
        assert SEED == stores[0].wallets.meter("jackpot")
        players = [Player(store, table, sent_by(table, acts)) for store, table in zip(stores, TABLES, strict=True)]
        for sit in (act for player in players for act in player.acts if isinstance(act, commands.Sit)):
            stores[0].wallets.fund(sit.player, sit.cents, "to play", at=1, who="cashier")
        await asyncio.gather(*(player.play(1) for player in players))
        held = SEED + 2 * 75
        assert held == stores[0].wallets.meter("jackpot")
        # Both dealers read the same, and only then either of them tells.
        reading = [msgspec.structs.replace(player.acts[0], meters={"jackpot": held}) for player in players]
        await asyncio.gather(*(player.do(act) for player, act in zip(players, reading, strict=True)))
        won = sorted(_won(player) for player in players)
        assert [SEED, held] == won
        assert (SEED, held) == (stores[0].wallets.meter("jackpot"), stores[0].wallets.meter_shown("jackpot"))
        for player in players:
            await player.die()
        await asyncio.gather(*(player.play(0) for player in players))
        assert SEED + 2 * 75 == stores[0].wallets.meter("jackpot") == stores[1].wallets.meter_shown("jackpot")
        assert 0 == stores[0].wallets.total()
        trays = [stores[0].wallets.balances(table)["tray"] for table in TABLES]
        taken = sum(player.host.table.cents(f"stack:{n}") - 50_000 for player in players for n in (1, 2, 3))
        assert -sum(trays) == taken + SEED + 2 * 75
        for player in players:
            await player.close()
        for store, table, player in zip(stores, TABLES, players, strict=True):
            assert player.host.table == rebuilt(store.journal.rows(table))
        assert verify.verify(stores[0]).good

    with two_stores(address(kind)) as stores:
        asyncio.run(go(stores))


def sent_by(table: str, acts: list[commands.AnyCommand]) -> list[commands.AnyCommand]:
    """The same acts at a table with players of its own."""
    return [
        msgspec.structs.replace(act, player=f"{act.player} of {table}") if isinstance(act, commands.Sit) else act
        for act in acts
    ]


def _won(player: Player) -> int:
    rows = player.host.table.seats[1].results
    return next(row.paid_cents for row in rows if row.wager == "jackpot")


def texts_of(room: Path) -> dict[str, str]:
    """The files of a room, as an operator sends them."""
    return {path.name: path.read_text(encoding="utf-8") for path in room.parent.iterdir()}


def wanted(name: str, wager: str = SHARED) -> dict[str, Any]:
    values = {key: list(value) if isinstance(value, tuple) else value for key, value in STATED.items()}
    return {
        "name": name,
        "rulebook": "room.toml",
        "values": values,
        "texts": {"room.toml": BOOK, "jackpot.toml": wager},
    }


STATED = dict(catalog.stated_values("nsw-1"))


def test_all_tables_and_the_lobby_show_what_the_shared_meter_holds() -> None:
    async def go() -> None:
        async with open_house(pace=PATIENT) as house, asking(house, "Ada", "administrator") as ada:
            for name in ("T1", "T2"):
                made = await ada.post("/api/tables", json=wanted(name))
                assert 201 == made.status_code, made.text
            one, other = house.room("t1"), house.room("t2")
            ann = await seated(house, one, 1)
            await betting(one)
            answer = await ann.ask("PlaceWagers", seat=1, wagers={**base(), "jackpot": 100})
            assert answer["accepted"], answer
            for bet in (1, 2):
                await until(one, lambda table: table.next_step is not None and table.next_step.kind == "await_choice")
                answer = await ann.ask("Choose", seat=1, bet=bet, choice="ride")
                assert answer["accepted"], answer
            await until(one, lambda table: table.phase == "betting" and table.round == 2)
            held = house.stores.wallets.meter("jackpot")
            async with asyncio.timeout(60):
                while house.meters.of(other.table) != {"jackpot": held}:
                    await asyncio.sleep(0.01)
            for room in (one, other):
                seen = msgspec.json.decode(room.frames.frame_for(room.table, "spectator").whole())
                assert {"jackpot": held} == seen["view"]["meters"]
            assert [{"jackpot": held}] * 2 == [t["meters_cents"] for t in (await ada.get("/api/tables")).json()]
            assert held >= SEED + 25 or held < SEED
            assert verify.verify(house.stores).good

    asyncio.run(go())


def test_a_viewer_is_told_of_a_new_reading_though_nothing_happened_at_the_table() -> None:
    async def go() -> None:
        async with open_house(pace=PATIENT) as house:
            async with asking(house, "Ada", "administrator") as ada:
                assert 201 == (await ada.post("/api/tables", json=wanted("T1"))).status_code
            room = house.room("t1")
            seen = room.frames.frame_for(room.table, "spectator")
            room.post_meters({"jackpot": SEED + 77})
            assert room.frames.has_changed(room.table, seen)
            now = room.frames.frame_for(room.table, "spectator")
            told = msgspec.json.decode(now.changes_since(seen))
            assert (seen.version, {"meters": {"jackpot": SEED + 77}}, {}) == (
                told["since"],
                told["view"],
                told["seats"],
            )
            assert not room.frames.has_changed(room.table, now)

    asyncio.run(go())


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("seed_cents = 1000000", "seed_cents = 500000", "got a file with a seed of $5,000"),
        ("contribution_ppm = 250000", "contribution_ppm = 200000", "got a file with other terms"),
        ("straight_flush = 10,", "straight_flush = 20,", "got a file with other terms"),
    ],
)
def test_a_table_whose_file_has_other_terms_is_not_opened(old: str, new: str, words: str) -> None:
    async def go() -> None:
        async with open_house(pace=PATIENT) as house, asking(house, "Ada", "administrator") as ada:
            assert 201 == (await ada.post("/api/tables", json=wanted("T1"))).status_code
            assert old in SHARED
            no = await ada.post("/api/tables", json=wanted("T2", SHARED.replace(old, new)))
            assert 422 == no.status_code, no.text
            assert "jackpot: expected the bet as the house has its shared meter, with a seed of $10,000" in no.text
            assert words in no.text
            assert ["t1"] == [one["id"] for one in (await ada.get("/api/tables")).json()]
            # An own meter under the same name is another thing.
            assert (
                201
                == (await ada.post("/api/tables", json=wanted("T3", SHARED.replace("shared = true\n", "")))).status_code
            )
            assert (SEED, SEED) == (
                house.stores.wallets.meter("jackpot"),
                house.room("t3").table.cents("meter:jackpot"),
            )

    asyncio.run(go())


def test_two_servers_that_open_tables_at_one_moment_seed_the_meter_once(
    address: Callable[[str], str], room: Path
) -> None:
    rules = catalog.ready_rules(room)

    async def go(stores: tuple[Stores, Stores]) -> None:
        houses = [House(store, node=f"n{at}", address=f"http://n{at}") for at, store in enumerate(stores)]
        inside = [Inside(house, None) for house in houses]  # type: ignore[arg-type]  # no one asks by HTTP
        for house in houses:
            await house.start(demo=False)
        opening = (house.open_by(f"t{at}{n}", "T", rules) for at, house in enumerate(houses) for n in range(3))
        await asyncio.gather(*opening)
        assert SEED == stores[0].wallets.meter("jackpot")
        seeded = [t for t in stores[0].tables.all() if stores[0].wallets.balances(t.id).get("tray")]
        assert (1, 6) == (len(seeded), len(stores[0].tables.all()))
        shown = [
            room.table.elsewhere.get("jackpot", 0) + room.table.cents(METER)
            for h in houses
            for room in h.rooms.values()
        ]
        assert {SEED} == set(shown)
        assert stores[0].journal.reply(CLIENT, "jackpot") is not None
        for one in inside:
            await one.close()

    one, other = open_store(url := address("postgres")), open_store(url)
    asyncio.run(go((one, other)))


def test_a_backup_keeps_the_meter_and_the_mark_that_it_is_seeded(tmp_path: Path, room: Path) -> None:
    first, second = open_store("memory:"), open_store(f"sqlite:///{tmp_path / 'again.db'}")
    register_table(first, TableRequest(name="t1", rulebook="room.toml", texts=texts_of(room)), at=1, who="Boss")
    first.backups.write(tmp_path / "backup")
    second.backups.restore(tmp_path / "backup")
    assert SEED == second.wallets.meter("jackpot")
    register_table(second, TableRequest(name="t2", rulebook="room.toml", texts=texts_of(room)), at=2, who="Boss")
    assert SEED == second.wallets.meter("jackpot")
    other = {**texts_of(room), "jackpot.toml": SHARED.replace("= 250000", "= 200000")}
    third = TableRequest(name="t3", rulebook="room.toml", texts=other)
    with pytest.raises(InvalidData, match="give the bet another id"):
        register_table(second, third, at=3, who="Boss")
    assert ["t1", "t2"] == [one.id for one in second.tables.all()]
    assert verify.verify(second).good
    second.close()
