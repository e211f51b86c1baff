"""Bots: the house's own players at a live table: when they sit down and act; how they play is in autoplay."""

from __future__ import annotations

import asyncio
import logging
import os
from contextlib import suppress
from functools import partial
from typing import Final

from msgspec.json import Decoder, decode, encode

from letitride.analysis.strategy import Strategy, best_strategy
from letitride.autoplay.bots import BUY_CENTS, next_act
from letitride.chance.shares import Reveal, ShuffleId, link_of, pledge
from letitride.engine import commands
from letitride.engine.state import Table
from letitride.engine.view import view
from letitride.errors import InvalidData, LetItRideError, StoreDown
from letitride.rules.wager_table import BASE
from letitride.server.people.accounts import Person
from letitride.server.people.names import key_of
from letitride.server.runtime.pace import SHARES
from letitride.server.runtime.requests import TableHalted
from letitride.server.tables.door import Door
from letitride.server.tables.live_table import LiveTable
from letitride.server.tables.messages import CommitmentSent, Outgoing, PledgesSent
from letitride.server.tables.outbox import Outbox

BANKER_CENTS: Final = 100_000
"""Of one who may bank: a bank that covers little is no fun to bet against."""
NONCES_MAX: Final = 64
"""Nonces that are kept: more than two decks at seven seats take."""
FUND_CENTS: Final = 100_000
"""What a bot whose wallet is empty gets: chips of no value, like a guest's."""

BOTS_MAX: Final = 5
"""Up to how many bots people at a table may ask for."""
NAMED: Final = "Bot "
"""How the names of bots begin."""

log = logging.getLogger(__name__)
_read: Final = Decoder(Outgoing).decode
_strategies: dict[tuple[str, str], Strategy] = {}


