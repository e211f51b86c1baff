"""Trays: the slips of every table's chip tray, kept as they were written; it moves no money and corrects no count.

A tray is a document with a version. Who writes a slip says which version they saw, and a count says at which row of the
table's journal it began: where another slip was written since, or chips moved in or out of the tray, it is refused. So
two people cannot count at once, and no slip is lost, whichever servers they ask.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

import msgspec

from letitride.errors import InvalidData, MissingData
from letitride.ledger.accounts import Kind, parse
from letitride.ledger.chips import Rack, rack
from letitride.ledger.tray import (
    CARRIED,
    COUNTS,
    NAMES,
    Flow,
    Result,
    Slip,
    SlipKind,
    Tray,
    check_next,
    expected_cents,
    result,
    slip_cents,
)
from letitride.rules.money import dollars
from letitride.server.people.accounts import Person
from letitride.server.people.approval_records import Approval, Wish
from letitride.server.runtime.requests import NotNow
from letitride.server.tables.house import House
from letitride.storage.roles.documents import Document
from letitride.storage.roles.stores import Stores
from letitride.storage.roles.texts import check_texts

KIND: Final = "tray"
RACKS: Final = "tray-rack"
EMPTY_TABLE: Final[frozenset[SlipKind]] = frozenset({"opener", "closer"})
"""Slips between rounds: chips on the felt are the players' until the round says whose."""


class SlipWish(msgspec.Struct, frozen=True, kw_only=True):
    """A slip as a person wants to write it, and what they saw when they began."""

    kind: SlipKind
    tray: int
    """The number of the table's last tray; 0: there was none."""
    version: int
    """Of that tray."""
    row: int
    """The last row of the table's journal then."""
    chips: dict[int, int]
    out: dict[int, int] = {}
    box_cents: int | None = None
    """What was in the drop box; with a drop count alone."""
    asked_by: str = ""
    brought_by: str = ""
    received_by: str = ""
    counted_by: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True)
class Kept:
    """A tray as the store has it."""

    tray: Tray
    version: int


@dataclass(frozen=True, slots=True)
class Standing:
    """A table's last tray as it stands now, beside the ledger."""

    table: str
    rack: Rack
    kept: Kept | None
    row: int
    expected_cents: int | None
    """What should lie in it now; nothing where no tray is open."""
    result: Result | None
    """At the last count of the whole."""


def trays_of(stores: Stores, table_id: str, last: int | None = None) -> list[Kept]:
    """Return a table's trays, the last ones last."""
    return [_read(one) for one in stores.documents.find(KIND, f"{table_id}/", last=last)]


def flow_between(stores: Stores, table_id: str, after: int, through: int) -> Flow:
    """Return what rows of a table moved past its tray."""
    found = stores.wallets.transfers(table_id, after)
    return Flow().add(one for one in found if one.number <= through)


def result_of(stores: Stores, tray: Tray) -> Result:
    """Return the result of a tray at its last count of the whole."""
    return result(tray, flow_between(stores, tray.table, tray.opener.row, tray.counted.row))


def standing(stores: Stores, table_id: str, usual: Rack) -> Standing:
    """Return how a table's last tray stands."""
    row = stores.journal.last(table_id).number
    kept = next(iter(trays_of(stores, table_id, last=1)), None)
    now = None
    if kept is not None and kept.tray.closer is None:
        now = expected_cents(kept.tray, flow_between(stores, table_id, kept.tray.opener.row, row))
    return Standing(
        table=table_id,
        rack=_rack(stores, table_id, kept, usual),
        kept=kept,
        row=row,
        expected_cents=now,
        result=None if kept is None else result_of(stores, kept.tray),
    )


