"""The price of a progressive, confirmed from the number of five-card hands of each rank alone."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from letitride.analysis.par import sheets
from letitride.analysis.progressive import progressive
from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.hands import Category

JACKPOT = Path(__file__).parent.parent.parent / "examples/wagers/jackpot.toml"
PAYS = catalog.paytable(JACKPOT).pays["jackpot"]
HANDS = 2_598_960
ROYAL, STRAIGHT_FLUSH = 4, 36
FIXED = 624 * 300 + 3_744 * 50 + 5_108 * 40 + 10_200 * 30 + 54_912 * 9
SEED = 1_000_000


def by_hand(meter_cents: int, players: int = 1) -> Fraction:
    """The expected loss of a dollar, in dollars: every hand once, with what it is paid."""
    shares = ROYAL * Fraction(meter_cents, 100) + STRAIGHT_FLUSH * Fraction(meter_cents // 10, 100)
    envy = (players - 1) * (ROYAL * 1_000 + STRAIGHT_FLUSH * 300)
    return 1 - (FIXED + shares + envy) / HANDS


@pytest.mark.parametrize("meter", [0, SEED, 12_345_678])
@pytest.mark.parametrize("players", [1, 2, 7])
def test_the_edge_at_any_meter_is_what_all_hands_are_paid(meter: int, players: int) -> None:
    assert by_hand(meter, players) == progressive(PAYS, 100, players).house_edge(meter)


def test_at_the_break_even_meter_neither_side_has_an_edge() -> None:
    found = progressive(PAYS, 100)
    assert found.break_even_cents is not None
    assert 0 < by_hand(int(found.break_even_cents) - 10)  # shares are paid in whole cents
    assert 0 > by_hand(int(found.break_even_cents) + 10)


def test_the_sheet_and_every_other_price_have_the_meter_at_its_seed() -> None:
    (sheet,) = sheets(catalog.paytable(JACKPOT))
    assert by_hand(SEED) == sheet.house_edge == progressive(PAYS, 100).house_edge(SEED)
    assert "Jackpot, meter at its seed of $10,000, no envy won" == catalog.paytable(JACKPOT).title
    assert (Fraction(10_000), Fraction(1_000)) == (PAYS.pay(Category.ROYAL_FLUSH), PAYS.pay(Category.STRAIGHT_FLUSH))


def test_in_the_long_run_the_house_keeps_what_neither_pays_nor_the_meter_nor_its_seeds_take() -> None:
    found = progressive(PAYS, 100)
    assert found.long_run_edge is not None
    assert 1 - Fraction(FIXED, HANDS) - Fraction(1, 5) - Fraction(ROYAL * 10_000, HANDS) == found.long_run_edge
    assert found.contribution == found.contribution_for(found.long_run_edge)
    assert found.contribution + Fraction(1, 20) == found.contribution_for(found.long_run_edge - Fraction(1, 20))
    with pytest.raises(InvalidData, match="expected a house edge that a contribution of 0 to 100% gives"):
        found.contribution_for(Fraction(9, 10))


def test_the_average_meter_stays_what_it_is() -> None:
    """What a round adds on average to a meter of that size is what it takes."""
    found = progressive(PAYS, 100)
    mean = found.average_meter_cents
    assert mean is not None
    royal, straight_flush = Fraction(ROYAL, HANDS), Fraction(STRAIGHT_FLUSH, HANDS)
    after = royal * SEED + straight_flush * mean * Fraction(9, 10) + (1 - royal - straight_flush) * mean + 20
    assert mean == after


def test_a_bet_without_a_meter_has_no_such_figures() -> None:
    with pytest.raises(InvalidData, match="expected a wager with a meter, got three_card, which has none"):
        progressive(catalog.paytable("3CB-1").pays["three_card"], 100)
    with pytest.raises(InvalidData, match="expected a stake of a cent or more and a player or more, got 100 and 0"):
        progressive(PAYS, 100, 0)


def test_amounts_of_a_meter_are_won_whatever_it_holds_and_leave_the_long_run_open(tmp_path: Path) -> None:
    text = JACKPOT.read_text(encoding="utf-8").replace("straight_flush = 10\n", 'straight_flush = "$500"\n')
    (tmp_path / "own.toml").write_text(text.replace("seed_cents = 1000000", "seed_cents = 0"), encoding="utf-8")
    found = progressive(catalog.paytable(tmp_path / "own.toml").pays["jackpot"], 100)
    for meter in (0, 7, 5_000_000):
        won = ROYAL * Fraction(meter, 100) + STRAIGHT_FLUSH * 500
        assert 1 - (FIXED + won) / HANDS == found.house_edge(meter)
    assert (None, None) == (found.long_run_edge, found.average_meter_cents)
    with pytest.raises(InvalidData, match="expected a meter of which hands take shares alone"):
        found.contribution_for(Fraction(1, 4))
