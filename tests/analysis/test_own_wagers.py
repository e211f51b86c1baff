"""Own wagers: what the side bets of a house's own files are worth, alone and beside the base game, hand by hand."""

from __future__ import annotations

import tomllib
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from letitride.analysis import side_bets, two_opponents
from letitride.analysis.base import CASES, best_play, distribution, plain_nets
from letitride.analysis.features import Feature, feature_of
from letitride.analysis.par import conventions, sheets
from letitride.analysis.side_bets import combine, price_side, rank_counts
from letitride.analysis.strategy import best_strategy
from letitride.analysis.vector_hands import columns
from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.cards import DECK
from letitride.rules.hands import Category
from letitride.rules.paytable_file import read_paytable
from letitride.rules.paytables import Pays
from letitride.rules.rankings import ListedRank
from tests.analysis.own_hands import EXAMPLES, READ, every_hand

EDGES = {
    "pairs_plus": Fraction(118, 5525),
    "red_black": Fraction(349, 9996),
    "two_community": Fraction(1, 17),
    "four_card": Fraction(10084, 270725),
}


@cache
def pays_of(name: str) -> Pays:
    return catalog.paytable(EXAMPLES / f"{name}.toml").pays[name]


def nets_of(name: str) -> list[Fraction]:
    """Return what a unit wins or loses by each rank, best first, from the file's own words."""
    data = tomllib.loads((EXAMPLES / f"{name}.toml").read_text(encoding="utf-8"))
    listed = [Fraction(pay) for pay in data["pays"].values()]
    return [*listed, Fraction(-1)]


@pytest.mark.parametrize("name", READ)
def test_an_example_is_worth_what_all_hands_one_by_one_say(name: str) -> None:
    read, looked_at = READ[name]
    places = read(every_hand(len(looked_at)))
    nets, counts = nets_of(name), np.bincount(places)
    found = price_side(pays_of(name))
    assert [int(count) for count in counts] == list(rank_counts(pays_of(name).wager).values())
    assert found.house_edge == -sum(n * int(c) for n, c in zip(nets, counts, strict=True)) / len(places) == EDGES[name]
    assert found.hit_frequency == Fraction(int(counts[:-1].sum()), len(places))
    (sheet,) = sheets(catalog.paytable(EXAMPLES / f"{name}.toml"))
    assert (found.house_edge, len(places)) == (sheet.house_edge, sheet.combinations)
    assert sum(line.combinations for line in sheet.lines) == sheet.combinations
    assert sum(line.result for line in sheet.lines) == -sheet.house_edge


BASE = catalog.paytable("LIRX-01").pays["base"]
NETS = plain_nets(BASE)
WON = np.array([int(NETS(column, bets)) for bets in (1, 2, 3) for column in range(10)])
"""What a round wins by the bets that rode and the column."""
SYMMETRIC = ("pairs_plus", "two_community", "four_card")


@cache
def rides() -> tuple[Any, Any]:
    """Return whether bet 1 rides with each three cards and bet 2 with each four, by the place of the set."""
    best = best_strategy(BASE)
    return _rides(3, best.bet1), _rides(4, best.bet2)


