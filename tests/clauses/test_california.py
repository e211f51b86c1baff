"""California: the table, its decks, limits, fees and paytables."""

from __future__ import annotations

from pathlib import Path

import pytest

from letitride.engine import commands, places
from letitride.engine.decide import open_table
from letitride.engine.view import view
from letitride.errors import InvalidData
from letitride.records.replay import Replayed
from letitride.rules import catalog
from letitride.rules.cards import FACES, parse_cards
from letitride.rules.hands import Category, evaluate
from letitride.rules.rulebook import RuleBook, Source
from tests.clauses.california import CARDS, SEATED, SETTINGS, WHOLE, a_round, at_table
from tests.clauses.helpers import LIRX_01, STATED, paid, pays_to_one, paytable_file, refused, table
from tests.clauses.rounds import (
    bets,
    dealer_does,
    faces,
    hands,
    kinds,
    moment,
    played,
    refusal,
    results,
    ruled,
    stacks,
    step,
)


def full_table(book: RuleBook, places_taken: int, bank: int, *settings: str) -> Replayed:
    """Play a round at a table with every place taken: one banks, all others bet."""
    everybody = range(1, places_taken + 1)
    others = [seat for seat in everybody if seat != bank]
    lines = [f"seat {seat} declines" for seat in everybody if seat < bank]
    lines += [f"seat {bank} banks 300", *(f"seat {seat} bets 5" for seat in others)]
    lines += [f"seat {seat} rides {bet}" for bet in (1, 2) for seat in others]
    seated = "\n".join(f"seat {seat} sits P{seat} 500" for seat in everybody)
    return played(book, "round\n" + "\n".join(lines), *SETTINGS, *settings, seated=seated)


@pytest.mark.clause("ca:table.1", "ca:table.2a", "ca:gloss.seats")
def test_seven_places_are_shared_by_the_players_and_the_bank(book: RuleBook) -> None:
    done = full_table(book, 7, bank=5)
    betting, dealt = moment(done, "betting"), moment(done, "choice_1")
    assert set(hands(dealt)) == {1, 2, 3, 4, 6, 7}  # the bank sits among the seven and has no hand
    assert refusal(betting, commands.Sit(by="seat:8", seat=8, player="Eve", cents=50_000)) == "no_such_seat"
    assert view(betting, "spectator").felt.players_side == (1, 2, 3, 4, 5, 6, 7)
    assert [bets(betting, seat, base=500) for seat in (1, 2, 3, 4, 6, 7)] == [""] * 6  # a betting area at each
    assert "expected 7, which the book fixes" in refused(book, seats=6)


@pytest.mark.clause("ca:players.1")
def test_no_more_than_eight_take_part_even_with_a_place_apart_for_the_bank(book: RuleBook) -> None:
    done = full_table(book, 8, 8, "bank.seat = separate")
    betting, dealt = moment(done, "betting"), moment(done, "choice_1")
    assert set(hands(dealt)) == {1, 2, 3, 4, 5, 6, 7}
    assert dealt.cents("bank") == 30_000  # the eighth banks
    assert refusal(betting, commands.Sit(by="seat:9", seat=9, player="Eve", cents=50_000)) == "no_such_seat"
    with pytest.raises(InvalidData, match="expected a whole number from 1 to 7, got 8"):
        book.with_values({"seats": 8}, Source.DOCUMENT, "test")


@pytest.mark.clause("ca:table.2b")
def test_three_spots_are_labelled_1_2_and_dollar_and_take_a_bet_each(book: RuleBook) -> None:
    table = moment(at_table(book, WHOLE), "choice_1")
    spots = view(table, "seat:3").felt.spots
    assert spots == ("1", "2", "$")
    assert [table.cents(f"felt:3:base-{spot}") for spot in spots] == [1_000] * 3


@pytest.mark.clause("ca:deck.1")
def test_only_a_shuffler_deals(book: RuleBook) -> None:
    done = at_table(book, WHOLE)
    assert step(done, "deal_packet 7").before.at(places.READY) == step(done, "start_shuffle 1").after.at(places.NEST)
    assert not {"load_shoe", "hold_deck", "shuffle_deck", "cut_deck"} & set(kinds(done))
    failed = at_table(book, a_round(acts="dealer deal_packet seat 1\ndealer reports device_failure\n"))
    assert ruled(failed) == ["device_failure:round_void"]  # without it no card comes
    for device in ("shoe", "hand"):
        assert "device: expected 'shuffler', which the book fixes" in refused(book, device=device)


@pytest.mark.clause("ca:deck.2", "nsw:3.1", "sm:bonus.cards", "hd:deck.1")
def test_a_deck_is_the_52_cards_without_jokers(book: RuleBook) -> None:
    opened, _ = open_table(table(book))
    every = sorted(f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "cdhs")
    decks = {card.deck for card in opened.at(places.CHEST)}
    assert 1 in decks
    for deck in decks:
        assert sorted(str(card.face) for card in opened.at(places.CHEST) if card.deck == deck) == every


