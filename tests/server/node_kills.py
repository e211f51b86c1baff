"""Node kills: the servers of one house under load, killed at random moments in mid-round, and what must be so then.

python -m tests.server.node_kills --minutes 10     kill nodes of a house of three for so long
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from letitride.engine import places
from letitride.engine.events import AnyEvent, FacesBound, RoundEnded, RoundVoided, StepDone, TableOpened
from letitride.engine.evolve import evolve, new_table
from letitride.engine.state import Table
from letitride.server.people.accounts import PLAY_CENTS
from letitride.server.tables.stored_shuffles import DEALT, KIND, read
from letitride.storage.codec import decode
from letitride.storage.roles.stores import Stores
from letitride.storage.verify import verify
from tests.server.cluster import Cluster, Node, Traveller, among, cluster, shows_all, until
from tests.server.with_key import open_with_key
from tests.storage.conftest import running_postgres

HOUSES = ("nsw-1", "washington-1", "shufflemaster-1", "hand-dealt-1")
"""The tables at which one guest is enough for a round: the fifth needs someone who banks."""
GOES_ON_SECONDS = 300.0
"""How long a table may stand still after its owner died: a lease, a look, a journal; and a slow machine."""
MIXES = frozenset({"start_shuffle", "mix_deck", "shuffle_deck"})


@dataclass
class Found:
    """The result of so many kills."""

    kills: int = 0
    guests: list[Traveller] = field(default_factory=list)
    rounds: int = 0
    taken_over: int = 0
    """Rounds that began under one owner and ended under another."""
    taken_seconds: list[float] = field(default_factory=list)
    """How long after each kill all tables of the dead had another owner."""
    still_seconds_max: float = 0.0
    """How long a table stood still at most after a kill."""

    @property
    def acknowledged(self) -> set[tuple[str, str]]:
        """Table and id of every command that a guest was told is done."""
        return {(one.table, answer["command"]) for one in self.guests for answer in one.answers if answer["accepted"]}


async def kill_under_load(house: Cluster, chance: random.Random, found: Found, kills: int, end: float) -> None:
    """Kill nodes while guests play at all tables, and start others in their place."""
    if not found.guests:
        found.guests = [Traveller("", table, house=house, chance=chance) for table in HOUSES]

    async def go() -> None:
        await until(lambda: all(len(one.answers) > 1 for one in found.guests), house.told)
        while found.kills < kills and time.monotonic() < end:
            await asyncio.sleep(chance.uniform(0.0, 1.0))  # at any moment of a round
            owners = await asyncio.to_thread(house.owners)
            busy = [node for node in house.living if any(address == node.base for address, _ in owners.values())]
            victim = chance.choice(busy or house.living)
            if any([await asyncio.to_thread(shows_all, node) for node in house.living if node is not victim]):
                there = [one for one in found.guests if owners[one.table][0] == victim.base]
                await until(lambda there=there: not there or any(map(mid_round, there)), house.told)
                await kill_one(house, victim, owners, found)
                await asyncio.to_thread(house.spawn)
        before = {one.table: one.view["round"] for one in found.guests}
        await until(
            lambda: all(one.view["round"] > before[one.table] for one in found.guests),
            lambda: "\n".join(map(stuck, found.guests)) + house.told(),
        )

    await among(found.guests, go())


async def kill_one(house: Cluster, victim: Node, owners: dict[str, tuple[str, int]], found: Found) -> None:
    """Kill a node, and wait until its tables go on."""
    cut = {table: epoch for table, (address, epoch) in owners.items() if address == victim.base}
    await asyncio.to_thread(victim.kill)
    killed = time.monotonic()
    found.kills += 1
    await until(lambda: taken(house, cut), house.told, GOES_ON_SECONDS)
    guests = [one for one in found.guests if one.table in cut]
    await until(lambda: all(one.heard > killed for one in guests), house.told, GOES_ON_SECONDS)
    found.still_seconds_max = max(found.still_seconds_max, time.monotonic() - killed)


def mid_round(guest: Traveller) -> bool:
    """Whether a guest's round was under way when they last saw their table."""
    return guest.view["phase"] in {"choice_1", "choice_2"}


def stuck(guest: Traveller) -> str:
    """Return what a guest was waiting for."""
    seat = guest.view["seats"].get(str(guest.seat))
    return f"{guest.table}: {guest.view['phase']} {guest.view['round']}, {seat}, {guest.waiting}, {guest.answers[-2:]}"


