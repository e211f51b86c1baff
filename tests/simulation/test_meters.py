"""Meters: what simulated hands take of a meter is what the table's own settlement pays them, to the cent."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from letitride.analysis.progressive import progressive
from letitride.engine import meters as at_table
from letitride.errors import InvalidData, InvariantBroken
from letitride.ledger import accounts
from letitride.ledger.transfers import changes
from letitride.rules.hands import Category
from letitride.rules.settlement import Hand, settle_meters, settle_round
from letitride.rules.wager_table import PUBLISHED
from letitride.rules.wagers import Meter, Take
from letitride.simulation import gpu
from letitride.simulation.figures import wager_figures
from letitride.simulation.game import BLOCK, Game
from letitride.simulation.generator import decks
from letitride.simulation.meter_figures import MeterFigures, MeterMean
from letitride.simulation.meters import Metered, folded, meter_tally, opened
from letitride.simulation.plan import Plan, plan, stakes_of
from letitride.simulation.run import count, rounds_job, simulate
from letitride.simulation.takes import ROUND_SHIFT, SEAT_SHIFT, Hits
from letitride.simulation.tallies import Tallies
from tests.simulation.gpu_source import OnCpu, count_by_source
from tests.simulation.own_meters import FOUR, POTS
from tests.simulation.own_wagers import own_table

SEED, SEATS, ROUNDS = 77, 4, BLOCK + 200


@pytest.fixture(scope="module")
def pots(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    table = own_table(tmp_path_factory.mktemp("pots"), POTS)
    return plan(table, SEATS, stakes_of(table))


@pytest.fixture(scope="module")
def shares(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    """One seat at a meter of which hands take shares alone."""
    table = own_table(tmp_path_factory.mktemp("shares"), [FOUR])
    return plan(table, 1, stakes_of(table))


def test_every_round_leaves_the_meters_as_the_tables_settlement_does(pots: Plan) -> None:
    table, meters = pots.table, {one.wager.id: one for one in pots.meters}
    assert {"five_pot": "cells", "three_pot": "threes", "four_pot": "listed"} == {
        one.wager.id: one.column for one in pots.exact[1:]
    }
    tallies = count(pots.game, SEED, (0, ROUNDS))
    found = {name: opened(one) for name, one in meters.items()}
    balances = {accounts.meter(name): one.meter.seed_cents for name, one in meters.items()}
    levels, paid = dict.fromkeys(meters, 0), dict.fromkeys(meters, 0)
    orders = [order for block in range(2) for order in decks(SEED, block, SEATS)][:ROUNDS]
    for number, order in enumerate(orders):
        held = {name: balances[accounts.meter(name)] for name in meters}
        levels = {name: level + held[name] for name, level in levels.items()}
        shown = order[3 * SEATS : 3 * SEATS + 2]
        stakes = {wager.spot: pots.stakes[wager.spot] for wager in table.sides}
        hands = [Hand(seat + 1, order[3 * seat : 3 * seat + 3], stakes) for seat in range(SEATS)]
        results, takes = settle_meters(table, shown, hands, settle_round(table, shown, hands), held)
        seats = {seat: SimpleNamespace(results=rows) for seat, rows in results.items()}
        settled: Any = SimpleNamespace(rules=table, seats=seats, takes=takes)
        for account, cents in changes(at_table.moved(settled)).items():
            balances[account] = balances.get(account, 0) + cents
        for name, one in meters.items():
            paid[name] += sum(row.paid_cents for rows in results.values() for row in rows if row.wager == name)
            hits = tallies.hits[name]
            now = hits[hits >> ROUND_SHIFT == number]
            found[name] = folded(one, found[name], now, number + 1)
            assert balances[accounts.meter(name)] == found[name].held_cents
            assert len(takes.get(name, {})) == len(now)
    figures = {one.wager.id: one for one in wager_figures(pots, tallies)}
    for name, one in meters.items():
        assert meter_tally(one, tallies) == found[name]
        assert levels[name] == found[name].level_cents
        meter, envy, pays = figures[name].meter, figures[name].envy, table.pays[name]
        assert meter is not None
        assert meter.tally == found[name]
        beside = sum(
            line.count * ((pays.pay(rank) or 0) - one.wager.seed_pay(rank)) * one.stake_cents
            for line, rank in _by_rank(figures[name], one)
        )
        assert paid[name] == beside + meter.won_cents + (envy.paid_cents if envy else 0)
        stakes_in = ROUNDS * SEATS * one.stake_cents
        assert meter.edge_paid == pytest.approx(1 - paid[name] / stakes_in, abs=1e-12)
    assert all(tally.resets for tally in found.values())
    assert found["three_pot"].added_cents > 0


def _by_rank(figures: Any, one: Metered) -> list[tuple[Any, Any]]:
    labels = {rank.label: rank for rank in one.wager.ranking.ranks}
    return [(line, labels[line.label]) for line in figures.categories if line.label in labels]


def test_one_share_is_gone_through_by_hand() -> None:
    """Two hands of one round: the lower seat takes all, the other of the new seed; what the round adds comes on top."""
    metered = _synthetic(seats=2)
    royal, flush = 0, 4
    hits = np.array([_hit(3, 0, royal), _hit(3, 1, flush), _hit(5, 1, royal)])
    tally = folded(metered, opened(metered), hits, 7)
    # 1,000 and four rounds of 2 x 25; all of it is taken, then half of 1,000; two rounds later what lies there.
    assert (1_150 + 600, 500) == (tally.won_cents[royal], tally.won_cents[flush])
    assert 1_000 + 50 + 50 == tally.held_cents
    assert (2, 1_150 + 1_000 + 600, 1_150) == (tally.resets, tally.seen_cents, tally.highest_cents)
    assert 1_000 + 1_050 + 1_100 + 1_150 + 550 + 600 + 1_050 == tally.level_cents


def _hit(number: int, seat: int, place: int) -> int:
    return number << ROUND_SHIFT | seat << SEAT_SHIFT | place


def _synthetic(seats: int) -> Metered:
    """A meter of which a royal flush takes all, a flush half, a straight an amount."""
    takes = {Category.ROYAL_FLUSH: Take(100), Category.FLUSH: Take(50), Category.STRAIGHT: Take(cents=700)}
    meter = Meter(1_000, 250_000, takes)
    wager = next(wager for wager in PUBLISHED.values() if wager.judged_on == "own_five" and not wager.is_base)
    return Metered(replace(wager, meter=meter), meter, 100, seats)


@given(
    rounds=st.lists(st.tuples(st.integers(0, 60), st.integers(0, 2), st.sampled_from([0, 4, 5])), max_size=30),
    cuts=st.lists(st.integers(0, 61), max_size=4),
)
@settings(max_examples=40)
def test_parts_of_any_length_come_to_the_same_meter(rounds: list[tuple[int, int, int]], cuts: list[int]) -> None:
    metered, stop = _synthetic(seats=3), 61
    places = {(number, seat): place for number, seat, place in rounds}
    hits = np.array(sorted(_hit(*at, place) for at, place in places.items()), np.int64)
    whole, pieces = folded(metered, opened(metered), hits, stop), opened(metered)
    for first, last in zip([0, *sorted(cuts)], [*sorted(cuts), stop], strict=True):
        part = hits[(hits >> ROUND_SHIFT >= first) & (hits >> ROUND_SHIFT < last)]
        pieces = folded(metered, pieces, part, last)
    assert whole == pieces
    fed, seeds = stop * metered.fed_cents, (1 + whole.resets) * metered.meter.seed_cents
    assert fed + seeds == whole.taken_cents + whole.held_cents
    assert sum(whole.won_cents) == whole.taken_cents + whole.added_cents


def test_hits_out_of_order_are_our_own_bug() -> None:
    metered = _synthetic(seats=1)
    with pytest.raises(InvariantBroken, match="expected a hit from round 8 to before 20, got one in round 3"):
        folded(metered, opened(metered), np.array([_hit(7, 0, 0), _hit(3, 0, 0)]), 20)


def test_meters_are_the_same_on_threads_in_chunks_and_saved_on_the_way(pots: Plan) -> None:
    rounds = 5 * BLOCK + 99
    whole = simulate(pots.game, SEED, rounds, 1, pots.meters)
    job = rounds_job(pots.game, SEED, rounds, 2 * BLOCK, pots.meters)
    total = job.begin()
    for chunk in job.chunks():
        total = job.add(total, job.do(chunk))
        assert not any(hits.size for hits in total.hits.values())
        total = job.begin(json.loads(json.dumps(total.as_data())))
    kept = simulate(pots.game, SEED, rounds, 2)
    assert whole.as_data() == total.as_data()
    assert [one.meter for one in wager_figures(pots, whole)] == [one.meter for one in wager_figures(pots, kept)]
    assert kept.as_data()["hits"]["five_pot"] == Tallies.from_data(kept.as_data()).hits["five_pot"].tolist()
    plain = replace(pots.game, takes=None)
    assert plain.digest == pots.game.digest
    known = {name: part for name, part in whole.as_data().items() if name != "meters"}
    assert known == count(plain, SEED, (0, rounds)).as_data()


def test_a_run_saved_before_meters_were_simulated_goes_on_with_a_meter_that_opens_there(pots: Plan) -> None:
    job = rounds_job(pots.game, SEED, 3 * BLOCK, BLOCK, pots.meters)
    old = {name: part for name, part in count(pots.game, SEED, (0, BLOCK)).as_data().items() if name != "hits"}
    total = job.begin(old)
    for chunk in job.chunks(BLOCK):
        total = job.add(total, job.do(chunk))
    for one in pots.meters:
        tally, fresh = total.meters[one.wager.id], meter_tally(one, count(pots.game, SEED, (BLOCK, 3 * BLOCK)))
        assert (BLOCK, 3 * BLOCK, 2 * BLOCK) == (tally.first, tally.rounds, tally.played)
        assert replace(tally, first=0, rounds=2 * BLOCK) == fresh
    assert wager_figures(pots, Tallies.from_data(old))[1].meter is None


def test_a_meter_that_was_changed_is_not_gone_on_with(pots: Plan) -> None:
    data = simulate(pots.game, SEED, BLOCK, 1, pots.meters).as_data()
    data["meters"]["five_pot"]["sha256"] = "0" * 64
    with pytest.raises(InvalidData, match="expected the meter of five_pot as it was when the run began, got another"):
        rounds_job(pots.game, SEED, 2 * BLOCK, meters=pots.meters).begin(data)


def means(figures: MeterFigures) -> Sequence[MeterMean]:
    assert figures.at_hit is not None
    return figures.at_hit, figures.before_round, figures.house_edge


def test_averages_and_the_house_edge_agree_with_the_exact_values(shares: Plan) -> None:
    tallies = simulate(shares.game, 5, 300_000, 2, shares.meters)
    (figures,) = (one for one in wager_figures(shares, tallies) if one.meter is not None)
    exact = progressive(shares.table.pays["four_pot"], 200)
    assert figures.meter is not None
    expected = [exact.average_meter_cents, exact.average_meter_cents, exact.long_run_edge]
    assert expected == [one.exact for one in means(figures.meter)]
    assert all(abs(one.z or 9) < 3.5 for one in means(figures.meter))
    assert all(0 < (one.se or 0) < 0.02 * abs(float(one.exact or 0)) + 0.02 for one in means(figures.meter))
    assert float(exact.house_edge(12_345)) == pytest.approx(-float(figures.exact), abs=1e-12)  # as ever, at the seed


def test_errors_of_meters_are_what_they_say(shares: Plan) -> None:
    """Runs of one length, each by its own seed: their means lie about the exact ones as their errors say."""
    zs = []
    for seed in range(60):
        tallies = count(shares.game, 1_000 + seed, (0, 12 * BLOCK))
        (figures,) = (one.meter for one in wager_figures(shares, tallies) if one.meter is not None)
        zs.append([one.z or 0.0 for one in means(figures)])
    spread = np.sqrt((np.array(zs) ** 2).mean(axis=0))
    assert ((spread > 0.7) & (spread < 1.35)).all()


def test_envy_comes_to_what_the_other_seats_expect(pots: Plan) -> None:
    figures = {one.wager.id: one.envy for one in wager_figures(pots, simulate(pots.game, 9, 60_000, 2))}
    assert figures["three_pot"] is figures["base"] is None
    for name in ("five_pot", "four_pot"):
        envy = figures[name]
        assert envy is not None
        assert envy.mean.exact == progressive(pots.table.pays[name], pots.stakes[name], SEATS).envy_return
        assert abs(envy.mean.z or 9) < 3.5
    five = figures["five_pot"]
    assert five is not None
    chances = Fraction(10_200 * 2_000 + 123_552 * 100, 2_598_960)
    assert five.mean.exact == 3 * chances / 500


def test_no_error_is_stated_where_a_meter_was_hardly_ever_taken_whole(shares: Plan) -> None:
    (figures,) = (one.meter for one in wager_figures(shares, count(shares.game, 1, (0, BLOCK))) if one.meter)
    assert (None, None) == (figures.before_round.se, figures.before_round.z)
    assert figures.house_edge.se is not None


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler to run the GPU's source on the CPU with")
def test_the_gpus_source_writes_the_same_hits_down(tmp_path: Path, pots: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    np.savez(tmp_path / "game.npz", **pots.game.arrays())
    game = Game.from_arrays(dict(np.load(tmp_path / "game.npz")))
    rounds = 8 * BLOCK + 300
    wanted = count(pots.game, SEED, (4 * BLOCK, 4 * BLOCK + rounds))
    assert wanted.as_data() == count_by_source(tmp_path, game, SEED, 4, rounds).as_data()
    monkeypatch.setattr(gpu, "_cupy", lambda: OnCpu(tmp_path / "kernel.so"))
    job = rounds_job(pots.game, SEED, rounds, 8 * BLOCK, pots.meters)
    total, chunks = job.begin(), list[tuple[int, int]]()
    for chunk, part in gpu.on_gpu(game, SEED, job.chunks(), room=1):
        chunks.append(chunk)
        total = job.add(total, part)
    assert simulate(pots.game, SEED, rounds, 1, pots.meters).as_data() == total.as_data()
    assert len(chunks) > 2  # a launch had more hits than there was room for, and was done in parts
    assert [last for _, last in chunks[:-1]] == [first for first, _ in chunks[1:]]


def test_hits_of_several_meters_are_told_apart(pots: Plan) -> None:
    takes = pots.game.takes
    assert takes is not None
    keys: Hits = np.array([2 << 56 | 5, 1 << 56 | 9, 7, 2 << 56 | 1], np.int64)
    assert {"five_pot": [7], "three_pot": [9], "four_pot": [1, 5]} == {
        name: hits.tolist() for name, hits in takes.by_wager(keys).items()
    }
