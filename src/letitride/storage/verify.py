"""Verify: whether journals are as they were written and the ledger agrees with them; it changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final, Protocol

import msgspec
from msgspec.structs import replace

from letitride.engine.events import AnyEvent, VoucherExchanged
from letitride.errors import InvalidData, LetItRideError
from letitride.records.account_names import account_name
from letitride.rules.wager_table import PUBLISHED_BY_SPOT
from letitride.storage.journal import Bad, Head, Row, Walk
from letitride.storage.roles.accounts import deltas
from letitride.storage.roles.archives import Archive, archives_of
from letitride.storage.roles.documents import DocumentStore
from letitride.storage.roles.journal import JournalStore
from letitride.storage.roles.tables import TableRecord, TableStore
from letitride.storage.roles.wallets import WalletStore
from letitride.storage.sealed import Opener
from letitride.storage.vouchers import Exchange, disagreements

Balances = dict[tuple[str, str], int]
"""What each account holds, by the table it belongs to and its name."""
_NAMED: Final = 3
"""How many accounts that are wrong are named in a sentence."""


class TableVerdict(msgspec.Struct, frozen=True, kw_only=True):
    """What was found at one table."""

    table_id: str
    name: str
    rows: int
    """How many rows are good, from the first."""
    hash: str
    """The hash of the last of them: who has it can tell later whether anything before it was changed."""
    bad: Bad | None
    """The first row that is not as it was written."""
    wrong: tuple[str, ...]
    """What the ledger says otherwise than the journal."""
    archived: int = 0
    """How many of them were held by their links alone: their events are in an archive that was not given."""
    sealed: tuple[int, ...] = ()
    """Which of them are of a round in play, whole as they are kept, and sealed under the house's key."""


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What was found in the books."""

    tables: tuple[TableVerdict, ...]
    wrong: tuple[str, ...]
    """What is wrong with the money outside the tables, or with all of it together."""

    @property
    def good(self) -> bool:
        """Whether nothing was found."""
        return not self.wrong and not any(table.bad or table.wrong for table in self.tables)


class Books(Protocol):
    """What is compared with one another: the register of tables, their journals, the ledger and the vouchers."""

    @property
    def tables(self) -> TableStore:
        """The register of tables."""

    @property
    def journal(self) -> JournalStore:
        """The journals."""

    @property
    def wallets(self) -> WalletStore:
        """The ledger."""

    @property
    def documents(self) -> DocumentStore:
        """The documents, among which are the vouchers of the house."""


ReadArchive = Callable[[Archive], Iterable[Row]]
"""Yields the rows of an archive; what was changed there is refused."""


def verify(books: Books, table_id: str | None = None, read_archive: ReadArchive | None = None) -> Verdict:
    """Walk one journal, or all of them, and hold the ledger against what they say.

    Rows whose events are in an archive are walked there, if it is given; else they are held by their links, and for
    what they say of money their transfers stand. So it is with rows of a round in play that no key is there for.

    Of books that are being written to only the journals can be judged for sure; its money is judged from a backup.
    """
    records = books.tables.all() if table_id is None else [books.tables.get(table_id)]
    told: Balances = {}
    exchanges: list[Exchange] = []
    found = tuple(_table(books, record, told, exchanges, read_archive) for record in records)
    sealed = {(table.table_id, row) for table in found for row in table.sealed}
    wrong: list[str] = []
    if table_id is None:
        wrong += _outside(books, found, told)
        if not any(table.bad for table in found):
            wrong += disagreements(books.documents, books.journal, exchanges, sealed)
    return Verdict(tables=found, wrong=tuple(wrong))


def _table(
    books: Books, record: TableRecord, told: Balances, exchanges: list[Exchange], read_archive: ReadArchive | None
) -> TableVerdict:
    def fold(happened: tuple[AnyEvent, ...]) -> None:
        for event in happened:
            if isinstance(event, VoucherExchanged):
                cents, number = sum(one.cents for one in event.chips), walk.last.number + 1
                exchanges.append(Exchange(table=record.id, row=number, cents=cents, voucher=event.voucher))
            for account, cents in deltas(record.id, event.chips).items():
                _add(told, account, cents)

    archives = archives_of(books.documents, record.id)
    missing = [] if read_archive else archives
    walk = Walk(record.id, fold, [(one.first, one.last) for one in missing])
    try:
        bad = walk.through(Opener(books.documents).rows(_whole(books.journal.rows(record.id), archives, read_archive)))
    except InvalidData as error:
        bad = Bad(table_id=record.id, number=walk.last.number + 1, reason=str(error))
    bad = bad or _ends(books, missing)
    for one in missing:
        exchanges += [
            Exchange(table=record.id, row=kept.row, cents=kept.cents, voucher=kept.voucher) for kept in one.vouchers
        ]
    while bad is None and (head := books.journal.last(record.id)) != walk.last:  # it has grown since, or it is cut off
        before: Head = walk.last
        bad = walk.through(books.journal.rows(record.id, after=before.number))
        if bad is None and walk.last == before:
            bad = walk.ends_at(head)
    unread = [*(range(one.first, one.last + 1) for one in missing), frozenset(walk.sealed)]
    # The transfers of rows that were written together have the number of the last: such rows are sealed all or none.
    posted = books.wallets.transfers(record.id) if missing or walk.sealed else []
    gone = [moved for moved in posted if any(moved.number in numbers for numbers in unread)]
    for account, cents in deltas(record.id, gone).items():
        _add(told, account, cents)
    wrong: list[str] = []
    if bad is None:
        mine = {name: cents for (scope, name), cents in told.items() if scope == record.id}
        wrong += _differences("its events", mine, books.wallets.balances(record.id))
        moved = deltas(record.id, books.wallets.transfers(record.id))
        mine = {name: cents for (scope, name), cents in moved.items() if scope == record.id}
        wrong += _differences("its transfers", mine, books.wallets.balances(record.id))
    return TableVerdict(
        table_id=record.id,
        name=record.name,
        rows=walk.last.number,
        hash=walk.last.hash,
        bad=bad,
        wrong=tuple(wrong),
        archived=sum(one.last - one.first + 1 for one in missing),
        sealed=tuple(walk.sealed),
    )


def _whole(rows: Iterable[Row], archives: Sequence[Archive], read_archive: ReadArchive | None) -> Iterator[Row]:
    """Yield rows, those without events with what the archives have of them."""
    from_archives = chain.from_iterable(map(read_archive, archives)) if read_archive else iter(())
    for row in rows:
        kept = next(from_archives, None) if not row.events else None
        yield replace(row, events=kept.events) if kept is not None else row
    if next(from_archives, None) is not None:  # asked for to the end: only then a file is known to be whole
        raise InvalidData("expected archives of the rows that have no events here, got more rows")


def _ends(books: Books, archives: Sequence[Archive]) -> Bad | None:
    """See that archives end with the rows that the store has there."""
    for one in archives:
        row = next(iter(books.journal.rows(one.table_id, one.last - 1, 1)), None)
        if row is None or row.hash != one.hash:
            reason = f"expected the hash {one.hash[:16]}… where the archive {one.file} ends, got another"
            return Bad(table_id=one.table_id, number=one.last, reason=reason)
    return None


def _outside(books: Books, found: Iterable[TableVerdict], told: Balances) -> Iterable[str]:
    kept = books.wallets.balances(None)
    cash = deltas("", books.wallets.transfers(None))
    posted = dict(cash)
    for table in found:
        for account, cents in deltas(table.table_id, books.wallets.transfers(table.table_id)).items():
            _add(posted, account, cents)
    yield from _differences("all transfers", _wallets(posted), kept)
    if not any(table.bad for table in found):
        for account, cents in cash.items():
            _add(told, account, cents)
        yield from _differences("all events and the cage", _wallets(told), kept)
    if books.wallets.total():
        yield f"expected all accounts to balance at 0 cents, got {books.wallets.total()} cents"


def _add(balances: Balances, account: tuple[str, str], cents: int) -> None:
    balances[account] = balances.get(account, 0) + cents


def _wallets(balances: Balances) -> dict[str, int]:
    return {name: cents for (scope, name), cents in balances.items() if not scope}


def _account(account: str) -> str:
    """Return what people call an account; one that is no account of ours, by what is written there."""
    try:
        return account_name(account, PUBLISHED_BY_SPOT)
    except LetItRideError:
        return account


def _differences(by: str, told: Mapping[str, int], kept: Mapping[str, int]) -> list[str]:
    names = [name for name in sorted({*told, *kept}) if told.get(name, 0) != kept.get(name, 0)]
    said = [
        f"expected {told.get(name, 0)} cents in the account '{_account(name)}' by {by}, got {kept.get(name, 0)}"
        for name in names[:_NAMED]
    ]
    return [*said, f"and {len(names) - _NAMED} accounts more"] if len(names) > _NAMED else said
