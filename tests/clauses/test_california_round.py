"""California at the table: bets, deal, choices and showdown, with a player as the bank."""

from __future__ import annotations

import pytest

from letitride.engine import commands, places
from letitride.engine.decide import play
from letitride.engine.view import view
from letitride.rules.rulebook import RuleBook
from tests.clauses.california import BETS, CARDS, CHOICES, STACKS, WHOLE, a_round, at_table
from tests.clauses.rounds import (
    bets,
    choices_go_clockwise,
    dealer_does,
    faces,
    hands,
    hands_open_in_turn,
    moment,
    only_five_cards_make_a_hand,
    order,
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

STACKED = a_round(cards="deck 2c 7d Kh Th Td 4c 9h 9d 3c Ks 2d 5h\n")
"""The cards of the whole round as they come out of the machine, one after another."""


# bets


@pytest.mark.clause("ca:bet.1b")
def test_each_bet_lies_between_the_tables_limits(book: RuleBook) -> None:
    table = moment(at_table(book, WHOLE), "betting")
    assert [bets(table, 1, base=cents) for cents in (499, 500, 10_000, 10_001)] == [
        "below_minimum",
        "",
        "",
        "above_maximum",
    ]


@pytest.mark.clause("ca:bet.1a")
def test_bets_are_chips_on_the_spots_and_nothing_else(book: RuleBook) -> None:
    table = moment(at_table(book, WHOLE), "betting")
    for medium in ("plaques", "tokens", "vouchers", "match_play"):
        assert bets(table, 1, base=1_000, medium=medium) == "medium_refused"
    assert bets(table, 1, base=1_000, medium="cash", spoken=True) == "spoken_cash_refused"
    assert bets(table, 1, base=1_000, spoken=True) == "spoken_cash_refused"
    wagers = {"base-1": 2_000, "base-2": 2_000, "base-$": 2_000}
    after, _ = play(table, commands.PlaceWagers(by="seat:1", seat=1, wagers=wagers))
    assert {spot: after.cents(f"felt:1:{spot}") for spot in wagers} == wagers
    assert after.cents("stack:1") == 50_000 - 6_000


@pytest.mark.clause("ca:bet.2a", "ca:bet.2b", "ca:deal.2b")
def test_the_call_of_no_more_bets_closes_betting(book: RuleBook) -> None:
    called = step(at_table(book, WHOLE), "call_no_more_bets")
    assert bets(called.before, 3, base=2_000) == bets(called.before, 3) == ""
    for wagers in ({"base": 1_000}, {"base": 2_000}, {}):  # another bet, a higher one, the bet taken back
        assert bets(called.after, 3, **wagers) == "betting_closed"
    refuse = commands.Order(by="casino_supervisor", kind="refuse_bet", seats=(3,), why="grounds")
    assert refusal(called.after, refuse) == "not_now"  # it is the call, not the first card
    assert step_event(at_table(book, WHOLE), "call_no_more_bets").says == "no more bets"
    assert called.before.agenda[0].kind == "call_no_more_bets"
    assert dealer_does(called.before, "deal_packet")[1] == "out_of_order"  # no card before it


@pytest.mark.clause("ca:bet.3a", "ca:deal.2a")
def test_the_dealer_holds_the_deal_until_each_player_has_three_equal_bets(book: RuleBook) -> None:
    uneven = BETS.replace(
        "seat 3 bets 10", "seat 3 bets 1=10 2=10 $=5\ndealer call_no_more_bets => bets_incomplete\nseat 3 bets 10"
    )
    done = at_table(book, a_round(bet_lines=uneven))
    assert [r.stake_cents for r in results(done, 3).values()] == [1_000] * 3
    waiting = next(one.after for one in done.steps if one.after.seats[3].wagers.get("base-$") == 500)
    assert dealer_does(waiting)[1] == "bets_incomplete"
    for missing in ("seat 3 bets 1=10 2=10", "seat 3 bets $=10"):
        at_table(book, a_round(bet_lines=uneven.replace("seat 3 bets 1=10 2=10 $=5", missing)))
    without = BETS.replace("seat 3 bets 10\n", "")
    acts = CHOICES.replace("seat 3 withdraws 1\n", "").replace("seat 3 rides 2\n", "")
    two = at_table(book, a_round(bet_lines=without, acts=acts, cards=CARDS.replace("hand 3 9h 9d 3c\n", "")))
    assert set(hands(moment(two, "choice_1"))) == {1, 7}  # without bets no cards


@pytest.mark.clause("ca:bet.3a", "ca:deal.2a")
def test_uneven_bets_found_after_the_call_are_made_equal_before_play_goes_on(book: RuleBook) -> None:
    found_late = "mishap bets seat 3 1=10 2=10 $=5\ndealer reports uneven_bets seat 3 => ruled must_correct house\n"
    held = at_table(book, a_round(bet_lines=f"{BETS}{found_late}seat 3 folds => must_correct\nseat 3 corrects 10\n"))
    assert [r.stake_cents for r in results(held, 3).values()] == [1_000] * 3


@pytest.mark.clause("ca:bet.3b")
def test_bets_1_and_2_may_be_taken_back_and_bet_3_never(book: RuleBook) -> None:
    done = at_table(book, a_round(acts=CHOICES.replace("rides", "withdraws")))
    assert [r.fate for r in results(done, 1).values()] == ["withdrawn", "withdrawn", "won"]
    assert stacks(done, 1) == [50_000 - 150 + 1_000]  # one bet of three in action
    third = commands.Choose(by="seat:1", seat=1, bet=3, choice="withdraw")
    for phase in ("choice_1", "choice_2"):
        assert refusal(moment(done, phase), third) == "never_withdrawn"


@pytest.mark.clause("ca:bet.5")
def test_nobody_bets_on_anothers_seat(book: RuleBook) -> None:
    table = moment(at_table(book, WHOLE), "betting")
    for by in ("seat:3", "seat:5", "spectator", "floor"):
        assert bets(table, 1, by=by, base=1_000) == "not_your_seat"
    assert bets(table, 5, base=1_000) == "bank_does_not_bet"
    assert bets(table, 2, base=1_000) == "seat_empty"


# the deal


@pytest.mark.clause("ca:deal.3.s1", "ca:deal.3.s2", "ca:deal.3.s3", "ca:deal.3.s4")
def test_packets_of_three_go_face_down_from_the_banks_left_and_the_banks_own_comes_last(book: RuleBook) -> None:
    done = at_table(book, STACKED)
    out: list[int] = []
    for seat in (7, 1, 3):  # clockwise from seat 5, which banks
        dealt = step(done, f"deal_packet {seat}")
        assert set(hands(dealt.before)) == set(out)
        assert dealt.after.at(places.hand(seat)) == dealt.before.at(places.READY)[:3]
        assert dealt.after.at(places.READY) == dealt.before.at(places.READY)[3:]
        assert not any(card.up for card in dealt.after.at(places.hand(seat)))
        out.append(seat)
    last = step(done, "deal_dealer_packet")
    assert hands(last.before) == {1: ["Th", "Td", "4c"], 3: ["9h", "9d", "3c"], 7: ["2c", "7d", "Kh"]}
    assert last.after.at(places.PACKET) == last.before.at(places.READY)[:3]


@pytest.mark.clause("ca:deal.3.s2")
def test_the_seat_next_to_the_bank_gets_the_first_packet(book: RuleBook) -> None:
    seated = "".join(f"seat {seat} sits P{seat} 500\n" for seat in (2, 3, 4, 5))
    acts = "".join(f"seat {seat} {act}\n" for act in ("bets 5", "rides 1", "rides 2") for seat in (2, 4, 5))
    done = at_table(book, "round\nseat 2 declines\nseat 3 banks 100\n" + acts, seated=seated)
    assert [set(hands(step(done, f"deal_packet {seat}").after)) for seat in (4, 5, 2)] == [{4}, {4, 5}, {2, 4, 5}]


@pytest.mark.clause("ca:deal.3a", "ca:deal.3b", "ca:deal.3c.s1", "ca:deal.3c.s2")
def test_the_banks_packet_becomes_two_community_cards_and_a_burned_one(book: RuleBook) -> None:
    done = at_table(book, STACKED)
    laid, left, right, burned = (
        step(done, words).after for words in ("deal_dealer_packet", "slide_left 1", "slide_right 2", "burn_bottom")
    )
    found = [
        [faces(one, place) for place in (places.PACKET, "community:1", "community:2", "rack")]
        for one in (laid, left, right, burned)
    ]
    assert found == [
        [["Ks", "2d", "5h"], [], [], []],
        [["2d", "5h"], ["Ks"], [], []],
        [["5h"], ["Ks"], ["2d"], []],
        [[], ["Ks"], ["2d"], ["5h"]],
    ]
    assert not any(burned.at(place)[0].up for place in ("community:1", "community:2", "rack"))
    for one in (laid, left, right, burned):
        assert "5h" not in str([view(one, viewer) for viewer in ("seat:5", "seat:1", "dealer", "floor")])
    assert not hands(burned).get(5)  # the bank has no hand of its own
    assert view(burned, "seat:1").felt.community == "two_boxes"
    assert {seat: step_event(done, f"open_hand {seat}").says for seat in (1, 7)} == {
        1: "pair of tens",
        7: "two pair, kings and twos",  # a king of the left box, a two of the right one: they are shared
    }


@pytest.mark.clause("ca:deal.4")
def test_the_rest_goes_to_the_rack_unseen_when_all_packets_are_out(book: RuleBook) -> None:
    unloaded = step(at_table(book, WHOLE), "unload_stub")
    stub = unloaded.before.at(places.READY)
    assert len(stub) == 40
    assert not unloaded.before.at(places.PACKET)
    assert not unloaded.after.at(places.READY)
    assert unloaded.after.at(places.RACK)[-40:] == stub
    assert not any(card.up for card in unloaded.after.at(places.RACK))
    assert view(unloaded.after, "dealer").rack == 41  # a number, never faces


# the choices


@pytest.mark.clause("ca:round.1")
def test_each_player_examines_the_cards_when_the_deal_is_complete(book: RuleBook) -> None:
    done = at_table(book, a_round(acts="seat 1 looks\nseat 3 looks\nseat 7 looks\n" + CHOICES))
    for words in ("deal_packet 1", "deal_dealer_packet", "burn_bottom"):
        assert refusal(step(done, words).after, commands.Look(by="seat:1", seat=1)) == "cards_not_yours"
    looked = step(done, "ask 1 1").before
    assert [seen(looked, f"seat:{seat}", seat) for seat in (1, 7)] == [["Th", "Td", "4c"], ["2c", "7d", "Kh"]]
    assert seen(looked, "seat:3", 1) == seen(looked, "dealer", 1) == ["[red]"] * 3


@pytest.mark.clause("ca:round.3.s2")
def test_every_player_can_examine_the_cards_before_the_first_is_asked_and_who_answers_has(book: RuleBook) -> None:
    done = at_table(book, WHOLE)
    asking = step(done, "ask 1 1").before
    for seat in (1, 3, 7):
        after, _ = play(asking, commands.Look(by=f"seat:{seat}", seat=seat))
        assert "[red]" not in seen(after, f"seat:{seat}", seat)
    # Seat 3 answers on bet 1 and is away for bet 2: the hand was examined, so what is left of the bets rides.
    away = CHOICES.replace("seat 3 rides 2", "seat 3 by dealer goes away\ndealer reports absent seat 3")
    gone = at_table(book, a_round(acts=away))
    assert ruled(gone) == ["absent:ride"]
    assert [r.fate for r in results(gone, 3).values()] == ["withdrawn", "lost", "lost"]


@pytest.mark.clause("ca:round.2a")
def test_only_the_player_and_the_dealer_handle_a_hand(book: RuleBook) -> None:
    done = at_table(book, WHOLE)
    table = moment(done, "choice_1")
    for by in ("seat:3", "seat:5", "floor", "spectator"):
        assert refusal(table, commands.Look(by=by, seat=1)) == "not_your_seat"
        assert refusal(table, commands.Choose(by=by, seat=1, bet=1, choice="ride")) == "not_your_seat"
    after, _ = play(table, commands.Look(by="seat:1", seat=1))
    assert seen(after, "seat:1", 1) == ["Th", "Td", "4c"]
    chosen = next(one.after for one in done.steps if 2 in one.after.seats[1].choices)
    assert seen(play(chosen, commands.Look(by="seat:1", seat=1))[0], "seat:1", 1) == ["Th", "Td", "4c"]  # until tucked
    opening = step(done, "open_hand 1")
    assert refusal(opening.before, commands.Do(by="floor", kind="open_hand", seat=1)) == "not_your_role"
    assert opening.command.by == "dealer"


@pytest.mark.clause("ca:round.2b")
def test_the_dealer_sees_all_three_cards_of_every_player_throughout(book: RuleBook) -> None:
    moments = [one.after for one in at_table(book, WHOLE).steps if one.after.phase in {"choice_1", "choice_2"}]
    assert moments
    for table in moments:
        assert [seen(table, "dealer", seat) for seat in (1, 3, 7)] == [["[red]"] * 3] * 3


@pytest.mark.clause("ca:round.3", "ca:round.5", "ca:round.5.s2")
def test_choices_go_from_the_dealers_left_clockwise_and_bet_2_is_free_of_bet_1(book: RuleBook) -> None:
    done = at_table(book, WHOLE)
    choices_go_clockwise(done)
    assert view(step(done, "ask 1 2").before, "seat:1").community == ("Ks", "[red]")  # bet 2 with the first card open


@pytest.mark.clause("ca:round.3a", "ca:round.5a")
def test_a_riding_bet_is_locked(book: RuleBook) -> None:
    riding_bets_stay(at_table(book, WHOLE))


@pytest.mark.clause("ca:round.3b", "ca:round.5b")
def test_a_withdrawn_bet_is_pushed_back_whole(book: RuleBook) -> None:
    withdrawn_bets_are_pushed_back(at_table(book, WHOLE))


@pytest.mark.clause("ca:round.4", "ca:round.6")
def test_the_left_box_is_turned_after_bet_1_and_the_right_one_after_bet_2(book: RuleBook) -> None:
    done = at_table(book, STACKED)
    first, second = step(done, "turn_community 1"), step(done, "turn_community 2")
    assert [set(first.before.seats[seat].choices) for seat in (1, 3, 7)] == [{1}] * 3
    assert [set(second.before.seats[seat].choices) for seat in (1, 3, 7)] == [{1, 2}] * 3
    shown = [view(one, "seat:1").community for one in (first.before, first.after, second.before, second.after)]
    assert shown == [("[red]", "[red]"), ("Ks", "[red]"), ("Ks", "[red]"), ("Ks", "2d")]


@pytest.mark.clause("ca:round.5c")
def test_after_the_bet_2_choice_the_cards_are_tucked_face_down_beneath_the_third_bet(book: RuleBook) -> None:
    done = at_table(book, a_round(acts="seat 1 looks\n" + CHOICES))
    for seat in (1, 3, 7):
        tucked = step(done, f"tuck_cards {seat}")
        assert 2 in tucked.before.seats[seat].choices
        assert view(tucked.after, "dealer").seats[seat].tucked
        assert not any(card.up for card in tucked.after.at(places.hand(seat)))
        assert refusal(tucked.after, commands.Look(by=f"seat:{seat}", seat=seat)) == "hands_off"
    turned = step(done, "turn_community 2").before
    assert all(turned.seats[seat].tucked for seat in (1, 3, 7))


# showdown and settlement


@pytest.mark.clause("ca:round.8")
def test_hands_are_opened_from_the_dealers_right_when_both_community_cards_are_up(book: RuleBook) -> None:
    hands_open_in_turn(at_table(book, WHOLE), 7, 3, 1)


@pytest.mark.clause("ca:std.3a", "ca:std.3b", "ca:round.7", "ca:round.9", "ca:round.10b")
def test_hands_of_five_are_read_and_tens_or_better_win(book: RuleBook) -> None:
    done = at_table(book, WHOLE)
    said = {seat: step_event(done, f"open_hand {seat}").says for seat in (1, 3, 7)}
    assert said == {1: "pair of tens", 3: "pair of nines", 7: "two pair, kings and twos"}
    assert [r.fate for r in results(done, 1).values()] == ["won"] * 3
    assert [r.fate for r in results(done, 3).values()] == ["withdrawn", "lost", "lost"]
    assert {seat: done.table.cents(f"stack:{seat}") for seat in (1, 3, 5, 7)} == STACKS
    order(done, "open_hand 7", "pay 7 base-1", "open_hand 3", "take 3 base-2", "open_hand 1")


@pytest.mark.clause("ca:round.7")
def test_a_hand_is_three_own_cards_and_both_community_cards_and_never_more_or_less(book: RuleBook) -> None:
    only_five_cards_make_a_hand(at_table(book, WHOLE), 1)


@pytest.mark.clause("ca:std.3a", "ca:std.3b")
def test_the_royal_is_the_best_hand_and_no_pair_loses_like_a_low_one(book: RuleBook) -> None:
    royal = (
        CARDS.replace("hand 1 Th Td 4c", "hand 1 As Qs Js").replace("Ks 2d", "Ks Ts").replace("2c 7d Kh", "2c 7d 4h")
    )
    best = at_table(book, "seat 5 buys 100000\n" + a_round(stake=100_000, cards=royal))
    assert step_event(best, "open_hand 1").says == "royal flush"
    assert [r.paid_cents for r in results(best, 1).values()] == [1_000_000] * 3
    assert [r.fate for r in results(best, 7).values()] == ["lost", "withdrawn", "lost"]  # king high


@pytest.mark.clause("ca:round.10a", "ca:round.10d")
@pytest.mark.parametrize(("paytable", "two_pair", "flush"), [("LIRX-01", 2_000, 8_000), ("LIRX-02", 2_000, 10_000)])
def test_each_bet_in_action_is_paid_at_the_odds_of_the_table_in_force(
    book: RuleBook, paytable: str, two_pair: int, flush: int
) -> None:
    cards = CARDS.replace("hand 1 Th Td 4c", "hand 1 3d 8d Qd").replace("hand 3 9h 9d 3c", "hand 3 9h 9s 3c")
    cards = cards.replace("hand 7 2c 7d Kh", "hand 7 2c 7s Kh").replace("community Ks 2d", "community Kd 2d")
    done = at_table(book, a_round(stake=400, cards=cards), f"base.paytable = {paytable}")
    assert [(r.fate, r.paid_cents) for r in results(done, 7).values()] == [
        *(("won", two_pair), ("withdrawn", 0), ("won", two_pair))
    ]
    assert stacks(done, 1, 7) == [50_000 - 150 + 3 * flush, 50_000 - 150 + 2 * two_pair]
    assert "pay 7 base-2" not in steps(done)
    assert view(done.table, "seat:1").sign.pays["base"]["flush"] == f"{flush // 1_000} to 1"


@pytest.mark.clause("ca:gloss.round")
def test_a_round_runs_from_the_bets_to_their_settlement(book: RuleBook) -> None:
    done = at_table(book, WHOLE)
    assert view(moment(done, "betting"), "seat:1").round_running
    assert view(moment(done, "settling"), "seat:1").round_running
    assert not view(done.table, "seat:1").round_running


@pytest.mark.clause("ca:round.12")
def test_when_all_wins_are_paid_the_cards_are_gathered_at_once(book: RuleBook) -> None:
    done = at_table(book, WHOLE)
    paid = max(place for place, one in enumerate(done.steps) if one.before.cents("felt:1:base-$"))
    table = done.steps[paid].after
    assert hands(table) == {1: ["Th", "Td", "4c"], 3: ["9h", "9d", "3c"], 7: ["2c", "7d", "Kh"]}
    assert not [name for name, cents in table.accounts.items() if cents and name.startswith("felt:")]
    gathered = [one.after for one in done.steps[paid + 1 : paid + 5]]  # nothing else is done in between
    assert [len(one.at(places.RACK)) for one in gathered] == [44, 47, 50, 52]
    assert not hands(gathered[-1])
    assert not gathered[-1].community()
