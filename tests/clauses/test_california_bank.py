"""California's bank: a player's stake, what it covers and what goes back, and the fees of the card room."""

from __future__ import annotations

import pytest

from letitride.engine import commands
from letitride.engine.decide import play
from letitride.engine.view import view
from letitride.records.narrate import narrate
from letitride.rules.keys import FeeTier
from letitride.rules.rulebook import RuleBook
from tests.clauses.california import ALL_RIDE, CARDS, SEATED, SETTINGS, STACKS, WHOLE, a_round, at_table
from tests.clauses.rounds import (
    bets,
    dealer_does,
    moment,
    order,
    played,
    refusal,
    results,
    stacks,
    step,
    step_event,
    steps,
)


@pytest.mark.clause("ca:std.1b", "ca:round.10c", "ca:bet.4a")
def test_all_wins_come_from_the_player_who_banks_and_all_losses_go_to_that_player(book: RuleBook) -> None:
    done = at_table(book, WHOLE)
    assert {seat: done.table.cents(f"stack:{seat}") for seat in (1, 3, 5, 7)} == STACKS
    lost, won = step(done, "take 3 base-2"), step(done, "pay 1 base-1")
    assert lost.after.cents("bank") - lost.before.cents("bank") == 1_000
    assert won.after.cents("bank") - won.before.cents("bank") == -1_000
    assert "tray" not in {name for one in done.steps for name in one.after.accounts}  # the house has no part in it


@pytest.mark.clause("ca:std.2", "ca:round.13a")
def test_after_two_hands_the_bank_is_offered_clockwise(book: RuleBook) -> None:
    second = a_round(offer="")
    third = "round\nseat 5 banks 100 => bank_not_offered\nseat 7 declines\nseat 1 banks 100\nseat 3 bets 5\nseat 3 rides 1\nseat 3 rides 2\n"
    done = at_table(book, WHOLE + second + third)
    banked = {one.after.round: one.after.bank_seat for one in done.steps if one.after.cents("bank")}
    assert banked == {1: 5, 2: 5, 3: 1}
    offered = [words for words in steps(done) if words.startswith("offer_bank")]
    assert offered == ["offer_bank 1", "offer_bank 3", "offer_bank 5", "offer_bank 5", "offer_bank 7", "offer_bank 1"]
    taken = next(one for one in done.steps if isinstance(one.command, commands.TakeBank) and one.command.seat == 1)
    assert (taken.after.cents("bank"), taken.before.cents("stack:1") - taken.after.cents("stack:1")) == (10_000, 10_000)


@pytest.mark.clause("ca:round.13a")
def test_a_bank_that_all_decline_waits_and_no_round_is_dealt(book: RuleBook) -> None:
    nobody = at_table(
        book,
        WHOLE
        + a_round(offer="")
        + "round\nseat 7 declines\nseat 1 declines\nseat 3 declines\nseat 5 banks 100 => bank_not_offered\nseat 3 banks 100\nseat 7 bets 5\nseat 7 rides 1\nseat 7 rides 2\n",
    )
    waiting = next(one.after for one in nobody.steps if one.after.declined == (7, 1, 3))
    assert (waiting.phase, waiting.agenda) == ("banking", ())
    for viewer in ("seat:7", "spectator", "dealer"):  # the table says so, and to whom it stands open
        seen = view(waiting, viewer).bank
        assert seen is not None
        assert seen.sentence == "No player has taken the bank. No round is dealt until a player takes it."
    may = {seat for seat in (1, 3, 5, 7) if view(waiting, f"seat:{seat}").offer(commands.TakeBank) is not None}
    assert may == {1, 3, 7}  # seat 5 has banked two hands in a row
    told = [line for one in nobody.steps for line in narrate(one)]
    assert told.count("No player has taken the bank. No round is dealt until a player takes it.") == 1
    taken = nobody.steps[-1].after
    assert [one.after.bank_seat for one in nobody.steps if one.after.phase == "betting"][-1] == 3
    assert not any(bank.sentence for bank in (view(taken, "seat:7").bank,) if bank is not None)
    assert bets(waiting, 7, base=500) == "betting_closed"
    assert nobody.steps[-1].after.bank_seat == 3  # until one of them takes it after all
    assert [o.status for o in nobody.outcomes] == ["settled"] * 3


