"""Promise 5: numbers are used at once and in order, never redrawn. Five books: committed before the first card, and the
next card is the next card whatever players do."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from letitride.engine import places
from letitride.engine.events import AnyEvent, FacesBound, PhaseBegan, RoundEnded
from letitride.rules import catalog
from letitride.server.tables.stored_shuffles import KIND, AnyKept, StoredShuffle, read
from letitride.storage.codec import decode
from letitride.storage.memory.opening import memory_stores
from letitride.storage.roles.journal import Outcome, Write
from tests.server.instead import Instead
from tests.server.virtual import Player, opened, run, until, virtual


class WatchedJournal(Instead):
    """A journal that says in which order it was written to."""

    log: list[AnyKept | AnyEvent]

    def append(self, batch: Sequence[Write]) -> list[Outcome]:
        self.log += [event for write in batch for row in write.rows for event in decode(row.events)]
        done: list[Outcome] = self.real.append(batch)
        return done


class WatchedDocuments(Instead):
    """Documents that say in which order decks were written to them."""

    log: list[AnyKept | AnyEvent]

    def put(self, kind: str, doc_id: str, body: bytes, version: int) -> int | None:
        if kind == KIND:
            self.log.append(read(body))
        now: int | None = self.real.put(kind, doc_id, body, version)
        return now


class Watched:
    """Stores that say in which order they were written to."""

    def __init__(self) -> None:
        self.log: list[AnyKept | AnyEvent] = []
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
def test_a_deck_is_bound_after_bets_are_closed_and_is_the_one_that_is_dealt(house: str) -> None:
    told: dict[str, list[str]] = {}
    opened: dict[str, tuple[str, ...]] = {}
    bound: list[tuple[str, ...]] = []
    closed = False
    for entry in played(house, "ride").log:
        if isinstance(entry, StoredShuffle):
            told.setdefault(entry.key, []).append(entry.state)
            if entry.state in {"closed", "final"}:
                assert closed  # nothing is fixed, and no nonce known, as long as bets are taken
            if entry.state == "opened":
                opened[entry.key] = tuple(entry.proof()["order"])
            else:
                assert not entry.faces
        elif isinstance(entry, PhaseBegan):
            closed = entry.phase == "dealing"
        elif isinstance(entry, FacesBound):
            bound.append(entry.order)
    assert len(bound) >= 1
    assert list(opened.values()) == bound[: len(opened)]
    for states in told.values():
        assert states == sorted(states, key=["begun", "closed", "final", "opened"].index)
        assert {"begun", "closed", "final", "opened"} == set(states) or "opened" not in states


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
