"""Own rounds: every round a person played, kept in the store as the tables' journals tell them; it judges nothing.

Journals are read when a person asks, off the loop and a piece at a time, from where the last reading ended. What was
read stays, so that it is there when a table is closed or its journal is in an archive.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Final

import msgspec

from letitride.errors import MissingData
from letitride.server.people.names import key_of
from letitride.server.people.visits import PlayerVisits
from letitride.server.runtime.table_facts import facts_of
from letitride.server.tables.history import History
from letitride.server.tables.house import House
from letitride.storage.past import Past
from letitride.training.own_rounds import OwnRound, own_rounds

KIND: Final = "own-rounds"
NAMES: Final = "own-names"
"""Under which names a person played before: as a guest."""
BLOCK: Final = 25
"""Rounds of one document."""
PIECE: Final = 100
"""Rounds of a table that are read in one go."""
SECONDS: Final = 2.0
"""After so long of reading a person is told what is known, and asks again."""
EVER: Final = 2**53


class Block(msgspec.Struct, frozen=True, kw_only=True):
    """Some of a person's rounds at a table, and how far its journal was read with them."""

    through: int = 0
    """The last round that was read."""
    read_ms: int = 0
    """Up to when."""
    rounds: list[OwnRound] = []


@dataclass(frozen=True, slots=True)
class StoredBlock:
    """The last block of a table, and its place in the store."""

    block: Block = field(default_factory=Block)
    number: int = 0
    version: int = 0


@dataclass(frozen=True, slots=True)
class KnownRounds:
    """A person's rounds, the oldest first; `more` where not all are read yet."""

    rounds: list[OwnRound]
    more: bool


@dataclass(frozen=True, slots=True)
class Span:
    """When a person sat at a table and it was not read yet: from the first seat to the last leave."""

    since_ms: int
    until_ms: int


class OwnRounds:
    """Everybody's own rounds."""

    def __init__(self, house: House, history: History) -> None:
        self._house, self._history = house, history

    async def of(self, name: str) -> KnownRounds:
        """Return a person's rounds, those as a guest among them; the journals are read as far as time allows."""
        deadline = time.monotonic() + SECONDS
        found: list[OwnRound] = []
        more = False
        for one in [*await self.names_before(name), name]:
            rounds, unread = await self._of(one, deadline)
            found += rounds
            more = more or unread
        return KnownRounds(sorted(found, key=lambda one: one.key), more)

    async def names_before(self, name: str) -> list[str]:
        """Return the names under which a person played before."""
        kept = await asyncio.to_thread(self._house.stores.documents.get, NAMES, key_of(name))
        return msgspec.json.decode(kept.body, type=list[str]) if kept else []

    async def take_over_from_guest(self, guest: str, name: str) -> None:
        """Let the rounds of a guest be those of the account that they created."""
        body = msgspec.json.encode([*await self.names_before(guest), guest])
        documents = self._house.stores.documents
        await self._house.committer.run(lambda: documents.put(NAMES, key_of(name), body, 0))

    async def table_names(self, rounds: Iterable[OwnRound]) -> dict[str, str]:
        """Return what the tables of rounds are called."""
        return await asyncio.to_thread(self._table_names, {one.table for one in rounds})

    def _table_names(self, ids: set[str]) -> dict[str, str]:
        tables = {one.id: one for one in self._house.stores.tables.all()} if ids else {}
        return {one: tables[one].name or facts_of(tables[one]).title for one in ids if one in tables}

    async def _of(self, name: str, deadline: float) -> tuple[list[OwnRound], bool]:
        play, blocks = await self._house.limits.play(name), await asyncio.to_thread(self._blocks, name)
        rounds = [one for kept in blocks.values() for block in kept for one in block.block.rounds]
        more = False
        for table_id, spans in seated(play).items():
            kept = blocks[table_id][-1] if table_id in blocks else StoredBlock()
            while (span := unread(kept.block, spans)) is not None:
                if time.monotonic() > deadline:
                    more = True
                    break
                try:
                    past = await self._history.of(table_id)
                    block, done = await self._history.run_reading(partial(_read, past, name, kept.block, span))
                except MissingData:  # in an archive, or of a table that is gone
                    break
                written = await self._keep(name, table_id, kept, block)
                if written is None:  # another page of theirs has read on
                    return await self._of(name, deadline)
                kept = written
                rounds += block.rounds
                if done and span.until_ms == EVER:
                    break
        return rounds, more

    def _blocks(self, name: str) -> dict[str, list[StoredBlock]]:
        found: dict[str, list[StoredBlock]] = {}
        for doc in self._house.stores.documents.find(KIND, f"{key_of(name)}/"):
            table_id, _, number = doc.id.partition("/")[2].rpartition("/")
            block = msgspec.json.decode(doc.body, type=Block)
            found.setdefault(table_id, []).append(StoredBlock(block, int(number), doc.version))
        return found

    async def _keep(self, name: str, table_id: str, last: StoredBlock, new: Block) -> StoredBlock | None:
        """Keep what was read, in the last block where there is room; None: another was first."""
        fits = len(last.block.rounds) + len(new.rounds) <= BLOCK or not last.version
        number, version = (last.number, last.version) if fits else (last.number + 1, 0)
        rounds = [*last.block.rounds, *new.rounds] if fits else new.rounds
        block = Block(through=new.through, read_ms=new.read_ms, rounds=rounds)
        doc_id, body = f"{key_of(name)}/{table_id}/{number:06}", msgspec.json.encode(block)
        documents = self._house.stores.documents
        kept = await self._house.committer.run(lambda: documents.put(KIND, doc_id, body, version))
        return None if kept is None else StoredBlock(block, number, kept)


def seated(play: PlayerVisits) -> dict[str, list[Span]]:
    """Return when a person sat at which table, as far back as is remembered."""
    found: dict[str, list[Span]] = {}
    for table_id, (since, until) in play.before.items():
        found.setdefault(table_id, []).append(Span(since, until))
    for visit in play.visits:
        found.setdefault(visit.table, []).append(Span(visit.since_ms, visit.until_ms or EVER))
    return found


def unread(block: Block, spans: Iterable[Span]) -> Span | None:
    """Return the time that was not read yet; None: all was."""
    left = [one for one in spans if one.until_ms > block.read_ms]
    if not left:
        return None
    return Span(max(min(one.since_ms for one in left), block.read_ms), max(one.until_ms for one in left))


def _read(past: Past, name: str, last: Block, span: Span) -> tuple[Block, bool]:
    """Return a person's rounds of a table that come next, and whether those were the last."""
    touched = past.rounds_touching(span.since_ms, min(span.until_ms + 1, EVER))
    over = (one for one in touched if one.status != "running" and one.number > last.through)
    piece = list(islice(over, PIECE))
    done = len(piece) < PIECE
    read_ms = piece[-1].ended_ms if piece else last.read_ms
    if done and span.until_ms < EVER:
        read_ms = max(span.until_ms, read_ms)
    names = frozenset({name})
    return Block(
        through=piece[-1].number if piece else last.through,
        read_ms=read_ms,
        rounds=[hand for one in piece for hand in own_rounds(one, past.id, names)],
    ), done