@pytest.mark.clause("ca:round.11c")
def test_the_house_never_banks(book: RuleBook) -> None:
    done = at_table(book, WHOLE)
    offered = step(done, "offer_bank 5").after
    for by in ("dealer", "floor"):
        assert refusal(offered, commands.TakeBank(by=by, seat=5, cents=10_000)) == "not_your_seat"
    assert bets(offered, 1, base=1_000) == "betting_closed"  # without a bank no round begins
    assert "tray" not in {name for one in done.steps for name in one.after.accounts}


@pytest.mark.clause("ca:round.11e")
def test_any_stake_may_be_put_up(book: RuleBook) -> None:
    done = at_table(book, "seat 5 buys 100000000\n" + a_round(stake=100_000_000))
    assert moment(done, "choice_1").cents("bank") == 10_000_000_000
    offered = step(done, "offer_bank 5").after
    everything = offered.cents("stack:5") - 200
    assert refusal(offered, commands.TakeBank(by="seat:5", seat=5, cents=everything + 1)) == "not_enough"
    after, _ = play(offered, commands.TakeBank(by="seat:5", seat=5, cents=everything))
    assert after.cents("bank") == everything


@pytest.mark.clause("ca:round.11a")
def test_a_round_may_start_with_a_bank_that_does_not_cover_the_bets(book: RuleBook) -> None:
    done = at_table(book, a_round(stake=1))
    dealt = moment(done, "choice_1")
    on_felt = sum(cents for name, cents in dealt.accounts.items() if name.startswith("felt:"))
    assert (dealt.cents("bank"), on_felt) == (100, 9_000)
    assert stacks(done, 5) == [50_000 - 200 - 100]  # the stake of $1 is all that was won of it


# Seat 7: 2 to 1 on three bets of $10; seat 3: loses three of $10; seat 1: 1 to 1 on three of $10.
SHORT = a_round(stake=30, acts=ALL_RIDE)


@pytest.mark.clause("ca:bet.4a", "ca:bet.4b", "ca:round.11b", "ca:round.13b", "ca:round.13c", "ca:std.1b")
@pytest.mark.parametrize(
    ("cover", "paid", "chips"),
    [
        # The stake of $30 pays $20 and $10 of seat 7's wins; then everything goes back.
        (
            "stake",
            {7: [2_000, 1_000, None], 3: [None, None, None], 1: [None, None, None]},
            [49_850, 49_850, 46_800, 52_850],
        ),
        # Payoffs and collections are limited each by itself: the losers' $30 are collected all the same.
        ("gross", {7: [2_000, 1_000, None], 3: [0, 0, 0], 1: [None, None, None]}, [49_850, 46_850, 49_800, 52_850]),
        # What is collected can be paid out again: seat 1 is paid its three wins of $10 from it.
        ("net", {7: [2_000, 1_000, None], 3: [0, 0, 0], 1: [1_000] * 3}, [52_850, 46_850, 46_800, 52_850]),
    ],
)
def test_the_stake_runs_dry_in_mid_settlement(
    book: RuleBook, cover: str, paid: dict[int, list[int | None]], chips: list[int]
) -> None:
    done = at_table(book, SHORT, f"bank.cover = {cover}")
    for seat, expected in paid.items():
        found = list(results(done, seat).values())
        assert [None if r.fate == "returned" else r.paid_cents for r in found] == expected
    assert stacks(done, 1, 3, 5, 7) == chips  # after fees of $1.50 a player and $2 for the bank