@pytest.mark.clause("ca:deck.2", "sm:bonus.cards")
def test_a_deck_is_mixed_as_the_52_cards_each_once_and_no_joker_among_them(book: RuleBook) -> None:
    mixing, _ = open_table(table(book))
    while mixing.next_step is not None and mixing.next_step.kind != "start_shuffle":
        mixing, said = dealer_does(mixing)
        assert not said
    for wrong in ((*FACES[1:], "As"), (*FACES, "As"), (*FACES[1:], "Joker"), (*FACES, "Joker"), FACES[3:]):
        assert dealer_does(mixing, order=wrong) == (mixing, "bad_order")
    mixed, _ = dealer_does(mixing, order=FACES[::-1])
    assert faces(mixed, places.NEST) == list(FACES[::-1])


@pytest.mark.clause("ca:deck.3", "ca:deck.3a", "ca:deck.3c")
def test_two_decks_of_different_colours_are_dealt_in_turn(book: RuleBook) -> None:
    third = "round\nseat 7 banks 100\n" + "".join(
        f"seat {n} {act}\n" for act in ("bets 5", "rides 1", "rides 2") for n in (1, 3)
    )
    done = at_table(book, WHOLE + a_round(offer="") + third)
    dealt = [one.after for one in done.steps if one.before.phase == "dealing" and one.after.phase == "choice_1"]
    assert [{card.deck for seat in (1, 3) for card in one.at(places.hand(seat))} for one in dealt] == [{1}, {2}, {1}]
    assert [view(one, "seat:1").deck.colour for one in dealt] == ["red", "blue", "red"]
    assert [view(one, "seat:1").seats[3].cards for one in dealt] == [("[red]",) * 3, ("[blue]",) * 3, ("[red]",) * 3]
    lying = [card for held in dealt[0].cards.values() for card in held]
    assert [sum(card.deck == deck for card in lying) for deck in (1, 2, 3)] == [52, 52, 0]


@pytest.mark.clause("ca:deck.3b", "ca:deal.1a")
def test_the_machine_mixes_before_play_and_after_each_round_the_deck_that_is_not_in_play(book: RuleBook) -> None:
    done = at_table(book, WHOLE + a_round(offer=""))
    first = step(done, "start_shuffle 1")
    assert (first.before.round, faces(first.after, places.NEST)) == (0, list(first.command.order))
    for deck, round_number in ((2, 1), (1, 2)):
        mixed = step(done, f"mix_deck {deck}")
        in_play = {card.deck for card in mixed.before.at(places.READY)}
        assert (mixed.before.round, in_play) == (round_number, {3 - deck})  # while the other is dealt from
        assert faces(mixed.after, places.NEST) == list(mixed.command.order)
        assert {card.deck for card in mixed.after.at(places.NEST)} == {deck}
    again = step(done, "mix_deck 1")
    assert faces(again.before, places.NEST) != faces(again.after, places.NEST)  # as the round left it, then mixed


@pytest.mark.clause("ca:deal.1b")
def test_a_mixed_deck_comes_out_as_one_stack(book: RuleBook) -> None:
    freed = step(at_table(book, WHOLE), "swap_decks")
    assert len(freed.before.at(places.NEST)) == 52
    assert freed.after.at(places.READY) == freed.before.at(places.NEST)


@pytest.mark.clause("ca:deck.3d")
def test_the_rack_never_holds_cards_of_both_decks(book: RuleBook) -> None:
    done = at_table(book, WHOLE + a_round(offer=""))
    held = [{card.deck for card in one.after.at(places.RACK)} for one in done.steps]
    assert {1} in held
    assert {2} in held
    assert {1, 2} not in held


@pytest.mark.clause("ca:rank.3d")
def test_an_ace_plays_high_or_low_in_a_straight_and_never_in_the_middle(book: RuleBook) -> None:
    assert evaluate(parse_cards("Tc Jd Qh Ks Ac")).category == Category.STRAIGHT
    assert evaluate(parse_cards("Ac 2d 3h 4s 5c")).category == Category.STRAIGHT
    assert evaluate(parse_cards("Qc Kd Ah 2s 3c")).category == Category.HIGH_CARD
    assert evaluate(parse_cards("6c 7d 8h 9s Tc")).category == Category.STRAIGHT  # suits do not matter
    assert (paid(book, "Ac 2d 3h 4s 5c"), paid(book, "Qc Kd Ah 2s 3c")) == ("5 to 1", None)
    low, middle, high = "hand 1 Ac 4d 5h\n", "hand 3 Qc Kd Ah\n", "hand 7 4s 5c 6d\n"
    done = at_table(book, a_round(cards=f"{low}{middle}{high}community 2s 3c\n"))
    assert [results(done, seat)["base-$"].paid_cents for seat in (1, 3, 7)] == [5_000, 0, 5_000]