def _rides(cards: int, ridden: frozenset[Feature]) -> Any:
    sets = every_hand(cards)
    renamed = (sets // 4 * 4 + np.array(suits)[sets % 4] for suits in permutations(range(4)))
    kind = np.min([two_opponents._places(one) for one in renamed], axis=0)
    _, first, place = np.unique(kind, return_index=True, return_inverse=True)
    known = np.array([feature_of([DECK[card] for card in one]) in ridden for one in sets[first].tolist()])
    found = np.zeros(len(sets), dtype=bool)
    found[two_opponents._places(sets)] = known[place]
    return found


def test_examples_beside_the_base_game_come_to_what_every_case_comes_to() -> None:
    found = combine(NETS, best_play(NETS), {name: (pays_of(name), Fraction(2)) for name in SYMMETRIC})
    side_won = {name: np.array([int(2 * net) for net in nets_of(name)]) for name in SYMMETRIC}
    counted: Counter[int] = Counter()
    product: Counter[str] = Counter()
    for (first, second), times in two_opponents._communities().items():
        codes = two_opponents._codes(first, second, *rides())
        rest = np.array([card for card in range(52) if card not in {first, second}])
        held = rest[two_opponents._PACKETS]
        cards = np.concatenate([held, np.broadcast_to([first, second], (len(held), 2))], axis=1)
        whole = WON[codes].copy()
        for name, side_wins in side_won.items():
            read, looked_at = READ[name]
            side = side_wins[read(cards[:, looked_at])]
            product[name] += times * int((WON[codes] * side).sum())
            whole += side
        for result, cases in zip(*np.unique(whole, return_counts=True), strict=True):
            counted[int(result)] += times * int(cases)
    assert CASES == sum(counted.values()) == found.results.total
    assert {Fraction(result): cases for result, cases in counted.items()} == found.results.cases
    mean = combine(NETS, best_play(NETS), {}).results.mean
    for name in SYMMETRIC:
        assert found.covariance[name] == Fraction(product[name], CASES) + mean * 2 * EDGES[name]


def test_a_bet_on_colours_goes_with_the_base_game_as_all_hands_of_one_colour_do() -> None:
    found = combine(NETS, best_play(NETS), {"red_black": (pays_of("red_black"), Fraction(1))})
    base = combine(NETS, best_play(NETS), {}).results
    twenty_six = np.array(list(combinations(range(26), 5)))
    back = np.array([int(net) + 1 for net in nets_of("red_black")])
    extra = 0  # what is won beyond the stake lost by every hand
    for suits in ([0, 3], [1, 2]):
        cards = twenty_six // 2 * 4 + np.array(suits)[twenty_six % 2]
        pay = back[READ["red_black"][0](cards)]
        column = columns(cards)
        for order in permutations(range(5), 5):
            if order[0] < order[1] < order[2]:
                held = cards[:, order]
                bets = rides()[0][two_opponents._places(held[:, :3])].astype(int)
                bets += rides()[1][two_opponents._places(held[:, :4])]
                extra += int((WON[10 * bets + column] * pay).sum())
    assert found.covariance["red_black"] == Fraction(extra, CASES) - base.mean * (1 - EDGES["red_black"])


@pytest.mark.parametrize("ties", ["withdraw", "ride"])
def test_every_case_says_of_published_side_bets_what_their_classes_say(
    ties: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, three = catalog.paytable("LIRB-25").pays, catalog.paytable("3CB-4").pays["three_card"]
    nets = plain_nets(table["base"])
    sides = {"bonus": (table["bonus"], Fraction(1, 10)), "three_card": (three, Fraction(1, 2))}
    by_class = combine(nets, best_play(nets, ties), sides)
    monkeypatch.setattr(side_bets, "_follows", lambda _: False)
    assert by_class == combine(nets, best_play(nets, ties), sides)


OWN = {"id": "own", "title": "Own", "award": "to_one", "keys": {"cents_min": 100, "cents_max": 500}}


def own(**data: Any) -> Pays:
    return read_paytable({**OWN, **data}, "own.toml").pays["own"]


def test_a_wager_may_pay_for_hands_that_the_base_game_does_not_tell_apart() -> None:
    names = [category.name.lower() for category in reversed(Category) if category >= Category.LOW_PAIR]
    pays = own(judged_on="own_five", ranking="poker", pays=dict.fromkeys(names, 0))
    high = 1_302_540
    assert high == rank_counts(pays.wager)[Category.HIGH_CARD]
    assert Fraction(high, 2_598_960) == price_side(pays).house_edge
    found = combine(NETS, best_play(NETS), {"own": (pays, Fraction(1000))}).results
    lost = sum(cases for result, cases in found.cases.items() if result < -900)
    assert Fraction(high, 2_598_960) == Fraction(lost, CASES)


def test_named_cards_are_told_apart_beside_the_base_game() -> None:
    ranks = [{"id": "queen", "when": {"includes": ["Qh"]}}, {"id": "rest"}]
    pays = own(judged_on="own_three", rank=ranks, pays={"queen": 15})
    assert Fraction(3, 52) == price_side(pays).hit_frequency
    found = combine(NETS, best_play(NETS), {"own": (pays, Fraction(10_000))}).results
    assert Fraction(3, 52) == Fraction(sum(cases for won, cases in found.cases.items() if won > 50_000), CASES)


def test_two_wagers_of_one_name_are_priced_each_by_its_own_conditions() -> None:
    for colour, many in (("red", 325), ("one", 650)):
        ranks = [{"id": "all", "when": {"colour": colour}}, {"id": "rest"}]
        pays = own(judged_on="community", rank=ranks, pays={"all": 1})
        assert Fraction(many, 1326) == price_side(pays).hit_frequency
        found = combine(NETS, best_play(NETS), {"own": (pays, Fraction(9_000))}).results
        assert Fraction(many, 1326) == Fraction(sum(cases for won, cases in found.cases.items() if won > 0), CASES)


PAID = ("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight", "three_of_a_kind")


def test_a_bet_on_the_best_hand_is_priced_for_each_number_of_hands() -> None:
    cover = catalog.paytable("COVER-ALL").pays["cover_all"]
    listed = {name: [str(column[Category[name.upper()]]) for column in cover.columns] for name in PAID}
    table = read_paytable({**OWN, "judged_on": "table_best", "ranking": "poker", "pays": listed}, "own.toml")
    assert [(one.hands, one.house_edge) for one in sheets(table)] == [
        (one.hands, one.house_edge) for one in sheets(catalog.paytable("COVER-ALL"))
    ]


def test_a_bet_on_the_best_hand_that_is_not_counted_is_refused() -> None:
    seven = [1] * 7
    for data, got in (
        (
            {"ranking": "poker", "pays": dict.fromkeys((*PAID, "two_pair"), seven)},
            "pays: expected three_of_a_kind or better.*got two_pair",
        ),
        (
            {"rank": [{"id": "red", "when": {"colour": "red"}}, {"id": "rest"}], "pays": {"red": seven}},
            "ranking: expected 'poker' for the best hand",
        ),
    ):
        with pytest.raises(InvalidData, match=got):
            sheets(read_paytable({**OWN, "judged_on": "table_best", **data}, "own.toml"))


def test_a_bet_on_the_best_hand_does_not_go_with_one_hand() -> None:
    cover = catalog.paytable("COVER-ALL").pays["cover_all"]
    with pytest.raises(InvalidData, match="got Cover All, which goes by the best hand at the table"):
        combine(NETS, best_play(NETS), {"cover_all": (cover, Fraction(1))})


def test_the_conventions_name_what_own_wagers_are_counted_over() -> None:
    told = conventions([pays_of("red_black").wager, pays_of("two_community").wager])["combinations"]
    assert told.endswith("; Red or Black: five cards; Two Up: two cards")
    assert told.startswith(conventions([BASE.wager])["combinations"])


def test_single_cards_that_five_must_include_are_counted_by_hand(tmp_path: Path) -> None:
    file = tmp_path / "lucky.toml"
    file.write_text(
        """
id = "lucky"
title = "Lucky"
judged_on = "own_five"
award = "to_one"
first_wins = true
pays = { queens = 50, ace_flush = 20, ace = 1 }
keys = { cents = 100 }
rank = [
    { id = "queens", when = { includes = ["Qh", "Qd"] } },
    { id = "ace_flush", when = { includes = ["Ah"], same_suit = 5 } },
    { id = "ace", when = { includes = ["Ah"] } },
    { id = "rest" },
]
""",
        encoding="utf-8",
    )
    pays = catalog.paytable(str(file)).pays["lucky"]
    found = {rank.id: many for rank, many in rank_counts(pays.wager).items() if isinstance(rank, ListedRank)}
    queens, flush = comb(50, 3), comb(12, 4)
    ace = comb(51, 4) - flush - comb(49, 2)  # less the flushes, and both queens beside it
    assert found == {"queens": queens, "ace_flush": flush, "ace": ace, "rest": comb(52, 5) - queens - flush - ace}
    nets = plain_nets(catalog.paytable("LIRX-01").pays["base"])
    both = combine(nets, best_play(nets), {"lucky": (pays, Fraction(1))})
    assert both.loss == -distribution(nets, best_play(nets)).mean + price_side(pays).house_edge
