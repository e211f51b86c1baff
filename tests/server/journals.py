"""Journals of tables that really played, in any store, and a house that shows them without dealing on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache

import httpx

from letitride.chance.seeded import Seeded
from letitride.engine.decide import open_table, play
from letitride.engine.refusal import Refusal
from letitride.rules import catalog
from letitride.rules.roles import AccountRole
from letitride.rules.table_rules import TableRules
from letitride.server.app import create
from letitride.server.people.names import key_of
from letitride.server.tables.house import House
from letitride.simulation.random_commands import next_command
from letitride.storage.journal import Head
from letitride.storage.memory.opening import memory_stores
from letitride.storage.past import Past
from letitride.storage.roles.journal import Write, Written, prepare
from letitride.storage.roles.stores import Stores

HOUSES = catalog.rulebook_ids()
PASSWORD = "long enough now"  # noqa: S105 - no one's
START_MS = 1_700_000_000_000
STEP_MS = 1_000


def rules_of(house: str) -> TableRules:
    return catalog.ready_rules(house)


def fuzz_into(
    store: Stores, table_id: str, rules: TableRules, turns: int, seed: int = 1, *, since: int = 1, until: int = 0
) -> None:
    """Play random commands at a table of a store, a row a second, and close the table, so that no one deals on.

    Of its rows those `since` one and `until` another are written, where not all are.
    """
    table, opened = open_table(rules)
    chance, rows = Seeded(seed, rules.book.id), [("house", opened)]
    for _ in range(turns):
        command = next_command(table, chance)
        table, outcome = play(table, command)
        if not isinstance(outcome, Refusal):
            rows.append((command.by, outcome))
    moved = (transfer for _, happened in rows for event in happened for transfer in event.chips)
    for name in sorted({one.source for one in moved if one.source.startswith("wallet:")}):
        store.wallets.fund(name.removeprefix("wallet:"), 10**12, "for the fuzz run", at=1, who="cashier")
    if since == 1:
        store.tables.create(table_id, f"Table {table_id}", {"rulebook": rules.book.id})
    head = Head()
    batch: list[Write] = []
    for number, (by, happened) in enumerate(rows):
        at = START_MS + number * STEP_MS
        batch.append(prepare(head, table_id=table_id, at=at, by=by, happened=happened))
        head = Head(batch[-1].number, batch[-1].rows[-1].hash)
    wanted = batch[since - 1 : until or None]
    assert all(isinstance(outcome, Written) for outcome in store.journal.append(wanted))
    store.tables.set_state(table_id, "closed")


@cache
def fuzzed(house: str, turns: int = 1_200, seed: int = 1) -> Stores:
    """A store with one table played at random t1 by a book; made once, and only read."""
    store = memory_stores()
    fuzz_into(store, "t1", rules_of(house), turns, seed)
    return store


def past_of(stores: Stores, table_id: str) -> Past:
    """What was played at a table of these stores."""
    return Past(stores.journal, stores.documents, table_id)


@asynccontextmanager
async def opened(store: Stores) -> AsyncIterator[tuple[House, httpx.AsyncClient]]:
    """A house in this process over a store, and a client without a session."""
    house = House(store, node="test")
    app = create(house, demo=False)
    transport = httpx.ASGITransport(app)
    async with app.router.lifespan_context(app), httpx.AsyncClient(transport=transport, base_url="http://test") as one:
        yield house, one


async def enter(house: House, client: httpx.AsyncClient, name: str, *roles: AccountRole) -> None:
    """Give a client the session of a person with roles; the same one where the store knows them already."""
    if house.stores.documents.get("person", key_of(name)) is None:
        await house.people.register(name, PASSWORD, ("player", *roles))
    answer = await client.post("/api/login", json={"name": name, "password": PASSWORD})
    assert answer.status_code == 200
