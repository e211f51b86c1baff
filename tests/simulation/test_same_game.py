"""The same game as the table: what the kernel counts for a round is what the engine settles for its deck and choices."""

from __future__ import annotations

from itertools import chain, combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from letitride.analysis.base import best_play, plain_nets
from letitride.analysis.strategy import ALWAYS_RIDE, BASIC, Strategy, advise
from letitride.analysis.vector_hands import columns
from letitride.rules import catalog
from letitride.rules.banking import settle_banked
from letitride.rules.catalog import ready_rules
from letitride.rules.hands import Category
from letitride.rules.paytables import base_pays
from letitride.rules.settlement import Hand
from letitride.rules.table_rules import TableRules
from letitride.rules.wager_table import BASE_SPOTS
from letitride.simulation.banks import Setup, bank_rounds
from letitride.simulation.game import BLOCK, FLUSHES, RANK_SETS, RANK_SHIFT, SUIT_MASK, SUIT_ONES, card_words
from letitride.simulation.generator import deck, decks
from letitride.simulation.hand_tables import outcomes, packets
from letitride.simulation.plan import Plan, plan, stakes_of
from letitride.simulation.run import dealt, listed_ranks
from tests.counts import tries
from tests.paytables import base_paytable
from tests.simulation.at_the_table import AtTheTable
from tests.simulation.own_wagers import KINDS, own_table

SEED = 77
HOUSES = ("nsw-1", "washington-1", "shufflemaster-1", "hand-dealt-1")


def expected(game: Plan, cells: Any, threes: Any, seat: int, listed: Any = ()) -> dict[str, int]:
    """What a seat's wagers come to by the kernel's arrays."""
    cell = int(cells[seat])
    found = {spot: int(game.spots[cell, place]) for place, spot in enumerate(BASE_SPOTS)}
    best = min(5 if code == 10 else code for code in (cells >> 2).tolist())
    sides = {
        "bonus": game.game.five_nets[cell],
        "three_card": game.game.three_nets[threes[seat]],
        "cover_all": game.game.best_nets[best],
    }
    if game.game.listed is not None:
        sides |= {name: game.game.listed.nets[n, listed[n, seat]] for n, name in enumerate(game.game.listed.ids)}
    return found | {name: int(net) for name, net in sides.items() if name in game.stakes}


def compare(table: TableRules, seats: int, rounds: int, block: int, strategy: Strategy | None = None) -> set[int]:
    """Compare every wager of so many rounds with the engine; return the codes of the hands that came."""
    stakes = stakes_of(table)
    game = plan(table, seats, stakes, strategy)
    engine = AtTheTable(table, range(1, seats + 1), stakes)
    cells, threes = dealt(game.game, SEED, block)
    listed = listed_ranks(game.game, SEED, block)
    for number, order in zip(range(rounds), decks(SEED, block, seats), strict=False):
        rides = {seat + 1: (bool(cell & 2), bool(cell & 1)) for seat, cell in enumerate(cells[number].tolist())}
        settled = engine.results(order, rides)
        for seat in range(seats):
            found = {name: result.net_cents for name, result in settled[seat + 1].items()}
            assert found == expected(game, cells[number], threes[number], seat, listed[:, number]), (number, seat)
    return set((cells[:rounds] >> 2).ravel().tolist())


@pytest.mark.longer
@pytest.mark.parametrize("seats", [1, 3, 7])
@pytest.mark.parametrize("house", HOUSES)
def test_a_round_is_settled_to_the_cent_as_at_the_table(house: str, seats: int) -> None:
    codes = compare(ready_rules(house), seats, tries(80, 400), block=seats)
    assert {8, 9} <= codes


@pytest.mark.parametrize("house", ["nsw-1", "washington-1"])
def test_own_wagers_are_settled_to_the_cent_as_at_the_table(tmp_path: Path, house: str) -> None:
    kinds = ("own_three", "own_four", "community") if house == "nsw-1" else ("own_five", "low pairs", "three cards")
    compare(own_table(tmp_path, [KINDS[kind] for kind in kinds], house), 3, 60, block=3)


