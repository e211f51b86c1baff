"""Vouchers: promotional vouchers of the house, issued to a player and redeemed once; never money by themselves.

A voucher is a promise. Its money moves when it is redeemed: the row of the table's journal, its transfers and the mark
that the voucher is spent are one transaction of the store, which refuses the same mark a second time at any table.
Tokens and coupons that a player holds on leaving become vouchers of that player again, in the transaction that takes
them in.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable
from typing import Final

import msgspec

from letitride.engine import commands
from letitride.engine.events import AnyEvent, PlayerLeft
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.errors import InvalidData
from letitride.ledger import accounts
from letitride.rules.money import dollars
from letitride.server.people.accounts import Person
from letitride.server.people.bounds import DAY_MS
from letitride.server.runtime.write_batching import Committer
from letitride.storage.journal import Row
from letitride.storage.roles.audit import AuditStore, Note
from letitride.storage.roles.documents import Document, DocumentStore
from letitride.storage.roles.journal import Ack, JournalStore
from letitride.storage.vouchers import CLIENT, KIND, WORDS, Into, Redeemed, Voucher, redeemed

REST_MS_MIN: Final = 7 * DAY_MS
"""How long tokens that came back are good for at least, though the voucher they came from has ended."""

_HELD: Final = {"tokens": "Promotional tokens", "match_play": "Match-play coupons"}
USED: Final = Refusal("voucher_used", "This voucher has already been redeemed.")


def leaving_id_prefix(person: str) -> str:
    """Return how the ids of the vouchers begin that a person got on leaving a table; no reference has a slash."""
    return f"{person}/rest/"


class TokensHeld(msgspec.Struct, frozen=True, kw_only=True):
    """Promotional tokens, or match-play coupons, that a player held on leaving a table."""

    person: str
    cents: int
    into: Into
    table: str
    row: int
    at_ms: int


class Vouchers:
    """The vouchers of a house."""

    def __init__(
        self,
        documents: DocumentStore,
        journal: JournalStore,
        audit: AuditStore,
        committer: Committer,
        clock_ms: Callable[[], int],
    ) -> None:
        self._documents, self._journal, self._audit = documents, journal, audit
        self._committer, self._clock_ms = committer, clock_ms

    async def issue(
        self,
        person: Person,
        cents: int,
        into: Into,
        *,
        reference: str,
        days: int | None,
        why: str,
        who: str,
        approved_by: str = "",
    ) -> tuple[Voucher, Redeemed | None]:
        """Give a player a voucher, once for each reference; `days` is how long it is good for, None without end."""
        if person.guest:
            raise InvalidData("expected an account, got a guest, whose chips are for play")
        now = self._clock_ms()
        voucher = Voucher(
            id=f"{person.name}/{reference}",
            person=person.name,
            cents=cents,
            into=into,
            why=why,
            issued_ms=now,
            issued_by=who,
            until_ms=now + days * DAY_MS if days else 0,
        )

        on_record = f"{why}; approved by {approved_by}" if approved_by else why

        def put() -> tuple[Voucher, Redeemed | None]:
            kept = self._documents.get(KIND, voucher.id)
            if kept is None:
                self._audit.add(
                    now, who, f"voucher {voucher.id} {cents} {into}", on_record
                )  # nothing is done off the record
                if self._documents.put(KIND, voucher.id, msgspec.json.encode(voucher), 0) is not None:
                    return voucher, None
                kept = self._documents.get(KIND, voucher.id)
            before = msgspec.json.decode(kept.body if kept else b"", type=Voucher)
            if before.wish != voucher.wish:
                raise InvalidData(f"expected a new reference, got {reference}, which was another voucher")
            return before, redeemed(self._journal, before.id)

        return await self._committer.run(put)

    async def of(self, name: str) -> list[tuple[Voucher, Redeemed | None]]:
        """Return a player's vouchers, the latest first, and what happened to each."""

        def read() -> list[tuple[Voucher, Redeemed | None]]:
            found = [msgspec.json.decode(one.body, type=Voucher) for one in self._documents.find(KIND, f"{name}/")]
            latest_first = sorted(found, key=lambda one: (-one.issued_ms, one.id))
            return [(one, redeemed(self._journal, one.id)) for one in latest_first]

        return await asyncio.to_thread(read)

    async def refuses(self, name: str, command: commands.ExchangeVoucher) -> Refusal | None:
        """Return why a player may not redeem a voucher, or None; that it is spent once is the store's to say."""
        kept = await asyncio.to_thread(self._documents.get, KIND, command.voucher) if command.voucher else None
        voucher = msgspec.json.decode(kept.body, type=Voucher) if kept else None
        if voucher is None or voucher.person != name:
            return Refusal("no_voucher", "You have no such voucher.")
        if await asyncio.to_thread(redeemed, self._journal, voucher.id) is not None:
            return USED
        if voucher.until_ms and voucher.until_ms <= self._clock_ms():
            return Refusal("voucher_expired", "This voucher has expired.")
        if (command.cents, command.into) != (voucher.cents, voucher.into):
            whole = f"This voucher is exchanged whole, for {dollars(voucher.cents)} in {WORDS[voucher.into]}."
            return Refusal("voucher_differs", whole, case=voucher.into, values={"amount_cents": voucher.cents})
        return None

    def issue_on_leaving(self, held: TokensHeld, acks: Collection[Ack]) -> tuple[Document, Note]:
        """Return the voucher for tokens or coupons held on leaving, and its note; `acks` are written with it.

        It ends with the last of the vouchers that the tokens can have come from: those redeemed at the table since
        tokens last came back from it.
        """
        here = f"{leaving_id_prefix(held.person)}{held.table}/"
        found = [msgspec.json.decode(one.body, type=Voucher) for one in self._documents.find(KIND, f"{held.person}/")]
        since_ms = max((one.issued_ms for one in found if one.id.startswith(here) and one.into == held.into), default=0)
        now_spent = {ack.command for ack in acks if ack.client == CLIENT}

        def is_source(one: Voucher) -> bool:
            mark = redeemed(self._journal, one.id)
            redeemed_here = mark is not None and mark.table == held.table and mark.at_ms >= since_ms
            return one.into == held.into and (redeemed_here or one.id in now_spent)

        ends = [one.until_ms for one in found if is_source(one)]
        apart = "" if held.into == "tokens" else f"/{held.into}"  # one row may bring back both
        voucher = Voucher(
            id=f"{here}{held.row}{apart}",  # no reference of an administrator's has a slash
            person=held.person,
            cents=held.cents,
            into=held.into,
            why=f"{_HELD[held.into]} you held when you left the table",
            issued_ms=held.at_ms,
            issued_by="house",
            until_ms=max(*ends, held.at_ms + REST_MS_MIN) if ends and all(ends) else 0,
        )
        what = f"voucher {voucher.id} {voucher.cents} {held.into}"
        note = Note(
            at=held.at_ms,
            who="house",
            what=what,
            why=f"row {held.row}: {WORDS[held.into]} held on leaving {held.table}",
        )
        return Document(kind=KIND, id=voucher.id, version=1, body=msgspec.json.encode(voucher)), note


