"""Limits: whether a player may buy chips or bet now, by their own limits, the house's and the table's.

Buying is checked and set aside in one step of the committer, before the table sees the command: two tables cannot both
take the last of a limit, nor can two servers. Decisions in a round that is under way are never refused here.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Final, Protocol, TypeVar
from weakref import WeakValueDictionary

import msgspec
from msgspec.structs import replace

from letitride.engine import commands
from letitride.engine.legal import legal
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.rules.money import dollars
from letitride.rules.words import quantity
from letitride.server.people import bounds, visits
from letitride.server.people.accounts import Person
from letitride.server.people.admission import Admission
from letitride.server.people.bounds import DAY_MS, Bounds, OwnLimits
from letitride.server.people.visits import FollowedJournal, PlayerVisits, ReservedAmount
from letitride.server.people.vouchers import Vouchers
from letitride.server.runtime.requests import Answer, Guard, answer_of
from letitride.server.runtime.write_batching import Committer
from letitride.storage.journal import Head
from letitride.storage.roles.audit import AuditStore
from letitride.storage.roles.documents import Document, DocumentStore
from letitride.storage.roles.journal import JournalStore

OWN: Final = "limits"
PLAY: Final = "play"
TABLE: Final = "table-limits"
PLAYS_MAX: Final = 10_000
"""How many people's play is kept at hand; of others the journals are read again."""
MINUTE_MS: Final = 60 * 1000
CHANGES: Final = "limit-changes"
"""The document whose version counts all changes; every server looks at it each second."""

T = TypeVar("T")


class CommandTaker(Protocol):
    """The owner of a table, as far as limits ask about it."""

    id: str
    table: Table
    head: Head

    async def earlier_answer(self, client: str, command_id: str, said: str) -> Answer | None:
        """Return the answer a command got before, if it did."""


class Seatable(Protocol):
    """A table that takes commands."""

    @property
    def host(self) -> CommandTaker:
        """Its owner."""

    async def submit(
        self, client: str, command_id: str, command: commands.AnyCommand, *, said: str, guard: Guard | None
    ) -> Answer:
        """Carry a command out."""