class Trays:
    """The trays of a house."""

    def __init__(self, house: House) -> None:
        self._house = house

    async def standing(self, table_id: str) -> Standing:
        """Return how a table's last tray stands."""
        return await asyncio.to_thread(standing, self._house.stores, table_id, self._house.rack)

    async def find(self, table_id: str, number: int) -> Tray:
        """Return a tray of a table."""
        documents = self._house.stores.documents
        kept = await asyncio.to_thread(documents.get, KIND, _id(table_id, number))
        if kept is None:
            raise MissingData(f"expected a tray of this table, got {number}")
        return _read(kept).tray

    async def set_rack(self, table_id: str, denominations: list[int], person: Person) -> Rack:
        """Set the denominations of a table's trays from its next opener on."""
        wanted, house = rack(denominations), self._house
        stores = house.stores

        def put() -> None:
            stores.tables.get(table_id)  # refuses one that is not there
            told = ", ".join(map(dollars, wanted))
            stores.audit.add(house.clock_ms(), person.name, f"tray.rack {table_id}", told)
            body = msgspec.json.encode(wanted)
            while True:
                kept = stores.documents.get(RACKS, table_id)
                if stores.documents.put(RACKS, table_id, body, kept.version if kept else 0) is not None:
                    return

        await house.committer.run(put)
        return wanted

    async def write(self, table_id: str, wish: SlipWish, person: Person) -> Slip:
        """Write a slip, or say in a sentence why it is not to be written; a large fill waits for a second person."""
        check_texts(wish.asked_by, wish.brought_by, wish.received_by, wish.counted_by, wish.why)
        _check_names(wish, person.name)
        if wish.kind in {"fill", "credit"}:
            _, cents, _ = await asyncio.to_thread(self._judged, table_id, wish)  # or no one is asked
            name = (await asyncio.to_thread(self._house.stores.tables.get, table_id)).name
            asked = Wish(
                act="fill" if wish.kind == "fill" else "credit",
                cents=cents,
                about=f"{wish.kind} of {dollars(cents)} at {name or table_id}",
                why=wish.why or f"requested by {wish.asked_by}",
                reference=f"{wish.tray}/{wish.version}/{wish.kind}/{cents}",
                body=msgspec.json.encode(wish),
                table=table_id,
            )
            await self._house.approvals.clear(person, asked)
        return await self._house.committer.run(lambda: self._write(table_id, wish, person.name))

    async def carry_out(self, approval: Approval) -> None:
        """Write the fill or credit that a second person has approved, once, to the tray as it is by then."""
        wish = msgspec.json.decode(approval.wish, type=SlipWish)

        def write() -> None:
            last = trays_of(self._house.stores, approval.table, last=2)
            if any(slip.approval == approval.id for kept in last for slip in kept.tray.slips):
                return
            now = last[-1]  # it has an opener, or it could not have been asked for
            rebased = msgspec.structs.replace(wish, tray=now.tray.number, version=now.version)
            self._write(approval.table, rebased, approval.asked_by, approval)

        await self._house.committer.run(write)

    def _judged(self, table_id: str, wish: SlipWish) -> tuple[Kept | None, int, int]:
        """Return the last tray, the amount of a slip and the journal's last row; refuse what cannot be."""
        stores = self._house.stores
        record = stores.tables.get(table_id)
        kept = next(iter(trays_of(stores, table_id, last=1)), None)
        if record.state == "closed" and wish.kind not in {"closer", "drop"}:
            raise NotNow(f"expected an open table for a {NAMES[wish.kind]}, got '{record.name}', which is closed")
        seen = (kept.tray.number, kept.version) if kept is not None else (0, 0)
        if (wish.tray, wish.version) != seen:
            raise NotNow(_stale(wish, kept))
        check_next(None if kept is None else kept.tray, wish.kind)
        held = _rack(stores, table_id, kept if wish.kind != "opener" else None, self._house.rack)
        cents = slip_cents(wish.kind, held, wish.chips, wish.out, wish.box_cents)
        row = stores.journal.last(table_id).number
        if wish.kind in COUNTS:
            self._check_still(table_id, wish, row)
        if wish.kind in {"credit", "colour_up"} and kept is not None:
            lies = expected_cents(kept.tray, flow_between(stores, table_id, kept.tray.opener.row, row))
            if wish.kind == "credit" and cents > lies:
                raise InvalidData(
                    f"expected a credit of at most {dollars(max(lies, 0))}, which should lie in the tray, got"
                    f" {dollars(cents)}"
                )
        return kept, cents, row

    def _check_still(self, table_id: str, wish: SlipWish, row: int) -> None:
        """Refuse a count during which chips moved; an opener and a closer also where bets are on the felt."""
        stores = self._house.stores
        moved = flow_between(stores, table_id, wish.row, row)
        if wish.row > row or moved.drop_cents or moved.result_cents:
            raise NotNow(
                f"expected a count of the tray as it is, got one begun at row {wish.row}: by row {row} chips have moved"
                " in or out of it, so count again"
            )
        held = stores.wallets.balances(table_id)
        on_felt = sum(cents for name, cents in held.items() if parse(name).kind is Kind.FELT)
        if wish.kind in EMPTY_TABLE and on_felt:
            raise NotNow(
                f"expected a table without bets for the {NAMES[wish.kind]}, got one with {dollars(on_felt)} on the"
                " felt: count when the round is over"
            )

    def _write(self, table_id: str, wish: SlipWish, person: str, approval: Approval | None = None) -> Slip:
        house = self._house
        stores, at = house.stores, house.clock_ms()
        kept, cents, row = self._judged(table_id, wish)
        slip = Slip(
            number=1 if kept is None else kept.tray.next_slip,
            kind=wish.kind,
            at_ms=at,
            row=row,
            chips={one: held for one, held in sorted(wish.chips.items(), reverse=True) if held},
            out={one: held for one, held in sorted(wish.out.items(), reverse=True) if held},
            cents=cents,
            entered_by=person,
            asked_by=wish.asked_by,
            brought_by=wish.brought_by,
            received_by=wish.received_by,
            counted_by=wish.counted_by,
            approved_by=approval.decided_by if approval is not None else "",
            approval=approval.id if approval is not None else "",
            why=wish.why,
        )
        if kept is None or wish.kind == "opener":
            number, version = (kept.tray.number if kept else 0) + 1, 0
            tray = Tray(table=table_id, number=number, rack=_rack(stores, table_id, None, house.rack), slips=(slip,))
        else:
            version = kept.version
            tray = msgspec.structs.replace(kept.tray, slips=(*kept.tray.slips, slip))
        # Before the act: nothing is done that is not on record.
        stores.audit.add(at, person, f"tray.{wish.kind} {table_id}", _on_record(slip))
        if stores.documents.put(KIND, _id(table_id, tray.number), msgspec.json.encode(tray), version) is None:
            stores.audit.add(at, "house", f"tray.not_written {table_id}", f"slip {slip.number} was written by another")
            raise NotNow(_stale(wish, next(iter(trays_of(stores, table_id, last=1)), None)))
        return slip


