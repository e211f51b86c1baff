"""Own wagers: whatever a house's file describes is simulated to the cent, at the compiled kernels' speed."""

from __future__ import annotations

import shutil
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from letitride.errors import InvalidData
from letitride.rules.cards import Card
from letitride.rules.catalog import ready_rules
from letitride.rules.rankings import ListedRank, Ranking, counts, hands_of
from letitride.rules.settlement import Hand, read_cards, settle_hands
from letitride.rules.table_rules import TableRules
from letitride.simulation.figures import verdict, wager_figures
from letitride.simulation.game import BLOCK, Game
from letitride.simulation.generator import decks
from letitride.simulation.listed_tables import listed_tables, ranking_counts
from letitride.simulation.plan import Plan, check_stakes, plan, stakes_of
from letitride.simulation.run import count, dealt, listed_ranks, rounds_job, simulate
from letitride.simulation.series import exact_session, player_sessions, session_figures
from letitride.simulation.tallies import Tallies, nothing
from tests.simulation.gpu_source import count_by_source
from tests.simulation.own_wagers import KINDS, RED_BLACK, SECOND_FIVE, SECOND_THREE, TWINS, own_table

SEED = 31
EVERY = ("own_three", "own_four", "own_five", "community")


def made(table: TableRules, seats: int) -> Plan:
    return plan(table, seats, stakes_of(table))


def four_kinds(folder: Path, seats: int) -> Plan:
    return made(own_table(folder, [KINDS[kind] for kind in EVERY]), seats)