@pytest.mark.clause("ca:round.10e", "ca:select")
@pytest.mark.parametrize(("chosen", "royal"), [("LIRX-01", 1_000), ("LIRX-02", 500), ("LIRX-03", 100)])
def test_a_table_runs_by_exactly_one_of_three_paytables_and_says_which(book: RuleBook, chosen: str, royal: int) -> None:
    cards = CARDS.replace("hand 1 Th Td 4c", "hand 1 As Qs Js").replace("Ks 2d", "Ks Ts")
    rich = "seat 5 buys 100000\n" + a_round(stake=100_000, cards=cards)
    done = at_table(book, rich, f"base.paytable = {chosen}")
    assert results(done, 1)["base-$"].paid_cents == 1_000 * royal
    assert view(done.table, "spectator").sign.paytables == {"base": chosen}


@pytest.mark.clause("ca:round.10e", "ca:select")
def test_no_other_paytable_and_not_two_of_them_are_chosen(book: RuleBook, tmp_path: Path) -> None:
    for other in ("LIRX-04", "LIRB-06", "HD-BASE"):
        assert f"expected one of 'LIRX-01', 'LIRX-02', 'LIRX-03', got '{other}'" in refused(book, base__paytable=other)
    assert "base.paytable" in refused(book, base__paytable=["LIRX-01", "LIRX-02"])
    better = paytable_file(tmp_path, LIRX_01, royal_flush=2000)
    assert "got 'OWN'" in refused(book, base__paytable=better)


@pytest.mark.clause("ca:fee.2", "ca:fee.3")
def test_fees_are_flat_amounts_in_rows_by_limit(book: RuleBook) -> None:
    assert "a row for the table's limit of 10000 cents" in refused(book, fee__tiers=[])
    assert "a row for the table's limit of 60000 cents" in refused(book, limit__cents_max=60_000)
    for wrong in ("1%", 0.5, -1):
        tier = {"limit_cents_max": 10_000, "wager_cents": wrong, "bank_cents": 100}
        assert "fee.tiers" in refused(book, fee__tiers=[tier])
    assert "fee.tiers" in refused(book, fee__tiers=[{"limit_cents_max": 10_000, "wager_cents": 50}])
    low = played(book, WHOLE, "limit.cents_min = 500", "limit.cents_max = 5000", SETTINGS[2], seated=SEATED)
    assert stacks(low, 3, 5) == [50_000 - 2_000 - 75, 50_000 - 5_000 - 100]  # the row of that limit, both columns


@pytest.mark.clause("ca:fee.4", "ca:fee.5", "ca:fee.6")
@pytest.mark.parametrize("left_out", STATED)
def test_a_table_does_not_open_without_the_limits_and_fees_of_its_card_room(book: RuleBook, left_out: str) -> None:
    assert {"limit.cents_min", "limit.cents_max", "fee.tiers"} == set(book.missing())
    stated = {name: value for name, value in STATED.items() if name != left_out}
    with pytest.raises(InvalidData, match=rf"expected a value for {left_out} \(.+\), got none"):
        catalog.table_rules(book.id, stated)


@pytest.mark.clause("ca:pay.LIRX-01", "ca:pay.layout")
def test_lirx_01_pays_1000_to_1_for_a_royal(book: RuleBook) -> None:
    pays = table(book).pays["base"]
    pays_to_one(pays, "RF 1000, SF 200, 4K 50, FH 11, FL 8, ST 5, 3K 3, 2P 2, 10s 1")


@pytest.mark.clause("ca:pay.layout")
def test_the_felt_shows_the_odds_of_lirx_01(book: RuleBook) -> None:
    shown = view(at_table(book, WHOLE, "base.paytable = LIRX-01").table, "spectator").sign.pays["base"]
    assert list(shown.values()) == [f"{odds:,} to 1" for odds in (1000, 200, 50, 11, 8, 5, 3, 2, 1)]
    assert next(iter(shown)) == "royal flush"


@pytest.mark.clause("ca:pay.LIRX-02")
def test_lirx_02_pays_500_to_1_for_a_royal(book: RuleBook) -> None:
    pays = table(book, base__paytable="LIRX-02").pays["base"]
    pays_to_one(pays, "RF 500, SF 100, 4K 25, FH 15, FL 10, ST 5, 3K 3, 2P 2, 10s 1")


@pytest.mark.clause("ca:pay.LIRX-03")
def test_lirx_03_pays_100_to_1_for_a_royal(book: RuleBook) -> None:
    pays = table(book, base__paytable="LIRX-03").pays["base"]
    pays_to_one(pays, "RF 100, SF 50, 4K 30, FH 15, FL 9, ST 6, 3K 3, 2P 2, 10s 1")


@pytest.mark.clause("ca:std.1a")
def test_only_base_bets_are_taken(book: RuleBook) -> None:
    betting = moment(at_table(book, WHOLE), "betting")
    for wager in ("bonus", "three_card", "cover_all"):
        assert bets(betting, 1, base=1_000, **{wager: 100}) == "not_offered"
        assert "which the book fixes" in refused(book, **{f"{wager}__offered": True})
