"""Bets, cards and counts that each book takes or refuses in its own way, by what a table does about them."""

from __future__ import annotations

import pytest

from letitride.engine import commands
from letitride.engine.decide import play
from letitride.engine.refusal import Refusal
from letitride.engine.state import Table
from letitride.ledger import accounts
from letitride.rules.rulebook import RuleBook
from tests.clauses.helpers import refused
from tests.clauses.rounds import WHOLE_ROUND, kinds, moment, played, refusal, seen
from tests.clauses.test_california_round import WHOLE, at_table


def betting(book: RuleBook) -> Table:
    """Return a table by a book on which bets are made."""
    return moment(at_table(book, WHOLE) if book.rules.bank.mode == "player" else played(book, WHOLE_ROUND), "betting")


@pytest.mark.clause("ca:bet.1a", "hd:wager.1", "sm:bonus.bets.1.s1")
def test_no_voucher_becomes_chips_where_bets_are_chips(book: RuleBook) -> None:
    for into in ("chips", "tokens"):
        assert "medium_refused" == refusal(
            betting(book), commands.ExchangeVoucher(by="seat:1", seat=1, cents=500, into=into)
        )


@pytest.mark.clause("nsw:5.1", "nsw:1.1.voucher.s2")
def test_a_voucher_becomes_chips_or_tokens_of_its_value(book: RuleBook) -> None:
    table = betting(book)
    for into, purse in (("chips", accounts.stack(1)), ("tokens", accounts.tokens(1))):
        after, outcome = play(table, commands.ExchangeVoucher(by="seat:1", seat=1, cents=500, into=into))
        assert not isinstance(outcome, Refusal)
        assert 500 == after.cents(purse) - table.cents(purse)


@pytest.mark.clause("nsw:8.1")
def test_a_player_who_has_chosen_on_bet_2_may_look_again_while_others_choose(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    chosen = next(one.after for one in done.steps if 2 in one.after.seats[1].choices)
    assert "choice_2" == chosen.phase
    assert ["[red]"] * 3 == seen(chosen, "seat:1", 1)
    looked, _ = play(chosen, commands.Look(by="seat:1", seat=1))
    assert ["Th", "Td", "4c"] == seen(looked, "seat:1", 1)


@pytest.mark.clause("nsw:3.4", "nsw:3.8")
@pytest.mark.parametrize("device", ["", "+shuffler"])
def test_the_cards_are_checked_before_use_and_counted_only_on_order(book: RuleBook, device: str) -> None:
    done = played(book.id + device, WHOLE_ROUND * 6)
    assert 1 == kinds(done).count("check_deck")
    assert not [kind for kind in kinds(done) if kind.startswith("count")]  # neither by the machine nor every few rounds


@pytest.mark.clause("sm:pay.3CB-1", "sm:pay.3CB-6")
def test_no_other_table_prices_the_3_card_bonus(book: RuleBook) -> None:
    for other in ("HD-SIDE", "LIRX-01", "3CB-7"):
        assert "three_card.paytable: expected " in refused(book, three_card__paytable=other)
