"""The manufacturer's manuals; every test also runs under the Washington packet, which takes them over."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from letitride.engine import commands, places
from letitride.engine.decide import open_table
from letitride.engine.steps import Step
from letitride.engine.view import view
from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.rulebook import RuleBook, Source
from letitride.rules.wagers import Award
from tests.clauses.helpers import LIRX_01, paytable_file, refused, settles_to_one, table
from tests.clauses.rounds import (
    CHOICES,
    ENDS,
    SEVEN_SEATED,
    THREE_SEATS,
    WHOLE_ROUND,
    bets,
    faces,
    full_table,
    hands,
    kinds,
    moment,
    order,
    packets,
    played,
    refusal,
    results,
    seen,
    stacks,
    step,
    steps,
)


@pytest.mark.books("shufflemaster-1")
@pytest.mark.parametrize(
    ("variant", "models", "others"),
    [
        pytest.param("+base", ("ACE", "iDeal"), ("i-Deal Plus", "Q"), marks=pytest.mark.clause("sm:lir.1")),
        pytest.param("+felt", ("iDeal",), ("ACE", "Q"), marks=pytest.mark.clause("sm:felt.1")),
    ],
)
def test_the_named_shufflers_in_their_let_it_ride_mode_give_out_packets_of_three(
    book: RuleBook, variant: str, models: tuple[str, ...], others: tuple[str, ...]
) -> None:
    for model in models:
        done = played(book.id + variant, WHOLE_ROUND, f"shuffler.model = {model}")
        order(done, "power_on", "set_mode let_it_ride", "load_deck 1")
        assert packets(done) == [3, 3, 3, 3]
    for model in others:
        why = f"shuffler.model: expected one of {', '.join(models)}, got '{model}'"
        assert why in refused(catalog.rulebook(book.id + variant), shuffler__model=model)


@pytest.mark.clause("sm:bonus.table.1", "sm:bonus.table.2.s1")
def test_seven_places_face_the_dealer_and_each_has_a_betting_area(book: RuleBook) -> None:
    done = played(book, full_table("10"), seated=SEVEN_SEATED)
    felt = view(done.table, "spectator").felt
    assert felt.players_side == (1, 2, 3, 4, 5, 6, 7)
    assert felt.dealer_side == ("community", "tray", "rack")
    dealt = moment(done, "choice_1")
    spots = [f"felt:{seat}:base-{spot}" for seat in range(1, 8) for spot in ("1", "2", "$")]
    assert [dealt.cents(spot) for spot in spots] == [1_000] * 21
    assert [len(hand) for hand in hands(dealt).values()] == [3] * 7
    assert refusal(done.table, commands.Sit(by="seat:8", seat=8, player="Eve", cents=50_000)) == "no_such_seat"
    assert "which the book fixes" in refused(book, seats=6)


@pytest.mark.clause("sm:bonus.table.2.s2")
def test_each_area_has_three_separate_spots_labelled_1_2_and_dollar(book: RuleBook) -> None:
    done = played(book, THREE_SEATS.replace("seat 3 bets 10", "seat 3 bets 1=10 2=10 $=10") + CHOICES)
    printed = {"sm": ("1", "2", "$"), "wa": ("$", "2", "1")}
    assert view(done.table, "spectator").felt.spots == printed[book.document]
    betting = moment(done, "betting")
    assert [betting.cents(f"felt:3:base-{spot}") for spot in ("1", "2", "$")] == [1_000] * 3
    assert bets(betting, 3, **{"base-3": 1_000}) == "not_offered"


@pytest.mark.clause("sm:bonus.table.2.s4")
def test_the_community_cards_have_an_area_of_their_own_before_the_tray(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    felt = view(done.table, "spectator").felt
    assert (felt.community, felt.dealer_side[:2]) == ("two_boxes", ("community", "tray"))
    dealt = moment(done, "choice_1")
    assert [faces(dealt, place) for place in places.COMMUNITY] == [["Ks"], ["2d"], [], []]


@pytest.mark.clause("sm:bonus.table.4.s1", "sm:bonus.table.4.s5")
def test_the_controller_is_optional_and_without_it_an_ordinary_felt_has_lammers(book: RuleBook) -> None:
    body = THREE_SEATS.replace("seat 1 bets 10", "seat 1 bets 10 bonus 1") + CHOICES
    with_it, felt = played(book, body), played(f"{book.id}+felt", body)
    on_it = {"insert_key", "confirm_lamps", "lock_out", "collect_bonus", "game_over"}
    assert on_it <= set(kinds(with_it))
    assert not on_it & set(kinds(felt))
    seats = [view(moment(done, "choice_1"), "dealer").seats[1] for done in (with_it, felt)]
    assert [(bool(seat.lamps), seat.lammer) for seat in seats] == [(True, False), (False, True)]
    assert {done.outcomes[0].status for done in (with_it, felt)} == {"settled"}


@pytest.mark.clause("sm:bonus.shuffler")
def test_the_bonus_game_is_dealt_from_a_shuffler(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    assert view(done.table, "spectator").felt.device == "shuffler"
    order(done, "power_on", "load_deck 1", "start_shuffle 1", "swap_decks", "deal_packet 1")
    freed = step(done, "swap_decks")
    assert freed.after.at(places.READY) == freed.before.at(places.NEST)  # the machine's deck is the one that is dealt
    for device in ("shoe", "hand"):
        assert "which the book fixes" in refused(book, device=device)


@pytest.mark.clause("sm:bonus.cards")
def test_each_deck_that_comes_to_the_table_is_the_52_cards(book: RuleBook) -> None:
    opened, _ = open_table(table(book))
    cards = opened.at(places.CHEST)
    for deck in {card.deck for card in cards}:
        found = sorted(str(card.face) for card in cards if card.deck == deck)
        assert found == sorted(f"{rank}{suit}" for rank in "23456789TJQKA" for suit in "cdhs")


@pytest.mark.clause("sm:bonus.decks.1", "sm:bonus.decks.2a")
def test_two_decks_of_one_design_and_two_colours_alternate(book: RuleBook) -> None:
    opened, _ = open_table(table(book))
    assert Counter(card.deck for card in opened.at(places.CHEST)) == {1: 52, 2: 52}
    done = played(book, WHOLE_ROUND * 3)
    dealt = [one.after for one in done.steps if one.after.next_step == Step("ask", 1, number=1)]
    backs = [{back for seat in (1, 3, 7) for back in seen(table, "spectator", seat)} for table in dealt]
    assert backs == [{"[red]"}, {"[blue]"}, {"[red]"}]  # one design, a colour for each deck
    assert [set(view(table, "spectator").community) for table in dealt] == backs


@pytest.mark.clause("sm:bonus.bets.1.s2")
def test_a_spoken_wager_backed_by_cash_is_the_houses_choice(book: RuleBook) -> None:
    settings = ([], ["bet.spoken_cash = false"], ["bet.spoken_cash = true"])
    for own, answer in zip(settings, ("spoken_cash_refused", "spoken_cash_refused", ""), strict=True):
        betting = moment(played(book, WHOLE_ROUND, *own), "betting")
        assert bets(betting, 1, base=1_000, medium="cash", spoken=True) == answer


@pytest.mark.clause("sm:bonus.deal.6.s4")
@pytest.mark.parametrize("face", ["down", "up"])
def test_packets_come_face_down_or_face_up_fanned_and_behind_the_bets_either_way(book: RuleBook, face: str) -> None:
    done = played(book, WHOLE_ROUND, f"deal.face = {face}")
    for seat, cards in ((1, ["Th", "Td", "4c"]), (3, ["9h", "9d", "3c"]), (7, ["2c", "7d", "Kh"])):
        dealt, fanned = step(done, f"deal_packet {seat}"), step(done, f"fan_packet {seat}")
        assert dealt.before.cents(f"felt:{seat}:base-$") == 1_000
        assert seen(dealt.after, "spectator", seat) == (cards if face == "up" else ["[red]"] * 3)
        assert fanned.before == dealt.after
    assert view(moment(done, "choice_1"), "spectator").community == ("[red]", "[red]")


@pytest.mark.clause("sm:bonus.round.7.s3")
def test_pick_and_pay_settles_seat_by_seat_and_lay_and_pay_with_all_hands_open(book: RuleBook) -> None:
    picked = played(book, WHOLE_ROUND, "settle.method = pick_and_pay")
    assert steps(picked) == steps(played(book, WHOLE_ROUND))  # which it is where the house has not chosen
    paid = step(picked, "pay 7 base-1").after
    assert [all(card.up for card in paid.at(places.hand(seat))) for seat in (7, 3, 1)] == [True, False, False]
    assert faces(step(picked, "open_hand 3").before, places.PICKED) == ["2c", "7d", "Kh"]
    laid = played(book, WHOLE_ROUND, "settle.method = lay_and_pay")
    paid = step(laid, "pay 7 base-1").before
    assert all(card.up for seat in (7, 3, 1) for card in paid.at(places.hand(seat)))
    assert [len(hand) for hand in hands(step(laid, "pay 1 base-$").after).values()] == [3, 3, 3]
    assert stacks(picked, 1, 3, 7) == stacks(laid, 1, 3, 7) == ENDS
    assert "expected one of 'pick_and_pay', 'lay_and_pay'" in refused(book, settle__method="losers_first")


@pytest.mark.clause("sm:bonus.odds.1")
def test_odds_say_to_or_win_and_never_for(book: RuleBook) -> None:
    with pytest.raises(InvalidData, match="expected a list, each one of 'to', 'win'"):
        book.with_values({"odds.wording": ["to", "for"]}, Source.DOCUMENT, "test")
    sign = view(open_table(table(book))[0], "spectator").sign
    for wager, pays in sign.pays.items():
        pattern = r"win \$[\d,]+" if wager == "bonus" else r"[\d,]+ to 1( \(1 hand\) … \d+ to 1 \(7 hands\))?"
        assert all(re.fullmatch(pattern, odds or "") for odds in pays.values()), pays
    for table_id in (*book.rules.wagers["base"].paytables, *book.rules.wagers["three_card"].paytables):
        for pays in catalog.paytable(table_id).pays.values():
            shown = [pays.odds(category) or "" for category in pays.listed]
            pattern = r"[\d,]+ to 1" if pays.award is Award.TO_ONE else r"win \$[\d,]+"
            assert all(re.fullmatch(pattern, odds) for odds in shown), shown


TOP_AND_FULL_HOUSE = """
round
hand 1 Th Jh Qh
hand 3 Kc Kd As
community Kh Ah
seat 1 bets 10
seat 3 bets 10
seat 1 rides 1
seat 3 rides 1
seat 1 rides 2
seat 3 rides 2
"""
# A royal flush and a full house, to one on a base bet; and what the bonus dollar is awarded for them.
PUBLISHED = {
    "LIRX-01": (1_000, 11, 0, 0),
    "LIRX-02": (500, 15, 0, 0),
    "LIRX-03": (100, 15, 0, 0),
    "LIRX-04": (500, 11, 0, 0),
    "LIRX-05": (200, 15, 0, 0),
    "LIRX-06": (500, 11, 0, 0),
    "LIRB-03": (1_000, 11, 20_000, 75),
    "LIRB-06": (1_000, 11, 20_000, 75),
    "LIRB-09": (1_000, 11, 20_000, 150),
    "LIRB-10": (500, 11, 10_000, 75),
    "LIRB-25": (100, 15, 10_000, 75),
    "LIRB-28": (500, 11, 5_000, 75),
    "LIRB-29": (100, 15, 5_000, 75),
}


@pytest.mark.clause("sm:bonus.odds.2.s1", "sm:bonus.odds.select")
@pytest.mark.parametrize("table_id", PUBLISHED)
def test_the_casino_picks_one_of_the_published_tables_and_pays_it_in_full(book: RuleBook, table_id: str) -> None:
    royal, full_house, *awards = PUBLISHED[table_id]
    bonus = any(awards)
    body = TOP_AND_FULL_HOUSE.replace("bets 10", "bets 10 bonus 1") if bonus else TOP_AND_FULL_HOUSE
    done = played(book, body, f"base.paytable = {table_id}", f"bonus.offered = {str(bonus).lower()}")
    won = [3 * pay * 1_000 + (award - bonus) * 100 for pay, award in zip((royal, full_house), awards, strict=True)]
    assert stacks(done, 1, 3) == [50_000 + cents for cents in won]
    assert view(done.table, "spectator").sign.paytables["base"] == table_id


@pytest.mark.clause("sm:bonus.odds.2.s1", "sm:bonus.odds.select")
@pytest.mark.parametrize("pays", [{"flush": 7}, {"flush": 9}, {"royal_flush": 999}])
def test_a_table_of_the_houses_own_is_not_among_them(book: RuleBook, tmp_path: Path, pays: dict[str, int]) -> None:
    own = paytable_file(tmp_path, LIRX_01, **pays)
    assert "expected one of" in refused(book, base__paytable=own, bonus__offered=False)
    assert "expected one of" in refused(book, base__paytable="HD-BASE", bonus__offered=False)


LISTED_HANDS = """
round
hand 1 Th Td 4c
hand 3 9h 9d 3c
hand 7 Kh Kd 2c
community 9c 2d
seat 1 bets 10 bonus 1
seat 3 bets 10 bonus 1
seat 7 bets 10 bonus 1
"""


@pytest.mark.clause("sm:felt.overview.3")
@pytest.mark.parametrize(
    ("table_id", "awards"), [("LIRB-03", (1, 4, 3)), ("LIRB-06", (0, 8, 4)), ("LIRB-09", (0, 5, 0))]
)
def test_bonus_hands_are_those_the_tables_own_layout_lists(
    book: RuleBook, table_id: str, awards: tuple[int, int, int]
) -> None:
    done = played(f"{book.id}+felt", LISTED_HANDS + CHOICES, f"base.paytable = {table_id}")
    listed = view(done.table, "spectator").sign.pays["bonus"]
    for seat, hand, award in zip((1, 3, 7), ("tens or better", "three of a kind", "two pair"), awards, strict=True):
        won = results(done, seat)["bonus"]
        assert (won.fate, won.paid_cents) == ("won" if award else "lost", award * 100)
        assert listed.get(hand) == (f"win ${award}" if award else None)
        assert (f"pay {seat} bonus" in steps(done)) == bool(award)


@pytest.mark.books("shufflemaster-1", "washington-1")
@pytest.mark.parametrize("bonus", ["true", "false"])
@pytest.mark.parametrize(
    "variant",
    [
        pytest.param("+felt", marks=pytest.mark.clause("sm:felt.2b")),
        pytest.param("+three_card_first", marks=pytest.mark.clause("sm:3cb.opt1.overview.1")),
        pytest.param("+three_card_claim", marks=pytest.mark.clause("sm:3cb.opt2.overview.1")),
    ],
)
def test_the_3_card_bonus_may_accompany_the_base_or_the_bonus_game_or_be_left_out(
    book: RuleBook, variant: str, bonus: str
) -> None:
    with_it = THREE_SEATS.replace("seat 1 bets 10", "seat 1 bets 10 three_card 5") + CHOICES
    done = played(book.id + variant, with_it, f"bonus.offered = {bonus}")
    assert stacks(done, 1, 3, 7) == [ENDS[0] + 500, *ENDS[1:]]  # a pair of tens in the three cards
    assert "three_card" not in results(done, 3)  # it is optional
    without = played(book.id + variant, WHOLE_ROUND, f"bonus.offered = {bonus}", "three_card.offered = false")
    assert bets(moment(without, "betting"), 1, base=1_000, three_card=500) == "not_offered"
    assert stacks(without, 1, 3, 7) == ENDS


@pytest.mark.clause("sm:3cb.opt1.overview.7")
@pytest.mark.books("shufflemaster-1")
def test_option_1_runs_only_with_a_shuffle_master_shuffler(book: RuleBook) -> None:
    first = catalog.rulebook(f"{book.id}+three_card_first")
    assert open_table(table(first))[0].phase == "opening"  # it opens with the maker's own
    by_hand = catalog.rulebook("washington-1").variants["hand"]
    for values in ({"shuffler.vendor": "another"}, {**by_hand.rules, **by_hand.house, "cover_all.offered": False}):
        with pytest.raises(
            InvalidData, match="expected another value than 'before_base' without a shuffler of Shuffle"
        ):
            first.with_values(values, Source.DOCUMENT, "test")


@pytest.mark.parametrize(
    ("number", "pays"),
    [
        pytest.param(1, "MR 40, SF 40, 3K 30, ST 6, FL 4, PR 1", marks=pytest.mark.clause("sm:pay.3CB-1")),
        pytest.param(2, "MR 40, SF 40, 3K 30, ST 5, FL 4, PR 1", marks=pytest.mark.clause("sm:pay.3CB-2")),
        pytest.param(3, "MR 40, SF 40, 3K 30, ST 6, FL 3, PR 1", marks=pytest.mark.clause("sm:pay.3CB-3")),
        pytest.param(4, "MR 50, SF 40, 3K 30, ST 6, FL 4, PR 1", marks=pytest.mark.clause("sm:pay.3CB-4")),
        pytest.param(5, "MR 50, SF 40, 3K 30, ST 5, FL 4, PR 1", marks=pytest.mark.clause("sm:pay.3CB-5")),
        pytest.param(6, "MR 50, SF 40, 3K 30, ST 6, FL 3, PR 1", marks=pytest.mark.clause("sm:pay.3CB-6")),
    ],
)
@pytest.mark.books("shufflemaster-1", "washington-1")
def test_the_six_3_card_bonus_tables(book: RuleBook, number: int, pays: str) -> None:
    ready = table(book, three_card__paytable=f"3CB-{number}")
    assert ready.paytables["three_card"] == f"3CB-{number}"
    settles_to_one(ready, "three_card", pays)
    assert "three_card.paytable: expected one of" in refused(book, three_card__paytable="HD-SIDE")


@pytest.mark.clause("sm:pay.layout")
def test_the_sample_felt_shows_lirx_02_at_seven_seats(book: RuleBook) -> None:
    ready = table(book, base__paytable="LIRX-02", bonus__offered=False)
    settles_to_one(ready, "base", "RF 500, SF 100, 4K 25, FH 15, FL 10, ST 5, 3K 3, 2P 2, 10s 1")
    opened = view(open_table(ready)[0], "seat:7")
    shown = [int((odds or "").removesuffix(" to 1")) for odds in opened.sign.pays["base"].values()]
    assert shown == [500, 100, 25, 15, 10, 5, 3, 2, 1]
    assert opened.felt.players_side == (1, 2, 3, 4, 5, 6, 7)


def test_every_paying_category_is_listed_best_first() -> None:
    for categories in (catalog.wager(name).paying for name in catalog.wager_ids()):
        assert list(categories) == sorted(categories, reverse=True)