@pytest.mark.clause("ca:bet.4b", "ca:round.13b", "ca:round.13c")
def test_what_is_not_covered_goes_back_to_its_player_whole_and_the_rest_of_a_win_is_not_paid(book: RuleBook) -> None:
    assert book.rules.bank.cover == "stake"
    done = at_table(book, SHORT)
    partly = step(done, "pay 7 base-2")  # wins $20, and the bank has $10 left
    assert (partly.before.cents("bank"), partly.after.cents("bank")) == (1_000, 0)
    assert partly.after.cents("stack:7") - partly.before.cents("stack:7") == 1_000 + 1_000  # and keeps the wager
    for seat, spot in ((7, "base-$"), (3, "base-1"), (3, "base-2"), (3, "base-$"), (1, "base-1"), (1, "base-$")):
        back = step(done, f"return_wager {seat} {spot}")
        moved = back.after.cents(f"stack:{seat}") - back.before.cents(f"stack:{seat}")
        assert (back.before.cents(f"felt:{seat}:{spot}"), moved, back.after.cents("bank")) == (1_000, 1_000, 0)


@pytest.mark.clause("ca:round.13b")
def test_the_bank_wins_no_more_than_its_stake_and_gives_the_rest_back(book: RuleBook) -> None:
    losers = CARDS.replace("hand 1 Th Td 4c", "hand 1 Th Jd 4c").replace("Kh", "Qh")
    done = at_table(book, a_round(stake=25, acts=ALL_RIDE, cards=losers))
    lost = [r for seat in (7, 3, 1) for r in results(done, seat).values()]
    assert [(r.fate, r.back_cents) for r in lost[:4]] == [("lost", 0), ("lost", 0), ("lost", 500), ("returned", 1_000)]
    assert {r.fate for r in lost[3:]} == {"returned"}
    assert stacks(done, 1, 3, 5, 7) == [49_850, 49_850, 50_000 - 200 + 2_500, 49_850 - 2_500]


@pytest.mark.clause("ca:gloss.action", "ca:round.8")
def test_from_the_action_seat_others_are_covered_by_the_same_stake(book: RuleBook) -> None:
    right = at_table(book, SHORT)
    order(right, "open_hand 7", "pay 7 base-1", "open_hand 3", "open_hand 1")
    assert stacks(right, 1, 3, 7) == [49_850, 49_850, 52_850]  # the stake of $30 goes to seat 7
    # The bank, seat 5, counts as one; 3 is the second seat after it, seat 1.
    thrown = at_table(book, SHORT.replace("burn 5h", "burn 5h\ndice 3"), "bank.settle_from = action_seat")
    assert step_event(thrown, "throw_dice").says == "3: the action starts at seat 1"
    order(thrown, "throw_dice", "deal_packet 7", "open_hand 7", "open_hand 3", "open_hand 1", "pay 1 base-1")
    assert stacks(thrown, 1, 3, 7) == [52_850, 49_850, 49_850]  # and now to seat 1
    before = step(thrown, "throw_dice").before
    assert dealer_does(before, throw=2)[1] == dealer_does(before, throw=19)[1] == "bad_throw"


@pytest.mark.clause("ca:fee.1", "ca:fee.2", "ca:fee.3", "ca:fee.6", "ca:round.11d")
def test_flat_fees_by_limit_are_shown_beforehand_and_taken_when_betting_closes(book: RuleBook) -> None:
    done = at_table(book, WHOLE)
    sign = view(moment(done, "betting"), "seat:1").sign
    assert sign.fee == sign.fees[1] == FeeTier(limit_cents_max=10_000, wager_cents=50, bank_cents=200)
    assert not moment(done, "betting").cents("fees")
    order(
        done, "call_no_more_bets", "collect_fee 1", "collect_fee 3", "collect_fee 7", "collect_fee 5", "deal_packet 7"
    )
    collected = {seat: step(done, f"collect_fee {seat}") for seat in (1, 3, 7, 5)}
    taken = {s: one.before.cents(f"stack:{s}") - one.after.cents(f"stack:{s}") for s, one in collected.items()}
    assert taken == {1: 150, 3: 150, 7: 150, 5: 200}
    assert done.table.cents("fees") == 650
    larger = at_table(book, WHOLE.replace("bets 10", "bets 50"))
    assert larger.table.cents("fees") == 650  # never a share of a bet
    low = played(book, WHOLE, "limit.cents_min = 500", "limit.cents_max = 5000", SETTINGS[2], seated=SEATED)
    assert low.table.cents("fees") == 3 * 75 + 100
