"""New South Wales: bets, limits and the moments that close them."""

from __future__ import annotations

import pytest

from letitride.engine import commands, events, places
from letitride.engine.decide import play
from letitride.engine.refusal import Refusal
from letitride.engine.view import view
from letitride.rules.rulebook import RuleBook
from tests.clauses.rounds import (
    CHOICES,
    THREE_SEATS,
    WHOLE_ROUND,
    bets,
    happened,
    moment,
    played,
    refusal,
    results,
    step,
    step_event,
    steps,
)

DEVICES = ["", "+shuffler", "+two_decks"]
FIRST_CARD = {"": "deal_card 1 1", "+shuffler": "deal_packet 1", "+two_decks": "deal_packet 1"}
IN_ROUND = {"dealing", "choice_1", "choice_2", "settling"}


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
    for medium in ("plaques", "vouchers", "match_play"):
        assert bets(table, 3, base=1_000, medium=medium) == "medium_refused"
    assert bets(table, 3, base=1_000, medium="cash", spoken=True) == "spoken_cash_refused"


@pytest.mark.clause("nsw:2.2.1.2", "nsw:6.1.s1", "nsw:6.4")
def test_the_schedule_and_the_sign_with_the_limits_are_shown_to_all(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND, "limit.cents_min = 1000", "limit.cents_max = 2500")
    for viewer in ("seat:1", "spectator", "dealer"):
        sign = view(done.table, viewer).sign
        assert (sign.limits_cents, sign.limits_scope) == ((1_000, 2_500), "wager")
        assert next(iter(sign.pays["base"].items())) == ("royal flush", "1,000 to 1")
        assert [odds and odds.removesuffix(" to 1") for odds in sign.pays["base"].values()] == [
            *("1,000", "200", "50", "11", "8", "5", "3", "2", "1")
        ]
    table = moment(done, "betting")
    assert (bets(table, 1, base=900), bets(table, 1, base=2_600)) == ("below_minimum", "above_maximum")
    assert (bets(table, 1, base=1_000), bets(table, 1, base=2_500)) == ("", "")


@pytest.mark.clause("nsw:5.2")
@pytest.mark.parametrize("device", DEVICES)
def test_to_take_part_three_equal_bets_lie_on_the_spots_before_the_first_card(book: RuleBook, device: str) -> None:
    for short in ("1=10 2=10", "1=10 2=10 $=20"):
        body = THREE_SEATS.replace("seat 3 bets 10", f"seat 3 bets {short}")
        done = played(book.id + device, f"{body}dealer call_no_more_bets => bets_incomplete\nseat 3 bets 10\n{CHOICES}")
        table = step(done, FIRST_CARD[device]).before
        assert [table.cents(f"felt:3:base-{spot}") for spot in "12$"] == [1_000] * 3
        assert len(moment(done, "choice_1").at(places.hand(3))) == 3
        assert bets(moment(done, "choice_1"), 3, base=1_000) == "betting_closed"


@pytest.mark.clause("nsw:5.3", "nsw:7.2.1")
@pytest.mark.parametrize("device", DEVICES)
def test_bets_are_down_before_the_call_that_comes_just_before_the_deal(book: RuleBook, device: str) -> None:
    done = played(book.id + device, WHOLE_ROUND)
    called = step(done, "call_no_more_bets")
    assert step_event(done, "call_no_more_bets").says == "no more bets"
    assert [called.before.cents(f"felt:{seat}:base-1") for seat in (1, 3, 7)] == [1_000] * 3
    first = commands.Do(kind=FIRST_CARD[device].split()[0], seat=1, number=0 if device else 1)
    assert refusal(called.before, first) == "out_of_order"  # no card before the call
    between = steps(done)[steps(done).index("call_no_more_bets") + 1 : steps(done).index(FIRST_CARD[device])]
    assert between == (["swap_decks", "mix_deck 2"] if device == "+two_decks" else [])
    assert (bets(called.before, 3, base=2_000), bets(called.after, 3, base=2_000)) == ("", "betting_closed")
    assert bets(called.after, 3) == "betting_closed"  # nor is it taken back
    late = played(book.id + device, WHOLE_ROUND, "bet.cutoff = first_card")  # the other reading: the first card closes
    assert bets(step(late, "call_no_more_bets").after, 3, base=2_000) == ""
    assert not view(called.after, "spectator").round_running  # the round begins with the first card


@pytest.mark.clause("nsw:1.1.round")
@pytest.mark.parametrize("device", DEVICES)
def test_a_round_begins_with_the_first_card(book: RuleBook, device: str) -> None:
    done = played(book.id + device, WHOLE_ROUND)
    assert not view(moment(done, "betting"), "spectator").round_running
    assert not view(step(done, FIRST_CARD[device]).before, "spectator").round_running
    assert view(step(done, FIRST_CARD[device]).after, "spectator").round_running
    assert view(step(done, "pay 1 base-$").before, "spectator").round_running
    assert not view(done.table, "spectator").round_running


@pytest.mark.clause("nsw:5.4")
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("cutoff", ["call_and_first_card", "first_card"])
def test_once_the_first_card_is_out_no_bet_is_made_raised_or_withdrawn(
    book: RuleBook, cutoff: str, device: str
) -> None:
    done = played(book.id + device, WHOLE_ROUND, f"bet.cutoff = {cutoff}")
    first = step(done, FIRST_CARD[device])
    assert bets(first.before, 3, base=2_000) == ("" if cutoff == "first_card" else "betting_closed")
    after = [one.after for one in done.steps[done.steps.index(first) :] if one.after.phase in IN_ROUND]
    assert len(after) > 20
    for table in after:
        for wagers in ({"base": 1_000}, {"base": 2_000}, {}):
            assert bets(table, 3, **wagers) == "betting_closed"


@pytest.mark.clause("nsw:5.4", "nsw:14.11", "nsw:1.1.round")
@pytest.mark.parametrize("device", DEVICES)
def test_a_first_card_that_was_drawn_in_error_closes_betting_too(book: RuleBook, device: str) -> None:
    body = THREE_SEATS + "mishap drawn\ndealer reports drawn_card\n"
    drawn = next(
        one
        for one in played(book.id + device, body, "bet.cutoff = first_card").steps
        if isinstance(one.command, commands.Mishap)
    )
    refuse = commands.Order(by="casino_supervisor", kind="refuse_bet", seats=(1,), why="grounds")
    assert bets(drawn.before, 3, base=2_000) == ""
    assert not isinstance(play(drawn.before, refuse)[1], Refusal)
    assert (bets(drawn.after, 3, base=2_000), bets(drawn.after, 3)) == ("betting_closed", "betting_closed")
    assert refusal(drawn.after, refuse) == "not_now"
    running = [view(table, "spectator").round_running for table in (drawn.before, drawn.after)]
    assert running == [False, True]


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
