"""Wager files: what a house's own wager may say, and the sentence in which anything else is refused."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from letitride.errors import InvalidData
from letitride.rules import catalog
from letitride.rules.paytable_file import read_paytable
from letitride.rules.toml_text import read_toml
from letitride.rules.wager_file import is_wager, read_wager
from letitride.rules.wager_table import BASE, BASE_SPOTS, PUBLISHED
from letitride.rules.wagers import Award

EXAMPLES = sorted((Path(__file__).parent.parent.parent / "examples" / "wagers").glob("*.toml"))
PAIR = {"id": "pair", "when": {"same_rank": 2}}
SUITED = {"id": "suited", "when": {"same_suit": 2}}
REST = {"id": "rest"}
OWN = {
    "id": "own",
    "title": "Own",
    "judged_on": "community",
    "award": "to_one",
    "rank": [PAIR, SUITED, REST],
    "keys": {"cents_min": 100, "cents_max": 500},
    "pays": {"pair": 5, "suited": 1},
}


def without(*names: str, **data: Any) -> dict[str, Any]:
    return {name: value for name, value in {**OWN, **data}.items() if name not in names}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_read_with_its_own_paytable(path: Path) -> None:
    wager, table = catalog.wager(path), catalog.paytable(path)
    assert path.stem == wager.id == table.id
    assert (False, (wager.id,), wager) == (wager.published, wager.spots, table.pays[wager.id].wager)
    assert table.pays[wager.id].listed == wager.paying
    assert (True, wager.id) == (wager.keys["offered"], wager.keys["paytable"])
    assert wager.digest == read_wager(tomllib.loads(path.read_text(encoding="utf-8")), "again").digest


def test_there_is_an_example_of_each_kind_that_one_hand_decides() -> None:
    kinds = {catalog.wager(path).judged_on for path in EXAMPLES}
    assert {"own_three", "own_four", "own_five", "community"} == kinds


def test_a_wager_that_says_little_has_the_usual_answers() -> None:
    wager = read_wager(OWN, "own.toml")
    assert ("Own: a bet on the two community cards.", "Own", 100) == (wager.about, wager.label, wager.order)
    assert ("suited", (Award.TO_ONE,)) == (wager.pays_from.name.lower(), wager.awards)
    assert {"offered": True, "cents_step": 1, "alone": False, "settle": "after_base", "taken": "settlement"} == {
        name: wager.keys[name] for name in ("offered", "cents_step", "alone", "settle", "taken")
    }
    assert (False, False, False, False) == (wager.is_base, wager.by_hands, wager.before_deal, wager.fixed_stake)
    early = read_wager(without(keys={"cents": 100, "taken": "before_deal"}), "own.toml")
    assert (True, True) == (early.before_deal, early.fixed_stake)
    assert early.digest != wager.digest


def test_other_conditions_are_another_wager() -> None:
    ranks = [{"id": "pair", "when": {"same_rank": 2, "colour": "one"}}, SUITED, REST]
    assert read_wager(OWN, "own.toml").digest != read_wager(without(rank=ranks), "own.toml").digest


REFUSED: tuple[tuple[dict[str, Any], str], ...] = (
    (without("title"), "title: expected a text, got nothing"),
    (without(id="All Red"), "id: expected small letters, digits and '_', like 'all_red', got 'All Red'"),
    (without(id="coupon"), "id: expected no word of round records or of the terminal, got 'coupon'"),
    (without(judged_on="dealer"), "judged_on: expected one of 'own_three', 'own_four', 'own_five', 'community', "),
    (without(colour="red"), "got the unknown key 'colour'"),
    (without("rank"), "expected a list of [[rank]] for 2 cards, got neither"),
    (without("rank", ranking="poker"), "expected a list of [[rank]] for 2 cards, got ranking = 'poker'"),
    (without("rank", judged_on="own_three", ranking="bridge"), "ranking = 'poker' or a list of [[rank]] for 3 cards"),
    (without(ranking="poker"), "expected 'ranking' or a list of [[rank]], got both"),
    (without(rank=[]), "rank: expected a list of [[rank]] tables, best first, got []"),
    (without(rank=[PAIR, SUITED]), "rank: expected a rank for every hand, got none for '"),
    (without(rank=[PAIR, PAIR, REST]), "rank 2: id: expected a name of its own, got 'pair' again"),
    (
        without(rank=[{"id": "red", "when": {"colour": "red"}}, SUITED, REST], pays={"red": 2}),
        "rank: expected one rank for each hand, or first_wins = true, got 'red' and 'suited' for '",
    ),
    (
        without(rank=[PAIR, {"id": "aces", "when": {"same_rank": 2, "ranks": ["A"]}}, REST], first_wins=True),
        "rank: expected hands for 'aces', got none: an earlier rank has them all",
    ),
    (without(rank=[{"id": "red", "when": {"color": "red"}}, REST]), "got the unknown key 'color'; did you mean 'colour'?"),
    (without(rank=[{"id": "red", "when": {"colour": "blue"}}, REST]), "rank 1: when.colour: expected one of 'red', 'black', 'one', got 'blue'"),
    (without(rank=[{"id": "a", "when": {"same_suit": 3}}, REST]), "rank 1: when.same_suit: expected a whole number from 2 to 2, got 3"),
    (without(rank=[{"id": "a", "when": {"same_suit": True}}, REST]), "rank 1: when.same_suit: expected a whole number from 2 to 2, got true"),
    (without(rank=[{"id": "a", "when": {"ranks": "AK"}}, REST]), "rank 1: when.ranks: expected a list such as ['A', 'K'] or ['Qh'], got 'AK'"),
    (without(rank=[{"id": "a", "when": {"ranks": ["1"]}}, REST]), "rank 1: when.ranks: expected one of '2', '3'"),
    (without(rank=[{"id": "a", "when": {"includes": ["1h"]}}, REST]), "rank 1: when.includes: expected a card like 'Th', got '1h'"),
    (without(rank=[{"id": "a", "when": {"pips_min": -1}}, REST]), "rank 1: when.pips_min: expected a whole number, 0 or more, got -1"),
    (
        without(
            judged_on="own_five",
            first_wins=True,
            rank=[*({"id": f"r{n}", "when": {"includes": [f"{n}h", f"{n}d"]}} for n in range(2, 7)), REST],
        ),
        "rank: expected 8 single cards at most in all for 5, got 10, 2d, 2h",
    ),
    (
        without(rank=[{"id": "a", "when": {"includes": ["Qh", "Qh"]}}, REST]),
        "rank 1: when.includes: expected no value twice, got ['Qh', 'Qh']",
    ),
    (without(rank=[{"id": "a", "when": 3}, REST]), "rank 1: when: expected a table of conditions, got 3"),
    (without(rank=[{"id": "A b"}, REST]), "rank 1: id: expected small letters, digits and '_', like 'all_red', got 'A b'"),
    (without(first_wins="yes"), "first_wins: expected true or false, got 'yes'"),
    (without("award"), "award: expected one of 'to_one', 'total_award', 'fixed_dollars', got nothing"),
    (without(award="for_one"), "award: expected one of 'to_one', 'total_award', 'fixed_dollars', got 'for_one'"),
    (without(priced_with="base"), "got the unknown key 'priced_with'"),
    (without("keys"), "keys: expected cents, or cents_min and cents_max, got neither"),
    (without(keys={"cents_min": 100}), "keys: expected cents, or cents_min and cents_max, got neither"),
    (without(keys={"cents": 100, "cents_min": 100, "cents_max": 500}), "keys: expected cents, or cents_min and cents_max, got both"),
    (without(keys=3), "keys: expected a table, got 3"),
    (without(keys={"cents": "1"}), "keys.cents: expected a whole number, 1 or more, got '1'"),
    (without(keys={"cents_min": 0, "cents_max": 500}), "keys.cents_min: expected a whole number, 1 or more, got 0"),
    (without(award="fixed_dollars", pays={"pair": 5, "suited": "1/3"}), "pays.suited: expected a pay, above 0 and in whole cents, as a"),
    (without(award="fixed_dollars", pays={"pair": 5, "suited": 0}), "pays.suited: expected a pay, above 0 and in whole cents, as a"),
    (without(keys={"cents": 100, "cent": 1}), "got the unknown key 'cent'; did you mean 'cents'?"),
    (without("pays"), "pays: expected a table of hands and pays, got nothing"),
    (without(pays={"pair": 1, "suited": 2}), "pays.pair: expected at least the 2 of the lesser suited, got 1"),
    (without(pays={"suited": 2}), "pays.pair: expected a pay, because the lesser suited has one, got none"),
    (without(pays={"pairs": 2}), "got the unknown key 'pays.pairs'"),
    (without(pays={"pair": "one"}), "pays.pair: expected a pay, 0 or more, as a whole number or a fraction"),
    (without(pays_from="nothing"), "pays_from: expected one of 'pair', 'suited', 'rest', got 'nothing'"),
    (without(unlisted={"pair": "none"}), "got the unknown key 'unlisted'"),
    (without(order="first"), "order: expected a whole number, 0 or more, got 'first'"),
)  # fmt: skip


ROYAL = "royal_flush"
METER = {"seed_cents": 100_000, "contribution_ppm": 250_000, "takes": {ROYAL: 100}}
POT = {
    **without("rank"),
    "judged_on": "own_five",
    "ranking": "poker",
    "award": "total_award",
    "keys": {"cents": 100},
    "pays": {ROYAL: 100, "straight_flush": 50},
    "meter": METER,
    "envy": {ROYAL: 10},
}
REFUSED += (
    ({**POT, "meter": {**METER, "takes": {ROYAL: 101}}}, "meter.takes.royal_flush: expected a percentage from 1 to 100, or dollars like '$500', got 101"),
    ({**POT, "meter": {**METER, "takes": {ROYAL: "500"}}}, "meter.takes.royal_flush: expected a percentage from 1 to 100, or dollars like '$500', got '500'"),
    ({**POT, "meter": {**METER, "takes": {"royals": 100}}}, "got the unknown key 'meter.takes.royals'"),
    ({**POT, "meter": {**METER, "takes": {}}}, "meter.takes: expected a table of hands, got "),
    ({**POT, "meter": {**METER, "contribution_ppm": 1_000_001}}, "meter.contribution_ppm: expected 1,000,000 at most, the whole stake, got 1,000,001"),
    ({**POT, "meter": {**METER, "contribution_ppm": 1}}, "meter.contribution_ppm: expected whole cents of every stake, got 0.0001 of 100 cents"),
    ({**POT, "meter": {**METER, "seed": 1}}, "got the unknown key 'seed'"),
    ({**POT, "award": "to_one"}, "award: expected 'total_award', because the bet feeds a meter, got 'to_one'"),
    ({**POT, "award": "fixed_dollars"}, "award: expected 'total_award', because the bet feeds a meter, got 'fixed_dollars'"),
    ({**POT, "keys": {"cents_min": 100, "cents_max": 500}}, "keys: expected cents, one stake, because the bet feeds a meter, got cents_min, cents_max"),
    ({**POT, "envy": {"flush": 10}}, "envy.flush: expected a hand that wins, got one that does not pay"),
    ({**POT, "envy": {"flushes": 10}}, "got the unknown key 'envy.flushes'"),
    ({**POT, "envy": {ROYAL: -1}}, "envy.royal_flush: expected a whole number, 0 or more, got -1"),
    (without(meter=METER), "meter: expected a bet on a player's own cards, got judged_on = 'community'"),
    (without(envy={"pair": 10}), "envy: expected a bet on a player's own cards, got judged_on = 'community'"),
)  # fmt: skip


@pytest.mark.parametrize(("data", "sentence"), REFUSED, ids=[sentence[:60] for _, sentence in REFUSED])
def test_what_is_no_wager_is_refused_with_its_file_in_one_sentence(data: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InvalidData) as error:
        read_paytable(data, "own.toml")
    assert str(error.value).startswith("own.toml: ")
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)


def test_two_names_for_one_hand_are_taken_where_the_first_wins() -> None:
    ranks = [{"id": "red", "when": {"colour": "red"}}, SUITED, REST]
    wager = read_wager(without(rank=ranks, pays={"red": 2}, first_wins=True), "own.toml")
    assert ["red", "suited", "rest"] == [rank.name.lower() for rank in wager.ranking.ranks]


def test_a_published_wagers_name_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(EXAMPLES[0].read_text(encoding="utf-8").replace(f'"{EXAMPLES[0].stem}"', '"bonus"', 1))
    with pytest.raises(
        InvalidData, match=r"own\.toml: id: expected an id of its own, got 'bonus', a published wager's"
    ):
        catalog.wager(path)


def test_a_paytable_is_no_wager() -> None:
    assert not is_wager({"id": "X", "title": "X", "base": {}})
    with pytest.raises(InvalidData, match="expected .*'judged_on'.*, got the unknown key 'base'"):
        read_wager({"id": "x", "title": "X", "base": {}}, "own.toml")


def test_the_published_wagers_are_data_too() -> None:
    assert ["base", "bonus", "three_card", "cover_all"] == list(PUBLISHED) == list(catalog.wager_ids())
    assert (("base-1", "base-2", "base-$"), "base-$", BASE) == (BASE_SPOTS, BASE.spot, catalog.wager("base"))
    assert all(wager.published for wager in PUBLISHED.values())
    with pytest.raises(
        InvalidData, match="expected a path ending in .toml or the id of a wager, got 'bonsu'; did you mean"
    ):
        catalog.wager("bonsu")


def test_a_file_that_is_no_toml_is_refused() -> None:
    with pytest.raises(InvalidData, match=r"own\.toml: expected valid TOML"):
        read_wager(read_toml("id = ", "own.toml"), "own.toml")
