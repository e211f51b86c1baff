"""Washington: the manufacturer's manuals with the Cover All bonus."""

from __future__ import annotations

import pytest

from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.paytables import Award, Wager
from letitride.rules.rulebook import RuleBook, Source
from tests.clauses.helpers import pays_to_one, refused, table


@pytest.mark.clause("wa:letter.5")
def test_base_bonus_3_card_bonus_and_cover_all_are_offered(book: RuleBook) -> None:
    assert set(table(book).pays) == {Wager.BASE, Wager.BONUS, Wager.THREE_CARD, Wager.COVER_ALL}


@pytest.mark.clause("wa:letter.6")
def test_the_edition_shows_the_dates_of_the_approved_rules(book: RuleBook) -> None:
    assert "5 May and 5 June 2023" in book.edition


@pytest.mark.clause("wa:lir.1", "wa:felt.1")
def test_an_ace_i_deal_or_i_deal_plus_gives_out_packets_of_three(book: RuleBook) -> None:
    assert book.rules.device == "shuffler"
    assert book.rules.shuffler.models == ("ACE", "i-Deal", "i-Deal Plus")
    base = table(catalog.rulebook(f"{book.id}+base")).rules
    assert (base.shuffler.mode, base.deal.unit) == ("let_it_ride", "packet")
    assert "expected one of ACE, i-Deal, i-Deal Plus, got 'iDeal'" in refused(book, shuffler__model="iDeal")
    for model in book.rules.shuffler.models:
        assert table(catalog.rulebook(f"{book.id}+no_cover_all"), shuffler__model=model).rules.shuffler.model == model
    felt = catalog.rulebook(f"{book.id}+felt")
    assert felt.rules.shuffler.mode == "let_it_ride"
    assert "expected one of i-Deal, i-Deal Plus, got 'ACE'" in refused(felt, shuffler__model="ACE")


@pytest.mark.clause("wa:layout.seats")
def test_the_base_felt_shows_dollar_2_1_at_seven_seats(book: RuleBook) -> None:
    assert table(book).rules.layout.spots == ("$", "2", "1")
    assert table(book).rules.seats == 7


@pytest.mark.clause("wa:layout.bonus.spots")
def test_a_bonus_spot_at_each_of_seven_seats(book: RuleBook) -> None:
    assert (table(book).rules.seats, table(book).rules.bonus.offered) == (7, True)


@pytest.mark.clause("wa:3cb.opt1.overview.7")
def test_option_1_runs_only_with_a_light_and_wonder_shuffler(book: RuleBook) -> None:
    first = catalog.rulebook(f"{book.id}+three_card_first")
    assert table(first).rules.three_card.settle == "before_base"
    assert first.rules.shuffler.vendor == "Light and Wonder"
    by_hand = {**book.variants["hand"].rules, **book.variants["hand"].house}
    for values in ({"shuffler.vendor": "another"}, by_hand):
        with pytest.raises(
            InvalidData, match="another value than 'before_base' without a shuffler of Light and Wonder"
        ):
            first.with_values(values, Source.DOCUMENT, "test")


@pytest.mark.clause("wa:cover.hand.s1")
@pytest.mark.parametrize("device", ["hand", "shoe"])
def test_cover_all_may_be_hand_dealt_with_a_shoe_or_without(book: RuleBook, device: str) -> None:
    ready = table(catalog.rulebook(f"{book.id}+{device}"))
    assert (ready.rules.device, ready.rules.shuffle.by) == (device, "hand")
    assert Wager.COVER_ALL in ready.pays
    assert (book.rules.device, book.rules.shuffle.by) == ("shuffler", "machine")
    assert "which the book fixes" in refused(catalog.rulebook(f"{book.id}+{device}"), cover_all__offered=False)
    own_procedure = table(catalog.rulebook(f"{book.id}+{device}"), cut__who="dealer", shuffle__when=["before_play"])
    assert own_procedure.rules.cut.who == "dealer"


@pytest.mark.clause("wa:cover.equip")
def test_the_i_deal_plus_with_its_software_may_run_cover_all(book: RuleBook) -> None:
    rules = table(book).rules
    assert (rules.shuffler.model, rules.cover_all.software) == ("i-Deal Plus", "NXP v1.0.114")
    assert rules.cover_all.models == ("i-Deal Plus",)
    assert rules.shuffler.model in rules.shuffler.models
    with pytest.raises(InvalidData, match="expected one of i-Deal Plus, because Cover All is offered, got 'ACE'"):
        book.with_values({"shuffler.model": "ACE"}, Source.DOCUMENT, "test")


@pytest.mark.clause("wa:cover.4")
def test_with_cover_all_the_shuffler_runs_its_cover_all_mode(book: RuleBook) -> None:
    assert table(book).rules.shuffler.mode == "cover_all"
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
    ready = table(book)
    assert ready.paytables[Wager.COVER_ALL] == "COVER-ALL"
    pays_to_one(ready.pays[Wager.COVER_ALL], pays, hands)


@pytest.mark.clause("wa:pay.cover.unit")
def test_cover_all_awards_are_to_one(book: RuleBook) -> None:
    pays = table(book).pays[Wager.COVER_ALL]
    assert pays.award is Award.TO_ONE
    assert all((pays.odds(c, n) or "").endswith(" to 1") for c in pays.listed for n in range(1, 8))


def test_the_three_tables_described_as_washingtons_are_offered_first() -> None:
    washington = catalog.rulebook("washington-1")
    assert washington.rules.base.paytables[:3] == ("LIRB-25", "LIRB-28", "LIRB-29")
    assert set(washington.rules.base.paytables) == set(catalog.rulebook("shufflemaster-1").rules.base.paytables)


def test_unreadable_artwork_became_no_paytable() -> None:
    garbled = {
        Wager.BASE: ([5000, 500, 250, 100], [1000, 200, 50, 15, 10], [1000, 200, 50, 10, 5]),
        Wager.BONUS: ([10_000, 1000], [5000, 500, 250]),
        Wager.COVER_ALL: ([1000, 200, 50, 10, 5],),
    }
    for table_id in catalog.paytable_ids():
        for wager, pays in catalog.paytable(table_id).pays.items():
            top = [pays.pay(category, 1) for category in pays.listed]
            assert not any(top[: len(start)] == start for start in garbled.get(wager, ())), table_id
