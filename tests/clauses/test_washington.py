"""Washington: the manufacturer's manuals with the Cover All bonus."""

from __future__ import annotations

import pytest

from letitride.engine import commands, places
from letitride.engine.decide import open_table
from letitride.engine.view import view
from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.rulebook import RuleBook, Source
from tests.clauses.helpers import refused, settles_to_one, table
from tests.clauses.rounds import (
    CHOICES,
    SEVEN_SEATED,
    THREE_SEATS,
    WHOLE_ROUND,
    dealer_does,
    faces,
    fates,
    full_table,
    kinds,
    moment,
    order,
    packets,
    played,
    refusal,
    results,
    stacks,
    step,
)


@pytest.mark.clause("wa:letter.5")
def test_base_bonus_3_card_bonus_and_cover_all_are_offered_and_settled(book: RuleBook) -> None:
    body = THREE_SEATS.replace("seat 1 bets 10", "seat 1 bets 10 bonus 1 three_card 5 cover_all 5") + CHOICES
    done = played(book, body)
    assert list(view(done.table, "spectator").sign.pays) == ["base", "bonus", "three_card", "cover_all"]
    # Tens win three bets and the side bet; the bonus dollar and the Cover All bet are lost.
    assert fates(done, 1) == ["won", "won", "won", "lost", "won", "lost"]
    assert stacks(done, 1) == [50_000 + 3_000 - 100 + 500 - 500]


@pytest.mark.clause("wa:letter.6")
def test_the_book_shows_the_dates_of_the_approved_rules(book: RuleBook) -> None:
    assert "5 May and 5 June 2023" in dict(book.shown().facts)["edition"]


