"""The contract of backups, the same for every store."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from letitride.errors import InvalidData, MissingData
from letitride.ledger.transfers import Transfer
from letitride.storage.dump import AckLine, RowLine, TransferLine, read_dump, write_dump
from letitride.storage.journal import Head
from letitride.storage.roles.journal import Ack, Write
from letitride.storage.roles.stores import Stores
from letitride.storage.urls import open_store
from tests.storage.conftest import KINDS
from tests.storage.helpers import is_written, write


def everything(store: Stores) -> object:
    tables = store.tables.all()
    return (
        tables,
        [list(store.journal.rows(table.id)) for table in tables],
        [store.leases.owner(table.id) for table in tables],
        [store.wallets.balances(scope) for scope in [None, *(table.id for table in tables)]],
        [list(store.wallets.transfers(scope)) for scope in [None, *(table.id for table in tables)]],
        store.documents.find("person"),
        [(one.at, one.who, one.what, one.why) for one in store.audit.rows()],
        [store.journal.reply("c", str(number)) for number in range(8)],
    )


def fill(store: Stores) -> None:
    store.tables.create("t1", "First", {"a": 1})
    store.tables.create("t2", "Second", {})
    store.wallets.fund("Ann", 1_000, "cash\nin hand", at=1, who="x", ack=Ack("c", "0", b"\x00\xff"))
    store.journal.append(
        [write(Head(), "t1", transfers=[Transfer("wallet:Ann", "stack:1", 1)], acks=[Ack("c", "1", b"1")])]
    )
    store.leases.take("t1", "a", "a:1", now_ms=0, ttl_ms=10)
    store.journal.append([Write(table_id="t1", epoch=1, number=2, acks=[Ack("c", "2", b"2")])])
    store.journal.append([write(store.journal.last("t1"), "t1", epoch=1, acks=[Ack("c", "3", b"3")])])
    store.leases.take("t1", "b", "b:1", now_ms=50, ttl_ms=10)
    store.journal.append(
        [write(store.journal.last("t1"), "t1", epoch=2), write(Head(), "t2", acks=[Ack("c", "4", b"4")])]
    )
    store.leases.take("t2", "b", "b:1", now_ms=50, ttl_ms=10)
    store.tables.set_state("t2", "closed", "night")
    store.documents.put("person", "ann", b"{}", 0)
    store.documents.put("person", "ann", b"[]", 1)


@pytest.mark.parametrize("target", KINDS)
def test_a_backup_of_any_store_is_restored_into_any_other(
    store: Stores, target: str, address: Callable[[str], str], tmp_path: Path
) -> None:
    fill(store)
    before, file = everything(store), tmp_path / "backup"
    store.backups.write(file)
    with pytest.raises(InvalidData, match="expected the path of a new file"):
        store.backups.write(file)
    with pytest.raises(InvalidData, match="expected an empty store"):
        store.backups.restore(file)
    url = address(target)  # empties the PostgreSQL database, where that is the store itself
    if target == "sqlite":
        url = f"sqlite:///{tmp_path / 'restored.db'}"
    other = open_store(url)
    try:
        other.backups.restore(file)
        assert before == everything(other)
        assert 0 == other.wallets.total()
        head, epoch = other.journal.last("t1"), other.tables.get("t1").epoch
        assert all(map(is_written, other.journal.append([write(head, "t1", epoch=epoch)])))
        other.audit.add(9, "x", "goes on", "")
    finally:
        other.close()


def test_what_is_no_backup_is_refused_and_leaves_the_store_empty(store: Stores, tmp_path: Path) -> None:
    source = open_store("memory:")
    fill(source)
    source.backups.write(tmp_path / "whole")
    lines = (tmp_path / "whole").read_bytes().splitlines(keepends=True)
    bad = {
        "cut": b"".join(lines[:-1]),
        "changed": b"".join([*lines[:-2], lines[-2].replace(b"fund Ann", b"fund Eve"), lines[-1]]),
        "other": b'{"hello": 1}\n',
        "empty": b"",
        "long": b"".join([*lines, lines[-2]]),
    }
    for name, content in bad.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InvalidData, match="expected"):
            store.backups.restore(tmp_path / name)
        assert [] == store.tables.all()
    with pytest.raises(MissingData, match="does not exist"):
        store.backups.restore(tmp_path / "none")


def test_a_backup_with_a_true_checksum_but_a_row_too_few_is_refused(store: Stores, tmp_path: Path) -> None:
    source = open_store("memory:")
    fill(source)
    source.backups.write(tmp_path / "whole")
    whole = list(read_dump(tmp_path / "whole"))
    for number in (1, 3):
        lacking = [
            line
            for line in whole
            if not isinstance(line, TransferLine | AckLine)
            and not (isinstance(line, RowLine) and (line.table_id, line.number) == ("t1", number))
        ]
        write_dump(tmp_path / str(number), lacking)
        with pytest.raises(InvalidData, match="expected"):
            store.backups.restore(tmp_path / str(number))
        assert [] == store.tables.all()
