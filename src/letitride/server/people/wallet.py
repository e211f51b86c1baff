"""Wallet: money that comes into the house and goes out of it; at the tables only chips move.

The store holds what a person has in the house. Where it comes from and goes to is the cashier's business: an operator
may put their own in the place of ours, which takes and gives any amount for play.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable
from typing import Final, Literal, Protocol

import msgspec

from letitride.errors import InvalidData
from letitride.ledger.accounts import Kind, laid_coupon, parse
from letitride.server.people.accounts import People, Person
from letitride.server.people.limits import Limits
from letitride.server.people.visits import Visit
from letitride.server.runtime.write_batching import Committer
from letitride.storage.roles.documents import DocumentStore
from letitride.storage.roles.journal import Ack, Conflict, JournalStore
from letitride.storage.roles.wallets import WalletStore

MOVEMENTS_MAX: Final = 50
KIND: Final = "movements"
CLIENT: Final = "cashier"
"""Under whose name the store keeps what happened to a reference."""


class Cashier(Protocol):
    """The money outside. Each call may take its time, and comes again with the same reference after any failure.

    A reference that was carried out is not carried out again: the answer is the same. An answer is nothing where it was
    done, or a sentence that says why not.
    """

    def balance(self, person: str) -> int | None:
        """Return what a person could bring, in cents, if that is known."""

    def deposit(self, person: str, cents: int, reference: str) -> str:
        """Take an amount from outside: it will be in the wallet."""

    def withdraw(self, person: str, cents: int, reference: str) -> str:
        """Pay out an amount that has left the wallet."""


class PlayMoney:
    """A cashier for chips of no value."""

    def balance(self, person: str) -> int | None:  # noqa: ARG002 - all people are the same to this cashier
        """It is not counted."""
        return None

    def deposit(self, person: str, cents: int, reference: str) -> str:  # noqa: ARG002 - as above
        """Anybody may bring any amount."""
        return ""

    def withdraw(self, person: str, cents: int, reference: str) -> str:  # noqa: ARG002 - as above
        """Where it goes is not asked."""
        return ""


MovementKind = Literal["deposit", "withdrawal", "returned", "play chips", "brought along"]


class Movement(msgspec.Struct, frozen=True, kw_only=True):
    """Money that came into a wallet, or went out of it."""

    at_ms: int
    kind: MovementKind
    person: str
    cents: int
    balance_cents: int
    """What the wallet held afterwards, when it was done."""
    reference: str
    why: str
    who: str

    @property
    def wish(self) -> tuple[MovementKind, str, int]:
        """What was asked for."""
        return self.kind, self.person, self.cents


class Wallets:
    """Everybody's money in the house."""

    def __init__(
        self,
        wallets: WalletStore,
        journal: JournalStore,
        documents: DocumentStore,
        *,
        committer: Committer,
        clock_ms: Callable[[], int],
        people: People,
        limits: Limits,
    ) -> None:
        self._wallets, self._journal, self._documents = wallets, journal, documents
        self._committer, self._clock_ms = committer, clock_ms
        self._people, self._limits = people, limits
        self.cashier: Cashier = PlayMoney()

    @property
    def has_cashier(self) -> bool:
        """Whether chips are worth something outside the house."""
        return not isinstance(self.cashier, PlayMoney)

    def use_cashier(self, path: str) -> None:
        """Put an operator's own cashier in the place of ours: 'package.module:factory'. Then no one gets play chips."""
        module, _, factory = path.partition(":")
        try:
            self.cashier = getattr(importlib.import_module(module), factory)()
        except (ImportError, AttributeError, TypeError, ValueError) as error:
            raise InvalidData(f"expected a cashier like 'package.module:factory', got '{path}': {error}") from None
        self._people.play_cents = 0

    async def balance(self, name: str) -> int:
        """Return what is in a person's wallet."""
        return await asyncio.to_thread(self._wallets.balance, name)

    async def movements(self, name: str) -> list[Movement]:
        """Return the last movements of a wallet, the latest first."""
        return list(reversed(await asyncio.to_thread(self._movements, name)))

    async def deposit(self, person: Person, cents: int, reference: str, why: str, who: str) -> Movement:
        """Bring money into a wallet, once for each reference."""
        wish = ("deposit", person.name, cents)
        if (done := await self._done(reference, wish)) is not None:
            return done
        if refusal := await asyncio.to_thread(self.cashier.deposit, person.name, cents, reference):
            raise InvalidData(f"expected an amount that the cashier takes, got {cents} cents: {refusal}")
        return await self._move("deposit", person.name, cents, reference=reference, why=why, who=who)

    async def withdraw(self, person: Person, cents: int, reference: str, why: str, who: str) -> Movement:
        """Pay money out of a wallet, once for each reference; what the cashier does not pay comes back."""
        if person.guest:
            raise InvalidData("expected an account, got a guest, whose chips are for play")
        done = await self._done(reference, ("withdrawal", person.name, cents))
        if done is None:
            done = await self._move("withdrawal", person.name, cents, reference=reference, why=why, who=who)
        back = f"{reference}/returned"
        if await asyncio.to_thread(self._journal.reply, CLIENT, back) is not None:
            raise InvalidData(f"expected a new reference, got {reference}, which was refused by the cashier")
        if refusal := await asyncio.to_thread(self.cashier.withdraw, person.name, cents, reference):
            await self._move("returned", person.name, cents, reference=back, why=refusal, who=who)
            raise InvalidData(f"expected an amount that the cashier pays, got {cents} cents: {refusal}")
        return done

    async def top_up(self, person: Person) -> Movement:
        """Give a player play chips up to what a guest begins with; what they have at tables counts."""
        start = self._people.play_cents
        if not start:
            raise InvalidData("expected a house that plays for chips of no value, got one with a cashier")
        tables = await self._seated(person.name)

        def give() -> Movement:
            # The number comes before the look at what they hold: where two servers are asked at once, both see the same
            # number and one of them pays, or the second sees what the first has paid.
            reference = f"chips/{person.name}/{self._next_gift(person.name)}"
            held = self._held(person.name, tables)
            if held >= start:
                raise InvalidData(f"expected less than {start} cents in wallet and at tables, got {held}")
            given = start - held
            return self._move_now("play chips", person.name, given, reference=reference, why="play chips", who="house")

        return await self._committer.run(give)

    async def top_up_due(self, person: Person) -> int | None:
        """Return how many cents a player would be given as play chips now; None where the house gives none."""
        start = self._people.play_cents
        tables = await self._seated(person.name)
        return max(start - await asyncio.to_thread(self._held, person.name, tables), 0) if start else None

    async def _seated(self, name: str) -> list[Visit]:
        return [one for one in (await self._limits.play(name)).visits if not one.until_ms]

    def _held(self, name: str, tables: list[Visit]) -> int:
        """Return what a person has in their wallet and at these tables."""
        held = self._wallets.balance(name)
        for visit in tables:
            for held_in, cents in self._wallets.balances(visit.table).items():
                account = parse(held_in)
                promised = account.kind in {Kind.TOKENS, Kind.COUPONS} or held_in == laid_coupon(account.seat)
                own = account.seat == visit.seat and not promised
                held += cents if own or account.kind is Kind.BANK else 0
        return held

    async def take_over_from_guest(self, guest: Person, person: Person) -> int:
        """Hand a guest's play chips over to the account that they created, once; return how many cents that were."""

        def bring() -> int:
            cents = self._wallets.balance(guest.name)
            if not cents:
                return 0
            reference, why, at = f"along/{guest.name}", "play chips of a guest who made an account", self._clock_ms()
            moving = Movement(
                at_ms=at,
                kind="brought along",
                person=person.name,
                cents=cents,
                balance_cents=self._wallets.balance(person.name) + cents,
                reference=reference,
                why=why,
                who=guest.name,
            )
            ack = Ack(CLIENT, reference, msgspec.json.encode(moving))
            outcome = self._wallets.hand_over(guest.name, person.name, cents, why, at=at, who=guest.name, ack=ack)
            if isinstance(outcome, Conflict):  # the chips went to another account, or to a table just now
                return 0
            self._remember(moving)
            return cents

        return await self._committer.run(bring)

    def _next_gift(self, name: str) -> int:
        """Return the number of the next gift of play chips to a player."""
        gifts = [one.reference for one in self._movements(name) if one.kind == "play chips"]
        number = int(gifts[-1].rpartition("/")[2]) + 1 if gifts else 1
        while self._journal.reply(CLIENT, f"chips/{name}/{number}") is not None:
            number += 1
        return number

    async def _done(self, reference: str, wish: tuple[str, str, int]) -> Movement | None:
        kept = await asyncio.to_thread(self._journal.reply, CLIENT, reference)
        if kept is None:
            return None
        return _same_movement(msgspec.json.decode(kept, type=Movement), wish)

    async def _move(self, kind: MovementKind, name: str, cents: int, *, reference: str, why: str, who: str) -> Movement:
        return await self._committer.run(
            lambda: self._move_now(kind, name, cents, reference=reference, why=why, who=who)
        )

    def _move_now(self, kind: MovementKind, name: str, cents: int, *, reference: str, why: str, who: str) -> Movement:
        out = kind == "withdrawal"
        balance = self._wallets.balance(name) + (-cents if out else cents)
        moving = Movement(
            at_ms=self._clock_ms(),
            kind=kind,
            person=name,
            cents=cents,
            balance_cents=balance,
            reference=reference,
            why=why,
            who=who,
        )
        ack = Ack(CLIENT, reference, msgspec.json.encode(moving))
        act = self._wallets.withdraw if out else self._wallets.fund
        outcome = act(name, cents, f"{reference}: {why}", at=moving.at_ms, who=who, ack=ack)
        if isinstance(outcome, Conflict):
            kept = self._journal.reply(CLIENT, reference)
            if outcome.code == "command" and kept is not None:
                return _same_movement(msgspec.json.decode(kept, type=Movement), moving.wish)
            raise InvalidData(f"expected an amount that the wallet holds, got {cents} cents: {outcome.reason}")
        self._remember(moving)
        return moving

    def _remember(self, moving: Movement) -> None:
        """Keep the last movements at hand; the ledger and the audit have them all."""
        while True:
            kept = self._documents.get(KIND, moving.person)
            before = msgspec.json.decode(kept.body, type=list[Movement]) if kept else []
            body = msgspec.json.encode([*before, moving][-MOVEMENTS_MAX:])
            if self._documents.put(KIND, moving.person, body, kept.version if kept else 0) is not None:
                return

    def _movements(self, name: str) -> list[Movement]:
        kept = self._documents.get(KIND, name)
        return msgspec.json.decode(kept.body, type=list[Movement]) if kept else []


def _same_movement(done: Movement, wish: tuple[str, str, int]) -> Movement:
    if done.wish != wish:
        raise InvalidData(f"expected a new reference, got {done.reference}, which was another movement")
    return done
