"""New South Wales at the table."""

from __future__ import annotations

import pytest

from letitride.engine import commands, events, places
from letitride.engine.decide import play
from letitride.engine.refusal import Refusal
from letitride.engine.view import view
from letitride.rules.rulebook import RuleBook
from tests.clauses.rounds import (
    CHOICES,
    SEATED,
    THREE_SEATS,
    WHOLE_ROUND,
    bets,
    choices,
    dealer_does,
    faces,
    hands,
    happened,
    kinds,
    moment,
    order,
    played,
    refusal,
    results,
    seen,
    step,
    step_event,
    steps,
)

DEVICES = ["", "+shuffler", "+two_decks"]


@pytest.mark.clause("nsw:1.1.voucher.s2", "nsw:1.1.voucher.s3", "nsw:5.1")
def test_a_voucher_becomes_chips_or_tokens_of_equal_value_and_wins_are_paid_in_chips(book: RuleBook) -> None:
    body = THREE_SEATS.replace("seat 1 bets 10", "seat 1 exchanges 30 tokens\nseat 1 bets 10 with tokens")
    done = played(book, body + CHOICES)
    (exchanged,) = [event for event in happened(done) if isinstance(event, events.VoucherExchanged)]
    assert [(c.source, c.target, c.cents) for c in exchanged.chips] == [("promotions", "tokens:1", 3_000)]
    end = done.table
    assert (end.cents("tokens:1"), end.cents("stack:1")) == (3_000, 50_000 + 3 * 1_000)  # stakes back, wins in chips
    withdrawn = played(book, body + CHOICES.replace("seat 1 rides", "seat 1 withdraws"))
    assert withdrawn.table.cents("tokens:1") == 3_000  # what was bet in tokens comes back in tokens
    into_chips = played(book, THREE_SEATS.replace("seat 1 bets", "seat 1 exchanges 30 chips\nseat 1 bets") + CHOICES)
    assert into_chips.table.cents("stack:1") == 50_000 + 3_000 + 3_000
    table = moment(done, "betting")
    for medium in ("plaques", "vouchers"):
        assert bets(table, 3, base=1_000, medium=medium) == "medium_refused"
    assert bets(table, 3, base=1_000, medium="cash", spoken=True) == "spoken_cash_refused"


@pytest.mark.clause("nsw:2.1", "nsw:2.2")
def test_players_sit_on_one_side_and_the_felt_shows_what_is_in_front_of_them(book: RuleBook) -> None:
    felt = view(played(book, WHOLE_ROUND).table, "spectator").felt
    assert (felt.players_side, felt.dealer_side) == ((1, 2, 3, 4, 5, 6, 7), ("community", "tray", "rack"))
    assert (felt.spots, felt.community) == (("$", "2", "1"), "two_places")


@pytest.mark.clause("nsw:2.2.1.2", "nsw:6.1.s1")
def test_the_schedule_and_the_sign_with_the_limits_are_shown_to_all(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND, "limit.cents_min = 1000", "limit.cents_max = 2500")
    for viewer in ("seat:1", "spectator", "dealer"):
        sign = view(done.table, viewer).sign
        assert (sign.limits_cents, sign.limits_scope) == ((1_000, 2_500), "wager")
        assert sign.pays["base"]["royal flush"] == "1,000 to 1"
        assert len(sign.pays["base"]) == 9
    table = moment(done, "betting")
    assert (bets(table, 1, base=900), bets(table, 1, base=2_600)) == ("below_minimum", "above_maximum")


@pytest.mark.clause("nsw:2.3.2")
@pytest.mark.parametrize("device", DEVICES)
def test_the_rack_holds_one_deck(book: RuleBook, device: str) -> None:
    for one in played(book.id + device, WHOLE_ROUND * 2).steps:
        rack = one.after.at(places.RACK)
        assert len(rack) <= 52
        assert len({card.deck for card in rack}) <= 1