@pytest.mark.parametrize("seats", [1, 7])
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_wager_is_settled_as_the_rules_settle_it(tmp_path: Path, kind: str, seats: int) -> None:
    table = own_table(tmp_path, [KINDS[kind]], "washington-1")  # its wagers take the columns of their natures
    game = made(table, seats)
    tables = game.game.listed
    assert tables is not None
    (wager,) = (table.wagers[name] for name in tables.ids)
    rounds = 2 * BLOCK if seats == 1 else BLOCK
    found: Counter[tuple[bool, int]] = Counter()
    for block in range(rounds // BLOCK):
        ranks = listed_ranks(game.game, SEED, block)[0]
        for number, order in enumerate(decks(SEED, block, seats)):
            shown = order[3 * seats : 3 * seats + 2]
            hands = [Hand(seat, order[3 * seat : 3 * seat + 3], game.stakes) for seat in range(seats)]
            settled = settle_hands(table, shown, hands) if number < 200 else {}
            for hand in hands:
                rank = int(ranks[number, hand.seat])
                assert wager.ranking.ranks[rank] == read_cards(wager, hand.cards, shown)
                found[hand.seat > 0, rank] += 1
                for result in settled.get(hand.seat, ()):
                    assert result.wager != wager.spot or result.net_cents == tables.nets[0, rank]
    tallies = count(game.game, SEED, (0, rounds)).listed[wager.id]
    assert tallies.tolist() == [
        [found[other, rank] for rank in range(len(wager.ranking.ranks))] for other in (False, True)
    ]
    assert len(found) > 2


@pytest.mark.parametrize("judged_on", ["own_four", "community"])
def test_single_cards_are_found_among_all_that_are_judged(tmp_path: Path, judged_on: str) -> None:
    table = own_table(tmp_path, [KINDS[judged_on]])
    game = made(table, 7)
    asked = (("Kh", "Qh"), ("As",), ("2c", "3d"), ("Th",), ())
    ranks = tuple(
        ListedRank(len(asked) - place, f"rank_{place}", f"rank {place}", {"includes": cards} if cards else {})
        for place, cards in enumerate(asked)
    )
    wager = next(wager for wager in table.sides if wager.judged_on == judged_on)
    wager = replace(wager, ranking=Ranking(wager.id, wager.ranking.cards, ranks))
    own = replace(game.game, listed=listed_tables([wager], [[9, 8, 7, 6, 5]]))
    names = listed_ranks(own, SEED, 3)[0]
    seen = set()
    for number, order in enumerate(decks(SEED, 3, 7)):
        for seat in range(7):
            rank = wager.ranking.ranks[names[number, seat]]
            assert rank == read_cards(wager, order[3 * seat : 3 * seat + 3], order[21:23])
            seen.add(rank.name)
    assert len(seen) >= 4


@pytest.mark.parametrize("seats", [1, 4])
def test_tallies_of_own_wagers_are_sums_over_rounds_and_add_up(tmp_path: Path, seats: int) -> None:
    game = four_kinds(tmp_path, seats).game
    assert game.listed is not None
    rounds = 6 * BLOCK + 77
    whole = count(game, SEED, (0, rounds))
    total = nothing()
    for chunk in rounds_job(game, SEED, rounds, 2 * BLOCK).chunks():
        total += count(game, SEED, chunk)
    assert total.as_data() == whole.as_data() == Tallies.from_data(whole.as_data()).as_data()
    assert list(whole.as_data()["listed"]) == list(game.listed.ids)
    block = count(game, SEED, (BLOCK, 2 * BLOCK))
    for place, ranks in enumerate(listed_ranks(game, SEED, 1)):
        name = game.listed.ids[place]
        many = block.listed[name].shape[1]
        assert np.array_equal(block.listed[name][0], np.bincount(ranks[:, 0], minlength=many))
        assert np.array_equal(block.listed[name][1], np.bincount(ranks[:, 1:].ravel(), minlength=many))
        won = game.listed.nets[place][ranks].sum(axis=1)
        assert block.listed_squares[name] == int((won**2).sum())


@pytest.mark.parametrize("seats", [1, 7])
def test_own_wagers_agree_with_their_exact_values(tmp_path: Path, seats: int) -> None:
    game = four_kinds(tmp_path, seats)
    figures = wager_figures(game, simulate(game.game, 2026, 400_000, 2))
    assert [one.wager.id for one in figures] == list(game.table.pays)
    assert verdict(figures).consistent
    for one in figures[1:]:
        pays, total = game.table.pays[one.wager.id], hands_of(one.wager.ranking.cards)
        chances = [(pays.net(pays.pay(rank)), Fraction(many, total)) for rank, many in counts(one.wager.ranking)]
        assert one.exact == sum(net * chance for net, chance in chances)
        assert [line.probability for line in one.categories] == [chance for _, chance in chances]
        assert sum(line.count for line in one.categories) == one.hands


def test_a_wrong_rank_is_found_out(tmp_path: Path) -> None:
    game = four_kinds(tmp_path, 7)
    tallies = simulate(game.game, 2026, 200_000, 2)
    tallies.listed["red_black"][0, 1] -= 2_000
    tallies.listed["red_black"][0, 3] += 2_000
    assert not verdict(wager_figures(game, tallies)).consistent


def test_wagers_of_one_nature_are_counted_each_by_itself(tmp_path: Path) -> None:
    table, known = own_table(tmp_path, [SECOND_FIVE, SECOND_THREE], "washington-1"), ready_rules("washington-1")
    game, plain = made(table, 7), made(known, 7)
    assert {one.wager.id: one.column for one in game.exact} == {
        "base": "cells",
        "bonus": "cells",
        "three_card": "threes",
        "cover_all": "best",
        "second_five": "listed",
        "second_three": "listed",
    }
    both, alone = count(game.game, SEED, (0, 40_000)), count(plain.game, SEED, (0, 40_000))
    data = both.as_data()
    del data["listed"], data["squares"]["second_five"], data["squares"]["second_three"]
    assert data == alone.as_data()
    assert both.listed["second_three"][0].tolist() == alone.threes[0][::-1].tolist()
    assert both.listed["second_five"][0, :5].tolist() == alone.cells[0].reshape(11, 4).sum(axis=1)[:5].tolist()
    assert verdict(wager_figures(game, both)).consistent


def test_a_wager_alone_of_its_nature_is_read_from_the_kernels_own_columns(tmp_path: Path) -> None:
    game = made(own_table(tmp_path, [SECOND_FIVE, SECOND_THREE]), 7)
    assert game.game.listed is None
    assert [one.column for one in game.exact] == ["cells", "cells", "threes"]
    assert verdict(wager_figures(game, simulate(game.game, 5, 100_000))).consistent


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler to run the GPU's source on the CPU with")
@pytest.mark.parametrize(("extends", "seats"), [("nsw-1", 7), ("washington-1", 3), ("nsw-1", 1)])
def test_the_gpus_source_counts_own_wagers_the_same(tmp_path: Path, extends: str, seats: int) -> None:
    kinds = ("own_three", "own_four", "community", "single cards") if extends == "nsw-1" else ("own_five", "low pairs")
    game = made(own_table(tmp_path, [KINDS[kind] for kind in kinds], extends), seats).game
    found = count_by_source(tmp_path, game, 11, 4, 5_000)
    assert found.as_data() == count(game, 11, (4 * BLOCK, 4 * BLOCK + 5_000)).as_data()


def test_sessions_win_and_lose_own_wagers_too(tmp_path: Path) -> None:
    game = four_kinds(tmp_path, 3)
    need, bankroll, rounds, sessions = sum(game.stakes.values()), 40_000, BLOCK, 5
    found = player_sessions(game.game, SEED, rounds, bankroll, need, 0, (0, sessions))
    for session in range(sessions):
        cells, _ = dealt(game.game, SEED, session)
        won = played = 0
        for number, order in enumerate(decks(SEED, session, 3)):
            if bankroll + won < need:
                break
            won += int(game.game.base_nets[cells[number, 0]]) + _sides(game, order)
            played += 1
        assert (found.results[session], found.played[session]) == (won, played)
    endless = player_sessions(game.game, SEED, 50, 0, need, 0, (0, 20_000))
    mean, _ = exact_session(game, 50, 0)
    assert abs(session_figures(endless, 50, None, mean).result.z or 9) < 4


def _sides(game: Plan, order: tuple[Card, ...]) -> int:
    """What the first of three seats wins of its side bets."""
    sides = {wager.spot: game.stakes[wager.spot] for wager in game.table.sides}
    return sum(result.net_cents for result in settle_hands(game.table, order[9:11], [Hand(0, order[:3], sides)])[0])


def test_a_game_with_own_wagers_goes_to_another_machine_and_back(tmp_path: Path) -> None:
    game = four_kinds(tmp_path, 7).game
    np.savez(tmp_path / "game.npz", **game.arrays())
    back = Game.from_arrays(dict(np.load(tmp_path / "game.npz")))
    assert back.digest == game.digest
    assert count(back, 1, (0, BLOCK)).as_data() == count(game, 1, (0, BLOCK)).as_data()


def test_the_digest_tells_games_apart_by_their_own_wagers(tmp_path: Path) -> None:
    texts = [RED_BLACK, RED_BLACK.replace("all_red = 3", "all_red = 4"), RED_BLACK.replace('"red" }', '"black" }', 1)]
    texts[2] = texts[2].replace('"black" }\n[[rank]]\nid = "mixed"', '"red" }\n[[rank]]\nid = "mixed"')
    digests = set()
    for number, text in enumerate(texts):
        folder = tmp_path / str(number)
        folder.mkdir()
        digests.add(made(own_table(folder, [text]), 7).game.digest)
    assert len(digests | {made(ready_rules("nsw-1"), 7).game.digest}) == 4


def test_poker_ranks_are_counted_as_everywhere(tmp_path: Path) -> None:
    every = next(wager for wager in own_table(tmp_path, [KINDS["low pairs"]]).sides)
    found = dict(zip((rank.name for rank in every.ranking.ranks), ranking_counts(every.ranking), strict=True))
    assert (4, 36, 624, 3_744, 5_108, 10_200) == tuple(found.values())[:6]
    assert found["LOW_PAIR"] + found["TENS_OR_BETTER"] == 1_098_240
    assert sum(found.values()) == 2_598_960


def test_stakes_of_own_wagers_keep_their_limits(tmp_path: Path) -> None:
    stepped = RED_BLACK.replace("cents_min = 100\n", "cents_min = 300\ncents_step = 250\n")
    table = own_table(tmp_path, [stepped, TWINS])
    assert {"red_black": 300, "twins": 200}.items() <= stakes_of(table).items()
    check_stakes(table, {"red_black": 800})
    for stakes, sentence in (
        ({"red_black": 200}, r"expected \$3 to \$100 for red_black, got \$2"),
        ({"red_black": 400}, r"expected \$3 and steps of \$2.50 for red_black, got \$4"),
        ({"twins": 100}, r"expected \$2 to \$2 for twins, got \$1"),
    ):
        with pytest.raises(InvalidData, match=sentence):
            check_stakes(table, stakes)


def test_a_best_hand_of_which_no_exact_value_is_known_is_refused(tmp_path: Path) -> None:
    pays = "two_pair = [1, 1, 1, 1, 1, 1, 1]\nthree_of_a_kind = [3, 3, 3, 3, 3, 3, 3]"
    best = ["royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight"]
    rows = "\n".join(f"{name} = [9, 9, 9, 9, 9, 9, 9]" for name in best)
    text = (
        'id = "top"\ntitle = "Top"\njudged_on = "table_best"\nranking = "poker"\naward = "to_one"\n'
        f"[pays]\n{rows}\n{pays}\n[keys]\ncents_min = 100\ncents_max = 500\n"
    )
    with pytest.raises(InvalidData, match="pays: expected three_of_a_kind or better"):
        own_table(tmp_path, [text])
