"""SQL writes: how a batch becomes statements, and a database's refusal an outcome; never a connection."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from letitride.ledger.transfers import Transfer
from letitride.storage.journal import Row
from letitride.storage.roles.accounts import deltas
from letitride.storage.roles.journal import (
    Ack,
    Conflict,
    ConflictCode,
    Outcome,
    Stale,
    Write,
    Written,
    conflict,
    malformed,
)
from letitride.storage.sql.session import Database, Refused, Session, Values

_CONFLICTS: Final[Mapping[str, ConflictCode]] = {
    "unknown_table": "table",
    "unknown_epoch": "epoch",
    "wrong_number": "number",
    "wrong_previous": "previous",
    "never_owes": "balance",
    "within_bounds": "bounds",
    "answered_once": "command",
    "acks.client, acks.command": "command",
}
"""What a database's refusal is about, by a word of its message: a trigger's message or a constraint's name."""

JOURNAL: Final = (
    "INSERT INTO journal (table_id, number, at, who, command, epoch, events, previous, hash)"
    " VALUES (:table_id, :number, :at, :who, :command, :epoch, :events, :previous, :hash)"
)
_ACCOUNT: Final = (
    "INSERT INTO accounts (scope, name, cents) VALUES (:scope, :name, 0) ON CONFLICT (scope, name) DO NOTHING"
)
MOVE: Final = "UPDATE accounts SET cents = cents + :delta WHERE scope = :scope AND name = :name"
TRANSFER: Final = (
    "INSERT INTO transfers (table_id, number, source, target, cents)"
    " VALUES (:table_id, :number, :source, :target, :cents)"
)
ACK: Final = (
    "INSERT INTO acks (client, command, reply, table_id, epoch, number)"
    " VALUES (:client, :command, :reply, :table_id, :epoch, :number)"
)
DOCUMENT: Final = (
    "INSERT INTO documents (kind, id, version, body) VALUES (:kind, :id, :version, :body)"
    " ON CONFLICT (kind, id) DO NOTHING"
)
NEW: Final = f"{DOCUMENT} RETURNING json_build_array(kind, id)"
PUT: Final = (
    "UPDATE documents SET body = :body, version = version + 1 WHERE kind = :kind AND id = :id AND version = :version"
)
AUDIT: Final = "INSERT INTO audit (at, who, what, why) VALUES (:at, :who, :what, :why)"


def append(session: Session, writes: Sequence[Write]) -> list[Outcome]:
    """All at once; only where one is refused, each by itself."""
    if not any(map(malformed, writes)):
        try:
            with session.savepoint():
                apply(session, writes)
        except Refused:
            pass
        else:
            return [_written(session, write) for write in writes]
    return [_one(session, write) for write in writes]


def _one(session: Session, write: Write) -> Outcome:
    if no := malformed(write):
        return no
    try:
        with session.savepoint():
            apply(session, [write])
    except Refused as refused:
        if "stale_epoch" in str(refused):
            ((epoch,),) = session.run("SELECT epoch FROM game_tables WHERE id = :id", id=write.table_id)
            return Stale(table_id=write.table_id, epoch=epoch)
        return refusal(refused, write.table_id, epoch=write.epoch, number=write.number)
    return _written(session, write)


def append_at_once(database: Database, writes: Sequence[Write]) -> list[Outcome] | None:
    """Write all of them on one way to the database and back, where it can do that and refuses none of them."""
    if not database.ONE_TRIP or not all(write.rows for write in writes) or any(map(malformed, writes)):
        return None  # what a write is, is then looked at by `append`, once
    if database.at_once(lambda session: apply(session, writes)) is None:
        return None
    return [Written(table_id=one.table_id, number=one.rows[-1].number, hash=one.rows[-1].hash) for one in writes]