def taken(house: Cluster, cut: dict[str, int]) -> bool:
    """Whether others own all of these tables, under later epochs."""
    owners = house.owners()
    return all(owners[table][0] and owners[table][1] > epoch for table, epoch in cut.items())


def check(house: Cluster, found: Found) -> None:
    """Hold what guests were told against the database alone."""
    store = open_with_key(house.database, house.folder)
    try:
        verdict = verify(store)
        assert verdict.good, verdict
        assert store.wallets.total() == 0
        given = PLAY_CENTS * len(found.guests) + sum(guest.given_cents for guest in found.guests)
        unheard = PLAY_CENTS * sum(guest.unheard for guest in found.guests)
        assert given <= -store.wallets.balances(None)["cage"] <= given + unheard
        for guest in found.guests:
            assert 0 <= store.wallets.balance(guest.name)
        found.rounds = found.taken_over = 0
        for record in store.tables.all():
            rows = list(store.journal.rows(record.id))
            carried = [row.command for row in rows if row.command]
            assert len(carried) == len(set(carried)), "a command was carried out twice"
            lost = {name for table, name in found.acknowledged if table == record.id} - set(carried)
            assert not lost, f"acknowledged and lost: {lost}"
            epochs = [row.epoch for row in rows]
            assert epochs == sorted(epochs)
            _check_cards(store, record.id, found)
    finally:
        store.close()


def _events(store: Stores, table_id: str) -> Iterator[tuple[AnyEvent, int, Table]]:
    """Yield what happened at a table, under which epoch, and the table before it."""
    table: Table | None = None
    for row in store.journal.rows(table_id):
        for event in decode(row.events):
            if table is not None:
                yield event, row.epoch, table
            table = new_table(event) if isinstance(event, TableOpened) else evolve(_there(table), event)


def _there(table: Table | None) -> Table:
    assert table is not None
    return table


def _check_cards(store: Stores, table_id: str, found: Found) -> None:
    """Every deck is one that was committed to, is dealt from its top on, and is not mixed anew while it is dealt."""
    kept = [read(one.body) for one in store.documents.find(KIND, f"{table_id}/")]
    dealt = {one.id for one in store.documents.find(DEALT, f"{table_id}/")}
    assert all(one.state == ("opened" if one.key in dealt else "void") for one in kept if one.ended)
    orders = [tuple(one.proof()["order"]) for one in kept if one.state == "opened"]
    in_use = len(dealt) - len(orders)
    epochs: set[int] = set()
    dealt_from: set[int] = set()
    for event, epoch, table in _events(store, table_id):
        moves = getattr(event, "moves", ())
        if isinstance(event, FacesBound):
            in_use -= event.order not in orders
            assert in_use >= 0, "a deck that nobody committed to"
            orders = [order for order in orders if order != event.order]
        if isinstance(event, StepDone) and event.step.kind in MIXES:
            assert event.step.number not in dealt_from, "a deck was mixed while it was dealt"
        gone = [move.card for move in moves if move.source == places.READY and move.target != places.READY]
        if gone and len(gone) < len(table.at(places.READY)):
            assert gone == list(table.at(places.READY))[: len(gone)], "a card was not dealt from the top"
            dealt_from |= {card.deck for card in gone}
            epochs.add(epoch)
        if isinstance(event, RoundEnded | RoundVoided):
            found.rounds += 1
            found.taken_over += len(epochs | {epoch}) > 1
            epochs, dealt_from = set(), set()


def main() -> None:
    """Kill nodes for as long as asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--kills", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    chance, found = random.Random(asked.seed), Found()
    with (
        tempfile.TemporaryDirectory() as folder,
        running_postgres() as database,
        cluster(Path(folder), database.get_uri()) as house,
    ):
        house.start(3)
        end = time.monotonic() + asked.minutes * 60
        asyncio.run(kill_under_load(house, chance, found, asked.kills, end))
        for node in house.living:
            node.stop()
        check(house, found)
    sys.stdout.write(
        f"{found.kills} nodes killed, {len(found.acknowledged)} acknowledged commands all there, {found.rounds} rounds,"
        f" {found.taken_over} of them ended by another node than began them; no table stood still for more than"
        f" {found.still_seconds_max:.1f} s\n"
    )


if __name__ == "__main__":
    main()
