"""Simulation: the same tallies however they are counted, errors that are what they say, and a verdict that can fail."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from importlib.util import find_spec
from math import lgamma, log
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from letitride.analysis.par import base_sheet
from letitride.analysis.strategy import BASIC, NAMED_STRATEGIES, best_strategy, cost, play_of, read_strategy
from letitride.errors import InvalidData, MissingData
from letitride.rules import catalog
from letitride.rules.catalog import ready_rules
from letitride.rules.paytables import base_pays
from letitride.simulation import gpu
from letitride.simulation.banks import Setup, bank_figures, bank_rounds, empty_bank
from letitride.simulation.figures import chi_square, chi_square_tail, verdict, wager_figures
from letitride.simulation.game import BLOCK, RANK_KEYS, Game
from letitride.simulation.generator import deck, decks, words
from letitride.simulation.jobs import Job, on_threads
from letitride.simulation.plan import Plan, best_for, check_stakes, plan, stakes_of
from letitride.simulation.run import count, dealt, rounds_job, simulate
from letitride.simulation.series import agree, exact_session, player_sessions, session_figures, share
from letitride.simulation.tallies import Tallies, nothing
from tests.simulation.gpu_source import count_by_source


def game_of(ref: str, seats: int) -> Plan:
    table = ready_rules(ref)
    return plan(table, seats, stakes_of(table))


def same(one: Tallies, other: Tallies) -> bool:
    return one.as_data() == other.as_data()


def test_rank_keys_tell_every_three_ranks_apart() -> None:
    triples = [(a, b, c) for a in range(13) for b in range(a, 13) for c in range(b, 13)]
    sums = {sum(RANK_KEYS[rank] for rank in triple) for triple in triples}
    assert len(sums) == len(triples) == 455


def test_the_generator_is_numpys_sfc64() -> None:
    for seed, block, stream in ((0, 0, 0), (1, 0, 0), (2**63 - 1, 12345, 1)):
        known = np.random.SFC64()
        state = known.state
        state["state"]["state"] = np.array([seed, block, stream, 1], np.uint64)
        known.state = {**state, "has_uint32": 0, "uinteger": 0}
        known.random_raw(18)
        numbers = known.random_raw(100).tolist()
        source = words(seed, block, stream)
        assert [next(source) + (next(source) << 32) for _ in range(100)] == numbers


def test_a_deck_is_found_again_by_its_number() -> None:
    by_block = [order for block in (0, 1) for order in decks(9, block, 3)]
    for index in (0, 1, 1023, 1024, 1500):
        assert deck(9, index, 3) == by_block[index]
    assert deck(9, 0, 3) != deck(10, 0, 3)
    for wrong in ((-1, 0, 1), (2**63, 0, 1), (1, -1, 1), (1, 0, 0), (1, 0, 8)):
        with pytest.raises(InvalidData):
            deck(*wrong)


@pytest.mark.parametrize(
    ("ref", "seats"), [("washington-1", 7), ("washington-1", 1), ("nsw-1", 2), ("hand-dealt-1", 1)]
)
def test_tallies_depend_on_the_seed_and_the_rounds_alone(ref: str, seats: int) -> None:
    game = game_of(ref, seats).game
    rounds = 40 * BLOCK + 77
    whole = count(game, 5, (0, rounds))
    assert same(simulate(game, 5, rounds, threads=1), whole)
    for size, threads in ((BLOCK, 2), (7 * BLOCK, 2), (16 * BLOCK, 3)):
        total = nothing()
        for _, part in on_threads(rounds_job(game, 5, rounds, size), 0, threads):
            total += part
        assert same(total, whole)
    assert not same(count(game, 6, (0, rounds)), whole)
    assert whole.rounds == rounds
    assert int(whole.cells.sum()) == rounds * seats
    assert same(Tallies.from_data(whole.as_data()), whole)


PUBLISHED = {
    "california-1": ("48f232351e7bc07f", "5d3e71597210bf4f"),
    "hand-dealt-1": ("1e2816753a1a3ba6", "7e3744bca52f2fd4"),
    "nsw-1": ("48f232351e7bc07f", "5d3e71597210bf4f"),
    "shufflemaster-1": ("67869ba0e6920811", "58995f78c527c70e"),
    "washington-1": ("217b084ca8e8525d", "f2cf1679b8db7b45"),
}
"""By book, six seats: how the digest of its game begins, and that of the tallies of seed 5; saved states depend on it."""


@pytest.mark.parametrize("ref", PUBLISHED)
def test_games_and_tallies_of_published_books_stay_what_they_were(ref: str) -> None:
    game = game_of(ref, 6).game
    tallies = json.dumps(count(game, 5, (0, 40 * BLOCK + 77)).as_data()).encode()
    assert (game.digest[:16], sha256(tallies).hexdigest()[:16]) == PUBLISHED[ref]


def test_tallies_are_sums_over_the_rounds_one_by_one() -> None:
    game = game_of("washington-1", 4).game
    cells, threes = dealt(game, 3, 1)
    found = count(game, 3, (BLOCK, 2 * BLOCK))
    assert np.array_equal(found.cells[0], np.bincount(cells[:, 0], minlength=44))
    assert np.array_equal(found.cells[1], np.bincount(cells[:, 1:].ravel(), minlength=44))
    assert np.array_equal(found.threes[0], np.bincount(threes[:, 0], minlength=7))
    codes = cells >> 2
    best = np.where(codes == 10, 5, codes).min(axis=1)
    assert np.array_equal(found.best, np.bincount(best, minlength=11))
    for place, nets in enumerate((game.base_nets[cells], game.five_nets[cells], game.three_nets[threes])):
        assert found.squares[place] == int((nets.sum(axis=1) ** 2).sum())


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler to run the GPU's source on the CPU with")
@pytest.mark.parametrize(("ref", "seats"), [("washington-1", 7), ("washington-1", 1), ("nsw-1", 3), ("nsw-1", 1)])
def test_the_gpus_source_counts_the_same_when_a_cpu_runs_it(tmp_path: Path, ref: str, seats: int) -> None:
    game, rounds = game_of(ref, seats).game, 20_000
    found = count_by_source(tmp_path, game, 11, 4, rounds)
    assert same(found, count(game, 11, (4 * BLOCK, 4 * BLOCK + rounds)))


def test_a_game_goes_to_another_machine_and_back(tmp_path: Path) -> None:
    game = game_of("washington-1", 7).game
    np.savez(tmp_path / "game.npz", **game.arrays())
    back = Game.from_arrays(dict(np.load(tmp_path / "game.npz")))
    assert back.digest == game.digest
    assert same(count(back, 1, (0, BLOCK)), count(game, 1, (0, BLOCK)))
    assert game_of("washington-1", 6).game.digest != game.digest


def test_the_gpus_module_needs_numpy_and_cupy_alone() -> None:
    script = (
        "import sys; import letitride.simulation.gpu, letitride.simulation.jobs, letitride.simulation.tallies; "
        "print(sorted({name.partition('.')[0] for name in sys.modules} - set(sys.stdlib_module_names)))"
    )
    done = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, check=True)
    loaded = {
        name for name in ast.literal_eval(done.stdout) if not name.startswith(("_", "sitecustom", "pywin", "a1_"))
    }
    assert loaded <= {"letitride", "numpy", "cupy"}


def test_a_machine_without_a_gpu_is_told_so() -> None:
    if find_spec("cupy") is not None:
        pytest.skip("CuPy is installed here, and there may be a GPU")
    with pytest.raises(MissingData, match=r"--gpu needs CuPy, which is not installed: pip install 'letitride\[gpu\]'$"):
        gpu.device()


@pytest.mark.parametrize(("ref", "seats"), [("washington-1", 7), ("shufflemaster-1", 3), ("hand-dealt-1", 1)])
def test_every_wager_agrees_with_its_exact_value(ref: str, seats: int) -> None:
    game = game_of(ref, seats)
    wagers = wager_figures(game, simulate(game.game, 2026, 3_000_000, 2))
    assert {one.wager.id for one in wagers} == set(game.table.pays)
    assert verdict(wagers).consistent
    for one in wagers:
        assert one.z == pytest.approx((one.mean - float(one.exact)) / one.se)
        low, high = one.interval
        assert high - one.mean == pytest.approx(2.5758 * one.se, rel=1e-4)
        assert one.mean - low == pytest.approx(2.5758 * one.se, rel=1e-4)
        assert sum(line.probability for line in one.categories) == 1


def test_exact_values_are_those_of_the_par_sheets() -> None:
    game = game_of("washington-1", 7)
    sheet = base_sheet(game.table.base_pays)
    base = game.exact[0]
    assert base.mean / base.stake_cents == -sheet.house_edge
    assert base.variance / base.stake_cents**2 == sheet.results.variance


def test_a_wrong_pay_a_stacked_deck_and_wrong_play_are_found_out() -> None:
    game = game_of("washington-1", 7)
    tallies = simulate(game.game, 1, 2_000_000, 2)
    base = game.game.base_nets.copy()
    base[4 * 7 + 3] += 500  # two pair pays three to one on one bet too many
    wrong = replace(game, exact=(replace(game.exact[0], nets=base), *game.exact[1:]))
    assert not verdict(wager_figures(wrong, tallies)).consistent
    other = plan(game.table, 7, game.stakes, NAMED_STRATEGIES["always-ride"])
    assert not verdict(wager_figures(game, simulate(other.game, 1, 2_000_000, 2))).consistent
    tallies.threes[0, 0] -= 5_000
    tallies.threes[0, 1] += 5_000
    assert not verdict(wager_figures(game, tallies)).consistent


def test_the_error_is_that_of_rounds_and_not_of_hands() -> None:
    game = game_of("washington-1", 7)
    tallies = simulate(game.game, 8, 400_000, 2)
    hands = {
        one.wager: (one.se, float(x.variance)) for one, x in zip(wager_figures(game, tallies), game.exact, strict=True)
    }
    for wager, (se, variance) in hands.items():
        alone = (variance / (7 * 400_000)) ** 0.5 / {x.wager: x.stake_cents for x in game.exact}[wager]
        if wager.by_hands:
            assert se == pytest.approx(alone * 7**0.5)  # all seats win or lose it together
        elif wager.judged_on == "own_three":
            assert se == pytest.approx(alone, rel=0.02)
        elif wager.is_base:
            assert se > 1.02 * alone  # all seats share the community cards
        else:
            assert se >= alone


@settings(max_examples=30, deadline=None)
@given(freedom=st.integers(1, 60), statistic=st.floats(0.01, 150))
def test_the_tail_of_the_chi_square_is_the_integral_of_its_density(freedom: int, statistic: float) -> None:
    steps = np.linspace(statistic, statistic + 400, 400_001)
    log_density = (freedom / 2 - 1) * np.log(steps) - steps / 2 - freedom / 2 * log(2) - lgamma(freedom / 2)
    tail = float(np.trapezoid(np.exp(log_density), steps))
    assert chi_square_tail(statistic, freedom) == pytest.approx(tail, rel=1e-3, abs=1e-9)


def test_rare_categories_are_counted_together() -> None:
    half = Fraction(1, 2)
    found = chi_square({"a": (48, half), "b": (51, half - Fraction(1, 100)), "c": (1, Fraction(1, 100))}, 100)
    assert found.freedom == 1
    assert found.statistic == pytest.approx((48 - 50) ** 2 / 50 * 2)


def test_named_strategies_cost_what_the_analysis_says() -> None:
    table = ready_rules("nsw-1")
    pays = table.base_pays
    assert play_of(best_strategy(pays)) == best_for(table, 500)
    for strategy in NAMED_STRATEGIES.values():
        exact = plan(table, 1, stakes_of(table), strategy).exact[0]
        assert -exact.mean / exact.stake_cents == cost(pays, strategy).house_edge


def test_a_decision_table_may_have_no_holes() -> None:
    full = {
        f"bet{bet}": {f.name: "ride" if f in ridden else "withdraw" for f in sorted(known)}
        for bet, ridden, known in (
            (1, BASIC.bet1, NAMED_STRATEGIES["always-ride"].bet1),
            (2, BASIC.bet2, NAMED_STRATEGIES["always-ride"].bet2),
        )
    }
    assert read_strategy(full, "own", "own.toml") == replace(BASIC, name="own")
    del full["bet2"]["two_pair"]
    with pytest.raises(
        InvalidData,
        match=r"own.toml: bet2: expected 'ride' or 'withdraw' for each of 33 classes, got none for two_pair",
    ):
        read_strategy(full, "own", "own.toml")
    full["bet2"]["two_pair"] = "maybe"
    with pytest.raises(InvalidData, match="bet2: two_pair: expected 'ride' or 'withdraw', got 'maybe'"):
        read_strategy(full, "own", "own.toml")


def test_sessions_end_where_the_money_does() -> None:
    game = game_of("washington-1", 3)
    need, bankroll, rounds = sum(game.stakes.values()), 10_000, 1_500
    found = player_sessions(game.game, 4, rounds, bankroll, need, 0, (2, 40))
    assert len(found.results) == 38
    ruined = 0
    for session in range(2, 40):
        won = highest = fall = played = 0
        for block in (2 * session, 2 * session + 1):
            cells, threes = dealt(game.game, 4, block)
            for number in range(BLOCK if block % 2 == 0 else rounds - BLOCK):
                if bankroll + won < need:
                    break
                codes = [5 if code == 10 else code for code in (cells[number] >> 2).tolist()]
                cell = int(cells[number, 0])
                won += int(game.game.base_nets[cell] + game.game.five_nets[cell])
                won += int(game.game.three_nets[threes[number, 0]] + game.game.best_nets[min(codes)])
                played += 1
                highest = max(highest, won)
                fall = max(fall, highest - won)
        ruined += bankroll + won < need
        place = session - 2
        assert (found.results[place], found.drawdowns[place], found.played[place]) == (won, fall, played)
    assert 0 < ruined < 38


def test_ruin_is_as_likely_as_the_analysis_says() -> None:
    game = game_of("nsw-1", 1)
    sessions, rounds, bankroll = 40_000, 200, 20_000
    found = player_sessions(game.game, 12, rounds, bankroll, 1_500, 0, (0, sessions))
    mean, ruin = exact_session(game, rounds, bankroll)
    assert mean is None
    assert ruin is not None
    figures = session_figures(found, rounds, int((bankroll + found.results < 1_500).sum()), ruin=ruin)
    assert figures.ruined is not None
    assert abs(figures.ruined.z or 9) < 4
    endless = player_sessions(game.game, 12, rounds, 0, 1_500, 0, (0, sessions))
    mean, _ = exact_session(game, rounds, 0)
    assert abs(session_figures(endless, rounds, None, mean).result.z or 9) < 4
    assert set(endless.played.tolist()) == {rounds}


def test_a_bank_against_one_opponent_agrees_with_the_analysis() -> None:
    table = ready_rules("california-1")
    setup = Setup(plan(table, 1, stakes_of(table)), 6_000)
    total = empty_bank(1)
    job = Job(bank_rounds, setup, (33,), 1_000_000, 64 * BLOCK, empty_bank(1))
    for _, part in on_threads(job, 0, 2):
        total += part
    assert total.as_data() == bank_rounds(setup, 33, (0, 1_000_000)).as_data()
    figures = bank_figures(setup, total)
    for one in (figures.result, figures.if_covered, figures.uncovered):
        assert one.exact is not None
        assert abs(one.z or 9) < 4
    # Both bank two hands in turn, so what one seat wins the other loses, fees apart.
    fees = 2 * 2 * (setup.bank_fee + setup.player_fee)
    assert figures.turns[0].mean + figures.turns[1].mean == pytest.approx(-fees)


def test_fees_are_paid_in_sessions_too() -> None:
    game = game_of("california-1", 1)
    free = player_sessions(game.game, 1, 100, 0, 1_500, 0, (0, 50))
    paid = player_sessions(game.game, 1, 100, 0, 1_500, 150, (0, 50))
    assert (free.results - paid.results).tolist() == [15_000] * 50
    means = [exact_session(game, 100, 0, fee)[0] for fee in (0, 150)]
    assert means[0] is not None
    assert means[1] == means[0] - 15_000


def test_shares_are_judged_by_the_exact_error_and_only_if_they_come_often_enough() -> None:
    never = share(0, 1_000, Fraction(2, 5))
    assert never.z == pytest.approx(-25.8, abs=0.1)
    assert agree([never])[0] is False
    rare = share(1, 1_000, Fraction(5, 1_000))
    assert agree([rare])[0] is None
    assert agree([share(410, 1_000, Fraction(2, 5)), None])[0] is True
    assert agree([share(410, 1_000)])[0] is None


def test_means_are_judged_only_where_one_hand_cannot_move_them_by_an_error() -> None:
    game = game_of("washington-1", 7)
    few = wager_figures(game, simulate(game.game, 12, 1))
    assert all(one.se > 0 for one in few)
    assert "base" in verdict(few).not_judged
    many = wager_figures(game, simulate(game.game, 12, 400_000, 2))
    assert verdict(many).not_judged == ()


def test_false_alarms_are_rare() -> None:
    game = game_of("washington-1", 3)
    alarms = sum(not verdict(wager_figures(game, simulate(game.game, seed, 20_000))).consistent for seed in range(150))
    assert alarms <= 6  # one in a hundred is allowed; seven of 150 would be one in ten thousand such tests


def test_what_cannot_be_planned_is_refused() -> None:
    table = ready_rules("nsw-1")
    with pytest.raises(InvalidData, match="expected 1 to 7 seats by nsw-1, got 8"):
        plan(table, 8, stakes_of(table))
    with pytest.raises(InvalidData, match="expected a book by which a player banks"):
        Setup(plan(table, 1, stakes_of(table)), 1_000)
    capped = ready_rules("nsw-1", {"payout.cap": "maximum", "payout.cents_max": 10**10 + 7})
    odd = plan(capped, 7, stakes_of(capped, 10**9))  # results have no unit but the cent
    with pytest.raises(InvalidData, match="expected results whose squares can be counted"):
        rounds_job(odd.game, 1, 1_000)
    assert rounds_job(plan(table, 7, stakes_of(table, 10**9)).game, 1, 1_000).units == 1_000
    for stakes, sentence in (
        ({"base-$": 499}, r"expected \$5 to \$500 for base-\$"),
        ({"bonus": 99}, r"for bonus, got \$0.99"),
    ):
        with pytest.raises(InvalidData, match=sentence):
            check_stakes(ready_rules("washington-1"), stakes)
    assert base_pays(catalog.paytable("LIRX-01")) == table.base_pays


@pytest.mark.parametrize(("seed", "rounds"), [(1, -5), (1, 0), (1, 10**30), (-1, 10), (2**63, 10)])
def test_rounds_and_seeds_that_cannot_be_are_refused(seed: int, rounds: int) -> None:
    table = ready_rules("nsw-1")
    with pytest.raises(InvalidData, match="expected (the number of rounds|a seed)"):
        simulate(plan(table, 1, stakes_of(table)).game, seed, rounds)
