"""Sockets: one WebSocket for each viewer and table; reads messages, answers commands, sends views. Decides nothing."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

import msgspec

from letitride.autoplay.steps import plain
from letitride.engine import commands
from letitride.engine.legal import legal
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.errors import InvalidData, LetItRideError, StoreDown
from letitride.rules.roles import OVERSEES, SPECTATOR, spoken, view_of
from letitride.server.net import wire
from letitride.server.people.accounts import Person
from letitride.server.people.duties import duties, who_can
from letitride.server.runtime.requests import SEND_AGAIN, STORE_AWAY, Answer, Guard, TableHalted, digest_of
from letitride.server.tables.frames import Frame
from letitride.server.tables.messages import ErrorSent, HaltedSent
from letitride.server.tables.money_orders import account_of, refuse_own, wish_of
from letitride.server.tables.outbox import SERVICE_RESTART, TRY_AGAIN_LATER, Outbox
from letitride.server.tables.quotas import TOO_MUCH, refuse_long
from letitride.server.tables.room import Room

MOVED: Final = "This table moved to another server: join it again, and send the command again under the same id."
CLOSED_FOR_NOW: Final = "This table is closed for now."
MINUTES_A_DAY: Final = 24 * 60
DEAF_MAX: Final = 100
"""Messages in a row that are refused for coming too often before the connection is closed."""
TOO_MANY_SECONDS: Final = 0.1
"""How long no message of a connection is heard after one that came too soon."""
POLICY_VIOLATION: Final = 1008

log = logging.getLogger(__name__)
Send = Callable[[bytes], Awaitable[None]]


class Viewer:
    """A person at a table: who they are there follows from where they sit, or from the role they take."""

    def __init__(self, room: Room, person: Person, role: str = "", *, changes: bool = False, address: str = "") -> None:
        if role and role not in duties(person, room.table.rules.rules):
            raise InvalidData(f"expected a role that {person.name} has here, got '{spoken(role)}'")
        if role and room.seat_of(person.name):
            raise InvalidData("expected staff who do not play at this table, got a player who sits at it")
        self.room, self.person, self.role = room, person, role
        self.outbox = Outbox()
        self.outbox.put(msgspec.json.encode(room.standing()))
        self._changes = changes
        """Whether this client wants to be sent only what is new in a view."""
        self._unhurried = False
        self._seen: Frame | None = None
        self._address = address
        self._rate = room.house.rates.messages_of
        self._tokens, self._filled = float(self._rate.burst), 0.0
        self._refused = 0
        """How many messages in a row came too soon."""

    @property
    def name(self) -> str:
        """The viewer whose view is sent."""
        if self.role:
            return view_of(self.role)
        seat = self.room.seat_of(self.person.name)
        return f"seat:{seat}" if seat else SPECTATOR

    @property
    def is_flooding(self) -> bool:
        """Whether the last message came too soon."""
        return self._refused > 0

    async def send_all(self, send: Send) -> int:
        """Send messages, and after them the latest view, until the connection is to be closed: with which code."""
        self.room.watchers.add(self.outbox)
        for announced in self.room.shuffles.announced:
            self.outbox.put(msgspec.json.encode(announced))
        self.outbox.wake()
        sent = self.room.house.metrics.messages
        try:
            while True:
                await self.outbox.wait_for_message()
                while (message := self._next(sent)) is not None:
                    await send(message)
                if self.outbox.ended or self.room.host.lost:
                    return self.outbox.ended or SERVICE_RESTART
                if self.room.host.halted:
                    why = self.room.host.halted if self.role else CLOSED_FOR_NOW
                    sent["other"] += 1
                    await send(msgspec.json.encode(HaltedSent(why=why)))
                    return TRY_AGAIN_LATER
        finally:
            self.room.watchers.discard(self.outbox)

    def _next(self, sent: Counter[str]) -> bytes | None:
        """Return what goes out next, and count it."""
        if (message := self.outbox.next_message()) is not None:
            sent["other"] += 1
        elif (message := self._changed_view()) is not None:
            sent["view"] += 1
        return message

    def _changed_view(self) -> bytes | None:
        """Return the view as it is now, or how it differs from the one sent last; nothing if it does not."""
        seen, table = self._seen, self.room.table
        if seen is not None and not self.room.frames.has_changed(table, seen):
            return None
        self._seen = self.room.frames.frame_for(table, self.name)
        return self._seen.whole() if seen is None or not self._changes else self._seen.changes_since(seen)

    def enter(self) -> None:
        """Be there: for staff, on duty."""
        self.room.note_connected(self.person.name, self.role)

    def leave(self) -> None:
        """Be gone."""
        self._set_clock(on=True)
        self.room.set_pace(self, self.person.name, "normal")
        self.room.note_disconnected(self.person.name, self.role)

    async def take(self, frame: bytes | str, now: float) -> Answer | ErrorSent | None:
        """Return the answer to a message."""
        self.room.house.metrics.count_message()
        if not self._may_send(now):
            self._refused += 1
            self.room.house.metrics.count_cut_off("messages")
            if self._refused > DEAF_MAX:
                self.outbox.end(POLICY_VIOLATION)
            return ErrorSent(code="too_many_messages", sentence="Expected fewer messages a second, got too many.")
        self._refused = 0
        message = wire.read(frame)
        if isinstance(message, str):
            return ErrorSent(code="unreadable", sentence=message)
        command = message.id if isinstance(message, wire.Act | wire.DoNext) else ""
        try:
            match message:
                case wire.Act() | wire.DoNext():
                    return await self._act(message)
                case wire.PledgeNonce(round=number, shuffle=shuffle):
                    await self.room.shuffles.pledge(self._seat(), number, shuffle, bytes.fromhex(message.digest))
                case wire.RevealLink(round=number, shuffle=shuffle):
                    seat = self._pledged_from(number, shuffle)
                    await self.room.shuffles.link(seat, number, shuffle, bytes.fromhex(message.link))
                case wire.RevealNonce(round=number, shuffle=shuffle):
                    seat = self._pledged_from(number, shuffle)
                    await self.room.shuffles.reveal(seat, number, shuffle, bytes.fromhex(message.nonce))
                case wire.TakeShift():
                    if self.role != "dealer":
                        raise InvalidData("expected a person who is here as a dealer, got one who is not")
                    await self.room.shift.take(self.person)
                case wire.EndShift():
                    await self._end_shift()
                case wire.SetClock():
                    self._set_clock(on=message.on)
                case wire.SetPace():
                    self.room.set_pace(self, self.person.name, message.pace)
        except TableHalted as error:
            if self.room.host.lost:
                return ErrorSent(code="moved", sentence=MOVED, command=command)
            return ErrorSent(code="halted", sentence=str(error) if self.role else CLOSED_FOR_NOW, command=command)
        except StoreDown as error:
            told = str(error)
            log.warning("a message could not be answered: %s", told)
            shown = told if self.role or told == SEND_AGAIN else STORE_AWAY
            return ErrorSent(code="store_down", sentence=shown, command=command)
        except LetItRideError as error:
            shares = isinstance(message, wire.PledgeNonce | wire.RevealLink | wire.RevealNonce)
            return ErrorSent(code="shuffle_share" if shares else "not_allowed", sentence=str(error), command=command)
        return None

    def _set_clock(self, *, on: bool) -> None:
        if on is self._unhurried:
            self._unhurried = not on
            self.room.unhurried[self.person.name] += 1 if self._unhurried else -1
            self.room.unhurried += Counter()  # those who are gone are forgotten
            self.room.host.wake()

    async def _end_shift(self) -> None:
        if self.role not in OVERSEES and self.room.shift.person != self.person.name:
            raise InvalidData("expected the dealer who has the shift, or the floor, got another person")
        await self.room.shift.end(self.person.name)

    def _seat(self) -> int:
        seat = self.room.seat_of(self.person.name)
        if not seat:
            raise InvalidData("expected a player who sits at this table, got a person who does not")
        return seat

    def _pledged_from(self, number: int, shuffle: int) -> int:
        """Return the seat of this person's pledge: a second hand may have come to be the lower seat since."""
        seat = self._seat()
        return self.room.shuffles.pledged_from(self.person.name, number, shuffle) or seat

    def _may_send(self, now: float) -> bool:
        came = (now - self._filled) * self._rate.a_minute / 60
        self._tokens = min(self._tokens + came, float(self._rate.burst))
        self._filled = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return not self._takes_too_much()

    def _takes_too_much(self) -> bool:
        """Whether a person or an address sends more than its share, by however many connections."""
        house = self.room.house
        buckets, rates = house.buckets, house.rates
        if buckets.take("messages_by", self.person.name, rates.messages_by):
            return True
        return bool(self._address and buckets.take("messages_from", self._address, rates.messages_from))

    async def _act(self, act: wire.Act | wire.DoNext) -> Answer:
        """Have a command carried out; one that was answered before is answered so again, whatever has changed since."""
        room, client = self.room, f"{self.room.record.id}/{self.person.name}"
        said = digest_of(act.command) if isinstance(act, wire.Act) else "next"
        try:
            command = self._as_this_person(act.command if isinstance(act, wire.Act) else self._next_step())
        except InvalidData:
            known = await room.host.earlier_answer(client, act.id, said)
            if known is not None:
                return known
            raise
        entry = room.quotas.entry(self.person.name, command)
        guard: Guard = partial(self._refuses, command, act.version)
        # What a dealer does step by step is in the journal; all else that is done by those who run the house is theirs.
        person = (
            self.person.name if self.role and not (isinstance(command, commands.Do) and self.role == "dealer") else ""
        )
        if isinstance(command, commands.Do):
            return await room.do(client, act.id, command, said=said, guard=guard, person=person)
        if self.role:
            wish = wish_of(command, room.table, room.record.id)
            if wish is not None and not (guard(room.table) or legal(room.table, command)):
                await room.house.approvals.clear(self.person, wish, account_of(self.role))
            answer = await room.submit(client, act.id, command, said=said, guard=guard, person=person)
            who = who_can(room.table, command) if answer.code == "not_your_role" else ""
            return msgspec.structs.replace(answer, sentence=f"{answer.sentence} {who}") if who else answer
        guard = _either_refuses(guard, entry)
        answer = await room.house.limits.submit(self.person, room, client, act.id, command, said=said, guard=guard)
        if not answer.accepted:
            entry.give_back()
        if answer.code == TOO_MUCH.code:
            room.house.metrics.count_cut_off("journal")
        return answer

    def _next_step(self) -> commands.Do:
        step = self.room.table.next_step
        if step is None:
            raise InvalidData("expected a table with a step to do, got one that waits for players")
        return plain(step)

    def _as_this_person(self, command: commands.AnyCommand) -> commands.AnyCommand:
        """Return a command as this person may give it: by their seat or their role, never by a name they chose."""
        if isinstance(command, commands.Mishap):
            raise InvalidData("expected a command of a person, got one of the table itself")
        if self.role:
            if isinstance(command, commands.Order):  # notice is reckoned by the clock on the wall, not by what was sent
                minute = self.room.house.clock_ms() // 60_000 % MINUTES_A_DAY
                return msgspec.structs.replace(command, by=self.role, minute=minute)
            return msgspec.structs.replace(command, by=self.role)
        if isinstance(command, commands.Sit):
            return msgspec.structs.replace(command, by=f"seat:{command.seat}", player=self.person.name)
        seats = self.room.seats_of(self.person.name)
        if not seats:
            raise InvalidData("expected a seat at this table for that, got a person without one")
        of_staff = commands.Do | commands.Order | commands.DecideDispute | commands.WentAway | commands.CameBack
        if isinstance(command, of_staff):
            raise InvalidData("expected a player's command, got one of those who run the table")
        if command.seat in seats:
            return msgspec.structs.replace(command, by=f"seat:{command.seat}")
        if not isinstance(command, commands.Report | commands.Advise):
            own = " or ".join(map(str, seats))
            raise InvalidData(f"expected a command for your own seat {own}, got one for seat {command.seat}")
        return msgspec.structs.replace(command, by=f"seat:{seats[0]}")

    def _refuses(self, command: commands.AnyCommand, version: int | None, table: Table) -> Refusal | None:
        """Return what forbids a command when it is decided, which may be later than it came."""
        if (refusal := self._refuses_person(command, table)) is not None:
            return refusal
        if version is not None and table.version != version:
            stale = f"That was meant for version {version} of the table; it is at {table.version} now."
            return Refusal("stale", stale)
        return refuse_long(command)

    def _refuses_person(self, command: commands.AnyCommand, table: Table) -> Refusal | None:
        """Return why it is not this person's to give: who sits where, who deals."""
        room, name = self.room, self.person.name
        if self.role:
            if any(seat.player == name for seat in table.seats.values()):
                return Refusal("plays_here", "You play at this table, so you can't work at it.")
            if self.role == "dealer" and room.shift.person != name:
                return Refusal("not_your_shift", "Take the shift first: the dealer who has it deals.")
            return refuse_own(command, table, name)
        if isinstance(command, commands.Sit):
            held = sum(seat.player == name for seat in table.seats.values())
            if held and held >= table.rules.rules.hands_per_player:
                return Refusal("seated", "You already have a seat at this table.")
            working = Refusal("works_here", "You work at this table, so you can't play at it.")
            return working if room.on_duty(name) else None
        seat = table.seats[int(command.by.removeprefix("seat:"))]
        return None if seat.player == name else Refusal("not_your_seat", "You no longer have that seat.")


def _either_refuses(one: Guard, other: Guard) -> Guard:
    """Refuse what either of two guards refuses."""
    return lambda table: one(table) or other(table)
