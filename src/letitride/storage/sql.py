"""SQL store: what SQLite and PostgreSQL do in the same words; never a dialect, never a connection."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final, TypeVar

import msgspec

from letitride.errors import InvalidData, MissingData
from letitride.ledger import accounts
from letitride.ledger.transfers import Transfer
from letitride.storage import sql_writes, store
from letitride.storage.journal import Head, Row
from letitride.storage.sql_writes import ACK, AUDIT, Refused, Session, Values, ack_values, conflict, post
from letitride.storage.store import (
    Ack,
    AuditRow,
    Conflict,
    Document,
    Lease,
    Moved,
    Outcome,
    Posted,
    TableRecord,
    TableState,
    Write,
)

T = TypeVar("T")
_PAGE: Final = 1_000


_TABLE: Final = "SELECT id, name, about, state, reason, number, hash, epoch FROM game_tables"
_LEASE: Final = """
    UPDATE game_tables SET
        epoch = CASE WHEN node = :node AND until_ms > :now THEN epoch ELSE epoch + 1 END,
        node = :node, address = :address, until_ms = :until
    WHERE id = :table_id AND (node = :node OR node = '' OR until_ms <= :now)
    RETURNING epoch"""


class SqlStore(ABC):
    """A store in a database."""

    BY_SIGNS: ClassVar = "id"
    """An id in the order of its signs, whatever language the database sorts by."""
    SIGN: ClassVar = "char"
    EACH: ClassVar = "SELECT value FROM json_each(:ids)"
    """What picks the texts of a list that is given as JSON."""
    """The function that makes a sign of its number."""

    @abstractmethod
    def _read(self, sql: str, **values: Any) -> list[tuple[Any, ...]]:
        """Run a query outside any transaction of a writer; a value that cannot be kept is in no row."""

    @abstractmethod
    def _transact(self, work: Callable[[Session], T]) -> T:
        """Do work in one transaction; it may be called again where the database asks for it."""

    def create_table(self, table_id: str, name: str, about: Mapping[str, Any]) -> None:
        store.check_name("the id of a table", table_id)
        store.check_name("the name of a table", name)
        made = "INSERT INTO game_tables (id, name, about) VALUES (:id, :name, :about) ON CONFLICT (id) DO NOTHING"
        data = msgspec.json.encode(about)
        if not self._transact(lambda session: session.count(made, id=table_id, name=name, about=data)):
            raise InvalidData(f"expected an id for a new table, got '{table_id}', which is in use")

    def tables(self) -> list[TableRecord]:
        return [_table(row) for row in self._read(f"{_TABLE} ORDER BY id")]

    def table(self, table_id: str) -> TableRecord:
        for row in self._read(f"{_TABLE} WHERE id = :id", id=table_id):
            return _table(row)
        raise MissingData(f"expected the id of a table, got '{table_id}', which is none")

    def set_table_state(self, table_id: str, state: TableState, reason: str = "", *, epoch: int | None = None) -> bool:
        if state not in store.STATES:
            raise InvalidData(f"expected open, halted or closed, got '{state}'")
        store.check_texts(reason)
        changed = "UPDATE game_tables SET state = :state, reason = :reason WHERE id = :id"
        named: dict[str, Any] = {"state": state, "reason": reason, "id": table_id}
        if epoch is not None:
            changed, named = f"{changed} AND epoch = :epoch", {**named, "epoch": epoch}
        if self._transact(lambda session: session.count(changed, **named)):
            return True
        self.table(table_id)  # says that there is none
        return False

    def append(self, batch: Sequence[Write]) -> list[Outcome]:
        writes = list(batch)
        return self._transact(lambda session: sql_writes.append(session, writes)) if writes else []

    def rows(self, table_id: str, after: int = 0, limit: int | None = None) -> Iterator[Row]:
        query = (
            "SELECT number, at, who, command, epoch, events, previous, hash FROM journal"
            " WHERE table_id = :table_id AND number > :after ORDER BY number LIMIT :page"
        )
        left = limit
        while left is None or left > 0:  # page by page, so that no reader holds a snapshot for long
            page = _PAGE if left is None else min(left, _PAGE)
            found = self._read(query, table_id=table_id, after=after, page=page)
            for number, at, by, command, epoch, events, previous, sealed in found:
                yield Row(
                    table_id=table_id,
                    number=number,
                    at=at,
                    by=by,
                    command=command,
                    epoch=epoch,
                    events=bytes(events),
                    previous=previous,
                    hash=sealed,
                )
            if len(found) < page:
                return
            after = found[-1][0]
            left = None if left is None else left - page

    def last(self, table_id: str) -> Head:
        return self.table(table_id).head

    def reply(self, client: str, command: str) -> bytes | None:
        query = "SELECT reply FROM acks WHERE client = :client AND command = :command"
        found = self._read(query, client=client, command=command)
        return bytes(found[0][0]) if found else None

    def balances(self, table_id: str | None) -> dict[str, int]:
        query = "SELECT name, cents FROM accounts WHERE scope = :scope AND cents <> 0 ORDER BY name"
        return {name: int(cents) for name, cents in self._read(query, scope=table_id or "")}

    def wallet(self, name: str) -> int:
        found = self._read("SELECT cents FROM accounts WHERE scope = '' AND name = :name", name=accounts.wallet(name))
        return int(found[0][0]) if found else 0

    def transfers(self, table_id: str | None) -> Iterator[Posted]:
        which = "table_id IS NULL" if table_id is None else "table_id = :table_id"
        query = (
            f"SELECT id, number, source, target, cents FROM transfers"  # noqa: S608 - one of two texts of our own
            f" WHERE {which} AND id > :after ORDER BY id LIMIT :page"
        )
        named = {} if table_id is None else {"table_id": table_id}
        after = 0
        while found := self._read(query, after=after, page=_PAGE, **named):
            for _, number, source, target, cents in found:
                yield Posted(number=number or 0, source=source, target=target, cents=cents)
            after = found[-1][0]

    def total(self) -> int:
        return int(self._read("SELECT COALESCE(SUM(cents), 0) FROM accounts")[0][0])

    def fund(self, wallet: str, cents: int, why: str, *, at: int, who: str, ack: Ack | None = None) -> Moved | Conflict:
        moved = Transfer(accounts.CAGE, accounts.wallet(wallet), cents)
        return self._cash(wallet, moved, {"at": at, "who": who, "what": f"fund {wallet} {cents}", "why": why}, ack)

    def withdraw(
        self, wallet: str, cents: int, why: str, *, at: int, who: str, ack: Ack | None = None
    ) -> Moved | Conflict:
        moved = Transfer(accounts.wallet(wallet), accounts.CAGE, cents)
        return self._cash(wallet, moved, {"at": at, "who": who, "what": f"withdraw {wallet} {cents}", "why": why}, ack)

    def hand_over(
        self, wallet: str, to: str, cents: int, why: str, *, at: int, who: str, ack: Ack | None = None
    ) -> Moved | Conflict:
        if reason := store.bad_cash(wallet, cents):
            return Conflict(table_id="", code="malformed", reason=reason)
        moved = Transfer(accounts.wallet(wallet), accounts.wallet(to), cents)
        note = {"at": at, "who": who, "what": f"hand over {wallet} {cents} to {to}", "why": why}
        return self._cash(to, moved, note, ack)

    def _cash(self, wallet: str, moved: Transfer, note: Values, ack: Ack | None) -> Moved | Conflict:
        if reason := store.bad_cash(wallet, moved.cents):
            return Conflict(table_id="", code="malformed", reason=reason)
        store.check_texts(note["who"], note["why"])

        def work(session: Session) -> Moved | Conflict:
            try:
                with session.savepoint():
                    post(session, [("", None, (moved,))])
                    if ack is not None:
                        session.many(ACK, [ack_values(ack)])
                    session.run(AUDIT, **note)
            except Refused as refused:
                return conflict(refused, "")
            held = session.run(
                "SELECT cents FROM accounts WHERE scope = '' AND name = :name", name=accounts.wallet(wallet)
            )
            return Moved(wallet=wallet, cents=int(held[0][0]))

        return self._transact(work)

    def lease(self, table_id: str, node: str, address: str, now_ms: int, ttl_ms: int) -> Lease | None:
        store.check_name("the name of a node", node)
        store.check_texts(address)
        until = now_ms + ttl_ms
        named = {"table_id": table_id, "node": node, "address": address, "now": now_ms, "until": until}
        taken = self._transact(lambda session: session.run(_LEASE, **named))
        if not taken:
            self.table(table_id)  # says that there is none
            return None
        return Lease(table_id=table_id, node=node, address=address, epoch=taken[0][0], until_ms=until)

    def release(self, table_id: str, node: str, epoch: int) -> bool:
        freed = (
            "UPDATE game_tables SET node = '', address = '', until_ms = 0"
            " WHERE id = :table_id AND node = :node AND epoch = :epoch AND node <> ''"
        )
        return self._transact(lambda session: session.count(freed, table_id=table_id, node=node, epoch=epoch)) == 1

    def owner(self, table_id: str) -> Lease | None:
        query = "SELECT node, address, epoch, until_ms FROM game_tables WHERE id = :id AND node <> ''"
        for node, address, epoch, until in self._read(query, id=table_id):
            return Lease(table_id=table_id, node=node, address=address, epoch=epoch, until_ms=until)
        self.table(table_id)  # says that there is none
        return None

    def renew(self, node: str, now_ms: int, ttl_ms: int) -> dict[str, int]:
        store.check_name("the name of a node", node)
        renewed = "UPDATE game_tables SET until_ms = :until WHERE node = :node RETURNING id, epoch"
        return dict(sorted(self._transact(lambda session: session.run(renewed, node=node, until=now_ms + ttl_ms))))

    def leases(self) -> list[Lease]:
        query = "SELECT id, node, address, epoch, until_ms FROM game_tables WHERE node <> ''"
        found = [Lease(table_id=i, node=n, address=a, epoch=e, until_ms=u) for i, n, a, e, u in self._read(query)]
        return sorted(found, key=lambda lease: lease.table_id)

    def now_ms(self, own_ms: int) -> int:
        return own_ms

    def forget_leases(self) -> None:
        self._transact(lambda session: session.run("UPDATE game_tables SET node = '', address = '', until_ms = 0"))

    def put_document(self, kind: str, doc_id: str, body: bytes, version: int) -> int | None:
        store.check_document(kind, doc_id, body)
        if version:
            sql = (
                "UPDATE documents SET body = :body, version = version + 1"
                " WHERE kind = :kind AND id = :id AND version = :version"
            )
        else:
            sql = (
                "INSERT INTO documents (kind, id, version, body) VALUES (:kind, :id, :version + 1, :body)"
                " ON CONFLICT (kind, id) DO NOTHING"
            )
        named = {"kind": kind, "id": doc_id, "body": body, "version": version}
        return version + 1 if self._transact(lambda session: session.count(sql, **named)) else None

    def document(self, kind: str, doc_id: str) -> Document | None:
        query = "SELECT version, body FROM documents WHERE kind = :kind AND id = :id"
        for version, body in self._read(query, kind=kind, id=doc_id):
            return Document(kind=kind, id=doc_id, version=version, body=bytes(body))
        return None

    def documents_named(self, kind: str, ids: Sequence[str]) -> list[Document]:
        query = f"SELECT id, version, body FROM documents WHERE kind = :kind AND id IN ({self.EACH})"  # noqa: S608 - ours
        asked = msgspec.json.encode(ids).decode()
        return [
            Document(kind=kind, id=doc_id, version=version, body=bytes(body))
            for doc_id, version, body in self._read(query, kind=kind, ids=asked)
        ]

    def documents(self, kind: str, prefix: str = "", last: int | None = None) -> list[Document]:
        query = (
            "SELECT id, version, body FROM documents"  # noqa: S608 - a text of our own
            f" WHERE kind = :kind AND {self._range(prefix)} substr(id, 1, :length) = :prefix"
            f" ORDER BY {self.BY_SIGNS} DESC LIMIT :last"
        )
        most = store.NUMBER_MAX if last is None else last
        found = self._read(query, kind=kind, prefix=prefix, length=len(prefix), last=most)
        return [
            Document(kind=kind, id=doc_id, version=version, body=bytes(body))
            for doc_id, version, body in reversed(found)
        ]

    def _range(self, prefix: str) -> str:
        """Return what spares a database to look at every id where only some can begin with a prefix."""
        if not prefix:
            return ""
        beyond = f"substr(:prefix, 1, :length - 1) || {self.SIGN}({ord(prefix[-1]) + 1})"
        return f"{self.BY_SIGNS} >= :prefix AND {self.BY_SIGNS} < {beyond} AND"

    def delete_document(self, kind: str, doc_id: str, version: int) -> bool:
        sql = "DELETE FROM documents WHERE kind = :kind AND id = :id AND version = :version"
        return self._transact(lambda session: session.count(sql, kind=kind, id=doc_id, version=version)) == 1

    def audit(self, at: int, who: str, what: str, why: str) -> None:
        store.check_texts(who, what, why)
        self._transact(lambda session: session.run(AUDIT, at=at, who=who, what=what, why=why))

    def audits(self, after: int = 0, limit: int | None = None) -> Iterator[AuditRow]:
        query = "SELECT id, at, who, what, why FROM audit WHERE id > :after ORDER BY id LIMIT :page"
        left = limit
        while left is None or left > 0:
            page = _PAGE if left is None else min(left, _PAGE)
            found = self._read(query, after=after, page=page)
            for number, at, who, what, why in found:
                yield AuditRow(number=number, at=at, who=who, what=what, why=why)
            if len(found) < page:
                return
            after = found[-1][0]
            left = None if left is None else left - page


def _table(row: tuple[Any, ...]) -> TableRecord:
    table_id, name, about, state, reason, number, sealed, epoch = row
    return TableRecord(
        id=table_id,
        name=name,
        about=msgspec.json.decode(bytes(about)),
        state=state,
        reason=reason,
        number=number,
        hash=sealed,
        epoch=epoch,
    )
