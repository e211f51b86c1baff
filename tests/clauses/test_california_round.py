"""California at the table: a player banks, and his stake caps what can be won and lost."""

from __future__ import annotations

import pytest

from letitride.engine import commands, places
from letitride.engine.view import view
from letitride.records.replay import Replayed
from letitride.rules.keys import FeeTier
from letitride.rules.rulebook import RuleBook
from tests.clauses.rounds import (
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

SETTINGS = (
    "limit.cents_min = 500",
    "limit.cents_max = 10000",
    "fee.tiers = [{limit_cents_max = 5000, wager_cents = 25, bank_cents = 100}, {limit_cents_max = 10000, wager_cents = 50, bank_cents = 200}]",
)
SEATED = "seat 1 sits Ann 500\nseat 3 sits Bob 500\nseat 5 sits Cy 500\nseat 7 sits Di 500\n"
OFFER = "seat 1 declines\nseat 3 declines\n"
# Seat 7 makes kings and twos, seat 3 has nines and loses, seat 1 has tens; seat 5 banks.
CARDS = "hand 1 Th Td 4c\nhand 3 9h 9d 3c\nhand 7 2c 7d Kh\ncommunity Ks 2d\nburn 5h\n"
BETS = "seat 1 bets 10\nseat 3 bets 10\nseat 7 bets 10\n"
CHOICES = "seat 1 rides 1\nseat 3 withdraws 1\nseat 7 rides 1\nseat 1 rides 2\nseat 3 rides 2\nseat 7 withdraws 2\n"
ALL_RIDE = CHOICES.replace("withdraws", "rides")


def a_round(
    stake: int = 300, bet_lines: str = BETS, acts: str = CHOICES, cards: str = CARDS, offer: str = OFFER
) -> str:
    """Return the lines of a round that seat 5 banks."""
    return f"round\n{cards}{offer}seat 5 banks {stake}\n{bet_lines}{acts}"


def at_table(book: RuleBook, body: str, *settings: str) -> Replayed:
    """Play rounds at a California table."""
    return played(book, body, *SETTINGS, *settings, seated=SEATED)


WHOLE = a_round()


# the bank


@pytest.mark.clause("ca:std.1b", "ca:round.10c", "ca:bet.4a")
def test_all_wins_come_from_the_player_who_banks_and_all_losses_go_to_him(book: RuleBook) -> None:
    done = at_table(book, WHOLE)
    assert [(c.source, c.target, c.cents) for c in step_event(done, "take 3 base-2").chips] == [
        ("felt:3:base-2", "bank", 1_000)
    ]
    assert step_event(done, "pay 1 base-1").chips[0].source == "bank"
    assert not any("tray" in (c.source, c.target) for o in done.outcomes for c in o.transfers)
    won = sum(result.net_cents for seat in (1, 3, 7) for result in results(done, seat).values())
    assert done.table.cents("stack:5") == 50_000 - 200 - won  # the bank's side of it, less its fee
    assert book.rules.bank.mode == "player"


@pytest.mark.clause("ca:std.2", "ca:round.13a")
def test_after_two_hands_the_bank_is_offered_clockwise(book: RuleBook) -> None:
    second = a_round(offer="")
    third = "round\nseat 5 banks 100 => bank_not_offered\nseat 7 declines\nseat 1 banks 100\nseat 3 bets 5\nseat 3 rides 1\nseat 3 rides 2\n"
    done = at_table(book, WHOLE + second + third)
    offered = [words for words in steps(done) if words.startswith("offer_bank")]
    assert offered == ["offer_bank 1", "offer_bank 3", "offer_bank 5", "offer_bank 5", "offer_bank 7", "offer_bank 1"]
    nobody = at_table(
        book,
        WHOLE
        + second
        + "round\nseat 7 declines\nseat 1 declines\nseat 3 declines\nseat 5 banks 100 => bank_not_offered\nseat 3 banks 100\nseat 7 bets 5\nseat 7 rides 1\nseat 7 rides 2\n",
    )
    waiting = next(one.after for one in nobody.steps if one.after.declined == (7, 1, 3))
    assert (waiting.phase, waiting.agenda) == ("banking", ())  # nobody took it: no round is dealt
    assert [o.status for o in nobody.outcomes] == ["settled"] * 3


@pytest.mark.clause("ca:round.11c")
def test_the_house_never_banks(book: RuleBook) -> None:
    done = at_table(book, WHOLE)
    offered = step(done, "offer_bank 5").after
    for by in ("dealer", "floor"):
        assert refusal(offered, commands.TakeBank(by=by, seat=5, cents=10_000)) == "not_your_seat"
    assert "tray" not in done.table.accounts
    assert bets(offered, 1, base=1_000) == "betting_closed"  # without a bank no round begins


@pytest.mark.clause("ca:round.11e")
def test_any_stake_may_be_put_up(book: RuleBook) -> None:
    done = at_table(book, "seat 5 buys 1000000\n" + WHOLE)
    offered = step(done, "offer_bank 5").after
    everything = offered.cents("stack:5") - 200
    assert refusal(offered, commands.TakeBank(by="seat:5", seat=5, cents=everything + 1)) == "not_enough"
    assert view(offered, "seat:5").offer(commands.TakeBank)
    assert view(done.steps[-1].before, "seat:5").bank.stake_cents == 30_000


@pytest.mark.clause("ca:round.11a")
def test_a_round_may_start_with_a_bank_that_does_not_cover_the_bets(book: RuleBook) -> None:
    done = at_table(book, a_round(stake=1))
    assert view(moment(done, "choice_1"), "seat:1").bank.stake_cents == 100
    assert done.outcomes[0].status == "settled"


# Seat 7: 2 to 1 on three bets of $10; seat 3: loses three of $10; seat 1: 1 to 1 on three of $10.
SHORT = a_round(stake=30, acts=ALL_RIDE)


@pytest.mark.clause("ca:bet.4b", "ca:round.11b", "ca:round.13b", "ca:round.13c", "ca:std.1b")
@pytest.mark.parametrize(
    ("cover", "seat_7", "seat_3", "seat_1"),
    [
        # The stake of $30 pays $20 and $10 of seat 7's wins; then everything goes back.
        ("stake", [2_000, 1_000, None], [None, None, None], [None, None, None]),
        # Payoffs and collections are limited each by itself: the losers' $30 are collected all the same.
        ("gross", [2_000, 1_000, None], [0, 0, 0], [None, None, None]),
        # What is collected can be paid out again: seat 1 is paid its three wins of $10 from it.
        ("net", [2_000, 1_000, None], [0, 0, 0], [1_000, 1_000, 1_000]),
    ],
)
def test_the_stake_runs_dry_in_mid_settlement(
    book: RuleBook, cover: str, seat_7: list[int], seat_3: list[int], seat_1: list[int]
) -> None:
    done = at_table(book, SHORT, f"bank.cover = {cover}")
    for seat, expected in ((7, seat_7), (3, seat_3), (1, seat_1)):
        found = list(results(done, seat).values())
        assert [None if r.fate == "returned" else r.paid_cents for r in found] == expected
        assert all(r.back_cents == 1_000 and r.net_cents == 0 for r in found if r.fate == "returned")
    paid = sum(r.paid_cents for seat in (1, 3, 7) for r in results(done, seat).values())
    collected = sum(1_000 - r.back_cents for r in results(done, 3).values())
    assert paid <= 3_000 + (collected if cover == "net" else 0)
    assert abs(collected - paid) <= 3_000  # the bank neither wins nor loses more than its stake
    assert "return_wager 7 base-$" in steps(done)
    if cover == "stake":
        assert book.rules.bank.cover == "stake"


@pytest.mark.clause("ca:round.13b")
def test_the_bank_wins_no_more_than_its_stake_and_gives_the_rest_back(book: RuleBook) -> None:
    losers = CARDS.replace("hand 1 Th Td 4c", "hand 1 Th Jd 4c").replace("Kh", "Qh")
    done = at_table(book, a_round(stake=25, acts=ALL_RIDE, cards=losers))
    lost = [r for seat in (7, 3, 1) for r in results(done, seat).values()]
    assert [(r.fate, r.back_cents) for r in lost[:4]] == [("lost", 0), ("lost", 0), ("lost", 500), ("returned", 1_000)]
    assert {r.fate for r in lost[3:]} == {"returned"}
    assert done.table.cents("stack:5") == 50_000 - 200 + 2_500


@pytest.mark.clause("ca:gloss.action", "ca:round.8")
def test_from_the_action_seat_others_are_covered_by_the_same_stake(book: RuleBook) -> None:
    assert book.rules.bank.settle_from == "dealer_right"
    right = at_table(book, SHORT)
    order(right, "open_hand 7", "pay 7 base-1", "open_hand 3", "open_hand 1")
    # The bank, seat 5, counts as one; 3 is the second seat after it, seat 1.
    thrown = at_table(book, SHORT.replace("burn 5h", "burn 5h\ndice 3"), "bank.settle_from = action_seat")
    assert step_event(thrown, "throw_dice").says == "3: the action starts at seat 1"
    order(thrown, "throw_dice", "deal_packet 7", "open_hand 7", "open_hand 3", "open_hand 1", "pay 1 base-1")
    assert [r.paid_cents for r in results(thrown, 1).values()] == [1_000] * 3  # the stake of $30 goes to seat 1
    assert {r.fate for seat in (3, 7) for r in results(thrown, seat).values()} == {"returned"}
    before = step(thrown, "throw_dice").before
    assert dealer_does(before, throw=2)[1] == dealer_does(before, throw=19)[1] == "bad_throw"


# fees and limits


@pytest.mark.clause("ca:fee.1", "ca:fee.2", "ca:fee.6", "ca:round.11d")
def test_flat_fees_by_limit_are_shown_beforehand_and_taken_when_betting_closes(book: RuleBook) -> None:
    done = at_table(book, WHOLE)
    sign = view(moment(done, "betting"), "seat:1").sign
    assert sign.fee == sign.fees[1] == FeeTier(limit_cents_max=10_000, wager_cents=50, bank_cents=200)
    order(
        done, "call_no_more_bets", "collect_fee 1", "collect_fee 3", "collect_fee 7", "collect_fee 5", "deal_packet 7"
    )
    assert [step_event(done, f"collect_fee {seat}").chips[0].cents for seat in (1, 3, 7, 5)] == [150, 150, 150, 200]
    assert done.table.cents("fees") == 650
    larger = at_table(book, WHOLE.replace("bets 10", "bets 50"))
    assert larger.table.cents("fees") == 650  # never a share of a bet
    low = played(book, WHOLE, "limit.cents_min = 500", "limit.cents_max = 5000", SETTINGS[2], seated=SEATED)
    assert low.table.cents("fees") == 3 * 75 + 100
    taken = {c.source for o in done.outcomes for c in o.transfers if c.target == "fees"}
    assert taken == {"stack:1", "stack:3", "stack:5", "stack:7"}


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
def test_bets_are_chips_and_nothing_else(book: RuleBook) -> None:
    table = moment(at_table(book, WHOLE), "betting")
    for medium in ("plaques", "tokens", "vouchers"):
        assert bets(table, 1, base=1_000, medium=medium) == "medium_refused"
    assert bets(table, 1, base=1_000, medium="cash", spoken=True) == "spoken_cash_refused"
    assert bets(table, 1, base=1_000) == ""


@pytest.mark.clause("ca:bet.2a", "ca:bet.2b", "ca:deal.2b")
def test_the_call_of_no_more_bets_closes_betting(book: RuleBook) -> None:
    called = step(at_table(book, WHOLE), "call_no_more_bets")
    assert bets(called.before, 3, base=2_000) == ""
    for wagers in ({"base": 1_000}, {"base": 2_000}, {}):
        assert bets(called.after, 3, **wagers) == "betting_closed"
    refuse = commands.Order(by="casino_supervisor", kind="refuse_bet", seats=(3,), why="grounds")
    assert refusal(called.after, refuse) == "not_now"  # it is the call, not the first card
    assert step_event(at_table(book, WHOLE), "call_no_more_bets").says == "no more bets"


@pytest.mark.clause("ca:bet.3a", "ca:deal.2a")
def test_the_dealer_holds_the_deal_until_each_player_has_three_equal_bets(book: RuleBook) -> None:
    uneven = BETS.replace(
        "seat 3 bets 10", "seat 3 bets 1=10 2=10 $=5\ndealer call_no_more_bets => bets_incomplete\nseat 3 bets 10"
    )
    assert results(at_table(book, a_round(bet_lines=uneven)), 3)["base-$"].stake_cents == 1_000
    found_late = "mishap bets seat 3 1=10 2=10 $=5\ndealer reports uneven_bets seat 3 => ruled must_correct house\n"
    held = at_table(book, a_round(bet_lines=f"{BETS}{found_late}seat 3 folds => must_correct\nseat 3 corrects 10\n"))
    assert results(held, 3)["base-$"].stake_cents == 1_000


@pytest.mark.clause("ca:bet.3b")
def test_bets_1_and_2_may_be_taken_back_and_bet_3_never(book: RuleBook) -> None:
    done = at_table(book, a_round(acts=CHOICES.replace("rides", "withdraws")))
    assert [r.fate for r in results(done, 1).values()] == ["withdrawn", "withdrawn", "won"]
    third = commands.Choose(by="seat:1", seat=1, bet=3, choice="withdraw")
    assert refusal(moment(done, "choice_1"), third) == "never_withdrawn"


@pytest.mark.clause("ca:bet.5")
def test_nobody_bets_on_anothers_seat(book: RuleBook) -> None:
    table = moment(at_table(book, WHOLE), "betting")
    for by in ("seat:3", "seat:5", "spectator", "floor"):
        assert bets(table, 1, by=by, base=1_000) == "not_your_seat"
    assert bets(table, 5, base=1_000) == "bank_does_not_bet"


# decks and the deal


@pytest.mark.clause("ca:deck.3a", "ca:deck.3b", "ca:deck.3c", "ca:deck.3d", "ca:deal.1a", "ca:deal.1b")
def test_two_decks_of_different_colours_take_turns_and_the_machine_mixes_the_one_not_in_play(book: RuleBook) -> None:
    done = at_table(book, WHOLE + a_round(offer=""))
    colours = [view(one.after, "seat:1").deck.colour for one in done.steps if _did(one, "deal_packet", 7)]
    assert colours == ["red", "blue"]
    dealing = step(done, "deal_packet 7").after
    assert {card.deck for card in dealing.at(places.NEST)} == {2}
    assert [w for w in steps(done) if w.startswith(("start_shuffle", "mix_deck"))] == [
        *("start_shuffle 1", "mix_deck 2", "mix_deck 1")
    ]
    swapped = step(done, "swap_decks")
    assert swapped.after.at(places.READY) == swapped.before.at(places.NEST)  # one stack, as it was mixed
    for one in done.steps:
        assert len({card.deck for card in one.after.at(places.RACK)}) <= 1


def _did(one: object, kind: str, seat: int) -> bool:
    command = one.command
    return isinstance(command, commands.Do) and (command.kind, command.seat) == (kind, seat)


@pytest.mark.clause("ca:deal.3.s1", "ca:deal.3.s2", "ca:deal.3.s3", "ca:deal.3.s4")
def test_packets_of_three_go_face_down_from_the_banks_left_and_his_own_comes_last(book: RuleBook) -> None:
    done = at_table(book, WHOLE)
    dealt = [words for words in steps(done) if words.startswith("deal_")]
    assert dealt == ["deal_packet 7", "deal_packet 1", "deal_packet 3", "deal_dealer_packet"]
    table = step(done, "deal_dealer_packet").after
    assert hands(table) == {1: ["Th", "Td", "4c"], 3: ["9h", "9d", "3c"], 7: ["2c", "7d", "Kh"]}
    assert not any(card.up for seat in (1, 3, 7) for card in table.at(places.hand(seat)))


@pytest.mark.clause("ca:deal.3a", "ca:deal.3b", "ca:deal.3c.s1", "ca:deal.3c.s2")
def test_the_banks_packet_becomes_two_community_cards_and_a_burned_one(book: RuleBook) -> None:
    done = at_table(book, WHOLE)
    order(done, "deal_dealer_packet", "slide_left 1", "slide_right 2", "burn_bottom", "unload_stub")
    assert faces(step(done, "deal_dealer_packet").after, places.PACKET) == ["Ks", "2d", "5h"]
    burned = step(done, "burn_bottom").after
    assert view(burned, "seat:1").felt.community == "two_boxes"
    assert [faces(burned, place) for place in ("community:1", "community:2", "rack", "hand:5")] == [
        *(["Ks"], ["2d"], ["5h"], [])
    ]
    assert not any(burned.at(place)[0].up for place in ("community:1", "community:2", "rack"))
    assert "5h" not in str([view(burned, viewer) for viewer in ("seat:5", "dealer", "floor")])


@pytest.mark.clause("ca:deal.4")
def test_the_rest_goes_to_the_rack_unseen(book: RuleBook) -> None:
    unloaded = step(at_table(book, WHOLE), "unload_stub")
    assert len(unloaded.before.at(places.READY)) == 40
    assert not unloaded.after.at(places.READY)
    assert not any(card.up for card in unloaded.after.at(places.RACK))


# the choices


@pytest.mark.clause("ca:round.1", "ca:round.2a", "ca:round.2b")
def test_players_look_after_the_deal_at_their_own_cards_which_the_dealer_keeps_in_sight(book: RuleBook) -> None:
    done = at_table(book, WHOLE)
    look = commands.Look(by="seat:1", seat=1)
    assert refusal(step(done, "unload_stub").before, look) == "cards_not_yours"
    table = moment(done, "choice_1")
    for by in ("seat:3", "seat:5", "floor", "spectator"):
        assert refusal(table, commands.Look(by=by, seat=1)) == "not_your_seat"
    assert view(table, "seat:1").offer(commands.Look)
    assert book.rules.cards.touch == "player_and_dealer"
    for one in done.steps:
        if one.after.phase in {"choice_1", "choice_2"}:
            assert [len(seen(one.after, "dealer", seat)) for seat in (1, 3, 7)] == [3, 3, 3]


@pytest.mark.clause("ca:round.3", "ca:round.5", "ca:round.5.s2")
def test_choices_go_from_the_dealers_left_clockwise_and_bet_2_is_free_of_bet_1(book: RuleBook) -> None:
    choices_go_clockwise(at_table(book, WHOLE))


@pytest.mark.clause("ca:round.3a", "ca:round.5a")
def test_a_riding_bet_is_locked(book: RuleBook) -> None:
    riding_bets_stay(at_table(book, WHOLE))


@pytest.mark.clause("ca:round.3b", "ca:round.5b")
def test_a_withdrawn_bet_is_pushed_back_whole(book: RuleBook) -> None:
    withdrawn_bets_are_pushed_back(at_table(book, WHOLE))


@pytest.mark.clause("ca:round.4", "ca:round.6")
def test_the_left_box_is_turned_after_bet_1_and_the_right_one_after_bet_2(book: RuleBook) -> None:
    done = at_table(book, WHOLE)
    first, second = step(done, "turn_community 1"), step(done, "turn_community 2")
    assert [set(first.before.seats[seat].choices) for seat in (1, 3, 7)] == [{1}] * 3
    assert [set(second.before.seats[seat].choices) for seat in (1, 3, 7)] == [{1, 2}] * 3
    assert view(first.after, "seat:1").community == ("Ks", "[red]")
    assert view(second.after, "seat:1").community == ("Ks", "2d")


@pytest.mark.clause("ca:round.5c")
def test_after_the_bet_2_choice_the_cards_are_tucked_beneath_the_third_bet(book: RuleBook) -> None:
    done = at_table(book, WHOLE)
    for seat in (1, 3, 7):
        tucked = step(done, f"tuck_cards {seat}")
        assert 2 in tucked.before.seats[seat].choices
        assert tucked.after.seats[seat].tucked


# showdown and settlement


@pytest.mark.clause("ca:std.3a", "ca:std.3b", "ca:round.7", "ca:round.8", "ca:round.9", "ca:round.10b")
def test_hands_of_five_are_opened_from_the_dealers_right_and_tens_or_better_win(book: RuleBook) -> None:
    done = at_table(book, WHOLE)
    assert [w for w in steps(done) if w.startswith("open")] == ["open_hand 7", "open_hand 3", "open_hand 1"]
    said = {seat: step_event(done, f"open_hand {seat}").says for seat in (1, 3, 7)}
    assert said == {1: "pair of tens", 3: "pair of nines", 7: "two pair, kings and twos"}
    assert [r.fate for r in results(done, 1).values()] == ["won"] * 3
    assert [r.fate for r in results(done, 3).values()] == ["withdrawn", "lost", "lost"]
    order(done, "open_hand 7", "pay 7 base-1", "open_hand 3", "take 3 base-2", "open_hand 1")
    royal = CARDS.replace("hand 1 Th Td 4c", "hand 1 As Qs Js").replace("Ks 2d", "Ks Ts")
    best = at_table(book, "seat 5 buys 100000\n" + a_round(cards=royal, bet_lines=BETS.replace("bets 10", "bets 5")))
    assert step_event(best, "open_hand 1").says == "royal flush"


@pytest.mark.clause("ca:round.10a", "ca:round.10d")
@pytest.mark.parametrize(("paytable", "two_pair", "flush"), [("LIRX-01", 2_000, 8_000), ("LIRX-02", 2_000, 10_000)])
def test_each_bet_in_action_is_paid_at_the_odds_of_the_table_in_force(
    book: RuleBook, paytable: str, two_pair: int, flush: int
) -> None:
    cards = CARDS.replace("hand 1 Th Td 4c", "hand 1 3d 8d Qd").replace("hand 3 9h 9d 3c", "hand 3 9h 9s 3c")
    cards = cards.replace("hand 7 2c 7d Kh", "hand 7 2c 7s Kh").replace("community Ks 2d", "community Kd 2d")
    done = at_table(book, a_round(cards=cards), f"base.paytable = {paytable}")
    assert [(r.fate, r.paid_cents) for r in results(done, 7).values()] == [
        *(("won", two_pair), ("withdrawn", 0), ("won", two_pair))
    ]
    assert results(done, 1)["base-1"].paid_cents == flush
    assert (book.rules.settle.bets_order, book.rules.base.odds_floor) == (("base",), "exact")
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
    last_pay = max(place for place, words in enumerate(steps(done)) if words.startswith(("pay", "take")))
    assert steps(done)[last_pay + 1 :][:4] == [
        "collect_hand 7",
        "collect_hand 3",
        "collect_hand 1",
        "collect_community",
    ]
    assert len(step(done, "collect_community").after.at(places.RACK)) == 52
    assert kinds(done)[-1] == "return_stake"
