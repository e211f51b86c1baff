"""The hand-dealt house at the table."""

from __future__ import annotations

import pytest

from letitride.engine import commands, places
from letitride.engine.view import view
from letitride.rules.rulebook import RuleBook
from tests.clauses.rounds import (
    CHOICES,
    SEATED,
    THREE_SEATS,
    WHOLE_ROUND,
    bets,
    choices_go_clockwise,
    dealer_does,
    faces,
    hands,
    kinds,
    moment,
    order,
    played,
    refusal,
    results,
    riding_bets_stay,
    seen,
    step,
    step_event,
    steps,
    withdrawn_bets_are_pushed_back,
)


@pytest.mark.clause("hd:open.1", "hd:open.2", "hd:open.3", "hd:open.4", "hd:open.5")
def test_the_chosen_deck_is_inspected_verified_shown_washed_and_shuffled(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    assert steps(done)[:8] == [
        *("review_decks 2", "inspect_deck", "verify_inspection", "spread_deck"),
        *("wash_deck 1", "shuffle_deck 1", "square_deck", "cut_deck 10"),
    ]
    spread = step(done, "spread_deck").after.at(places.SPREAD)
    in_sequence = [f"{rank}{suit}" for suit in "cdhs" for rank in "23456789TJQKA"]
    assert [str(card.face) for card in spread] == in_sequence  # by suit and in sequence
    assert view(step(done, "spread_deck").after, "seat:1").spread == tuple(in_sequence)  # and anybody can see them
    assert len(spread) == 52
    assert all(card.up for card in spread)
    washed = step(done, "wash_deck 1")
    assert (
        refusal(done.steps[done.steps.index(washed) - 1].before, commands.LookOver(by="seat:3", seat=3))
        == "no_deck_shown"
    )
    assert not any(card.up for card in washed.after.at(places.SPREAD))
    looked = next(one for one in done.steps if isinstance(one.command, commands.LookOver))
    assert done.steps.index(looked) == done.steps.index(washed) - 1  # the first player has looked
    verified = step(done, "verify_inspection")
    assert verified.command is not None
    assert verified.command.by == "floor"
    assert dealer_does(verified.before, "inspect_deck")[1] == "out_of_order"
    assert refusal(verified.before, commands.Do(by="dealer", kind="verify_inspection")) == "not_your_role"


@pytest.mark.clause("hd:shuffle.1", "hd:shuffle.2")
def test_the_dealer_shuffles_before_play_and_after_each_round_into_one_stack(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND * 2)
    assert steps(done).count("shuffle_deck 1") == steps(done).count("square_deck") == 2
    order(done, "shuffle_deck 1", "square_deck", "deal_card 1 1")
    assert len(step(done, "square_deck").after.at(places.SPREAD)) == 52
    assert "start_shuffle" not in kinds(done)


@pytest.mark.clause("hd:cut.1", "hd:cut.2")
def test_ten_cards_or_more_go_under_the_rest_and_the_cover_card_to_the_rack(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    cut = step(done, "cut_deck 10")
    before = faces(cut.before, places.SPREAD)
    depth = cut.command.cut
    assert faces(cut.after, places.SPREAD) == before[depth:] + before[:depth]
    assert dealer_does(cut.before, cut=9)[1] == "bad_cut"
    assert dealer_does(cut.before, cut=10)[1] == ""
    order(done, "cut_deck 10", "rack_cover_card", "hold_deck", "deal_card 1 1")
    assert "cut_deck" not in kinds(played(book, WHOLE_ROUND, "cut.who = nobody"))


@pytest.mark.clause("hd:idle.1", "hd:idle.2", "hd:idle.3")
def test_at_an_empty_table_the_cards_lie_spread_and_are_shown_washed_and_shuffled_for_the_next_player(
    book: RuleBook,
) -> None:
    leave = "round\nseat 1 leaves\nseat 3 leaves\nseat 7 leaves\n"
    done = played(book, WHOLE_ROUND + leave + SEATED + WHOLE_ROUND.replace("round\n", ""))
    again = steps(done)[steps(done).index("spread_idle") :]
    assert again[:5] == ["spread_idle", "turn_up_spread", "wash_deck 1", "shuffle_deck 1", "square_deck"]
    looked = [one.after.round for one in done.steps if isinstance(one.command, commands.LookOver)]
    assert looked == [0, 1]  # the first player of each sitting has looked the cards over
    spread = step(done, "spread_idle").after.at(places.SPREAD)
    assert (len(spread), any(card.up for card in spread)) == (52, False)
    assert all(card.up for card in step(done, "turn_up_spread").after.at(places.SPREAD))
    by_hand = leave + "dealer spread_idle face-up\n" + SEATED + WHOLE_ROUND.replace("round\n", "")
    face_up = played(book, WHOLE_ROUND + by_hand)
    assert "turn_up_spread" not in steps(face_up)  # spread face up they lie ready


@pytest.mark.clause("hd:wager.1", "hd:wager.2")
def test_bets_are_chips_and_a_spoken_bet_with_cash_is_refused(book: RuleBook) -> None:
    table = moment(played(book, WHOLE_ROUND), "betting")
    assert bets(table, 1, base=500) == ""
    for medium in ("plaques", "tokens", "vouchers"):
        assert bets(table, 1, base=500, medium=medium) == "medium_refused"
    assert bets(table, 1, base=500, medium="cash", spoken=True) == "spoken_cash_refused"
    assert bets(table, 1, base=500, spoken=True) == "spoken_cash_refused"


@pytest.mark.clause("hd:wager.3")
def test_only_seated_players_bet(book: RuleBook) -> None:
    table = moment(played(book, WHOLE_ROUND), "betting")
    assert bets(table, 2, base=500) == "seat_empty"
    assert bets(table, 1, by="spectator", base=500) == bets(table, 1, by="seat:3", base=500) == "not_your_seat"


@pytest.mark.clause("hd:wager.4")
def test_a_player_with_cards_stays_seated_to_the_end_of_the_round(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    for phase in ("choice_1", "choice_2", "settling"):
        assert refusal(moment(done, phase), commands.Leave(by="seat:1", seat=1)) == "round_running"


@pytest.mark.clause("hd:wager.5")
def test_bets_are_down_before_no_more_bets_is_called(book: RuleBook) -> None:
    called = step(played(book, WHOLE_ROUND), "call_no_more_bets")
    assert (bets(called.before, 3, base=500), bets(called.after, 3, base=500)) == ("", "betting_closed")
    refuse = commands.Order(by="casino_supervisor", kind="refuse_bet", seats=(3,), why="grounds")
    assert refusal(called.after, refuse) == "not_now"  # it is the call, not the first card


@pytest.mark.clause("hd:wager.6", "hd:deal.1")
def test_without_three_equal_bets_a_seat_gets_no_cards(book: RuleBook) -> None:
    body = THREE_SEATS.replace("seat 3 bets 10", "seat 3 bets 1=10 2=10 $=5").replace("hand 3 9h 9d 3c\n", "")
    done = played(book, body + CHOICES.replace("seat 3 withdraws 1\n", "").replace("seat 3 rides 2\n", ""))
    assert [words for words in steps(done) if words.startswith("deal_card") and words.endswith(" 1")] == [
        "deal_card 1 1",
        "deal_card 7 1",
    ]
    assert 3 not in done.outcomes[0].results
    assert done.table.cents("stack:3") == 50_000  # the bets that did not count went back
    table = moment(played(book, WHOLE_ROUND), "betting")
    no_base = "round\nseat 1 bets three_card 5\ndealer call_no_more_bets => no_bets\nseat 1 bets 10 three_card 5\n"
    done = played(book, no_base + "seat 1 rides 1\nseat 1 rides 2\n")
    assert bets(table, 1, three_card=500) == ""  # it may lie there, but no card comes for it alone


@pytest.mark.clause("hd:wager.7")
def test_bets_one_and_two_may_be_removed_and_three_not(book: RuleBook) -> None:
    done = played(book, THREE_SEATS + CHOICES.replace("rides", "withdraws"))
    assert [r.fate for r in results(done, 1).values()] == ["withdrawn", "withdrawn", "won"]
    third = commands.Choose(by="seat:1", seat=1, bet=3, choice="withdraw")
    assert refusal(moment(done, "choice_1"), third) == "never_withdrawn"


@pytest.mark.clause("hd:wager.8")
def test_a_player_plays_one_hand(book: RuleBook) -> None:
    table = moment(played(book, WHOLE_ROUND), "betting")
    assert refusal(table, commands.Sit(by="seat:2", seat=2, player="Ann", cents=1_000)) == "one_hand_per_player"


@pytest.mark.clause("hd:wager.9")
def test_a_bet_over_ten_dollars_is_refused(book: RuleBook) -> None:
    table = moment(played(book, WHOLE_ROUND), "betting")
    assert (bets(table, 1, base=1_000), bets(table, 1, base=1_001)) == ("", "above_maximum")


@pytest.mark.clause("hd:deal.hold")
def test_the_deck_is_held_in_the_hand_and_drawn_from_its_top(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    order(done, "hold_deck", "deal_card 1 1")
    drawn = step(done, "deal_card 1 1")
    assert drawn.after.at(places.hand(1)) == drawn.before.at(places.READY)[:1]
    assert not drawn.after.at(places.hand(1))[0].up
    assert not {"load_shoe", "load_deck", "power_on"} & set(kinds(done))


@pytest.mark.clause("hd:deal.start", "hd:deal.1", "hd:deal.2", "hd:deal.3", "hd:deal.4", "hd:deal.5", "hd:deal.6")
def test_three_passes_from_the_far_left_each_followed_by_a_community_card_to_the_right(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND.replace("community Ks 2d", "community Ks 2d\nburn 5h"))
    dealt = [words for words in steps(done) if words.startswith("deal_")]
    assert dealt == [
        words
        for number in (1, 2, 3)
        for words in (*(f"deal_card {seat} {number}" for seat in (1, 3, 7)), f"deal_community {number}")
    ]
    table = moment(done, "choice_1")
    assert hands(table) == {1: ["Th", "Td", "4c"], 3: ["9h", "9d", "3c"], 7: ["2c", "7d", "Kh"]}
    assert [faces(table, places.community(n)) for n in (1, 2, 3)] == [["5h"], ["Ks"], ["2d"]]
    cards = [card for seat in (1, 3, 7) for card in table.at(places.hand(seat))]
    cards += [table.at(places.community(n))[0] for n in (1, 2, 3)]
    assert not any(card.up for card in cards)
    assert view(table, "seat:1").community == ("[red]",) * 3
    assert view(table, "seat:1").felt.community == "three_in_line"


@pytest.mark.clause("hd:deal.stub")
def test_the_stub_goes_to_the_rack_unseen(book: RuleBook) -> None:
    racked = step(played(book, WHOLE_ROUND), "rack_stub")
    assert len(racked.before.at(places.READY)) == 52 - 3 * 4
    assert not racked.after.at(places.READY)
    assert not any(card.up for card in racked.after.at(places.RACK))


@pytest.mark.clause("hd:deal.count")
def test_the_stub_is_counted_once_in_five_rounds(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND * 10)
    counted = [one.after.round for one in done.steps if _counts(one)]
    assert counted == [5, 10]
    assert step_event(done, "count_stub").says == "40 cards"  # 52 - 3 * (3 + 1)


def _counts(one: object) -> bool:
    command = one.command
    return isinstance(command, commands.Do) and command.kind == "count_stub"


@pytest.mark.clause("hd:round.1")
def test_players_look_once_the_deal_is_complete(book: RuleBook) -> None:
    done = played(book, THREE_SEATS + "seat 1 looks\n" + CHOICES)
    assert refusal(step(done, "deal_community 3").after, commands.Look(by="seat:1", seat=1)) == "cards_not_yours"
    looked = next(one.after for one in done.steps if one.after.seats[1].looked)
    assert seen(looked, "seat:1", 1) == ["Th", "Td", "4c"]


@pytest.mark.clause("hd:round.2")
def test_a_player_answers_for_his_hand_and_nobody_else_touches_it(book: RuleBook) -> None:
    table = moment(played(book, WHOLE_ROUND), "choice_1")
    for by in ("seat:3", "spectator", "floor"):
        assert refusal(table, commands.Look(by=by, seat=1)) == "not_your_seat"
        assert refusal(table, commands.Choose(by=by, seat=1, bet=1, choice="ride")) == "not_your_seat"
    assert (
        refusal(step(played(book, WHOLE_ROUND), "lay_cards 1").after, commands.Look(by="seat:1", seat=1)) == "hands_off"
    )
    assert view(table, "seat:1").offer(commands.Look)  # until the bet two choice
    strict = moment(played(book, WHOLE_ROUND, "cards.touch = dealer_only"), "choice_1")  # the text to the letter
    assert refusal(strict, commands.Look(by="seat:1", seat=1)) == "hands_off"


@pytest.mark.clause("hd:round.3")
def test_the_cards_stay_in_the_dealers_view(book: RuleBook) -> None:
    for one in played(book, WHOLE_ROUND).steps:
        if one.after.phase in {"choice_1", "choice_2"}:
            assert [len(seen(one.after, "dealer", seat)) for seat in (1, 3, 7)] == [3, 3, 3]


@pytest.mark.clause("hd:round.4")
def test_after_the_bet_two_choice_the_cards_are_not_touched_again(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    chosen = next(one.after for one in done.steps if 2 in one.after.seats[1].choices)
    assert refusal(chosen, commands.Look(by="seat:1", seat=1)) == "hands_off"
    assert step(done, "lay_cards 1").after.seats[1].tucked
    assert not any(card.up for card in step(done, "lay_cards 1").after.at(places.hand(1)))


@pytest.mark.clause("hd:round.5", "hd:round.10")
def test_choices_go_from_the_far_left_clockwise_and_bet_two_is_free_of_bet_one(book: RuleBook) -> None:
    choices_go_clockwise(played(book, WHOLE_ROUND))


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
    assert not any(card.up for card in burned.after.at(places.RACK))
    assert "5h" in faces(burned.after, places.RACK)
    assert "5h" not in str([view(burned.after, viewer) for viewer in ("seat:1", "dealer", "inspector")])
    assert view(step(done, "turn_community 1").after, "seat:1").community == ("[red]", "Ks")
    first = step(done, "turn_community 1").after
    assert faces(first, places.community(3)) == ["2d", "Ks"]  # laid on the card that remains
    assert faces(step(done, "move_community 1").after, places.community(4)) == ["Ks"]  # and moved to its right
    assert view(step(done, "turn_community 2").after, "seat:1").community == ("2d", "Ks")
    assert set(burned.before.seats[7].choices) == {1}


@pytest.mark.clause("hd:round.14", "hd:round.22")
def test_hands_are_opened_and_paid_from_the_far_right(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    opened = [words for words in steps(done) if words.startswith("open_hand")]
    assert opened == ["open_hand 7", "open_hand 3", "open_hand 1"]
    paid = [words.split()[1] for words in steps(done) if words.startswith("pay")]
    assert paid == sorted(paid, reverse=True)


@pytest.mark.clause("hd:round.15", "hd:round.16", "hd:round.17", "hd:round.21")
def test_five_cards_are_checked_against_the_payouts_and_less_than_tens_loses(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    said = {seat: step_event(done, f"open_hand {seat}").says for seat in (1, 3, 7)}
    assert said == {1: "pair of tens", 3: "pair of nines", 7: "two pair, kings and twos"}
    assert [(r.fate, r.paid_cents) for r in results(done, 1).values()] == [("won", 1_000)] * 3
    assert results(done, 7)["base-$"].paid_cents == 2_000
    assert results(done, 3)["base-$"].fate == "lost"
    assert "pay 7 base-2" not in steps(done)  # only bets that remain on the table


@pytest.mark.clause("hd:round.18", "hd:round.19", "hd:round.20")
def test_losers_are_taken_at_once_with_their_cards_and_only_then_are_winners_paid(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND.replace("seat 1 bets 10", "seat 1 bets 10 three_card 5"))
    order(done, "open_hand 1", "take 3 base-2", "take 3 base-$", "collect_hand 3", "pay 7 base-1", "pay 1 base-1")
    order(done, "pay 1 base-$", "pay 1 three_card", "collect_hand 7", "collect_hand 1")
    assert step_event(done, "take 3 base-$").chips[0].target == "tray"
    assert book.rules.bank.mode == "house"
    paying = step(done, "pay 1 three_card").after
    assert all(card.up for seat in (1, 7) for card in paying.at(places.hand(seat)))
    assert not paying.at(places.hand(3))


@pytest.mark.clause("hd:round.19")
def test_base_and_side_wins_are_paid_together_seat_by_seat(book: RuleBook) -> None:
    body = WHOLE_ROUND.replace("seat 1 bets 10", "seat 1 bets 10 three_card 5").replace(
        "hand 7 2c 7d Kh", "hand 7 7c 7d Kh"
    )
    done = played(book, body.replace("seat 7 bets 10", "seat 7 bets 10 three_card 5"))
    order(done, "pay 7 base-$", "pay 7 three_card", "pay 1 base-1", "pay 1 base-$", "pay 1 three_card")


@pytest.mark.clause("hd:def.4")
def test_a_round_begins_when_bets_are_placed(book: RuleBook) -> None:
    betting = moment(played(book, WHOLE_ROUND), "betting")
    assert view(betting, "spectator").round_running
    assert view(moment(played(book, WHOLE_ROUND), "settling"), "spectator").round_running
    assert not view(played(book, WHOLE_ROUND).table, "spectator").round_running


@pytest.mark.clause("hd:round.19")
def test_a_losing_hand_with_a_winning_side_bet_stays_face_up_until_it_is_paid(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND.replace("seat 3 bets 10", "seat 3 bets 10 three_card 5"))
    order(done, "take 3 base-2", "pay 7 base-1", "pay 3 three_card", "collect_hand 3")
    assert results(done, 3)["three_card"].paid_cents == 500  # a pair of nines in three cards


@pytest.mark.clause("hd:round.23", "hd:round.24")
def test_cards_go_to_the_rack_in_order_so_that_every_hand_can_be_rebuilt(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    order(done, "pay 1 base-$", "collect_hand 7", "collect_hand 1", "collect_community")
    rack = faces(step(done, "collect_community").after, places.RACK)
    assert rack[-11:] == ["9h", "9d", "3c", "2c", "7d", "Kh", "Th", "Td", "4c", "2d", "Ks"]
    assert len(rack) == 52


@pytest.mark.clause("hd:side.1")
def test_the_side_bet_is_optional_and_decided_by_the_players_own_three_cards(book: RuleBook) -> None:
    body = WHOLE_ROUND.replace("seat 3 bets 10", "seat 3 bets 10 three_card 5")
    done = played(book, body.replace("seat 7 bets 10", "seat 7 bets 10 three_card 5"))
    assert results(done, 3)["three_card"].fate == "won"
    assert results(done, 7)["three_card"].fate == "lost"  # two pair with the board, nothing in three cards
    assert "three_card" not in results(done, 1)
