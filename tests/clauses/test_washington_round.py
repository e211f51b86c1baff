"""The Washington packet at the table: the Cover All bonus, and hand dealing."""

from __future__ import annotations

import pytest

from letitride.engine import places
from letitride.engine.view import view
from letitride.rules.rulebook import RuleBook
from tests.clauses.rounds import (
    CHOICES,
    THREE_SEATS,
    WHOLE_ROUND,
    bets,
    faces,
    hands,
    kinds,
    moment,
    order,
    played,
    results,
    seen,
    stacks,
    step,
    step_event,
    steps,
)

# Seat 7 makes trips, seat 3 a straight, seat 1 quads; seats 1 and 7 have Cover All bets.
BETTER_AND_BETTER = """
round
hand 1 8h 8d 8c
hand 3 Th Jd 7c
hand 7 9h 9d 2c
community 8s 9c
seat 1 bets 10 cover_all 5
seat 3 bets 10
seat 7 bets 10 cover_all 2
"""
DEALT = pytest.mark.parametrize("variant", ["", "+hand", "+shoe"])
"""By the i-Deal Plus, by hand and from a shoe."""
NO_TRIPS = THREE_SEATS.replace("seat 1 bets 10", "seat 1 bets 10 cover_all 5")


@pytest.mark.clause("wa:cover.1")
@DEALT
def test_cover_all_is_optional_staked_before_the_round_and_refused_afterwards(book: RuleBook, variant: str) -> None:
    done = played(book.id + variant, BETTER_AND_BETTER + CHOICES)
    assert "cover_all" not in results(done, 3)
    assert bets(moment(done, "betting"), 3, base=1_000, cover_all=500) == ""
    for phase in ("dealing", "choice_1", "choice_2"):
        assert bets(moment(done, phase), 3, base=1_000, cover_all=500) == "betting_closed"


@pytest.mark.clause("wa:cover.2", "wa:cover.3", "wa:cover.6")
@DEALT
def test_every_cover_all_bet_gets_the_award_of_the_tables_single_best_hand(book: RuleBook, variant: str) -> None:
    done = played(book.id + variant, BETTER_AND_BETTER + CHOICES)
    assert step_event(done, "open_hand 1").says.startswith("four of a kind")
    for seat, stake in ((1, 500), (7, 200)):  # 50 to 1 for quads with three hands, whoever holds them, once
        won = results(done, seat)["cover_all"]
        assert (won.stake_cents, won.fate, won.paid_cents) == (stake, "won", 50 * stake)
    # Quads pay 30 to 1 on three bets, trips 3 to 1 on two; Cover All 50 to 1 on five dollars and on two.
    assert stacks(done, 1, 7) == [50_000 + 90_000 + 25_000, 50_000 + 6_000 + 10_000]
    lost = results(played(book.id + variant, NO_TRIPS + CHOICES), 1)["cover_all"]
    assert (lost.fate, lost.paid_cents) == ("lost", 0)
    assert stacks(played(book.id + variant, NO_TRIPS + CHOICES), 1) == [50_000 + 3_000 - 500]


@pytest.mark.clause("wa:cover.3")
@DEALT
def test_the_number_of_hands_dealt_fixes_the_award_column(book: RuleBook, variant: str) -> None:
    two = BETTER_AND_BETTER.replace("seat 3 bets 10\n", "").replace("hand 3 Th Jd 7c\n", "")
    done = played(book.id + variant, two + CHOICES.replace("seat 3 withdraws 1\n", "").replace("seat 3 rides 2\n", ""))
    assert results(done, 1)["cover_all"].paid_cents == 80 * 500  # quads with two hands
    alone = BETTER_AND_BETTER.replace("seat 3 bets 10\n", "seat 3 bets three_card 5\n")
    choices = CHOICES.replace("seat 3 withdraws 1\n", "").replace("seat 3 rides 2\n", "")
    counted = played(book.id + variant, alone + choices, "three_card.alone = true")
    assert results(counted, 1)["cover_all"].paid_cents == 50 * 500  # a side-bet-only hand counts
    best = alone.replace("hand 1 8h 8d 8c", "hand 1 Tc Jd 7c").replace("hand 3 Th Jd 7c", "hand 3 8h 8d 8c")
    held = played(book.id + variant, best + choices, "three_card.alone = true")
    assert results(held, 1)["cover_all"].paid_cents == 50 * 500  # and may be the table's best


@pytest.mark.clause("wa:cover.5.s1", "wa:cover.5.s2")
def test_when_the_dealer_has_his_packet_and_presses_green_the_hands_are_counted_and_the_awards_shown(
    book: RuleBook,
) -> None:
    done = played(book, BETTER_AND_BETTER + CHOICES)
    order(done, "deal_dealer_packet", "unload_stub", "show_awards 3", "ask 1 1")
    assert step_event(done, "show_awards 3").says == "3 hands"
    before = view(step(done, "show_awards 3").before, "spectator").sign.pays["cover_all"]
    assert before["royal flush"] == "500 to 1 (1 hand) … 90 to 1 (7 hands)"  # not counted yet
    shown = view(step(done, "show_awards 3").after, "spectator").sign.pays["cover_all"]
    assert (shown["royal flush"], shown["three of a kind"]) == ("250 to 1", "7 to 1")


