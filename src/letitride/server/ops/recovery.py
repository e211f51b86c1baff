"""Recovery: how the floor resumes a halted table: as its journal has it, or with its round void."""

from __future__ import annotations

import asyncio
from typing import Final, Literal

import msgspec

from letitride.autoplay.steps import plain
from letitride.engine import commands, faults
from letitride.engine.steps import KINDS
from letitride.errors import InvariantBroken
from letitride.rules.money import dollars
from letitride.server.people.approval_records import Wish
from letitride.server.runtime.requests import NotNow
from letitride.server.tables.door import CLOSING, is_over, take_back
from letitride.server.tables.house import House
from letitride.server.tables.money_orders import stakes
from letitride.server.tables.room import Room
from letitride.storage import journal
from letitride.storage.past import Past
from letitride.storage.roles.archives import archives_of

STEPS_MAX: Final = 1_000
"""More steps no void round takes: then something is wrong with the script."""

How = Literal["resume", "void"]


async def recover(house: House, table_id: str, how: How, *, who: str, why: str) -> Room:
    """Rebuild a halted table from its journal and let it go on, with its round void if so wished.

    Sent again after a round was made void, it makes nothing else void: the table goes on already.
    """
    async with house.recovering:
        return await _recover(house, table_id, how, who=who, why=why)


async def _recover(house: House, table_id: str, how: How, *, who: str, why: str) -> Room:
    record = await asyncio.to_thread(house.stores.tables.get, table_id)
    old = house.rooms.get(table_id)
    if old is not None and old.host.lost:
        await house.room_here(table_id)
    if record.state != "halted" and not (old is not None and old.host.halted):
        raise NotNow(f"expected a table that is halted, got one that is {record.state}")
    bad = await asyncio.to_thread(lambda: _check(house, table_id))
    if bad is not None:
        raise NotNow(f"expected a journal that is whole, got a bad row {bad.number}: {bad.reason}")
    if old is not None:
        await old.close()
    room = await house.take_halted(record)
    try:
        if how == "void":
            await void_round(room)
        reason = record.reason if room.door.state == "closing" else ""  # a table that was to close still is
        await room.keep_state("open", reason, who=who, what=f"table.{how}", why=why)
    except BaseException:
        reason = record.reason.removeprefix(CLOSING) or "it could not be recovered"
        await room.host.halt(reason)
        if not room.host.halted:  # while the store is away no turn is taken: it must not go on without a dealer after
            room.host.halted = reason
            await room.close()
            room.host.wake()
        raise
    room.start()
    return room


async def void_wish(house: House, table_id: str, why: str) -> Wish:
    """Return what it is to void the round of a halted table."""
    room = house.rooms.get(table_id)
    past = Past(house.stores.journal, house.stores.documents, table_id)
    table = room.table if room is not None else (await asyncio.to_thread(past.present))[0]
    cents = stakes(table)
    return Wish(
        act="void",
        cents=cents,
        about=f"void round {table.round} of a halted table with {dollars(cents)} on the felt",
        why=why,
        reference=f"void {table_id} round {table.round}",
        body=msgspec.json.encode(table.round),
        table=table_id,
    )


def _check(house: House, table_id: str) -> journal.Bad | None:
    archived = [(one.first, one.last) for one in archives_of(house.stores.documents, table_id)]
    kept = house.stores.journal
    return journal.check(kept.rows(table_id), table_id, kept.last(table_id), archived)


async def void_round(room: Room) -> None:
    """Void the round in play, by the engine's own order, and carry out what follows: every stake is returned.

    The order has an id that follows from the round, so that it is given once at most.
    """
    for _ in range(STEPS_MAX):
        table, step = room.table, room.table.next_step
        if (table.phase == "ruling" or faults.is_mending(table)) and step is not None:
            if KINDS[step.kind].actor == "player":
                raise InvariantBroken("a ruling that is carried out waits for no player")
            answer = await room.do("house", "", plain(step))
        elif table.phase in faults.ROUND:
            annul = commands.Order(by="operator", kind="annul", ground="disturbance", why="the table was interrupted")
            answer = await room.submit(f"{room.record.id}/house", f"void round {table.round} at {table.version}", annul)
        elif not is_over(table):
            back = take_back(table)
            if back is None:
                break
            answer = await room.submit("house", "", back)
        else:
            break
        if not answer.accepted:
            raise NotNow(f"expected a round that can be voided, got a refusal: {answer.sentence}")
    await room.open_decks()
