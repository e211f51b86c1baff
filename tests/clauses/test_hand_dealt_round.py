"""The hand-dealt house at the table: bets, choices, showdown and settlement."""

from __future__ import annotations

import pytest

from letitride.engine import commands, places
from letitride.engine.decide import play
from letitride.engine.view import view
from letitride.rules.rulebook import RuleBook
from tests.clauses.rounds import (
    CHOICES,
    THREE_SEATS,
    WHOLE_ROUND,
    bets,
    choices_go_clockwise,
    faces,
    hands,
    hands_open_in_turn,
    moment,
    only_five_cards_make_a_hand,
    order,
    played,
    refusal,
    results,
    riding_bets_stay,
    ruled,
    seen,
    stacks,
    step,
    step_event,
    steps,
    withdrawn_bets_are_pushed_back,
)

BOTH_SIDE = WHOLE_ROUND.replace("seat 1 bets 10", "seat 1 bets 10 three_card 5").replace(
    "seat 3 bets 10", "seat 3 bets 10 three_card 5"
)
"""The whole round, with side bets of $5 on a pair of tens, which wins, and on one of nines, which loses the base."""


# bets


@pytest.mark.clause("hd:wager.1", "hd:wager.2")
def test_bets_are_chips_and_a_spoken_bet_with_cash_is_refused(book: RuleBook) -> None:
    table = moment(played(book, WHOLE_ROUND), "betting")
    wagers = {"base-1": 500, "base-2": 500, "base-$": 500}
    after, _ = play(table, commands.PlaceWagers(by="seat:1", seat=1, wagers=wagers))
    assert {spot: after.cents(f"felt:1:{spot}") for spot in wagers} == wagers
    assert after.cents("stack:1") == 50_000 - 1_500
    for medium in ("plaques", "tokens", "vouchers", "match_play"):
        assert bets(table, 1, base=500, medium=medium) == "medium_refused"
    assert bets(table, 1, base=500, medium="cash", spoken=True) == "spoken_cash_refused"
    assert bets(table, 1, base=500, spoken=True) == "spoken_cash_refused"


@pytest.mark.clause("hd:wager.3")
def test_only_seated_players_bet(book: RuleBook) -> None:
    table = moment(played(book, WHOLE_ROUND), "betting")
    assert bets(table, 2, base=500) == "seat_empty"
    for by in ("spectator", "seat:3", "dealer", "floor"):
        assert bets(table, 1, by=by, base=500) == "not_your_seat"
    assert bets(table, 1, base=500) == ""


