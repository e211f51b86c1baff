"""New South Wales when the deal, the deck or the shuffler goes wrong."""

from __future__ import annotations

import pytest

from letitride.engine import commands
from letitride.engine.decide import play
from letitride.engine.faults import deck_is_whole
from letitride.engine.refusal import Refusal
from letitride.rules.rulebook import RuleBook
from tests.clauses.rounds import (
    CHOICES,
    THREE_SEATS,
    WHOLE_ROUND,
    faces,
    fates,
    order,
    played,
    refusal,
    results,
    ruled,
    rulings,
    stacks,
    step,
    step_event,
    steps,
)

UNTOUCHED = [50_000, 50_000, 50_000]
VOID = ["void"] * 3


DEVICES = ["", "+shuffler", "+two_decks"]


@pytest.mark.clause("nsw:12.3", "nsw:12.4")
@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize(
    ("reports", "names"),
    [
        (["", "dealer reports exposed_card seat 3\n"], ["exposed_cards:misdeal"]),
        (
            ["dealer reports exposed_card seat 1\n", "dealer reports exposed_card seat 3\n"],
            ["exposed_card:turned_over", "exposed_cards:misdeal"],
        ),
    ],
    ids=["together", "one by one"],
)
def test_two_exposed_cards_are_a_misdeal(book: RuleBook, reports: list[str], names: list[str], device: str) -> None:
    first, second = reports
    trouble = f"mishap exposed seat 1\n{first}mishap exposed seat 3\n{second}"
    done = played(book.id + device, THREE_SEATS + trouble)
    assert ruled(done) == names
    assert [fates(done, seat) for seat in (1, 3, 7)] == [VOID, VOID, VOID]
    assert stacks(done, 1, 3, 7) == UNTOUCHED


MISSING = THREE_SEATS.replace("seat 1 bets", "missing 7c\nseat 1 bets", 1)


@pytest.mark.clause("nsw:12.9", "nsw:12.9.1", "nsw:12.9.2", "nsw:12.9.3")
@pytest.mark.parametrize("device", DEVICES)
def test_a_missing_card_voids_the_round_in_which_it_is_discovered_and_no_other(book: RuleBook, device: str) -> None:
    done = played(book.id + device, WHOLE_ROUND + MISSING + "seat 1 looks\ninspector orders count\n")
    plain = played(book.id + device, WHOLE_ROUND)
    assert ruled(done) == ["order:count", "deck:round_void"]
    assert done.outcomes[0].results == plain.outcomes[0].results  # the earlier round stands
    assert [fates(done, seat, 1) for seat in (1, 3, 7)] == [VOID, VOID, VOID]
    assert stacks(done, 1, 3, 7) == stacks(plain, 1, 3, 7)  # all money of the round went back
    assert done.table.cents("tray") == plain.table.cents("tray")
    deck = 2 if device == "+two_decks" else 1
    assert step_event(done, f"check_through {deck}").says == "51 cards, not the 52 of the deck"
    order(done, f"count_cards {deck}", "declare_round_void", f"check_through {deck}", f"introduce_deck {deck}")
    assert deck_is_whole(done.table, deck)  # by the new one


@pytest.mark.clause("nsw:12.9", "nsw:12.9.2", "nsw:12.9.3")
@pytest.mark.parametrize("device", DEVICES)
def test_a_foreign_card_seen_when_hands_are_opened_undoes_what_was_paid(book: RuleBook, device: str) -> None:
    foreign = THREE_SEATS.replace("Th Td 4c", "Th Ks* 4c").replace("seat 1 bets", "missing 7c\nseat 1 bets", 1)
    done = played(book.id + device, f"{foreign}{CHOICES}dealer reports deck\n")
    assert ruled(done) == ["deck:round_void"]
    assert (done.outcomes[0].status, stacks(done, 1, 3, 7)) == ("void", UNTOUCHED)
    assert done.table.cents("tray") == 0
    assert step_event(done, "check_through 1").says == "52 cards, not the 52 of the deck"
    assert deck_is_whole(done.table, 1)


