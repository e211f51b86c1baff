"""Bets that players take back, in the kernels: as the rules price them, and the same on a CPU as by the GPU's source."""

from __future__ import annotations

from pathlib import Path

from letitride.simulation.figures import verdict, wager_figures
from letitride.simulation.listed import Listed
from letitride.simulation.plan import plan, stakes_of
from letitride.simulation.run import count, listed_ranks, simulate
from tests.analysis.test_taken_back import PAIR_UP, suited
from tests.simulation.gpu_source import count_by_source
from tests.simulation.own_wagers import own_table

EARLY = suited("own_four", 4, "bet_1").replace("suited", "early").replace("Suited", "Early")
FILES = [suited("own_five", 5, "bet_2"), PAIR_UP, EARLY]


def test_kernels_take_back_what_the_analysis_says(tmp_path: Path) -> None:
    table = own_table(tmp_path, FILES)
    planned = plan(table, 3, stakes_of(table))
    game = planned.game
    assert game.listed is not None
    found = simulate(game, 3, 200_000)
    assert verdict(wager_figures(planned, found)).consistent
    assert count(game, 3, (0, 4096)).as_data() == count_by_source(tmp_path, game, 3, 0, 4096).as_data()
    block = count(game, 3, (0, 1024)).listed
    for wager, ranks in zip(game.listed.ids, listed_ranks(game, 3, 0), strict=True):
        last = block[wager].shape[1] - 1
        assert (ranks == last).sum() == block[wager][:, last].sum() > 0


def test_a_game_whose_bets_never_go_back_has_the_arrays_it_had(tmp_path: Path) -> None:
    early = own_table(tmp_path, [EARLY.replace('withdraw = ["bet_1"]\nwithdraw_percent = 50\n', "")])
    listed = plan(early, 1, stakes_of(early)).game.listed
    assert listed is not None
    assert not {"listed_backs", "listed_backs_at"} & listed.arrays().keys()
    back = Listed.from_arrays(listed.arrays())
    assert back is not None
    assert back.backs.size == 0
