"""A jam in mid-deal at a live table: the rest is mixed with the seats anew, and no order that was dealt from is told."""

from __future__ import annotations

import asyncio

import pytest

from letitride.engine import events
from letitride.engine.steps import KINDS
from letitride.records.exported import record_of
from letitride.server.tables.disclosure import disclosure
from letitride.server.tables.stored_shuffles import KIND, read
from letitride.storage.codec import decode
from letitride.storage.past import Past
from letitride.storage.roles.stores import Stores
from tests.server.staffed import PATIENT, Visitor, base, open_house, seated, until


def opened(store: Stores) -> list[tuple[str, ...]]:
    """The orders of decks that anybody can look up."""
    kept = [read(doc.body) for doc in store.documents.find(KIND)]
    return [tuple(one.proof()["order"]) for one in kept if one.state == "opened"]


async def step(dealer: Visitor, players: dict[int, Visitor]) -> None:
    """Let the table go on: by the dealer's next step, by a bet, or by a decision."""
    table = dealer.room.table
    due = table.next_step
    if due is not None and due.kind == "await_choice":
        assert (await players[due.seat].ask("Choose", seat=due.seat, bet=due.number, choice="ride"))["accepted"]
        return
    for seat, player in players.items() if table.phase == "betting" else ():
        if not table.seats[seat].wagers:
            assert (await player.ask("PlaceWagers", seat=seat, wagers=base()))["accepted"]
            return
    answer = await dealer.say(type="next", id=f"step {table.version}", version=table.version)
    if not answer.get("accepted"):
        await until(dealer.room, lambda now: now is not table)


@pytest.mark.clause("nsw:13.1")
@pytest.mark.parametrize("house_book", ["nsw-1+shuffler", "nsw-1+two_decks"])
def test_a_jam_in_mid_deal_tells_no_one_what_is_dealt(house_book: str) -> None:
    async def jam() -> None:
        async with open_house(house_book, pace=PATIENT) as house:
            room = house.room(house_book)
            dora = Visitor(room, "Dora", "dealer", role="dealer")
            assert await dora.say(type="take_shift") == {}
            players = {seat: await seated(house, room, seat) for seat in (1, 2)}
            while room.table.round < 2 or not room.table.at("hand:1"):  # of two decks one was mixed in the round before
                await step(dora, players)
            held, rest = room.table.at("hand:1"), room.table.at("ready")
            assert (await dora.ask("Report", kind="device_jam"))["accepted"]
            while room.table.next_step is not None and room.table.next_step.kind != "deal_packet":
                await step(dora, players)
            table = room.table
            assert table.at("hand:1") == held
            assert set(table.at("ready")) == set(rest)
            assert table.at("ready") != rest
            dealt = tuple(str(card.face) for card in held)
            assert not [order for order in opened(house.stores) if order[:3] == dealt]
            secret = disclosure(Past(house.stores.journal, house.stores.documents, house_book))
            rows = list(house.stores.journal.rows(house_book))
            orders = [row for row in rows if any(_mixed(event, held[0].deck) for event in decode(row.events))]
            assert all(secret.withholds(row) for row in orders[-2:])
            while room.table.phase == "dealing":
                await step(dora, players)
            assert room.table.phase == "choice_1"
            while room.table.round < 3:
                await step(dora, players)
            assert [order for order in opened(house.stores) if order[:3] == dealt]  # now everybody may know
            past = Past(house.stores.journal, house.stores.documents, house_book)
            jammed = next(one for one in past.rounds(2) if one.number == 2)
            told = record_of(jammed)  # replayed before it is given out
            assert "dealer mix_rest" in told.text

    asyncio.run(jam())


def _mixed(event: events.AnyEvent, deck: int) -> bool:
    """Whether the faces of a deck were bound, or what was left of it was mixed."""
    if isinstance(event, events.FacesBound):
        return event.deck == deck
    if not isinstance(event, events.StepDone) or KINDS[event.step.kind].needs != "order":
        return False
    return any(move.card.deck == deck for move in event.moves)
