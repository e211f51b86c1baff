"""Promise 5: numbers are used at once and in order, never redrawn. Five books: committed before the first card, and the
next card is the next card whatever players do."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from letitride.chance.fair import Fair
from letitride.engine import places
from letitride.engine.events import AnyEvent, RoundEnded, StepDone
from letitride.rules import catalog
from letitride.server.tables.shuffles import KIND, Kept
from letitride.storage.codec import decode
from letitride.storage.memory.opening import memory_stores
from letitride.storage.roles.journal import Outcome, Write
from tests.server.instead import Instead
from tests.server.virtual import Player, opened, run, until, virtual


class WatchedJournal(Instead):
    """A journal that says in which order it was written to."""

    log: list[Kept | AnyEvent]

    def append(self, batch: Sequence[Write]) -> list[Outcome]:
        self.log += [event for write in batch for row in write.rows for event in decode(row.events)]
        done: list[Outcome] = self.real.append(batch)
        return done


class WatchedDocuments(Instead):
    """Documents that say in which order decks were written to them."""

    log: list[Kept | AnyEvent]

    def put(self, kind: str, doc_id: str, body: bytes, version: int) -> int | None:
        if kind == KIND:
            self.log.append(msgspec.json.decode(body, type=Kept))
        now: int | None = self.real.put(kind, doc_id, body, version)
        return now


class Watched:
    """Stores that say in which order they were written to."""

    def __init__(self) -> None:
        self.log: list[Kept | AnyEvent] = []
        real = memory_stores()
        journal, documents = WatchedJournal(real.journal), WatchedDocuments(real.documents)
        journal.log = documents.log = self.log
        self.stores = replace(real, journal=journal, documents=documents)


def moved(event: object, source: str, target: str = "") -> list[str]:
    """Return the faces that an event takes from one place to another."""
    moves: Any = getattr(event, "moves", ())
    return [
        str(m.card.face) for m in moves if m.source == source and m.target.startswith(target) and m.target != source
    ]


def played(book: str, choice: str) -> Watched:
    async def go() -> Watched:
        store = Watched()
        async with opened(store.stores, book) as (house, app):
            players = [Player(house, app, book, seat, choice=choice) for seat in (1, 2)]
            tasks = [asyncio.create_task(player.play()) for player in players]
            await until(lambda: house.rooms[book].table.round >= 2)
            for task in tasks:
                task.cancel()
        return store

    with virtual(f"in order {book}") as (loop, _):
        return run(loop, go())


@pytest.mark.parametrize("house", catalog.rulebook_ids())
def test_a_deck_is_in_the_store_before_its_first_card_and_is_the_one_that_is_dealt(house: str) -> None:
    kept: list[Kept] = []
    mixed = 0
    for entry in played(house, "ride").log:
        if isinstance(entry, Kept):
            kept.append(entry)
        elif isinstance(entry, StepDone) and entry.step.kind in {"start_shuffle", "mix_deck", "shuffle_deck"}:
            mixed += 1
            assert [one.state for one in kept] == ["committed", "dealt"]  # both before it, and once
            assert kept[0].secret() == kept[1].secret()
            assert Fair(kept[1].secret(), kept[1].told()).order == tuple(str(move.card.face) for move in entry.moves)
            kept = []
        elif kept:
            assert not moved(entry, places.READY)
        kept = [one for one in kept if one.state not in {"opened", "void"}]
    assert mixed >= 2


@pytest.mark.parametrize("house", catalog.rulebook_ids())
def test_the_next_card_is_the_same_whatever_players_do(house: str) -> None:
    def dealt(choice: str) -> list[str]:
        faces: list[str] = []
        for entry in played(house, choice).log:
            faces += moved(entry, places.READY)
            if isinstance(entry, RoundEnded):
                break
        return faces

    assert dealt("ride")
    assert dealt("ride")[:9] == dealt("withdraw")[:9]
