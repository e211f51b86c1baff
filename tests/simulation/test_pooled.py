"""A maximum payout over several hands: kernels pay each hand what the table's settlement pays it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from letitride.errors import InvalidData
from letitride.rules.catalog import ready_rules
from letitride.rules.settlement import Hand, settle_hands, settle_meters, settle_round
from letitride.rules.table_rules import TableRules
from letitride.rules.wager_table import BASE_SPOTS
from letitride.simulation.figures import wager_figures
from letitride.simulation.game import BLOCK, Game
from letitride.simulation.generator import decks
from letitride.simulation.plan import Plan, plan, stakes_of
from letitride.simulation.run import count, dealt, pooled_nets, simulate
from letitride.simulation.series import exact_session, player_sessions
from letitride.simulation.tallies import Tallies
from tests.cli.command import run
from tests.simulation.at_the_table import AtTheTable
from tests.simulation.gpu_source import count_by_source
from tests.simulation.own_meters import FIVE
from tests.simulation.own_wagers import book_file

SEED = 21
MOST = 3_300
"""Seven hands reach it every fourth round, and it has odd cents to give when three divide it."""
ROUND = {"payout.cap": "maximum", "payout.cents_max": MOST, "payout.scope": "round", "settle.method": "losers_first"}
PLAYER = {"payout.cap": "maximum", "payout.cents_max": MOST, "payout.scope": "player_round"}


def table(folder: Path, **rules: str | int) -> TableRules:
    lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in rules.items())
    file = folder / "pooled.toml"
    file.write_text(f'id = "pooled-1"\ntitle = "Pooled"\nextends = "nsw-1"\n[rules]\n{lines}', encoding="utf-8")
    return ready_rules(str(file))


def game_of(folder: Path, kind: str, seats: int) -> Plan:
    """A game by what is counted together; every second seat is settled the other way round."""
    way = "left_to_right" if seats % 2 else "right_to_left"
    if kind == "round":
        found = table(folder, **ROUND, **{"reveal.direction": way})
        return plan(found, seats, stakes_of(found))
    found = table(folder, **PLAYER, **{"reveal.direction": way, "hands_per_player": 3})
    return plan(found, seats, stakes_of(found), hands=int(kind))


KINDS = [("round", 2), ("round", 3), ("round", 7), ("2", 6), ("3", 3)]


@pytest.mark.parametrize(("kind", "seats"), KINDS)
def test_every_hand_is_paid_what_the_settlement_pays_it(tmp_path: Path, kind: str, seats: int) -> None:
    game = game_of(tmp_path, kind, seats)
    cells, _ = dealt(game.game, SEED, 4)
    nets, bound = pooled_nets(game.game, SEED, 4), 0
    for number, order in zip(range(400), decks(SEED, 4, seats), strict=False):
        hands = [
            Hand(
                seat + 1,
                tuple(order[3 * seat : 3 * seat + 3]),
                {spot: game.stakes[spot] for spot in BASE_SPOTS},
                frozenset(spot for spot, bit in zip(BASE_SPOTS, (2, 1), strict=False) if not cell & bit),
                player=f"P{seat // game.hands}",
            )
            for seat, cell in enumerate(cells[number].tolist())
        ]
        settled = settle_round(game.table, order[3 * seats : 3 * seats + 2], hands)
        paid = [sum(row.net_cents for row in settled[seat + 1]) for seat in range(seats)]
        assert paid == nets[number].tolist(), number
        bound += paid != game.game.base_nets[cells[number]].tolist()
    assert bound > 2, "no hand lost anything to another: nothing was compared"


def test_every_hand_is_paid_what_the_table_pays_it(tmp_path: Path) -> None:
    game = game_of(tmp_path, "round", 5)
    engine = AtTheTable(game.table, range(1, 6), game.stakes)
    cells, _ = dealt(game.game, SEED, 1)
    nets = pooled_nets(game.game, SEED, 1)
    found = [number for number in range(BLOCK) if (nets[number] != game.game.base_nets[cells[number]]).any()][:12]
    for number, order in enumerate(decks(SEED, 1, 5)):
        if number in found:
            rides = {seat + 1: (bool(cell & 2), bool(cell & 1)) for seat, cell in enumerate(cells[number].tolist())}
            settled = engine.results(order, rides)
            assert [sum(settled[seat + 1][spot].net_cents for spot in BASE_SPOTS) for seat in range(5)] == nets[
                number
            ].tolist()


@pytest.mark.parametrize(("kind", "seats"), KINDS)
def test_tallies_are_those_of_what_hands_are_paid_and_add_up(tmp_path: Path, kind: str, seats: int) -> None:
    game = game_of(tmp_path, kind, seats)
    tallies = simulate(game.game, SEED, 3 * BLOCK)
    nets = np.concatenate([pooled_nets(game.game, SEED, block) for block in range(3)])
    alone = np.concatenate([game.game.base_nets[dealt(game.game, SEED, block)[0]] for block in range(3)])
    assert tallies.pooled is not None
    assert tallies.pooled.cut_cents == alone.sum() - nets.sum() > 0
    assert tallies.pooled.squares == (nets.sum(axis=1) ** 2).sum()
    assert tallies.pooled.hand_squares == (nets**2).sum()
    parts = Tallies.from_data(count(game.game, SEED, (0, BLOCK)).as_data())
    parts += count(game.game, SEED, (BLOCK, 3 * BLOCK))
    assert parts.as_data() == tallies.as_data()
    base = wager_figures(game, tallies)[0]
    assert base.pooled is not None
    assert base.pooled.mean == pytest.approx(nets.mean() / game.stakes["base-1"])
    assert base.pooled.se == pytest.approx(nets.mean(axis=1).std() / game.stakes["base-1"] / np.sqrt(len(nets)))
    assert base.pooled.deviation == pytest.approx(nets.std() / game.stakes["base-1"])


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler to run the GPU's source on the CPU with")
@pytest.mark.parametrize(("kind", "seats"), [("round", 7), ("2", 6)])
def test_the_gpus_source_counts_it_the_same(tmp_path: Path, kind: str, seats: int) -> None:
    game = game_of(tmp_path, kind, seats).game
    np.savez(tmp_path / "game.npz", **game.arrays())
    back = Game.from_arrays(dict(np.load(tmp_path / "game.npz")))
    assert back.digest == game.digest
    found = count_by_source(tmp_path, back, 11, 4, 5_000)
    assert found.as_data() == count(game, 11, (4 * BLOCK, 4 * BLOCK + 5_000)).as_data()


@pytest.mark.parametrize(("kind", "seats"), [("round", 3), ("3", 6)])
def test_a_session_is_of_all_hands_of_the_first_player(tmp_path: Path, kind: str, seats: int) -> None:
    game = game_of(tmp_path, kind, seats)
    series = player_sessions(game.game, SEED, BLOCK, 0, 1, 0, (0, 2), game.hands)
    paid = [int(pooled_nets(game.game, SEED, block)[:, : game.hands].sum()) for block in range(2)]
    assert series.results.tolist() == paid
    assert exact_session(game, 10, 0) == (None, None)


def test_what_is_counted_together_is_part_of_the_digest(tmp_path: Path) -> None:
    digests = {game_of(tmp_path, kind, 6).game.digest for kind in ("round", "1", "2", "3")}
    assert len(digests) == 4
    plain = ready_rules("nsw-1")
    assert plan(plain, 6, stakes_of(plain)).game.pooled is None


def test_hands_that_cannot_be_one_players_are_refused(tmp_path: Path) -> None:
    found = table(tmp_path, hands_per_player=2)
    with pytest.raises(InvalidData, match="expected at most 2 hands for each player, got 3"):
        plan(found, 6, stakes_of(found), hands=3)
    with pytest.raises(InvalidData, match="expected seats in groups of 2, the hands of each player, got 7"):
        plan(found, 7, stakes_of(found), hands=2)
    large = table(tmp_path, **{**ROUND, "payout.cents_max": 10**10})
    with pytest.raises(InvalidData, match="results can be squared in 63 bits"):
        plan(large, 7, stakes_of(large))


def test_the_command_tells_both_and_goes_on_where_it_stopped(tmp_path: Path) -> None:
    table(tmp_path, **PLAYER, hands_per_player=2)
    book, state = str(tmp_path / "pooled.toml"), str(tmp_path / "state.json")
    asked = ("simulate", "--rulebook", book, "--hands", "2", "--rounds", "4096", "--seed", "5", "--state", state)
    done = run(*asked)
    assert done.returncode in {0, 1}, done.stderr
    assert "6 seats, 2 hands per player" in done.stdout
    assert (
        "Base game: as paid under a maximum payout of $33 over 2 hands; the table above has each hand alone"
        in done.stdout
    )
    whole = run("simulate", "--resume", state, "--rounds", "8192", "--json")
    base = json.loads(whole.stdout)["wagers"][0]
    assert base["pooled"]["hands_together"] == 2
    assert base["pooled"]["mean"] < base["mean"]


def test_no_hand_envies_another_of_the_same_player(tmp_path: Path) -> None:
    file = book_file(tmp_path, [FIVE])
    file.write_text(file.read_text(encoding="utf-8") + "hands_per_player = 2\n", encoding="utf-8")
    found = ready_rules(str(file))
    game = plan(found, 4, stakes_of(found), hands=2)
    tallies = count(game.game, SEED, (0, 500))
    paid = 0
    for _, order in zip(range(500), decks(SEED, 0, 4), strict=False):
        won = []
        for players in ("AABB", "AAAA"):  # one player alone is paid no envy
            hands = [
                Hand(seat + 1, tuple(order[3 * seat : 3 * seat + 3]), {"five_pot": 500}, player=name)
                for seat, name in enumerate(players)
            ]
            plain = settle_hands(found, order[12:14], hands)
            results, _ = settle_meters(found, order[12:14], hands, plain, {"five_pot": 30_000})
            won.append(sum(row.paid_cents for rows in results.values() for row in rows))
        paid += won[0] - won[1]
    envy = wager_figures(game, tallies)[-1].envy
    assert envy is not None
    assert envy.paid_cents == paid > 0
