"""Stored shuffles: the order of a deck is published when nothing is dealt from it any more, and not a card earlier."""

from __future__ import annotations

import asyncio

import pytest

from letitride.engine import places
from letitride.engine.state import Table
from letitride.engine.steps import KINDS
from letitride.rules import catalog
from letitride.server.runtime.pace import Pace
from letitride.server.tables import live_table
from letitride.server.tables.stored_shuffles import KIND, read
from letitride.storage.roles.stores import Stores
from tests.server.staffed import base, open_house, seated

QUICK = Pace(step=0, bets=0, choice=0, share=0, retry=0)


def published(store: Stores) -> list[tuple[str, ...]]:
    """The orders of decks that anybody can look up."""
    kept = [read(doc.body) for doc in store.documents.find(KIND)]
    return [tuple(one.proof()["order"]) for one in kept if one.state == "opened"]


def is_known(table: Table, orders: list[tuple[str, ...]]) -> bool:
    """Whether cards that are still to be dealt lie as a published order has them, wherever it was cut."""
    mixed_first = {step.number for step in table.agenda if KINDS[step.kind].needs == "order"}
    waiting = [table.at(place) for place in (places.READY, places.NEST)]
    bound = (held for held in waiting if len(held) > 3 and held[0].deck not in table.unbound)
    for cards in (held for held in bound if held[0].deck not in mixed_first):
        faces = "".join(str(card.face) for card in cards)
        if any(faces in "".join(order + order) for order in orders):
            return True
    return False


async def play(house_book: str, rounds: int) -> tuple[int, bool]:
    """Play rounds; return how many decks were published, and whether any was too early."""
    async with open_house(house_book, pace=QUICK) as house:
        room = house.room(house_book)
        players = {seat: await seated(house, room, seat) for seat in (1, 2)}
        early = False
        async with asyncio.timeout(120):
            while room.table.round <= rounds and not early:
                table, changed = room.table, room.host.changed
                early = is_known(table, published(house.stores))
                for seat, player in players.items():
                    if not table.seats[seat].player:
                        await player.ask("Sit", seat=seat, player="", cents=10_000)
                    elif table.seats[seat].sitting_out:  # no one chooses here, so all count as away
                        await player.ask("SitOut", seat=seat, out=False)
                    elif table.phase == "banking" and not table.bank_stake:
                        await player.ask("TakeBank", seat=seat, cents=5_000)
                    elif table.phase == "betting" and not table.seats[seat].wagers and not table.banks(seat):
                        await player.ask("PlaceWagers", seat=seat, wagers=base())
                    elif table.phase == "choice_1" and not table.seats[seat].looked:
                        await player.ask("Look", seat=seat)
                if room.host.changed is changed:
                    await changed.wait()
        return len(published(house.stores)), early


@pytest.mark.parametrize("house_book", catalog.rulebook_ids())
def test_no_deck_is_published_before_its_round_is_over(house_book: str) -> None:
    many, early = asyncio.run(play(house_book, 3))
    assert not early
    assert many >= 2


def test_the_test_would_see_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_table, "spent_decks", lambda _: frozenset({1, 2}))
    assert asyncio.run(play("shufflemaster-1", 3))[1]