def test_capped_payouts_are_those_of_the_table() -> None:
    table = ready_rules("nsw-1", {"payout.cap": "maximum", "payout.cents_max": 1_200})
    compare(table, 7, 100, block=9)
    game = plan(table, 1, stakes_of(table))
    assert int(game.game.base_nets.max()) == 1_200
    assert sorted(game.spots[4 * 3 + 3].tolist()) == [0, 0, 1_200]


@pytest.mark.parametrize("strategy", [BASIC, ALWAYS_RIDE], ids=["basic", "always-ride"])
def test_other_ways_to_play_are_settled_as_at_the_table(strategy: Strategy) -> None:
    compare(ready_rules("washington-1"), 5, 100, block=4, strategy=strategy)


def test_the_kernel_deals_the_decks_of_the_generator_and_plays_best() -> None:
    table = ready_rules("nsw-1")
    for seats in range(1, 8):
        game = plan(table, seats, stakes_of(table))
        cells, _ = dealt(game.game, SEED, 2)
        for number in (0, 1, 2, 500, 1023):
            order = deck(SEED, 2 * BLOCK + number, seats)
            assert len(set(order)) == 52
            first = order[3 * seats]
            for seat in range(seats):
                held = order[3 * seat : 3 * seat + 3]
                rides = [advise(table.base_pays, cards).rides for cards in (held, (*held, first))]
                assert int(cells[number, seat]) & 3 == 2 * rides[0] + rides[1]


def test_the_tables_name_all_2598960_hands() -> None:
    pays = base_pays(catalog.paytable("LIRX-01"))
    play = best_play(plain_nets(pays))
    by_sum, by_ranks = packets(play), outcomes(play)
    hands = np.fromiter(chain.from_iterable(combinations(range(52), 5)), np.int64).reshape(-1, 5)
    assert len(hands) == 2_598_960
    words, named = card_words().astype(np.int64), columns(hands)
    for order in ([0, 1, 2, 3, 4], [4, 2, 0, 3, 1]):  # another three of them are the packet
        cards = hands[:, order]
        three = words[cards[:, :3]].sum(axis=1)
        row = (words[cards[:, 3]] >> RANK_SHIFT) * 13 + (words[cards[:, 4]] >> RANK_SHIFT)
        outcome = by_ranks[row * RANK_SETS + (by_sum[three & 8191] & 511)]
        five = three + (words[cards[:, 3:]] & SUIT_MASK).sum(axis=1)
        flush = (five & (five >> 2) & SUIT_ONES) != 0
        codes = np.where(flush, FLUSHES[outcome & 15], outcome & 15)
        codes[codes == 10] = 5
        assert np.array_equal(codes, named)


SHORT = base_paytable("SHORT", tens_or_better=None)
BOOKS = {
    "as published": "",
    "short": 'base.paytables = ["short.toml"]\nbase.paytable = "short.toml"\n',
    "gross": 'bank.cover = "gross"\n',
    "net": 'bank.cover = "net"\n',
    "action seat": 'bank.settle_from = "action_seat"\nbank.cover = "net"\n',
}


def banked(tmp_path: Path, rules: str) -> TableRules:
    """A table where a player banks, by a book that differs from the published one."""
    if not rules:
        return ready_rules("california-1")
    (tmp_path / "short.toml").write_text(SHORT, encoding="utf-8")
    file = tmp_path / "book.toml"
    file.write_text(f'id = "own"\ntitle = "Own"\nextends = "california-1"\n[rules]\n{rules}', encoding="utf-8")
    return ready_rules(str(file))