def apply(session: Session, writes: Sequence[Write]) -> None:
    """Say in statements what writes are; nothing is read for that."""
    for run in _runs(writes):
        session.many(JOURNAL, [row_values(row) for write in run for row in write.rows])
        session.many(
            ACK,
            [
                ack_values(ack, write.table_id, write.epoch, write.number - 1 + len(write.rows))
                for write in run
                for ack in write.acks
            ],
        )
    if session.SHARED:
        _lock(session, writes)
    for part in _parts(writes):
        hold(session, part)
        post(session, [(w.table_id, w.rows[-1].number, w.transfers) for w in part if w.transfers])
    if notes := [msgspec.structs.asdict(note) for write in writes for note in write.notes]:
        session.many(AUDIT, notes)
    if documents := [msgspec.structs.asdict(one) for write in writes for one in write.documents]:
        session.many(DOCUMENT, documents)


def _runs(writes: Sequence[Write]) -> Iterator[list[Write]]:
    """Part writes so that no table comes twice in a run: its answers come before its next rows."""
    run: list[Write] = []
    tables = set[str]()
    for write in writes:
        if write.table_id in tables:
            yield run
            run = []
            tables.clear()
        run.append(write)
        tables.add(write.table_id)
    yield run


def _parts(writes: Sequence[Write]) -> Iterator[list[Write]]:
    """Part writes so that one which relies on what accounts hold comes after all that change them before it."""
    part: list[Write] = []
    for write in writes:
        if write.holds and part:
            yield part
            part = []
        part.append(write)
    yield part


def _lock(session: Session, writes: Sequence[Write]) -> None:
    """Lock what writes share with those of other servers before any of it is moved, so that none wait in a circle."""
    named = {name for write in writes for name in write.holds}
    for write in writes:
        named |= {name for scope, name in deltas(write.table_id, write.transfers) if not scope}
    if len(named) > 1:
        session.lock(sorted(named))


def hold(session: Session, writes: Sequence[Write]) -> None:
    """Have the constraint of accounts refuse one that holds less than a write relies on: take it out, and put it back.

    The account stays locked until the transaction ends, so that nothing is taken from it in between.
    """
    for name, cents in sorted(pair for write in writes for pair in write.holds.items()):
        session.many(_ACCOUNT, [{"scope": "", "name": name}])
        session.many(MOVE, [{"scope": "", "name": name, "delta": delta} for delta in (-cents, cents)])


def post(session: Session, moved: Sequence[tuple[str, int | None, Sequence[Transfer]]]) -> None:
    """Each write's balances are checked when all of its transfers are made, and before the next write's."""
    changes = [
        {"scope": scope, "name": name, "delta": delta}
        for table_id, _, transfers in moved
        for (scope, name), delta in deltas(table_id, transfers).items()
    ]
    opened = {(change["scope"], change["name"]): change for change in changes}
    session.many(_ACCOUNT, [{"scope": scope, "name": name} for scope, name in sorted(opened)])
    session.many(MOVE, changes)
    session.many(
        TRANSFER,
        [
            {"table_id": table_id or None, "number": number, "source": t.source, "target": t.target, "cents": t.cents}
            for table_id, number, transfers in moved
            for t in transfers
        ],
    )


def row_values(row: Row) -> Values:
    """Return a row as the journal's columns."""
    values = msgspec.structs.asdict(row)
    return {**values, "who": values.pop("by")}


def ack_values(ack: Ack, table_id: str | None = None, epoch: int = 0, number: int = 0) -> Values:
    """Return an answer as the columns it is kept in."""
    return {**msgspec.structs.asdict(ack), "table_id": table_id, "epoch": epoch, "number": number}


def _written(session: Session, write: Write) -> Written:
    if write.rows:
        return Written(table_id=write.table_id, number=write.rows[-1].number, hash=write.rows[-1].hash)
    ((number, sealed),) = session.run("SELECT number, hash FROM game_tables WHERE id = :id", id=write.table_id)
    return Written(table_id=write.table_id, number=number, hash=sealed)


def refusal(refused: Refused, table_id: str, *, epoch: int = 0, number: int = 0) -> Conflict:
    """Return the conflict that a database's no means."""
    for word, code in _CONFLICTS.items():
        if word in str(refused):
            return conflict(code, table_id, epoch=epoch, number=number)
    first = str(refused).partition("\n")[0]
    return Conflict(table_id=table_id, code="malformed", reason=f"the database refuses it: {first}")
