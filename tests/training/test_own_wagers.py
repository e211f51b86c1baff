"""A house's own wagers in training: the coach prices them, the drills bet them, and the settlement judges them."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from letitride.analysis.side_bets import price_side
from letitride.records.dealt import Dealt
from letitride.rules import catalog
from letitride.rules.table_rules import TableRules
from letitride.training.coach import _Key, expectation
from letitride.training.staff.dealing import Dealing
from letitride.training.staff.drill import Drill
from letitride.training.staff.flooring import Flooring
from letitride.training.staff.paying import Paying, pays_told
from letitride.training.staff.positions import _played
from letitride.training.staff.practice import Party, Practice, side_bets
from letitride.training.staff.scene import scene
from letitride.training.staff.watching import Watching
from tests.server.tables.test_own_wagers import WAGER
from tests.training.staff_trainees import perfect, run

BOOK = """
id = "my-room-1"
title = "My room"
extends = "nsw-1"
wagers = ["red_black.toml", "early.toml", "best.toml"]
[rules]
odds.wording = ["to", "win"]
"""
EARLY = (
    WAGER.replace("red_black", "early_bird")
    .replace("Red or Black", "Early Bird")
    .replace("R/B", "EB")
    .replace('award = "to_one"', 'award = "total_award"')
    .replace("[keys]", '[keys]\ntaken = "before_deal"')
)
BEST = """
id = "best_hand"
title = "Best Hand"
judged_on = "table_best"
ranking = "poker"
award = "to_one"
pays = { royal_flush = [90, 80, 70, 60, 50, 40, 30], straight_flush = [40, 35, 30, 25, 20, 15, 10] }
keys = { cents_min = 100, cents_max = 10000 }
"""
TEXTS = {"house.toml": BOOK, "red_black.toml": WAGER, "early.toml": EARLY, "best.toml": BEST}
BASE = (("base-1", 500), ("base-2", 500), ("base-$", 500))


class Drawn:
    """Chance that can be drawn again."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def below(self, limit: int) -> int:
        """Return a number below a limit."""
        return self._random.randrange(limit)


@pytest.fixture(scope="module")
def rules() -> TableRules:
    """A table with a bet on the player's own hand, one that is taken before the deal, and one on the best hand."""
    return catalog.table_rules_of_texts("house.toml", {}, TEXTS)


def test_the_coach_prices_an_own_wager_alone_and_beside_the_base_game(rules: TableRules) -> None:
    alone = expectation(_Key(rules), (("red_black", 300),), 0)
    assert -300 * price_side(rules.pays["red_black"]).house_edge == alone.mean
    base, both = (expectation(_Key(rules), stakes, 0) for stakes in (BASE, (*BASE, ("red_black", 300))))
    assert base.mean + alone.mean == both.mean
    assert Fraction(0) != both.variance - base.variance - alone.variance  # a red flush wins both


@pytest.mark.parametrize("drill", [Paying, Dealing, Watching, Flooring])
@pytest.mark.parametrize("level", [2, 5])
def test_a_trainee_who_goes_by_the_settlement_is_always_right(
    rules: TableRules, drill: type[Drill], level: int
) -> None:
    done = run(drill(rules, Drawn(level), level=level, length=4), perfect)  # type: ignore[call-arg]  # each drill's own
    assert all(mark.right for mark in done.sheet.marks)


def test_the_side_bets_of_a_drill_go_by_their_nature(rules: TableRules) -> None:
    found = {which: [*map(str, side_bets(rules, which))] for which in ("none", "taken", "single", "all")}
    assert {
        "none": [],
        "taken": ["early_bird"],
        "single": ["red_black", "early_bird"],
        "all": ["red_black", "early_bird", "best_hand"],
    } == found


def test_a_scene_names_the_spots_and_says_what_lies_in_the_tray(rules: TableRules) -> None:
    bets = {**dict(BASE), "red_black": 300, "early_bird": 200}
    practice = Practice(rules, Drawn(1), Party({1: bets}))
    while practice.table.phase != "choice_1":
        practice.step()
    seen = scene(practice.table)
    assert ("R/B", "Red or Black") == next((one.label, one.title) for one in seen.spots if one.spot == "red_black")
    assert ({"early_bird": 200}, 300) == (seen.seats[0].taken, seen.seats[0].wagers["red_black"])
    assert "Red or Black $2 to $25" in seen.limits


def test_the_paying_drill_pays_envy_and_tells_what_it_is_and_what_the_meter_holds() -> None:
    jackpot = """
id = "pot"
title = "Pot"
judged_on = "own_five"
award = "total_award"
first_wins = true
rank = [{ id = "pair", when = { same_rank = 2 } }, { id = "rest" }]
pays = { pair = 2 }
envy = { pair = 7 }
keys = { cents = 100 }
meter = { seed_cents = 5000, contribution_ppm = 500000, takes = { pair = 10 } }
"""
    texts = {
        "house.toml": BOOK.replace('"red_black.toml", "early.toml", "best.toml"', '"pot.toml"'),
        "pot.toml": jackpot,
    }
    table = catalog.table_rules_of_texts("house.toml", {}, texts)
    dealt = Dealt(hands=((1, ("2c", "5d", "9h")), (2, ("2d", "Jc", "Ks"))), community=("2s", "Qh"))
    bets = {"base-1": 500, "base-2": 500, "base-$": 500, "pot": 100}
    found = _played(table, Drawn(1), Party({1: bets, 2: bets}, 0, 0), dealt, {})
    first, second = (found.paid_cents(seat, table.wagers["pot"]) for seat in (1, 2))
    assert (first, second) == (200 + 500 + 700, 200 + 450 + 700)  # pay, a tenth of what the meter holds, envy
    told = pays_told(found)
    assert "the meter of Pot holds $50" in told
    assert "envy, to every other player with the Pot bet: pair $7" in told
