"""Writes for the tests of stores, and tables that really played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from letitride.chance.seeded import Seeded
from letitride.engine.decide import Events, open_table, play
from letitride.engine.events import AdviceGiven, AnyEvent
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.ledger.transfers import Transfer
from letitride.rules.table_rules import TableRules
from letitride.simulation.random_commands import next_command
from letitride.storage.journal import Head, Row, seal
from letitride.storage.roles.journal import Ack, Write, Written, prepare
from letitride.storage.roles.stores import Stores

BAD_TEXTS = ("a\0b", "\ud800")
"""Texts that no database keeps as they are."""


def said(words: str) -> AnyEvent:
    """An event that moves nothing."""
    return AdviceGiven(seat=1, by="dealer", words=words)


def row(head: Head, table_id: str = "t1", words: str = "hello", epoch: int = 0) -> Row:
    return seal(head, table_id=table_id, at=1_000 + head.number, by="dealer", happened=[said(words)], epoch=epoch)


def write(
    head: Head,
    table_id: str = "t1",
    *,
    epoch: int = 0,
    transfers: Sequence[Transfer] = (),
    acks: Sequence[Ack] = (),
    words: str = "hello",
) -> Write:
    """A write of one row."""
    return Write(
        table_id=table_id,
        epoch=epoch,
        number=head.number + 1,
        rows=[row(head, table_id, words, epoch)],
        transfers=transfers,
        acks=acks,
    )


def is_written(outcome: object) -> bool:
    return isinstance(outcome, Written)


def random_steps(rules: TableRules, turns: int, seed: int) -> Iterator[tuple[Table, Events]]:
    """Yield what the opening and each accepted command of a fuzz run gave."""
    table, opened = open_table(rules)
    yield table, opened
    chance = Seeded(seed, rules.book.id)
    for _ in range(turns):
        table, outcome = play(table, next_command(table, chance))
        if not isinstance(outcome, Refusal):
            yield table, outcome


def _append(store: Stores, batch: Sequence[Write]) -> None:
    refused = [outcome for outcome in store.journal.append(batch) if not is_written(outcome)]
    assert not refused, refused


def play_into(store: Stores, table_id: str, rules: TableRules, turns: int, seed: int = 1) -> Table:
    """Play random commands at a table of a store, in batches of some rows, its players rich enough."""
    store.tables.create(table_id, f"Table {table_id}", {"book": rules.book.id})
    head, batch = Head(), []
    played = list(random_steps(rules, turns, seed))
    for name in sorted({transfer.source for _, happened in played for event in happened for transfer in event.chips}):
        if name.startswith("wallet:"):
            store.wallets.fund(name.removeprefix("wallet:"), 10**12, "for the fuzz run", at=1, who="cashier")
    for _, happened in played:
        batch.append(prepare(head, table_id=table_id, at=1_000, by="dealer", happened=happened))
        head = Head(batch[-1].number, batch[-1].rows[-1].hash)
        if len(batch) == 50:
            _append(store, batch)
            batch = []
    _append(store, batch)
    return played[-1][0]
