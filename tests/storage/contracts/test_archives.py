"""The contract of archives, the same for every store: events go into files and come back, and the chain stays whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest

from letitride.errors import InvalidData, MissingData
from letitride.rules.catalog import ready_rules
from letitride.storage import archive, past
from letitride.storage.archive import reader
from letitride.storage.journal import Row, read
from letitride.storage.past import Past
from letitride.storage.roles.archives import Archive, archives_of
from letitride.storage.roles.journal import Write
from letitride.storage.roles.stores import Stores
from letitride.storage.urls import open_store
from letitride.storage.verify import verify
from tests.storage.conftest import KINDS
from tests.storage.helpers import is_written, play_into, write

LATER = 10_000
"""After all that was played."""
TURNS = 1_200


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(past, "MARK_EVERY", 60)
    monkeypatch.setattr(archive, "ROUNDS_KEPT", 3)


def archived(store: Stores, folder: Path, table: str = "t1") -> Archive:
    made = archive.write(store, table, folder, LATER, at=20_000, who="operator")
    assert made is not None
    return made


def events(store: Stores) -> list[bytes]:
    return [row.events for row in store.journal.rows("t1")]


def test_events_go_into_a_file_and_everything_else_stays(store: Stores, tmp_path: Path) -> None:
    table = play_into(store, "t1", ready_rules("nsw-1"), TURNS)
    before, balances = list(store.journal.rows("t1")), store.wallets.balances("t1")
    recent = list(Past(store.journal, store.documents, "t1").rounds(table.round - 2))
    made = archived(store, tmp_path)
    after = list(store.journal.rows("t1"))
    assert (2, True) == (made.first, made.last > 100)
    gone = [row.number for row in after if not row.events]
    assert list(range(made.first, made.last + 1)) == gone
    assert [_but_events(row) for row in before] == [_but_events(row) for row in after]
    assert balances == store.wallets.balances("t1")
    assert [(made.table_id, "operator")] == [
        (one.what.removeprefix("archive "), one.who) for one in store.audit.rows() if one.what.startswith("archive")
    ]
    # What is played now goes on: the table, its last rounds, and what follows.
    again = Past(store.journal, store.documents, "t1")
    assert table == again.present()[0]
    assert table.round - 1 <= again.last_round() <= table.round
    assert recent == list(again.rounds(table.round - 2))
    assert all(map(is_written, store.journal.append([write(store.journal.last("t1"))])))
    with pytest.raises(MissingData, match=r"which is in an archive: 'letitride archive restore' brings it back"):
        list(again.rounds(1, 1))


def _but_events(row: Row) -> tuple[object, ...]:
    return (row.table_id, row.number, row.at, row.by, row.command, row.epoch, row.previous, row.hash)


def test_a_chain_is_verified_with_its_archive_and_without(store: Stores, tmp_path: Path) -> None:
    play_into(store, "t1", ready_rules("nsw-1"), TURNS)
    whole = verify(store)
    assert (True, 0) == (whole.good, whole.tables[0].archived)
    made = archived(store, tmp_path)
    alone, together = verify(store), verify(store, read_archive=reader(tmp_path))
    assert (True, made.last - made.first + 1) == (alone.good, alone.tables[0].archived)
    assert whole == together
    assert whole.tables[0].hash == alone.tables[0].hash


def test_a_second_archive_goes_on_where_the_first_ends(store: Stores, tmp_path: Path) -> None:
    play_into(store, "t1", ready_rules("nsw-1"), TURNS)
    whole, before = verify(store), events(store)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(archive, "ROUNDS_KEPT", 8)
        first = archived(store, tmp_path)
    assert None is archive.write(store, "t1", tmp_path, 500, at=1, who="x")  # nothing is as old as that
    second = archived(store, tmp_path)
    assert second.first == first.last + 1
    assert None is archive.write(store, "t1", tmp_path, LATER, at=1, who="x")
    assert [first, second] == archives_of(store.documents, "t1")
    assert whole == verify(store, read_archive=reader(tmp_path))
    for one in (second, first):
        archive.restore(store, one, tmp_path, at=30_000, who="operator")
    assert before == events(store)
    assert [] == archives_of(store.documents, "t1")
    assert whole == verify(store)


def test_a_file_that_was_changed_is_named_and_never_restored(store: Stores, tmp_path: Path) -> None:
    play_into(store, "t1", ready_rules("nsw-1"), TURNS)
    made = archived(store, tmp_path)
    path = tmp_path / made.file
    whole = path.read_bytes()
    for changed in (
        whole.replace(b'"who":"dealer"', b'"who":"floor"', 1),
        b"".join(whole.splitlines(keepends=True)[:-1]),
        whole.replace(b"letitride-archive/1", b"letitride-archive/2", 1),
        _resealed(whole),
    ):
        path.write_bytes(changed)
        found = verify(store, read_archive=reader(tmp_path))
        assert not found.good
        assert found.tables[0].bad is not None
        with pytest.raises(InvalidData):
            archive.restore(store, made, tmp_path, at=1, who="x")
        assert not next(iter(store.journal.rows("t1", made.first - 1, 1))).events
    path.unlink()
    assert not verify(store, read_archive=reader(tmp_path)).good
    assert verify(store).good  # by the links alone


def _resealed(whole: bytes) -> bytes:
    """Return the file of other rows, with a last line that is right for them."""
    lines = whole.splitlines(keepends=True)
    kept = [*lines[:1], *lines[2:-1]]
    end = {"type": "end", "lines": len(kept), "sha256": sha256(b"".join(kept)).hexdigest()}
    return b"".join(kept) + json.dumps(end).encode() + b"\n"


def test_events_that_are_gone_without_an_archive_are_noticed(store: Stores, tmp_path: Path) -> None:
    play_into(store, "t1", ready_rules("nsw-1"), TURNS)
    made = archived(store, tmp_path)
    kept = made.document()
    found = store.documents.get(kept.kind, kept.id)
    assert found is not None
    store.documents.delete(kept.kind, kept.id, found.version)
    bad = verify(store).tables[0].bad
    assert bad is not None
    assert (2, True) == (bad.number, "they are in an archive, or gone" in bad.reason)


@pytest.mark.parametrize("target", KINDS)
def test_a_store_with_an_archive_is_backed_up_and_restored(
    target: str, address: Callable[[str], str], tmp_path: Path
) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'from.db'}")
    play_into(store, "t1", ready_rules("nsw-1"), TURNS)
    before = events(store)
    whole, made = verify(store), archived(store, tmp_path)
    store.backups.write(tmp_path / "backup")
    store.close()
    again = open_store(address(target))
    again.backups.restore(tmp_path / "backup")
    assert whole == verify(again, read_archive=reader(tmp_path))
    archive.restore(again, made, tmp_path, at=1, who="x")
    assert before == events(again)
    again.close()


@pytest.mark.parametrize("together", [2, 5, 64])
def test_rows_that_were_written_together_go_into_one_archive_with_their_money(tmp_path: Path, together: int) -> None:
    played, store = open_store("memory:"), open_store("memory:")
    play_into(played, "t1", ready_rules("nsw-1"), TURNS)
    rows = list(played.journal.rows("t1"))
    moves = [[moved for event in read(row) for moved in event.chips] for row in rows]
    for name in {one.source for moved in moves for one in moved if one.source.startswith("wallet:")}:
        store.wallets.fund(name.removeprefix("wallet:"), 10**12, "to play", at=1, who="cashier")
    store.tables.create("t1", "Table t1", {"rulebook": "nsw-1"})
    for first in range(0, len(rows), together):
        part, moved = rows[first : first + together], [one for row in moves[first : first + together] for one in row]
        assert all(
            map(is_written, store.journal.append([Write(table_id="t1", number=first + 1, rows=part, transfers=moved)]))
        )
    assert verify(store).good
    archived(store, tmp_path)
    assert verify(store).good
    assert verify(store, None, reader(tmp_path)).good