class Bots:
    """The bots of one table. They sit down and bet only while a person is there to see it, and get up for people."""

    def __init__(self, room: LiveTable, door: Door, least: int, usual: int) -> None:
        self._room, self._door, self._least, self._usual = room, door, least, usual
        self.wanted = usual
        """How many there are to be: what the people at the table asked for, until the last of them has left."""
        self._names: list[str] = []
        self._inbox = Outbox()
        self._nonces: dict[tuple[int, int, int], bytes] = {}
        """By round, shuffle and seat."""

    def change(self, by: int) -> None:
        """Have some bots more or fewer, within what the house wants here and what people may ask for."""
        most = max(self.wanted, bots_max(self._room))
        self.wanted = max(self._least, min(self.wanted + by, most))
        self._room.wake_viewers()

    def dismiss(self) -> None:
        """Have none from now on."""
        self._least = self._usual = self.wanted = 0

    async def run(self) -> None:
        """Play until the table is halted or closed."""
        room = self._room
        room.watchers.add(self._inbox)
        for announced in room.shuffles.announced:  # by a server before this one
            self._inbox.put(encode(announced))
        try:
            while not room.host.halted:
                try:
                    await self._turn()
                except TableHalted:
                    return
                except StoreDown:
                    await asyncio.sleep(room.house.pace.retry)
                except LetItRideError:
                    await room.host.changed.wait()  # the table moved on meanwhile
                except Exception:  # a bot that fails keeps no one from playing
                    log.exception("the bots of %s failed", room.record.id)
                    await asyncio.sleep(room.house.pace.retry)
        finally:
            room.watchers.discard(self._inbox)

    async def _turn(self) -> None:
        room = self._room
        if self.wanted != self._usual and not people_at(room):
            self.wanted = self._usual
            room.announce()
        if len(self._names) < (needed := self._needed()):
            self._names = await self._named(needed)
            room.bot_names.update(self._names)
        strategy = await _strategy(room.table)
        await self._share()
        acted = False
        for name in self._names:
            acted = await self._play(name, strategy) or acted
        if acted:
            await asyncio.sleep(room.house.pace.step * SHARES[room.pace])
        else:
            await self._inbox.wait_for_message()

    async def _play(self, name: str, strategy: Strategy) -> bool:
        """Let a bot do one thing; whether it did."""
        room = self._room
        seat = room.seat_of(name)
        wanted = self._names.index(name) < self.wanted
        if not seat:
            return wanted and await self._sit(name)
        stays = wanted and not self._gets_up_for_a_person(seat)
        if not stays and await room.get_up(name):
            return True
        command = next_act(view(room.table, f"seat:{seat}"), seat, strategy, bets=stays and room.visitors > 0)
        if command is None:
            return False
        answer = await room.submit("bots", "", command)
        if answer.code == "not_enough_money":
            await self._fund(name)
            return True
        return answer.accepted

    def _gets_up_for_a_person(self, seat: int) -> bool:
        """Whether a bot is the one to leave a full table: one seat is always free for another person."""
        seats = self._room.table.seats
        last = max(number for number, one in seats.items() if one.player in self._room.bot_names)
        return seat == last and not self._free()

    def _free(self) -> list[int]:
        return [number for number, seat in self._room.table.seats.items() if not seat.player]

    async def _sit(self, name: str) -> bool:
        room, free = self._room, self._free()
        playable = self._door.state == "open" and not room.host.halted and room.visitors
        if not playable or len(free) < 2:  # one seat is always left for a person
            return False
        cents = BUY_CENTS if room.table.rules.rules.bank.mode == "house" else BANKER_CENTS
        sit = commands.Sit(by=f"seat:{free[-1]}", seat=free[-1], player=name, cents=cents)
        answer = await room.submit("bots", "", sit)
        if answer.code == "not_enough_money":
            await self._fund(name)
            return True
        return answer.accepted

    async def _fund(self, name: str) -> None:
        house = self._room.house
        await house.committer.run(
            lambda: house.stores.wallets.fund(name, FUND_CENTS, "play chips", at=house.clock_ms(), who="house")
        )

    def _needed(self) -> int:
        """Return how many bots are known by name: those that are wanted, and those of a server before this one."""
        numbers = (bot_number(seat.player) for seat in self._room.table.seats.values())
        return max(self.wanted, min(max(numbers, default=0), self._room.table.rules.rules.seats))

    async def _named(self, many: int) -> list[str]:
        """Take names that no one else has, and that no one can sign in with."""
        house, names, number = self._room.house, list[str](), 0
        while len(names) < many:
            number += 1
            bot = Person(name=f"{NAMED}{number}", guest=True)
            key = key_of(bot.name)
            kept = await asyncio.to_thread(house.stores.documents.get, "person", key)
            if kept is None:
                await house.committer.run(partial(house.stores.documents.put, "person", key, encode(bot), 0))
                kept = await asyncio.to_thread(house.stores.documents.get, "person", key)
            if kept is not None and not decode(kept.body, type=Person).password:
                names.append(bot.name)
        return names

    async def _share(self) -> None:
        """Take part in the shuffles that are announced."""
        seats = [seat for name in self._names if (seat := self._room.seat_of(name))]
        while (heard := self._inbox.next_message()) is not None:
            message = _read(heard)
            for seat in seats:
                with suppress(InvalidData):  # the time for it is over
                    if isinstance(message, PledgesSent):
                        await self._pledge(seat, message)
                    elif isinstance(message, CommitmentSent):
                        await self._reveal(seat, message)

    async def _pledge(self, seat: int, asked: PledgesSent) -> None:
        key = (asked.round, asked.shuffle, seat)
        while len(self._nonces) > NONCES_MAX:
            del self._nonces[next(iter(self._nonces))]
        self._nonces[key] = os.urandom(32)
        named = ShuffleId(asked.table, asked.round, asked.shuffle)
        digest = pledge(named, Reveal(seat, self._nonces[key])).digest
        await self._room.shuffles.pledge(seat, asked.round, asked.shuffle, digest)

    async def _reveal(self, seat: int, asked: CommitmentSent) -> None:
        nonce = self._nonces.get((asked.round, asked.shuffle, seat))
        if nonce is None:
            return
        if asked.wants == "link":
            await self._room.shuffles.link(seat, asked.round, asked.shuffle, link_of(nonce))
        else:
            await self._room.shuffles.reveal(seat, asked.round, asked.shuffle, nonce)


def people_at(room: LiveTable) -> int:
    """Return how many people sit at a table, bots not counted."""
    seated = {seat.player for seat in room.table.seats.values() if seat.player}
    return len(seated - room.bot_names)


def bots_max(room: LiveTable) -> int:
    """Return up to how many bots people at a table may ask for: two seats are left, for them and for a guest."""
    return max(0, min(room.house.bots_asked_max, room.table.rules.rules.seats - 2))


def bot_number(name: str) -> int:
    """Return the number in a bot's name; 0: it is no such name."""
    number = name.removeprefix(NAMED)
    return int(number) if number != name and number.isascii() and number.isdecimal() else 0


async def _strategy(table: Table) -> Strategy:
    """Return the best play for a table's paytable, worked out once."""
    key = (table.rules.book.digest, table.rules.paytables[BASE.id])
    if key not in _strategies:
        _strategies[key] = await asyncio.to_thread(best_strategy, table.rules.base_pays)
    return _strategies[key]