def redemption_mark(command: commands.AnyCommand, table_id: str, row: Row) -> tuple[list[Ack], list[Note]]:
    """Return the mark of the voucher that a row redeems, if any, and its note; the store takes the mark once."""
    if not isinstance(command, commands.ExchangeVoucher) or not command.voucher:
        return [], []
    mark = Redeemed(table=table_id, row=row.number, at_ms=row.at)
    what = f"voucher.redeemed {command.voucher} {command.cents} {command.into}"
    note = Note(at=row.at, who=command.voucher.partition("/")[0], what=what, why=f"row {row.number} of {table_id}")
    return [Ack(CLIENT, command.voucher, msgspec.json.encode(mark))], [note]


def tokens_held(before: Table, happened: Iterable[AnyEvent], row: Row) -> list[TokensHeld]:
    """Return the tokens and coupons that players held who left in a row; `before` is the table as it was."""
    return [
        TokensHeld(
            person=before.seats[event.seat].player,
            cents=chips.cents,
            into="match_play" if accounts.parse(chips.source).kind is accounts.Kind.COUPONS else "tokens",
            table=row.table_id,
            row=row.number,
            at_ms=row.at,
        )
        for event in happened
        if isinstance(event, PlayerLeft)
        for chips in event.chips
        if chips.target == accounts.PROMOTIONS
    ]