@pytest.mark.clause("nsw:3.4", "nsw:3.5")
def test_cards_are_checked_before_use_unless_they_were_checked_and_kept_secured_beforehand(book: RuleBook) -> None:
    order(played(book, WHOLE_ROUND), "check_deck 1", "shuffle_deck 1", "deal_card 1 1")
    prepared = played(book, WHOLE_ROUND, "deck.prepared = true")
    assert "check_deck" not in kinds(prepared)
    assert len(step(prepared, "shuffle_deck 1").before.at(places.CHEST)) == 52  # secured until needed


@pytest.mark.clause("nsw:4.1.1", "nsw:4.1.2")
@pytest.mark.parametrize(("device", "shuffle"), [("", "shuffle_deck 1"), ("+shuffler", "start_shuffle 1")])
def test_cards_are_shuffled_before_play_and_when_a_round_is_completed(
    book: RuleBook, device: str, shuffle: str
) -> None:
    done = played(book.id + device, WHOLE_ROUND * 2)
    assert steps(done).count(shuffle) == 2  # before round 1, and after it
    first_card = "deal_card 1 1" if not device else "deal_packet 1"
    order(done, shuffle, first_card)
    after_first = steps(done)[steps(done).index("collect_community") :]
    assert after_first.index(shuffle) < after_first.index(first_card)


@pytest.mark.clause("nsw:4.1.3")
@pytest.mark.parametrize(
    ("device", "shuffles"),
    [
        # before play, after round 1, and after the empty time
        ("", ["shuffle_deck 1"] * 3),
        ("+shuffler", ["start_shuffle 1"] * 3),
        ("+two_decks", ["start_shuffle 1", "mix_deck 2", "start_shuffle 2", "mix_deck 1"]),
    ],
)
def test_cards_are_shuffled_before_play_begins_again_at_a_table_that_stood_empty(
    book: RuleBook, device: str, shuffles: list[str]
) -> None:
    leave = "seat 1 leaves\nseat 3 leaves\nseat 7 leaves\n"
    again = SEATED + WHOLE_ROUND.replace("round\n", "")
    done = played(book.id + device, WHOLE_ROUND + "round\n" + leave + again)
    assert any(one.after.phase == "idle" and one.after.round == 1 for one in done.steps)
    assert "spread_idle" not in kinds(done)
    assert [w for w in steps(done) if w.startswith(("shuffle_deck", "start_shuffle", "mix_deck"))] == shuffles
    assert [outcome.number for outcome in done.outcomes] == [1, 2]