@pytest.mark.clause("hd:wager.4")
def test_a_player_with_cards_stays_seated_to_the_end_of_the_round(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    for phase in ("choice_1", "choice_2", "settling"):
        for command in (commands.Leave(by="seat:1", seat=1), commands.SitOut(by="seat:1", seat=1, out=True)):
            assert refusal(moment(done, phase), command) == "round_running"
    after, _ = play(done.table, commands.Leave(by="seat:1", seat=1))
    assert not after.seats[1].player  # when the round is over the chair is free


@pytest.mark.clause("hd:wager.4")
@pytest.mark.parametrize(
    ("looks", "name", "left"), [("", "absent:hand_void", 50_000), ("seat 3 looks\n", "absent:ride", 47_000)]
)
def test_who_walks_off_all_the_same_is_ruled_absent(book: RuleBook, looks: str, name: str, left: int) -> None:
    away = "seat 1 rides 1\nseat 3 by dealer goes away\ndealer reports absent seat 3\nseat 7 rides 1\n"
    done = played(book, THREE_SEATS + looks + away + "seat 1 rides 2\nseat 7 withdraws 2\n")
    assert (ruled(done), stacks(done, 3)) == ([name], [left])


@pytest.mark.clause("hd:wager.5")
def test_bets_are_down_before_no_more_bets_is_called(book: RuleBook) -> None:
    called = step(played(book, WHOLE_ROUND), "call_no_more_bets")
    assert (bets(called.before, 3, base=500), bets(called.after, 3, base=500)) == ("", "betting_closed")
    assert not hands(called.after)  # it is the call, not the first card
    refuse = commands.Order(by="casino_supervisor", kind="refuse_bet", seats=(3,), why="grounds")
    assert refusal(called.after, refuse) == "not_now"


@pytest.mark.clause("hd:wager.6", "hd:deal.1")
@pytest.mark.parametrize("bet", ["1=10 2=10 $=5", "1=10 2=10", "$=10", "three_card 5"])
def test_without_three_equal_bets_a_seat_gets_no_cards(book: RuleBook, bet: str) -> None:
    body = THREE_SEATS.replace("seat 3 bets 10", f"seat 3 bets {bet}").replace("hand 3 9h 9d 3c\n", "")
    done = played(book, body + CHOICES.replace("seat 3 withdraws 1\n", "").replace("seat 3 rides 2\n", ""))
    assert set(hands(moment(done, "choice_1"))) == {1, 7}
    assert 3 not in done.outcomes[0].results
    assert done.table.cents("stack:3") == 50_000  # the bets that did not count went back


@pytest.mark.clause("hd:wager.6")
def test_a_side_bet_alone_does_not_start_a_round(book: RuleBook) -> None:
    no_base = "round\nseat 1 bets three_card 5\ndealer call_no_more_bets => no_bets\nseat 1 bets 10 three_card 5\n"
    done = played(book, no_base + "seat 1 rides 1\nseat 1 rides 2\n")
    assert set(results(done, 1)) == {"base-1", "base-2", "base-$", "three_card"}


@pytest.mark.clause("hd:wager.7")
def test_bets_one_and_two_may_be_removed_and_three_not(book: RuleBook) -> None:
    done = played(book, THREE_SEATS + CHOICES.replace("rides", "withdraws"))
    assert [r.fate for r in results(done, 1).values()] == ["withdrawn", "withdrawn", "won"]
    assert stacks(done, 1, 3, 7) == [51_000, 49_000, 52_000]  # one bet of three in action
    third = commands.Choose(by="seat:1", seat=1, bet=3, choice="withdraw")
    for phase in ("choice_1", "choice_2"):
        assert refusal(moment(done, phase), third) == "never_withdrawn"


@pytest.mark.clause("hd:wager.8")
def test_a_player_plays_one_hand(book: RuleBook) -> None:
    table = moment(played(book, WHOLE_ROUND), "betting")
    assert refusal(table, commands.Sit(by="seat:2", seat=2, player="Ann", cents=1_000)) == "one_hand_per_player"
    after, _ = play(table, commands.Sit(by="seat:2", seat=2, player="Dot", cents=1_000))
    assert after.seats[2].player == "Dot"  # another player may


@pytest.mark.clause("hd:wager.9")
def test_a_bet_over_ten_dollars_is_refused(book: RuleBook) -> None:
    table = moment(played(book, WHOLE_ROUND), "betting")
    assert (bets(table, 1, base=1_000), bets(table, 1, base=1_001)) == ("", "above_maximum")
    one_over = commands.PlaceWagers(by="seat:1", seat=1, wagers={"base-1": 1_000, "base-2": 1_001, "base-$": 1_000})
    assert refusal(table, one_over) == "above_maximum"


# the choices


@pytest.mark.clause("hd:round.1")
def test_players_look_once_the_deal_is_complete(book: RuleBook) -> None:
    done = played(book, THREE_SEATS + "seat 1 looks\n" + CHOICES)
    for words in ("deal_card 1 3", "deal_community 3"):
        assert refusal(step(done, words).after, commands.Look(by="seat:1", seat=1)) == "cards_not_yours"
    looked = next(one.after for one in done.steps if one.after.seats[1].looked)
    assert seen(looked, "seat:1", 1) == ["Th", "Td", "4c"]


@pytest.mark.clause("hd:round.5.s2")
def test_every_player_can_examine_the_cards_before_the_first_is_asked_and_who_answers_has(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    asking = step(done, "ask 1 1").before
    for seat in (1, 3, 7):
        after, _ = play(asking, commands.Look(by=f"seat:{seat}", seat=seat))
        assert "[red]" not in seen(after, f"seat:{seat}", seat)
    # Seat 3 answers on bet one and is away for bet two: the hand was examined, so what is left of the bets rides.
    away = CHOICES.replace("seat 3 rides 2", "seat 3 by dealer goes away\ndealer reports absent seat 3")
    gone = played(book, THREE_SEATS + away)
    assert ruled(gone) == ["absent:ride"]
    assert stacks(gone, 3) == [48_000]  # nines lose the two bets that were left


@pytest.mark.clause("hd:round.2")
def test_a_player_answers_for_the_hand_and_nobody_else_touches_it(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    table = moment(done, "choice_1")
    for by in ("seat:3", "spectator", "floor"):
        assert refusal(table, commands.Look(by=by, seat=1)) == "not_your_seat"
        assert refusal(table, commands.Choose(by=by, seat=1, bet=1, choice="ride")) == "not_your_seat"
    assert refusal(step(done, "lay_cards 1").after, commands.Look(by="seat:1", seat=1)) == "hands_off"
    after, _ = play(table, commands.Look(by="seat:1", seat=1))  # until the bet two choice
    assert seen(after, "seat:1", 1) == ["Th", "Td", "4c"]
    strict = moment(played(book, WHOLE_ROUND, "cards.touch = dealer_only"), "choice_1")  # the text to the letter
    assert refusal(strict, commands.Look(by="seat:1", seat=1)) == "hands_off"


@pytest.mark.clause("hd:round.3")
def test_the_cards_stay_in_the_dealers_view(book: RuleBook) -> None:
    moments = [one.after for one in played(book, WHOLE_ROUND).steps if one.after.phase in {"choice_1", "choice_2"}]
    assert moments
    for table in moments:
        assert [seen(table, "dealer", seat) for seat in (1, 3, 7)] == [["[red]"] * 3] * 3


@pytest.mark.clause("hd:round.4")
def test_after_the_bet_two_choice_the_cards_lie_face_down_and_are_not_touched_again(book: RuleBook) -> None:
    done = played(book, THREE_SEATS + "seat 1 looks\n" + CHOICES)
    chosen = next(one.after for one in done.steps if 2 in one.after.seats[1].choices)
    assert refusal(chosen, commands.Look(by="seat:1", seat=1)) == "hands_off"
    for seat in (1, 3, 7):
        laid = step(done, f"lay_cards {seat}").after
        assert view(laid, "dealer").seats[seat].tucked
        assert not any(card.up for card in laid.at(places.hand(seat)))
    shown = step(done, "turn_community 2").before
    assert all(shown.seats[seat].tucked for seat in (1, 3, 7))


@pytest.mark.clause("hd:round.5", "hd:round.10")
def test_choices_go_from_the_far_left_clockwise_and_bet_two_is_free_of_bet_one(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    choices_go_clockwise(done)
    assert view(step(done, "ask 1 2").before, "seat:1").community == ("[red]", "Ks")  # with the first card open


@pytest.mark.clause("hd:round.6", "hd:round.11")
def test_a_riding_bet_stays_until_the_round_ends(book: RuleBook) -> None:
    riding_bets_stay(played(book, WHOLE_ROUND))


@pytest.mark.clause("hd:round.7", "hd:round.12")
def test_a_withdrawn_bet_is_pushed_back_at_once(book: RuleBook) -> None:
    withdrawn_bets_are_pushed_back(played(book, WHOLE_ROUND))


@pytest.mark.clause("hd:round.8", "hd:round.9", "hd:round.13")
def test_the_first_dealt_is_burned_after_bet_one_and_the_second_and_third_are_the_community_cards(
    book: RuleBook,
) -> None:
    done = played(book, WHOLE_ROUND.replace("community Ks 2d", "community Ks 2d\nburn 5h"))
    order(done, "ask 7 1", "burn_first", "turn_community 1", "ask 1 2", "move_community 1", "turn_community 2")
    burned = step(done, "burn_first")
    assert [set(burned.before.seats[seat].choices) for seat in (1, 3, 7)] == [{1}] * 3  # when all have chosen
    assert faces(burned.before, places.community(1)) == ["5h"]
    assert (faces(burned.after, places.community(1)), faces(burned.after, places.RACK)[-1]) == ([], "5h")
    assert not any(card.up for card in burned.after.at(places.RACK))
    assert "5h" not in str([view(burned.after, viewer) for viewer in ("seat:1", "dealer", "inspector")])
    first, moved, second = (
        step(done, words).after for words in ("turn_community 1", "move_community 1", "turn_community 2")
    )
    assert view(first, "seat:1").community == ("[red]", "Ks")
    assert faces(first, places.community(3)) == ["2d", "Ks"]  # laid on the card that remains
    assert faces(moved, places.community(4)) == ["Ks"]  # and moved to its right
    assert [set(moved.seats[seat].choices) for seat in (1, 3, 7)] == [{1, 2}] * 3
    assert view(second, "seat:1").community == ("2d", "Ks")


# showdown and settlement


@pytest.mark.clause("hd:round.14")
def test_hands_are_opened_from_the_far_right_when_both_community_cards_are_up(book: RuleBook) -> None:
    hands_open_in_turn(played(book, WHOLE_ROUND), 7, 3, 1)


@pytest.mark.clause("hd:round.22")
def test_winners_are_paid_from_the_far_right(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    paid = step(done, "pay 1 base-1").before  # the first pay to the far left
    assert [paid.cents(f"stack:{seat}") for seat in (1, 7)] == [50_000 - 3_000, 54_000]  # the far right has all


@pytest.mark.clause("hd:round.15", "hd:round.16", "hd:round.17", "hd:round.21")
def test_five_cards_are_checked_against_the_payouts_and_less_than_tens_loses(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    said = {seat: step_event(done, f"open_hand {seat}").says for seat in (1, 3, 7)}
    assert said == {1: "pair of tens", 3: "pair of nines", 7: "two pair, kings and twos"}
    assert [(r.fate, r.paid_cents) for r in results(done, 1).values()] == [("won", 1_000)] * 3
    assert [(r.fate, r.paid_cents) for r in results(done, 3).values()] == [("withdrawn", 0), ("lost", 0), ("lost", 0)]
    assert "pay 7 base-2" not in steps(done)  # only bets that remain on the table
    assert stacks(done, 1, 3, 7) == [53_000, 48_000, 54_000]


@pytest.mark.clause("hd:round.15")
def test_a_hand_is_three_own_cards_and_both_community_cards_and_never_more_or_less(book: RuleBook) -> None:
    only_five_cards_make_a_hand(played(book, WHOLE_ROUND), 7)


@pytest.mark.clause("hd:round.18")
def test_losers_are_taken_at_once_and_their_cards_with_them(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    taken = step(done, "take 3 base-$")
    assert taken.after.cents("tray") - taken.before.cents("tray") == 1_000
    order(done, "open_hand 1", "take 3 base-2", "take 3 base-$", "collect_hand 3", "pay 7 base-1")
    gathered = step(done, "collect_hand 3").after
    assert set(hands(gathered)) == {1, 7}
    assert faces(gathered, places.RACK)[-3:] == ["9h", "9d", "3c"]


@pytest.mark.clause("hd:round.19", "hd:round.20")
def test_only_then_are_winners_paid_side_bets_too_and_their_hands_stay_face_up(book: RuleBook) -> None:
    done = played(book, BOTH_SIDE)
    first = step(done, "pay 7 base-1").before
    assert [first.cents(f"felt:3:{spot}") for spot in ("base-1", "base-2", "base-$")] == [0, 0, 0]  # all losers taken
    assert first.cents("tray") == 2_000
    order(done, "pay 7 base-1", "pay 3 three_card", "pay 1 base-1", "pay 1 base-$", "pay 1 three_card")
    order(done, "pay 1 three_card", "collect_hand 7", "collect_hand 3", "collect_hand 1")
    paying = step(done, "pay 1 three_card").after
    assert hands(paying) == {1: ["Th", "Td", "4c"], 3: ["9h", "9d", "3c"], 7: ["2c", "7d", "Kh"]}
    assert all(card.up for seat in (1, 3, 7) for card in paying.at(places.hand(seat)))
    assert stacks(done, 1, 3, 7) == [53_500, 48_500, 54_000]  # a pair in three cards pays even money


@pytest.mark.clause("hd:round.19")
def test_base_and_side_wins_are_paid_together_seat_by_seat(book: RuleBook) -> None:
    body = WHOLE_ROUND.replace("seat 1 bets 10", "seat 1 bets 10 three_card 5").replace(
        "hand 7 2c 7d Kh", "hand 7 7c 7d Kh"
    )
    done = played(book, body.replace("seat 7 bets 10", "seat 7 bets 10 three_card 5"))
    order(done, "pay 7 base-$", "pay 7 three_card", "pay 1 base-1", "pay 1 base-$", "pay 1 three_card")
    before_seat_1 = step(done, "pay 1 base-1").before
    assert before_seat_1.cents("stack:7") == 50_000 + 4_000 + 500


@pytest.mark.clause("hd:def.4")
def test_a_round_begins_when_bets_are_placed(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    assert view(moment(done, "betting"), "spectator").round_running
    assert view(moment(done, "settling"), "spectator").round_running
    assert not view(done.table, "spectator").round_running


@pytest.mark.clause("hd:round.19", "hd:round.20")
def test_a_losing_hand_with_a_winning_side_bet_stays_face_up_until_it_is_paid(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND.replace("seat 3 bets 10", "seat 3 bets 10 three_card 5"))
    paid = step(done, "pay 3 three_card")
    assert [str(card.face) for card in paid.before.at(places.hand(3)) if card.up] == ["9h", "9d", "3c"]
    assert paid.after.cents("stack:3") - paid.before.cents("stack:3") == 1_000  # $5 at 1 to 1, and the $5
    order(done, "take 3 base-2", "pay 7 base-1", "pay 3 three_card", "collect_hand 3")


@pytest.mark.clause("hd:round.23", "hd:round.24")
def test_cards_go_to_the_rack_in_order_so_that_every_hand_can_be_rebuilt(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    last_paid = done.steps.index(step(done, "pay 1 base-$"))
    gathered = [one.after for one in done.steps[last_paid + 1 : last_paid + 4]]  # nothing else is done in between
    assert [set(hands(one)) for one in gathered] == [{1}, set(), set()]
    rack = faces(gathered[-1], places.RACK)
    assert rack[-11:] == ["9h", "9d", "3c", "2c", "7d", "Kh", "Th", "Td", "4c", "2d", "Ks"]
    assert (len(rack), gathered[-1].community()) == (52, ())


@pytest.mark.clause("hd:side.1")
def test_the_side_bet_is_optional_and_decided_by_the_players_own_three_cards(book: RuleBook) -> None:
    body = WHOLE_ROUND.replace("seat 3 bets 10", "seat 3 bets 10 three_card 5")
    done = played(book, body.replace("seat 7 bets 10", "seat 7 bets 10 three_card 5"))
    assert results(done, 3)["three_card"].fate == "won"
    assert results(done, 7)["three_card"].fate == "lost"  # two pair with the board, nothing in three cards
    assert "three_card" not in results(done, 1)
    assert stacks(done, 1, 3, 7) == [53_000, 48_500, 53_500]
