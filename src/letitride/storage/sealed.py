"""Sealed: rows of a round in play, under keys that are told when its decks are opened; it keeps no key itself.

A row is sealed as `sealed/1 ROUND/SHUFFLE[,…] BASE64`: the shuffles whose decks have faces and are not opened, then 12
bytes of nonce and the events under AES-256-GCM, bound to the table and the row's number. The key is the shuffle's; of
several, SHA-256 over theirs in that order, so that a row can be read when the last of its decks is opened.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import msgspec

from letitride.storage.journal import SEALED, Head, OpenedRow, Row
from letitride.storage.roles.documents import DocumentStore
from letitride.storage.roles.journal import Hazard, JournalStore, Outcome, Write
from letitride.storage.vault import KEY_SIZE, Vault

SHUFFLES: Final = "shuffle"
"""The kind of the documents that tell a shuffle's key, once its deck is opened."""
FORMAT: Final = SEALED + b"1"
FORMS: Final = 1
"""In how many forms rows are sealed, beside those that are not."""

Name = tuple[int, int]
"""A shuffle of a table: its round, and its number there."""


class _Told(msgspec.Struct):
    row_key: str = ""


class _Key(NamedTuple):
    """What opens the rows that name the same shuffles."""

    key: bytes = b""
    secret: bool = False
    """Whether it is not told yet."""
    wrong: str = ""


def key_of(table_id: str, round_: int, shuffle: int) -> str:
    """Return the id of a shuffle in the store: it sorts by round and shuffle."""
    return f"{table_id}/{round_:012}/{shuffle:06}"


def row_key(vault: Vault, shuffle_key: str) -> bytes:
    """Return the key of the rows that a shuffle's deck is in play in."""
    return vault.derive(f"rows {shuffle_key}")


class Seal:
    """Seals the rows of a table for as long as the same decks are in play."""

    def __init__(self, vault: Vault, table_id: str, names: Sequence[Name]) -> None:
        self._table = table_id
        keys = [row_key(vault, key_of(table_id, *name)) for name in names]
        self._vault = Vault(_together(keys))
        self._head = FORMAT + b" " + ",".join(f"{round_}/{shuffle}" for round_, shuffle in names).encode() + b" "

    def cover(self, number: int, events: bytes) -> bytes:
        """Return the events of a row, by its number, as they are kept."""
        return self._head + base64.b64encode(self._vault.seal(events, _purpose(self._table, number)))


class Opener:
    """Opens sealed rows: by the keys that are told, or by the house's, where that is given."""

    def __init__(self, documents: DocumentStore, vault: Vault | None = None) -> None:
        self._documents, self._vault = documents, vault

    def rows(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Yield rows, those that are sealed opened; one that no key is there for stays as it is kept."""
        known: dict[tuple[str, bytes], _Key] = {}
        for row in rows:
            if isinstance(row, OpenedRow) or not row.events.startswith(SEALED):
                yield row
                continue
            _, names, sealed = (*row.events.split(b" ", 2), b"", b"")[:3]
            if (row.table_id, names) not in known:
                known[row.table_id, names] = self._key(row.table_id, names)
            yield _opened(row, sealed, known[row.table_id, names])

    def _key(self, table_id: str, listed: bytes) -> _Key:
        """Return the key of the rows that name some shuffles."""
        try:
            names = [tuple(map(int, name.split(b"/"))) for name in listed.split(b",")]
            wanted = [key_of(table_id, round_, shuffle) for round_, shuffle in names]
        except ValueError:
            return _Key(wrong="expected the shuffles that a row is sealed with, got something else")
        found = self._documents.named(SHUFFLES, wanted)
        try:
            told = {one.id: _told_key(one.body) for one in found}
        except ValueError:  # what is no JSON, no digits, or too few of them
            return _Key(wrong="expected the key of a shuffle as it was told, got something else")
        if missing := [one for one in wanted if one not in told]:
            return _Key(wrong=f"expected a shuffle that is kept, got a row sealed with {missing[0]}, which is not")
        if all(told.values()):
            return _Key(_together([told[one] for one in wanted]))
        if self._vault is None:
            return _Key(secret=True)
        keys = [told[one] or row_key(self._vault, one) for one in wanted]
        return _Key(_together(keys), secret=True)


class OpenedJournal:
    """The journals of a store, their rows opened as they are read."""

    def __init__(self, journal: JournalStore, documents: DocumentStore, vault: Vault | None = None) -> None:
        self._journal, self._opener = journal, Opener(documents, vault)

    def append(self, batch: Sequence[Write]) -> list[Outcome]:
        return self._journal.append(batch)

    def rows(self, table_id: str, after: int = 0, limit: int | None = None) -> Iterator[Row]:
        return self._opener.rows(self._journal.rows(table_id, after, limit))

    def last(self, table_id: str) -> Head:
        return self._journal.last(table_id)

    def reply(self, client: str, command: str) -> bytes | None:
        return self._journal.reply(client, command)

    def may_write(self) -> bool:
        return self._journal.may_write()

    def hazards(self) -> list[Hazard]:
        return self._journal.hazards()


def _opened(row: Row, sealed: bytes, key: _Key) -> Row:
    try:
        body = base64.b64decode(sealed, validate=True)
    except binascii.Error:
        body = b""
    events = Vault(key.key).open(body, _purpose(row.table_id, row.number)) if key.key else None
    if events is None and key.secret:
        return row
    wrong = key.wrong or (
        "" if events is not None else "expected what the key of its shuffle opens, got something else"
    )
    fields = {**msgspec.structs.asdict(row), "events": row.events if events is None else events}
    return OpenedRow(**fields, kept=row.events, key=key.key, secret=key.secret, wrong=wrong)


def _told_key(body: bytes) -> bytes:
    """Return the key that a shuffle's document tells; nothing before its deck is opened."""
    key = bytes.fromhex(msgspec.json.decode(body, type=_Told).row_key)
    if len(key) not in {0, KEY_SIZE}:
        raise ValueError
    return key


def _together(keys: Sequence[bytes]) -> bytes:
    return keys[0] if len(keys) == 1 else hashlib.sha256(b"".join(keys)).digest()


def _purpose(table_id: str, number: int) -> bytes:
    return f"{table_id}/{number}".encode()