@pytest.mark.clause("nsw:4.2", "nsw:4.3")
def test_with_a_shoe_the_dealer_alone_cuts_and_loads_the_whole_pack(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    order(done, "shuffle_deck 1", "cut_deck 1", "load_shoe", "deal_card 1 1")
    cut = step(done, "cut_deck 1")
    depth = cut.command.cut
    before = faces(cut.before, places.SPREAD)
    assert faces(cut.after, places.SPREAD) == before[depth:] + before[:depth]
    assert len(step(done, "load_shoe").after.at(places.READY)) == 52
    for by in ("seat:1", "floor", "inspector"):
        refused = refusal(cut.before, commands.Do(by=by, kind="cut_deck", number=1, cut=20))
        assert refused == "not_your_role"
    assert dealer_does(cut.before, cut=0)[1] == dealer_does(cut.before, cut=52)[1] == "bad_cut"


@pytest.mark.clause("nsw:4.4")
@pytest.mark.parametrize("device", ["+shuffler", "+two_decks"])
def test_with_a_shuffler_the_cards_go_in_the_device_and_are_not_cut(book: RuleBook, device: str) -> None:
    done = kinds(played(book.id + device, WHOLE_ROUND * 2))
    assert "load_deck" in done
    assert not {"cut_deck", "load_shoe", "shuffle_deck"} & set(done)
    assert "cut_deck" in kinds(played(book, WHOLE_ROUND))


@pytest.mark.clause("nsw:4.5")
def test_a_manual_shuffle_before_loading_is_a_step_of_its_own(book: RuleBook) -> None:
    done = played(f"{book.id}+shuffler", WHOLE_ROUND, "shuffle.hand_first = true")
    order(done, "hand_shuffle_first 1", "load_deck 1", "start_shuffle 1")
    assert "hand_shuffle_first" not in kinds(played(f"{book.id}+shuffler", WHOLE_ROUND))


@pytest.mark.clause("nsw:5.2")
def test_to_take_part_three_equal_bets_lie_on_the_spots_before_the_first_card(book: RuleBook) -> None:
    body = THREE_SEATS.replace("seat 3 bets 10", "seat 3 bets 1=10 2=10")
    done = played(book, body + "dealer call_no_more_bets => bets_incomplete\nseat 3 bets 10\n" + CHOICES)
    assert {name: r.stake_cents for name, r in results(done, 3).items()} == dict.fromkeys(
        ("base-1", "base-2", "base-$"), 1_000
    )
    assert bets(moment(done, "choice_1"), 3, base=1_000) == "betting_closed"


@pytest.mark.clause("nsw:5.3", "nsw:7.2.1")
def test_bets_are_down_before_the_call_that_comes_just_before_the_deal(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    called = step(done, "call_no_more_bets")
    assert step_event(done, "call_no_more_bets").says == "no more bets"
    assert steps(done)[steps(done).index("call_no_more_bets") + 1] == "deal_card 1 1"
    assert (bets(called.before, 3, base=2_000), bets(called.after, 3, base=2_000)) == ("", "betting_closed")
    late = played(book, WHOLE_ROUND, "bet.cutoff = first_card")  # the other reading: the first card closes
    assert bets(step(late, "call_no_more_bets").after, 3, base=2_000) == ""
    assert not view(called.after, "spectator").round_running  # the round begins with the first card


@pytest.mark.clause("nsw:1.1.round")
def test_a_round_begins_with_the_first_card(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    assert not view(moment(done, "betting"), "spectator").round_running
    assert view(step(done, "deal_card 1 1").after, "spectator").round_running
    assert view(moment(done, "settling"), "spectator").round_running


@pytest.mark.clause("nsw:5.4")
@pytest.mark.parametrize("cutoff", ["call_and_first_card", "first_card"])
def test_once_the_first_card_is_out_no_bet_is_made_raised_or_withdrawn(book: RuleBook, cutoff: str) -> None:
    done = played(book, WHOLE_ROUND, f"bet.cutoff = {cutoff}")
    table = step(done, "deal_card 1 1").after
    for wagers in ({"base": 1_000}, {"base": 2_000}, {}):
        assert bets(table, 3, **wagers) == "betting_closed"
    assert view(table, "spectator").round_running


@pytest.mark.clause("nsw:5.5")
def test_a_player_has_one_hand(book: RuleBook) -> None:
    table = moment(played(book, WHOLE_ROUND), "betting")
    again = commands.Sit(by="seat:2", seat=2, player="Ann", cents=10_000)
    assert refusal(table, again) == "one_hand_per_player"
    assert not isinstance(play(table, commands.Sit(by="seat:2", seat=2, player="Di", cents=10_000))[1], Refusal)


@pytest.mark.books("nsw-1")
def test_after_the_call_a_late_bettor_has_three_equal_bets_or_none_and_is_dealt_in(book: RuleBook) -> None:
    called = step(played(book, WHOLE_ROUND, "bet.cutoff = first_card"), "call_no_more_bets").after
    table, _ = play(called, commands.Sit(by="seat:2", seat=2, player="Di", cents=10_000))
    uneven = commands.PlaceWagers(by="seat:2", seat=2, wagers={"base-1": 1_000})
    assert refusal(table, uneven) == "bets_incomplete"
    late, _ = play(table, commands.PlaceWagers(by="seat:2", seat=2, wagers=dict(called.seats[1].wagers)))
    assert [s.seat for s in late.agenda if s.kind == "deal_card"][:4] == [1, 2, 3, 7]
    for seat in (1, 3, 7):
        table, _ = play(table, commands.PlaceWagers(by=f"seat:{seat}", seat=seat, wagers={}))
    assert table.phase == "betting"  # nobody is left to deal to


@pytest.mark.books("nsw-1")
def test_a_player_who_sits_out_does_not_bet(book: RuleBook) -> None:
    table, _ = play(moment(played(book, WHOLE_ROUND), "betting"), commands.PlaceWagers(by="seat:1", seat=1, wagers={}))
    table, _ = play(table, commands.SitOut(by="seat:1", seat=1))
    assert bets(table, 1, base=1_000) == "sitting_out"


@pytest.mark.clause("nsw:5.6")
def test_one_player_bets_at_an_area(book: RuleBook) -> None:
    table = moment(played(book, WHOLE_ROUND), "betting")
    for by in ("seat:3", "spectator", "floor"):
        assert bets(table, 1, by=by, base=1_000) == "not_your_seat"
    assert bets(table, 2, base=1_000) == "seat_empty"


@pytest.mark.clause("nsw:5.7.s1", "nsw:5.7.s2")
def test_the_bets_that_play_are_those_on_the_spots_whoever_helped_to_place_them(book: RuleBook) -> None:
    table = moment(played(book, WHOLE_ROUND), "betting")
    assert bets(table, 1, by="dealer", base=1_000) == "not_your_seat"  # nobody answers for a bet but its player
    done = played(book, WHOLE_ROUND.replace("seat 1 bets 10", "seat 1 bets 10\nseat 1 bets 20"))
    assert results(done, 1)["base-1"].stake_cents == 2_000
    assert bets(step(done, "call_no_more_bets").after, 1, base=1_000) == "betting_closed"  # too late to put it right


@pytest.mark.clause("nsw:6.1.s3")
def test_a_signed_step_binds_amounts_over_the_minimum(book: RuleBook) -> None:
    table = moment(played(book, WHOLE_ROUND, "limit.cents_step = 500"), "betting")
    assert (bets(table, 1, base=1_000), bets(table, 1, base=1_200)) == ("", "off_step")


@pytest.mark.clause("nsw:6.1.s2")
def test_without_a_signed_step_any_amount_over_the_minimum_will_do(book: RuleBook) -> None:
    assert bets(moment(played(book, WHOLE_ROUND), "betting"), 1, base=1_234) == ""


@pytest.mark.clause("nsw:7.1", "nsw:7.2.2", "nsw:7.3.1", "nsw:7.3.2", "nsw:7.3.3")
def test_from_a_shoe_three_passes_of_single_cards_then_two_community_cards_all_face_down(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    dealt = [words for words in steps(done) if words.startswith(("deal_", "burn"))]
    passes = [f"deal_card {seat} {number}" for number in (1, 2, 3) for seat in (1, 3, 7)]
    assert dealt == [*passes, "deal_community 1", "deal_community 2"]  # nothing is burned
    table = moment(done, "choice_1")
    assert hands(table) == {1: ["Th", "Td", "4c"], 3: ["9h", "9d", "3c"], 7: ["2c", "7d", "Kh"]}
    down = [card for seat in (1, 3, 7) for card in table.at(places.hand(seat))]
    down += [*table.at(places.community(1)), *table.at(places.community(2))]
    assert not any(card.up for card in down)
    first = step(done, "deal_card 1 1").before.at(places.READY)
    assert [str(card.face) for card in first[:4]] == ["Th", "9h", "2c", "Td"]


@pytest.mark.clause("nsw:7.4.1", "nsw:7.4.2", "nsw:7.4.3")
@pytest.mark.parametrize("device", ["+shuffler", "+two_decks"])
def test_from_a_shuffler_packets_of_three_then_the_dealers_whose_bottom_card_is_burned(
    book: RuleBook, device: str
) -> None:
    done = played(book.id + device, WHOLE_ROUND.replace("community Ks 2d", "community Ks 2d\nburn 5h"))
    dealt = [words for words in steps(done) if words.startswith(("deal_", "slide", "burn"))]
    assert dealt == [
        *("deal_packet 1", "deal_packet 3", "deal_packet 7"),
        *("deal_dealer_packet", "slide_left 1", "slide_right 2", "burn_bottom"),
    ]
    burned = step(done, "burn_bottom").after
    assert faces(burned, places.RACK) == ["5h"]
    assert "5h" not in str([view(burned, viewer) for viewer in ("seat:1", "dealer", "inspector")])
    assert burned.phase == "dealing"
    assert book.rules.burn.card == "none"


@pytest.mark.clause("nsw:8.1")
def test_players_may_look_at_their_cards_after_the_deal(book: RuleBook) -> None:
    done = played(book, THREE_SEATS + "seat 1 looks\n" + CHOICES)
    look = commands.Look(by="seat:1", seat=1)
    assert refusal(step(done, "deal_card 1 3").after, look) == "cards_not_yours"
    assert seen(moment(done, "choice_1"), "seat:1", 1) == ["[red]"] * 3
    looked = next(one.after for one in done.steps if one.after.seats[1].looked)
    assert seen(looked, "seat:1", 1) == ["Th", "Td", "4c"]


@pytest.mark.clause("nsw:8.2.s1", "nsw:8.2.s2")
def test_cards_stay_in_the_dealers_view_and_hidden_from_the_other_players(book: RuleBook) -> None:
    for one in played(book, THREE_SEATS + "seat 1 looks\nseat 3 looks\n" + CHOICES).steps:
        if one.after.phase in {"choice_1", "choice_2"}:
            assert [len(seen(one.after, "dealer", seat)) for seat in (1, 3, 7)] == [3, 3, 3]
            for viewer in ("seat:3", "seat:7", "spectator", "dealer"):
                assert seen(one.after, viewer, 1) == ["[red]"] * 3


@pytest.mark.clause("nsw:8.3", "nsw:8.3.1", "nsw:8.3.2", "nsw:8.10")
def test_from_the_dealers_left_each_player_withdraws_bet_1_or_lets_it_ride_to_the_end(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    assert [w for w in steps(done) if w.startswith("ask") and w.endswith(" 1")] == ["ask 1 1", "ask 3 1", "ask 7 1"]
    (back,) = step_event(done, "push_back 3 base-1 1").chips
    assert (back.source, back.target, back.cents) == ("felt:3:base-1", "stack:3", 1_000)
    riding = step(done, "open_hand 1").after
    assert riding.cents("felt:1:base-1") == 1_000
    again = commands.Choose(by="seat:1", seat=1, bet=1, choice="withdraw")
    assert refusal(step(done, "ask 3 1").after, again) == "already_chosen"


@pytest.mark.clause("nsw:8.4", "nsw:8.6")
def test_community_card_1_comes_before_the_bet_2_choices_and_card_2_after_them(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    order(done, "ask 7 1", "turn_community 1", "ask 1 2", "ask 3 2", "ask 7 2", "turn_community 2", "open_hand 7")
    assert view(step(done, "turn_community 1").after, "seat:1").community == ("Ks", "[red]")
    assert view(step(done, "turn_community 2").after, "seat:1").community == ("Ks", "2d")
    assert set(step(done, "turn_community 2").before.seats[7].choices) == {1, 2}


@pytest.mark.clause("nsw:8.5")
def test_the_bet_2_choice_does_not_depend_on_bet_1(book: RuleBook) -> None:
    found = [(event.seat, event.bet, event.choice) for event in choices(played(book, WHOLE_ROUND))]
    assert (3, 1, "withdraw") in found
    assert (3, 2, "ride") in found
    assert (7, 1, "ride") in found
    assert (7, 2, "withdraw") in found


@pytest.mark.clause("nsw:8.7", "nsw:8.8", "nsw:9.4")
def test_every_hand_of_five_is_checked_and_announced_at_its_best(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    said = {seat: step_event(done, f"open_hand {seat}").says for seat in (1, 3, 7)}
    assert said == {1: "pair of tens", 3: "pair of nines", 7: "two pair, kings and twos"}


@pytest.mark.clause("nsw:8.9")
def test_bet_dollar_is_never_open_to_withdrawal(book: RuleBook) -> None:
    table = moment(played(book, WHOLE_ROUND), "choice_1")
    third = commands.Choose(by="seat:1", seat=1, bet=3, choice="withdraw")
    assert refusal(table, third) == "never_withdrawn"
    assert not any(getattr(offer, "bet", 0) == 3 for offer in view(table, "seat:1").offers)


@pytest.mark.clause("nsw:8.11")
def test_a_player_who_already_holds_a_paying_hand_may_tuck_and_is_asked_no_more(book: RuleBook) -> None:
    acts = "seat 1 looks\nseat 1 tucks\n" + CHOICES.replace("seat 1 rides 1\n", "").replace("seat 1 rides 2\n", "")
    done = played(book, THREE_SEATS + acts)
    assert [r.fate for r in results(done, 1).values()] == ["won"] * 3
    assert "ask 1 2" not in steps(done)
    table = moment(played(book, WHOLE_ROUND), "choice_1")
    assert refusal(table, commands.Tuck(by="seat:1", seat=1)) == "not_looked"  # nothing is told before a look
    late = "seat 3 looks\nseat 3 tucks => no_paying_hand\nseat 3 withdraws 1\n"  # nines do not pay
    late += "seat 7 looks\nseat 7 rides 1\nseat 7 tucks => no_paying_hand\n"
    kings = played(book, THREE_SEATS + "seat 1 rides 1\n" + late + "seat 1 rides 2\nseat 3 rides 2\nseat 7 tucks\n")
    assert results(kings, 7)["base-2"].fate == "won"  # with the king on the board it pays, at any stage


@pytest.mark.clause("nsw:9.1", "nsw:9.2.1", "nsw:9.2.2")
def test_hands_below_tens_are_collected_first_then_tens_or_better_are_paid(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    order(done, "open_hand 1", "take 3 base-2", "take 3 base-$", "pay 7 base-1", "pay 7 base-$", "pay 1 base-1")
    assert [(r.fate, r.paid_cents) for r in results(done, 1).values()] == [("won", 1_000)] * 3
    assert results(done, 7)["base-$"].paid_cents == 2_000
    assert results(done, 3)["base-$"].fate == "lost"
    assert step_event(done, "take 3 base-$").chips[0].target == "tray"
    assert step_event(done, "pay 1 base-1").chips[0].source == "tray"
    assert (book.rules.bank.mode, book.rules.settle.bets_order) == ("house", ("base",))


@pytest.mark.clause("nsw:9.3")
def test_cards_go_to_the_rack_after_bets_are_taken_or_paid(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    settled = max(place for place, words in enumerate(steps(done)) if words.startswith(("pay", "take")))
    gathered = min(place for place, words in enumerate(steps(done)) if words.startswith("collect"))
    assert gathered > settled
    assert len(step(done, "collect_stub").after.at(places.RACK)) == 52


@pytest.mark.clause("nsw:10.2.s1", "nsw:10.2.s2")
def test_a_maximum_payout_caps_what_is_paid_and_is_shown(book: RuleBook) -> None:
    royal = WHOLE_ROUND.replace("hand 1 Th Td 4c", "hand 1 As Qs Js").replace("Ks 2d", "Ks Ts")
    royal = royal.replace("hand 7 2c 7d Kh", "hand 7 2c 7d 8h")
    capped = played(book, royal, "payout.cap = maximum", "payout.cents_max = 2500000")
    assert sum(r.paid_cents for r in results(capped, 1).values()) == 2_500_000
    assert sum(r.paid_cents for r in results(played(book, royal), 1).values()) == 3_000_000
    each = played(book, royal, "payout.cap = maximum", "payout.cents_max = 800000", "payout.scope = wager")
    assert [r.paid_cents for r in results(each, 1).values()] == [800_000] * 3
    by_hand = played(book, royal, "payout.cap = maximum", "payout.cents_max = 2500000", "payout.scope = hand")
    assert sum(r.paid_cents for r in results(by_hand, 1).values()) == 2_500_000
    assert view(capped.table, "spectator").sign.payout_cents_max == 2_500_000
    assert view(played(book, royal).table, "spectator").sign.payout_cents_max is None
