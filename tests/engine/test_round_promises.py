"""Round promises: each is broken by a table that does what it forbids, whatever the agenda says."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from letitride.autoplay.trial_table import TrialTable
from letitride.engine import commands, events, places
from letitride.engine.promises import PromiseBroken
from letitride.engine.round_promises import DECIDED, SETTLED, SHOWN, RoundWatch
from letitride.engine.state import Ruling, Table
from letitride.engine.steps import Step
from letitride.rules.catalog import ready_rules

NOTHING = commands.Do(kind="ask")


@pytest.fixture(scope="module")
def settling() -> Table:
    trial = TrialTable(ready_rules("nsw-1"), 1)
    while not any(step.kind == "take" for step in trial.table.agenda[:1]):
        command = trial.due()
        assert command is not None
        trial.do(command)
    return trial.table


def broken(watch: RoundWatch, before: Table, event: Any, after: Table) -> str:
    with pytest.raises(PromiseBroken) as error:
        watch.watch(before, NOTHING, (event,), after)
    return error.value.promise


def closed(table: Table, *places_of_cards: str) -> Table:
    down = {name: tuple(replace(card, up=False) for card in table.at(name)) for name in places_of_cards}
    return replace(table, cards={**table.cards, **down})


def test_a_decision_needs_the_card_before_it(settling: Table) -> None:
    chosen = events.ChoiceMade(seat=1, bet=2, choice="ride")
    none, one = closed(settling, *places.COMMUNITY), closed(settling, places.COMMUNITY[1])
    assert broken(RoundWatch(), none, chosen, none) == DECIDED
    RoundWatch(disturbed=False).watch(one, NOTHING, (chosen,), one)
    assert broken(RoundWatch(disturbed=False), settling, chosen, settling) == DECIDED  # both are turned already
    tucked = (events.CardsTucked(seat=1), chosen)
    RoundWatch().watch(none, NOTHING, tucked, none)


def test_hands_are_read_when_two_cards_are_turned(settling: Table) -> None:
    read, one = events.RoundRead(results={}), closed(settling, places.COMMUNITY[1])
    before = replace(one, phase="choice_2")
    assert broken(RoundWatch(), before, read, one) == SHOWN
    RoundWatch().watch(before, NOTHING, (read,), settling)
    seat = replace(settling.seats[1], choices={1: "ride"})
    unasked = replace(settling, seats={**settling.seats, 1: seat})
    assert broken(RoundWatch(disturbed=False), before, read, unasked) == SETTLED


def test_nothing_is_settled_on_a_closed_card(settling: Table) -> None:
    taken = events.StepDone(step=Step("take", 1, "base-1"))
    RoundWatch().watch(settling, NOTHING, (taken,), settling)
    for hidden in (places.hand(1), places.COMMUNITY[0]):
        assert broken(RoundWatch(), closed(settling, hidden), taken, settling) == SHOWN


def test_an_undisturbed_round_is_neither_ruled_on_nor_void_and_every_bet_has_its_result(settling: Table) -> None:
    ruling = Ruling(name="dealer_count:misdeal", sentence="too many")
    ruled = events.Ruled(ruling=ruling, agenda=(), phase="ruling", round=1)
    void, ended = events.RoundVoided(round=1, results={}), events.RoundEnded(round=1)
    assert broken(RoundWatch(disturbed=False), settling, ruled, settling) == SETTLED
    assert broken(RoundWatch(disturbed=False), settling, void, settling) == SETTLED
    RoundWatch(disturbed=True).watch(settling, NOTHING, (ruled, void), settling)
    seat = replace(settling.seats[1], results=())
    unpaid = replace(settling, seats={**settling.seats, 1: seat})
    with pytest.raises(PromiseBroken, match="seat 1 has no result for"):
        RoundWatch(disturbed=False).watch(unpaid, NOTHING, (ended,), unpaid)
    with pytest.raises(PromiseBroken, match="cards are left at"):
        RoundWatch(disturbed=False).watch(settling, NOTHING, (ended,), settling)


def test_a_mishap_an_order_and_a_flawed_deck_disturb_a_round(settling: Table) -> None:
    flawed = replace(settling, cards={**settling.cards, places.OUTSIDE: settling.at(places.hand(1)), "hand:1": ()})
    for event, after in (
        (events.MishapHappened(kind="drawn", seat=0), settling),
        (events.PlayerWentAway(seat=1), settling),
        (events.PhaseBegan(phase="dealing", agenda=(), round=1), flawed),
    ):
        watch = RoundWatch(disturbed=False)
        watch.watch(settling, NOTHING, (event,), after)
        assert watch.disturbed, event
    watch = RoundWatch(disturbed=False)
    watch.watch(settling, commands.Order(kind="limits"), (), settling)
    assert watch.disturbed
    watch.watch(settling, NOTHING, (events.PhaseBegan(phase="betting", agenda=(), round=2),), settling)
    assert not watch.disturbed
