"""A bot plays as well as can be, with the minimum bets, and sees no more than its seat."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from letitride.analysis.features import feature_of
from letitride.autoplay.bots import BUY_CENTS, next_act
from letitride.autoplay.dealer import for_an_absent_player
from letitride.autoplay.loop import Acted, play_on
from letitride.chance.seeded import Seeded
from letitride.engine import commands, events, places
from letitride.engine.decide import play
from letitride.engine.places import CardObject
from letitride.engine.state import Table
from letitride.engine.view import view
from letitride.simulation.promises import _other_world
from tests.autoplay.at_work import HOUSES, best, bot, dealer, seated

SEATS = (1, 4, 6)
ROUNDS = 6


def rounds(house: str, seed: int = 1, **terms: int) -> Iterator[Acted]:
    """Yield what happens while three bots play some rounds."""
    table, ended = seated(house, *SEATS, **terms), 0
    for acted in play_on(table, *(bot(table, seat) for seat in SEATS), dealer(seed), for_an_absent_player):
        yield acted
        ended += sum(isinstance(event, events.RoundEnded) for event in acted.events)
        if ended == ROUNDS:
            return


def turn(house: str) -> tuple[Table, commands.Choose]:
    """Return a table where a bot chooses, and what it chooses."""
    for acted in rounds(house):
        if isinstance(acted.command, commands.Choose):
            return acted.before, acted.command
    raise AssertionError("no bot came to choose")


@pytest.mark.parametrize("house", HOUSES)
def test_a_bot_never_uses_a_card_its_seat_does_not_see(house: str) -> None:
    chance, chosen = Seeded("worlds", house), 0
    strategy = best(seated(house))
    for acted in rounds(house):
        for seat in SEATS:
            viewer = f"seat:{seat}"
            other = _other_world(acted.before, viewer, chance)
            act = next_act(view(acted.before, viewer), seat, strategy)
            assert act == next_act(view(other, viewer), seat, strategy)
            chosen += isinstance(act, commands.Choose)
    assert chosen >= 2 * ROUNDS


@pytest.mark.parametrize("house", HOUSES)
def test_a_bot_chooses_by_the_best_strategy(house: str) -> None:
    strategy, chosen = best(seated(house)), set()
    for acted in (one for seed in range(3) for one in rounds(house, seed)):
        act = acted.command
        if not isinstance(act, commands.Choose):
            continue
        held = [card.face for card in acted.before.at(places.hand(act.seat))]
        shown = [card.face for card in acted.before.community() if card.up]
        assert 2 + act.bet == len(held) + len(shown)
        rides = feature_of([*held, *shown]) in (strategy.bet1 if act.bet == 1 else strategy.bet2)
        assert ("ride" if rides else "withdraw") == act.choice
        chosen.add((act.bet, act.choice))
    assert 4 == len(chosen)


@pytest.mark.parametrize("house", HOUSES)
def test_a_bot_bets_the_minimum_and_never_against_its_own_bank(house: str) -> None:
    least = seated(house).rules.rules.limit.cents_min or 0
    for acted in rounds(house):
        if isinstance(acted.command, commands.PlaceWagers):
            assert not acted.before.banks(acted.command.seat)
            assert least <= sum(acted.command.wagers.values()) <= 3 * least


def test_a_bot_that_cannot_bet_buys_chips() -> None:
    bought = [acted.command for acted in rounds("nsw-1", cents=100) if isinstance(acted.command, commands.BuyChips)]
    assert [commands.BuyChips(by=f"seat:{seat}", seat=seat, cents=BUY_CENTS) for seat in SEATS] == bought


@pytest.mark.parametrize("house", HOUSES)
def test_a_bot_that_may_not_bet_plays_the_round_it_is_in_to_its_end(house: str) -> None:
    strategy, money = best(seated(house)), commands.PlaceWagers | commands.TakeBank | commands.BuyChips
    waits = chose = 0
    for acted in rounds(house):
        for seat in SEATS:
            seen = view(acted.before, f"seat:{seat}")
            free, held = next_act(seen, seat, strategy), next_act(seen, seat, strategy, bets=False)
            waits += isinstance(free, money)
            chose += isinstance(held, commands.Choose)
            assert not isinstance(held, money)
    assert min(waits, chose) > 3


def test_a_bot_that_was_made_to_sit_out_comes_back_when_it_may_bet() -> None:
    table = seated("nsw-1", 1, 2)
    *_, last = play_on(table, dealer())
    table, _ = play(last.after, commands.SitOut(by="seat:1", seat=1))
    acts = [next_act(view(table, f"seat:{seat}"), seat, best(table)) for seat in (1, 2)]
    assert commands.SitOut(by="seat:1", seat=1, out=False) == acts[0]
    assert isinstance(acts[1], commands.PlaceWagers)
    assert next_act(view(table, "seat:1"), 1, best(table), bets=False) is None


def test_a_bot_that_is_offered_the_bank_and_has_no_chips_for_it_buys_some_and_takes_it() -> None:
    acts = [acted.command for acted in rounds("california-1", cents=100) if acted.command.by == f"seat:{SEATS[0]}"]
    assert commands.BuyChips(by="seat:1", seat=1, cents=BUY_CENTS) == acts[0]
    assert isinstance(acts[1], commands.TakeBank)


def test_cards_that_cannot_be_are_left_to_people() -> None:
    table, chosen = turn("washington-1")
    held = table.at(places.hand(chosen.seat))
    twice = CardObject(held[1].deck, held[1].serial, held[0].face, held[1].up)
    wrong = msgspec.structs.replace(table, cards={**table.cards, places.hand(chosen.seat): (held[0], twice, held[2])})
    assert chosen == bot(table, chosen.seat)(table)
    assert bot(table, chosen.seat)(wrong) is None