class Limits:
    """What everybody may at most."""

    def __init__(
        self,
        documents: DocumentStore,
        journal: JournalStore,
        audit: AuditStore,
        committer: Committer,
        clock_ms: Callable[[], int],
        *,
        vouchers: Vouchers,
        admission: Admission,
    ) -> None:
        self._vouchers, self._admission = vouchers, admission
        self._documents, self._journal, self._audit = documents, journal, audit
        self._committer, self._clock_ms = committer, clock_ms
        self.house = Bounds()
        """What holds for everybody."""
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._known: dict[tuple[str, str], tuple[OwnLimits, Bounds]] = {}
        """A player's own limits, and a table's, as they were stated last."""
        self._changes = 0
        self._plays: OrderedDict[str, tuple[int, PlayerVisits]] = OrderedDict()

    async def submit(
        self,
        person: Person,
        room: Seatable,
        client: str,
        command_id: str,
        command: commands.AnyCommand,
        *,
        said: str = "",
        guard: Guard | None = None,
    ) -> Answer:
        """Carry out a command of a seat if its player may give it."""
        takes_back = isinstance(command, commands.PlaceWagers) and not command.wagers
        if not command.by.startswith("seat:") or not isinstance(command, _GUARDED) or takes_back:
            return await room.submit(client, command_id, command, said=said, guard=guard)
        if (refusal := await self._admission.refuses(person)) is not None:
            return await _answer(room.host, client, command_id, said, refusal)
        if isinstance(command, _BETS_AND_CHIPS) and self._is_free(person.name, room.host.id):
            return await room.submit(client, command_id, command, said=said, guard=guard)
        cents = _bought_cents(command)
        key = f"{room.host.id}/{command_id}"
        async with self._locks.setdefault(person.name, asyncio.Lock()):
            refusal = await self.refuses(person.name, room.host.id, command)
            reserves = refusal is None and (cents > 0 or isinstance(command, commands.Sit))
            if reserves and legal(room.host.table, command) is not None:
                # What the table refuses anyway costs no write, and what it would take by then was not set aside.
                reserves, guard = False, _still_refused(command, guard)
            if reserves:
                refusal = await self._claim(person.name, room.host, command, key, cents)
            if refusal is not None:
                return await _answer(room.host, client, command_id, said, refusal)
            answer = await room.submit(client, command_id, command, said=said, guard=guard)
            if reserves:
                await self._release(person.name, room.host.id, key)
            return answer

    def _is_free(self, name: str, table_id: str) -> bool:
        """Whether it is known that nothing at all limits a player at a table."""
        return self._known.get((name, table_id)) == _FREE and self.house == Bounds()

    async def refuses(self, name: str, table_id: str, command: commands.AnyCommand) -> Refusal | None:
        """Return why a player may not give a command now, apart from what they would lose by it."""
        if isinstance(command, commands.ExchangeVoucher):
            # The table takes a player's word for it; the house knows what it has issued.
            refusal = await self._vouchers.refuses(name, command)
            if refusal is not None:
                return refusal
        own, in_force = await self.in_force(name, table_id)
        now = self._clock_ms()
        if own.excluded_until_ms > now:
            return Refusal("excluded", "You asked to be excluded from play, and that time isn't over.")
        if in_force.time_day_minutes is None and in_force.reminder_minutes is None:
            return None
        play = await self.play(name)
        played = visits.played_ms(play, now, DAY_MS) // MINUTE_MS
        if in_force.time_day_minutes is not None and played >= in_force.time_day_minutes:
            sentence = (
                f"You played {quantity(played, 'minute')} in 24 hours; your limit is {in_force.time_day_minutes}."
            )
            values: dict[str, int | str] = {"minutes": played, "limit": in_force.time_day_minutes}
            return Refusal("time_limit", sentence, values=values)
        since = max(visits.sitting_since_ms(play, now), own.reminded_ms)
        if in_force.reminder_minutes is not None and visits.sitting_since_ms(play, now):
            minutes = (now - since) // MINUTE_MS
            if minutes >= max(in_force.reminder_minutes, 1):  # a reminder after 0 minutes could never be confirmed
                played_for = f"You have been playing for {quantity(minutes, 'minute')}."
                return Refusal("reminder", f"{played_for} Confirm to keep playing.", values={"minutes": minutes})
        return None

    async def play(self, name: str) -> PlayerVisits:
        """Return a player's play up to now."""
        version, play, grown = await asyncio.to_thread(self._read, name)
        if grown:  # kept, so that after a restart only what is new has to be read
            body = msgspec.json.encode(play)
            await self._committer.run(lambda: self._documents.put(PLAY, name, body, version))
        return play

    async def in_force(self, name: str, table_id: str = "") -> tuple[OwnLimits, Bounds]:
        """Return a player's own limits, and those that hold for them, at a table or anywhere."""
        known = self._known.get((name, table_id))
        if known is None:
            if len(self._known) > PLAYS_MAX:
                self._known.clear()
            known = self._known[name, table_id] = await asyncio.to_thread(self._stated, name, table_id)
        own = bounds.limits_at(known[0], self._clock_ms())
        return own, bounds.strictest(own.bounds, self.house, known[1])

    def refresh_if_changed(self, changes: int) -> None:
        """Forget what is known if anything was changed since, through whichever server: `changes` counts that."""
        if changes != self._changes:
            self._changes = changes
            self._known.clear()

    async def change(self, name: str, wanted: Mapping[str, int | None], who: str = "", why: str = "") -> OwnLimits:
        """Change a player's limits: stricter at once, looser in a day; by others on the record."""
        note = f"limits {name} {msgspec.json.encode(wanted).decode()}" if who else ""
        return await self._set(name, lambda own: bounds.changed(own, wanted, self._clock_ms()), who, note, why)

    async def cancel(self, name: str) -> OwnLimits:
        """Let no looser limit come any more."""
        return await self._set(name, lambda own: bounds.cancelled(own, self._clock_ms()))

    async def exclude(self, name: str, days: int, who: str, why: str) -> OwnLimits:
        """Exclude a player for some days, on the record; it can be made longer, never shorter."""
        until = self._clock_ms() + days * DAY_MS
        return await self._set(name, lambda own: bounds.excluded(own, until), who, f"exclude {name} {days} days", why)

    async def take_over_from_guest(self, guest: str, name: str) -> None:
        """Let the limits that a guest set, and the visits that count for them, be those of the account they created."""
        wanted = await asyncio.to_thread(lambda: _decoded(self._documents.get(OWN, guest), OwnLimits))
        if wanted != OwnLimits():
            await self._set(name, lambda _: wanted)
        over = tuple(visit for visit in (await self.play(guest)).visits if visit.until_ms)
        if over:
            body = msgspec.json.encode(PlayerVisits(visits=over))
            await self._committer.run(lambda: self._documents.put(PLAY, name, body, 0))

    async def confirm(self, name: str) -> OwnLimits:
        """Let a player go on who knows how long they have been playing."""
        return await self._set(name, lambda own: replace(own, reminded_ms=self._clock_ms()))

    async def set_for_table(self, table_id: str, wanted: Bounds, who: str, why: str) -> None:
        """Say what holds for everybody at a table."""
        body = msgspec.json.encode(wanted)

        def put() -> None:
            self._audit.add(self._clock_ms(), who, f"limits of table {table_id} {body.decode()}", why)
            done = None
            while done is None:
                kept = self._documents.get(TABLE, table_id)
                done = self._documents.put(TABLE, table_id, body, kept.version if kept else 0)
            self._count_change()

        await self._committer.run(put)
        self._known.clear()

    def _stated(self, name: str, table_id: str) -> tuple[OwnLimits, Bounds]:
        table = _decoded(self._documents.get(TABLE, table_id), Bounds) if table_id else Bounds()
        return _decoded(self._documents.get(OWN, name), OwnLimits), table

    async def _set(
        self, name: str, change: Callable[[OwnLimits], OwnLimits], who: str = "", note: str = "", why: str = ""
    ) -> OwnLimits:
        def put() -> OwnLimits:
            if note:  # before the act: nothing is done that is not on record
                self._audit.add(self._clock_ms(), who, note, why)
            while True:
                kept = self._documents.get(OWN, name)
                own = change(_decoded(kept, OwnLimits))
                body = msgspec.json.encode(own)
                if self._documents.put(OWN, name, body, kept.version if kept else 0) is not None:
                    self._count_change()
                    return own

        own = await self._committer.run(put)
        self._known.clear()
        return own

    def _count_change(self) -> None:
        """Let the other servers know, in the committer's thread."""
        done = None
        while done is None:
            kept = self._documents.get(CHANGES, "all")
            done = self._documents.put(CHANGES, "all", b"{}", kept.version if kept else 0)

    async def _claim(
        self, name: str, host: CommandTaker, command: commands.AnyCommand, key: str, cents: int
    ) -> Refusal | None:
        """Set an amount aside and begin to follow the table, or return why it would be too much."""
        _, in_force = await self.in_force(name, host.id)
        if not in_force.losses and not isinstance(command, commands.Sit):
            return None
        play = await self.play(name)  # the long part of the reading, where no one waits for it
        row, followed = host.head.number, play.following.get(host.id)
        if not in_force.losses and followed and followed.asked_ms > self._clock_ms() - visits.ASKED_MS // 2:
            return None

        def claim() -> Refusal | None:
            while True:
                version, play, _ = self._read(name)
                now = self._clock_ms()
                for word, window_ms, cents_max in in_force.losses:
                    lost = visits.lost_cents(play, now, window_ms)
                    if lost + cents > cents_max:
                        return _too_much(word, lost, cents, cents_max)
                following = play.following
                if isinstance(command, commands.Sit):
                    from_row = following[host.id].row if host.id in following else row
                    following = {**following, host.id: FollowedJournal(from_row, now)}
                reserved = play.reserved
                if in_force.losses:
                    reserved = (
                        *visits.without_amount(reserved, key),
                        ReservedAmount(key, cents, now + visits.RESERVED_MS),
                    )
                after = replace(play, following=following, reserved=reserved)
                if self._documents.put(PLAY, name, msgspec.json.encode(after), version) is not None:
                    return None

        return await self._committer.run(claim)

    async def _release(self, name: str, table_id: str, key: str) -> None:
        """Forget an amount that was set aside: it is at the table now, or was refused there."""
        _, in_force = await self.in_force(name, table_id)
        if not in_force.losses:
            return
        version, play, _ = await asyncio.to_thread(self._read, name)
        if all(one.key != key for one in play.reserved):
            return

        def release(version: int = version, play: PlayerVisits = play) -> None:
            while True:
                after = replace(play, reserved=visits.without_amount(play.reserved, key))
                if self._documents.put(PLAY, name, msgspec.json.encode(after), version) is not None:
                    return
                version, play, _ = self._read(name)

        await self._committer.run(release)

    def _read(self, name: str) -> tuple[int, PlayerVisits, bool]:
        """Return the version kept, the play up to now, and whether more is known than is kept."""
        kept = self._documents.get(PLAY, name)
        if kept is None:
            return 0, PlayerVisits(), False
        version, before = self._plays.get(name, (0, PlayerVisits()))
        if version != kept.version:
            before = msgspec.json.decode(kept.body, type=PlayerVisits)
        play = before
        for table_id, one in before.following.items():
            play = visits.read(play, name, table_id, self._journal.rows(table_id, one.row))
        play = visits.without_expired(play, self._clock_ms())
        self._plays[name] = (kept.version, play)
        while len(self._plays) > PLAYS_MAX:
            self._plays.popitem(last=False)
        return kept.version, play, play.visits != before.visits


