"""Payouts at a table: what a maximum payout pays seat by seat, when it is told, and that other tables are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from letitride.engine.view import view
from letitride.rules import catalog
from letitride.rules.limits import payout_words
from letitride.simulation.fuzz import Tally, fuzz
from letitride.simulation.plan import plan, stakes_of
from tests.clauses.rounds import WHOLE_ROUND, played, results, stacks, step

SHARED = "payout.cap = maximum", "payout.cents_max = 2101", "payout.scope = round"


def test_all_players_of_a_round_are_paid_one_maximum_between_them() -> None:
    """Unlimited, seat 1 wins 3 times $10 and seat 7 twice $20: $70 in all, of which $21.01 is paid."""
    done = played("nsw-1", WHOLE_ROUND, *SHARED)
    assert [300, 300, 300] == [row.paid_cents for row in results(done, 1).values()]
    # Seat 7 is settled first, and its first bet has the odd cent.
    assert [601, 0, 600] == [row.paid_cents for row in results(done, 7).values()]
    assert [50_900, 48_000, 51_201] == stacks(done, 1, 3, 7)
    sign = view(done.table, "spectator").sign
    assert (2_101, "round") == (sign.payout_cents_max, sign.payout_scope)


def test_a_share_is_told_when_all_hands_are_open_and_not_before() -> None:
    done = played("nsw-1", WHOLE_ROUND, *SHARED)
    first, last = (step(done, f"open_hand {seat}").after for seat in (7, 1))
    assert () == view(first, "spectator").seats[7].results
    assert 1_201 == sum(row.paid_cents for row in view(last, "spectator").seats[7].results)
    alone = played("nsw-1", WHOLE_ROUND, *SHARED[:2])
    assert view(step(alone, "open_hand 7").after, "spectator").seats[7].results


BESIDE = """
round
hand 1 Th Td 4c
hand 2 2c 7d Kh
hand 3 9h 9d 3c
community Ks 2d
seat 1 bets 10
seat 2 bets 10
seat 3 bets 10
seat 1 rides 1
seat 2 rides 1
seat 3 withdraws 1
seat 1 rides 2
seat 2 withdraws 2
seat 3 rides 2
"""


def test_two_hands_of_a_player_are_paid_one_maximum_and_other_players_their_own(tmp_path: Path) -> None:
    path = tmp_path / "two.toml"
    path.write_text('id = "two"\ntitle = "Two hands"\nextends = "nsw-1"\n[rules]\nhands_per_player = 2\n')
    most = SHARED[0], "payout.cents_max = 4500"
    two, others = (f"seat 1 sits Ann 500\nseat 2 sits {name} 500\nseat 3 sits Bob 500\n" for name in ("Ann", "Cy"))
    mine = played(str(path), BESIDE, *most, seated=two)
    assert [50_500, 54_000] == stacks(mine, 1, 2)  # seat 2 is settled first, and $5 is left for seat 1
    assert [53_000, 54_000] == stacks(played(str(path), BESIDE, *most, seated=others), 1, 2)
    # A hand's result is told when the hands settled before it are open, too: here the last of them.
    assert view(step(mine, "open_hand 2").after, "spectator").seats[2].results
    assert [500, 0, 0] == [
        row.paid_cents for row in view(step(mine, "open_hand 1").after, "spectator").seats[1].results
    ]


@pytest.mark.parametrize(
    ("scope", "said"),
    [
        ("player_round", "to each player in a round"),
        ("hand", "on each hand"),
        ("wager", "on each bet"),
        ("round", "to all players together in a round, shared in proportion to what they win"),
    ],
)
def test_the_sign_says_over_what_the_maximum_is_counted(scope: str, said: str) -> None:
    rules = catalog.ready_rules("nsw-1", {"payout.cap": "maximum", "payout.cents_max": 75_000, "payout.scope": scope})
    assert f"at most $750 is paid on the base bets {said}" == payout_words(rules.rules)
    assert not payout_words(catalog.ready_rules("nsw-1").rules)


def test_a_player_alone_shares_a_maximum_with_nobody() -> None:
    keys = {"payout.cap": "maximum", "payout.cents_max": 75_000, "payout.scope": "round"}
    table = catalog.ready_rules("nsw-1", keys)
    one, own = (
        plan(catalog.ready_rules("nsw-1", {**keys, "payout.scope": scope}), 1, stakes_of(table))
        for scope in ("round", "hand")
    )
    assert own.exact[0].mean == one.exact[0].mean


def test_fuzzing_breaks_no_promise_where_all_players_share_a_small_maximum() -> None:
    keys = {"payout.cap": "maximum", "payout.cents_max": 701, "payout.scope": "round"}
    assert isinstance(fuzz(catalog.ready_rules("nsw-1", keys), 600, 5), Tally)
