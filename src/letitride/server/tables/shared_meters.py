"""Shared meters: the jackpots that tables of a house have together: who seeds them, what they hold; never who wins.

The store keeps them, since tables of several servers may have a part. A meter begins with the first table that offers
its bet: its seed is written with a mark that the store takes once. Terms are those of that table's file: a table whose
file says otherwise is not opened.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import msgspec

from letitride.engine import meters
from letitride.engine.decide import Events, open_table
from letitride.engine.events import AnyEvent
from letitride.engine.state import Table
from letitride.errors import InvalidData, LetItRideError
from letitride.ledger.accounts import Kind
from letitride.rules.money import dollars
from letitride.rules.table_rules import TableRules
from letitride.rules.wagers import Wager
from letitride.server.tables.room import Room
from letitride.storage.roles.journal import Ack, JournalStore
from letitride.storage.roles.wallets import WalletStore

CLIENT: Final = "shared-meter"
"""Under this name the marks of meters that were seeded are kept; no client of a table has such a name."""
_SHARED: Final = (f"{Kind.SHARED_METER}:", f"{Kind.TAKEN}:")


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What all tables that share a meter must have alike, as the mark of its seed keeps it."""

    digest: str
    """Of the bet, as its file has it."""
    seed_cents: int


def new_table_events(
    journal: JournalStore, wallets: WalletStore, rules: TableRules
) -> tuple[Table, Events, Sequence[Ack]]:
    """Return a new table with what opened it, and the marks of the meters that it is the first to have.

    Where another table is the first meanwhile, the store refuses the marks: then it is to be opened anew.
    """
    readings: dict[str, int] = {}
    marks: list[Ack] = []
    for name in meters.shared(rules):
        wager = rules.wagers[name]
        kept = journal.reply(CLIENT, name)
        if kept is None:
            marks.append(Ack(CLIENT, name, msgspec.json.encode(_terms(wager))))
        else:
            _refuse_others(wager, msgspec.json.decode(kept, type=Terms))
            readings[name] = wallets.meter(name)
    return *open_table(rules, readings), marks


def _terms(wager: Wager) -> Terms:
    return Terms(digest=wager.digest, seed_cents=wager.meter.seed_cents if wager.meter is not None else 0)


def _refuse_others(wager: Wager, kept: Terms) -> None:
    ours = _terms(wager)
    if ours == kept:
        return
    what = "with other terms"
    if ours.seed_cents != kept.seed_cents:
        what = f"with a seed of {dollars(ours.seed_cents)}"
    raise InvalidData(
        f"{wager.id}: expected the bet as the house has its shared meter, with a seed of {dollars(kept.seed_cents)}, "
        f"got a file {what}: give the bet another id"
    )


class SharedMeters:
    """What the shared meters of a house hold, as its tables show it: read when one changes, and every second."""

    def __init__(self, wallets: WalletStore, rooms: Callable[[], Mapping[str, Room]]) -> None:
        self._wallets, self._rooms = wallets, rooms
        self._shown: dict[str, int] = {}
        self._reading: asyncio.Task[None] | None = None
        self._again = False

    def of(self, table: Table) -> dict[str, int]:
        """Return what the meters of a table hold, as it is shown."""
        known = meters.held(table)
        return known | {name: self._shown[name] for name in meters.shared(table.rules) if name in self._shown}

    def refresh_after(self, happened: Sequence[AnyEvent]) -> None:
        """Look at the meters again, where events have moved money of one."""
        if any(
            one.startswith(_SHARED) for event in happened for way in event.chips for one in (way.source, way.target)
        ):
            self.refresh()

    def refresh(self) -> None:
        """Look at all shared meters soon; no table waits for it."""
        if self._reading is not None and not self._reading.done():
            self._again = True
        elif self._names():
            self._reading = asyncio.create_task(self._read(), name="shared meters")

    async def close(self) -> None:
        """Stop looking."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)

    async def _read(self) -> None:
        self._again = True
        while self._again:
            self._again = False
            names = self._names()
            try:
                found = await asyncio.to_thread(lambda: {name: self._wallets.meter_shown(name) for name in names})  # noqa: B023 - awaited here
            except LetItRideError:  # the store is away: what was read last is shown until it is back
                return
            changed = {name for name, cents in found.items() if self._shown.get(name) != cents}
            self._shown |= found
            for room in self._rooms().values():
                if changed & {*meters.shared(room.table.rules)}:
                    room.post_meters({name: self._shown[name] for name in meters.shared(room.table.rules)})

    def _names(self) -> frozenset[str]:
        return frozenset(_every(room.table for room in self._rooms().values()))


def _every(tables: Iterable[Table]) -> Iterable[str]:
    for table in tables:
        yield from meters.shared(table.rules)
