"""Memory store: the contract without a disk, for tests and for play that nobody keeps; gone when the process is."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import asdict, replace

from letitride.errors import InvalidData, MissingData
from letitride.ledger import accounts
from letitride.ledger.transfers import Transfer
from letitride.storage import dump, store
from letitride.storage.journal import START, Head, Row
from letitride.storage.sqlite import read_backup
from letitride.storage.store import (
    Ack,
    AuditRow,
    Conflict,
    Document,
    Lease,
    Moved,
    Outcome,
    Posted,
    Stale,
    TableRecord,
    TableState,
    Write,
    Written,
)


@dataclass(slots=True)
class _Held:
    """A table, its rows, and its lease."""

    record: TableRecord
    rows: list[Row] = field(default_factory=list)
    node: str = ""
    address: str = ""
    until_ms: int = 0


class MemoryStore:
    """A store that forgets."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._forget()

    def _forget(self) -> None:
        self._tables: dict[str, _Held] = {}
        self._accounts: dict[tuple[str, str], int] = {}
        self._transfers: list[dump.TransferLine] = []
        self._acks: dict[tuple[str, str], dump.AckLine] = {}
        self._documents: dict[tuple[str, str], Document] = {}
        self._audit: list[AuditRow] = []

    def create_table(self, table_id: str, name: str, about: Mapping[str, Any]) -> None:
        store.check_name("the id of a table", table_id)
        store.check_name("the name of a table", name)
        kept = msgspec.json.decode(msgspec.json.encode(about))
        with self._lock:
            if table_id in self._tables:
                raise InvalidData(f"expected an id for a new table, got '{table_id}', which is in use")
            self._tables[table_id] = _Held(TableRecord(id=table_id, name=name, about=kept, hash=START))

    def tables(self) -> list[TableRecord]:
        with self._lock:
            return [self._tables[table_id].record for table_id in sorted(self._tables)]

    def table(self, table_id: str) -> TableRecord:
        return self._held(table_id).record

    def _held(self, table_id: str) -> _Held:
        with self._lock:
            if table_id not in self._tables:
                raise MissingData(f"expected the id of a table, got '{table_id}', which is none")
            return self._tables[table_id]

    def set_table_state(self, table_id: str, state: TableState, reason: str = "", *, epoch: int | None = None) -> bool:
        if state not in store.STATES:
            raise InvalidData(f"expected open, halted or closed, got '{state}'")
        store.check_texts(reason)
        with self._lock:
            held = self._held(table_id)
            if epoch not in {None, held.record.epoch}:
                return False
            held.record = replace(held.record, state=state, reason=reason)
            return True

    def append(self, batch: Sequence[Write]) -> list[Outcome]:
        with self._lock:
            return [self._one(write) for write in batch]

    def _one(self, write: Write) -> Outcome:
        """Look at everything first, and change something only when nothing is in the way."""

        def no(code: store.ConflictCode, reason: str) -> Conflict:
            return Conflict(table_id=write.table_id, code=code, reason=reason)

        if reason := store.malformed(write):
            return no("malformed", reason)
        held = self._tables.get(write.table_id)
        if held is None:
            return no("table", f"expected a table that exists, got '{write.table_id}'")
        record = held.record
        if write.epoch < record.epoch:
            return Stale(table_id=write.table_id, epoch=record.epoch)
        if write.epoch > record.epoch:
            return no("epoch", f"expected an epoch that was given with a lease, got {write.epoch}")
        if write.number != record.number + 1:
            return no("number", f"expected the row that follows the journal, got row {write.number}")
        if write.rows and write.rows[0].previous != record.hash:
            return no("previous", "expected the hash of the journal's last row, got another")
        names = [(ack.client, ack.command) for ack in write.acks]
        if len(set(names)) < len(names) or any(name in self._acks for name in names):
            return no("command", "expected commands that were not answered yet, got one that was")
        balances = self._after(write.table_id, write.transfers)
        if isinstance(balances, Conflict):
            return balances
        held.rows += write.rows
        last = Head(write.rows[-1].number, write.rows[-1].hash) if write.rows else record.head
        held.record = replace(record, number=last.number, hash=last.hash)
        self._accounts.update(balances)
        self._transfers += [_line(write.table_id, last.number, transfer) for transfer in write.transfers]
        for ack in write.acks:
            self._keep(ack, write.table_id, write.epoch, last.number)
        for note in write.notes:
            self.audit(**asdict(note))
        return Written(table_id=write.table_id, number=last.number, hash=last.hash)

    def _keep(self, ack: Ack, table_id: str | None, epoch: int, number: int) -> None:
        kept = dump.AckLine(**asdict(ack), table_id=table_id, epoch=epoch, number=number)
        self._acks[ack.client, ack.command] = kept

    def _after(self, table_id: str, transfers: Sequence[Transfer]) -> dict[tuple[str, str], int] | Conflict:
        changed = {
            account: self._accounts.get(account, 0) + delta
            for account, delta in store.deltas(table_id, transfers).items()
        }
        if any(cents < 0 and not accounts.may_owe(name) for (_, name), cents in changed.items()):
            return Conflict(table_id=table_id, code="balance", reason="expected no account to owe, got one that would")
        if any(abs(cents) > store.CENTS_MAX for cents in changed.values()):
            reason = "expected balances within 10^15 cents, got one beyond"
            return Conflict(table_id=table_id, code="bounds", reason=reason)
        return changed

    def rows(self, table_id: str, after: int = 0, limit: int | None = None) -> Iterator[Row]:
        with self._lock:
            held = self._tables.get(table_id)
            found = held.rows[after:] if held else []
        return iter(found if limit is None else found[:limit])

    def last(self, table_id: str) -> Head:
        return self.table(table_id).head

    def reply(self, client: str, command: str) -> bytes | None:
        with self._lock:
            found = self._acks.get((client, command))
        return found.reply if found else None

    def balances(self, table_id: str | None) -> dict[str, int]:
        with self._lock:
            wanted = table_id or ""
            return {name: cents for (scope, name), cents in sorted(self._accounts.items()) if scope == wanted and cents}

    def wallet(self, name: str) -> int:
        with self._lock:
            return self._accounts.get(("", accounts.wallet(name)), 0)

    def transfers(self, table_id: str | None) -> Iterator[Posted]:
        with self._lock:
            found = [line for line in self._transfers if line.table_id == table_id]
        return (
            Posted(number=line.number or 0, source=line.source, target=line.target, cents=line.cents) for line in found
        )

    def total(self) -> int:
        with self._lock:
            return sum(self._accounts.values())

    def fund(self, wallet: str, cents: int, why: str, *, at: int, who: str, ack: Ack | None = None) -> Moved | Conflict:
        moved = Transfer(accounts.CAGE, accounts.wallet(wallet), cents)
        return self._cash(wallet, moved, (at, who, f"fund {wallet} {cents}", why), ack)

    def withdraw(
        self, wallet: str, cents: int, why: str, *, at: int, who: str, ack: Ack | None = None
    ) -> Moved | Conflict:
        moved = Transfer(accounts.wallet(wallet), accounts.CAGE, cents)
        return self._cash(wallet, moved, (at, who, f"withdraw {wallet} {cents}", why), ack)

    def hand_over(
        self, wallet: str, to: str, cents: int, why: str, *, at: int, who: str, ack: Ack | None = None
    ) -> Moved | Conflict:
        if reason := store.bad_cash(wallet, cents):
            return Conflict(table_id="", code="malformed", reason=reason)
        moved = Transfer(accounts.wallet(wallet), accounts.wallet(to), cents)
        return self._cash(to, moved, (at, who, f"hand over {wallet} {cents} to {to}", why), ack)

    def _cash(self, wallet: str, moved: Transfer, note: tuple[int, str, str, str], ack: Ack | None) -> Moved | Conflict:
        if reason := store.bad_cash(wallet, moved.cents):
            return Conflict(table_id="", code="malformed", reason=reason)
        store.check_texts(*note[1:])
        with self._lock:
            balances = self._after("", [moved])
            if isinstance(balances, Conflict):
                return balances
            if ack is not None and (ack.client, ack.command) in self._acks:
                reason = "expected commands that were not answered yet, got one that was"
                return Conflict(table_id="", code="command", reason=reason)
            self._accounts.update(balances)
            self._transfers.append(_line(None, None, moved))
            if ack is not None:
                self._keep(ack, None, 0, 0)
            self.audit(*note)
            return Moved(wallet=wallet, cents=balances["", accounts.wallet(wallet)])

    def lease(self, table_id: str, node: str, address: str, now_ms: int, ttl_ms: int) -> Lease | None:
        store.check_name("the name of a node", node)
        store.check_texts(address)
        with self._lock:
            held = self._held(table_id)
            expired = held.until_ms <= now_ms
            if held.node not in {"", node} and not expired:
                return None
            if held.node != node or expired:
                held.record = replace(held.record, epoch=held.record.epoch + 1)
            held.node, held.address, held.until_ms = node, address, now_ms + ttl_ms
            return self.owner(table_id)

    def release(self, table_id: str, node: str, epoch: int) -> bool:
        with self._lock:
            held = self._tables.get(table_id)
            if held is None or not node or (held.node, held.record.epoch) != (node, epoch):
                return False
            held.node, held.address, held.until_ms = "", "", 0
            return True

    def owner(self, table_id: str) -> Lease | None:
        with self._lock:
            held = self._held(table_id)
            if not held.node:
                return None
            epoch = held.record.epoch
            return Lease(table_id=table_id, node=held.node, address=held.address, epoch=epoch, until_ms=held.until_ms)

    def renew(self, node: str, now_ms: int, ttl_ms: int) -> dict[str, int]:
        with self._lock:
            mine = {table_id: held for table_id, held in sorted(self._tables.items()) if node and held.node == node}
            for held in mine.values():
                held.until_ms = now_ms + ttl_ms
            return {table_id: held.record.epoch for table_id, held in mine.items()}

    def leases(self) -> list[Lease]:
        with self._lock:
            return [lease for table_id in sorted(self._tables) if (lease := self.owner(table_id)) is not None]

    def forget_leases(self) -> None:
        with self._lock:
            for held in self._tables.values():
                held.node, held.address, held.until_ms = "", "", 0

    def now_ms(self, own_ms: int) -> int:
        return own_ms

    def alone(self) -> bool:
        return True

    def put_document(self, kind: str, doc_id: str, body: bytes, version: int) -> int | None:
        store.check_document(kind, doc_id, body)
        with self._lock:
            kept = self._documents.get((kind, doc_id))
            if version != (kept.version if kept else 0):
                return None
            self._documents[kind, doc_id] = Document(kind=kind, id=doc_id, version=version + 1, body=body)
            return version + 1

    def document(self, kind: str, doc_id: str) -> Document | None:
        with self._lock:
            return self._documents.get((kind, doc_id))

    def documents_named(self, kind: str, ids: Sequence[str]) -> list[Document]:
        with self._lock:
            return [found for doc_id in set(ids) if (found := self._documents.get((kind, doc_id))) is not None]

    def documents(self, kind: str, prefix: str = "", last: int | None = None) -> list[Document]:
        with self._lock:
            every = sorted(self._documents.items())
            found = [document for (of, doc_id), document in every if of == kind and doc_id.startswith(prefix)]
            return found if last is None else found[max(0, len(found) - last) :]

    def delete_document(self, kind: str, doc_id: str, version: int) -> bool:
        with self._lock:
            kept = self._documents.get((kind, doc_id))
            if kept is None or kept.version != version:
                return False
            del self._documents[kind, doc_id]
            return True

    def audit(self, at: int, who: str, what: str, why: str) -> None:
        store.check_texts(who, what, why)
        with self._lock:
            self._audit.append(AuditRow(number=len(self._audit) + 1, at=at, who=who, what=what, why=why))

    def audits(self, after: int = 0, limit: int | None = None) -> Iterator[AuditRow]:
        with self._lock:
            found = self._audit[after:]
        return iter(found if limit is None else found[:limit])

    def backup(self, path: Path) -> None:
        """Write everything to a new file of JSON lines."""
        with self._lock:
            dump.write_dump(path, self._export())

    def _export(self) -> Iterator[dump.Line]:
        acks = sorted(self._acks.values(), key=lambda ack: (ack.epoch, ack.number, ack.client, ack.command))
        for table_id in sorted(self._tables):
            held = self._tables[table_id]
            fields = {**asdict(held.record), "about": msgspec.json.encode(held.record.about)}
            yield dump.TableLine(**fields, node=held.node, address=held.address, until_ms=held.until_ms)
            history: list[dump.RowLine | dump.AckLine] = [
                *(dump.RowLine(**_without_by(row), who=row.by) for row in held.rows),
                *(ack for ack in acks if ack.table_id == table_id),
            ]
            yield from sorted(history, key=dump.order)
        yield from (ack for ack in acks if ack.table_id is None)
        yield from self._transfers
        for (scope, name), cents in sorted(self._accounts.items()):
            yield dump.AccountLine(scope=scope, name=name, cents=cents)
        for _, document in sorted(self._documents.items()):
            yield dump.DocumentLine(**asdict(document))
        for row in self._audit:
            yield dump.AuditLine(at=row.at, who=row.who, what=row.what, why=row.why)

    def restore(self, path: Path) -> None:
        """Read a backup into this store, which must be empty."""
        with self._lock:
            if self._tables or self._accounts or self._documents or self._audit or self._acks:
                raise InvalidData("expected an empty store to restore into, got one that holds something")
            try:
                for line in read_backup(path):
                    self._load(line)
                self._check_ends()
            except BaseException:
                self._forget()
                raise

    def _check_ends(self) -> None:
        for held in self._tables.values():
            end, last = held.record.head, held.record.head if not held.rows else held.rows[-1]
            if (end.number, end.hash) != (last.number, last.hash) or end.number != len(held.rows):
                came = f"got {len(held.rows)} rows"
                raise InvalidData(f"expected the journal of table {held.record.id} to end at row {end.number}, {came}")

    def _load(self, line: dump.Line) -> None:
        match line:
            case dump.TableLine():
                fields = {**asdict(line), "about": msgspec.json.decode(line.about)}
                lease = {name: fields.pop(name) for name in ("node", "address", "until_ms")}
                self._tables[line.id] = _Held(TableRecord(**fields), **lease)
            case dump.RowLine():
                fields = asdict(line)
                self._tables[line.table_id].rows.append(Row(by=fields.pop("who"), **fields))
            case dump.AckLine():
                self._acks[line.client, line.command] = line
            case dump.TransferLine():
                self._transfers.append(line)
            case dump.AccountLine():
                self._accounts[line.scope, line.name] = line.cents
            case dump.DocumentLine():
                self._documents[line.kind, line.id] = Document(**asdict(line))
            case dump.AuditLine():
                self.audit(**asdict(line))

    def close(self) -> None:
        """Nothing is held."""


def _line(table_id: str | None, number: int | None, moved: Transfer) -> dump.TransferLine:
    return dump.TransferLine(
        table_id=table_id, number=number, source=moved.source, target=moved.target, cents=moved.cents
    )


def _without_by(row: Row) -> dict[str, Any]:
    return {name: value for name, value in asdict(row).items() if name != "by"}