def _check_names(wish: SlipWish, person: str) -> None:
    """Refuse a slip on which those are missing, or are one, who have to be two."""
    name = NAMES[wish.kind]
    if wish.kind in CARRIED:
        for what, who in (("asked for", wish.asked_by), ("brought", wish.brought_by), ("received", wish.received_by)):
            if not who:
                raise InvalidData(f"expected the name of the person who {what} the chips of a {name}, got none")
        if wish.brought_by == wish.received_by:
            raise InvalidData(f"expected two people to bring and receive a {name}, got {wish.brought_by} for both")
    if wish.kind in COUNTS | {"drop"}:
        if not wish.counted_by:
            raise InvalidData(f"expected the name of the second person at the {name}, got none")
        if wish.counted_by == person:
            raise InvalidData(f"expected a second person at the {name}, got {person}, who enters it")


def _on_record(slip: Slip) -> str:
    names = (
        ("asked by", slip.asked_by),
        ("brought by", slip.brought_by),
        ("received by", slip.received_by),
        ("counted with", slip.counted_by),
        ("approved by", slip.approved_by),
    )
    said = [f"slip {slip.number}: {dollars(slip.cents)}", *(f"{word} {who}" for word, who in names if who)]
    return "; ".join([*said, slip.why] if slip.why else said)


def _stale(wish: SlipWish, kept: Kept | None) -> str:
    if kept is None:
        return f"expected the tray as it is, none yet, got tray {wish.tray}: look at it again"
    last = kept.tray.slips[-1]
    return (
        f"expected the tray as it is, tray {kept.tray.number} with slip {last.number} ({NAMES[last.kind]} by"
        f" {last.entered_by}), got an older one: look at it again"
    )


def _rack(stores: Stores, table_id: str, kept: Kept | None, usual: Rack) -> Rack:
    """Return the denominations in force: an open tray's own, the table's, or the house's."""
    if kept is not None and kept.tray.closer is None:
        return kept.tray.rack
    stated = stores.documents.get(RACKS, table_id)
    return msgspec.json.decode(stated.body, type=Rack) if stated is not None else usual


def _id(table_id: str, number: int) -> str:
    return f"{table_id}/{number:06}"


def _read(kept: Document) -> Kept:
    return Kept(msgspec.json.decode(kept.body, type=Tray), kept.version)
