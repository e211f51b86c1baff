"""The payout desk pays what the engine pays, and names what cannot have been dealt."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from random import Random

import pytest

from letitride.errors import InvalidData
from letitride.records.payout import pay_entered, pay_record, pay_round
from letitride.records.reader import read_record
from letitride.records.real_round import RealHand, RealRound, record_of
from letitride.records.replay import replay
from letitride.rules import catalog
from letitride.rules.values import Values
from tests.records.real_rounds import real_round

ROUNDS = int(os.environ.get("LETITRIDE_PAYOUT_ROUNDS", "300"))
"""`make prove` plays 10,000."""
TABLES: list[tuple[str, Values]] = [
    *((book, {}) for book in catalog.rulebook_ids()),
    ("nsw-1", {"payout.cap": "maximum", "payout.cents_max": 10_000}),
    ("nsw-1", {"payout.cap": "maximum", "payout.cents_max": 10_000, "payout.scope": "round"}),
    ("california-1", {"bank.settle_from": "action_seat"}),
]
SHOWN = RealRound(
    rulebook="washington-1",
    hands=(
        RealHand(seat=1, cards=("8h", "8d", "8c"), wagers={"base-1": 1000, "base-2": 1000, "base-$": 1000}),
        RealHand(
            seat=3,
            cards=("Th", "Jd", "7c"),
            wagers={"base-1": 1000, "base-2": 1000, "base-$": 1000, "cover_all": 500},
            rides=(2,),
        ),
    ),
    community=("8s", "9c"),
)


@pytest.mark.parametrize(("under", "values"), TABLES, ids=str)
def test_the_desk_pays_what_the_engine_pays_on_random_rounds(under: str, values: Values) -> None:
    rules, paying, cut = catalog.ready_rules(under, values), 0, 0
    for number in range(ROUNDS // len(TABLES) + 1):
        draw = Random(f"{under}/{number}")
        entered = real_round(rules, draw)
        if values.get("bank.settle_from"):
            entered = replace(entered, dice=draw.randint(3, 18))
        told = pay_round(rules, entered)
        done = replay(record_of(rules, entered), "the round", rules)
        (outcome,) = done.outcomes
        assert "settled" == outcome.status
        engine = {(seat, one.wager): one for seat, rows in outcome.results.items() for one in rows}
        desk = {(one.seat, spot.spot): spot for one in told.hands for spot in one.spots}
        assert engine.keys() == desk.keys()
        for where, one in engine.items():
            spot = desk[where]
            assert (one.stake_cents, one.fate, one.paid_cents, one.back_cents, one.net_cents) == (
                spot.stake_cents,
                spot.fate,
                spot.paid_cents,
                spot.back_cents,
                spot.net_cents,
            )
            assert spot.steps
        fees = sum(t.cents for t in outcome.transfers if t.target == "fees")
        assert fees == sum(one.fee_cents for one in told.hands) + told.bank_fee_cents
        paying += any(spot.paid_cents for spot in desk.values())
        cut += any("maximum payout" in step for spot in desk.values() for step in spot.steps)
    assert paying
    assert bool(values.get("payout.cap")) == bool(cut)


def test_a_round_is_paid_step_by_step_and_written_as_a_record() -> None:
    told, record = pay_entered(catalog.ready_rules("washington-1"), SHOWN)
    spots = {(one.seat, spot.spot): spot for one in told.hands for spot in one.spots}
    assert "straight, jack high" == next(one.hand for one in told.hands if one.seat == 3)
    assert ("withdrawn", ("taken back: $10 returned",)) == (spots[3, "base-1"].fate, spots[3, "base-1"].steps)
    assert ("straight: 6 to 1 on $10 is $60", "the stake of $10 is returned") == spots[3, "base-2"].steps
    assert "best of 2 hands: four of a kind: 80 to 1 on $5 is $400" == spots[3, "cover_all"].steps[0]
    assert told == pay_record(read_record(record, "saved"), "saved")


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"community": ("8h", "9c")}, "that card is out twice: eight of hearts, in seat 1 and the community cards"),
        ({"community": ("8s", "8s")}, "that card is out twice: eight of spades, twice in the community cards"),
        ({"community": ("8s",)}, "the community cards: expected 2 cards, got 1"),
        ({"community": ("8s", "1x")}, "the community cards: expected a card like 'Th', got '1x'"),
        ({"hands": ()}, "expected one hand or more, got none"),
        ({"hands": (replace(SHOWN.hands[0], wagers={}),)}, "seat 1: expected bets, got none"),
        ({"hands": (replace(SHOWN.hands[0], wagers={"bingo": 1}),)}, "seat 1: expected"),
        ({"hands": (SHOWN.hands[0], replace(SHOWN.hands[1], seat=1))}, "got two at seat 1"),
        ({"hands": (replace(SHOWN.hands[0], wagers=dict.fromkeys(("base-1", "base-2", "base-$"), 10**9)),)}, "maximum"),
        ({"hands": (replace(SHOWN.hands[0], wagers={"base-1": 1000}),)}, "expected"),
    ],
)
def test_what_cannot_be_is_named_in_a_sentence(change: dict[str, object], sentence: str) -> None:
    with pytest.raises(InvalidData, match=re.escape(sentence)):
        pay_entered(catalog.ready_rules("washington-1"), replace(SHOWN, **change))  # type: ignore[arg-type]  # each row changes its own field


def test_a_bank_has_to_be_named_where_a_player_banks() -> None:
    rules = catalog.ready_rules("california-1")
    entered = replace(SHOWN, rulebook="california-1", hands=SHOWN.hands[:1])
    with pytest.raises(InvalidData, match="the seat that banks"):
        pay_entered(rules, entered)
    with pytest.raises(InvalidData, match="a bank without a hand"):
        pay_entered(rules, replace(entered, bank_seat=1, bank_cents=10_000))