@pytest.mark.clause("nsw:3.7.s1", "nsw:3.7.s2")
@pytest.mark.parametrize("device", DEVICES)
def test_unfit_cards_are_changed_after_a_round_and_the_new_deck_checked_shuffled_and_cut(
    book: RuleBook, device: str
) -> None:
    body = f"{WHOLE_ROUND}\nround\ncasino_supervisor orders change_deck deck 1 because two cards are bent\n"
    done = played(book.id + device, body + THREE_SEATS.partition("round")[2] + CHOICES + WHOLE_ROUND)
    assert ruled(done) == ["order:change_deck"]
    assert rulings(done)[0].clauses == ("nsw:3.7.s1",)
    new = steps(done)[steps(done).index("introduce_deck 1") :]
    shuffled = next(n for n, one in enumerate(new) if one.split()[0] in SHUFFLES and one.endswith(" 1"))
    assert new.index("check_deck 1") < shuffled
    assert ("cut_deck 1" in new) is (device == "")  # nsw:4.4: none with a shuffler
    rounds = {
        one.after.round: {card.serial // 52 for seat in (1, 3, 7) for card in one.after.at(f"hand:{seat}")}
        for one in done.steps
        if one.after.phase == "choice_1"
    }
    # Of two decks, the one that was changed is dealt from in the third round.
    assert rounds == ({1: {0}, 2: {0}, 3: {1}} if device == "+two_decks" else {1: {0}, 2: {1}, 3: {1}})
    assert len([card for card in done.table.at("outside") if card.serial < 52]) == 52  # the old deck is gone
    table = step(done, "call_no_more_bets").after
    assert refusal(table, commands.Order(by="casino_supervisor", kind="change_deck")) == "round_running"
    assert refusal(table, commands.Order(by="dealer", kind="change_deck")) == "not_your_role"


SHUFFLES = {"shuffle_deck", "start_shuffle", "mix_deck"}
SHUFFLERS = ["+shuffler", "+two_decks"]


@pytest.mark.clause("nsw:13.1")
@pytest.mark.parametrize("device", SHUFFLERS)
def test_after_a_jam_the_cards_are_shuffled_again(book: RuleBook, device: str) -> None:
    done = played(book.id + device, f"{THREE_SEATS}machine reports device_jam\n{CHOICES}")
    assert ruled(done) == ["device_jam:reshuffled"]
    jam = step(done, "clear_jam")
    again = next(one for one in done.steps[done.steps.index(jam) :] if getattr(one.command, "order", ()))
    first = step(done, "deal_packet 1")
    assert done.steps.index(again) < done.steps.index(first)
    assert faces(first.before, "ready") == list(again.command.order)  # dealt as it was mixed after the jam
    plain = played(book.id + device, WHOLE_ROUND)
    assert (done.outcomes[0].results, stacks(done, 1, 3, 7)) == (plain.outcomes[0].results, stacks(plain, 1, 3, 7))


@pytest.mark.clause("nsw:12.13")
def test_an_absent_player_who_never_looked_has_his_hand_void_and_his_bets_back(book: RuleBook) -> None:
    others = "seat 7 rides 1\nseat 1 rides 2\nseat 7 withdraws 2\n"
    done = played(book, f"{THREE_SEATS}seat 1 rides 1\ndealer reports absent seat 3\n{others}")
    assert ruled(done) == ["absent:hand_void"]
    assert (fates(done, 3), stacks(done, 3)) == (VOID, [50_000])
    assert "open_hand 3" not in steps(done)
    table = step(done, "ask 1 1").before
    absent = commands.Report(kind="absent", seat=3)
    assert refusal(table, absent) == "nothing_wrong"  # only when his decision is due


@pytest.mark.clause("nsw:12.14")
def test_an_absent_player_who_had_looked_lets_all_ride_and_bears_the_result(book: RuleBook) -> None:
    others = "seat 7 rides 1\nseat 1 rides 2\nseat 7 withdraws 2\n"
    done = played(book, f"{THREE_SEATS}seat 3 looks\nseat 1 rides 1\ndealer reports absent seat 3\n{others}")
    assert ruled(done) == ["absent:ride"]
    assert fates(done, 3) == ["lost"] * 3
    assert stacks(done, 3) == [50_000 - 3_000]


UNEVEN = f"{THREE_SEATS}mishap bets seat 3 1=5 2=10 $=10\n"
MISSING_BET = f"{THREE_SEATS}mishap bets seat 3 1=10 $=10\n"


@pytest.mark.clause("nsw:12.10", "nsw:12.10.1")
@pytest.mark.parametrize("body", [UNEVEN, MISSING_BET])
def test_uneven_bets_found_before_the_cards_were_handled_are_corrected_within_the_limits(
    book: RuleBook, body: str
) -> None:
    done = played(book, f"{body}dealer reports uneven_bets seat 3\nseat 3 corrects 10\n{CHOICES}")
    assert ruled(done) == ["uneven_bets:correct_or_fold"]
    assert [result.stake_cents for result in results(done, 3).values()] == [1_000] * 3
    waiting = next(one.before for one in done.steps if isinstance(one.command, commands.Correct))
    for amount, code in ((400, "below_minimum"), (50_100, "above_maximum")):
        assert refusal(waiting, commands.Correct(by="seat:3", seat=3, cents=amount)) == code
    assert refusal(waiting, commands.RefuseCorrection(by="seat:3", seat=3)) == "correct_or_fold"
    _, blocked = play(waiting, commands.Do(kind="deal_card", seat=7, number=1))
    assert isinstance(blocked, Refusal)  # nothing goes on until he has done one of the two


@pytest.mark.clause("nsw:12.11.s2")
def test_a_player_who_refuses_to_correct_may_be_barred(book: RuleBook) -> None:
    body = f"{UNEVEN}seat 3 looks\ndealer reports uneven_bets seat 3\nseat 3 refuses\n"
    order_line = "casino_supervisor orders bar seats 3 ground refused_correction\n"
    done = played(book, body + order_line + CHOICES)
    assert ruled(done) == ["uneven_bets:must_correct", "order:bar:refused_correction"]
    assert (done.table.barred, done.table.seats[3].player) == (("Bob",), "")
    again = commands.Sit(by="seat:4", seat=4, player="Bob", cents=10_000)
    assert refusal(done.table, again) == "barred"
    obedient = step(played(book, WHOLE_ROUND), "ask 1 2").before
    bar = commands.Order(by="casino_supervisor", kind="bar", seats=(3,), ground="refused_correction")
    assert refusal(obedient, bar) == "no_ground"


@pytest.mark.clause("nsw:6.2")
def test_a_bet_under_the_minimum_found_after_the_call_is_valid(book: RuleBook) -> None:
    done = played(book, f"{THREE_SEATS}mishap bets seat 1 1=3 2=3 $=3\ndealer reports under_minimum seat 1\n{CHOICES}")
    assert ruled(done) == ["under_minimum:stands"]
    assert [(r.fate, r.paid_cents) for r in results(done, 1).values()] == [("won", 300)] * 3
    assert stacks(done, 1) == [50_000 + 900]


OVER = "mishap bets seat 1 1=600 2=600 $=600\n"
RICH = "seat 1 sits Ann 5000\nseat 3 sits Bob 500\nseat 7 sits Cy 500\n"


@pytest.mark.clause("nsw:6.3.s1")
def test_a_bet_over_the_maximum_is_settled_up_to_it_and_the_excess_goes_back(book: RuleBook) -> None:
    limit = "limit.cents_max = 50000"
    done = played(book, f"{THREE_SEATS}{OVER}dealer reports over_maximum seat 1\n{CHOICES}", limit, seated=RICH)
    assert ruled(done) == ["over_maximum:to_maximum"]
    assert [(r.stake_cents, r.paid_cents) for r in results(done, 1).values()] == [(50_000, 50_000)] * 3
    assert stacks(done, 1) == [500_000 + 150_000]
    lost = THREE_SEATS.replace("Th Td 4c", "5h 6d 8c")
    done = played(book, f"{lost}{OVER}dealer reports over_maximum seat 1\n{CHOICES}", limit, seated=RICH)
    assert stacks(done, 1) == [500_000 - 150_000]  # what is collected is up to the maximum too


@pytest.mark.clause("nsw:6.3.s2", "nsw:6.4")
def test_over_maximum_bets_of_earlier_rounds_stand_with_their_results(book: RuleBook) -> None:
    lost = THREE_SEATS.replace("Th Td 4c", "5h 6d 8c")
    done = played(book, f"{lost}{OVER}{CHOICES}{WHOLE_ROUND}", seated=RICH)
    assert [r.stake_cents for r in results(done, 1).values()] == [60_000] * 3
    assert fates(done, 1) == ["lost"] * 3  # nobody noticed: the player answers for what he bet
    later = next(one.after for one in done.steps if one.after.round == 2 and one.after.phase == "choice_1")
    assert refusal(later, commands.Report(kind="over_maximum", seat=1)) == "nothing_wrong"
    assert stacks(done, 1) == [500_000 - 180_000 + 3_000]
    noticed = f"{THREE_SEATS}{OVER}dealer reports over_maximum seat 1\n{CHOICES}"  # in the next round, and cut there
    again = played(book, f"{lost}{OVER}{CHOICES}{noticed}", seated=RICH)
    assert ruled(again) == ["over_maximum:to_maximum"]
    assert again.outcomes[0].results == done.outcomes[0].results
    assert stacks(again, 1) == [500_000 - 180_000 + 150_000]
