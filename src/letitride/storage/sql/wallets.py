"""SQL wallets: balances and transfers in a database; what an account may hold is the constraints' to say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from letitride.ledger import accounts
from letitride.ledger.transfers import Transfer
from letitride.storage.roles.audit import Note
from letitride.storage.roles.journal import Ack, Conflict
from letitride.storage.roles.wallets import Cash, Moved, Posted
from letitride.storage.sql.session import Database, Refused, Session, Values, pages
from letitride.storage.sql.writes import ACK, AUDIT, ack_values, post, refusal

_HELD: Final = "SELECT cents FROM accounts WHERE scope = '' AND name = :name"
_SHOWN: Final = (
    "SELECT COALESCE(SUM(cents), 0) FROM ("
    "SELECT cents FROM accounts WHERE scope = '' AND name = :meter"
    " UNION ALL SELECT a.cents FROM game_tables t JOIN accounts a ON a.scope = t.id AND a.name = :taken) AS parts"
)
"""By the key of accounts, table by table: there may be many wallets beside them."""


class SqlWallets(Cash):
    """The ledger."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def balance(self, wallet: str) -> int:
        found = self._database.read(_HELD, name=accounts.wallet(wallet))
        return int(found[0][0]) if found else 0

    def meter(self, wager: str) -> int:
        found = self._database.read(_HELD, name=accounts.shared_meter(wager))
        return int(found[0][0]) if found else 0

    def meter_shown(self, wager: str) -> int:
        named = {"meter": accounts.shared_meter(wager), "taken": accounts.taken(wager)}
        return int(self._database.read(_SHOWN, **named)[0][0])

    def balances(self, table_id: str | None) -> dict[str, int]:
        query = "SELECT name, cents FROM accounts WHERE scope = :scope AND cents <> 0 ORDER BY name"
        return {name: int(cents) for name, cents in self._database.read(query, scope=table_id or "")}

    def transfers(self, table_id: str | None, after: int = 0) -> Iterator[Posted]:
        which = "table_id IS NULL" if table_id is None else "table_id = :table_id AND number > :row"
        query = (
            f"SELECT id, number, source, target, cents FROM transfers"  # noqa: S608 - one of two texts of our own
            f" WHERE {which} AND id > :after ORDER BY id LIMIT :page"
        )
        named: Values = {} if table_id is None else {"table_id": table_id, "row": after}
        for _, number, source, target, cents in pages(self._database.read, query, **named):
            yield Posted(number=number or 0, source=source, target=target, cents=cents)

    def total(self) -> int:
        return int(self._database.read("SELECT COALESCE(SUM(cents), 0) FROM accounts")[0][0])

    def _move(self, wallet: str, moved: Transfer, note: Note, ack: Ack | None) -> Moved | Conflict:
        def work(session: Session) -> Moved | Conflict:
            try:
                with session.savepoint():
                    post(session, [("", None, (moved,))])
                    if ack is not None:
                        session.many(ACK, [ack_values(ack)])
                    session.run(AUDIT, **msgspec.structs.asdict(note))
            except Refused as refused:
                return refusal(refused, "")
            held = session.run(_HELD, name=accounts.wallet(wallet))
            return Moved(wallet=wallet, cents=int(held[0][0]))

        return self._database.transact(work)
