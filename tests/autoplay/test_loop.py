"""One loop asks those who act without a person, and stops where a person must."""

from __future__ import annotations

import pytest

from letitride.autoplay.dealer import for_an_absent_player
from letitride.autoplay.loop import Party, next_act, play_on
from letitride.autoplay.players import Planned
from letitride.engine import commands, events
from letitride.engine.decide import Events
from letitride.engine.promises import play_checked
from letitride.errors import InvariantBroken
from tests.autoplay.at_work import BETS, HOUSES, bot, dealer, seated

OVER = events.RoundEnded | events.RoundVoided


def test_the_first_that_does_not_wait_acts_and_no_other_is_asked() -> None:
    called = []

    def party(name: str, act: commands.AnyCommand | None) -> Party:
        def answer(_: object) -> commands.AnyCommand | None:
            called.append(name)
            return act

        return answer

    table, act = seated("nsw-1"), commands.Do(kind="check_deck", number=1)
    assert act == next_act(table, party("waits", None), party("acts", act), party("last", None))
    assert ["waits", "acts"] == called
    assert next_act(table) is None


@pytest.mark.parametrize("house", HOUSES)
def test_it_stops_where_a_person_must_choose(house: str) -> None:
    plan = Planned(dict.fromkeys((1, 2, 3), BETS), dict.fromkeys((1, 2, 3), 100_000))
    *_, last = play_on(seated(house, 1, 2, 3), plan, dealer())
    step = last.after.next_step
    assert step is not None
    assert ("await_choice", 1) == (step.kind, last.after.round)


@pytest.mark.parametrize("house", HOUSES)
def test_bots_and_dealer_play_rounds_alone_and_every_promise_holds(house: str) -> None:
    table, ended = seated(house, 1, 4, 6), 0
    parties = [bot(table, seat) for seat in (1, 4, 6)]
    for acted in play_on(table, *parties, dealer(), for_an_absent_player, carry_out=play_checked):
        ended += sum(isinstance(event, events.RoundEnded) for event in acted.events)
        if ended == 3:
            break
    assert 3 == ended


@pytest.mark.parametrize("house", HOUSES)
def test_a_round_goes_on_by_the_book_when_all_its_players_are_gone(house: str) -> None:
    plan = Planned(dict.fromkeys((1, 2, 3), BETS), dict.fromkeys((1, 2, 3), 100_000))
    happened: Events = ()
    for acted in play_on(seated(house, 1, 2, 3), plan, dealer(), for_an_absent_player, carry_out=play_checked):
        happened = (*happened, *acted.events)
        if any(isinstance(event, OVER) for event in acted.events):
            break
    assert any(isinstance(event, events.PlayerWentAway) for event in happened)
    assert any(isinstance(event, OVER) for event in happened)


def test_an_act_that_is_refused_is_a_bug_and_stops_it() -> None:
    with pytest.raises(InvariantBroken, match="out_of_order"):
        next(play_on(seated("nsw-1", 1), lambda _: commands.Do(kind="pay", seat=1, wager="base-1")))