@pytest.mark.books("washington-1")
@pytest.mark.parametrize(
    ("variant", "models", "others"),
    [
        pytest.param(
            variant, ("ACE", "i-Deal", "i-Deal Plus"), ("iDeal", "Q"), marks=pytest.mark.clause("wa:lir.1"), id=variant
        )
        for variant in ("+base", "+no_cover_all")
    ]
    + [pytest.param("+felt", ("i-Deal", "i-Deal Plus"), ("ACE", "Q"), marks=pytest.mark.clause("wa:felt.1"))],
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


@pytest.mark.clause("wa:layout.seats")
@pytest.mark.parametrize("variant", ["", "+base", "+felt"])
def test_the_felt_shows_dollar_2_1_at_seven_seats(book: RuleBook, variant: str) -> None:
    done = played(book.id + variant, full_table("10"), seated=SEVEN_SEATED)
    felt = view(done.table, "spectator").felt
    assert (felt.spots, felt.players_side) == (("$", "2", "1"), (1, 2, 3, 4, 5, 6, 7))
    dealt = moment(done, "choice_1")
    spots = [f"felt:{seat}:base-{spot}" for seat in range(1, 8) for spot in felt.spots]
    assert [dealt.cents(spot) for spot in spots] == [1_000] * 21


@pytest.mark.books("washington-1")
@pytest.mark.parametrize(
    ("wager", "variant"),
    [
        pytest.param("bonus", "", marks=pytest.mark.clause("wa:layout.bonus.spots")),
        pytest.param("bonus", "+felt", marks=pytest.mark.clause("wa:layout.bonus.spots")),
        pytest.param("three_card", "", marks=pytest.mark.clause("wa:layout.3cb.spots")),
        pytest.param("three_card", "+felt", marks=pytest.mark.clause("wa:layout.3cb.spots")),
    ],
)
def test_each_of_seven_seats_has_its_spot_for_the_side_bets(book: RuleBook, wager: str, variant: str) -> None:
    done = played(book.id + variant, full_table(f"10 {wager} 1"), seated=SEVEN_SEATED)
    called = step(done, "call_no_more_bets").after
    assert [called.cents(f"felt:{seat}:{wager}") for seat in range(1, 8)] == [100] * 7
    assert all(wager in results(done, seat) for seat in range(1, 8))
    assert refusal(done.table, commands.Sit(by="seat:8", seat=8, player="Eve", cents=50_000)) == "no_such_seat"


@pytest.mark.clause("wa:3cb.opt1.overview.7")
def test_option_1_runs_only_with_a_light_and_wonder_shuffler(book: RuleBook) -> None:
    first = catalog.rulebook(f"{book.id}+three_card_first")
    assert open_table(table(first))[0].phase == "opening"  # it opens with the maker's own
    by_hand = {**book.variants["hand"].rules, **book.variants["hand"].house}
    for values in ({"shuffler.vendor": "another"}, by_hand):
        with pytest.raises(
            InvalidData, match="another value than 'before_base' without a shuffler of Light and Wonder"
        ):
            first.with_values(values, Source.DOCUMENT, "test")


@pytest.mark.clause("wa:cover.hand.s1")
@pytest.mark.parametrize("device", ["hand", "shoe"])
def test_cover_all_may_be_hand_dealt_with_a_shoe_or_without(book: RuleBook, device: str) -> None:
    by_hand = f"{book.id}+{device}"
    trips = THREE_SEATS.replace("seat 1 bets 10", "seat 1 bets 10 cover_all 5").replace("Ks 2d", "Ts 2d") + CHOICES
    done = played(by_hand, trips)
    assert stacks(done, 1) == [50_000 + 3 * 3_000 + 7 * 500]  # trips pay 3 to 1, Cover All 7 to 1 with three hands
    order(done, "shuffle_deck 1", "square_deck", "load_shoe" if device == "shoe" else "hold_deck", "deal_card 1 1")
    mixed = step(done, "shuffle_deck 1")
    assert faces(mixed.after, places.SPREAD) == list(mixed.command.order)
    assert faces(step(done, "deal_card 1 1").before, places.READY) == list(mixed.command.order)  # as it was shuffled
    assert not {"power_on", "start_shuffle", "mix_deck", "swap_decks", "cut_deck"} & set(kinds(done))
    assert "cut_deck" in kinds(played(by_hand, trips, "cut.who = dealer"))  # the house's own procedure
    assert f"which the variant '{device}' fixes" in refused(catalog.rulebook(by_hand), cover_all__offered=False)


@pytest.mark.clause("wa:cover.equip")
def test_the_i_deal_plus_with_its_software_may_run_cover_all(book: RuleBook) -> None:
    for software in ("", "NXP v1.0.114", "NXP v1.0.115", "NXP v1.1", "NXP v2.0.0"):
        assert "cover_all" in table(book, shuffler__software=software).pays
    for software in ("NXP v1.0.113", "NXP v1.0", "NXP v0.9.200", "XYZ v1.0.114", "1.0.114"):
        sentence = f"expected NXP v1.0.114 or later, because Cover All is offered, got '{software}'"
        assert sentence in refused(book, shuffler__software=software)
    for model in ("ACE", "i-Deal", ""):
        sentence = f"expected one of i-Deal Plus, because Cover All is offered, got '{model}'"
        assert sentence in refused(book, shuffler__model=model)
    old = table(catalog.rulebook(f"{book.id}+no_cover_all"), shuffler__software="NXP v1.0.113", shuffler__model="ACE")
    assert "cover_all" not in old.pays


@pytest.mark.clause("wa:cover.4")
def test_with_cover_all_the_shuffler_runs_its_cover_all_mode(book: RuleBook) -> None:
    done = played(book, WHOLE_ROUND)
    order(done, "power_on", "set_mode cover_all", "load_deck 1")
    waiting = step(done, "set_mode cover_all").before
    assert dealer_does(waiting, "insert_key")[1] == "out_of_order"
    with pytest.raises(InvalidData, match="shuffler.mode: expected 'cover_all', because Cover All is offered"):
        book.with_values({"shuffler.mode": "let_it_ride"}, Source.DOCUMENT, "test")


@pytest.mark.parametrize(
    ("hands", "pays"),
    [
        pytest.param(7, "RF 90, SF 40, 4K 20, FH 10, FL 7, ST 4, 3K 3", marks=pytest.mark.clause("wa:pay.cover.7")),
        pytest.param(6, "RF 100, SF 50, 4K 30, FH 15, FL 10, ST 5, 3K 3", marks=pytest.mark.clause("wa:pay.cover.6")),
        pytest.param(5, "RF 150, SF 60, 4K 35, FH 17, FL 11, ST 6, 3K 4", marks=pytest.mark.clause("wa:pay.cover.5")),
        pytest.param(4, "RF 200, SF 70, 4K 40, FH 20, FL 15, ST 8, 3K 5", marks=pytest.mark.clause("wa:pay.cover.4")),
        pytest.param(3, "RF 250, SF 80, 4K 50, FH 25, FL 20, ST 10, 3K 7", marks=pytest.mark.clause("wa:pay.cover.3")),
        pytest.param(2, "RF 300, SF 100, 4K 80, FH 40, FL 30, ST 15, 3K 11", marks=pytest.mark.clause("wa:pay.cover.2")),
        pytest.param(1, "RF 500, SF 200, 4K 150, FH 100, FL 70, ST 30, 3K 20", marks=pytest.mark.clause("wa:pay.cover.1")),
    ],
)  # fmt: skip
@pytest.mark.books("washington-1")
def test_cover_all_pays_by_the_number_of_hands(book: RuleBook, hands: int, pays: str) -> None:
    settles_to_one(table(book), "cover_all", pays, hands)


def test_the_three_tables_described_as_washingtons_are_offered_first() -> None:
    washington = catalog.rulebook("washington-1")
    assert washington.rules.wagers["base"].paytables[:3] == ("LIRB-25", "LIRB-28", "LIRB-29")
    assert set(washington.rules.wagers["base"].paytables) == set(
        catalog.rulebook("shufflemaster-1").rules.wagers["base"].paytables
    )


def test_unreadable_artwork_became_no_paytable() -> None:
    garbled = {
        "base": ([5000, 500, 250, 100], [1000, 200, 50, 15, 10], [1000, 200, 50, 10, 5]),
        "bonus": ([10_000, 1000], [5000, 500, 250]),
        "cover_all": ([1000, 200, 50, 10, 5],),
    }
    for table_id in catalog.paytable_ids():
        for wager, pays in catalog.paytable(table_id).pays.items():
            top = [pays.pay(category, 1) for category in pays.listed]
            assert not any(top[: len(start)] == start for start in garbled.get(wager, ())), table_id
