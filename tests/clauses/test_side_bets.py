"""Side bets and the hands they are paid on, by the chips that move; in every book that has them."""

from __future__ import annotations

import pytest

from letitride.engine.view import view
from letitride.rules.rulebook import RuleBook
from tests.clauses.helpers import refused
from tests.clauses.rounds import CHOICES, fates, played, stacks, step

ONE_SEAT = "seat 1 sits Ann 500\n"


def alone(cards: str, bets: str) -> str:
    """Return a round of seat 1 that lets both bets ride: three cards, then both community cards."""
    hand, community = cards[:8], cards[9:]
    return f"round\nhand 1 {hand}\ncommunity {community}\n{bets}\nseat 1 rides 1\nseat 1 rides 2\n"


def won(book: RuleBook | str, cards: str, bets: str = "seat 1 bets 10", *settings: str) -> int:
    """Return what seat 1 has won or lost with five cards, in cents."""
    (stack,) = stacks(played(book, alone(cards, bets), *settings, seated=ONE_SEAT), 1)
    return stack - 50_000


# limits


@pytest.mark.clause("hd:side.2")
def test_the_side_bet_is_between_one_and_ten_dollars(book: RuleBook) -> None:
    wrong = "seat 1 bets 5 three_card 0.99 => below_minimum\nseat 1 bets 5 three_card 10.01 => above_maximum\n"
    for dollars in (1, 10):  # a pair pays 1 to 1; the nines lose the base
        assert -1_500 + 100 * dollars == won(book, "9h 9d 3c Ks 2d", f"{wrong}seat 1 bets 5 three_card {dollars}")
    assert "which the book fixes" in refused(book, three_card__cents_max=1_001)
    assert "which the book fixes" in refused(book, three_card__cents_min=99)


@pytest.mark.clause("sm:3cb.opt1.1.s2", "sm:3cb.opt2.1.s2")
@pytest.mark.parametrize("variant", ["", "+three_card_first", "+three_card_claim"])
def test_the_3_card_bonus_has_limits_of_its_own(book: RuleBook, variant: str) -> None:
    own = ("three_card.cents_min = 300", "three_card.cents_max = 700", "limit.cents_min = 1000")
    wrong = (
        "seat 1 bets 10 three_card 2.99 => below_minimum\n"
        "seat 1 bets 10 three_card 7.01 => above_maximum\n"
        "seat 1 bets 9.99 three_card 3 => below_minimum\n"
    )
    for dollars in (3, 7):
        lost = won(f"{book.id}{variant}", "9h 8d 3c Ks 2d", f"{wrong}seat 1 bets 10 three_card {dollars}", *own)
        assert -3_000 - 100 * dollars == lost
    assert "at least the minimum of 300 cents, got 200" in refused(
        book, three_card__cents_min=300, three_card__cents_max=200
    )


# hands


@pytest.mark.clause("sm:bonus.rank.2.s2", "sm:bonus.rank.1f", "sm:bonus.rank.1b")
def test_the_ace_plays_low_in_a_2_3_4_5_and_nowhere_else(book: RuleBook) -> None:
    straight, flush = won(book, "7h 8c 9d Ts Jh"), won(book, "7h 8h 9h Th Jh")
    assert 0 < straight < flush
    assert straight == won(book, "Ah 2c 3d 4s 5h") == won(book, "Th Jc Qd Ks Ah")
    assert flush == won(book, "Ah 2h 3h 4h 5h") == won(book, "9h Th Jh Qh Kh") < won(book, "Th Jh Qh Kh Ah")
    for cards in ("Ah 2c 3d 4s 6h", "Qh Kc Ad 2s 3h", "Jh Qc Kd As 2h", "Kh Ac 2d 3s 4h"):
        assert -3_000 == won(book, cards)


# Cover All

COVERED = """
round
hand 1 8h 8d 8c
hand 3 Th Jd 7c
hand 7 9h 9d 2c
community 8s 9c
seat 1 bets 10 cover_all 5
seat 3 bets 10
seat 7 bets 10 cover_all 2
"""


def test_cover_all_has_limits_of_its_own_which_the_table_sets() -> None:
    wrong = "seat 1 bets 10 cover_all {} => below_minimum\nseat 1 bets 10 cover_all {} => above_maximum\n"
    for low, high, settings in ((1, 25, ()), (2, 4, ("cover_all.cents_min = 200", "cover_all.cents_max = 400"))):
        refused_ones = wrong.format(low - 0.01, high + 0.01)
        for dollars in (low, high):
            bet = f"{refused_ones}seat 1 bets 10 cover_all {dollars}"
            assert -3_000 - 100 * dollars == won("washington-1", "9h 8d 3c Ks 2d", bet, *settings)


@pytest.mark.clause("wa:pay.cover.unit")
def test_a_cover_all_award_comes_on_top_of_the_stake(book: RuleBook) -> None:
    with_it, without = COVERED + CHOICES, COVERED.replace(" cover_all 5", "").replace(" cover_all 2", "") + CHOICES
    more = [
        a - b for a, b in zip(stacks(played(book, with_it), 1, 7), stacks(played(book, without), 1, 7), strict=True)
    ]
    assert [50 * 500, 50 * 200] == more  # four of a kind among three hands is 50 to 1, and the stake is back


@pytest.mark.clause("wa:cover.3", "wa:cover.5.s2")
def test_the_awards_on_show_stand_when_a_hand_is_void_afterwards(book: RuleBook) -> None:
    left = COVERED + CHOICES.replace("seat 3 withdraws 1", "seat 3 by dealer goes away\ndealer reports absent seat 3")
    done = played(book, left.replace("seat 3 rides 2\n", ""))
    assert ["void"] * 3 == fates(done, 3)
    shown = view(step(done, "show_awards 3").after, "seat:1").sign.pays["cover_all"]["four of a kind"]
    assert "50 to 1" == shown
    both = CHOICES.replace("seat 3 withdraws 1\n", "").replace("seat 3 rides 2\n", "")
    two = played(book, COVERED.replace("hand 3 Th Jd 7c\n", "").replace("seat 3 bets 10\n", "") + both)
    won_with_three, won_with_two = stacks(done, 1)[0], stacks(two, 1)[0]
    assert (80 - 50) * 500 == won_with_two - won_with_three
