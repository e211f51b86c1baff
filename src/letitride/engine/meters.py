"""Meters: what the jackpots of a table hold, how they are fed and paid when a round is over; never who wins them."""

from __future__ import annotations

from collections.abc import Iterator

from letitride.engine.state import Table
from letitride.ledger import accounts
from letitride.ledger.transfers import Transfer
from letitride.rules.table_rules import TableRules


def seeds(rules: TableRules) -> Iterator[Transfer]:
    """Yield what the house puts into the meters of a table when it opens."""
    for wager in rules.sides:
        if wager.meter is not None and wager.meter.seed_cents:
            yield Transfer(accounts.TRAY, accounts.meter(wager.id), wager.meter.seed_cents)


def held(table: Table) -> dict[str, int]:
    """Return what each meter of a table holds, in cents, by wager."""
    return {wager.id: table.cents(accounts.meter(wager.id)) for wager in table.rules.sides if wager.meter is not None}


def moved(table: Table) -> Iterator[Transfer]:
    """Yield what goes into and out of meters when a round is over.

    Players are paid from the tray, and only a round that was settled feeds a meter or takes of one: what is void never
    touched it. Where all of it was taken, what the round feeds comes on top of the new seed.
    """
    for wager in table.rules.sides:
        if wager.meter is None:
            continue
        account = accounts.meter(wager.id)
        rows = {n: row for n, seat in table.seats.items() for row in seat.results if row.wager == wager.spot}
        settled = {n: row for n, row in rows.items() if row.fate in {"won", "lost"}}
        takes = [take for n, take in table.takes.get(wager.id, {}).items() if n in settled]
        if seed := wager.meter.seed_cents * sum(all_of_it for _, all_of_it in takes):
            yield Transfer(accounts.TRAY, account, seed)
        if fed := sum(wager.meter.contribution(row.stake_cents) for row in settled.values()):
            yield Transfer(accounts.TRAY, account, fed)
        if taken := sum(cents for cents, _ in takes):
            yield Transfer(account, accounts.TRAY, taken)