@pytest.mark.longer
@pytest.mark.parametrize("rules", BOOKS.values(), ids=list(BOOKS))
@pytest.mark.parametrize(("opponents", "stake"), [(1, 1_000), (3, 4_000), (6, 6_500)])
def test_a_bank_covers_as_at_the_table(tmp_path: Path, rules: str, opponents: int, stake: int) -> None:
    table = banked(tmp_path, rules)
    stakes = stakes_of(table)
    game = plan(table, opponents, stakes)
    setup = Setup(game, stake)
    engine = AtTheTable(table, range(2, opponents + 2), stakes, bank=stake)
    short = 0
    for block in range(300):
        if short and block >= tries(60, 300):
            break
        cells, _ = dealt(game.game, SEED, block)
        order = deck(SEED, block * BLOCK, opponents)
        by_place = bank_rounds(setup, SEED, (block * BLOCK, block * BLOCK + 1))
        seats = action(engine, rules)
        rides = {seat: (bool(cell & 2), bool(cell & 1)) for seat, cell in zip(seats, cells[0].tolist(), strict=True)}
        # The engine deals by seat: the hands of the deck go to the seats in order of action.
        dealt_to = [card for seat in engine.seats for card in order[3 * seats.index(seat) : 3 * seats.index(seat) + 3]]
        found = engine.results([*dealt_to, *order[3 * opponents :]], rides)
        assert engine.banker == 1
        for place, seat in enumerate(seats):
            nets = [found[seat][spot].net_cents for spot in BASE_SPOTS]
            assert nets == by_place.places[place].tolist(), (block, place)
        short += by_place.sums[1]
    assert short > 0, "no stake was ever short: nothing was compared"


def action(engine: AtTheTable, rules: str) -> list[int]:
    """The seats in order of action: the throw of four finds the third seat after the bank, or the last one."""
    if "action_seat" not in rules:
        return sorted(engine.seats, reverse=True)
    ring = [1, *engine.seats]
    found = ring[3 % len(ring)]
    start = engine.seats.index(found if found != 1 else ring[1])
    return [*engine.seats[start:], *engine.seats[:start]]


@pytest.mark.longer
@pytest.mark.parametrize("cover", ["stake", "gross", "net"])
def test_a_bank_settles_as_the_rules_do_and_knows_the_stake_that_covers(tmp_path: Path, cover: str) -> None:
    table = banked(tmp_path, f'bank.cover = "{cover}"\n')
    game = plan(table, 4, stakes_of(table))
    cells, _ = dealt(game.game, SEED, 5)
    full_stake = 10**7
    for number, order in zip(range(tries(100, 400)), decks(SEED, 5, 4), strict=False):
        hands = []
        for place in range(4):
            cell = int(cells[number, place])
            back = {spot for spot, bit in (("base-1", 2), ("base-2", 1)) if not cell & bit}
            cards = order[3 * place : 3 * place + 3]
            hands.append(Hand(place + 1, cards, dict.fromkeys(BASE_SPOTS, 500), frozenset(back)))
        all_covered = settle_banked(table, order[12:14], hands, full_stake)
        need = next(
            cents
            for cents in range(500, full_stake, 500)
            if settle_banked(table, order[12:14], hands, cents) == all_covered
        )
        one = _one_round(game, need, 5, number)
        assert one["stakes_needed"] == {str(max(need // 500, 1)): 1} or need == 500
        assert one["sums"][1] == 0
        if need > 500:
            assert _one_round(game, need - 500, 5, number)["sums"][1] == 1


def _one_round(game: Plan, stake: int, block: int, number: int) -> dict[str, Any]:
    """What a bank counts of one round: of all up to it, less all before it."""
    first = block * BLOCK
    upto = bank_rounds(Setup(game, stake), SEED, (first, first + number + 1)).as_data()
    if not number:
        return upto
    before = bank_rounds(Setup(game, stake), SEED, (first, first + number)).as_data()
    needs = {
        place: count - before["stakes_needed"].get(place, 0)
        for place, count in upto["stakes_needed"].items()
        if count != before["stakes_needed"].get(place, 0)
    }
    return {"sums": [a - b for a, b in zip(upto["sums"], before["sums"], strict=True)], "stakes_needed": needs}


def test_example_hands_of_a_plan_are_what_their_codes_say() -> None:
    table = ready_rules("washington-1")
    game = plan(table, 7, stakes_of(table))
    pays = table.base_pays
    riding = game.game.base_nets[3::4]
    best_first = [category for category in reversed(Category) if category >= Category.TENS_OR_BETTER]
    assert riding[:9].tolist() == [int(3 * 500 * (pays.pay(category) or 0)) for category in best_first]
    assert (riding[9], riding[10]) == (-1_500, riding[5])
