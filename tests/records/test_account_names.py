"""Account names: every kind of account and bet has a name that people use, and no id."""

from __future__ import annotations

import pytest

from letitride.ledger import accounts
from letitride.records.account_names import account_name
from letitride.rules.wager_table import PUBLISHED_BY_SPOT, bet_name


@pytest.mark.parametrize(
    ("account", "name"),
    [
        (accounts.felt(4, "base-1"), "seat 4, bet 1"),
        (accounts.felt(4, "three_card"), "seat 4, 3 Card Bonus"),
        (accounts.laid_coupon(4), "seat 4, match-play coupon"),
        (accounts.stack(4), "seat 4, chips"),
        (accounts.tokens(4), "seat 4, promotional tokens"),
        (accounts.wallet("Ann"), "Ann's wallet"),
        (accounts.WALLETS, "players' wallets"),
        (accounts.TRAY, "chip tray"),
        (accounts.FEES, "collection fees"),
        (accounts.meter("cover_all"), "Cover All jackpot meter"),
    ],
)
def test_an_account_has_a_name(account: str, name: str) -> None:
    assert account_name(account, PUBLISHED_BY_SPOT) == name


def test_all_bets_of_a_seat_may_have_one_name() -> None:
    for spot in PUBLISHED_BY_SPOT:
        named = account_name(accounts.felt(2, spot), PUBLISHED_BY_SPOT, bets_of_a_seat=True)
        assert named == "seat 2, bets on the felt"


def test_a_bet_that_no_table_here_has_is_named_without_its_underscores() -> None:
    assert bet_name("two_up") == "two up"
    assert bet_name("base-$") == "bet $"
