"""Meters: what the jackpots of a table hold, how they are fed and paid when a round is over; never who wins them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from letitride.engine.state import Table
from letitride.ledger import accounts
from letitride.ledger.transfers import Transfer
from letitride.rules.table_rules import TableRules


class Movement(NamedTuple):
    """What went into and out of one meter."""

    fed_cents: int = 0
    """What stakes added."""
    seeded_cents: int = 0
    """What the house put in, so that the meter begins at its seed."""
    paid_cents: int = 0
    """What hands took of it."""


def seeds(rules: TableRules) -> Iterator[Transfer]:
    """Yield what the house puts into the meters of a table when it opens."""
    for wager in rules.sides:
        if wager.meter is not None and wager.meter.seed_cents:
            yield Transfer(accounts.TRAY, accounts.meter(wager.id), wager.meter.seed_cents)


def held(table: Table) -> dict[str, int]:
    """Return what each meter of a table holds, in cents, by wager."""
    return {wager.id: table.cents(accounts.meter(wager.id)) for wager in table.rules.sides if wager.meter is not None}


def of_round(table: Table) -> dict[str, Movement]:
    """Return what goes into and out of meters when a round is over, by wager.

    Only what was settled feeds a meter or takes of one: what is void never touched it.
    """
    found: dict[str, Movement] = {}
    for wager in table.rules.sides:
        if wager.meter is None:
            continue
        rows = {n: row for n, seat in table.seats.items() for row in seat.results if row.wager == wager.spot}
        settled = {n: row for n, row in rows.items() if row.fate in {"won", "lost"}}
        takes = [take for n, take in table.takes.get(wager.id, {}).items() if n in settled]
        found[wager.id] = Movement(
            fed_cents=sum(wager.meter.contribution(row.stake_cents) for row in settled.values()),
            seeded_cents=wager.meter.seed_cents * sum(all_of_it for _, all_of_it in takes),
            paid_cents=sum(cents for cents, _ in takes),
        )
    return found


def moved(table: Table) -> Iterator[Transfer]:
    """Yield what goes into and out of meters when a round is over.

    Players are paid from the tray. Where all of it was taken, what the round feeds comes on top of the new seed.
    """
    for wager, movement in of_round(table).items():
        account = accounts.meter(wager)
        for source, target, cents in (
            (accounts.TRAY, account, movement.seeded_cents),
            (accounts.TRAY, account, movement.fed_cents),
            (account, accounts.TRAY, movement.paid_cents),
        ):
            if cents:
                yield Transfer(source, target, cents)
