"""Meters: what the jackpots of a table hold, how they are fed and paid when a round is over; never who wins them.

A table's own meter is one of its accounts. A meter that tables share is an account of the house: a table knows it by
the readings that its dealer was given. What a round takes of it is set aside when the round is read, so that no other
table can take it as well, and goes to the tray when the round is over, or back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from letitride.engine import events
from letitride.engine.state import Table
from letitride.ledger import accounts
from letitride.ledger.transfers import Transfer
from letitride.rules.settlement import Takes
from letitride.rules.table_rules import TableRules


class Movement(NamedTuple):
    """What went into and out of one meter."""

    fed_cents: int = 0
    """What stakes added."""
    seeded_cents: int = 0
    """What the house put in, so that the meter begins at its seed."""
    paid_cents: int = 0
    """What hands took of it."""


def shared(rules: TableRules) -> tuple[str, ...]:
    """Return the wagers whose meters all tables of the house have together."""
    return tuple(wager.id for wager in rules.sides if wager.meter is not None and wager.meter.shared)


def seeds(rules: TableRules, seeded: Collection[str] = ()) -> Iterator[Transfer]:
    """Yield what the house puts into the meters of a table when it opens, but for those of wagers that are `seeded`."""
    for wager in rules.sides:
        if wager.meter is not None and wager.meter.seed_cents and wager.id not in seeded:
            account = accounts.shared_meter if wager.meter.shared else accounts.meter
            yield Transfer(accounts.TRAY, account(wager.id), wager.meter.seed_cents)


def held(table: Table) -> dict[str, int]:
    """Return what each meter of a table holds, in cents, by wager: of a shared one, what the table knows of it.

    What a round has set aside counts until it is over: before all hands are open, no view tells that one takes of it.
    """
    found: dict[str, int] = {}
    for wager in table.rules.sides:
        if wager.meter is not None:
            ours = (accounts.shared_meter, accounts.taken) if wager.meter.shared else (accounts.meter,)
            found[wager.id] = table.elsewhere.get(wager.id, 0) + sum(table.cents(name(wager.id)) for name in ours)
    return found


def to_read(table: Table) -> tuple[str, ...]:
    """Return the wagers whose shared meters are to be read before the round is."""
    bet = {spot for number in table.dealt_in for spot in table.seats[number].wagers}
    return () if table.meters_read else tuple(w for w in shared(table.rules) if table.rules.wagers[w].spot in bet)


def is_reading(table: Table, readings: Mapping[str, int]) -> bool:
    """Whether these are readings of just the meters that are to be read."""
    return set(readings) == set(to_read(table)) and min(readings.values(), default=0) >= 0


def as_known(table: Table) -> dict[str, int]:
    """Return the meters that are to be read as the table knows them: what they hold where no other table has a part."""
    known = held(table)
    return {wager: known[wager] for wager in to_read(table)}


def relied_on(happened: Iterable[events.AnyEvent]) -> dict[str, int]:
    """Return what accounts outside the table must still hold for events to be true, in cents: what was taken of."""
    found: dict[str, int] = {}
    readings: Mapping[str, int] = {}
    for event in happened:
        if isinstance(event, events.MetersRead):
            readings = event.readings
        elif isinstance(event, events.MetersTaken):
            found |= {accounts.shared_meter(wager): readings[wager] for wager in event.takes if wager in readings}
    return found


def set_aside(table: Table, takes: Takes) -> Iterator[Transfer]:
    """Yield what leaves shared meters when the round is read: what hands take, less the seed that they begin again at.

    Where that is more than was taken, the house adds it when the round is over.
    """
    for wager in shared(table.rules):
        if (cents := _net(table, wager, takes.get(wager, {}).values())) > 0:
            yield Transfer(accounts.shared_meter(wager), accounts.taken(wager), cents)


def given_back(table: Table) -> Iterator[Transfer]:
    """Yield what is returned to shared meters from a round that is void."""
    for wager in shared(table.rules):
        if cents := table.cents(accounts.taken(wager)):
            yield Transfer(accounts.taken(wager), accounts.shared_meter(wager), cents)


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
        seeded, paid = wager.meter.seed_cents * sum(all_of_it for _, all_of_it in takes), sum(c for c, _ in takes)
        if wager.meter.shared:  # no more leaves it than was set aside; what a void hand leaves open is the house's
            paid = min(paid, seeded + table.cents(accounts.taken(wager.id)))
        fed = sum(wager.meter.contribution(row.stake_cents) for row in settled.values())
        found[wager.id] = Movement(fed, seeded, paid)
    return found


def moved(table: Table) -> Iterator[Transfer]:
    """Yield what goes into and out of meters when a round is over.

    Players are paid from the tray. Where all of it was taken, what the round feeds comes on top of the new seed.
    """
    for wager, (fed, seeded, paid) in of_round(table).items():
        if wager not in shared(table.rules):
            account = accounts.meter(wager)
            ways = ((accounts.TRAY, account, seeded), (accounts.TRAY, account, fed), (account, accounts.TRAY, paid))
        else:
            meter, aside = accounts.shared_meter(wager), accounts.taken(wager)
            kept = max(paid - seeded, 0)
            ways = (
                (aside, accounts.TRAY, kept),
                (aside, meter, table.cents(aside) - kept),
                (accounts.TRAY, meter, max(seeded - paid, 0) + fed),
            )
        yield from (Transfer(source, target, cents) for source, target, cents in ways if cents)


def _net(table: Table, wager: str, takes: Iterable[tuple[int, bool]]) -> int:
    meter = table.rules.wagers[wager].meter
    seed = meter.seed_cents if meter is not None else 0
    return sum(cents - seed * all_of_it for cents, all_of_it in takes)