@pytest.mark.clause("wa:cover.7")
@pytest.mark.parametrize("method", ["pick_and_pay", "lay_and_pay"])
def test_the_base_game_is_settled_by_the_houses_procedure(book: RuleBook, method: str) -> None:
    done = played(book, BETTER_AND_BETTER + CHOICES, f"settle.method = {method}")
    assert [result.fate for result in results(done, 1).values()] == ["won"] * 4
    opened, paid = (steps(done).index(words) for words in ("open_hand 1", "pay 7 base-1"))
    assert (opened > paid) == (method == "pick_and_pay")


@pytest.mark.clause("wa:cover.7a", "wa:cover.8")
@DEALT
def test_trips_or_better_stay_face_up_until_a_better_hand_takes_their_place(book: RuleBook, variant: str) -> None:
    done = played(book.id + variant, BETTER_AND_BETTER + CHOICES)
    # Seat 7's trips stay, seat 3's straight takes their place, then seat 1's quads take its.
    exposed = [words for words in steps(done) if words.startswith(("leave_exposed", "pick_up"))]
    assert exposed == ["leave_exposed 7", "leave_exposed 3", "pick_up 7", "leave_exposed 1", "pick_up 3", "pick_up 1"]
    on_the_table = {
        "leave_exposed 7": {7: ["9h", "9d", "2c"]},
        "pick_up 7": {3: ["Th", "Jd", "7c"]},
        "pick_up 3": {1: ["8h", "8d", "8c"]},
    }
    for words, shown in on_the_table.items():
        after = step(done, words).after
        up = {seat: seen(after, "spectator", seat) for seat in hands(after)}
        assert {seat: cards for seat, cards in up.items() if "[red]" not in cards} == shown
        assert step(done, words).command.by == "dealer"
    order(done, "leave_exposed 1", "pay 7 cover_all", "pay 1 cover_all", "pick_up 1")
    assert "leave_exposed" not in kinds(played(book.id + variant, NO_TRIPS + CHOICES))


@pytest.mark.clause("wa:cover.8")
@DEALT
def test_of_two_hands_of_one_category_the_better_stays_exposed(book: RuleBook, variant: str) -> None:
    cards = BETTER_AND_BETTER.replace("hand 1 8h 8d 8c", "hand 1 Kh Kd 3c").replace("8s 9c", "Ks 9c")
    done = played(book.id + variant, cards.replace("hand 3 Th Jd 7c", "hand 3 2h 5d 7c") + CHOICES)
    exposed = [words for words in steps(done) if words.startswith("leave_exposed")]
    assert exposed == ["leave_exposed 7", "leave_exposed 1"]  # nines, then kings


def test_what_cover_all_pays_is_not_told_before_every_hand_is_open() -> None:
    done = played("washington-1", BETTER_AND_BETTER + CHOICES)
    first = step(done, "open_hand 7").after
    assert "cover_all" not in [result.wager for result in view(first, "seat:3").seats[7].results]
    last = step(done, "open_hand 1").after
    assert "cover_all" in [result.wager for result in view(last, "seat:3").seats[7].results]


@pytest.mark.clause("wa:cover.9")
@DEALT
def test_cover_all_bets_are_settled_last_in_a_second_pass(book: RuleBook, variant: str) -> None:
    done = played(
        book.id + variant, BETTER_AND_BETTER.replace("seat 7 bets 10", "seat 7 bets 10 bonus 1 three_card 5") + CHOICES
    )
    settled = [words for words in steps(done) if words.startswith(("pay", "take"))]
    assert settled[-2:] == ["pay 7 cover_all", "pay 1 cover_all"]
    assert not any("cover_all" in words for words in settled[:-2])
    last = step(done, "pay 7 cover_all").before
    left = {spot for spot, cents in last.accounts.items() if spot.startswith("felt") and cents}
    assert left == {"felt:1:cover_all", "felt:7:cover_all"}  # all other bets of all players are settled
    assert not any(cents for spot, cents in done.table.accounts.items() if spot.startswith("felt"))


@pytest.mark.clause("wa:cover.hand.s2")
@pytest.mark.parametrize("device", ["hand", "shoe"])
def test_dealt_by_hand_the_cards_are_delivered_by_the_houses_procedure(book: RuleBook, device: str) -> None:
    done = played(f"{book.id}+{device}", WHOLE_ROUND.replace("community Ks 2d", "community Ks 2d\nburn 5h"))
    dealt = [words.split()[0] for words in steps(done) if words.startswith("deal_")]
    assert dealt == ["deal_card"] * 9 + ["deal_community"] * 3
    assert ("load_shoe" in kinds(done), "hold_deck" in kinds(done)) == (device == "shoe", device == "hand")
    assert hands(moment(done, "choice_1")) == {1: ["Th", "Td", "4c"], 3: ["9h", "9d", "3c"], 7: ["2c", "7d", "Kh"]}
    assert faces(step(done, "burn_last").after, places.RACK) == ["5h"]
    two = played(f"{book.id}+{device}", WHOLE_ROUND, "burn.card = none")  # the house's own procedure
    assert kinds(two).count("deal_community") == 2
