"""Sealed rows: what a copy of the store tells of a round in play, and who can go on with it."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from msgspec.structs import replace

from letitride.cli.records.verify import _lines
from letitride.engine.events import FacesBound
from letitride.engine.faults import ROUND
from letitride.engine.state import Table
from letitride.rules import catalog
from letitride.server.tables.house import House
from letitride.storage import archive
from letitride.storage.codec import encode
from letitride.storage.journal import OpenedRow, Row, SealedRow, hash_of, kept, read
from letitride.storage.memory.opening import memory_stores
from letitride.storage.past import MARK_EVERY, Past
from letitride.storage.roles.stores import Stores
from letitride.storage.sealed import OpenedJournal, Opener, Seal, row_key
from letitride.storage.urls import open_store
from letitride.storage.vault import Vault, fresh_key
from letitride.storage.verify import verify
from tests.server.staffed import asking
from tests.server.virtual import Player, opened, run, until, virtual

BOOK = "shufflemaster-1"


@dataclass
class Stolen:
    """What was taken while a round was on, and what was true then."""

    files: list[Path]
    rows: list[Row]
    """As the house with its key reads them."""


async def _play(house: House, app: object, book: str, over: Callable[[Table], bool]) -> None:
    """Let two players play until something is so."""
    tasks = [asyncio.create_task(Player(house, app, book, seat, choice="ride").play()) for seat in (1, 2)]
    await until(lambda: over(house.rooms[book].table))
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _in_play(round_: int) -> Callable[[Table], bool]:
    """Whether a round is on, and its cards lie there face down."""
    return lambda table: table.round == round_ and table.phase == "choice_1"


@pytest.mark.parametrize("house_book", catalog.rulebook_ids())
def test_a_copy_of_the_store_taken_while_a_round_is_on_tells_no_card_of_it(tmp_path: Path, house_book: str) -> None:
    book, path, stolen = house_book, tmp_path / "house.db", Stolen([], [])

    async def go() -> None:
        async with opened(open_store(str(path)), book, vault=Vault(fresh_key())) as (house, app):
            await _play(house, app, book, _in_play(2))
            house.stores.backups.write(tmp_path / "backup.db")
            for one in (path, path.with_name("house.db-wal")):
                shutil.copy(one, tmp_path / f"stolen.{one.name}")
            stolen.rows = list(house.stores.journal.rows(book))
            stolen.files = [tmp_path / f"stolen.{path.name}", tmp_path / "stolen.house.db-wal", tmp_path / "backup.db"]

    with virtual(f"sealed {book}") as (loop, _):
        run(loop, go())

    since, bound = [(row, event) for row in stolen.rows for event in read(row) if isinstance(event, FacesBound)][-1]
    secret = stolen.rows[since.number - 1 :]
    assert len(secret) > 3
    for file in stolen.files:  # the faces as codec and proofs write them, anywhere in it, also inside what is base64
        text = file.read_bytes()
        inside = b" ".join(base64.b64decode(one) for one in re.findall(rb"(?:[A-Za-z0-9+/]{4}){10,}", text))
        for first in range(0, 48, 4):
            assert ",".join(f'"{face}"' for face in bound.order[first : first + 4]).encode() not in text + inside
    for row in secret:  # with the truth itself for a guess, no hash shows that it is right
        assert hash_of(Row(**{name: getattr(row, name) for name in Row.__struct_fields__})) != row.hash
        assert hash_of(row) == row.hash
    lengths = {len(encode([FacesBound(deck=1, order=order)])) for order in (bound.order, bound.order[::-1])}
    assert len(lengths) == 1  # nor does the length of a row

    thief = open_store(str(tmp_path / "backup.db"), read_only=True)
    for row, truth in zip(thief.journal.rows(book), stolen.rows, strict=True):
        if truth in secret:
            with pytest.raises(SealedRow, match=f"row {row.number} of table '{book}', which is sealed until its deck"):
                read(row)
        else:
            assert read(row) == read(truth)  # rounds that are over are everybody's to read, without any key
    past = Past(thief.journal, thief.documents, book)
    assert [1] == [one.number for one in past.rounds()]
    assert f"left out: rows from {secret[0].number} on, of a round in play" in past.left_out
    with pytest.raises(SealedRow):
        past.present()
    found = verify(thief)
    assert found.good
    assert found.tables[0].sealed == tuple(row.number for row in secret)
    assert f"{len(secret)} of them ({secret[0].number:,} to" in _lines(found)[0]
    thief.close()


def test_an_inspector_checks_a_round_that_is_over_by_what_was_kept_and_gets_no_key_of_one_in_play() -> None:
    async def go() -> list[list[dict[str, Any]]]:
        async with opened(memory_stores(), BOOK, vault=Vault(fresh_key())) as (house, app):
            await _play(house, app, BOOK, _in_play(2))
            async with asking(house, "Ina", "inspector") as client:
                return [
                    (await client.get(f"/api/tables/{BOOK}/journal?round={number}&limit=500")).json()["rows"]
                    for number in (1, 2)
                ]

    with virtual("inspector") as (loop, _):
        over, in_play = run(loop, go())
    sealed = [row for row in over if row["sealed"]]
    assert any("faces-bound" in row["events"] for row in sealed)
    for row in over:
        fields = [BOOK, *(row[name] for name in ("number", "at_ms", "by", "command", "epoch", "previous"))]
        kept_as = (row["sealed"] or row["events"]).encode()
        line = json.dumps(fields, separators=(",", ":"), ensure_ascii=False).encode()
        assert row["hash"] in (None, hashlib.sha256(b"letitride-journal/1\n" + line + b"\n" + kept_as).hexdigest())
    for row in sealed:
        body = base64.b64decode(row["sealed"].split(" ")[2])
        cipher = AESGCM(bytes.fromhex(row["row_key"]))
        assert cipher.decrypt(body[:12], body[12:], f"{BOOK}/{row['number']}".encode()).decode() == row["events"]
    assert [row for row in in_play if row["events"] is None]
    assert not [row for row in in_play if row["events"] is None and (row["sealed"] or row["row_key"] or row["hash"])]


def _interrupted(store: Stores, vault: Vault, round_: int = 2) -> list[Row]:
    """A house that stops in the middle of a round; the rows it wrote."""

    async def go() -> list[Row]:
        async with opened(store, BOOK, vault=vault) as (house, app):
            await _play(house, app, BOOK, _in_play(round_))
            return list(house.stores.journal.rows(BOOK))

    with virtual("interrupted") as (loop, _):
        return run(loop, go())


def test_another_server_of_the_house_goes_on_with_a_round_in_play() -> None:
    store, vault = memory_stores(), Vault(fresh_key())
    before = _interrupted(store, vault)

    async def go() -> None:
        async with opened(store, BOOK, node="other", vault=vault) as (house, _):
            assert house.rooms[BOOK].table.round == 2
            assert house.rooms[BOOK].table.phase == "choice_1"
            await until(lambda: house.rooms[BOOK].table.phase not in ROUND)
            await until(lambda: not house.rooms[BOOK].shuffles.has_open_decks)

    with virtual("goes on") as (loop, _):
        run(loop, go())
    rows = list(store.journal.rows(BOOK))
    assert [row.hash for row in rows[: len(before)]] == [row.hash for row in before]
    assert any(isinstance(row, OpenedRow) for row in rows)
    assert not [row.number for row in rows if isinstance(row, OpenedRow) and row.secret]
    assert [read(row) for row in rows[: len(before)]] == [read(row) for row in before]
    found = verify(store)
    assert found.good
    assert not found.tables[0].sealed


def test_a_server_without_the_key_halts_the_table_and_loses_nothing() -> None:
    store, vault = memory_stores(), Vault(fresh_key())
    before = _interrupted(store, vault)

    async def wrong() -> None:
        house = House(store, node="wrong", vault=Vault(fresh_key()))
        await house.start(demo=False)
        await until(lambda: store.tables.get(BOOK).state == "halted")
        await house.close()

    async def right() -> None:
        house = House(store, node="right", vault=vault)
        await house.start(demo=False)
        room = await house.take_halted(store.tables.get(BOOK))
        assert (room.table.round, room.table.phase) == (2, "choice_1")
        await house.close()

    with virtual("wrong key") as (loop, _):
        run(loop, wrong())
    why = store.tables.get(BOOK).reason
    assert "expected the house's key" in why
    assert "put the file of the key back" in why
    assert [row.hash for row in store.journal.rows(BOOK)] == [row.hash for row in before]
    with virtual("right key") as (loop, _):
        run(loop, right())


def test_a_sealed_row_that_its_key_does_not_open_is_bad_whatever_the_chain_says() -> None:
    store, vault = memory_stores(), Vault(fresh_key())
    _interrupted(store, vault)
    journal = OpenedJournal(store.journal, store.documents, vault)
    opened_ = next(row for row in journal.rows(BOOK) if isinstance(row, OpenedRow) and not row.secret)
    raw = Row(**{**{name: getattr(opened_, name) for name in Row.__struct_fields__}, "events": kept(opened_)})
    for forged in (raw.events[:-8] + b"AAAAAAA=", b"sealed/1 9/9 AAAA", b"sealed/1 x AAAA", b"sealed/1"):
        (row,) = Opener(store.documents, vault).rows([replace(raw, events=forged)])
        with pytest.raises(Exception, match="expected (what the key|a shuffle that is kept|the shuffles that)") as no:
            read(row)
        assert not isinstance(no.value, SealedRow)


def test_a_row_with_two_decks_in_play_is_read_when_both_are_opened() -> None:
    store, vault = memory_stores(), Vault(fresh_key())
    row = Row(table_id="t", number=7, at=0, by="dealer", events=b"", previous="", hash="")
    row = replace(row, events=Seal(vault, "t", [(1, 1), (1, 2)]).cover(7, b"[]"))
    keys = {name: row_key(vault, name).hex() for name in ("t/000000000001/000001", "t/000000000001/000002")}
    for told, can_read in (((), False), ((0,), False), ((0, 1), True)):
        for number, (name, key) in enumerate(keys.items()):
            version = store.documents.get("shuffle", name)
            body = b'{"row_key":"%s"}' % (key if number in told else "").encode()
            store.documents.put("shuffle", name, body, version.version if version else 0)
        (found,) = Opener(store.documents).rows([row])
        assert isinstance(found, OpenedRow) == can_read
    assert read(found) == ()
    (moved,) = Opener(store.documents).rows([replace(row, number=8)])
    assert isinstance(moved, OpenedRow)
    assert moved.wrong  # a row is sealed for its place alone


def test_no_mark_is_made_of_a_table_whose_cards_are_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    store, vault = memory_stores(), Vault(fresh_key())
    rows = _interrupted(store, vault)
    monkeypatch.setattr("letitride.storage.past.MARK_EVERY", 1)
    past = Past(OpenedJournal(store.journal, store.documents, vault), store.documents, BOOK)
    table, head = past.present()
    past.mark(table, head, 0)
    assert past.marks == []
    for found in past.unmarked():
        past.mark(*found)
    secret = next(row.number for row in rows if isinstance(row, OpenedRow) and row.secret)
    assert past.marks[-1].row == secret - 1
    assert MARK_EVERY > 1


def test_rounds_that_are_over_go_into_an_archive_while_another_is_on_and_all_of_it_is_verified(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, vault = memory_stores(), Vault(fresh_key())
    _interrupted(store, vault, round_=5)
    monkeypatch.setattr("letitride.storage.past.MARK_EVERY", 1)  # not while it plays: the house would mark what it can
    monkeypatch.setattr("letitride.storage.archive.ROUNDS_KEPT", 1)
    made = archive.write(store, BOOK, tmp_path, 2**62, at=1, who="test")
    assert made is not None
    assert b"sealed/1 " in base64.b64decode(json.loads((tmp_path / made.file).read_text().splitlines()[-9])["events"])
    for walked in (None, archive.reader(tmp_path)):
        found = verify(store, read_archive=walked)
        assert found.good, found
        assert found.tables[0].sealed
    assert Past(OpenedJournal(store.journal, store.documents, vault), store.documents, BOOK).present()[0].round == 5
    archive.restore(store, made, tmp_path, at=2, who="test")
    found = verify(store)
    assert found.good
    assert not found.tables[0].archived
