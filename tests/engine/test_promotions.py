"""Promotions: vouchers and tokens of the house, followed from hand to hand until the last of them is chips or gone."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from letitride.autoplay.steps import Fixed, command_for
from letitride.engine import commands
from letitride.engine.decide import open_table
from letitride.engine.events import VoucherExchanged
from letitride.engine.offers import offers
from letitride.engine.promises import play_checked
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.records.retold import command_of
from letitride.rules.cards import FACES
from letitride.rules.catalog import ready_rules
from letitride.rules.keys import FeeTier
from letitride.rules.wager_table import BASE_SPOTS
from tests.engine.recorded import by_another

BASE = dict.fromkeys(BASE_SPOTS, 500)
FEES = {
    "fee__kind": "flat",
    "fee__tiers": (FeeTier(limit_cents_max=100_000, wager_cents=50, bank_cents=200),),
    "limit__cents_max": 10_000,
}


def done(table: Table, *acts: commands.AnyCommand) -> Table:
    for act in acts:
        table, outcome = play_checked(table, act)
        assert not isinstance(outcome, Refusal), outcome
    return table


def refused(table: Table, act: commands.AnyCommand) -> tuple[str, str]:
    """Why a command is refused; nothing at the table has changed."""
    after, outcome = play_checked(table, act)
    assert isinstance(outcome, Refusal), outcome
    assert after == table
    return outcome.code, outcome.sentence


@cache
def _opened() -> Table:
    table, _ = open_table(ready_rules("nsw-1"))
    while table.phase == "opening" or table.agenda:
        table = done(table, command_for(table, table.agenda[0], Fixed(FACES)))
    return table


def betting(chips: int, **keys: Any) -> Table:
    """A table that takes bets, by New South Wales with some keys changed; seat 1 bought in."""
    table = done(by_another(_opened(), **keys), commands.Sit(by="seat:1", seat=1, player="Ann", cents=chips))
    while table.agenda[0].kind != "call_no_more_bets":
        table = done(table, command_for(table, table.agenda[0], Fixed(FACES)))
    return table


def exchange(cents: int, into: Any) -> commands.ExchangeVoucher:
    return commands.ExchangeVoucher(by="seat:1", seat=1, cents=cents, into=into)


def bet(medium: Any, wagers: dict[Any, int] = BASE, **said: Any) -> commands.PlaceWagers:
    return commands.PlaceWagers(by="seat:1", seat=1, wagers=wagers, medium=medium, **said)


def held(table: Table) -> tuple[int, int, int]:
    """Chips, tokens and bets of seat 1."""
    felt = sum(table.cents(f"felt:1:{spot}") for spot in BASE_SPOTS)
    return table.cents("stack:1"), table.cents("tokens:1"), felt


def test_a_voucher_for_tokens_stays_with_its_player_where_no_tokens_are_bet() -> None:
    table = betting(5_000, bet__media=("chips", "vouchers"))
    assert ("medium_refused", "This table doesn't take bets in tokens.") == refused(table, exchange(2_000, "tokens"))
    assert (7_000, 0, 0) == held(done(table, exchange(2_000, "chips")))


@pytest.mark.parametrize(("chips", "taken"), [(149, False), (150, True)])
def test_the_fee_of_a_bet_in_tokens_is_paid_in_chips_that_the_player_has(chips: int, taken: bool) -> None:
    table = done(betting(chips, **FEES), exchange(6_000, "tokens"))
    if not taken:
        assert ("not_enough", "The collection fee is $1.50 in chips. You have $1.49.") == refused(table, bet("tokens"))
        return
    table = done(table, bet("tokens"))
    while table.cents("stack:1"):
        table = done(table, command_for(table, table.agenda[0], Fixed(FACES)))
    assert (0, 4_500, 1_500) == held(table)
    assert 150 == table.cents("fees")


def test_all_tokens_may_be_bet_where_the_chips_pay_the_fee() -> None:
    table = done(betting(19_250, **FEES), exchange(1_500, "tokens"))
    assert (19_250, 0, 1_500) == held(done(table, bet("tokens")))
    assert ("not_enough", "Your bets are $18 together. You have $15 in promotional tokens.") == refused(
        table, bet("tokens", dict.fromkeys(BASE_SPOTS, 600))
    )


def test_bets_that_come_back_count_where_they_came_from() -> None:
    table = done(
        betting(1_500, **FEES, bet__media=("chips", "plaques", "tokens", "vouchers")), exchange(1_500, "tokens")
    )
    assert "not_enough" == refused(table, bet("chips"))[0]  # $15 and the fee of $1.50
    more = done(table, commands.BuyChips(by="seat:1", seat=1, cents=150))
    chips = done(more, bet("chips"))
    assert (150, 1_500, 1_500) == held(chips)
    assert (1_650, 0, 1_500) == held(done(chips, bet("tokens")))  # the chips that come back pay its fee
    assert (150, 1_500, 1_500) == held(done(chips, bet("tokens"), bet("chips")))
    assert (150, 1_500, 1_500) == held(done(chips, bet("plaques"), bet("chips")))


@pytest.mark.parametrize("medium", ["plaques", "tokens", "vouchers"])
def test_a_spoken_bet_is_made_with_cash_or_chips_only(medium: str) -> None:
    takes = {"bet__spoken_cash": True, "bet__media": ("chips", "plaques", "tokens", "vouchers")}
    table = done(betting(5_000, **takes), exchange(2_000, "tokens"))
    sentence = f"Spoken bets are made in cash or chips, not in {medium}."
    assert ("medium_refused", sentence) == refused(table, bet(medium, spoken=True))
    assert (3_500, 2_000, 1_500) == held(done(table, bet("chips", spoken=True)))
    assert (5_000, 2_000, 1_500) == held(done(table, bet("cash", spoken=True)))


def test_a_player_with_nothing_else_sits_down_redeems_a_voucher_and_is_offered_a_bet_in_tokens() -> None:
    table = betting(0)
    assert "Ann" == table.seats[1].player
    assert 0 == table.cents("stack:1")
    assert not any(isinstance(one, commands.PlaceWagers) and one.wagers for one in offers(table, "seat:1"))
    table = done(table, commands.ExchangeVoucher(by="seat:1", seat=1, cents=6_000, into="tokens"))
    (offer,) = [one for one in offers(table, "seat:1") if isinstance(one, commands.PlaceWagers) and one.wagers]
    assert "tokens" == offer.medium
    table = done(table, offer)
    assert 6_000 - sum(offer.wagers.values()) == table.cents("tokens:1")


@pytest.mark.parametrize("into", ["chips", "tokens"])
def test_the_journal_says_which_voucher_was_exchanged_and_a_command_is_found_again_from_it(into: Any) -> None:
    table = betting(1_000)
    command = commands.ExchangeVoucher(by="seat:1", seat=1, cents=6_000, into=into, voucher="Ann/summer")
    _, outcome = play_checked(table, command)
    assert not isinstance(outcome, Refusal)
    (event,) = outcome
    assert isinstance(event, VoucherExchanged)
    assert "Ann/summer" == event.voucher
    assert command == command_of(table, "seat:1", outcome)