async def _answer(host: CommandTaker, client: str, command_id: str, said: str, refusal: Refusal) -> Answer:
    """Return the answer to what is refused; what was answered before is answered so again, whatever holds by now."""
    known = await host.earlier_answer(client, command_id, said)
    return known or answer_of(command_id, host.table, refusal)


def _still_refused(command: commands.AnyCommand, guard: Guard | None) -> Guard:
    """Refuse what the table refused when it was asked, though it would take it now."""

    def judge(table: Table) -> Refusal | None:
        refusal = guard(table) if guard is not None else None
        if refusal is None and legal(table, command) is None:
            return Refusal("changed", "The table has changed in the meantime: send the command again under another id.")
        return refusal

    return judge


def _too_much(word: str, lost: int, cents: int, cents_max: int) -> Refusal:
    could = f"With {dollars(cents)} you could lose {dollars(lost + cents)} in {word}"
    values: dict[str, int | str] = {"amount_cents": cents, "lost_cents": lost + cents, "most_cents": cents_max}
    case = word.replace(" ", "_")
    return Refusal("loss_limit", f"{could}; your limit is {dollars(cents_max)}.", case=case, values=values)


def _bought_cents(command: commands.AnyCommand) -> int:
    """Return what a command takes out of the wallet."""
    match command:
        case commands.Sit() | commands.BuyChips():
            return max(command.cents, 0)
        case commands.PlaceWagers(medium="cash"):
            return sum(max(cents, 0) for cents in command.wagers.values())
        case _:
            return 0


def _decoded(kept: Document | None, kind: type[T]) -> T:
    return kind() if kept is None else msgspec.json.decode(kept.body, type=kind)


_GUARDED: Final = (
    commands.Sit,
    commands.BuyChips,
    commands.ExchangeVoucher,
    commands.PlaceWagers,
    commands.TakeBank,
)
"""What begins something; all else ends what was begun."""
_BETS_AND_CHIPS: Final = (commands.BuyChips, commands.PlaceWagers, commands.TakeBank)
_FREE: Final = (OwnLimits(), Bounds())
"""What is known of a player without limits, at a table that has none."""
