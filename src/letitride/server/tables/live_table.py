"""Live table: a table that people are connected to: its owner, its watchers, its shuffles and its record.

It is what the dealer, the shift, the door, the bots and the look-out for empty seats have in common; it knows none of
them. What stands around a table besides is put together by `room`.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

import msgspec

from letitride.autoplay.steps import Drawn, completed
from letitride.chance.live import Live
from letitride.engine import commands, places
from letitride.engine.events import AnyEvent
from letitride.engine.faults import ROUND
from letitride.engine.legal import legal
from letitride.engine.mixing import may_be_unbound, needed
from letitride.engine.refusal import Refusal
from letitride.engine.state import Seat, Table
from letitride.engine.steps import KINDS, Needs, Step
from letitride.errors import ChanceFailed, InvalidData, LetItRideError
from letitride.ledger import accounts
from letitride.server.people.approvals import Approvals
from letitride.server.people.limits import Limits
from letitride.server.runtime.budgets import Budgets
from letitride.server.runtime.metrics import Metrics
from letitride.server.runtime.pace import SHARES, Pace, PaceName
from letitride.server.runtime.rates import Buckets, Rates
from letitride.server.runtime.requests import Answer, Guard, TableLost
from letitride.server.runtime.write_batching import Committer
from letitride.server.tables.messages import Outgoing
from letitride.server.tables.nodes import Nodes
from letitride.server.tables.outbox import SERVICE_RESTART, Outbox
from letitride.server.tables.shuffles import Shuffles
from letitride.server.tables.table_owner import TableOwner
from letitride.storage.roles.audit import AuditStore
from letitride.storage.roles.documents import Document, DocumentStore
from letitride.storage.roles.tables import TableRecord, TableState, TableStore
from letitride.storage.roles.wallets import WalletStore
from letitride.storage.vault import Vault


class TableStores(Protocol):
    """The stores that a table needs beside its journal, which its owner alone writes."""

    @property
    def tables(self) -> TableStore:
        """The register of tables."""

    @property
    def documents(self) -> DocumentStore:
        """The decks it committed to, and people."""

    @property
    def wallets(self) -> WalletStore:
        """The play chips of bots."""

    @property
    def audit(self) -> AuditStore:
        """Who did what at it."""


class Meters(Protocol):
    """The shared meters of the house as a table knows them."""

    def refresh_after(self, happened: Sequence[AnyEvent]) -> None:
        """Look at the meters again, where events have moved money of one."""


class TableHouse(Protocol):
    """The house as a table knows it."""

    committer: Committer
    pace: Pace
    clock_ms: Callable[[], int]
    bots: int
    bankers: int
    bots_asked_max: int
    limits: Limits
    approvals: Approvals
    metrics: Metrics
    nodes: Nodes
    rates: Rates
    vault: Vault
    buckets: Buckets
    budgets: Budgets

    @property
    def meters(self) -> Meters:
        """The jackpots that its tables share."""

    @property
    def stores(self) -> TableStores:
        """What a table may read and write beside its journal."""


class LiveTable:
    """A table with the people who are connected to it."""

    def __init__(self, record: TableRecord, host: TableOwner, house: TableHouse) -> None:
        self.record, self.host, self.house = record, host, house
        self.watchers: set[Outbox] = set()
        self.staff: Counter[tuple[str, str]] = Counter()
        """Who is connected in which role."""
        self.connected: Counter[str] = Counter()
        """Who is connected, and how often."""
        self.unhurried: Counter[str] = Counter()
        """Who is connected and wants to play without a clock."""
        self._paces: dict[object, tuple[str, PaceName]] = {}
        """Who is connected and wants another pace than the normal one, by connection, the last to say so last."""
        self.bot_names: set[str] = set()
        """Who at this table is a player of the house's own."""
        live = Live()
        self.source = Drawn(live, live.order)
        """Of cuts; decks and dice are made with the seats, by `shuffles`."""
        self.shuffles = Shuffles(
            record.id,
            house.stores.documents,
            house.committer,
            self.send_all,
            vault=house.vault,
            epoch=host.epoch,
            wait_seconds=house.pace.share,
            unbound=lambda: host.table.unbound,
            seated=lambda: {number: seat.player for number, seat in host.table.seats.items() if seat.player},
            on_end=lambda kept: house.metrics.count_deck(void=kept.state == "void", silent=len(kept.silent)),
        )
        host.cover = self.shuffles.cover
        host.on_written = self._written
        host.meter = house.stores.wallets.meter
        self.on_news: Callable[[], None] = lambda: None
        """Called when what is said of the table besides the game may have changed."""
        self._seats: Mapping[int, Seat] = {}
        self._places: dict[str, tuple[int, ...]] = {}
        """Where everybody sits, by the seats as they were looked at last."""
        self._by_hand = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    def _written(self, happened: Sequence[AnyEvent]) -> None:
        self.house.metrics.count_events(happened)
        self.house.meters.refresh_after(happened)

    @property
    def table(self) -> Table:
        """The table as it is on disk."""
        return self.host.table

    def send_all(self, message: Outgoing) -> None:
        """Send a message to all who watch; one who does not read is let go by their own connection."""
        encoded = msgspec.json.encode(message)
        for watcher in self.watchers:
            watcher.put(encoded)

    def wake_viewers(self) -> None:
        """Say to everybody who watches that there is something new to see."""
        for watcher in self.watchers:
            watcher.wake()

    def send_viewers_elsewhere(self) -> None:
        """Send everybody who watches to where the table is now."""
        for watcher in self.watchers:
            watcher.end(SERVICE_RESTART)

    def announce(self) -> None:
        """Say that something besides the game may be new: who deals, whether the table is open, whose time runs."""
        self.on_news()

    @property
    def choice_seconds(self) -> float:
        """What a player has for a decision here."""
        return float(self.record.about.get("choice_seconds") or self.house.pace.choice)

    @property
    def visitors(self) -> int:
        """How many connections there are, in whatever role."""
        return self.connected.total()

    def seat_of(self, person: str) -> int:
        """Return where a person sits, of two seats the lower one; 0: nowhere."""
        return next(iter(self.seats_of(person)), 0)

    def seats_of(self, person: str) -> tuple[int, ...]:
        """Return every seat of a person, in order."""
        seats = self.table.seats
        if seats is not self._seats:  # asked for every message: looked up anew only where a seat has changed
            places: dict[str, tuple[int, ...]] = {}
            for number, seat in seats.items():
                if seat.player:
                    places[seat.player] = (*places.get(seat.player, ()), number)
            self._seats, self._places = seats, places
        return self._places.get(person, ())

    def chips_of(self, person: str) -> int:
        """Return what a person has at this table, in cents, without bets."""
        return sum(self.table.cents(accounts.stack(seat)) for seat in self.seats_of(person))

    async def get_up(self, person: str) -> bool:
        """Let a person leave all their seats with their chips; whether they have none any more."""
        leaving = [commands.Leave(by=f"seat:{seat}", seat=seat) for seat in self.seats_of(person)]
        if any(legal(self.table, command) for command in leaving):
            return False
        for command in leaving:
            await self.submit("house", "", command, guard=partial(_refuse_other_seat, person, command.seat))
        return not self.seats_of(person)

    def is_untimed(self, person: str) -> bool:
        """Whether no clock runs for a player: they want none, they are there, and no other person sits at the table."""
        return bool(self.unhurried[person]) and self._seated - {person} <= self.bot_names

    @property
    def _seated(self) -> set[str]:
        return {seat.player for seat in self.table.seats.values() if seat.player}

    @property
    def pace(self) -> PaceName:
        """How fast it goes: as a person wants it who is there and the only one that sits at the table, or 'normal'."""
        if not self._paces:
            return "normal"
        alone = self._seated - self.bot_names
        wanted = [pace for person, pace in self._paces.values() if alone == {person}]
        return wanted[-1] if wanted else "normal"

    def set_pace(self, connection: object, person: str, pace: PaceName) -> None:
        """Take note of the pace that a person wants as long as a connection of theirs lasts."""
        self._paces.pop(connection, None)
        if pace != "normal":
            self._paces[connection] = person, pace
        self.announce()

    def pause(self, kind: str) -> float:
        """Return how long the automatic dealer waits after a step, in seconds."""
        return self.house.pace.seconds_after(kind) * SHARES[self.pace]

    def is_connected(self, role: str, person: str = "") -> bool:
        """Whether anybody is connected in a role, or just this person."""
        return any(many and role == kind and person in {"", name} for (name, kind), many in self.staff.items())

    async def submit(
        self,
        client: str,
        command_id: str,
        command: commands.AnyCommand,
        *,
        said: str = "",
        guard: Guard | None = None,
        person: str = "",
        second: str = "",
        along: tuple[Document, ...] = (),
    ) -> Answer:
        """Carry a command out, once it is durable; with a person of the house, on record, and with the second one."""
        began = time.perf_counter()
        try:
            answer = await self.host.submit(
                client, command_id, command, said=said, guard=guard, person=person, second=second, along=along
            )
        except LetItRideError:
            self.house.metrics.count_failure()
            raise
        self.house.metrics.count_answer(answer, time.perf_counter() - began)
        return answer

    async def do(
        self,
        client: str,
        command_id: str,
        do: commands.Do,
        *,
        said: str = "",
        guard: Guard | None = None,
        person: str = "",
    ) -> Answer:
        """Carry a step of the script out; the order of a deck, the cut and the dice are never a person's."""
        if do.order or do.unbound or do.cut or do.throw:
            raise InvalidData("expected a step without cards, cut or dice of its own, got one that brings them")
        async with self._by_hand:
            if command_id and (known := await self.host.earlier_answer(client, command_id, said)) is not None:
                return known
            step = Step(do.kind, do.seat, do.wager, do.number)
            refused = guard(self.table) if guard is not None else None
            due = self.table.next_step == step and refused is None
            deck = do.number if due and KINDS[do.kind].needs == "order" else self._deck
            try:
                do, along = await self._with_chance(do, needed(self.table, step), deck) if due else (do, ())
            except ChanceFailed as error:
                await self.host.halt(str(error))
                raise
            # Without an answer it is not known whether the row is in the journal: then the new deck is the one to bind.
            mixed = True
            try:
                answer = await self.submit(client, command_id, do, said=said, guard=guard, person=person, along=along)
                mixed = answer.accepted
            finally:
                if do.unbound:
                    await self.shuffles.note_mixed(mixed)
            if along and answer.accepted:
                self.shuffles.note_dealt(deck)
        await self.open_decks()
        return answer

    async def _with_chance(self, do: commands.Do, needs: Needs, deck: int) -> tuple[commands.Do, tuple[Document, ...]]:
        """Return a step with the chance it needs, which is made with the seats, and what is written along with it."""
        if needs == "order" and may_be_unbound(self.table, Step(do.kind, do.seat, do.wager, do.number)):
            await self.shuffles.begin(self.table.round + 1, deck)
            return msgspec.structs.replace(do, unbound=True), ()
        if needs == "order":
            order, dealt = await self.shuffles.order(self.table.round, deck, self._sharing_seats())
            return msgspec.structs.replace(do, order=order), (dealt,)
        if needs == "throw":
            thrown = await self.shuffles.dice(self.table.round, deck, self._sharing_seats())
            return msgspec.structs.replace(do, throw=thrown), ()
        if needs == "meters":
            return commands.with_readings(do, await self.host.read_meters(self.table)), ()
        return completed(do, self.table, self.source), ()

    @property
    def _deck(self) -> int:
        """The deck that is dealt from, or comes to be next."""
        lying = (*self.table.at(places.READY), *self.table.at(places.NEST))
        return lying[0].deck if lying else 1

    async def open_decks(self) -> None:
        """Open the decks that nothing is dealt from any more, and give up those that were not dealt after all."""
        if self.table.phase not in {"dealing", "ruling"}:
            await self.shuffles.call_off()
        if self.shuffles.has_open_decks:
            await self.shuffles.open_decks(spent_decks(self.table), dealt_decks(self.table))

    async def keep_state(self, state: TableState, reason: str, *, who: str, what: str, why: str) -> None:
        """Write down how the table stands, and who wanted it so and why."""
        house, table_id = self.house, self.record.id

        def put() -> None:
            if not house.stores.tables.set_state(table_id, state, reason, epoch=self.host.epoch):
                raise TableLost("another node owns this table by now")
            house.stores.audit.add(house.clock_ms(), who, f"{what} {table_id}", why)

        await house.committer.run(put)
        self.record = msgspec.structs.replace(self.record, state=state, reason=reason)
        self.announce()

    async def audit(self, who: str, what: str, why: str) -> None:
        """Write down who did what at this table."""
        house = self.house
        await house.committer.run(
            lambda: house.stores.audit.add(house.clock_ms(), who, f"{what} {self.record.id}", why)
        )

    def run_in_background(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something that no one waits for."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _sharing_seats(self) -> set[int]:
        """The seats that are asked for their share of a shuffle: those of people who are there to answer, and bots."""
        answering = self.bot_names | self.connected.keys()
        return {n for n, seat in self.table.seats.items() if seat.player in answering and not seat.away}


def _refuse_other_seat(person: str, seat: int, table: Table) -> Refusal | None:
    sits = table.seats[seat].player == person
    return None if sits else Refusal("not_your_seat", f"Seat {seat} is another player's by now.")


def dealt_decks(table: Table) -> frozenset[int]:
    """Return the decks of which cards lie in hands or before the dealer."""
    laid = (*(places.hand(number) for number in table.seats), *places.COMMUNITY, places.PACKET)
    return frozenset(card.deck for place in laid for card in table.at(place))


def spent_decks(table: Table) -> frozenset[int]:
    """Return the decks that lie in the rack after their round, and are mixed before anything is dealt from them."""
    rules = table.rules.rules
    mixed_first = rules.misdeal.reshuffle and "after_round" in rules.shuffle.when and not table.unmixed
    if not mixed_first or table.phase in ROUND or table.phase == "ruling":
        return frozenset()
    racked = {card.deck for card in table.at(places.RACK)}
    elsewhere = {
        card.deck
        for place, held in table.cards.items()
        if place not in {places.RACK, places.OUTSIDE, places.CHEST}
        for card in held
    }
    return frozenset(racked - elsewhere)
